/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <rederive/plan.h>

/* Tokens for the JSON around an answer, above the limit that was chosen for free text. */
#define REQUEST_SCHEMA_TOKENS 32

/* The most tokens that a reply may have, in whatever form it is asked for; 0: not limited. */
static inline uint32_t request_most_tokens(const rdv_request *request)
{
    uint32_t most = request->sampling.max_tokens;
    return most && request->offered ? most + REQUEST_SCHEMA_TOKENS : most;
}

/* Set request->key: SHA-256 over the content and the draw of the request. Each part is hashed with
 * its length, so two different requests never give the same bytes. */
void request_key(rdv_request *request);
