/* SPDX-License-Identifier: Apache-2.0 */
#include "server/relay.h"
#include "base/arena.h"
#include "base/str.h"
#include "model/wire.h"
#include "server/convert/reply_conversion.h"
#include "server/json_edit.h"
#include "server/judging.h"
#include "server/relay_request.h"
#include "server/reply_edit.h"
#include "server/reported_tokens.h"
#include "server/source.h"

#include <rederive/data.h>
#include <stdlib.h>
#include <time.h>
#include <uv.h>

#define MOST_EVENT ((size_t)16 << 20) /* bytes of an event, and of a reply that is not streamed */
#define MOST_HELD ((size_t)16 << 20)  /* bytes of a stream that is held */
#define MOST_WAITING                                                                               \
    ((size_t)64 * 1024) /* bytes that the client has not read, with which no more                  \
                           is taken from the model's server */

/* What a bound stream of chat completions says of itself, for the chunk that is added. */
typedef struct chunk_head {
    rdv_str id, created, model; /* JSON; p == NULL: not said yet */
} chunk_head;

struct relay {
    relay_ctx *ctx;
    void *owner;
    access_holder *holder;
    usage_amount reserved; /* valid if it has `sent_bytes` */
    size_t sent_bytes;     /* of the body; 0: nothing was sent */
    reported_tokens tokens;
    rdv_arena *arena;   /* as long as the relay */
    rdv_arena *scratch; /* for one event */
    rdv_arena *sent;    /* holds `out` and `held` */
    relay_request asked;
    source from;
    reply_protocol server;        /* the protocol of the model's server */
    reply_conversion *conversion; /* NULL: the client's is the same */
    char *in; /* bytes that were not processed, from `in_at` on */
    size_t in_at, in_len, in_cap;
    event_cutter cutter;
    rdv_buf out; /* to the client, from `at` on */
    size_t at;
    rdv_buf held; /* JUDGE_WHOLE: a stream until it was judged */
    unsigned status;
    rdv_str headers;
    const char *type;
    judging *judging;     /* NULL: it is not judged */
    reply_choices *reply; /* what was read of it; of `judging` */
    stream_event last;    /* the event that waits for the judgement; in `arena` */
    rdv_str body;         /* the reply that does, where it is no stream */
    chunk_head chunk;
    uint64_t beaten; /* when the last comment was sent, or the stream began; 0: never */
    bool headed, streams, waiting, judged, over, begun;
    bool counting;  /* the server was asked to count a stream, which the client did not ask */
    bool refused;   /* the model's server wrote no reply, and says so */
    bool converted; /* the conversion was told that the stream has ended */
};

/* ---- faults ---------------------------------------------------------------------------------- */

static bool no_memory(api_error *e)
{
    return api_error_set(e, 500, NULL, "Out of memory.");
}

/* After an event of which a part was sent, what is left of it is dropped. */
static void drop_output(relay *r)
{
    bool cut = r->at > 0;
    rdv_buf_clear(&r->out);
    r->at = 0;
    if (cut)
        rdv_buf_lit(&r->out, "\n\n");
}

/* End with an error: as a status if no byte was sent, else as an event. `more`: of its body. */
static void end_with(relay *r, const api_error *e, rdv_str more)
{
    bool event = r->streams && r->begun;
    if (r->over)
        return;
    r->over = true;
    upstream_free(&r->from.call);
    if (r->from.completion)
        completion_cut(r->from.completion, e);
    if (!rdv_buf_ok(&r->out) || !event)
        drop_output(r);
    if (event) {
        api_error_write_event(&r->out, r->asked.protocol, e, more);
        return;
    }
    r->streams = false;
    r->status = e->status;
    r->type = "application/json";
    api_error_write_as(&r->out, r->asked.protocol, e, more);
}

/* A reply of the built-in model that is not judged is sent as it is written. */
static const completion *as_written(const relay *r)
{
    return r->judging ? NULL : r->from.completion;
}

