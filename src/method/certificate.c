/* SPDX-License-Identifier: Apache-2.0 */
#include "method/certificate.h"

#include "base/arena.h"
#include "base/str.h"
#include "decide/claim.h"
#include "method/answer_sentence.h"
#include "method/chain_calculator.h"
#include "method/decided_label.h"
#include "method/value_flow.h"
#include "task/follow.h"

#include <rederive/answer.h>
#include <rederive/text.h>

typedef struct certifying {
    const rdv_chain *chain;
    size_t calculated; /* bytes of the last step, up to where its calculations end; 0: none */
    const rdv_check_options *options;
    rdv_arena *arena;
    certificate *out;
    bool failed; /* out of memory */
} certifying;

/* A gap whose reason is static or borrowed. */
static void add(certifying *c, size_t step, rdv_str why)
{
    certificate *o = c->out;
    c->failed |= !why.p;
    o->gaps[o->n_gaps++] = (certificate_gap){step, why};
}

#define ADD(c, step, ...) add((c), (step), rdv_str_printf((c)->arena, __VA_ARGS__))

bool certificate_has(rdv_str method)
{
    rdv_check check = {.method = method};
    return rdv_str_eq(method, RDV_STR("calculations")) || decided_reads_in_full(&check);
}

/* ---- calculations ---------------------------------------------------------------------------- */

static int follow_steps(certifying *c, rdv_calculator *calculator, value_flow *flow, rdv_error *err)
{
    for (size_t i = 0; i < c->chain->n_steps; i++) {
        calc_list calcs;
        value_fault fault;
        rdv_str before = value_flow_last(flow);
        int code = calculator_step(calculator, c->chain->steps[i], &calcs, err);
        if (code >= 0)
            code = value_flow_step(flow, c->chain->steps[i], &calcs, &fault, err);
        if (code < 0)
            return code;
        if (fault.is)
            add(c, i, value_fault_says(&fault, before, c->arena));
        c->calculated = 0;
        for (size_t k = 0; k < calcs.n; k++) {
            size_t end = calc_list_see(&calcs, k)->end;
            c->calculated = end > c->calculated ? end : c->calculated;
        }
    }
    return RDV_OK;
}

/* The last step has to assert the answer: by its last calculation, which results in it, or in a
 * sentence. */
static int judge_assertion(certifying *c, rdv_str answer, rdv_error *err)
{
    bool asserted;
    int code = answer_sentence_asserts(c->chain->steps[c->chain->n_steps - 1], c->calculated,
                                       answer, c->chain->question.text, c->arena, &asserted, err);
    if (code == RDV_OK && !asserted)
        ADD(c, RDV_WHOLE_CHAIN, "the last step does not assert that the answer is %.*s",
            RDV_FMT(answer));
    return code;
}

/* "The answer is 12." in the last step, behind the result 28 of the chain's answer. */
static int judge_stated(certifying *c, rdv_str answer, rdv_error *err)
{
    const rdv_chain *chain = c->chain;
    rdv_question question = {.gold = answer};
    rdv_answer_form form = rdv_answer_form_of(&question);
    rdv_comparison found;
    rdv_str body, stated;
    if (!answer.p || !chain->n_steps ||
        !follow_answer(chain->steps[chain->n_steps - 1], &body, &stated) || !stated.len ||
        rdv_find_char(stated, '=', 0) != RDV_NOT_FOUND) /* a calculation */
        return RDV_OK;
    int code = rdv_answer_compare(stated, answer, &form, NULL, c->arena, &found, err);
    if (code == RDV_OK && found.is == RDV_DIFFERENT && found.answer_as.p)
        ADD(c, RDV_WHOLE_CHAIN, "the answer is %.*s, and the last step says that it is %.*s",
            RDV_FMT(answer), RDV_FMT(stated));
    return code < 0 ? code : RDV_OK;
}

