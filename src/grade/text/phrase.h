/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Free text by normalised match, as TriviaQA and SQuAD compare answers. */
#include <rederive/base.h>

/* The key: letters small, without punctuation and the articles a, an and the before a word, white
 * space runs as one space. The signs of numbers, and "<", ">", "+", "C#" and "50%", stay. Where
 * nothing is left of signs, as in "&", they are the key. RDV_NONE: nothing is left. RDV_E_NOMEM. */
int phrase_key(rdv_str answer, rdv_arena *arena, rdv_str *key, rdv_error *err);