void relay_cut(relay *self, const api_error *e)
{
    if (as_written(self))
        completion_cut(self->from.completion, e);
    else
        end_with(self, e, (rdv_str){0});
}

static void fail(relay *r, const char *why, const rdv_error *err)
{
    api_error e;
    if (err && err->code == RDV_E_NOMEM)
        (void)no_memory(&e);
    else
        api_error_set(&e, 502, NULL, "The reply of the model's server %s%s%.160s.", why,
                      err ? ": " : "", err ? err->msg : "");
    e.code = e.status == 502 ? "upstream_failed" : NULL;
    relay_cut(r, &e);
}

static void fail_memory(relay *r)
{
    api_error e;
    (void)no_memory(&e);
    relay_cut(r, &e);
}

/* ---- beginning ------------------------------------------------------------------------------- */

static const char *path_of(reply_protocol p)
{
    static const char *const paths[] = {[REPLY_CHAT] = "/chat/completions",
                                        [REPLY_TEXT] = "/completions",
                                        [REPLY_RESPONSES] = "/responses",
                                        [REPLY_MESSAGES] = "/messages"};
    return paths[p];
}

#define N_PASSED (HTTP_FIELDS - HTTP_ANTHROPIC_VERSION)
#define MESSAGES_VERSION RDV_STR("anthropic-version: 2023-06-01") /* which conversions write */

/* Headers that say something of a protocol stay behind where it is converted. */
static bool is_of_protocol(http_field f)
{
    return f == HTTP_ANTHROPIC_VERSION || f == HTTP_ANTHROPIC_BETA || f == HTTP_OPENAI_BETA;
}

/* The client's headers that are passed on, as lines. */
static bool headers_of(const http_request *request, bool converts, rdv_arena *arena,
                       rdv_str lines[], size_t *n)
{
    *n = 0;
    for (http_field f = HTTP_ANTHROPIC_VERSION; f < HTTP_FIELDS; f++) {
        const char *value = http_request_field(request, f);
        if (!value || !*value || (converts && is_of_protocol(f)))
            continue;
        lines[*n] = rdv_str_printf(arena, "%s: %s", http_field_name(f), value);
        if (!lines[(*n)++].p)
            return false;
    }
    return true;
}

/* The protocol in which the model's server is asked. */
static bool choose_protocol(relay *r, api_error *e)
{
    static const char *const names[] = {[REPLY_CHAT] = "chat completions",
                                        [REPLY_TEXT] = "completions",
                                        [REPLY_RESPONSES] = "Responses",
                                        [REPLY_MESSAGES] = "Messages"};
    const serve_model *m = &r->ctx->options->models[r->asked.model];
    bool says = false;
    r->server = r->asked.protocol;
    for (size_t i = 0; i < REPLY_PROTOCOLS; i++)
        says |= m->speaks[i];
    if (!says || m->speaks[r->server])
        return true;
    if (!conversion_exists(r->server, m->converts_to))
        return api_error_set(e, 400, "model",
                             "The server of this model speaks %s; %s are not converted to that.",
                             names[m->converts_to], names[r->server]);
    r->server = m->converts_to;
    return true;
}

static bool start_conversion(relay *r, rdv_str *body, api_error *e)
{
    if (r->server == r->asked.protocol)
        return true;
    r->conversion = reply_conversion_new(r->asked.protocol, r->server, *body);
    if (!r->conversion)
        return no_memory(e);
    return conversion_of_request(r->asked.protocol, r->server, *body, r->arena, body, e);
}

/* Servers count streams of chat completions only where they are asked to; limits need it. */
static bool ask_for_count(relay *r, rdv_str *body, api_error *e)
{
    rdv_str streams, options;
    rdv_error err;
    const usage_amount *day = &r->holder->rule.limits.day;
    bool asks = r->server == REPLY_CHAT || r->server == REPLY_TEXT;
    if (!asks || (!day->tokens && !day->cost) ||
        rdv_record_member(*body, RDV_STR("stream"), &streams) != RDV_OK ||
        !rdv_str_eq(streams, RDV_STR("true")) ||
        rdv_record_member(*body, RDV_STR("stream_options"), &options) == RDV_OK)
        return true;
    r->counting = true;
    return json_edit_set(*body, "stream_options", RDV_STR("{\"include_usage\":true}"), r->arena,
                         body, &err) == RDV_OK ||
           no_memory(e);
}

