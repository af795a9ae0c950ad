/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The private side of a method: what it says of a chain's steps. */
#include <rederive/method.h>

typedef struct method_entry {
    rdv_method method;
    /* Fill check->verdicts and n_verdicts (and calls, tokens); the caller integrates. */
    int (*check)(const rdv_chain *chain, rdv_arena *arena, rdv_check *check, rdv_error *err);
} method_entry;

extern const method_entry method_calculations;
