/* SPDX-License-Identifier: Apache-2.0 */
#include "server/own_check.h"
#include "base/str.h"
#include "server/relay_request.h"

#define MOST_SECONDS 540 /* of all records: less than a request may take */

/* ---- what is asked for ----------------------------------------------------------------------- */

/* NULL: none that the rule allows. */
static const rdv_method *method_of(const judge_rule *rule, rdv_str name)
{
    if (rdv_str_eq(name, RDV_STR(JUDGE_METHOD)))
        return rdv_method_named(name);
    if (rdv_str_eq(name, rdv_str_of(rule->method->name)))
        return rule->method;
    for (size_t i = 0; i < rule->n_others; i++)
        if (rdv_str_eq(name, rdv_str_of(rule->others[i]->name)))
            return rule->others[i];
    return NULL;
}

static bool choose_method(own_check *c, const judge_rule *rule, const char *name, api_error *e)
{
    c->method = name ? method_of(rule, rdv_str_of(name)) : rdv_method_named(RDV_STR(JUDGE_METHOD));
    return c->method ||
           api_error_set(e, 400, NULL,
                         "The rule of this key has no method '%.60s': the header rederive-method "
                         "must be '" JUDGE_METHOD "', or the rule's 'method' or one of its "
                         "'methods'.",
                         name);
}

/* The one that the rule names; else the one that the header does, or the only one. All of them can
 * be asked where a rule has a method that asks (cmd_serve.c). */
static bool choose_model(const serve_options *o, const char *by_rule, const char *name, size_t *out,
                         api_error *e)
{
    bool checked;
    const char *wanted = *by_rule ? by_rule : name;
    if (*by_rule && name && strcmp(by_rule, name) != 0)
        return api_error_set(e, 400, NULL, "By the rule of this key '%s' checks.", by_rule);
    if (!wanted && o->n_models > 1)
        return api_error_set(e, 400, NULL,
                             "The header rederive-model must name the model that checks; '%.*s' is "
                             "one.",
                             RDV_FMT(o->models[0].name));
    *out = wanted ? relay_request_model(o, rdv_str_of(wanted), &checked) : 0;
    if (*out == SIZE_MAX || (wanted && checked)) {
        api_error_set(e, 404, NULL, "The model '%.60s' does not exist here.", wanted);
        e->code = "model_not_found";
        return false;
    }
    return true;
}

static size_t count_lines(rdv_str text)
{
    size_t n = 1;
    for (size_t at = 0; (at = rdv_find_char(text, '\n', at)) != RDV_NOT_FOUND; at++)
        n += at + 1 < text.len;
    return n < JUDGE_MOST_RECORDS ? n : JUDGE_MOST_RECORDS;
}

/* Of each record what the check of a reply may use. */
static bool make(own_check *c, const relay_ctx *ctx, access_holder *holder, size_t checker,
                 size_t n, api_error *e)
{
    const serve_model *m = &ctx->options->models[checker];
    const judge_asking *asking = &holder->rule.judging.asking;
    uint64_t seconds = (uint64_t)asking->seconds * n;
    model_run_options options = relay_asking(ctx, checker, asking);
    options.tokens = asking->tokens * n;
    options.all_seconds = seconds < MOST_SECONDS ? (uint32_t)seconds : MOST_SECONDS;
    c->cost = (check_cost){.holder = holder, .checker = m, .tokens = options.tokens};
    if (!check_cost_reserve(&c->cost, check_cost_time(ctx->loop), e))
        return false;
    c->check = model_check_new(&options);
    if (c->check)
        c->checker = model_run_plan(model_check_run(c->check)).generator;
    c->threads = ctx->threads;
    return c->check || api_error_set(e, 500, NULL, "Out of memory.");
}

bool own_check_begin(own_check *c, const relay_ctx *ctx, access_holder *holder,
                     const http_request *request, rdv_str text, api_error *e)
{
    size_t checker = 0;
    const judge_rule *rule = &holder->rule.judging;
    const char *model = http_request_field(request, HTTP_CHECK_MODEL);
    if (!choose_method(c, rule, http_request_field(request, HTTP_CHECK_METHOD), e))
        return false;
    if (c->method == rdv_method_named(RDV_STR(JUDGE_METHOD)))
        return !model || api_error_set(e, 400, NULL,
                                       "The header rederive-model needs rederive-method, with a "
                                       "method that asks a model.");
    return choose_model(ctx->options, rule->asking.checker, model, &checker, e) &&
           make(c, ctx, holder, checker, count_lines(text), e);
}

/* ---- on its thread --------------------------------------------------------------------------- */

static int plan(void *of, rdv_chain *chain, rdv_str type, rdv_plan **out, rdv_error *err)
{
    own_check *c = of;
    return model_check_plan(c->check, c->method, chain, type, out, err);
}

static int run(void *of, const rdv_plan_source *source, rdv_error *err)
{
    own_check *c = of;
    bool late;
    int rc = model_run_plans(model_check_run(c->check), source, err);
    rdv_run_end end = model_run_end(model_check_run(c->check), &late);
    if (rc == RDV_OK && (end == RDV_END_REFUSED || end == RDV_END_UNREACHABLE))
        return rdv_fail(err, RDV_E_IO, "%.*s", RDV_FMT(model_check_why(c->check)));
    return rc;
}

int own_check_run(own_check *c, rdv_str text, rdv_arena *arena, rdv_buf *out, rdv_error *err)
{
    const records_asker asker = {plan, run, c, {c->checker, RDV_STR("robust")}};
    return judge_records(JUDGE_CHECK, c->check ? &asker : NULL, text, arena, out, err);
}

void own_check_settle(own_check *c, bool idle, usage_time now)
{
    model_run_used used = {0};
    if (c->check && idle)
        used = model_run_count(model_check_run(c->check));
    check_cost_settle(&c->cost, idle || !c->check, used.tokens_in, used.tokens_out, now);
}
