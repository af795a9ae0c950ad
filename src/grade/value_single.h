/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A value that holds no other: words, infinity, ratios, numbers in other bases, expressions. */
#include "grade/value.h"

/* A number in words, "forty-two". RDV_NONE: it is none. */
int value_number_words(value_reader *r, rdv_str s, answer_value **out);
/* Anything else: text where it is not read as mathematics. */
int value_single(value_reader *r, rdv_str s, answer_value **out);
