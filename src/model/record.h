/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Requests and replies as JSON: the contents of journals and transcripts (docs/journal.md). A reply
 * that is written and read back is identical to the last bit. */
#include "base/buf.h"
#include <rederive/plan.h>

/* Write an object with the request: messages, text, steps, sampling. */
void record_write_request(rdv_buf *b, const rdv_request *request);
/* Write an object with the reply. */
void record_write_reply(rdv_buf *b, const rdv_reply *reply);
/* Read what record_write_reply() wrote. *out: in `arena`, nothing borrowed from `json`.
 * Faults: RDV_E_INPUT, RDV_E_NOMEM. */
int record_read_reply(rdv_str json, rdv_arena *arena, rdv_reply *out, rdv_error *err);

/* Version of the lines of exported journals; incremented when their contents or spelling change. */
#define RECORD_JOURNAL_VERSION 3

/* One line of an exported journal. */
typedef struct record_line {
    unsigned char key[32];
    rdv_str operation, stage, model, sample_id; /* p == NULL: not given */
    rdv_str request;                            /* JSON; p == NULL: not stored */
    rdv_str response;                           /* JSON */
    uint64_t created_ms;                        /* milliseconds since 1970 */
} record_line;

/* Append a key as 64 hexadecimal digits. */
void record_write_key(rdv_buf *b, const unsigned char key[32]);
/* Read them again; false: the text is not a key. */
bool record_read_key(rdv_str hex, unsigned char key[32]);

/* Write a line with its checksum as the last member, and a newline at its end. */
void record_write_line(rdv_buf *b, const record_line *line);
/* Read a line and check that it holds a reply; a checksum must match. *out: in `arena`. Faults:
 * RDV_E_INPUT, RDV_E_NOMEM. */
int record_read_line(rdv_str text, rdv_arena *arena, record_line *out, rdv_error *err);
