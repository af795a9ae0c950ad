/* SPDX-License-Identifier: Apache-2.0 */
#include "network.h"
#include "disk.h"
#include "model.h"

#include "base/arena.h"
#include "base/str.h"
#include "plan/draws.h"
#include "plan/request.h"
#include "run/call.h"
#include "run/clock.h"
#include "run/http.h"
#include "run/journal/journal.h"
#include "run/open_plans.h"
#include "run/retry.h"
#include "run/server.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define LONGEST_SESSION_MS (25u * 86400000u)
#define EPOCH_MS 1700000000000u /* the time of day when the clock begins */
#define RIVAL_WAITS 5           /* from one try of a second process to the next */

typedef enum fate {
    FATE_GOOD,
    FATE_UNREACHABLE,
    FATE_BROKEN,
    FATE_SILENT,
    FATE_STALLED,
    FATE_CUT,
    FATE_GARBAGE,
    FATE_BUSY,
    FATE_DOWN,
    FATE_LATE,
    FATE_ODD,
    FATE_REFUSES,
    FATE_TWICE,
    N_FATES
} fate;

/* An exchange that is under way: http_exchange.easy points to it. */
typedef struct flight {
    http_exchange *exchange;
    fate fate;
    uint64_t due;
    struct flight *before, *next;
} flight;

/* A finished exchange keeps what it will be charged with until it is taken. */
typedef struct charge {
    const http_exchange *exchange;
    uint64_t prompt_tokens, completion_tokens;
    unsigned char keys[REQUEST_MOST_DRAWS][32]; /* that it answers, n_keys of them */
    size_t n_keys;
    struct charge *next;
} charge;

struct http {
    world *world;
    http_options options;
    flight *out;
    charge *charges;
    size_t n_done;
    rdv_arena *arena; /* of one body */
};

static world *connected;

void network_connect(world *w)
{
    connected = w;
}

uint64_t clock_ms_since_1970(void)
{
    return EPOCH_MS + connected->now;
}

/* ---- whose request it is --------------------------------------------------------------------- */

static server *server_of(const http_exchange *x)
{
    return (server *)(void *)((char *)x->done - offsetof(server, done));
}

static const rdv_request *request_of(const http_exchange *x)
{
    const backend_call *c = x->owner;
    return c ? c->request : &server_of(x)->survey.request;
}

static rdv_plan *plan_of(const call *c)
{
    return c && c->waiters ? c->waiters->plan->source : NULL;
}

/* The requests of a call that starts, at most REQUEST_MOST_DRAWS. */
static size_t requests_of(const http_exchange *x, const rdv_request **out)
{
    const call *c = x->owner;
    size_t n = 0;
    out[n++] = request_of(x);
    for (const call *other = c ? c->joined : NULL; other && n < c->sent.n; other = other->next)
        out[n++] = other->sent.request;
    return n;
}

/* The choices that a call wants. */
static size_t wanted(const http_exchange *x)
{
    rdv_str n = RDV_STR("{\"n\":");
    return rdv_starts(x->body, n) ? (size_t)strtoul(x->body.p + n.len, NULL, 10) : 1;
}

/* The call that waits for that choice; NULL: none does, or none does any more. */
static const call *waits_for(const http_exchange *x, size_t choice)
{
    const call *c = x->owner;
    const call *other = c ? c->joined : NULL;
    if (!c || c->choice == choice)
        return choice == 0 || c ? c : NULL;
    while (other && other->choice != choice)
        other = other->next;
    return other;
}

static bool asks_model(const http_exchange *x)
{
    return x->body.p && !rdv_ends(rdv_str_of(x->url), RDV_STR("/tokenize"));
}

/* ---- what becomes of an exchange ------------------------------------------------------------- */

static fate draw_fault(world *w)
{
    const settings *s = &w->set;
    const uint32_t weights[N_FATES] = {0,      s->unreachable, s->broken, s->silent, s->stalled,
                                       s->cut, s->garbage,     s->busy,   s->down,   s->late,
                                       s->odd, s->refuses,     s->twice};
    uint64_t sum = 0;
    for (size_t i = 0; i < N_FATES; i++)
        sum += weights[i];
    if (w->dead)
        return (fate)(1 + rdv_rng_below(&w->rng, FATE_ODD));
    if (w->calm || w->left == 0 || sum == 0 || !world_chance(w, s->often))
        return FATE_GOOD;
    uint64_t at = rdv_rng_below(&w->rng, sum);
    size_t is = 0;
    while (at >= weights[is])
        at -= weights[is++];
    w->left--;
    w->all_faults++;
    return (fate)is;
}

