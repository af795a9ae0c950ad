/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Replies that were saved as they came, as server-sent events ("data: {...}", the HTML standard,
 * section 9.2): the events of each reply become a record {"stream":[DATA,
 * ...],"stream_ended":true}, which format/events.c reads. A reply ends with "data: [DONE]" or with
 * the last event of its API. */
#include "data/json_stream.h"
#include "data/layout/lines.h"

typedef struct rdv_event_file {
    rdv_lines lines;
    rdv_arena *arena; /* owned: the current record */
    const rdv_limits *limits;
    rdv_copies *copies; /* as of rdv_text_file */
    rdv_buf raw;
} rdv_event_file;

/* Does the text begin like a file of events? */
bool rdv_events_begin(rdv_str text);
/* Begin to read `bytes`, which must live as long as *e, as `limits` must, and stand behind a byte
 * order mark. Always leaves *e fit for rdv_event_file_free(). RDV_OK or RDV_E_NOMEM. */
int rdv_event_file_init(rdv_event_file *e, rdv_bytes *bytes, const rdv_limits *limits,
                        rdv_error *err);
void rdv_event_file_free(rdv_event_file *e);
/* The next reply as a record; as rdv_json_stream_next(). */
int rdv_event_file_next(rdv_event_file *e, rdv_json_span *span, rdv_error *err);
