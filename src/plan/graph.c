/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/graph.h"
#include "plan/why.h"

#include "base/arena.h"
#include "base/str.h"
#include "plan/request.h"

#define MAX_REQUEST_BYTES ((size_t)1 << 30)

void graph_init(graph *g, rdv_arena *arena)
{
    *g = (graph){.arena = arena};
}

void graph_free(graph *g)
{
    for (size_t i = 0; i < g->n_arenas; i++)
        rdv_arena_free(&g->arenas[i]);
}

/* ---- ready nodes: a binary heap by order ------------------------------------------------------
 */

static bool before(const node *a, const node *b)
{
    return a->order != b->order ? a->order < b->order : a->number < b->number;
}

static int push_ready(graph *g, node *n, rdv_error *err)
{
    if (!RDV_PUSH_ROOM(g->arena, g->ready, g->n_ready, g->cap_ready))
        return rdv_no_memory(err);
    size_t i = g->n_ready++;
    for (; i > 0 && before(n, g->ready[(i - 1) / 2]); i = (i - 1) / 2)
        g->ready[i] = g->ready[(i - 1) / 2];
    g->ready[i] = n;
    n->state = NODE_READY;
    g->n_open++;
    return RDV_OK;
}

static node *pop_ready(graph *g)
{
    if (!g->n_ready)
        return NULL;
    node *first = g->ready[0], *last = g->ready[--g->n_ready];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < g->n_ready) {
        if (child + 1 < g->n_ready && before(g->ready[child + 1], g->ready[child]))
            child++;
        if (!before(g->ready[child], last))
            break;
        g->ready[i] = g->ready[child];
        i = child;
    }
    g->ready[i] = last;
    return first;
}

/* ---- settling ---------------------------------------------------------------------------------
 */

static int settle(graph *g, node *n, node_state state, rdv_error *err)
{
    if (n->state == NODE_READY || n->state == NODE_OUT)
        g->n_open--;
    n->state = state;
    if (!RDV_PUSH_ROOM(g->arena, g->settled, g->n_settled, g->cap_settled))
        return rdv_no_memory(err);
    g->settled[g->n_settled++] = n;
    return RDV_OK;
}

static int leave_group(graph *g, node_group *group, rdv_error *err)
{
    return group && --group->open == 0 ? group->settled(g, group, err) : RDV_OK;
}

static int tell_dependents(graph *g, node *n, rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = 0; i < n->n_dependents && r == RDV_OK; i++) {
        node *d = n->dependents[i];
        if (--d->waiting == 0 && d->state == NODE_WAITING)
            r = g->closed ? settle(g, d, NODE_UNKNOWN, err) : push_ready(g, d, err);
        if (g->closed)
            d->why = rdv_str_of(rdv_failure_name(g->closed_by));
    }
    return r;
}

/* Notify everything that waits for settled nodes. Uses a stack, not recursion, because chains are
 * long. */
static int spread(graph *g, rdv_error *err)
{
    int r = RDV_OK;
    while (g->n_settled && r == RDV_OK) {
        node *n = g->settled[--g->n_settled];
        r = tell_dependents(g, n, err);
        if (r == RDV_OK)
            r = leave_group(g, n->group, err);
    }
    return r;
}

/* ---- building ---------------------------------------------------------------------------------
 */

node_group *graph_group(graph *g, int (*settled)(graph *, node_group *, rdv_error *), void *data)
{
    node_group *group = RDV_NEW(g->arena, node_group);
    if (group)
        *group = (node_group){.settled = settled, .data = data, .open = 1};
    return group;
}

int graph_seal(graph *g, node_group *group, rdv_error *err)
{
    int r = leave_group(g, group, err);
    return r == RDV_OK ? spread(g, err) : r;
}

node *graph_add(graph *g, const node *like, node_group *group)
{
    node *n = RDV_NEW(g->arena, node);
    if (!n)
        return NULL;
    *n = (node){.kind = like->kind,
                .data = like->data,
                .stage = like->stage,
                .sample = like->sample,
                .dry = like->dry,
                .order = like->order,
                .tries = like->tries,
                .of_step = like->of_step,
                .step = like->step,
                .group = group,
                .number = g->n_added++,
                .waiting = 1}; /* for graph_start() */
    if (group)
        group->open++;
    return n;
}

int graph_after(graph *g, node *n, node *other)
{
    if (node_is_settled(other))
        return RDV_OK;
    if (!RDV_PUSH_ROOM(g->arena, other->dependents, other->n_dependents, other->cap_dependents))
        return RDV_E_NOMEM;
    other->dependents[other->n_dependents++] = n;
    n->waiting++;
    return RDV_OK;
}

int graph_start(graph *g, node *n, rdv_error *err)
{
    if (--n->waiting > 0 || n->state != NODE_WAITING)
        return RDV_OK;
    if (!g->closed)
        return push_ready(g, n, err);
    n->why = rdv_str_of(rdv_failure_name(g->closed_by));
    int r = settle(g, n, NODE_UNKNOWN, err);
    return r == RDV_OK ? spread(g, err) : r;
}

