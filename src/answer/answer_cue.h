/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Where a solution sets its answer apart: "\boxed{...}", <answer>, "#### ...", bold. */
#include <rederive/base.h>

/* What is in the last \boxed{} (or \fbox{}) that is closed. One inside another counts as its text.
 * lists: different boxes with nothing between them but "and", "or", blanks and marks, as in
 * "\boxed{2} and \boxed{3}", are one list, from the first box to the last. */
bool answer_last_box(rdv_str text, bool lists, rdv_str *content);

/* What is in the last <answer>...</answer> that holds anything; an <answer> that is not closed goes
 * to the end of the text, because "</answer>" often ends the generation. */
bool answer_last_tag(rdv_str text, rdv_str *content);

/* What is in the last **bold** piece of the last line, except for titles that a colon follows. */
bool answer_last_bold(rdv_str text, rdv_str *content);

/* Going backwards from byte *before (at first text.len): the next "####", and what follows it to
 * the end of its line, which holds no letter or is the last: else it is a Markdown title. *before
 * becomes where it stands. False when there is none. */
bool answer_prev_mark(rdv_str text, size_t *before, rdv_str *span);
