/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Who is asked, with its limits: all models at one address share them. The built-in model and a
 * transcript are hosts without addresses. */
#include "run/limit.h"

struct call;

typedef struct call_queue {
    struct call *first, *last;
    size_t n;
} call_queue;

typedef struct host {
    rdv_str name; /* "https://api.openai.com", borrowed */
    limit limit;
    call_queue queue;
    uint64_t responses;   /* of any kind */
    uint64_t answers;     /* that could be read */
    uint64_t heard;       /* when it last sent anything */
    bool slow;            /* a reply was late, or did not come in time: replies are streamed */
    uint64_t waits_until; /* the server asked for it, and it was said; 0: it never did */
} host;