static uint64_t time_until_end(world *w, const http *h, const http_exchange *x, fate is)
{
    uint64_t usual = w->calm ? 1 : 1 + rdv_rng_below(&w->rng, w->set.latency);
    uint64_t longest = x->timeout_ms ? x->timeout_ms : 3600u * 1000;
    if (is == FATE_UNREACHABLE)
        return rdv_rng_below(&w->rng, 2) ? usual : h->options.connect_ms;
    if (is == FATE_SILENT || is == FATE_LATE)
        return longest;
    if (is == FATE_STALLED)
        return usual + (x->idle_ms && x->idle_ms < longest ? x->idle_ms : longest);
    return usual < longest ? usual : longest;
}

static bool waits_in(const flight *f, const rdv_request *request)
{
    const call *c = f->exchange->owner;
    bool waits = memcmp(request_of(f->exchange)->key, request->key, 32) == 0;
    for (const call *other = c->joined; other && !waits; other = other->next)
        waits = memcmp(other->key, request->key, 32) == 0;
    return waits;
}

static void watch_request(http *h, const rdv_request *request)
{
    world *w = h->world;
    for (const flight *f = h->out; f; f = f->next)
        if (f->exchange->owner && asks_model(f->exchange) && waits_in(f, request))
            world_broken(w, "a request of stage %.*s is asked while it is under way",
                         RDV_FMT(request->stage));
    if (keys_have(&w->committed, request->key))
        world_broken(w, "a request of stage %.*s is asked, and the journal holds its reply",
                     RDV_FMT(request->stage));
    if (keys_have(&w->answered, request->key))
        world_broken(w, "a request of stage %.*s is asked again after it was answered",
                     RDV_FMT(request->stage));
    keys_add(&w->asked, request->key);
}

/* Nobody is asked twice: neither what the journal holds, nor what was answered, nor what is under
 * way. */
static void watch_call(http *h, const http_exchange *x)
{
    world *w = h->world;
    world_note(w, NOTE_CALLS, "%s %s%s: %016llx, within %u and %u ms", x->body.p ? "POST" : "GET",
               x->url, x->direct ? " directly" : "", (unsigned long long)rdv_hash(x->body, 0),
               x->timeout_ms, x->idle_ms);
    if (!asks_model(x))
        return;
    w->calls++;
    w->all_calls++;
    if (w->set.budget && w->calls > w->set.budget && !w->calm)
        world_broken(w, "call %llu was sent with a budget of %u", (unsigned long long)w->calls,
                     w->set.budget);
    if (!x->owner || w->calm || w->dead) /* without a journal, equal requests may be asked again */
        return;
    const rdv_request *requests[REQUEST_MOST_DRAWS];
    size_t n = requests_of(x, requests);
    for (size_t i = 0; i < n; i++)
        watch_request(h, requests[i]);
}

int http_start(http *h, http_exchange *x, rdv_error *err)
{
    world *w = h->world;
    flight *f = calloc(1, sizeof *f);
    if (!f)
        return rdv_no_memory(err);
    watch_call(h, x);
    f->exchange = x;
    f->fate = draw_fault(w);
    f->due = w->now + time_until_end(w, h, x, f->fate);
    f->next = h->out;
    if (h->out)
        h->out->before = f;
    h->out = f;
    x->easy = f;
    x->by = h;
    x->end = HTTP_DONE;
    x->status = 0;
    x->len = 0;
    x->started = w->now;
    x->too_long = x->out_of_memory = false;
    x->why[0] = '\0';
    x->retry_after_ms = RETRY_NOT_GIVEN;
    return RDV_OK;
}

static void land(http *h, flight *f)
{
    if (f->before)
        f->before->next = f->next;
    else
        h->out = f->next;
    if (f->next)
        f->next->before = f->before;
    f->exchange->easy = NULL;
    free(f);
}

/* ---- responses ------------------------------------------------------------------------------- */

static bool set_body(http_exchange *x, rdv_str body)
{
    free(x->data);
    x->data = malloc(body.len + 1);
    if (!x->data)
        abort();
    memcpy(x->data, body.p, body.len);
    x->len = x->cap = body.len;
    return true;
}