/* The chunk that such a count is. */
static bool is_count(const relay *r, const stream_event *event)
{
    rdv_str choices, count;
    return r->counting && !r->conversion && event->data.p &&
           rdv_record_member(event->data, RDV_STR("choices"), &choices) == RDV_OK &&
           rdv_str_eq(choices, RDV_STR("[]")) &&
           rdv_record_member(event->data, RDV_STR("usage"), &count) == RDV_OK &&
           rdv_starts(count, RDV_STR("{"));
}

static bool ask_server(relay *r, rdv_str body, const http_request *request, api_error *e)
{
    rdv_str lines[N_PASSED + 1];
    rdv_error err;
    upstreams *u = r->ctx->upstreams;
    upstream_request to = {
        .model = r->ctx->numbers[r->asked.model], .lines = lines, .owner = r->owner};
    if (!choose_protocol(r, e) || !start_conversion(r, &body, e))
        return false;
    to.path = path_of(r->server);
    if (!headers_of(request, r->conversion, r->arena, lines, &to.n_lines))
        return no_memory(e);
    if (r->conversion && r->server == REPLY_MESSAGES)
        lines[to.n_lines++] = MESSAGES_VERSION;
    if (!relay_request_body(body, upstreams_name(u, to.model), r->arena, &to.body, e))
        return false;
    if (!ask_for_count(r, &to.body, e))
        return false;
    if (upstream_start(u, &to, &r->from.call, &err) == RDV_OK)
        return true;
    return api_error_set(e, 500, NULL, "%s", err.msg);
}

static bool ask_builtin(relay *r, rdv_str body, api_error *e)
{
    rdv_str name = r->ctx->options->models[r->asked.model].name;
    reply_protocol p = r->asked.protocol;
    completion_form form = p == REPLY_CHAT ? COMPLETION_CHAT : COMPLETION_TEXT;
    if (p != REPLY_CHAT && p != REPLY_TEXT)
        return api_error_set(e, 400, "model",
                             "The built-in model answers chat completions and completions only.");
    return relay_request_body(body, name, r->arena, &body, e) &&
           completion_new(&r->ctx->completions, form, body, &r->from.completion, e);
}

static usage_time time_of(const relay *r)
{
    return usage_time_of(r->ctx->loop ? uv_now(r->ctx->loop) : 0, (int64_t)time(NULL));
}

static usage_amount amount_of(const relay *r, uint64_t in, uint64_t out)
{
    const serve_model *m = &r->ctx->options->models[r->asked.model];
    return usage_amount_of(in, m->price_in, out, m->price_out);
}

/* A token stands for at least one byte. */
static bool reserve(relay *r, size_t bytes, api_error *e)
{
    usage_amount most = amount_of(r, bytes, r->asked.most);
    if (!usage_reserve(r->holder->usage, &r->holder->rule.limits, most, time_of(r), &r->reserved,
                       e))
        return false;
    r->sent_bytes = bytes;
    return true;
}

/* Where the model's server did not count: what is reserved, since of a reply that is not seen as a
 * whole, or has reasoning that is not shown, the rest is unknown. Without a stated limit, an event
 * is taken for a token, or four bytes are. */
static uint64_t estimate(const relay *r)
{
    const reported_tokens *t = &r->tokens;
    if (r->asked.limited || !t->n_bytes)
        return r->asked.most;
    return r->streams ? t->n_events : t->n_bytes / 4;
}

void relay_tokens(const relay *self, uint64_t *in, uint64_t *out, bool *estimated)
{
    const relay *r = self;
    *in = *out = 0;
    *estimated = false;
    if (r->from.completion) {
        completion_counts counts = completion_count(r->from.completion);
        *in = counts.prompt;
        *out = counts.completion;
    } else if (r->tokens.said) {
        *in = r->tokens.in;
        *out = r->tokens.out;
    } else if (r->sent_bytes && !r->refused) {
        *in = r->tokens.said_in ? r->tokens.in : r->sent_bytes;
        *out = estimate(r);
        *estimated = true;
    }
}

