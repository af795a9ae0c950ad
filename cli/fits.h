/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How eval shows settings: what they are, which were fitted, on what, and what they are worth
 * there.
 */
#include "studies.h"

#include "base/buf.h"

/* How the questions were split, and a table; nothing where nothing was fitted. RDV_OK or
 * RDV_E_NOMEM. */
int fits_write_table(struct run *run, const struct studies *s, rdv_error *err);
/* Members of an object: "settings" where nothing was fitted, else "fits", and "split" if there is
 * one. */
void fits_json(rdv_buf *b, const struct studies *s);
