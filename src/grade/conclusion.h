/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What else the end of a reply may state, where nothing announces its answer. */
#include <rederive/answer.h>

/* A reply, and what was read of it. */
typedef struct conclusion {
    rdv_str text; /* borrowed */
    rdv_str read; /* as it stands in the text */
    rdv_answer_by by;
    rdv_str gold;
    const rdv_answer_form *form;
    const rdv_compare_options *how;
} conclusion;

/* Weigh once more a comparison that is not *same*:
 * - a formula of which `read` is one number, or which it rounds, is the answer where that is gold;
 * - of what nothing announces, *different* needs that gold's value stands nowhere else in the last
 *   two sentences: else it cannot be told which value is meant.
 * - a text is also what the last sentence says that it is, "so the capital is Canberra".
 * *answer: the part of the text that decides, where it is another one. RDV_OK or a fault. */
int conclusion_weigh(const conclusion *c, rdv_arena *arena, rdv_str *answer, rdv_comparison *out,
                     rdv_error *err);

/* Does the reply state no value at all: does it break off, "96 divided by 3 equals", or has it only
 * words, none of which is a number, a unit or of another language? */
bool conclusion_has_no_value(rdv_str text);
/* The text without sentences at its end that only check the answer: "Check: 2 + 3 = 5." */
rdv_str conclusion_without_check(rdv_str text);
/* Was it proved by the values, and not by the form of what was read? */
bool conclusion_is_proved(const rdv_comparison *c);
