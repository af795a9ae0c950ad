/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a step says, apart from its heading: what cutting whole texts and cutting streams share. */
#include <rederive/text.h>

/* "**Step 1: Title**" loses the marks that close what its heading `mark` opened. *text, behind that
 * mark, is changed to a copy in `arena` where that is so. RDV_OK or RDV_E_NOMEM. */
int step_close_emphasis(rdv_str mark, rdv_arena *arena, rdv_str *text, rdv_error *err);
/* Whether the text before the first heading contains reasoning, and is not just a greeting or an
 * announcement: mathematics (a digit, '=', a single letter, LaTeX) or three sentences. RDV_OK or
 * RDV_E_NOMEM. */
int step_holds_reasoning(rdv_str text, rdv_arena *arena, bool *yes, rdv_error *err);
