/* SPDX-License-Identifier: Apache-2.0 */
#include "run/pool.h"
#include "base/str.h"

#define FAULTS_MOST 3 /* in a row, before a server is set aside */
#define PAUSE_MOST_MS ((uint64_t)60 * 1000)

void pool_add(pool *p, backend *b)
{
    b->pool = p;
    b->place = p->n;
    p->members[p->n++] = b;
}

static bool has_host(const pool *p, const host *h)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->members[i]->host == h)
            return true;
    return false;
}

static bool has_hosts_of(const pool *p, const pool *other)
{
    for (size_t i = 0; i < other->n; i++)
        if (!has_host(p, other->members[i]->host))
            return false;
    return true;
}

bool pool_same_hosts(const pool *a, const pool *b)
{
    return has_hosts_of(a, b) && has_hosts_of(b, a);
}

/* ---- which servers may be sent a call -------------------------------------------------------- */

static uint64_t bit(const backend *b)
{
    return UINT64_C(1) << b->place;
}

static bool is_aside(const backend *b)
{
    return b->host->pause_ms > 0;
}

static bool is_fit(const backend *b, const call *c)
{
    return !b->left_out && !(c && c->unfit & bit(b));
}

static bool is_untried(const backend *b, const call *c)
{
    return !c || !(c->tried & bit(b));
}

/* The servers among which one is chosen. */
typedef struct choice {
    bool working; /* only those that are not set aside, and those that are to be tried again */
    bool untried; /* only those that were not sent the call, as one of them takes calls now */
} choice;

static choice choose_among(const pool *p, const call *c, uint64_t now)
{
    choice all = {0};
    for (size_t i = 0; i < p->n; i++) {
        const backend *b = p->members[i];
        bool works = is_fit(b, c) && !is_aside(b);
        all.working |= works;
        all.untried |= works && is_untried(b, c) && b->host->limit.hold_until <= now;
    }
    return all;
}

/* As long as a host has answered nothing, a call that waits to be retried after a fault keeps its
 * place: a host that is down is tried by a few calls only. */
static uint64_t host_wait(host *h, uint64_t now)
{
    if (h->answers == 0 && h->limit.in_flight + h->waiting >= limit_window(&h->limit))
        return LIMIT_NEVER;
    return limit_wait(&h->limit, now);
}

/* Whether another server, which works, is to be sent the call once more. */
static bool stays_elsewhere(const backend *b, const call *c)
{
    return c && c->stays && c->backend != b && !c->backend->left_out && !is_aside(c->backend);
}

/* Milliseconds until the server can be sent the call. */
static uint64_t member_wait(const backend *b, const call *c, choice among, uint64_t now)
{
    host *h = b->host;
    uint64_t pause = 0;
    bool stays = c && c->stays && c->backend == b;
    if (!is_fit(b, c) || b->held || (among.untried && !stays && !is_untried(b, c)))
        return LIMIT_NEVER;
    if (stays_elsewhere(b, c))
        return LIMIT_NEVER;
    if (among.working && is_aside(b)) {
        if (h->limit.in_flight > 0)
            return LIMIT_NEVER; /* it is being tried */
        pause = h->aside_until > now ? h->aside_until - now : 0;
    }
    uint64_t wait = host_wait(h, now);
    return wait > pause ? wait : pause;
}

/* The least time of a reply of any server stands for that of one that has sent none. */
static double least_time(const pool *p)
{
    double least = 0;
    for (size_t i = 0; i < p->n; i++) {
        double time = p->members[i]->reply_ms;
        if (time > 0 && (least == 0 || time < least))
            least = time;
    }
    return least > 0 ? least : 1;
}

static double cost(const backend *b, double unknown)
{
    return (double)(b->host->limit.in_flight + 1) * (b->reply_ms > 0 ? b->reply_ms : unknown);
}

/* Of two that cost the same, one that has sent no reply is tried. */
static bool is_better(const backend *b, const backend *best, double unknown)
{
    double of_b = cost(b, unknown), of_best = cost(best, unknown);
    return of_b < of_best || (of_b == of_best && b->reply_ms == 0 && best->reply_ms > 0);
}

