/* SPDX-License-Identifier: Apache-2.0 */
#include "server/completion.h"
#include "base/arena.h"
#include "base/str.h"
#include "server/reply.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define GOLDEN 0x9e3779b97f4a7c15 /* 2^64 / golden ratio: its multiples are far apart */

/* One reply. */
typedef struct choice {
    backend_call call; /* must be the first member */
    rdv_request request;
    completion *of;
    backend_event reply; /* valid if `replied` */
    size_t characters;   /* number sent as pieces */
    bool out, replied, begun;
} choice;

struct completion {
    completion_ctx *ctx;
    rdv_arena *arena; /* holds the request */
    rdv_arena *sent;  /* holds `out` */
    completion_request asked;
    reply_head head;
    choice *choices; /* grouped by prompt, in order */
    size_t n, left;  /* number of choices, and of those not finished */
    rdv_buf out;
    size_t at; /* bytes of `out` already sent */
    api_error error;
    bool failed, begun, over;
};

/* ---- requests to the model ------------------------------------------------------------------- */

/* A sample's seed is stored in the first 8 bytes of its request's key. */
static void set_seed(rdv_request *request, uint64_t seed)
{
    for (size_t i = 0; i < 8; i++)
        request->key[i] = (unsigned char)(seed >> (56 - 8 * i));
}

/* The first request for each prompt also asks for the prompt's log-probabilities. */
static void prepare(completion *self, size_t i)
{
    const completion_request *a = &self->asked;
    choice *c = &self->choices[i];
    bool first = i % a->n == 0;
    c->of = self;
    c->request = a->request;
    set_seed(&c->request, a->seed + (uint64_t)i * GOLDEN);
    if (a->n_prompts)
        c->request.text = a->prompts[i / a->n];
    if (a->top_prompt > c->request.sampling.top_logprobs)
        c->request.sampling.top_logprobs = a->top_prompt;
    c->call.request = &c->request;
    if (first && a->echo && a->request.sampling.logprobs)
        c->call.extras |= BACKEND_TEXT_LOGPROBS;
    if (first && a->prompt_logprobs)
        c->call.extras |= BACKEND_PROMPT_LOGPROBS;
    if (a->no_reply)
        c->call.extras |= BACKEND_NO_REPLY;
    if (a->stream)
        c->call.extras |= BACKEND_PIECES;
}

static void leave(choice *c)
{
    c->of->ctx->asked--;
    c->of->left--;
    c->out = false;
}

static void cancel_all(completion *self)
{
    backend *b = self->ctx->backend;
    for (size_t i = 0; i < self->n; i++) {
        choice *c = &self->choices[i];
        if (!c->out)
            continue;
        b->ops->cancel(b, &c->call);
        leave(c);
    }
}

static bool start_all(completion *self, api_error *f)
{
    backend *b = self->ctx->backend;
    for (size_t i = 0; i < self->n; i++) {
        choice *c = &self->choices[i];
        rdv_error err = {0};
        prepare(self, i);
        if (b->ops->start(b, &c->call, &err) != RDV_OK)
            return api_error_set(f, 500, NULL, "%s", err.msg);
        c->out = true;
        self->ctx->asked++;
        self->left++;
    }
    return true;
}

/* ---- beginning ------------------------------------------------------------------------------- */

static bool no_memory(api_error *f)
{
    return api_error_set(f, 500, NULL, "Out of memory.");
}

static bool check_model(const completion *self, api_error *f)
{
    const completion_ctx *h = self->ctx;
    rdv_str wanted = self->asked.model;
    if (!wanted.p)
        return true;
    for (size_t i = 0; i < h->n_names; i++)
        if (rdv_str_eq(wanted, h->names[i]))
            return true;
    api_error_set(f, 404, "model", "The model '%.*s' does not exist here; '%.*s' does.",
                  (int)(wanted.len < 64 ? wanted.len : 64), wanted.p, RDV_FMT(h->names[0]));
    f->code = "model_not_found";
    return false;
}