/* Queue the cancellation of request `n->request` for the driver. */
static int cancel_request(graph *g, node *n, rdv_error *err)
{
    if (!RDV_PUSH_ROOM(g->arena, g->cancelled, g->n_cancelled, g->cap_cancelled))
        return rdv_no_memory(err);
    g->cancelled[g->n_cancelled++] = n->request;
    n->cancelled = true;
    return RDV_OK;
}

int graph_drop(graph *g, node *n, rdv_error *err)
{
    if (node_is_settled(n))
        return RDV_OK;
    int r = n->state == NODE_OUT ? cancel_request(g, n, err) : RDV_OK;
    if (r == RDV_OK)
        r = settle(g, n, NODE_DROPPED, err); /* the heap skips it if it is ready */
    return r;
}

/* ---- driving ----------------------------------------------------------------------------------
 */

/* The same request at temperature 0 would get the same reply: a repeated request includes a
 * reminder of the required form, or is not sent. */
static bool can_be_reminded(const rdv_request *request)
{
    size_t n = request->n_messages;
    return request->reminder.len && n && request->messages[n - 1].role == RDV_USER;
}

static int remind(rdv_request *request, rdv_arena *arena, rdv_error *err)
{
    size_t n = request->n_messages;
    rdv_message *messages = RDV_NEW_ARRAY(arena, rdv_message, n);
    if (!messages)
        return rdv_no_memory(err);
    memcpy(messages, request->messages, n * sizeof *messages);
    messages[n - 1].text = rdv_str_printf(arena, "%.*s\n\n%.*s", RDV_FMT(messages[n - 1].text),
                                          RDV_FMT(request->reminder));
    request->messages = messages;
    return messages[n - 1].text.p ? RDV_OK : rdv_no_memory(err);
}

/* An empty arena for one request; NULL: out of memory. */
static rdv_arena *take_arena(graph *g)
{
    if (g->n_spare) {
        rdv_arena *arena = g->spare[--g->n_spare];
        rdv_arena_reset(arena);
        return arena;
    }
    if (!RDV_PUSH_ROOM(g->arena, g->arenas, g->n_arenas, g->cap_arenas))
        return NULL;
    while (g->cap_spare <= g->n_arenas)
        if (!RDV_PUSH_ROOM(g->arena, g->spare, g->cap_spare, g->cap_spare))
            return NULL;
    rdv_arena *arena = rdv_arena_new(MAX_REQUEST_BYTES);
    if (arena)
        g->arenas[g->n_arenas++] = arena;
    return arena;
}

/* The request of the node is answered: its contents stay until another one is rendered. A cancelled
 * request may still be in flight. */
static void leave_arena(graph *g, node *n)
{
    g->spare[g->n_spare++] = n->rendered;
    n->rendered = NULL;
}

static int render(graph *g, node *n, const rdv_str model[2], rdv_request *request, rdv_error *err)
{
    *request = (rdv_request){.kind = RDV_REQUEST_CHAT};
    int r = n->kind->ask(n, n->rendered, request, err);
    if (r != RDV_OK)
        return r;
    bool greedy = request->sampling.temperature == 0; /* false if no temperature is given */
    n->same_again = greedy && !can_be_reminded(request);
    if (n->asked && greedy && (r = remind(request, n->rendered, err)) != RDV_OK)
        return r;
    request->id = g->n_asked;
    request->stage = n->stage;
    request->model = model[request->party];
    request->sample = rdv_str_printf(g->arena, "%.*s, try %u", RDV_FMT(n->sample), n->asked);
    if (!request->sample.p || !RDV_PUSH_ROOM(g->arena, g->asked, g->n_asked, g->cap_asked))
        return rdv_no_memory(err);
    request_key(request);
    g->asked[g->n_asked++] = n;
    n->request = request->id;
    n->party = request->party;
    n->asked++;
    n->state = NODE_OUT;
    return graph_keep_request(g, n, request, err);
}

static int ask(graph *g, node *n, const rdv_str model[2], rdv_request *request, rdv_error *err)
{
    n->rendered = take_arena(g);
    if (!n->rendered)
        return rdv_no_memory(err);
    int r = render(g, n, model, request, err);
    if (r == RDV_NONE)
        leave_arena(g, n);
    return r;
}

int graph_next(graph *g, const rdv_str model[2], rdv_request *request, rdv_error *err)
{
    node *n;
    while ((n = pop_ready(g)) != NULL) {
        if (n->state != NODE_READY)
            continue; /* dropped while it was ready */
        int r = ask(g, n, model, request, err);
        if (r != RDV_NONE)
            return r;
        r = settle(g, n, NODE_UNKNOWN, err);
        if (r == RDV_OK)
            r = spread(g, err);
        if (r < 0)
            return r;
    }
    return RDV_NONE;
}

/* The node that waits for a reply to request `id`. NULL with *r == RDV_OK: the request was
 * cancelled. */
static node *answered_by(graph *g, uint64_t id, int *r, rdv_error *err)
{
    node *n = id < g->n_asked ? g->asked[id] : NULL;
    *r = RDV_OK;
    if (n && n->state == NODE_OUT && n->request == id)
        return n;
    if (!n || !n->cancelled || n->request != id)
        *r = rdv_fail(err, RDV_E_ARGUMENT, "request %llu is not waiting for a reply",
                      (unsigned long long)id);
    return NULL;
}