static void settle(relay *r)
{
    uint64_t in, out;
    bool estimated;
    if (!r->sent_bytes)
        return;
    relay_tokens(r, &in, &out, &estimated);
    usage_settle(r->holder->usage, r->reserved, amount_of(r, in, out), estimated, time_of(r));
}

static bool begin(relay *r, rdv_str body, const http_request *request, api_error *e)
{
    const serve_options *o = r->ctx->options;
    if (!relay_request_read(o, &r->holder->rule.judging, r->asked.protocol, body, r->arena,
                            &r->asked, e) ||
        !reserve(r, body.len, e))
        return false;
    if (r->asked.judged)
        r->judging = judging_new(r->asked.protocol, r->asked.question, &r->asked.rule, &r->reply);
    if (r->asked.judged && !r->judging)
        return no_memory(e);
    if (r->judging)
        r->reply->limit = r->asked.limit;
    return o->models[r->asked.model].n ? ask_server(r, body, request, e) : ask_builtin(r, body, e);
}

bool relay_new(relay_ctx *ctx, access_holder *holder, reply_protocol protocol, rdv_str body,
               const http_request *request, void *owner, relay **out, api_error *e)
{
    relay *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return no_memory(e);
    *r = (relay){.ctx = ctx,
                 .owner = owner,
                 .holder = holder,
                 .arena = rdv_arena_new(0),
                 .scratch = rdv_arena_new(0),
                 .sent = rdv_arena_new(0),
                 .asked = {.protocol = protocol},
                 .type = "application/json"};
    bool ok = r->arena && r->scratch && r->sent ? true : no_memory(e);
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
    settle(r);
    source_free(&r->from);
    judging_free(&r->judging);
    reply_conversion_free(&r->conversion);
    free(r->in);
    rdv_arena_free(&r->arena);
    rdv_arena_free(&r->scratch);
    rdv_arena_free(&r->sent);
    free(r);
}

/* ---- what comes ------------------------------------------------------------------------------ */

static bool keep_bytes(void *of, rdv_str bytes)
{
    relay *r = of;
    if (r->in_at) {
        memmove(r->in, r->in + r->in_at, r->in_len - r->in_at);
        r->in_len -= r->in_at;
        r->in_at = 0;
    }
    if (bytes.len > MOST_EVENT - r->in_len)
        return false;
    if (r->in_cap - r->in_len < bytes.len) {
        size_t cap = r->in_cap ? r->in_cap * 2 : 4096;
        cap = cap < r->in_len + bytes.len ? r->in_len + bytes.len : cap;
        char *in = realloc(r->in, cap);
        if (!in)
            return false;
        r->in = in;
        r->in_cap = cap;
    }
    memcpy(r->in + r->in_len, bytes.p, bytes.len);
    r->in_len += bytes.len;
    return true;
}

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
        fail_memory(r);
        return;
    }
    r->type = rdv_cstring(r->arena, type);
    r->status = source_status(&r->from);
    r->streams = source_streams(&r->from);
    r->headed = true;
    if (!r->type) {
        r->type = "application/json";
        fail_memory(r);
    }
}

/* ---- the judgement --------------------------------------------------------------------------- */

static void on_judged(void *of)
{
    relay *r = of;
    r->ctx->wake(r->owner);
}

static void start_judging(relay *r)
{
    r->waiting = true;
    if (!judging_start(r->judging, r->ctx->loop, on_judged, r))
        fail_memory(r);
}

