/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An amount that is converted by a plain number: "240/50 = 4.8 hours" of the 240 minutes that stand
 * before, "4/3 * 50 = 66 minutes" of 4/3 hours, "24/50 hours" of 24 minutes. */
#include "notation/lex.h"

#include <flint/fmpq.h>

typedef struct conversion_amount {
    size_t begin, end;   /* tokens; end is the first one after it */
    size_t amount_end;   /* the amount is the tokens from `begin` to here */
    size_t number;       /* the token of the number that converts it */
    size_t to;           /* the token of the unit that it is converted to */
    bool divided;        /* by the number, not multiplied */
    rdv_str amount_unit; /* of the amount, where it stands there: "5 min / 50"; else p == NULL */
} conversion_amount;

/* The first one at token `from` or after it. False: there is none. */
bool conversion_amount_find(const tokens *t, size_t from, conversion_amount *out);

/* The unit of the amount in `text`: the word after one of its places, if that has the dimension of
 * the target unit and another size. p == NULL: none. *same becomes true if the amount stands
 * somewhere with the target unit itself. */
rdv_str conversion_amount_unit_in(const tokens *t, const conversion_amount *found, rdv_str text,
                                  bool *same);

/* The number of target units in one unit `of`. False: they have different dimensions, or the same
 * size. */
bool conversion_amount_ratio(const tokens *t, const conversion_amount *found, rdv_str of,
                             fmpq_t out);
