/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The file of combined scorers (docs/schemas/combined.schema.json). */
#include "score/combined.h"

/* Writes the model as one JSON object with a newline; p == NULL when out of memory. */
rdv_str combined_write(const combined_model *model, rdv_arena *arena);
/* Reads such an object; *out and its texts live in `arena`. RDV_E_INPUT: it is not one, or of
 * another version, or a number is missing, not finite or out of range; RDV_E_NOMEM. */
int combined_read(rdv_str text, rdv_arena *arena, combined_model *out, rdv_error *err);