/* The reply is not sent. The object says why, without its texts. */
static void refuse_reply(relay *r)
{
    api_error e;
    rdv_buf more;
    rdv_buf_init(&more, r->arena, 0);
    rdv_buf_lit(&more, "\"rederive\":");
    rdv_buf_add(&more, judging_json(r->judging));
    rdv_str why = judgement_says(judging_result(r->judging), r->arena);
    api_error_set(&e, 422, NULL, "The reply is not admitted by this server's rule: %.*s.",
                  RDV_FMT(why));
    e.code = "not_admitted";
    if (rdv_buf_ok(&more) && why.p)
        end_with(r, &e, rdv_buf_str(&more));
    else
        fail_memory(r);
}

/* An event of its own, for chat completions and completions. */
static void add_chunk(relay *r, rdv_str json)
{
    const chunk_head *c = &r->chunk;
    bool chat = r->asked.protocol == REPLY_CHAT;
    rdv_buf_printf(&r->out, "data: {\"id\":%.*s,\"object\":\"%s\",\"created\":%.*s",
                   RDV_FMT(c->id.p ? c->id : RDV_STR("null")),
                   chat ? "chat.completion.chunk" : "text_completion",
                   RDV_FMT(c->created.p ? c->created : RDV_STR("0")));
    rdv_buf_printf(&r->out, ",\"model\":%.*s,\"choices\":[],\"rederive\":",
                   RDV_FMT(c->model.p ? c->model : RDV_STR("null")));
    rdv_buf_add(&r->out, json);
    rdv_buf_lit(&r->out, "}\n\n");
}

static void send_last_event(relay *r, rdv_str json)
{
    rdv_str data;
    rdv_error err;
    bool own_chunk = r->asked.protocol == REPLY_CHAT || r->asked.protocol == REPLY_TEXT;
    rdv_buf_add(&r->out, rdv_buf_str(&r->held));
    rdv_buf_clear(&r->held);
    if (own_chunk) {
        add_chunk(r, json);
        rdv_buf_add(&r->out, r->last.bytes);
        r->over = true;
        return;
    }
    int rc = reply_edit_put(r->asked.protocol, true, r->last.data, json, r->arena, &data, &err);
    if (rc != RDV_OK) {
        fail(r, "has a last event that could not be read", &err);
        return;
    }
    reply_edit_event(&r->out, &r->last, data);
    r->over = r->asked.protocol == REPLY_RESPONSES; /* messages have a last event of their own */
}

static void send_body(relay *r, rdv_str json)
{
    rdv_str body;
    rdv_error err;
    int rc = reply_edit_put(r->asked.protocol, false, r->body, json, r->arena, &body, &err);
    if (rc != RDV_OK) {
        fail(r, "could not be read", &err);
        return;
    }
    rdv_buf_add(&r->out, body);
    r->over = true;
}

static void take_judgement(relay *r)
{
    const judgement *j = judging_result(r->judging);
    r->waiting = false;
    r->judged = true;
    if (!j)
        fail_memory(r);
    else if (!j->admitted && j->rule.refuses)
        refuse_reply(r);
    else if (r->streams)
        send_last_event(r, judging_json(r->judging));
    else
        send_body(r, judging_json(r->judging));
}

/* ---- a stream -------------------------------------------------------------------------------- */

static bool holds(const relay *r)
{
    return r->judging && r->asked.rule.mode == JUDGE_WHOLE && !r->judged;
}

/* To the client, or kept until it was judged. */
static void pass(relay *r, const stream_event *event)
{
    rdv_buf *to = holds(r) ? &r->held : &r->out;
    rdv_str clean;
    rdv_error err;
    int rc = reply_edit_clean(event->data, r->scratch, &clean, &err);
    if (event->data.p && rc != RDV_OK) {
        fail(r, "has an event that could not be read", &err);
        return;
    }
    if (event->data.p && clean.p != event->data.p)
        reply_edit_event(to, event, clean);
    else
        rdv_buf_add(to, event->bytes);
    if (to == &r->held && !rdv_buf_ok(to))
        fail(r, "has more than 16 MiB, which cannot be held", NULL);
}

static rdv_str raw_member(relay *r, rdv_str data, const char *name)
{
    rdv_str value;
    if (rdv_record_member(data, rdv_str_of(name), &value) != RDV_OK)
        return (rdv_str){0};
    return rdv_str_copy(r->arena, value);
}

