/* SPDX-License-Identifier: Apache-2.0 */
/* rederive check: a verdict for every step of every chain. */
#include "cmd.h"
#include "estimate.h"
#include "grade.h"
#include "html_output.h"
#include "methods.h"
#include "usage.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "score/score.h"

#include <inttypes.h>
#include <math.h>

struct checking {
    struct run run;
    struct html_output html;
    struct methods methods;
    struct model_session session; /* used if a method asks a model */
    bool view;
    rdv_findings found;
    uint64_t steps, accepted, rejected;
};

/* ---- settings -------------------------------------------------------------------------------- */

static int read_asking(struct checking *c, const struct settings *s)
{
    rdv_error err = {0};
    char wanted_by[64];
    if (!c->methods.asks && s->dry_run) {
        say("--dry-run: no method here asks a model, so there is nothing to estimate");
        return USAGE;
    }
    if (!c->methods.asks)
        return DONE;
    snprintf(wanted_by, sizeof wanted_by, "--method %s", c->methods.asks);
    if (session_options_read(&c->session, s, SESSION_CHECKS, wanted_by, &err) != RDV_OK) {
        say("check: %s", err.msg);
        return USAGE;
    }
    c->session.plan.methods = c->methods.is;
    c->session.plan.n_methods = c->methods.n;
    c->session.plan.check = &c->methods.options;
    return DONE;
}

static int read_settings(struct checking *c, const struct settings *s)
{
    int status = methods_read(&c->methods, s, false);
    return status == DONE ? read_asking(c, s) : status;
}

/* ---- one chain ------------------------------------------------------------------------------- */

/* Append the checks by one method to those that the chain has. */
static int add_checks_by(struct checking *c, const rdv_method *method, rdv_chain *chain,
                         rdv_error *err)
{
    rdv_check *made;
    size_t n;
    int code =
        rdv_check_chain_all(method, chain, &c->methods.options, c->run.arena, &made, &n, err);
    if (code != RDV_OK)
        return code;
    rdv_check *checks = RDV_NEW_ARRAY(c->run.arena, rdv_check, chain->n_checks + n);
    if (!checks)
        return rdv_no_memory(err);
    if (chain->n_checks)
        memcpy(checks, chain->checks, chain->n_checks * sizeof *checks);
    memcpy(checks + chain->n_checks, made, n * sizeof *checks);
    chain->checks = checks;
    chain->n_checks += n;
    return RDV_OK;
}

/* Append a check by each method to those in the input record. */
static int add_checks(struct checking *c, rdv_chain *chain, rdv_error *err)
{
    int code = RDV_OK;
    for (size_t i = 0; i < c->methods.n && code == RDV_OK; i++)
        code = add_checks_by(c, c->methods.is[i], chain, err);
    return code;
}

static void count(struct checking *c, const rdv_chain *chain, const rdv_check *check)
{
    const struct number *t = &c->run.settings->threshold;
    int class = t->given ? rdv_classify(check->confidence, t->is) : -1;
    rdv_findings_add(&c->found, check);
    c->steps += chain->n_steps;
    c->accepted += class == 1;
    c->rejected += class == 0;
}

/* The members that the run adds to the record, besides its checks. `partial` becomes false on a
 * record that an earlier run left partial and this run completed. */
static int extra_members(const struct checking *c, const rdv_chain *chain, const rdv_check *check,
                         bool partial, rdv_arena *arena, rdv_str *out)
{
    static const char *const accepted[] = {"null", "false", "true"};
    const struct number *t = &c->run.settings->threshold;
    rdv_str was;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    if (t->given)
        rdv_buf_printf(&b, "\"accepted\":%s", accepted[1 + rdv_classify(check->confidence, t->is)]);
    if (partial || rdv_record_member(chain->raw, RDV_STR("partial"), &was) == RDV_OK)
        rdv_buf_printf(&b, "%s\"partial\":%s", b.len ? "," : "", partial ? "true" : "false");
    session_put_models(&c->session, false, c->methods.asks != NULL, &b);
    *out = b.len ? rdv_buf_str(&b) : (rdv_str){0};
    return rdv_buf_ok(&b) ? RDV_OK : RDV_E_NOMEM;
}

static int write_record(struct checking *c, const rdv_chain *chain, const rdv_check *check,
                        bool partial, rdv_arena *arena, rdv_error *err)
{
    rdv_write_options options = {.size = sizeof options};
    rdv_str line;
    if (extra_members(c, chain, check, partial, arena, &options.extra) != RDV_OK)
        return rdv_no_memory(err);
    int code = rdv_record_write(chain, &options, arena, &line, err);
    if (code == RDV_OK)
        run_write(&c->run, line);
    return code;
}

static int show_chain(struct checking *c, const rdv_chain *chain, const rdv_check *check,
                      rdv_arena *arena, rdv_error *err)
{
    rdv_grade grade;
    rdv_str text;
    int code = rdv_grade_chain(chain, &(rdv_grading){0}, arena, &grade, err);
    if (code == RDV_OK)
        code =
            rdv_view_chain(chain, check, grade.correct, &c->run.terminal.view, arena, &text, err);
    if (code != RDV_OK)
        return code;
    run_write(&c->run, text);
    run_write(&c->run, RDV_STR("\n"));
    return RDV_OK;
}

