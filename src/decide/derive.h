/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An equation that the text derives from the one before: "2x - 10 = 12. Adding 10 to both sides, we
 * get 2x = 2." Whatever is done to an equation, the new one has a solution in common with it; two
 * equations without a common solution, even a complex one, are no derivation. */
#include "decide/decide.h"

/* An equation and the tokens it was read from. */
typedef struct derivation_side {
    const tokens *t;
    const equality *e;
    bool of_step_before; /* the last one of a step before, not of this one */
    rdv_str words;       /* of a step between, which says what is done to it; p == NULL: none */
    bool alone;          /* of_step_before, and neither step has a word or another equation */
    bool listed;         /* no word stands between it and the next */
    bool in_list; /* the next stands below it without a word, and goes on with what it goes on
                     with, or what is done is said before it */
} derivation_side;

/* Does `next`, an equation of k->t, follow from `given` as the words between them claim? `out` is
 * right if both have the same solutions, wrong if they have none in common, or others where the
 * words only rearrange; *lhs becomes what `out`'s value is of. RDV_OK; RDV_NONE: this cannot be
 * told; RDV_E_NOMEM. */
int derive_decide(const knowledge *k, const derivation_side *given, rdv_str words,
                  const equality *next, rdv_str *lhs, decision *out);

/* Does one side of both equations stand there in the same letters and signs? */
bool derive_keeps_side(const derivation_side *given, const tokens *t, const equality *next);

/* Have the two equations the same solutions, whatever is said between them? */
bool derive_is_same(const knowledge *k, const derivation_side *given, const equality *next);