static void note_chunk(relay *r, rdv_str data)
{
    chunk_head *c = &r->chunk;
    if (c->id.p || r->asked.protocol == REPLY_RESPONSES || r->asked.protocol == REPLY_MESSAGES)
        return;
    c->id = raw_member(r, data, "id");
    c->created = raw_member(r, data, "created");
    c->model = raw_member(r, data, "model");
}

/* With this event the client has the whole text. */
static bool is_last(const relay *r, const json_t *event)
{
    const json_t *delta = json_object_get(event, "delta");
    if (r->asked.protocol == REPLY_MESSAGES)
        return rdv_str_eq(parse_text(json_object_get(event, "type")), RDV_STR("message_delta")) &&
               json_is_string(json_object_get(delta, "stop_reason"));
    return r->asked.protocol == REPLY_RESPONSES && r->reply->ended;
}

/* Behind the judgement, nothing may come that it does not cover. */
static void take_rest(relay *r, const stream_event *event, const json_t *parsed)
{
    rdv_str type = parse_text(json_object_get(parsed, "type"));
    bool stop = rdv_str_eq(type, RDV_STR("message_stop"));
    if (!stop && !rdv_str_eq(type, RDV_STR("ping"))) {
        fail(r, "went on after its end", NULL);
        return;
    }
    pass(r, event);
    r->over = stop;
}

static void hold_last(relay *r, const stream_event *event)
{
    rdv_error err;
    rdv_str data = event->data;
    int rc = data.p ? reply_edit_clean(data, r->scratch, &data, &err) : RDV_OK;
    r->last = (stream_event){.bytes = rdv_str_copy(r->arena, event->bytes),
                             .data = rdv_str_copy(r->arena, data.p ? data : RDV_STR(""))};
    if (rc != RDV_OK)
        fail(r, "has an event that could not be read", &err);
    else if (!r->last.bytes.p || !r->last.data.p)
        fail_memory(r);
    else
        start_judging(r);
}

static void judge_event(relay *r, const stream_event *event)
{
    json_t *parsed;
    rdv_error err;
    int rc = parse_json(event->data, false, &parsed, &err);
    if (rc == RDV_OK && !r->judged) {
        note_chunk(r, event->data);
        rc = reply_choices_event(r->reply, parsed, &err);
    }
    if (rc != RDV_OK) {
        fail(r, "has an event that could not be read", &err);
    } else if (r->judged) {
        take_rest(r, event, parsed);
    } else if (r->reply->failed) { /* its own error takes the place of a verdict */
        rdv_buf_clear(&r->held);
        r->asked.rule.mode = JUDGE_AFTER;
        pass(r, event);
        r->over = true;
    } else if (is_last(r, parsed)) {
        hold_last(r, event);
    } else if (r->reply->ended) {
        fail(r, "ended without saying how", NULL);
    } else {
        pass(r, event);
    }
    json_decref(parsed);
}

static void take_event(relay *r, const stream_event *event)
{
    bool done = rdv_str_eq(rdv_trim(event->data), RDV_STR("[DONE]"));
    if (!event->data.p || rdv_trim(event->data).len == 0) {
        pass(r, &(stream_event){.bytes = event->bytes});
    } else if (done && r->judging) {
        hold_last(r, &(stream_event){.bytes = event->bytes});
    } else if (done) {
        rdv_buf_add(&r->out, event->bytes);
        r->over = true;
    } else if (r->judging) {
        judge_event(r, event);
    } else {
        pass(r, event);
    }
}

/* A stream of chat completions may lack its last event. */
static bool all_ended(const relay *r)
{
    for (size_t i = 0; i < r->reply->n; i++)
        if (!r->reply->items[i].finish.p)
            return false;
    return r->reply->n > 0 && (r->asked.protocol == REPLY_CHAT || r->asked.protocol == REPLY_TEXT);
}

