/* SPDX-License-Identifier: Apache-2.0 */
#include "server/relay_state.h"

static usage_time time_of(const relay *r)
{
    return check_cost_time(r->ctx->loop);
}

static usage_amount amount_of(const relay *r, size_t model, uint64_t in, uint64_t out)
{
    const serve_model *m = &r->ctx->options->models[model];
    return usage_amount_of(in, m->price_in, out, m->price_out);
}

/* A token stands for at least one byte. */
bool relay_reserve(relay *r, size_t bytes, api_error *e)
{
    usage_amount most = amount_of(r, r->asked.model, bytes, r->asked.most);
    if (!usage_reserve(r->holder->usage, &r->holder->rule.limits, most, time_of(r), &r->reserved,
                       e))
        return false;
    r->sent_bytes = bytes;
    return true;
}

bool relay_reserve_check(relay *r, api_error *e)
{
    r->check = (check_cost){.holder = r->holder,
                            .checker = &r->ctx->options->models[r->checker],
                            .tokens = r->asked.rule.asking.tokens};
    return check_cost_reserve(&r->check, time_of(r), e);
}

static void settle_check(relay *r)
{
    uint64_t in, out;
    model_run_used repair = {0};
    bool known = r->repair.draw ? step_draw_count(r->repair.draw, &repair)
                                : judging_tokens(r->judging, &in, &out);
    if (r->repair.draw) {
        in = repair.tokens_in;
        out = repair.tokens_out;
    }
    check_cost_settle(&r->check, known, in, out, time_of(r));
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

void relay_settle(relay *r)
{
    uint64_t in, out;
    bool estimated;
    if (r->check.is_reserved)
        settle_check(r);
    if (!r->sent_bytes)
        return;
    relay_tokens(r, &in, &out, &estimated);
    usage_settle(r->holder->usage, r->reserved, amount_of(r, r->asked.model, in, out), estimated,
                 time_of(r));
}
