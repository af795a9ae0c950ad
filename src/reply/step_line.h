/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A step that was requested alone: one line of a reply. */
#include <rederive/text.h>

/* Gives the first line of the reply after its thinking, trimmed, without a heading of that family,
 * which a model may repeat: a slice of `text`. RDV_OK, RDV_NONE (there is no line), or an error. */
int step_line(rdv_str text, rdv_heading_kind repeated, rdv_arena *arena, rdv_str *out,
              rdv_error *err);