static void take_stream_end(relay *r)
{
    api_error e;
    if (!source_check(&r->from, &e))
        relay_cut(r, &e);
    else if (!r->judging)
        r->over = true; /* the conversion saw to it that it is complete */
    else if (!r->judged && all_ended(r))
        hold_last(r, &(stream_event){.bytes = RDV_STR("")});
    else
        fail(r, "ended early", NULL);
}

/* A stream that broke off is told as that. */
static void fail_conversion(relay *r, bool ended, const rdv_error *err)
{
    api_error e;
    if (ended && !source_check(&r->from, &e))
        relay_cut(r, &e);
    else
        fail(r, "cannot be converted to this protocol", err);
}

/* The next event from the model's server. As event_cut(). */
static int cut_event(relay *r, bool ended, stream_event *event)
{
    rdv_str bytes = {r->in ? r->in + r->in_at : "", r->in_len - r->in_at};
    int rc = event_cut(&r->cutter, bytes, ended, r->scratch, event);
    if (rc != RDV_OK)
        return rc;
    r->in_at += event->bytes.len;
    source_hide_key(&r->from, (char *)(uintptr_t)event->bytes.p, event->bytes.len);
    source_hide_key(&r->from, (char *)(uintptr_t)event->data.p, event->data.len);
    reported_tokens_read(&r->tokens, r->server, true, event->data);
    return RDV_OK;
}

/* The same of the events for the client, where they are others. RDV_E_INPUT: what comes cannot be
 * converted. */
static int convert_event(relay *r, bool ended, stream_event *event, rdv_error *err)
{
    int rc;
    while ((rc = reply_conversion_next(r->conversion, r->scratch, event)) == RDV_NONE) {
        rc = cut_event(r, ended, event);
        if (rc == RDV_OK) {
            rc = reply_conversion_event(r->conversion, event, err);
        } else if (rc == RDV_NONE && ended && !r->converted) {
            api_error broken;
            r->converted = true;
            rc = source_check(&r->from, &broken) ? reply_conversion_end(r->conversion, err)
                                                 : RDV_E_INPUT;
        }
        if (rc != RDV_OK)
            return rc;
    }
    if (rc == RDV_OK) /* pieces may be joined now */
        source_hide_key(&r->from, (char *)(uintptr_t)event->bytes.p, event->bytes.len);
    return rc;
}

static void work_on_stream(relay *r)
{
    bool ended = source_is_over(&r->from);
    if (!source_read(&r->from, keep_bytes, r)) {
        fail(r, "has an event of more than 16 MiB", NULL);
        return;
    }
    while (!r->over && !r->waiting && r->out.len - r->at < MOST_WAITING) {
        stream_event event;
        rdv_error err;
        rdv_arena_reset(r->scratch);
        int rc =
            r->conversion ? convert_event(r, ended, &event, &err) : cut_event(r, ended, &event);
        if (rc == RDV_NONE && ended) {
            take_stream_end(r);
            return;
        }
        if (rc == RDV_E_INPUT) {
            fail_conversion(r, ended, &err);
            return;
        }
        if (rc != RDV_OK) {
            if (rc != RDV_NONE)
                fail_memory(r);
            return;
        }
        if (!is_count(r, &event))
            take_event(r, &event);
    }
}

/* ---- a reply that is no stream --------------------------------------------------------------- */

static void take_error_body(relay *r, rdv_str body)
{
    api_error e;
    rdv_error err;
    wire_error said;
    rdv_str clean;
    if (!r->conversion && rdv_starts(rdv_trim(body), RDV_STR("{")) &&
        reply_edit_clean(body, r->arena, &clean, &err) == RDV_OK) {
        rdv_buf_add(&r->out, clean);
        r->over = true;
        return;
    }
    if (wire_read_error(body, r->arena, &said, &err) != RDV_OK) {
        fail_memory(r);
        return;
    }
    api_error_set(&e, r->status, NULL, "The model's server answered with status %u%s%.*s",
                  r->status, said.message.len ? ": " : ".",
                  (int)(said.message.len < 160 ? said.message.len : 160),
                  said.message.len ? said.message.p : "");
    relay_cut(r, &e);
}

