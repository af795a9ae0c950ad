/* SPDX-License-Identifier: Apache-2.0 */
#include "server/completion.h"
#include "base/arena.h"
#include "base/str.h"
#include "server/reply.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define GOLDEN 0x9e3779b97f4a7c15 /* 2^64 over the golden ratio: far apart for every count */

/* One reply. */
typedef struct choice {
    backend_call call; /* the first member */
    rdv_request request;
    completion *of;
    backend_event reply; /* `replied` */
    size_t characters;   /* sent as pieces */
    bool out, replied, begun;
} choice;

struct completion {
    completion_ctx *ctx;
    rdv_arena *arena; /* of what was asked */
    rdv_arena *sent;  /* of `out` */
    completion_request asked;
    reply_head head;
    choice *choices; /* those of the first prompt, those of the second, ... */
    size_t n, left;  /* choices, and those that have not ended */
    rdv_buf out;
    size_t at; /* bytes of `out` that were sent */
    api_error error;
    bool failed, begun, over;
};

/* ---- what is asked of the model -------------------------------------------------------------- */

/* A draw's seed is the beginning of its request's key. */
static void set_seed(rdv_request *request, uint64_t seed)
{
    for (size_t i = 0; i < 8; i++)
        request->key[i] = (unsigned char)(seed >> (56 - 8 * i));
}

