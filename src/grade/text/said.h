/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The parts of a sentence that may be what it comes to. */
#include <rederive/base.h>

/* Each lies in the sentence; empty: it has no such part. */
typedef struct said_parts {
    rdv_str label;     /* what stands behind a label or a dash: "Domain: (0, 4]" */
    rdv_str clause;    /* the last clause behind "so", "which" or a semicolon */
    rdv_str sum;       /* a sum of quantities that has all its numbers: "7 hours and 50 minutes" */
    rdv_str formula;   /* the formula at its end behind a verb: "It simplifies to x/y." */
    rdv_str equations; /* those at its end that have a name on the left: "x = 4, y = 3" */
    size_t n_equations;
} said_parts;

/* Linear. */
said_parts said_of(rdv_str sentence);
