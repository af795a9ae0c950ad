/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Some of the chains of a question, chosen before they vote (general-purpose
 * verification, sections 4.2 and 4.3: one chain, or m of 40, at random, by the lowest perplexity,
 * by the best score; docs/voting.md). */
#include <rederive/score.h>

typedef enum rdv_choose_kind {
    RDV_CHOOSE_RANDOM = 0, /* any m chains, each set of m with the same chance */
    RDV_CHOOSE_LOWEST,     /* those with the lowest values: perplexities */
    RDV_CHOOSE_HIGHEST     /* those with the highest values: scores, confidences */
} rdv_choose_kind;

/* "random", "lowest", "highest": a static string. */
const char *rdv_choose_name(rdv_choose_kind is);
/* The choice of that name into *out; RDV_NONE when there is none. */
int rdv_choose_named(rdv_str name, rdv_choose_kind *out);

/* Choose min(m, n) of `n` chains into chosen[] (room for min(m, n)), in the chains' own order, so
 * that a vote among them decides ties as ever. by: n values, not looked at (may be NULL) when the
 * choice is random. Of equal values the earlier chain is chosen; one without a value (NaN) only
 * when no other is left, the earlier first. random: a pure function of n, m and the seed, and with
 * one seed a larger m chooses the same chains and further ones.
 * *n_chosen is min(m, n). What is needed on the way is made in `arena`. RDV_E_NOMEM, then nothing
 * is written. O(n log n). */
int rdv_choose(rdv_choose_kind how, const double *by, size_t n, size_t m, uint64_t seed,
               rdv_arena *arena, size_t *chosen, size_t *n_chosen, rdv_error *err);