backend *pool_pick(const pool *p, const call *c, uint64_t now)
{
    choice among = choose_among(p, c, now);
    double unknown = least_time(p);
    backend *best = NULL;
    for (size_t i = 0; i < p->n; i++) {
        backend *b = p->members[i];
        if (member_wait(b, c, among, now) == 0 && (!best || is_better(b, best, unknown)))
            best = b;
    }
    return best;
}

uint64_t pool_wait(const pool *p, const call *c, uint64_t now)
{
    choice among = choose_among(p, c, now);
    uint64_t least = LIMIT_NEVER;
    for (size_t i = 0; i < p->n; i++) {
        uint64_t wait = member_wait(p->members[i], c, among, now);
        least = wait < least ? wait : least;
    }
    return least;
}

bool pool_has_other(const pool *p, const call *c)
{
    return choose_among(p, c, run_now(p->run)).untried;
}

bool pool_fits(const pool *p, const call *c)
{
    bool left = false;
    for (size_t i = 0; i < p->n; i++)
        left |= is_fit(p->members[i], c);
    return left;
}

bool pool_asks_many(const pool *p)
{
    bool asks = false;
    for (size_t i = 0; i < p->n; i++) {
        const backend *b = p->members[i];
        asks |= b->asks_many && b->abilities.many != RDV_CANNOT && b->most_choices != 1;
    }
    return asks;
}

void backend_gives(backend *b, size_t choices)
{
    size_t most = choices ? choices : 1;
    if (b->most_choices == 0 || most < b->most_choices)
        b->most_choices = most;
}

void pool_unfit(call *c, const backend *b)
{
    c->unfit |= bit(b);
    c->stays = false;
}

void pool_tried(call *c, const backend *b)
{
    c->tried |= bit(b);
    c->stays = false;
}

/* ---- how its servers fare -------------------------------------------------------------------- */

bool pool_others_work(const pool *p, const backend *b)
{
    for (size_t i = 0; i < p->n; i++) {
        const backend *other = p->members[i];
        if (other != b && !other->left_out && !is_aside(other))
            return true;
    }
    return false;
}

static void set_aside(pool *p, backend *b, const char *why)
{
    host *h = b->host;
    uint64_t now = run_now(p->run), first = p->run->options.backoff_ms;
    if (is_aside(b) && now < h->aside_until)
        return; /* a call that was in flight when it was set aside */
    h->pause_ms = is_aside(b) ? 2 * h->pause_ms : first ? first : 1;
    if (h->pause_ms > PAUSE_MOST_MS)
        h->pause_ms = PAUSE_MOST_MS;
    h->aside_until = now + h->pause_ms;
    if (!h->told_aside && pool_others_work(p, b)) {
        h->told_aside = true;
        run_notice(p->run, "%.*s is set aside and tried again later; the other servers go on: %s",
                   RDV_FMT(h->name), why);
    }
}

/* A single server is never set aside: its calls are retried, and its window of calls shrinks. */
void pool_fault(pool *p, backend *b, bool at_once, const char *why)
{
    if (p->n == 1)
        return;
    if (++b->host->faults >= FAULTS_MOST || at_once || is_aside(b))
        set_aside(p, b, why);
}

void pool_works(pool *p, backend *b)
{
    host *h = b->host;
    h->faults = 0;
    if (!is_aside(b))
        return;
    h->pause_ms = 0;
    limit_restart(&h->limit);
    if (h->told_aside && !h->told_back) {
        h->told_back = true;
        run_notice(p->run, "%.*s answers again", RDV_FMT(h->name));
    }
}

bool pool_leave_out(pool *p, backend *b)
{
    bool left = false;
    for (size_t i = 0; i < p->n; i++)
        left |= p->members[i] != b && !p->members[i]->left_out;
    b->left_out |= left;
    return left;
}

bool pool_unreachable(const pool *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const backend *b = p->members[i];
        if (!b->left_out && (!is_aside(b) || b->host->responses > 0))
            return false;
    }
    return true;
}

uint64_t pool_answers(const pool *p)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->members[i]->host->answers;
    return sum;
}

uint64_t pool_responses(const pool *p)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->members[i]->host->responses;
    return sum;
}

uint64_t pool_given_up(const pool *p)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->members[i]->host->given_up;
    return sum;
}
