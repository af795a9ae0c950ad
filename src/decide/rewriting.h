/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Equalities with letters that do not hold for all their values: are they equations, or does the
 * text rewrite the left side into the right one, so that they should hold? */
#include "decide/decide.h"

/* Decide term[i] = term[i+1] of the chain, which is no identity; `link` is the same by itself.
 * Wrong: the text rewrites the left side, by its words, as links of a chain beside an identity, or
 * as a question asks; undecided: nothing is said, and it may be either. RDV_OK; RDV_NONE: it is an
 * equation or a definition, or nothing can be told; RDV_E_NOMEM. */
int rewriting_decide(const knowledge *k, const equality *chain, size_t i, const equality *link,
                     decision *out);

/* Is a group spoken of, in which the order of the factors counts? */
bool rewriting_is_in_group(const knowledge *k);

/* Is neither a group nor another algebra than that of numbers spoken of? */
bool rewriting_is_of_numbers(const knowledge *k);

/* What is wrong with it: what the left side is, worked out, or where the sides differ. RDV_OK;
 * RDV_NONE: nothing was found; RDV_E_NOMEM. */
int rewriting_is_wrong(const knowledge *k, const expression *lhs, const expression *rhs,
                       decision *out);

/* The letters of which the chain says something: an equation, or a value. `stated`: a bit for each
 * link that holds for all values, or is called wrong. */
related_letters rewriting_related(const tokens *t, const equality *chain, uint64_t stated);

/* Those that are written together before a sign of equality in the text: "ab = 0". */
related_letters rewriting_related_in(rdv_str text);

/* Does the question speak of an equation, or of roots, so that its letters have values? */
bool rewriting_is_asked_for_values(rdv_str question);
