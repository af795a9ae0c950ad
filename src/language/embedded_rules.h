/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The files of rules/, compiled in by tools/embed_rules.py, sorted by name. */
#include <stddef.h>

typedef struct rules_file {
    const char *name; /* "context.rules" */
    const char *text;
} rules_file;

extern const rules_file rules_embedded[];
extern const size_t rules_n_embedded;
