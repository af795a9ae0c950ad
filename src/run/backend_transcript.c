/* SPDX-License-Identifier: Apache-2.0 */
#include "run/backend_transcript.h"

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct transcript {
    backend base;
    rdv_journal *journal;
    backend_call *call; /* started, and its event not yet returned; NULL: none */
} transcript;

static int start(backend *b, backend_call *c, rdv_error *err)
{
    transcript *t = (transcript *)b;
    if (t->call)
        return RDV_LATER;
    t->call = c;
    c->state = t;
    return RDV_OK;
}

static void cancel(backend *b, backend_call *c)
{
    transcript *t = (transcript *)b;
    if (t->call == c)
        t->call = NULL;
    c->state = NULL;
}

static int next(backend *b, rdv_arena *arena, backend_event *out, rdv_error *err)
{
    transcript *t = (transcript *)b;
    backend_call *c = t->call;
    if (!c)
        return RDV_NONE;
    *out = (backend_event){.kind = BACKEND_REPLY, .call = c, .recorded = true};
    int rc = journal_find(t->journal, c->request->key, arena, &out->reply, err);
    if (rc < 0)
        return rc;
    cancel(b, c);
    if (rc == RDV_NONE) {
        out->kind = BACKEND_FAILED;
        out->failure = RDV_FAIL_MISSING;
        snprintf(out->why, sizeof out->why, "the transcript has no such reply");
    }
    return RDV_OK;
}

static void free_transcript(backend *b)
{
    free(b);
}

int backend_transcript_new(backend **out, rdv_journal *journal, host *h, rdv_error *err)
{
    static const backend_ops ops = {start, cancel, next, free_transcript, NULL, NULL};
    transcript *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t)
        return rdv_no_memory(err);
    *t = (transcript){.base = {.ops = &ops, .host = h, .at_once = true, .due = UINT64_MAX},
                      .journal = journal};
    *out = &t->base;
    return RDV_OK;
}
