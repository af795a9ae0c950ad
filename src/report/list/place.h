/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A finding on a line of its own: where it stands, "FILE:LINE:COLUMN: ID step N: ", and what it
 * is. */
#include "report/list/listing.h"
#include "report/paint.h"
#include "report/wrong.h"

/* Untrusted text on the current line, escaped. */
void place_put_text(rdv_paint *p, rdv_str text, rdv_style style);
/* "FILE:LINE:COLUMN: ", with "FILE!MEMBER" for a member of an archive. */
void place_put_file(rdv_paint *p, const rdv_listing_place *place, rdv_place at);
/* "ID step N: "; step RDV_WHOLE_CHAIN: "ID: ". Without an id, "-". */
void place_put_step(rdv_paint *p, rdv_str id, size_t step);
/* Where bytes begin..end of a step stand. Where that is not known, or of the whole chain, both are
 * where the record begins, and the result is false. */
bool place_find(const rdv_listing_place *place, size_t step, size_t begin, size_t end,
                rdv_place *from, rdv_place *to);
/* The wrong calculation and what is right: "17 * 24 = 398, should be 408". */
void place_put_wrong(rdv_paint *p, rdv_str step, const rdv_wrong *wrong, rdv_arena *arena);