static void respond(http_exchange *x, long status, rdv_str body)
{
    x->end = HTTP_DONE;
    x->status = status;
    set_body(x, body);
}

static void fail(http_exchange *x, http_end end, const char *why)
{
    x->end = end;
    snprintf(x->why, sizeof x->why, "%s", why);
}

/* The usage of a response is charged when the run takes it. */
static charge *charge_for(http *h, const http_exchange *x, uint64_t prompt, uint64_t completion)
{
    charge *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    *c = (charge){.exchange = x,
                  .prompt_tokens = prompt,
                  .completion_tokens = completion,
                  .next = h->charges};
    h->charges = c;
    return c;
}

static model_manner manner_of(const settings *set)
{
    return (model_manner){.untold = set->untold,
                          .dense = set->dense,
                          .schema = set->able_to & 1,
                          .choice = set->able_to & 2,
                          .turn = set->able_to & 4,
                          .back = set->able_to & 8,
                          .gaps = set->gaps,
                          .first = world_counts_first(set)};
}

/* The choices that a server gives to a call. */
static size_t given(const world *w, const http_exchange *x)
{
    size_t n = wanted(x), most = w->set.choices ? w->set.choices : 1;
    return n < most ? n : most;
}

static rdv_str whole_body(http *h, const http_exchange *x, uint64_t *prompt, uint64_t *completion)
{
    rdv_arena_reset(h->arena);
    const model_manner manner = manner_of(&h->world->set);
    model_asked asked[REQUEST_MOST_DRAWS];
    size_t n = given(h->world, x);
    for (size_t i = 0; i < n; i++) {
        const call *c = waits_for(x, i);
        asked[i] = (model_asked){c ? c->sent.request : request_of(x), plan_of(c ? c : x->owner)};
    }
    return model_body(&manner, asked, n, rdv_str_of(x->url), x->body, h->arena, prompt, completion);
}

static const char *const members[] = {
    "temperature", "top_p",  "max_tokens",      "stop",    "logprobs",
    "n",           "stream", "response_format", "grammar", "continue_final_message"};

static bool has_member(const http_exchange *x, size_t i)
{
    char name[32];
    snprintf(name, sizeof name, "\"%s\":", members[i]);
    return rdv_find(x->body, rdv_str_of(name), 0) != RDV_NOT_FOUND;
}

/* The bit of a member in world.refused: the address says which server it is. */
static unsigned bit_of(const http_exchange *x, unsigned member)
{
    const char *port = strchr(x->url + 5, ':');
    return (port ? (unsigned)strtoul(port + 1, NULL, 10) % 4 : 0) * 4 + member;
}

static bool scores(const http_exchange *x)
{
    return rdv_find(x->body, RDV_STR("\"prompt_logprobs\":"), 0) != RDV_NOT_FOUND;
}

/* The place of the first member that this server no longer takes, and that the request has; -1:
 * there is none. */
static int refused_member(const world *w, const http_exchange *x)
{
    if (!rdv_ends(rdv_str_of(x->url), RDV_STR("/chat/completions")) || scores(x))
        return -1; /* there, other forms are not to be had */
    for (unsigned i = 0; i < sizeof members / sizeof *members; i++) {
        bool refused = (w->set.lacks >> i) & 1 || (i < 3 && (w->refused >> bit_of(x, i)) & 1);
        if (refused && has_member(x, i))
            return (int)i;
    }
    return -1;
}

static void refuse(http_exchange *x, const char *member)
{
    char body[256];
    snprintf(body, sizeof body,
             "{\"error\":{\"message\":\"Unsupported parameter: '%s' is not supported for the key "
             "%s\",\"param\":\"%s\",\"code\":\"unsupported_parameter\"}}",
             member, API_KEY, member);
    respond(x, 400, rdv_str_of(body));
}

static void begin_to_refuse(world *w, const http_exchange *x)
{
    w->refused |= 1u << bit_of(x, (unsigned)rdv_rng_below(&w->rng, 3));
}

#define MODEL(owner) "{\"data\":[{\"id\":\"m\",\"owned_by\":\"" owner "\"},{\"id\":\"c\"}]}"
static const char *const models[] = {
    "{\"object\":\"list\",\"data\":[{\"id\":\"m\",\"object\":\"model\"}]}",
    MODEL("llamacpp"),
    MODEL("vllm"),
    MODEL("sglang"),
    MODEL("library"),
    ("{\"data\":[{\"id\":\"a\"},{\"id\":\"b\"},{\"id\":\"d\"},{\"id\":\"e\"},{\"id\":\"f\"},{"
     "\"id\":"
     "\"g\"}]}")};

