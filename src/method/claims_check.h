/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The claims check: a list of calculations, a model's or our own, and what it comes to when each is
 * decided exactly (general-purpose verification, section 3.3.2). */
#include <rederive/chain.h>
#include <rederive/math.h>

struct reply_claim;
struct step_numbers;

/* What one list of calculations comes to. */
typedef struct claims_check {
    int holds;          /* 1: no wrong one; 0: a wrong one; -1: only undecided ones */
    size_t dropped;     /* with numbers that are not in the step, or that are no calculations */
    rdv_str why;        /* of a wrong one, one line; p == NULL */
    rdv_evidence *note; /* a list of those that count; NULL: nothing was found */
} claims_check;

/* Decide a list with what the calculator knows from the steps before. RDV_OK or RDV_E_NOMEM. */
int claims_check_listed(rdv_calculator *calculator, const struct reply_claim *claims, size_t n,
                        const struct step_numbers *numbers, rdv_arena *arena, claims_check *out,
                        rdv_error *err);
/* The same of what the calculator itself finds in the step, which it remembers. */
int claims_check_native(rdv_calculator *calculator, rdv_str step, rdv_arena *arena,
                        claims_check *out, rdv_error *err);
/* Add the list to a map under that name. False: out of memory. */
bool claims_check_note(const claims_check *c, rdv_arena *arena, rdv_evidence *map,
                       const char *name);
