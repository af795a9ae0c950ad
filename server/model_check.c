/* SPDX-License-Identifier: Apache-2.0 */
#include "server/model_check.h"
#include "base/str.h"

#include <stdlib.h>

#define MOST_CHOICES 128 /* that are checked; further ones are unknown */

struct model_check {
    model_run *run;
    const rdv_method *method; /* which the plans point to */
    rdv_plan *plans[MOST_CHOICES];
    size_t n_plans;
};

model_check *model_check_new(const model_run_options *options)
{
    model_check *m = calloc(1, sizeof *m);
    if (m && !(m->run = model_run_new(options)))
        model_check_free(&m);
    return m;
}

void model_check_again(model_check *m)
{
    while (m->n_plans)
        rdv_plan_free(&m->plans[--m->n_plans]);
}

void model_check_free(model_check **handle)
{
    model_check *m = handle ? *handle : NULL;
    if (!m)
        return;
    *handle = NULL;
    model_check_again(m);
    model_run_free(&m->run);
    free(m);
}

model_run *model_check_run(model_check *m)
{
    return m->run;
}

rdv_str model_check_why(const model_check *m)
{
    return model_run_why(m->run, MODEL_RUN_CHECK);
}

int model_check_plan(model_check *m, const rdv_method *method, rdv_chain *chain, rdv_str type,
                     rdv_plan **plan, rdv_error *err)
{
    rdv_check_options check;
    rdv_plan_options options = model_run_plan(m->run);
    rdv_check_options_default(&check, sizeof check);
    check.step_ms = JUDGE_STEP_MS;
    check.chain_ms = JUDGE_REPLY_MS;
    m->method = method;
    options.methods = &m->method;
    options.n_methods = 1;
    options.check = &check;
    if (!options.question_type.p)
        options.question_type = type;
    return rdv_plan_check(chain, 1, &options, plan, err);
}

int model_check_chain(void *of, const rdv_method *method, rdv_chain *chain, rdv_check *out,
                      rdv_str *unknown, rdv_error *err)
{
    model_check *m = of;
    size_t n;
    if (m->n_plans == MOST_CHOICES)
        return rdv_fail(err, RDV_E_LIMIT, "more than %d choices are not checked", MOST_CHOICES);
    int rc = model_check_plan(m, method, chain, (rdv_str){0}, &m->plans[m->n_plans], err);
    m->n_plans += rc == RDV_OK;
    if (rc == RDV_OK)
        rc = model_run_answer(m->run, m->plans[m->n_plans - 1], err);
    if (rc != RDV_OK)
        return rc;
    const rdv_chain *checked = rdv_plan_chains(m->plans[m->n_plans - 1], &n);
    if (n != 1 || checked->n_checks == 0)
        return rdv_fail(err, RDV_E_INTERNAL, "the check has no result");
    *out = checked->checks[checked->n_checks - 1];
    *unknown = model_check_why(m);
    return RDV_OK;
}