static rdv_str about_server(const world *w, const http_exchange *x, long *status)
{
    *status = w->set.able ? 200 : 404;
    if (!w->set.able)
        return RDV_STR("{\"error\":{\"message\":\"Not Found\"}}");
    if (rdv_ends(rdv_str_of(x->url), RDV_STR("/models")))
        return rdv_str_of(models[w->set.software % (sizeof models / sizeof *models)]);
    return RDV_STR("{\"total_slots\":6}");
}

/* Whether the servers have the address at all. */
static bool takes(const world *w, const http_exchange *x)
{
    rdv_str url = rdv_str_of(x->url);
    return rdv_ends(url, RDV_STR("/chat/completions")) ||
           (w->set.able && !rdv_ends(url, RDV_STR("/tokenize")));
}

/* The keys of the requests that a response answers. */
static void note_answers(const http *h, const http_exchange *x, charge *c)
{
    const model_manner manner = manner_of(&h->world->set);
    size_t n = x->owner ? given(h->world, x) : 0;
    for (size_t i = 0; i < n; i++) {
        const call *of = waits_for(x, i);
        if (of && (n == 1 || !model_leaves_gap(&manner, of->sent.request)))
            memcpy(c->keys[c->n_keys++], of->key, 32);
    }
}

static void answer(http *h, http_exchange *x)
{
    world *w = h->world;
    uint64_t prompt, completion;
    long status;
    int member = refused_member(w, x);
    if (!x->body.p) {
        rdv_str body = about_server(w, x, &status);
        respond(x, status, body);
    } else if (!takes(w, x)) {
        respond(x, 404, RDV_STR("{\"error\":{\"message\":\"Not Found\"}}"));
    } else if (scores(x) && !w->set.able) {
        refuse(x, "prompt_logprobs");
    } else if (member >= 0) {
        refuse(x, members[member]);
    } else if (w->set.choosy && wanted(x) > given(w, x)) {
        respond(x, 400, RDV_STR("{\"error\":{\"message\":\"too many choices\"}}"));
    } else {
        respond(x, 200, whole_body(h, x, &prompt, &completion));
        note_answers(h, x, charge_for(h, x, prompt, completion));
    }
}

/* A part of a whole response, which ends before the reply says that it is complete. */
static void cut(http *h, http_exchange *x)
{
    uint64_t prompt, completion;
    if (!x->body.p) {
        respond(x, 200, RDV_STR("{\"object\":\"li"));
        return;
    }
    rdv_str body = whole_body(h, x, &prompt, &completion);
    bool stream = rdv_starts(body, RDV_STR("data:"));
    size_t most =
        rdv_find(body, stream ? RDV_STR("\"finish_reason\":\"") : RDV_STR(",\"usage\""), 0);
    most = most == RDV_NOT_FOUND ? 1 : most;
    respond(x, 200, rdv_slice(body, 0, (size_t)rdv_rng_below(&h->world->rng, most)));
}

static void be_garbage(world *w, http_exchange *x)
{
    static const char *const bodies[] = {
        "",
        "null",
        "<html><body>" API_KEY " is well known here</body></html>",
        "{\"choices\":[]}",
        "[[[[[[[[[[[[[[[[[[[[[[",
        "{\"error\":{\"message\":\"" API_KEY " busy\"}}",
        ("{\"choices\":[{\"index\":0,\"message\":{\"content\":\"Yes\"},\"finish_reason\":null}],"
         "\"error\":\"out of memory\"}"),
    };
    size_t n = sizeof bodies / sizeof *bodies;
    respond(x, 200, rdv_str_of(bodies[rdv_rng_below(&w->rng, n)]));
}

static void be_busy(world *w, http_exchange *x)
{
    static const char *const waits[] = {NULL,
                                        "0",
                                        "1",
                                        "2.5",
                                        "120",
                                        "-1",
                                        "soon",
                                        "1e99",
                                        "  3  ",
                                        "",
                                        "Tue, 14 Nov 2023 22:13:25 GMT"};
    const char *wait = waits[rdv_rng_below(&w->rng, sizeof waits / sizeof *waits)];
    respond(x, 429, RDV_STR("{\"error\":{\"message\":\"Rate limit reached for " API_KEY "\"}}"));
    if (wait)
        x->retry_after_ms = retry_after_ms(wait, (int64_t)(clock_ms_since_1970() / 1000));
}

