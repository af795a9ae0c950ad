/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Equalities with letters that do not hold for all values. Such an equality is an equation, or an
 * error where the text rewrites the left side into the right one. */
#include "decide/decide.h"

/* Decide term[i] = term[i+1] of the chain, which is not an identity; `link` is the same by itself.
 * Wrong: the text rewrites the left side, by its words, in a chain beside an identity, or because
 * the question asks so. Undecided: the text does not say which it is. RDV_OK; RDV_NONE: an equation
 * or a definition, or unknown; RDV_E_NOMEM. */
int rewriting_decide(const knowledge *k, const equality *chain, size_t i, const equality *link,
                     decision *out);

/* True if the text mentions a group, in which the order of factors counts. */
bool rewriting_is_in_group(const knowledge *k);

/* True if the text mentions no group and no other algebra than that of numbers. */
bool rewriting_is_of_numbers(const knowledge *k);

/* The proof that it is wrong: the left side worked out. RDV_OK; RDV_NONE: it cannot be;
 * RDV_E_NOMEM.
 */
int rewriting_is_wrong(const knowledge *k, const expression *lhs, const expression *rhs,
                       decision *out);

/* The letters for which the chain states an equation or a value. `stated`: a bit for each link that
 * holds for all values, or is called wrong. */
related_letters rewriting_related(const tokens *t, const equality *chain, uint64_t stated);

/* Those that are written together before a sign of equality in the text: "ab = 0". */
related_letters rewriting_related_in(rdv_str text);

/* Does the part, which has more than blanks, stand in the text, whatever blanks stand in either? */
bool rewriting_stands_in(rdv_str part, rdv_str text);

/* Does the question speak of an equation, or of roots, so that its letters have values? */
bool rewriting_is_asked_for_values(rdv_str question);
