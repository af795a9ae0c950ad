/* SPDX-License-Identifier: Apache-2.0 */
#include "server/relay_state.h"
#include "base/arena.h"
#include "base/str.h"

#include <stdlib.h>
#include <uv.h>

#define MOST_HELD ((size_t)16 << 20) /* bytes of a stream that is held */

/* ---- beginning ------------------------------------------------------------------------------- */

static bool begin(relay *r, rdv_str body, const http_request *request, api_error *e)
{
    if (!relay_request_read(r->ctx->options, &r->holder->rule.judging, r->asked.protocol, body,
                            r->arena, &r->asked, e) ||
        !relay_reserve(r, body.len, e))
        return false;
    if (r->asked.judged)
        r->judging = judging_new(r->asked.protocol, r->asked.question, &r->asked.rule, &r->reply);
    if (r->asked.judged && !r->judging)
        return relay_no_memory(e);
    if (r->judging)
        r->reply->limit = r->asked.limit;
    r->checker = r->asked.checker;
    sent_stream_init(&r->repair.sent, r->asked.protocol, r->arena);
    return relay_ask(r, body, request, e);
}

bool relay_new(relay_ctx *ctx, access_holder *holder, reply_protocol protocol, rdv_str body,
               const http_request *request, void *owner, relay **out, api_error *e)
{
    relay *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return relay_no_memory(e);
    *r = (relay){.ctx = ctx,
                 .owner = owner,
                 .holder = holder,
                 .arena = rdv_arena_new(0),
                 .scratch = rdv_arena_new(0),
                 .sent = rdv_arena_new(0),
                 .asked = {.protocol = protocol},
                 .type = "application/json"};
    bool ok = r->arena && r->scratch && r->sent ? true : relay_no_memory(e);
    if (ok) {
        rdv_buf_init(&r->out, r->sent, 0);
        rdv_buf_init(&r->held, r->sent, MOST_HELD);
        ok = begin(r, body, request, e);
    }
    if (ok)
        *out = r;
    else
        relay_free(&r);
    return ok;
}

void relay_free(relay **self)
{
    relay *r = self ? *self : NULL;
    if (!r)
        return;
    *self = NULL;
    relay_settle(r);
    source_free(&r->from);
    judging_free(&r->judging);
    held_events_free(&r->events);
    step_draw_free(&r->repair.draw);
    reply_conversion_free(&r->conversion);
    free(r->in);
    rdv_arena_free(&r->arena);
    rdv_arena_free(&r->scratch);
    rdv_arena_free(&r->sent);
    free(r);
}

/* ---- what comes ------------------------------------------------------------------------------ */

static void take_head(relay *r)
{
    api_error e;
    rdv_str type;
    r->refused = source_refused(&r->from);
    if (!source_check(&r->from, &e)) {
        relay_cut(r, &e);
        return;
    }
    if (!source_headers(&r->from, r->arena, &r->headers, &type)) {
        relay_fail_memory(r);
        return;
    }
    r->type = rdv_cstring(r->arena, type);
    r->status = source_status(&r->from);
    r->streams = source_streams(&r->from);
    r->headed = true;
    if (!r->type) {
        r->type = "application/json";
        relay_fail_memory(r);
    }
}

static void take_judgement(relay *r)
{
    relay_judged judged = relay_take_judgement(r);
    if (judged == RELAY_REFUSED && !relay_repair_step(r))
        relay_refuse(r);
    if (judged != RELAY_PASSED)
        return;
    if (r->repair.draw)
        relay_repair_stands(r);
    if (!r->at_end || r->over)
        return;
    if (r->repair.draw)
        relay_send_repaired_end(r, judging_json(r->judging));
    else if (r->streams)
        relay_send_last_event(r, judging_json(r->judging));
    else
        relay_send_body(r, judging_json(r->judging));
}

/* ---- all ------------------------------------------------------------------------------------- */

/* A stream that is held says now and then that it lives. */
static void beat(relay *r)
{
    uint64_t now = r->ctx->loop ? uv_now(r->ctx->loop) : 0;
    if (!r->streams || !relay_holds(r) || r->over)
        return;
    if (!r->beaten)
        r->beaten = now;
    if (now - r->beaten < r->ctx->options->beat_ms)
        return;
    r->beaten = now;
    rdv_buf_lit(&r->out, ": the reply is being checked\n\n");
}

void relay_work(relay *self)
{
    relay *r = self;
    if (relay_as_written(r))
        return;
    if (r->repair.drawing && step_draw_is_done(r->repair.draw))
        relay_take_step(r);
    else if (r->waiting && judging_is_done(r->judging))
        take_judgement(r);
    if (!r->over && !r->waiting && !r->headed && source_has_head(&r->from))
        take_head(r);
    if (!r->over && !r->waiting && r->headed && (r->from.call || r->from.completion)) {
        if (r->streams)
            relay_work_on_stream(r);
        else
            relay_work_on_body(r);
    }
    beat(r);
    if (!rdv_buf_ok(&r->out))
        relay_fail_memory(r);
    if (r->over)
        upstream_free(&r->from.call);
}

bool relay_is_ready(const relay *self)
{
    const completion *own = relay_as_written(self);
    return own ? completion_is_ready(own) : self->over || (self->streams && self->out.len > 0);
}

unsigned relay_status(const relay *self)
{
    const completion *own = relay_as_written(self);
    return own ? completion_status(own) : self->status;
}

bool relay_streams(const relay *self)
{
    const completion *own = relay_as_written(self);
    return own ? completion_streams(own) : self->streams;
}

const char *relay_type(const relay *self)
{
    return relay_streams(self) && self->from.completion ? "text/event-stream" : self->type;
}

rdv_str relay_headers(const relay *self)
{
    return self->headers;
}

void relay_begun(relay *self)
{
    self->begun = true;
}

rdv_str relay_bytes(const relay *self)
{
    const completion *own = relay_as_written(self);
    rdv_str all = own ? completion_bytes(own) : rdv_buf_str(&self->out);
    if (own)
        return all;
    return all.p ? rdv_slice(all, self->at, all.len) : RDV_STR("");
}

void relay_sent(relay *self, size_t n)
{
    if (relay_as_written(self)) {
        completion_sent(self->from.completion, n);
        return;
    }
    self->at += n;
    if (self->at < self->out.len)
        return;
    rdv_buf_clear(&self->out);
    self->at = 0;
}

bool relay_is_over(const relay *self)
{
    const completion *own = relay_as_written(self);
    return own ? completion_is_over(own) : self->over;
}

const completion *relay_completion(const relay *self)
{
    return self->from.completion;
}

rdv_str relay_model(const relay *self)
{
    return self->asked.asked;
}

int relay_admitted(const relay *self)
{
    const judgement *j = self->judged ? judging_result(self->judging) : NULL;
    return self->rejected ? 0 : j ? j->admitted : -1;
}