static bool check_room(const completion *self, api_error *f)
{
    if (self->ctx->asked + self->n <= self->ctx->most)
        return true;
    api_error_set(f, 429, NULL, "Too many replies are being written; try again soon.");
    f->code = "rate_limit_exceeded";
    return false;
}

static bool begin(completion *self, api_error *f)
{
    completion_ctx *h = self->ctx;
    const completion_request *a = &self->asked;
    self->n = a->n * (a->n_prompts ? a->n_prompts : 1);
    if (!check_model(self, f) || !check_room(self, f))
        return false;
    if (!a->seeded)
        self->asked.seed = h->seed += GOLDEN;
    const char *kind = a->form == COMPLETION_CHAT ? "chatcmpl" : "cmpl";
    rdv_str id = rdv_str_printf(self->arena, "%s-%016" PRIx64 "%08" PRIx64, kind, h->prefix,
                                h->completions++);
    self->head = (reply_head){.request = a,
                              .id = id,
                              .model = a->model.p ? a->model : h->names[0],
                              .warning = h->warning,
                              .created = (int64_t)time(NULL)};
    self->choices = RDV_NEW_ARRAY(self->arena, choice, self->n);
    if (!id.p || !self->choices) {
        self->n = 0;
        return no_memory(f);
    }
    return start_all(self, f);
}

bool completion_new(completion_ctx *ctx, completion_form form, rdv_str body, completion **out,
                    api_error *f)
{
    completion *self = calloc(1, sizeof *self);
    *out = NULL;
    if (!self)
        return no_memory(f);
    self->ctx = ctx;
    self->arena = rdv_arena_new(0);
    self->sent = rdv_arena_new(0);
    bool ok = self->arena && self->sent
                  ? completion_request_read(form, body, self->arena, &self->asked, f)
                  : no_memory(f);
    if (ok) {
        rdv_buf_init(&self->out, self->sent, 0);
        ok = begin(self, f);
    }
    if (ok)
        *out = self;
    else
        completion_free(&self);
    return ok;
}

void completion_free(completion **handle)
{
    completion *self = handle ? *handle : NULL;
    if (!self)
        return;
    *handle = NULL;
    if (self->choices)
        cancel_all(self);
    for (size_t i = 0; self->choices && i < self->n; i++)
        rdv_arena_free(&self->choices[i].reply.arena);
    rdv_arena_free(&self->arena);
    rdv_arena_free(&self->sent);
    free(self);
}

/* ---- events of the backend ------------------------------------------------------------------- */

static reply_usage usage_of(const completion *self)
{
    reply_usage usage = {0};
    for (size_t i = 0; i < self->n; i++) {
        const backend_event *e = &self->choices[i].reply;
        if (!self->choices[i].replied)
            continue;
        usage.completion += e->reply.completion_tokens;
        if (i % self->asked.n)
            continue; /* count each prompt once */
        usage.prompt += e->reply.prompt_tokens;
        usage.cached += e->cached_tokens;
    }
    return usage;
}

/* After a piece that could not be written: what is left to send is dropped, and the event of which
 * a part was sent ends there. */
static void drop_output(completion *self)
{
    bool cut = self->at > 0;
    rdv_buf_clear(&self->out);
    self->at = 0;
    if (cut)
        rdv_buf_lit(&self->out, "\n\n");
}

static void fail(completion *self, const api_error *f)
{
    cancel_all(self);
    if (self->over)
        return;
    self->over = self->failed = true;
    self->error = *f;
    if (completion_streams(self)) {
        if (!rdv_buf_ok(&self->out))
            drop_output(self);
        reply_stream_error(&self->out, f);
        return;
    }
    rdv_buf_clear(&self->out);
    api_error_write(&self->out, f);
}

void completion_cut(completion *self, const api_error *f)
{
    fail(self, f);
}