/* Every reply passes this check: a reply that failed, was cut off or is empty is not read. RDV_NONE
 * then, with the reason in n->why. */
static int read_whole(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    const node_kind *kind = n->kind;
    bool cut_off = reply->finish == RDV_FINISH_LENGTH && !kind->one_token && !kind->numbers;
    n->failed = reply->finish == RDV_FINISH_UNSAID || reply->finish == RDV_FINISH_OTHER;
    if (reply->finish == RDV_FINISH_UNSAID) {
        n->why =
            RDV_STR("the server gives no reply a finish_reason, so this one is not known to be "
                    "whole; --trust-unfinished reads such replies");
        return RDV_NONE;
    }
    if (reply->finish == RDV_FINISH_OTHER) {
        rdv_str said = reply->finish_said.len ? reply->finish_said : RDV_STR("other");
        n->why =
            rdv_str_printf(arena, "the server does not call the reply whole: %.*s", RDV_FMT(said));
        return n->why.p ? RDV_NONE : rdv_no_memory(err);
    }
    if (cut_off) {
        n->why = RDV_STR(WHY_CUT_OFF);
        int r = kind->keep_cut_off ? kind->keep_cut_off(n, reply, arena, err) : RDV_OK;
        return r < 0 ? r : RDV_NONE;
    }
    if (!kind->numbers && !reply->dry && rdv_trim(reply->text).len == 0) {
        n->failed = true;
        rdv_str where = reply->finish_said;
        n->why = where.len ? rdv_str_printf(arena, "the reply was empty: %.*s", RDV_FMT(where))
                           : RDV_STR("the reply was empty");
        return n->why.p ? RDV_NONE : rdv_no_memory(err);
    }
    n->why = (rdv_str){0};
    return kind->read(n, reply, arena, err);
}

int graph_reply(graph *g, uint64_t id, const rdv_reply *reply, rdv_error *err)
{
    int r;
    node *n = answered_by(g, id, &r, err);
    if (!n)
        return r;
    leave_arena(g, n);
    n->prompt_tokens += reply->prompt_tokens;
    n->completion_tokens += reply->completion_tokens;
    r = graph_keep_reply(g, n, reply, err);
    if (r == RDV_OK)
        r = read_whole(n, reply, g->arena, err);
    if (r < 0)
        return r;
    if (r == RDV_NONE && !n->why.p)
        n->why = RDV_STR(WHY_NOT_READ);
    if (r == RDV_NONE)
        graph_keep_why(g, n);
    if (r == RDV_NONE && n->asked < n->tries && !n->same_again && !g->closed) {
        g->n_open--; /* push_ready() counts it again */
        return push_ready(g, n, err);
    }
    r = settle(g, n, r == RDV_OK ? NODE_ANSWERED : NODE_UNKNOWN, err);
    return r == RDV_OK ? spread(g, err) : r;
}

int graph_fail(graph *g, uint64_t id, rdv_failure failure, rdv_str why, rdv_error *err)
{
    int r;
    node *n = answered_by(g, id, &r, err);
    if (!n)
        return r;
    leave_arena(g, n);
    n->failed = true;
    const char *name = rdv_failure_name(failure);
    n->why = why.len ? rdv_str_printf(g->arena, "%s: %.*s", name, RDV_FMT(why)) : rdv_str_of(name);
    if (!n->why.p)
        return rdv_no_memory(err);
    graph_keep_why(g, n);
    r = settle(g, n, NODE_UNKNOWN, err);
    return r == RDV_OK ? spread(g, err) : r;
}

int graph_close(graph *g, rdv_failure failure, rdv_error *err)
{
    g->closed = true;
    g->closed_by = failure;
    int r = RDV_OK;
    for (size_t id = 0; id < g->n_asked && r == RDV_OK; id++) {
        node *n = g->asked[id];
        if (n->state != NODE_OUT || n->request != id)
            continue;
        n->why = rdv_str_of(rdv_failure_name(failure));
        r = cancel_request(g, n, err);
        if (r == RDV_OK)
            r = settle(g, n, NODE_UNKNOWN, err);
    }
    for (node *n; r == RDV_OK && (n = pop_ready(g)) != NULL;) {
        if (n->state != NODE_READY)
            continue;
        n->why = rdv_str_of(rdv_failure_name(failure));
        r = settle(g, n, NODE_UNKNOWN, err);
    }
    return r == RDV_OK ? spread(g, err) : r;
}

uint64_t graph_needed(const graph *g)
{
    uint64_t n = 0;
    for (size_t id = 0; id < g->n_asked; id++)
        n += g->asked[id]->needed;
    return n;
}

void graph_spare_from(graph *g, size_t chain)
{
    for (size_t id = 0; id < g->n_asked; id++)
        if (g->asked[id]->order >= graph_order(chain, 0, 0))
            g->asked[id]->needed = false;
}

bool graph_done(const graph *g)
{
    return g->n_open == 0;
}
