/* SPDX-License-Identifier: Apache-2.0 */
#include "server/talk.h"
#include "base/arena.h"
#include "base/str.h"
#include "server/reply.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define GOLDEN 0x9e3779b97f4a7c15 /* 2^64 over the golden ratio: far apart for every count */

typedef struct choice {
    talk *talk;
    builtin_job *job;     /* NULL: not asked, or it has ended */
    builtin_event *reply; /* NULL: not yet */
    size_t characters;    /* sent as pieces */
    bool begun;
} choice;

struct talk {
    talk_house *house;
    rdv_arena *arena; /* of what was asked */
    rdv_arena *sent;  /* of `out` */
    ask ask;
    reply_head head;
    choice *choices; /* those of the first prompt, those of the second, ... */
    size_t n, left;  /* choices, and those that have not ended */
    rdv_buf out;
    size_t at; /* bytes of `out` that were sent */
    fault fault;
    bool failed, begun, over;
};

/* ---- what is asked of the model -------------------------------------------------------------- */

static uint64_t seed_of(const talk *t, size_t i)
{
    return t->ask.seed + (uint64_t)i * GOLDEN;
}

/* The first reply to a prompt brings the prompt's log-probabilities, too. */
static builtin_ask ask_of(const talk *t, size_t i)
{
    const ask *a = &t->ask;
    bool first = i % a->n == 0;
    builtin_ask out = {.messages = a->messages,
                       .n_messages = a->n_messages,
                       .score = first && a->echo && a->sampling.logprobs,
                       .score_all = first && a->prompt_logprobs,
                       .generate = !a->no_reply,
                       .sampling = a->sampling,
                       .seed = seed_of(t, i),
                       .stream = a->stream};
    if (a->form == ASK_TEXT)
        out.text = a->prompts[i / a->n];
    else if (a->continues)
        out.text = a->messages[--out.n_messages].text;
    if (a->top_prompt > out.sampling.top_logprobs)
        out.sampling.top_logprobs = a->top_prompt;
    return out;
}

static void leave(choice *c)
{
    c->talk->house->asked--;
    c->talk->left--;
    c->job = NULL;
}

static void cancel_all(talk *t)
{
    for (size_t i = 0; i < t->n; i++) {
        choice *c = &t->choices[i];
        if (!c->job)
            continue;
        t->house->responder.cancel(t->house->responder.self, c->job);
        leave(c);
    }
}

static bool start_all(talk *t, fault *f)
{
    const responder *r = &t->house->responder;
    for (size_t i = 0; i < t->n; i++) {
        choice *c = &t->choices[i];
        rdv_error err = {0};
        builtin_ask what = ask_of(t, i);
        c->talk = t;
        if (r->start(r->self, &what, c, &c->job, &err) != RDV_OK)
            return fault_set(f, 500, NULL, "%s", err.msg);
        t->house->asked++;
        t->left++;
    }
    return true;
}

/* ---- beginning ------------------------------------------------------------------------------- */

static bool no_memory(fault *f)
{
    return fault_set(f, 500, NULL, "Out of memory.");
}

static bool check_model(const talk *t, fault *f)
{
    const talk_house *h = t->house;
    rdv_str wanted = t->ask.model;
    if (!wanted.p)
        return true;
    for (size_t i = 0; i < h->n_names; i++)
        if (rdv_str_eq(wanted, h->names[i]))
            return true;
    fault_set(f, 404, "model", "The model '%.*s' does not exist here; '%.*s' does.",
              (int)(wanted.len < 64 ? wanted.len : 64), wanted.p, RDV_FMT(h->names[0]));
    f->code = "model_not_found";
    return false;
}

static bool check_room(const talk *t, fault *f)
{
    if (t->house->asked + t->n <= t->house->most)
        return true;
    fault_set(f, 429, NULL, "Too many replies are being written; try again soon.");
    f->code = "rate_limit_exceeded";
    return false;
}