/* Report an error as a status if nothing was sent yet, else as an event. */
static void take_failure(completion *self, const backend_event *event)
{
    api_error f;
    bool chat = self->asked.form == COMPLETION_CHAT;
    api_error_set(&f, event->fault == RDV_E_NOMEM ? 500 : 400, chat ? "messages" : "prompt", "%s",
                  event->why);
    if (event->fault == RDV_E_LIMIT)
        f.code = "context_length_exceeded";
    fail(self, &f);
}

static void finish_whole(completion *self)
{
    reply_usage usage = usage_of(self);
    reply_choice *choices = RDV_NEW_ARRAY(self->arena, reply_choice, self->n);
    size_t per = self->asked.n;
    for (size_t i = 0; choices && i < self->n; i++) {
        const backend_event *first = &self->choices[i / per * per].reply;
        bool scored = self->asked.prompt_logprobs || self->asked.echo;
        choices[i] = (reply_choice){
            .index = i, .event = &self->choices[i].reply, .scored = scored ? &first->scored : NULL};
        if (self->asked.n_prompts)
            choices[i].prompt = self->asked.prompts[i / per];
    }
    if (choices)
        reply_whole(&self->out, &self->head, choices, self->n, &usage);
    else
        self->out.failed = true;
}

static void finish(completion *self)
{
    api_error f;
    if (self->asked.stream) {
        reply_usage usage = usage_of(self);
        reply_stream_usage(&self->out, &self->head, &usage);
        reply_stream_done(&self->out);
    } else {
        finish_whole(self);
    }
    if (!rdv_buf_ok(&self->out)) {
        (void)no_memory(&f);
        fail(self, &f);
    }
    self->over = true;
}

static void begin_choice(completion *self, choice *c)
{
    self->begun = true;
    if (!c->begun)
        reply_stream_begin(&self->out, &self->head, (size_t)(c - self->choices));
    c->begun = true;
}

static void take_piece(completion *self, choice *c, const backend_event *event)
{
    begin_choice(self, c);
    c->characters = reply_stream_piece(&self->out, &self->head, (size_t)(c - self->choices), event,
                                       c->characters);
}

static void take_reply(completion *self, choice *c, const backend_event *event)
{
    leave(c);
    c->reply = *event;
    c->replied = true;
    if (self->asked.stream) {
        begin_choice(self, c);
        reply_stream_end(&self->out, &self->head, (size_t)(c - self->choices), event);
    }
    if (self->left == 0)
        finish(self);
}

completion *completion_take(backend_event *event)
{
    choice *c = (choice *)event->call;
    completion *self = c->of;
    if (event->kind == BACKEND_REPLY) {
        take_reply(self, c, event);
        return self;
    }
    if (event->kind == BACKEND_PIECE) {
        take_piece(self, c, event);
    } else {
        leave(c);
        take_failure(self, event);
    }
    rdv_arena_free(&event->arena);
    return self;
}

/* ---- the response ---------------------------------------------------------------------------- */

bool completion_streams(const completion *self)
{
    return self->asked.stream && self->begun;
}

bool completion_is_ready(const completion *self)
{
    return self->over || completion_streams(self);
}

unsigned completion_status(const completion *self)
{
    return self->failed && !completion_streams(self) ? self->error.status : 200;
}

rdv_str completion_bytes(const completion *self)
{
    rdv_str all = rdv_buf_str(&self->out);
    return all.p ? rdv_slice(all, self->at, all.len) : RDV_STR("");
}

void completion_sent(completion *self, size_t n)
{
    self->at += n;
    if (self->at < self->out.len)
        return;
    rdv_buf_clear(&self->out);
    self->at = 0;
}

bool completion_is_over(const completion *self)
{
    return self->over;
}

completion_counts completion_count(const completion *self)
{
    reply_usage usage = usage_of(self);
    return (completion_counts){self->n, usage.prompt, usage.completion};
}
