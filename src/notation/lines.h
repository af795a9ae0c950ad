/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Lines that a text has lost: "\n" written as two characters, and equations that stood on lines of
 * their own and now stand on one, "x = 90 / 3 x = 30". */
#include "base/arena.h"

#include <rederive/base.h>

/* The text with its lines, of the same length, so that each byte stays at its place: "\n" becomes a
 * space and a newline, and the space between two equations a newline. *out is `text` itself where
 * nothing changes, else a copy in `arena`. RDV_OK or RDV_E_NOMEM. */
int lines_restore(rdv_str text, rdv_arena *arena, rdv_str *out);