static void be_down(world *w, http_exchange *x)
{
    static const long statuses[] = {500, 502, 503, 504, 408};
    respond(x, statuses[rdv_rng_below(&w->rng, 5)],
            RDV_STR("{\"error\":{\"message\":\"overloaded\"},\"usage\":{\"prompt_tokens\":3,"
                    "\"completion_tokens\":0}}"));
}

static void be_odd(world *w, http *h, http_exchange *x)
{
    static const long statuses[] = {202, 204, 206};
    uint64_t prompt, completion;
    long status = statuses[rdv_rng_below(&w->rng, 3)];
    rdv_str body = x->body.p && status == 206 && takes(w, x)
                       ? whole_body(h, x, &prompt, &completion)
                       : RDV_STR("{}");
    respond(x, status, body);
    if (body.len > 2)
        charge_for(h, x, prompt, completion);
}

/* Remove what the exchange would be charged with; NULL: nothing. The caller frees it. */
static charge *take_charge(http *h, const http_exchange *x)
{
    for (charge **at = &h->charges; *at; at = &(*at)->next) {
        charge *c = *at;
        if (c->exchange == x) {
            *at = c->next;
            return c;
        }
    }
    return NULL;
}

/* The reply is whole as the time is up: it is not used, and the request is sent again. */
static void be_late(http *h, http_exchange *x)
{
    answer(h, x);
    free(take_charge(h, x));
    fail(x, HTTP_TIMEOUT, "Operation timed out");
}

/* The last event of a stream, which has the usage, comes again, or the whole stream does after its
 * end: the reply is the same, and is charged once. Two objects in one body are no reply. */
static void arrive_twice(http *h, http_exchange *x)
{
    answer(h, x);
    if (x->status != 200)
        return;
    rdv_str body = {x->data, x->len}, end = RDV_STR("data: [DONE]");
    size_t from = rdv_find(body, RDV_STR("data: {\"choices\":[]"), 0), to = rdv_find(body, end, 0);
    char *twice = NULL;
    if (from == RDV_NOT_FOUND || to == RDV_NOT_FOUND)
        free(take_charge(h, x));
    if (from == RDV_NOT_FOUND || to == RDV_NOT_FOUND || rdv_rng_below(&h->world->rng, 2))
        from = 0, to = body.len;
    int n = asprintf(&twice, "%.*s%.*s", (int)to, body.p, (int)(body.len - from), body.p + from);
    if (n < 0)
        abort();
    set_body(x, rdv_str_of(twice));
    free(twice);
}

static void complete(http *h, flight *f)
{
    http_exchange *x = f->exchange;
    world *w = h->world;
    switch (f->fate) {
    case FATE_GOOD:
        answer(h, x);
        break;
    case FATE_UNREACHABLE:
        fail(x, HTTP_UNREACHABLE, "Couldn't connect to server");
        break;
    case FATE_BROKEN:
        cut(h, x);
        fail(x, HTTP_BROKEN, "transfer closed with outstanding read data remaining");
        break;
    case FATE_SILENT:
        fail(x, HTTP_TIMEOUT, "Operation timed out");
        break;
    case FATE_STALLED:
        cut(h, x);
        fail(x, HTTP_TIMEOUT, "the reply stopped coming");
        break;
    case FATE_CUT:
        cut(h, x);
        break;
    case FATE_GARBAGE:
        be_garbage(w, x);
        break;
    case FATE_BUSY:
        be_busy(w, x);
        break;
    case FATE_DOWN:
        be_down(w, x);
        if (asks_model(x))
            charge_for(h, x, 3, 0);
        break;
    case FATE_LATE:
        be_late(h, x);
        break;
    case FATE_ODD:
        be_odd(w, h, x);
        break;
    case FATE_REFUSES:
        begin_to_refuse(w, x);
        answer(h, x);
        break;
    case FATE_TWICE:
        arrive_twice(h, x);
        break;
    case N_FATES:
        break;
    }
    *x->heard = w->now;
    land(h, f);
    http_queue_push(x->done, x);
    h->n_done++;
}

/* ---- taking ---------------------------------------------------------------------------------- */

