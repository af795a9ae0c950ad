/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Requests and replies as JSON: what journals and transcripts hold (docs/journal.md). A reply that
 * is written and read is the same to the last bit. */
#include "base/buf.h"
#include <rederive/plan.h>

/* An object with what was asked: messages, text, steps, sampling. */
void record_write_request(rdv_buf *b, const rdv_request *request);
/* An object with the reply. */
void record_write_reply(rdv_buf *b, const rdv_reply *reply);
/* Read what record_write_reply() wrote. *out: in `arena`, nothing borrowed from `json`.
 * Faults: RDV_E_INPUT, RDV_E_NOMEM. */
int record_read_reply(rdv_str json, rdv_arena *arena, rdv_reply *out, rdv_error *err);

/* Of journals and of their lines: counted up when what they hold, or how it is spelled, changes. */
#define RECORD_JOURNAL_VERSION 3

/* One line of an exported journal. */
typedef struct record_line {
    unsigned char key[32];
    rdv_str operation, stage, model, sample_id; /* p == NULL: not said */
    rdv_str request;                            /* JSON; p == NULL: not kept */
    rdv_str response;                           /* JSON */
    uint64_t created_ms;                        /* milliseconds since 1970 */
} record_line;

/* With a checksum of the line as its last member, and a newline at its end. */
void record_write_line(rdv_buf *b, const record_line *line);
/* Read a line, and the reply in it to see that it is one; a checksum has to match. *out: in
 * `arena`. Faults: RDV_E_INPUT, RDV_E_NOMEM. */
int record_read_line(rdv_str text, rdv_arena *arena, record_line *out, rdv_error *err);