static bool begin(talk *t, fault *f)
{
    talk_house *h = t->house;
    const ask *a = &t->ask;
    t->n = a->n * (a->n_prompts ? a->n_prompts : 1);
    if (!check_model(t, f) || !check_room(t, f))
        return false;
    if (!a->seeded)
        t->ask.seed = h->seed += GOLDEN;
    const char *kind = a->form == ASK_CHAT ? "chatcmpl" : "cmpl";
    rdv_str id =
        rdv_str_printf(t->arena, "%s-%016" PRIx64 "%08" PRIx64, kind, h->prefix, h->talks++);
    t->head = (reply_head){.ask = a,
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

bool talk_new(talk_house *house, ask_form form, rdv_str body, talk **out, fault *f)
{
    talk *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t)
        return no_memory(f);
    t->house = house;
    t->arena = rdv_arena_new(0);
    t->sent = rdv_arena_new(0);
    bool ok = t->arena && t->sent ? ask_read(form, body, t->arena, &t->ask, f) : no_memory(f);
    if (ok) {
        rdv_buf_init(&t->out, t->sent, 0);
        ok = begin(t, f);
    }
    if (ok)
        *out = t;
    else
        talk_free(&t);
    return ok;
}

void talk_free(talk **handle)
{
    talk *t = handle ? *handle : NULL;
    if (!t)
        return;
    *handle = NULL;
    if (t->choices)
        cancel_all(t);
    for (size_t i = 0; t->choices && i < t->n; i++)
        builtin_event_free(&t->choices[i].reply);
    rdv_arena_free(&t->arena);
    rdv_arena_free(&t->sent);
    free(t);
}

/* ---- what came ------------------------------------------------------------------------------- */

static reply_usage usage_of(const talk *t)
{
    reply_usage usage = {0};
    for (size_t i = 0; i < t->n; i++) {
        const builtin_event *e = t->choices[i].reply;
        if (!e)
            continue;
        usage.completion += e->completion_tokens;
        if (i % t->ask.n)
            continue; /* a prompt counts once */
        usage.prompt += e->prompt_tokens;
        usage.cached += e->cached_tokens;
    }
    return usage;
}

static void fail(talk *t, const fault *f)
{
    cancel_all(t);
    if (t->over)
        return;
    t->over = t->failed = true;
    t->fault = *f;
    if (talk_streams(t)) {
        reply_stream_fault(&t->out, f);
        return;
    }
    rdv_buf_clear(&t->out);
    reply_fault(&t->out, f);
}

void talk_cut(talk *t, const fault *f)
{
    fail(t, f);
}

/* An error is told as a status where nothing was sent, else as an event. */
static void take_failure(talk *t, const builtin_event *event)
{
    fault f;
    bool chat = t->ask.form == ASK_CHAT;
    fault_set(&f, event->fault == RDV_E_NOMEM ? 500 : 400, chat ? "messages" : "prompt", "%s",
              event->why);
    if (event->fault == RDV_E_LIMIT)
        f.code = "context_length_exceeded";
    fail(t, &f);
}

static void finish_whole(talk *t)
{
    reply_usage usage = usage_of(t);
    reply_choice *choices = RDV_NEW_ARRAY(t->arena, reply_choice, t->n);
    size_t per = t->ask.n;
    for (size_t i = 0; choices && i < t->n; i++) {
        const builtin_event *first = t->choices[i / per * per].reply;
        bool scored = t->ask.prompt_logprobs || t->ask.echo;
        choices[i] = (reply_choice){
            .index = i, .event = t->choices[i].reply, .scored = scored ? &first->scored : NULL};
        if (t->ask.n_prompts)
            choices[i].prompt = t->ask.prompts[i / per];
    }
    if (choices)
        reply_whole(&t->out, &t->head, choices, t->n, &usage);
    else
        t->out.failed = true;
}

static void finish(talk *t)
{
    fault f;
    if (t->ask.stream) {
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

static void begin_choice(talk *t, choice *c)
{
    t->begun = true;
    if (!c->begun)
        reply_stream_begin(&t->out, &t->head, (size_t)(c - t->choices));
    c->begun = true;
}

static void take_piece(talk *t, choice *c, const builtin_event *event)
{
    begin_choice(t, c);
    c->characters =
        reply_stream_piece(&t->out, &t->head, (size_t)(c - t->choices), event, c->characters);
}

static void take_reply(talk *t, choice *c, builtin_event *event)
{
    leave(c);
    c->reply = event;
    if (t->ask.stream) {
        begin_choice(t, c);
        reply_stream_end(&t->out, &t->head, (size_t)(c - t->choices), event);
    }
    if (t->left == 0)
        finish(t);
}

talk *talk_take(builtin_event *event)
{
    choice *c = event->owner;
    talk *t = c->talk;
    switch (event->is) {
    case BUILTIN_PIECE:
        take_piece(t, c, event);
        break;
    case BUILTIN_REPLY:
        take_reply(t, c, event);
        return t;
    case BUILTIN_FAILED:
        leave(c);
        take_failure(t, event);
        break;
    }
    builtin_event_free(&event);
    return t;
}

/* ---- what is sent ---------------------------------------------------------------------------- */

bool talk_streams(const talk *t)
{
    return t->ask.stream && t->begun;
}

bool talk_is_ready(const talk *t)
{
    return t->over || talk_streams(t);
}

unsigned talk_status(const talk *t)
{
    return t->failed && !talk_streams(t) ? t->fault.status : 200;
}

rdv_str talk_bytes(const talk *t)
{
    rdv_str all = rdv_buf_str(&t->out);
    return all.p ? rdv_slice(all, t->at, all.len) : RDV_STR("");
}

void talk_sent(talk *t, size_t n)
{
    t->at += n;
    if (t->at < t->out.len)
        return;
    rdv_buf_clear(&t->out);
    t->at = 0;
}

bool talk_is_over(const talk *t)
{
    return t->over;
}

talk_counts talk_count(const talk *t)
{
    reply_usage usage = usage_of(t);
    return (talk_counts){t->n, usage.prompt, usage.completion};
}
