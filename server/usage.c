/* SPDX-License-Identifier: Apache-2.0 */
#include "server/usage.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MINUTE_MS 60000.0
#define DAY_S 86400

usage *usage_new(void)
{
    usage *u = calloc(1, sizeof *u);
    if (u)
        u->holds = 1;
    return u;
}

usage *usage_hold(usage *u)
{
    u->holds++;
    return u;
}

void usage_release(usage **handle)
{
    usage *u = handle ? *handle : NULL;
    if (!u)
        return;
    *handle = NULL;
    if (--u->holds == 0)
        free(u);
}

usage_time usage_time_of(uint64_t ms, int64_t unix_s)
{
    return (usage_time){ms, unix_s / DAY_S, (unsigned)(unix_s % DAY_S)};
}

/* ---- requests -------------------------------------------------------------------------------- */

/* What has become free since the last request. */
static void refill(usage *u, double most, uint64_t now_ms)
{
    if (u->at_ms == 0)
        u->left = most;
    else
        u->left += (double)(now_ms - u->at_ms) * most / MINUTE_MS;
    u->left = u->left < most ? u->left : most;
    u->at_ms = now_ms ? now_ms : 1;
}

/* A clock that is set back begins no new day. */
static void turn_day(usage *u, usage_time now)
{
    if (now.day <= u->day)
        return;
    u->day = now.day;
    u->requests = 0;
    u->spent = (usage_amount){0};
}

static bool refuse(api_error *e, const char *code, unsigned seconds)
{
    e->code = code;
    e->retry_after = seconds;
    return false;
}

static bool refuse_today(api_error *e, usage_time now)
{
    return refuse(e, "insufficient_quota", DAY_S - now.s);
}

bool usage_enter(usage *u, const usage_limits *l, usage_time now, api_error *e)
{
    turn_day(u, now);
    if (l->at_once && u->open >= l->at_once) {
        api_error_set(e, 429, NULL, "%u requests are being answered, which is the limit.",
                      l->at_once);
        return refuse(e, "rate_limit_exceeded", 0);
    }
    if (l->per_day && u->requests >= l->per_day) {
        api_error_set(e, 429, NULL, "The limit is %u requests a day (UTC).", l->per_day);
        return refuse_today(e, now);
    }
    if (l->per_minute)
        refill(u, l->per_minute, now.ms);
    if (l->per_minute && u->left < 1) {
        api_error_set(e, 429, NULL, "The limit is %u requests a minute.", l->per_minute);
        return refuse(e, "rate_limit_exceeded", (unsigned)ceil((1 - u->left) * 60 / l->per_minute));
    }
    u->left -= l->per_minute ? 1 : 0;
    u->open++;
    u->requests++;
    u->all_requests++;
    return true;
}

void usage_leave(usage *u)
{
    u->open--;
}

/* ---- tokens and cost ------------------------------------------------------------------------- */

static uint64_t sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t out;
    return __builtin_mul_overflow(a, b, &out) ? UINT64_MAX : out;
}

usage_amount usage_amount_of(uint64_t in, uint64_t price_in, uint64_t out, uint64_t price_out)
{
    return (usage_amount){sum(in, out), sum(times(in, price_in), times(out, price_out))};
}

static usage_amount plus(usage_amount a, usage_amount b)
{
    return (usage_amount){sum(a.tokens, b.tokens), sum(a.cost, b.cost)};
}

static bool fits(uint64_t limit, uint64_t used)
{
    return limit == 0 || used <= limit;
}

static bool all_fits(const usage_limits *l, usage_amount used)
{
    return fits(l->day.tokens, used.tokens) && fits(l->day.cost, used.cost);
}

static double dollars(uint64_t cost)
{
    return (double)cost / (double)USAGE_DOLLAR;
}

bool usage_reserve(usage *u, const usage_limits *l, usage_amount most, usage_time now,
                   usage_amount *reserved, api_error *e)
{
    turn_day(u, now);
    /* Within a limit, sums do not pass their type, so that what is taken off is what was added. */
    most.tokens = l->day.tokens ? most.tokens : 0;
    most.cost = l->day.cost ? most.cost : 0;
    usage_amount wanted = plus(u->spent, most), all = plus(wanted, u->reserved);
    if (all_fits(l, all)) {
        u->reserved = plus(u->reserved, most);
        *reserved = most;
        return true;
    }
    if (!fits(l->day.tokens, all.tokens))
        api_error_set(e, 429, NULL,
                      "The request may use %" PRIu64 " tokens; of the %" PRIu64
                      " of a day (UTC), %" PRIu64 " are used and %" PRIu64
                      " reserved for requests that are being answered.",
                      most.tokens, l->day.tokens, u->spent.tokens, u->reserved.tokens);
    else
        api_error_set(e, 429, NULL,
                      "The request may cost %.6g dollars; of the %.6g of a day (UTC), %.6g are "
                      "spent and %.6g reserved for requests that are being answered.",
                      dollars(most.cost), dollars(l->day.cost), dollars(u->spent.cost),
                      dollars(u->reserved.cost));
    if (all_fits(l, wanted)) /* it is reserved too much, which ends soon */
        return refuse(e, "rate_limit_exceeded", 1);
    return refuse_today(e, now);
}

void usage_settle(usage *u, usage_amount reserved, usage_amount used, bool estimated,
                  usage_time now)
{
    turn_day(u, now);
    u->reserved.tokens -= reserved.tokens;
    u->reserved.cost -= reserved.cost;
    u->spent = plus(u->spent, used);
    u->all_tokens[estimated] = sum(u->all_tokens[estimated], used.tokens);
    u->all_cost = sum(u->all_cost, used.cost);
}
