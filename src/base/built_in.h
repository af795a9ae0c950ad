/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What is made of compiled-in text once, by the first caller, from any thread, and stays until the
 * process ends. */
#include <rederive/base.h>

#include <stdatomic.h>

typedef struct built_in {
    _Atomic(const void *) at; /* NULL: not made */
} built_in;

/* What was made, or is made now, in an arena of its own; `make` gives NULL when out of memory.
 * NULL: out of memory; a later call tries again. */
const void *built_in_get(built_in *of, const void *(*make)(rdv_arena *));
