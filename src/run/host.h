/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A host and its limits; all models at one address share them. The built-in model and a transcript
 * are hosts without addresses. */
#include "run/limit.h"

typedef struct host {
    rdv_str name; /* "https://api.openai.com", borrowed */
    limit limit;
    uint64_t responses;   /* responses of any kind */
    uint64_t answers;     /* readable replies */
    size_t waiting;       /* calls that wait to be retried after a fault */
    uint64_t given_up;    /* tries of the calls that failed after all their tries */
    bool told_failing;    /* why its calls fail was reported */
    uint64_t heard;       /* when it last sent data */
    uint64_t faults;      /* in a row, of calls that failed because of it; in a pool of servers */
    uint64_t pause_ms;    /* > 0: it is set aside, and this is the latest pause, which ends */
    uint64_t aside_until; /* at this time */
    bool told_aside, told_back;
    bool slow;            /* a reply was late or timed out: replies are streamed from now on */
    uint64_t waits_until; /* end of a pause that the server requested and that was reported; 0:
                             none */
} host;