http_exchange *http_next(http *h, http_queue *q)
{
    http_exchange *x = http_queue_pop(q);
    if (!x)
        return NULL;
    h->n_done--;
    charge *c = take_charge(h, x);
    if (c) {
        h->world->prompt_tokens += c->prompt_tokens;
        h->world->completion_tokens += c->completion_tokens;
        for (size_t i = 0; i < c->n_keys; i++)
            keys_add(&h->world->answered, c->keys[i]);
    }
    free(c);
    return x;
}

void http_abort(http *h, http_exchange *x)
{
    world_note(h->world, NOTE_CALLS, "%s is abandoned", x->url);
    if (x->easy) {
        land(h, x->easy);
    } else {
        http_queue_remove(x->done, x);
        h->n_done--;
        free(take_charge(h, x));
    }
    http_exchange_release(x);
}

bool http_exchange_may_pass(const http_exchange *x)
{
    return x->end != HTTP_DONE || x->status == 429 || (x->status >= 502 && x->status <= 504);
}

void http_exchange_release(http_exchange *x)
{
    free(x->data);
    x->data = NULL;
    x->len = x->cap = 0;
}

/* ---- time ------------------------------------------------------------------------------------ */

static flight *first_due(const http *h)
{
    flight *first = NULL;
    for (flight *f = h->out; f; f = f->next)
        if (!first || f->due <= first->due) /* of equals the one that was started first */
            first = f;
    return first;
}

/* The process died, or the user ends the run. */
static void end_run(world *w)
{
    w->crashed |= disk_crashed();
    if (w->now - w->began > LONGEST_SESSION_MS)
        world_broken(w, "the run has not ended after %u days", LONGEST_SESSION_MS / 86400000u);
    if ((w->crashed || w->fault[0] || w->now >= w->stop_at) && w->run)
        rdv_run_stop(w->run);
}

/* A second process opens the journal of the run: it is refused, and changes nothing. */
static void try_rival(world *w)
{
    rdv_journal *rival;
    rdv_error err = {0};
    uint64_t changes = disk_changes();
    if (!w->journal || !w->set.rivals || disk_crashed() || w->waits++ % RIVAL_WAITS != 0)
        return;
    w->set.rivals--;
    int rc = rdv_journal_open(w->journal->path, RDV_JOURNAL_WRITE, &rival, &err);
    if (rc == RDV_OK)
        world_broken(w, "a second process was given the journal of a run");
    else if (rc != RDV_E_IO || !strstr(err.msg, "is in use by another process"))
        world_broken(w, "a second process was told %d: %s", rc, err.msg);
    if (disk_changes() != changes)
        world_broken(w, "a second process changed the disk under a run");
    rdv_journal_close(&rival);
}

void http_wait(http *h, uint64_t ms)
{
    world *w = h->world;
    world_note(w, NOTE_WAITS, "for %llu ms", (unsigned long long)ms);
    try_rival(w);
    if (w->journal && w->journal->in_transaction)
        world_broken(w, "replies were used, and are not committed while the run waits");
    flight *f = first_due(h);
    if (h->n_done == 0) {
        uint64_t until = w->now + ms;
        w->now = f && f->due < until ? (f->due > w->now ? f->due : w->now) : until;
    }
    while ((f = first_due(h)) && f->due <= w->now)
        complete(h, f);
    end_run(w);
}

void http_wake(http *h)
{
    (void)h;
}

uint64_t http_now(const http *h)
{
    return h->world->now;
}

int http_new(http **out, const http_options *options, rdv_error *err)
{
    http *h = calloc(1, sizeof *h);
    *out = NULL;
    if (!h)
        return rdv_no_memory(err);
    h->arena = rdv_arena_new(0);
    if (!h->arena) {
        free(h);
        return rdv_no_memory(err);
    }
    h->world = connected;
    h->options = *options;
    world_note(h->world, NOTE_CALLS, "at most %zu connections, %u ms to connect, %zu bytes",
               options->connections, options->connect_ms, options->max_body);
    *out = h;
    return RDV_OK;
}

void http_free(http **handle)
{
    http *h = handle ? *handle : NULL;
    if (!h)
        return;
    *handle = NULL;
    while (h->out)
        http_abort(h, h->out->exchange);
    for (charge *c; (c = h->charges);) {
        h->charges = c->next;
        free(c);
    }
    rdv_arena_free(&h->arena);
    free(h);
}
