/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An answer compared with gold, each taken whole. */
#include <rederive/answer.h>

/* As rdv_answer_compare(), but a sentence is not read as a reply is. */
int compare_answers(rdv_str answer, rdv_str gold, const rdv_answer_form *form,
                    const rdv_compare_options *how, rdv_arena *arena, rdv_comparison *out,
                    rdv_error *err);
