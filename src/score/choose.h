/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The choice of a subset of a question's chains before the vote (general-purpose verification,
 * sections 4.2 and 4.3: one chain, or m of 40, at random, by the lowest perplexity, by the best
 * score; docs/voting.md). */
#include <rederive/score.h>

typedef enum rdv_choose_kind {
    RDV_CHOOSE_RANDOM = 0, /* any m chains; each set of m is equally likely */
    RDV_CHOOSE_LOWEST,     /* those with the lowest values: perplexities */
    RDV_CHOOSE_HIGHEST     /* those with the highest values: scores, confidences */
} rdv_choose_kind;

/* Chooses min(m, n) of `n` chains into chosen[] (room for min(m, n)), in the original order of the
 * chains, so that ties in a vote among them are decided as usual. by: n values, unused (may be
 * NULL) for a random choice. Of equal values the earlier chain is chosen; a chain without a value
 * (NaN) is chosen only when no other is left, the earlier first. random: a pure function of n, m
 * and the seed; with one seed a larger m chooses the same chains and further ones. *n_chosen is
 * min(m, n). Temporary data are allocated in `arena`. RDV_E_NOMEM: nothing is written. O(n log
 * n). */
int rdv_choose(rdv_choose_kind how, const double *by, size_t n, size_t m, uint64_t seed,
               rdv_arena *arena, size_t *chosen, size_t *n_chosen, rdv_error *err);
