/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A finding on a line of its own: where it stands, FILE:LINE:ID:STEP:COLUMN, and what it is. */
#include "report/listing.h"
#include "report/paint.h"
#include "report/wrong.h"

/* Untrusted text on the current line, escaped. */
void place_put_text(rdv_paint *p, rdv_str text, rdv_style style);
/* The number of the character at byte `at`, from 1. */
size_t place_column(rdv_str text, size_t at);
/* step RDV_WHOLE_CHAIN: the finding is on the whole chain. */
void place_put(rdv_paint *p, const rdv_listing_place *place, rdv_str id, size_t step,
               size_t column);
/* The line of byte `at` of a step into place->line, and its column into *column: of the text where
 * the step stands in it as it is, else of the step. */
void place_find(rdv_listing_place *place, const rdv_chain *chain, size_t step, size_t at,
                size_t *column);
/* place_put() for byte `at` of a step of the chain, in the line and column where it stands. */
void place_put_at(rdv_paint *p, const rdv_listing_place *place, const rdv_chain *chain, size_t step,
                  size_t at);
/* The wrong calculation and what is right: "17 * 24 = 398, should be 408". */
void place_put_wrong(rdv_paint *p, rdv_str step, const rdv_wrong *wrong, rdv_arena *arena);
