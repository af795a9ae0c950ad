/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The claims check: lists of calculations, from a model or from our own search, each decided
 * exactly (general-purpose verification, section 3.3.2). */
#include "method/unread/unread_statement.h"

#include <rederive/chain.h>
#include <rederive/math.h>

struct reply_claim;
struct step_numbers;

/* The outcome of one list of calculations. */
typedef struct claims_check {
    int holds;      /* 1: none is wrong; 0: one is wrong; -1: else, one is undecided or unread */
    size_t n;       /* those that count */
    size_t dropped; /* those with numbers that are not in the step, or that are not calculations */
    rdv_str why;    /* one line about a wrong one; p == NULL: none */
    rdv_evidence *note;         /* the list of those that count; NULL: nothing was found */
    rdv_evidence *left_out;     /* the list of those that are dropped; NULL: there are none */
    unread_calculation *unread; /* of our own search: what looks like a calculation besides */
    size_t n_unread;
    bool stated; /* that is all that is not decided: a number without a calculation */
} claims_check;

/* Decides a list, using what the calculator knows from the earlier steps. RDV_OK or RDV_E_NOMEM. */
int claims_check_listed(rdv_calculator *calculator, const struct reply_claim *claims, size_t n,
                        const struct step_numbers *numbers, rdv_arena *arena, claims_check *out,
                        rdv_error *err);
/* The same for the calculations that the calculator itself finds in the step; it remembers them.
 * They are counted in *coverage; NULL: not. `given`: what the text before gives, to which the step
 * is added: beside right calculations, a number that is only stated is not read; NULL: that is not
 * looked for. */
int claims_check_native(rdv_calculator *calculator, given_numbers *given, rdv_str step,
                        rdv_arena *arena, claims_check *out, rdv_coverage *coverage,
                        rdv_error *err);
/* Adds the list of those that count to a map under that name, and what is dropped as "dropped".
 * False: out of memory. */
bool claims_check_note(const claims_check *c, rdv_arena *arena, rdv_evidence *map,
                       const char *name);
