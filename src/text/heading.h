/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Private side of headings: reading one without its premises. */
#include <rederive/text.h>

/* Read the heading that opens the first line of `text`.
 * *out: slices of `text`, premises in `arena`; untouched unless RDV_OK. The text of the step begins
 * after `mark`. RDV_NONE: the line has no heading. Faults: RDV_E_NOMEM. */
int rdv_heading_read(rdv_str text, rdv_arena *arena, rdv_heading *out, rdv_error *err);
/* Where the ids of "(by #1 #2)" stand in the heading; len 0 if there are none. */
bool text_heading_parse(rdv_str line, rdv_heading *out, rdv_str *premises);
/* The ids named in `listed` ("#1 #2") into out->premises. RDV_OK or RDV_E_NOMEM. */
int text_heading_premises(rdv_str listed, rdv_arena *arena, rdv_heading *out, rdv_error *err);
