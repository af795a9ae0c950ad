/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "language/row.h"

/* Read a cue of the row, with what it is found by. RDV_E_INPUT: with the fault at the reader's
 * line; RDV_E_LIMIT, RDV_E_NOMEM. */
int cue_read(const row_reader *r, rdv_str text, cue *out);
