/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Keys of numbers and mathematics: the same key exactly for the same value. */
#include <rederive/base.h>

/* Answers longer than this are compared as text. */
#define RDV_VALUE_MAX 4096

/* The key of an answer that is mathematics, or text in its place. keep_percent: "50%" is a half,
 * else fifty. RDV_NONE: nothing is left of it. Faults: RDV_E_NOMEM. */
int answer_value_key(rdv_str answer, bool keep_percent, rdv_arena *arena, rdv_str *key,
                     rdv_error *err);
/* The key of an answer that is one number with words around it, else as above. */
int answer_number_key(rdv_str answer, bool keep_percent, rdv_arena *arena, rdv_str *key,
                      rdv_error *err);
