/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The file with the prices of models: {"NAME": {"input": 0.15, "output": 0.6}}, in dollars a
 * million tokens (docs/serve.md). */
#include "server/serve_options.h"

#define PRICE_FILE_MOST ((size_t)1 << 20) /* bytes of the file */

/* Set the prices of models[0..n) by the file's text. Faults: RDV_E_INPUT, err says what to mend;
 * RDV_E_NOMEM. */
int price_file_read(rdv_str text, serve_model *models, size_t n, rdv_error *err);
