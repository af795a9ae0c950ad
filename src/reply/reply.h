/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Readers of a model's reply, in two profiles: as the paper reads it (RDV_PAPER), or guarded
 * against replies that are wordy, marked up, negated, cut off or hostile (RDV_ROBUST).
 * docs/prompts.md states both. Pure functions, linear in the reply, which may be any bytes.
 *
 * RDV_NONE from any reader: the reply could not be read. The caller asks once more; after that the
 * verdict is unknown, with the reason. *out is then untouched (but see reply_citations), as on
 * failure. Readers of conclusions and of locations give RDV_E_NOMEM where there is no memory for
 * the grammar of replies. A "<think>" block is not read. A reply that was cut off at its limit has
 * no conclusion yet; the caller knows this and should not read one.
 *
 * Readers of conclusions also set *by to the sentence of the reply that decided, and in the robust
 * profile to the row of rules/replies.rules that describes it; untouched if nothing was read. */
#include "reply/ground.h"

/* The information and the steps that a step directly follows from: sorted, without duplicates. */
typedef struct reply_cited {
    size_t *information;
    size_t n_information;
    size_t *steps;
    size_t n_steps;
    size_t dropped; /* ids that do not exist, or belong to the step itself or a later one */
} reply_cited;

/* Reads the reply to "Which previous steps or information ...": ids below `n_information` and below
 * `n_earlier_steps`. The lists are allocated in `arena`. RDV_NONE: no id could be read, or every id
 * was dropped; *out then has no ids, but counts those dropped. In the robust profile a reply that
 * says that there are none is read, with no ids. Only the first 16 KiB are read. Errors:
 * RDV_E_NOMEM. (3.1, information collection) */
int reply_citations(rdv_str reply, rdv_profile profile, size_t n_information,
                    size_t n_earlier_steps, rdv_arena *arena, reply_cited *out);
/* Reads the reply to "check whether Solution 1 supports, contradicts or ...". In the paper's
 * profile only an empty reply has no verdict; a reply with neither word is RDV_UNRELATED. (3.1,
 * result comparison; appendix A) */
int reply_comparison(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, reply_ground *by);
/* Reads the conclusion of a check of a whole chain or of a step: Correct, Wrong, Not Sure. (5.2) */
int reply_correctness(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, reply_ground *by);
/* Reads the conclusion of the one-shot error check: yes is RDV_SUPPORT, no is RDV_CONTRADICT; never
 * RDV_UNRELATED. A reply that ends in Correct or Wrong instead is read, too. (appendix B) */
int reply_yes_no(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, reply_ground *by);
/* Reads the whole number in \boxed{}: the last that is claimed; in the paper's profile the last
 * one. (ProcessBench, the critic) */
int reply_boxed_index(rdv_str reply, rdv_profile profile, long *index, reply_ground *by);
/* Reads the lines that define variables, as slices of the reply, with the array in `arena`: lines
 * that begin with a digit; RDV_ROBUST also accepts bullets and "**1.**". RDV_OK with *n == 0: there
 * are none. Only the first 16 KiB are read. Errors: RDV_E_NOMEM. (appendix A, variable definition
 * extraction) */
int reply_definitions(rdv_str reply, rdv_profile profile, rdv_arena *arena, rdv_str **lines,
                      size_t *n);

/* ---- general-purpose verification (docs/general.md) ------------------------------------------ */

/* Reads the reply to "evaluate the draft solution ...": RDV_SUPPORT (relevant) or RDV_CONTRADICT.
 * (B.1) */
int reply_relevance(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, reply_ground *by);
/* Reads how the reply continues "the Last Step is": RDV_SUPPORT (consistent) or RDV_CONTRADICT.
 * (B.3) */
int reply_consistency(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, reply_ground *by);

/* One calculation, as a model listed it. */
typedef struct reply_claim {
    rdv_str lhs, op, rhs;
} reply_claim;

#define REPLY_CLAIMS_MAX 256

/* Reads the list of calculations that a reply gives as JSON, in a "```json" block or not, into
 * `arena`. Also accepts the braces of the paper's example, extra commas, numbers without quotes,
 * single quotes, one object on each line, numbered items, and a list as the value of a key. RDV_OK
 * with *n == 0: the reply says that there are none. RDV_NONE: there is no list, or a broken one.
 * Only the first 16 KiB and REPLY_CLAIMS_MAX calculations are read. Errors: RDV_E_NOMEM. (B.2) */
int reply_claims(rdv_str reply, rdv_arena *arena, reply_claim **claims, size_t *n);
