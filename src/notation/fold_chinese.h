/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Claims in Chinese words that a sign says in another order: "20的一半是10", "12和8的和是20". */
#include <rederive/base.h>

/* One claim, as it is written in signs. */
typedef struct chinese_claim {
    size_t number_end;  /* of the first number, which stays */
    size_t verb, end;   /* "是": where it begins and ends; " = " stands for it */
    char operation[32]; /* what stands for the words between */
} chinese_claim;

/* Does one begin at byte `i`? Only a whole sentence or clause is read, up to the number that is
 * claimed. */
bool chinese_claim_at(rdv_str text, size_t i, chinese_claim *out);

#define CHINESE_GROWTH 3

/* "41个苹果。", "5米": the measure word behind a number at byte `i`, with the noun after it, at the
 * end of a clause or before a sign. How many bytes, and what stands for them, at most
 * CHINESE_GROWTH times as long; 0: there is none. */
size_t chinese_measure_at(rdv_str text, size_t i, const char **out);
