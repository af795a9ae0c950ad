/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a model's reply says, read in one of two ways: as the paper does it (RDV_PAPER), or guarding
 * against replies that are wordy, marked up, negated, cut off or hostile (RDV_ROBUST).
 * docs/prompts.md states both. Pure functions, linear in the reply, which may be any bytes.
 *
 * RDV_NONE from any of them: the reply could not be read. The caller asks once more, then the
 * verdict is unknown, with the reason. *out is untouched then (but see reply_citations) and on
 * failure. A "<think>" block is not part of what is read. A reply that was cut off at its limit has
 * no conclusion yet: its caller knows and should not read one.
 *
 * Readers of conclusions also give *why, the sentence of the reply that decided: a slice of it of
 * at most 240 bytes, untouched where nothing was read. */
#include <rederive/plan.h>

/* The information and the steps that a step directly follows from: sorted, each once. */
typedef struct reply_cited {
    size_t *information;
    size_t n_information;
    size_t *steps;
    size_t n_steps;
    size_t dropped; /* ids that were named and do not exist, or are of the step itself or later */
} reply_cited;

/* The reply to "Which previous steps or information ...": ids below `n_information` and below
 * `n_earlier_steps`. The lists are made in `arena`. RDV_NONE: no id could be read, or every one was
 * dropped; *out then has no ids, but counts what was dropped. In the robust profile a reply that
 * says that there is none is read, with no ids. Only the first 16 KiB are read. Faults:
 * RDV_E_NOMEM. (3.1, information collection) */
int reply_citations(rdv_str reply, rdv_profile profile, size_t n_information,
                    size_t n_earlier_steps, rdv_arena *arena, reply_cited *out);
/* The reply to "check whether Solution 1 supports, contradicts or ...". In the paper's profile
 * only an empty reply has no verdict: neither word is RDV_UNRELATED. (3.1, result comparison;
 * appendix A) */
int reply_comparison(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, rdv_str *why);
/* The conclusion of a check of a whole or of a step: Correct, Wrong, Not Sure. (5.2) */
int reply_correctness(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, rdv_str *why);
/* The conclusion of the one-shot error check: yes is RDV_SUPPORT, no is RDV_CONTRADICT, never
 * RDV_UNRELATED; a reply that ends in Correct or Wrong instead is read too. (appendix B) */
int reply_yes_no(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, rdv_str *why);
/* The whole number in \boxed{}: the last that is claimed; in the paper's profile the last one.
 * (ProcessBench, the critic) */
int reply_boxed_index(rdv_str reply, rdv_profile profile, long *index);
/* The lines that define variables, as slices of the reply, the array in `arena`: those that begin
 * with a digit; RDV_ROBUST also takes bullets and "**1.**". RDV_OK with *n == 0: there are none.
 * Only the first 16 KiB are read.
 * Faults: RDV_E_NOMEM. (appendix A, variable definition extraction) */
int reply_definitions(rdv_str reply, rdv_profile profile, rdv_arena *arena, rdv_str **lines,
                      size_t *n);

/* ---- general-purpose verification (docs/general.md) ------------------------------------------ */

/* The reply to "evaluate the draft solution ...": RDV_SUPPORT (relevant) or RDV_CONTRADICT. (B.1)
 */
int reply_relevance(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, rdv_str *why);
/* How the reply goes on behind "the Last Step is": RDV_SUPPORT (consistent) or RDV_CONTRADICT.
 * (B.3) */
int reply_consistency(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, rdv_str *why);

/* One calculation as a model listed it. */
typedef struct reply_claim {
    rdv_str lhs, op, rhs;
} reply_claim;

#define REPLY_CLAIMS_MAX 256

/* The list of calculations that a reply gives as JSON, behind "```json" or not, in `arena`: also in
 * the braces of the paper's example, with commas too many, numbers without quotes, single quotes,
 * an object a line, items numbered, the list under a name. RDV_OK with *n == 0: it says that there
 * is none. RDV_NONE: no list, or one that is broken. Only the first 16 KiB and REPLY_CLAIMS_MAX
 * calculations are read. Faults: RDV_E_NOMEM. (B.2) */
int reply_claims(rdv_str reply, rdv_arena *arena, reply_claim **claims, size_t *n);