/* The first reply to a prompt brings the prompt's log-probabilities, too. */
static void prepare(completion *t, size_t i)
{
    const completion_request *a = &t->asked;
    choice *c = &t->choices[i];
    bool first = i % a->n == 0;
    c->of = t;
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

static void cancel_all(completion *t)
{
    backend *b = t->ctx->backend;
    for (size_t i = 0; i < t->n; i++) {
        choice *c = &t->choices[i];
        if (!c->out)
            continue;
        b->ops->cancel(b, &c->call);
        leave(c);
    }
}

static bool start_all(completion *t, api_error *f)
{
    backend *b = t->ctx->backend;
    for (size_t i = 0; i < t->n; i++) {
        choice *c = &t->choices[i];
        rdv_error err = {0};
        prepare(t, i);
        if (b->ops->start(b, &c->call, &err) != RDV_OK)
            return api_error_set(f, 500, NULL, "%s", err.msg);
        c->out = true;
        t->ctx->asked++;
        t->left++;
    }
    return true;
}

/* ---- beginning ------------------------------------------------------------------------------- */

static bool no_memory(api_error *f)
{
    return api_error_set(f, 500, NULL, "Out of memory.");
}

static bool check_model(const completion *t, api_error *f)
{
    const completion_ctx *h = t->ctx;
    rdv_str wanted = t->asked.model;
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

static bool check_room(const completion *t, api_error *f)
{
    if (t->ctx->asked + t->n <= t->ctx->most)
        return true;
    api_error_set(f, 429, NULL, "Too many replies are being written; try again soon.");
    f->code = "rate_limit_exceeded";
    return false;
}

static bool begin(completion *t, api_error *f)
{
    completion_ctx *h = t->ctx;
    const completion_request *a = &t->asked;
    t->n = a->n * (a->n_prompts ? a->n_prompts : 1);
    if (!check_model(t, f) || !check_room(t, f))
        return false;
    if (!a->seeded)
        t->asked.seed = h->seed += GOLDEN;
    const char *kind = a->form == COMPLETION_CHAT ? "chatcmpl" : "cmpl";
    rdv_str id =
        rdv_str_printf(t->arena, "%s-%016" PRIx64 "%08" PRIx64, kind, h->prefix, h->completions++);
    t->head = (reply_head){.request = a,
                           .id = id,
                           .model = a->model.p ? a->model : h->names[0],
                           .created = (int64_t)time(NULL)};
    t->choices = RDV_NEW_ARRAY(t->arena, choice, t->n);
    if (!id.p || !t->choices) {
        t->n = 0;
        return no_memory(f);
    }
    return start_all(t, f);
}

bool completion_new(completion_ctx *ctx, completion_form form, rdv_str body, completion **out,
                    api_error *f)
{
    completion *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t)
        return no_memory(f);
    t->ctx = ctx;
    t->arena = rdv_arena_new(0);
    t->sent = rdv_arena_new(0);
    bool ok = t->arena && t->sent ? completion_request_read(form, body, t->arena, &t->asked, f)
                                  : no_memory(f);
    if (ok) {
        rdv_buf_init(&t->out, t->sent, 0);
        ok = begin(t, f);
    }
    if (ok)
        *out = t;
    else
        completion_free(&t);
    return ok;
}

void completion_free(completion **handle)
{
    completion *t = handle ? *handle : NULL;
    if (!t)
        return;
    *handle = NULL;
    if (t->choices)
        cancel_all(t);
    for (size_t i = 0; t->choices && i < t->n; i++)
        rdv_arena_free(&t->choices[i].reply.arena);
    rdv_arena_free(&t->arena);
    rdv_arena_free(&t->sent);
    free(t);
}

/* ---- what came ------------------------------------------------------------------------------- */

static reply_usage usage_of(const completion *t)
{
    reply_usage usage = {0};
    for (size_t i = 0; i < t->n; i++) {
        const backend_event *e = &t->choices[i].reply;
        if (!t->choices[i].replied)
            continue;
        usage.completion += e->reply.completion_tokens;
        if (i % t->asked.n)
            continue; /* a prompt counts once */
        usage.prompt += e->reply.prompt_tokens;
        usage.cached += e->cached_tokens;
    }
    return usage;
}

static void fail(completion *t, const api_error *f)
{
    cancel_all(t);
    if (t->over)
        return;
    t->over = t->failed = true;
    t->error = *f;
    if (completion_streams(t)) {
        reply_stream_error(&t->out, f);
        return;
    }
    rdv_buf_clear(&t->out);
    api_error_write(&t->out, f);
}

void completion_cut(completion *t, const api_error *f)
{
    fail(t, f);
}

/* An error is told as a status where nothing was sent, else as an event. */
static void take_failure(completion *t, const backend_event *event)
{
    api_error f;
    bool chat = t->asked.form == COMPLETION_CHAT;
    api_error_set(&f, event->fault == RDV_E_NOMEM ? 500 : 400, chat ? "messages" : "prompt", "%s",
                  event->why);
    if (event->fault == RDV_E_LIMIT)
        f.code = "context_length_exceeded";
    fail(t, &f);
}

static void finish_whole(completion *t)
{
    reply_usage usage = usage_of(t);
    reply_choice *choices = RDV_NEW_ARRAY(t->arena, reply_choice, t->n);
    size_t per = t->asked.n;
    for (size_t i = 0; choices && i < t->n; i++) {
        const backend_event *first = &t->choices[i / per * per].reply;
        bool scored = t->asked.prompt_logprobs || t->asked.echo;
        choices[i] = (reply_choice){
            .index = i, .event = &t->choices[i].reply, .scored = scored ? &first->scored : NULL};
        if (t->asked.n_prompts)
            choices[i].prompt = t->asked.prompts[i / per];
    }
    if (choices)
        reply_whole(&t->out, &t->head, choices, t->n, &usage);
    else
        t->out.failed = true;
}

static void finish(completion *t)
{
    api_error f;
    if (t->asked.stream) {
        reply_usage usage = usage_of(t);
        reply_stream_usage(&t->out, &t->head, &usage);
        reply_stream_done(&t->out);
    } else {
        finish_whole(t);
    }
    if (!rdv_buf_ok(&t->out)) {
        rdv_buf_clear(&t->out);
        (void)no_memory(&f);
        fail(t, &f);
    }
    t->over = true;
}

static void begin_choice(completion *t, choice *c)
{
    t->begun = true;
    if (!c->begun)
        reply_stream_begin(&t->out, &t->head, (size_t)(c - t->choices));
    c->begun = true;
}

static void take_piece(completion *t, choice *c, const backend_event *event)
{
    begin_choice(t, c);
    c->characters =
        reply_stream_piece(&t->out, &t->head, (size_t)(c - t->choices), event, c->characters);
}

static void take_reply(completion *t, choice *c, const backend_event *event)
{
    leave(c);
    c->reply = *event;
    c->replied = true;
    if (t->asked.stream) {
        begin_choice(t, c);
        reply_stream_end(&t->out, &t->head, (size_t)(c - t->choices), event);
    }
    if (t->left == 0)
        finish(t);
}

completion *completion_take(backend_event *event)
{
    choice *c = (choice *)event->call;
    completion *t = c->of;
    if (event->kind == BACKEND_REPLY) {
        take_reply(t, c, event);
        return t;
    }
    if (event->kind == BACKEND_PIECE) {
        take_piece(t, c, event);
    } else {
        leave(c);
        take_failure(t, event);
    }
    rdv_arena_free(&event->arena);
    return t;
}

/* ---- what is sent ---------------------------------------------------------------------------- */

bool completion_streams(const completion *t)
{
    return t->asked.stream && t->begun;
}

bool completion_is_ready(const completion *t)
{
    return t->over || completion_streams(t);
}

unsigned completion_status(const completion *t)
{
    return t->failed && !completion_streams(t) ? t->error.status : 200;
}

rdv_str completion_bytes(const completion *t)
{
    rdv_str all = rdv_buf_str(&t->out);
    return all.p ? rdv_slice(all, t->at, all.len) : RDV_STR("");
}

void completion_sent(completion *t, size_t n)
{
    t->at += n;
    if (t->at < t->out.len)
        return;
    rdv_buf_clear(&t->out);
    t->at = 0;
}

bool completion_is_over(const completion *t)
{
    return t->over;
}

completion_counts completion_count(const completion *t)
{
    reply_usage usage = usage_of(t);
    return (completion_counts){t->n, usage.prompt, usage.completion};
}
