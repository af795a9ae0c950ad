/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a comparison of an answer with gold finds, and why. */
#include "grade/value.h"

#include <rederive/answer.h>

/* One comparison of an answer with gold. */
typedef struct comparer {
    value_reader reader;
    rdv_compare_options how;
    size_t left;   /* pairs of values that may still be compared */
    unsigned rank; /* of `why`: the most that "same" rests on */
    const char *why;
    rdv_str reason; /* where they differ, or what cannot be told; in the reader's arena */
    int fault;      /* RDV_E_NOMEM, or 0 */
} comparer;

/* They are the same. `why`: static; of several, the one that rests on most is kept. */
rdv_same outcome_same(comparer *c, const char *why);

/* "Different" or "cannot tell", with a reason in printf's form. Returns `is`, as the next three. */
RDV_PRINTF(4, 5)
rdv_same outcome_not(comparer *c, rdv_same is, const char *why, const char *format, ...);

/* With the reason "ANSWER RELATION GOLD", such as "3 is not 4". */
rdv_same outcome_pair(comparer *c, rdv_same is, const char *why, const answer_value *a,
                      const char *relation, const answer_value *g);

/* What an item's comparison found, its reason with where the item stands: "element 2: ...". */
rdv_same outcome_at_place(comparer *c, rdv_same is, const char *place, size_t number);

/* Different: they are things of two kinds. */
rdv_same outcome_other_form(comparer *c, const answer_value *a, const answer_value *g);

/* How a value is shown in a reason: its key, shortened. In the reader's arena. */
rdv_str outcome_value_shown(comparer *c, const answer_value *v);
