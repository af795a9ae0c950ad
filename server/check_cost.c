/* SPDX-License-Identifier: Apache-2.0 */
#include "server/check_cost.h"

#include <time.h>
#include <uv.h>

usage_time check_cost_time(const struct uv_loop_s *loop)
{
    return usage_time_of(loop ? uv_now(loop) : 0, (int64_t)time(NULL));
}

static usage_amount amount_of(const check_cost *c, uint64_t in, uint64_t out)
{
    return usage_amount_of(in, c->checker->price_in, out, c->checker->price_out);
}

/* Of its tokens any may be of the dearer kind. */
static usage_amount most_of(const check_cost *c)
{
    bool reading = c->checker->price_in > c->checker->price_out;
    return amount_of(c, reading ? c->tokens : 0, reading ? 0 : c->tokens);
}

bool check_cost_reserve(check_cost *c, usage_time now, api_error *e)
{
    c->is_reserved =
        usage_reserve(c->holder->usage, &c->holder->rule.limits, most_of(c), now, &c->reserved, e);
    return c->is_reserved;
}

void check_cost_settle(check_cost *c, bool known, uint64_t in, uint64_t out, usage_time now)
{
    if (!c->is_reserved)
        return;
    c->is_reserved = false;
    usage_settle(c->holder->usage, c->reserved, known ? amount_of(c, in, out) : most_of(c), !known,
                 now);
}
