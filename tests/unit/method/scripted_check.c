/* SPDX-License-Identifier: Apache-2.0 */
#include "scripted_check.h"

#include "base/rng.h"

#define MAX_OUT 64

static rdv_str steps[] = {RDV_STR("There are 3 boxes of 4 pens."), RDV_STR("3 * 4 = 13."),
                          RDV_STR("So the answer is 13.")};

static double first[] = {-0.1, -0.3}, second[] = {-1}, third[] = {-0.5, -0.5};
rdv_logprobs logprobs[] = {{first, 2}, {second, 1}, {third, 2}};

rdv_chain chain_of(rdv_str gold)
{
    return (rdv_chain){.id = RDV_STR("q/0"),
                       .question = {.id = RDV_STR("q"),
                                    .text = RDV_STR("Three boxes hold 4 pens. How many?"),
                                    .gold = gold},
                       .steps = steps,
                       .n_steps = 3,
                       .answer = RDV_STR("13"),
                       .correct = -1};
}

const rdv_method *method_of(const char *name)
{
    const rdv_method *method = rdv_method_named(rdv_str_of(name));
    assert_non_null(method);
    return method;
}

rdv_check_options checking;

rdv_plan_options options_of(const rdv_method *const *method)
{
    rdv_plan_options o;
    rdv_plan_options_default(&o, sizeof o);
    rdv_check_options_default(&checking, sizeof checking);
    o.check = &checking;
    o.methods = method;
    o.n_methods = 1;
    return o;
}

/* ---- scripted replies ------------------------------------------------------------------------ */

const line *line_for(const line *script, const rdv_request *request)
{
    for (; script->stage; script++)
        if (rdv_find(request->stage, rdv_str_of(script->stage), 0) != RDV_NOT_FOUND &&
            rdv_find(request->sample, rdv_str_of(script->sample), 0) != RDV_NOT_FOUND)
            return script;
    fail_msg("nothing is scripted for %.*s, %.*s", RDV_FMT(request->stage),
             RDV_FMT(request->sample));
    return NULL;
}

static void answer_one(rdv_plan *plan, const line *script, const rdv_request *request)
{
    const line *said = line_for(script, request);
    rdv_reply reply = {.finish = RDV_FINISH_STOP, .prompt_tokens = 10, .completion_tokens = 1};
    if (!said->reply) {
        assert_int_equal(rdv_plan_fail(plan, request->id, RDV_FAIL_UNAVAILABLE,
                                       RDV_STR("no such endpoint"), NULL),
                         RDV_OK);
        return;
    }
    reply.text = rdv_str_of(said->reply);
    assert_int_equal(rdv_plan_reply(plan, request->id, &reply, NULL), RDV_OK);
}

size_t answer_all(rdv_plan *plan, const line *script, uint64_t seed)
{
    rdv_request out[MAX_OUT];
    size_t n = 0, asked = 0;
    rdv_rng rng;
    rdv_rng_seed(&rng, seed);
    while (!rdv_plan_done(plan)) {
        while (n < MAX_OUT && rdv_plan_next(plan, &out[n], NULL) == RDV_OK)
            n++, asked++;
        if (rdv_plan_done(plan))
            break;
        assert_true(n > 0);
        size_t i = (size_t)rdv_rng_below(&rng, n);
        rdv_request request = out[i];
        out[i] = out[--n];
        answer_one(plan, script, &request);
    }
    return asked;
}

rdv_plan *run(const rdv_chain *chain, const rdv_plan_options *o, const line *script, uint64_t seed,
              size_t *asked)
{
    rdv_plan *plan;
    rdv_error err = {0};
    if (rdv_plan_check(chain, 1, o, &plan, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    size_t n = answer_all(plan, script, seed);
    if (asked)
        *asked = n;
    return plan;
}

const rdv_check *check_of(const rdv_plan *plan, const char *method)
{
    size_t n;
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    const rdv_check *check = rdv_chain_check(chains, rdv_str_of(method));
    assert_non_null(check);
    return check;
}

double noted(const rdv_verdict *v, const char *name)
{
    const rdv_evidence *note = v->evidence ? rdv_evidence_get(v->evidence, rdv_str_of(name)) : NULL;
    return note ? note->number : NAN;
}
