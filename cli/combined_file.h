/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Files of combined scorers: what eval --fit-out writes and vote --weight combined:FILE reads. */
#include "data/combined.h"

/* The FILE of "combined:FILE"; NULL: the weight is another. */
const char *combined_path(const char *weight);
/* Read the file; everything is allocated in `arena`. RDV_E_IO, RDV_E_INPUT, RDV_E_LIMIT,
 * RDV_E_NOMEM; the message names the file. */
int combined_file_read(const char *path, rdv_arena *arena, combined_model *out, rdv_error *err);
/* Write the file, which appears when it is complete. RDV_E_IO, RDV_E_NOMEM. */
int combined_file_write(const char *path, const combined_model *model, rdv_arena *arena,
                        rdv_error *err);