static int follow_to_answer(certifying *c, const value_flow *flow, rdv_str answer, rdv_error *err)
{
    rdv_str last = value_flow_last_side(flow);
    bool is = false;
    int code = answer.p ? value_flow_is_last(flow, answer, &is, err) : RDV_OK;
    if (!last.p)
        add(c, RDV_WHOLE_CHAIN, RDV_STR("there is no calculation"));
    else if (!answer.p)
        add(c, RDV_WHOLE_CHAIN, RDV_STR("there is no answer that could be read"));
    else if (code == RDV_OK && !is)
        ADD(c, RDV_WHOLE_CHAIN, "the answer is %.*s, and the latest result is %.*s",
            RDV_FMT(answer), RDV_FMT(last));
    if (code == RDV_OK && is)
        code = judge_stated(c, answer, err);
    if (code == RDV_OK && is && !c->out->n_gaps)
        code = judge_assertion(c, answer, err);
    return code;
}

static int follow_values(certifying *c, rdv_str answer, rdv_error *err)
{
    value_flow *flow = value_flow_new(c->arena, c->chain->question.text,
                                      chain_decimal(c->chain, c->options->decimal));
    rdv_calculator *calculator = chain_calculator_new(c->chain, c->options, c->arena);
    int code = flow && calculator ? RDV_OK : rdv_no_memory(err);
    if (code == RDV_OK)
        code = follow_steps(c, calculator, flow, err);
    if (code == RDV_OK)
        code = follow_to_answer(c, flow, answer, err);
    rdv_calculator_free(&calculator);
    return code;
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static bool states_answer(const rdv_chain *chain)
{
    rdv_str body, answer;
    return chain->n_steps && follow_answer(chain->steps[chain->n_steps - 1], &body, &answer);
}

/* What follows a task reads its steps, and the answer in the last one, in full. */
static void follow_verdicts(certifying *c, const rdv_check *check)
{
    size_t decided = decided_steps(check);
    for (size_t i = 0; i < check->n_verdicts; i++) {
        const rdv_verdict *v = &check->verdicts[i];
        if (v->kind == RDV_CONTRADICT || v->kind == RDV_UNKNOWN)
            add(c, v->step, v->why.p ? v->why : RDV_STR("undecided"));
    }
    if (decided == c->chain->n_steps && c->out->n_gaps == 0 &&
        decided_label(check, c->chain).kind != RDV_LABEL_NO_MISTAKE)
        add(c, RDV_WHOLE_CHAIN, RDV_STR("it is not decided as a whole"));
    else if (decided < c->chain->n_steps && c->out->n_gaps == 0)
        add(c, RDV_WHOLE_CHAIN, RDV_STR("not every step was checked"));
    if (!states_answer(c->chain))
        add(c, RDV_WHOLE_CHAIN, RDV_STR("the last step states no answer"));
}

int certificate_of(const rdv_chain *chain, const rdv_check *check, const rdv_check_options *options,
                   rdv_str answer, rdv_arena *arena, certificate *out, rdv_error *err)
{
    certifying c = {.chain = chain, .options = options, .arena = arena, .out = out};
    int code = RDV_OK;
    *out = (certificate){
        .gaps = RDV_NEW_ARRAY(arena, certificate_gap, chain->n_steps + check->n_verdicts + 4)};
    if (!out->gaps)
        return rdv_no_memory(err);
    if (!chain->question.text.len)
        add(&c, RDV_WHOLE_CHAIN, RDV_STR("the question is not known"));
    if (chain->n_steps == 0)
        add(&c, RDV_WHOLE_CHAIN, RDV_STR("there is no step"));
    if (chain->unfinished.p)
        add(&c, RDV_WHOLE_CHAIN, RDV_STR("the chain was cut off"));
    if (decided_reads_in_full(check))
        follow_verdicts(&c, check);
    else
        code = follow_values(&c, answer, err);
    out->certified = out->n_gaps == 0;
    return code == RDV_OK && c.failed ? rdv_no_memory(err) : code;
}
