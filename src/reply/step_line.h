/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A step that was asked for alone: one line of a reply. */
#include <rederive/text.h>

/* The first line that the reply says aloud, trimmed, without a heading of that family, which a
 * model may repeat: a slice of `text`. RDV_OK, RDV_NONE (nothing was said), or a fault. */
int step_line(rdv_str text, rdv_heading_kind repeated, rdv_arena *arena, rdv_str *out,
              rdv_error *err);