/* A reply with status 200 that says that there is none. */
static void take_failed_reply(relay *r, const json_t *root)
{
    api_error e;
    rdv_error err;
    wire_error said;
    if (wire_read_error_of(root, r->arena, &said, &err) != RDV_OK) {
        fail_memory(r);
        return;
    }
    api_error_set(&e, 502, NULL, "The model's server reports an error: %.*s",
                  (int)(said.message.len < 160 ? said.message.len : 160),
                  said.message.len ? said.message.p : "");
    e.code = "upstream_failed";
    relay_cut(r, &e);
}

static void judge_body(relay *r, rdv_str body)
{
    json_t *root;
    rdv_error err;
    int rc = parse_json(body, false, &root, &err);
    if (rc == RDV_OK)
        rc = reply_choices_whole(r->reply, root, &err);
    if (rc == RDV_OK && r->reply->failed) {
        take_failed_reply(r, root);
    } else if (rc == RDV_OK) {
        r->body = body;
        start_judging(r);
    } else {
        fail(r, "could not be read", &err);
    }
    json_decref(root);
}

static void take_body(relay *r)
{
    api_error e;
    rdv_error err;
    rdv_str body = {r->in ? r->in : "", r->in_len}, clean;
    source_hide_key(&r->from, r->in, r->in_len);
    if (!source_check(&r->from, &e)) {
        relay_cut(r, &e);
        return;
    }
    if (r->status >= 300) {
        take_error_body(r, body);
        return;
    }
    reported_tokens_read(&r->tokens, r->server, false, body);
    int rc = r->conversion ? reply_conversion_whole(r->conversion, body, &body, &err) : RDV_OK;
    if (rc != RDV_OK) {
        fail(r, "cannot be converted to this protocol", &err);
        return;
    }
    source_hide_key(&r->from, (char *)(uintptr_t)body.p, body.len); /* pieces may be joined now */
    rc = reply_edit_clean(body, r->arena, &clean, &err);
    if (rc != RDV_OK) {
        fail(r, "could not be read", &err);
    } else if (r->judging) {
        judge_body(r, clean);
    } else {
        rdv_buf_add(&r->out, clean);
        r->over = true;
    }
}

static void work_on_body(relay *r)
{
    bool ended = source_is_over(&r->from) || r->from.completion;
    if (!source_read(&r->from, keep_bytes, r))
        fail(r, "has more than 16 MiB", NULL);
    else if (ended)
        take_body(r);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* A stream that is held says now and then that it lives. */
static void beat(relay *r)
{
    uint64_t now = r->ctx->loop ? uv_now(r->ctx->loop) : 0;
    if (!r->streams || !holds(r) || r->over)
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
    if (as_written(r))
        return;
    if (r->waiting && judging_is_done(r->judging))
        take_judgement(r);
    if (!r->over && !r->waiting && !r->headed && source_has_head(&r->from))
        take_head(r);
    if (!r->over && !r->waiting && r->headed && (r->from.call || r->from.completion)) {
        if (r->streams)
            work_on_stream(r);
        else
            work_on_body(r);
    }
    beat(r);
    if (!rdv_buf_ok(&r->out))
        fail_memory(r);
    if (r->over)
        upstream_free(&r->from.call);
}

bool relay_is_ready(const relay *self)
{
    const completion *own = as_written(self);
    return own ? completion_is_ready(own) : self->over || (self->streams && self->out.len > 0);
}

unsigned relay_status(const relay *self)
{
    const completion *own = as_written(self);
    return own ? completion_status(own) : self->status;
}

bool relay_streams(const relay *self)
{
    const completion *own = as_written(self);
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
    const completion *own = as_written(self);
    rdv_str all = own ? completion_bytes(own) : rdv_buf_str(&self->out);
    if (own)
        return all;
    return all.p ? rdv_slice(all, self->at, all.len) : RDV_STR("");
}

void relay_sent(relay *self, size_t n)
{
    if (as_written(self)) {
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
    const completion *own = as_written(self);
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
    return j ? j->admitted : -1;
}
