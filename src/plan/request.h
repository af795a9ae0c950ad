/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <rederive/plan.h>

/* Set request->key: SHA-256 over the content and the draw of the request. Each part is hashed with
 * its length, so two different requests never give the same bytes. */
void request_key(rdv_request *request);
