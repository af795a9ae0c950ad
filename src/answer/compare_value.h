/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Two values: same, different, or it cannot be told; and why. */
#include "answer/measure.h"
#include "answer/value.h"

#include <rederive/answer.h>

/* One comparison of an answer with gold. */
typedef struct comparer {
    value_reader reader;
    rdv_compare_options how;
    size_t left;   /* pairs of values that may still be compared */
    unsigned rank; /* of `why`: the most that "same" rests on */
    const char *why;
    rdv_str reason; /* where they differ, or what cannot be told */
    int fault;      /* RDV_E_NOMEM, or 0 */
} comparer;

/* Pairs of values that one comparison looks at; over it nothing can be told. */
#define COMPARE_PAIRS_MAX 512

rdv_same value_compare(comparer *c, const answer_value *answer, const answer_value *gold);

/* Item by item in their order: different if one pair is; else cannot tell if one cannot. */
rdv_same value_compare_in_order(comparer *c, answer_value *const *answer, answer_value *const *gold,
                                size_t n);
/* The same, of lists of one length. If another order would do, it cannot be told, for the reason
 * `otherwise`, unless the order is `fixed`. */
rdv_same value_compare_in_gold_order(comparer *c, const answer_value *answer,
                                     const answer_value *gold, bool fixed, const char *otherwise);
/* Their items in any order, each as often as it likes. */
rdv_same value_compare_as_sets(comparer *c, const answer_value *answer, const answer_value *gold);
/* They are things of two kinds. */
rdv_same value_compare_other_form(comparer *c, const answer_value *answer,
                                  const answer_value *gold);

/* compare_name.c: two named values; one, and a relation; two records; one, and another value. */
rdv_same value_compare_named(comparer *c, const answer_value *answer, const answer_value *gold);
rdv_same value_compare_name_and_relation(comparer *c, const answer_value *answer,
                                         const answer_value *gold);
rdv_same value_compare_records(comparer *c, const answer_value *answer, const answer_value *gold);
rdv_same value_compare_record_and_other(comparer *c, const answer_value *answer,
                                        const answer_value *gold);

/* Two expressions (compare_expression.c). */
rdv_same value_compare_expressions(comparer *c, const answer_value *answer,
                                   const answer_value *gold);

/* Have both a known unit, and not the same one? (compare_unit.c) */
bool value_units_differ(const answer_value *answer, const answer_value *gold, measure *answer_is,
                        measure *gold_is);
/* Two such numbers: 100 cm is 1 m, 5 cm is not 5 m. */
rdv_same value_compare_units(comparer *c, const answer_value *answer, measure answer_is,
                             const answer_value *gold, measure gold_is);

/* What "same" may rest on, from the least: a later one includes the earlier ones. */
rdv_same value_compare_same(comparer *c, const char *why);
/* "different" or "cannot tell", with a reason in printf's form. */
rdv_same value_compare_not(comparer *c, rdv_same is, const char *why, const char *format, ...)
    RDV_PRINTF(4, 5);
/* The same with the reason "ANSWER RELATION GOLD", such as "3 is not 4". */
rdv_same value_compare_pair(comparer *c, rdv_same is, const char *why, const answer_value *answer,
                            const char *relation, const answer_value *gold);
/* How a value is shown in a reason: its key, shortened. In the arena. */
rdv_str value_shown(comparer *c, const answer_value *v);