/* Write a chain whose checks are done. plan: which did them; NULL: none. */
static int conclude(struct checking *c, const rdv_chain *chain, rdv_plan *plan, rdv_arena *arena,
                    rdv_error *err)
{
    const rdv_check *check = &chain->checks[chain->n_checks - 1];
    bool partial = plan && rdv_plan_partial(plan);
    rdv_html_chain shown = {.chain = chain,
                            .dataset = html_dataset(&c->run, chain, arena),
                            .weight = NAN,
                            .partial = partial};
    int code = c->view ? show_chain(c, chain, check, arena, err)
                       : write_record(c, chain, check, partial, arena, err);
    if (code != RDV_OK)
        return code;
    count(c, chain, check);
    if (plan)
        html_add_planned(&c->run, &shown, plan, SIZE_MAX);
    else
        html_add_chain(&c->run, &shown);
    return RDV_OK;
}

/* ---- methods that compute -------------------------------------------------------------------- */

static int check_record(struct checking *c, rdv_record *record, rdv_error *err)
{
    int code = grade_takes(record, err);
    if (code == RDV_OK)
        code = add_checks(c, &record->chain, err);
    return code == RDV_OK ? conclude(c, &record->chain, NULL, c->run.arena, err) : code;
}

static void check_all(struct checking *c)
{
    rdv_record record;
    while (run_next(&c->run, &record) == RDV_OK) {
        rdv_error err = {0};
        rdv_str line;
        if (check_record(c, &record, &err) == RDV_OK)
            continue;
        run_fail_record(&c->run, &record, &err, c->run.arena, &line);
        run_write(&c->run, line);
    }
}

/* ---- methods that ask ------------------------------------------------------------------------ */

static int begin_plan(struct plan_source *source, struct item *item, rdv_error *err)
{
    int code = grade_takes(&item->record, err);
    return code == RDV_OK
               ? rdv_plan_check(&item->record.chain, 1, &source->session->plan, &item->plan, err)
               : code;
}

static int finish_plan(struct plan_source *source, struct item *item, rdv_error *err)
{
    struct checking *c = source->payload;
    size_t n;
    const rdv_chain *chain = rdv_plan_chains(item->plan, &n);
    return conclude(c, chain, item->plan, item->arena, err);
}

static void ask_all(struct checking *c)
{
    rdv_error err = {0};
    struct plan_source source = {.run = &c->run,
                                 .session = &c->session,
                                 .begin = begin_plan,
                                 .finish = finish_plan,
                                 .payload = c};
    int code = session_begin(&c->session, &c->run, &err);
    if (code != RDV_OK) {
        run_stop(&c->run, code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE, &err);
        return;
    }
    (c->run.settings->dry_run ? estimate_run : plan_source_run)(&source);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void summary_json(const struct checking *c)
{
    const rdv_findings *f = &c->found;
    fprintf(stderr, "{\"n_chains\":%" PRIu64 ",\"n_steps\":%" PRIu64, f->chains, c->steps);
    fprintf(stderr,
            ",\"n_support\":%" PRIu64 ",\"n_unrelated\":%" PRIu64 ",\"n_contradict\":%" PRIu64
            ",\"n_unknown\":%" PRIu64,
            f->verdicts[0], f->verdicts[1], f->verdicts[2], f->verdicts[3]);
    if (c->run.settings->threshold.given)
        fprintf(stderr, ",\"n_accepted\":%" PRIu64 ",\"n_rejected\":%" PRIu64, c->accepted,
                c->rejected);
    fprintf(stderr, ",\"n_failed\":%" PRIu64, c->run.failed);
    if (c->methods.asks)
        usage_json(stderr, &c->session.totals, session_priced(&c->session));
    fprintf(stderr, ",\"seconds\":%.3f}\n", run_seconds(&c->run));
}

static void summary(const struct checking *c)
{
    const rdv_findings *f = &c->found;
    fprintf(stderr,
            "%" PRIu64 " chain%s, %" PRIu64 " step%s: %" PRIu64 " support, %" PRIu64
            " unrelated, %" PRIu64 " contradict, %" PRIu64 " unknown; ",
            f->chains, plural(f->chains), c->steps, plural(c->steps), f->verdicts[0],
            f->verdicts[1], f->verdicts[2], f->verdicts[3]);
    if (c->run.settings->threshold.given)
        fprintf(stderr, "%" PRIu64 " accepted, %" PRIu64 " rejected; ", c->accepted, c->rejected);
    fprintf(stderr, "%" PRIu64 " record%s failed; %.2f s\n", c->run.failed, plural(c->run.failed),
            run_seconds(&c->run));
    if (c->methods.asks)
        usage_summary(stderr, &c->session.totals, session_priced(&c->session));
}

/* Write a summary of all chains after the views of several. */
static void write_picture(struct checking *c)
{
    rdv_error err = {0};
    rdv_str text;
    if (!c->view || c->found.chains < 2)
        return;
    if (rdv_view_findings(&c->found, &c->run.terminal.view, c->run.arena, &text, &err) == RDV_OK)
        run_write(&c->run, text);
    else
        run_stop(&c->run, NOTHING_DONE, &err);
}

static int check(struct checking *c, const struct settings *settings)
{
    if (read_settings(c, settings) != DONE)
        return USAGE;
    if (run_begin(&c->run, settings) != DONE)
        return run_end(&c->run);
    c->view = settings->view || (c->run.terminal.out && !settings->json && !settings->out);
    c->run.errors_in_output = !c->view && !settings->dry_run;
    html_begin(&c->run, &c->html, c->methods.asks ? &c->session : NULL, NULL, 0, NULL);
    (c->methods.asks ? ask_all : check_all)(c);
    write_picture(c);
    int status = run_end(&c->run);
    if (run_tells(&c->run, status) && !settings->dry_run)
        (settings->json ? summary_json : summary)(c);
    return status;
}

int cmd_check(const struct settings *settings)
{
    struct checking c = {0};
    int status = check(&c, settings);
    session_end(&c.session);
    methods_end(&c.methods);
    return status;
}
