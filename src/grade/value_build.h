/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Making values of their parts, with their keys. */
#include "grade/value.h"

/* A new value with a copy of `from`; NULL when out of memory. */
answer_value *value_new(value_reader *r, answer_value from);
int value_push(value_reader *r, values *list, answer_value *v);
/* `s` without blanks, as LaTeX, as a value of which nothing more is known. RDV_NONE: it is empty.
 */
int value_text(value_reader *r, rdv_str s, answer_value **out);
/* The same of the answer's own bytes, which are no codes of clean.h. */
int value_raw(value_reader *r, rdv_str s, answer_value **out);

/* The keys of the items joined; sorted: in any order, each once. */
int value_join(value_reader *r, const values *list, bool sorted, rdv_str open, rdv_str separator,
               rdv_str close, rdv_str *key);
int value_named(value_reader *r, rdv_str name, answer_value *item, bool quantity,
                answer_value **out);
int value_record(value_reader *r, const rdv_str *names, answer_value **items, size_t n, bool tuple,
                 answer_value **out);
/* A list, or the record or single value that it is. */
int value_list_of(value_reader *r, values items, char open, bool either, answer_value **out);
