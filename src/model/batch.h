/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* OpenAI's Batch format: a file of requests, a line of JSON each, and files of their results, in
 * any order (https://platform.openai.com/docs/guides/batch; vLLM's `run-batch` has the same lines).
 * A request and its result are matched by `custom_id`, which is the request's key in hexadecimal
 * digits: 64 characters, the most that is allowed. No input or output. */
#include "model/parse.h"
#include "model/wire.h"

#define BATCH_MOST_REQUESTS 50000              /* of a file, by OpenAI's documentation */
#define BATCH_MOST_BYTES ((uint64_t)200000000) /* of a file: 200 MB */

/* Append the line of a request, with its newline. */
void batch_write_request(rdv_buf *b, const unsigned char key[32], const wire *w);

/* Whether a batch takes a request of this form: one to /v1/chat/completions, which is the only
 * address for texts that every provider has. */
bool batch_takes(const wire *w);

/* ---- what is kept of a request until its result comes ---------------------------------------- */

/* Append, as an object of JSON, what is needed to read the reply and is not in the request as
 * record_write_request() writes it. */
void batch_write_reading(rdv_buf *b, const rdv_request *request, const wire *w);

/* How a reply is to be read. */
typedef struct batch_reading {
    rdv_request request; /* only what wire_read() uses */
    wire wire;           /* likewise; without a body */
} batch_reading;

/* Read it again: `request` is what record_write_request() wrote, `reading` what
 * batch_write_reading() did, `kind` the request's. *out: in `arena`. Faults: RDV_E_INPUT,
 * RDV_E_NOMEM. */
int batch_read_reading(rdv_str kind, rdv_str request, rdv_str reading, rdv_arena *arena,
                       batch_reading *out, rdv_error *err);

/* ---- results --------------------------------------------------------------------------------- */

/* One line of a file of results. */
typedef struct batch_result {
    bool ours; /* its custom_id has the form of a key */
    unsigned char key[32];
    rdv_str custom_id;  /* at most 64 bytes of it */
    rdv_str id;         /* the provider's name of the result; empty: none */
    long status;        /* of HTTP; 0: the request got no response (it expired, for example) */
    wire_error error;   /* with another status than 2xx, and without a response */
    const json_t *body; /* of the response; NULL: none */
    json_t *root;       /* holds the body */
} batch_result;

/* Read a line. *out: texts in `arena`; to be given to batch_result_release() also on failure.
 * Faults: RDV_E_INPUT: it is not a result, err says why; RDV_E_NOMEM. */
int batch_read_result(rdv_str line, rdv_arena *arena, batch_result *out, rdv_error *err);
void batch_result_release(batch_result *result);
