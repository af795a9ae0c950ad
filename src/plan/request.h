/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <rederive/plan.h>

/* Set request->key: SHA-256 over what is asked and which draw it is, each part with its length, so
 * that no two different requests run together. */
void request_key(rdv_request *request);
