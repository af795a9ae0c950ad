/* SPDX-License-Identifier: Apache-2.0 */
#include "server/relay_state.h"
#include "base/str.h"

static void on_judged(void *of)
{
    relay *r = of;
    r->ctx->wake(r->owner);
}

void relay_judge(relay *r)
{
    r->waiting = true;
    if (!judging_start(r->judging, r->ctx->loop, on_judged, r))
        relay_fail_memory(r);
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
        relay_end_with(r, &e, rdv_buf_str(&more));
    else
        relay_fail_memory(r);
}

bool relay_take_judgement(relay *r)
{
    const judgement *j = judging_result(r->judging);
    r->waiting = false;
    r->judged = true;
    if (!j)
        relay_fail_memory(r);
    else if (!j->admitted && j->rule.refuses)
        refuse_reply(r);
    else
        return true;
    return false;
}
