/* SPDX-License-Identifier: Apache-2.0 */
/* rederive solve: an answer for every question, from chains that are generated, checked and voted
 * on. */
#include "cmd.h"
#include "estimate.h"
#include "judge/usable.h"
#include "html_output.h"
#include "methods.h"
#include "question_type.h"
#include "result_counts.h"
#include "vote_view.h"

#include "base/arena.h"
#include "base/str.h"
#include "data/carry.h"
#include <rederive/answer.h>
#include "score/combine.h"
#include "score/score.h"
#include "search/generate.h"

#include <inttypes.h>
#include <math.h>

struct solving {
    struct run run;
    struct html_output html;
    struct methods methods;
    struct model_session session;
    struct vote_view view;
    struct output chains_out; /* --chains-out; unused if not given */
    struct result_counts counts;
    uint64_t chains;
    double saved; /* estimated calls saved by chains that were not needed */
};

/* ---- settings -------------------------------------------------------------------------------- */

static int read_vote(struct solving *s, const struct settings *settings, rdv_error *err)
{
    rdv_plan_options *plan = &s->session.plan;
    rdv_stop stop;
    int code = rdv_stop_named(rdv_str_of(settings->stop), &stop, err);
    if (code != RDV_OK)
        return code;
    rdv_select_named(rdv_str_of(settings->select), &plan->select);
    if (stop.kind == RDV_STOP_POSTERIOR && plan->select == RDV_SELECT_BEST)
        return rdv_fail(err, RDV_E_ARGUMENT, "--stop %s cannot be combined with --select best",
                        settings->stop);
    plan->stop = stop.kind;
    plan->posterior = stop.p;
    plan->chains = (size_t)settings->chains;
    plan->beam_search = settings->beam_search;
    plan->beam_width = (size_t)settings->beam_width;
    plan->expansions = (size_t)settings->expansions;
    plan->generated_tokens = settings->generated_tokens;
    rdv_generate_named(rdv_str_of(settings->generate), &plan->generate);
    plan->max_steps = (size_t)settings->thoughts;
    return RDV_OK;
}

static bool is_standard_output(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

static int read_outputs(const struct settings *settings, rdv_error *err)
{
    const char *chains = settings->chains_out;
    if (!chains || !is_standard_output(chains) || !is_standard_output(settings->out))
        return RDV_OK;
    return rdv_fail(err, RDV_E_ARGUMENT, "--chains-out %s: the answers are written there", chains);
}

static int read_settings(struct solving *s, const struct settings *settings)
{
    rdv_error err = {0};
    if (methods_read(&s->methods, settings, true) != DONE)
        return USAGE;
    int code = session_options_read(&s->session, settings, SESSION_SOLUTIONS, "solve", &err);
    if (code == RDV_OK)
        code = read_vote(s, settings, &err);
    if (code == RDV_OK)
        code = read_outputs(settings, &err);
    if (code != RDV_OK) {
        say("solve: %s", err.msg);
        return USAGE;
    }
    s->session.plan.methods = s->methods.is;
    s->session.plan.n_methods = s->methods.n;
    s->session.plan.check = &s->methods.options;
    return prompt_options_usable(&s->session, &s->methods, settings) ? DONE : USAGE;
}

/* ---- one question ---------------------------------------------------------------------------- */

/* RDV_OK for any record with a question; the steps of a chain are ignored. */
static int question_wanted(const rdv_record *record, rdv_error *err)
{
    if (record->kind == RDV_RECORD_ERROR)
        return usable_failed(record, err);
    if (record->kind == RDV_RECORD_RESULT || !record->chain.question.text.p)
        return rdv_fail(err, RDV_E_INPUT, "there is no question in it");
    return RDV_OK;
}

static int begin_plan(struct plan_source *source, struct item *item, rdv_error *err)
{
    rdv_plan_options options = question_type_of(source->session, &item->record, item->arena);
    int code = question_wanted(&item->record, err);
    return code == RDV_OK ? rdv_plan_solve(&item->record.chain.question, &options, &item->plan, err)
                          : code;
}

/* The check by `general` counts its verifiers' calls, so their own checks are not added. */
static uint64_t calls_of_checks(const rdv_chain *chain)
{
    bool general = rdv_chain_check(chain, RDV_STR("general")) != NULL;
    uint64_t calls = 0;
    for (size_t i = 0; i < chain->n_checks; i++) {
        rdv_verifier_kind is;
        if (!general || rdv_verifier_named(chain->checks[i].method, &is) != RDV_OK)
            calls += chain->checks[i].calls;
    }
    return calls;
}

/* An estimate of the calls that stopping early saved: chains that it left ungenerated or unchecked
 * are assumed to cost as much as the others. Nothing was saved where the run itself ended early,
 * and a chain without an answer is not checked in any case. */
static double calls_saved(const struct solving *s, const rdv_plan *plan, const rdv_result *result)
{
    size_t n, checked = 0, left_out = 0;
    uint64_t of_checks = 0;
    if (s->session.plan.stop == RDV_STOP_NONE || s->run.settings->beam_search ||
        rdv_plan_partial(plan))
        return 0;
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    for (size_t i = 0; i < n; i++) {
        const rdv_check *last = rdv_chain_check(&chains[i], (rdv_str){0});
        if (last && last->skipped) {
            left_out += chains[i].answer.p != NULL;
            continue;
        }
        checked++;
        of_checks += calls_of_checks(&chains[i]);
    }
    if (checked == 0)
        return 0;
    double a_check = (double)of_checks / (double)checked;
    double a_chain = (double)(result->calls - of_checks) / (double)n;
    left_out += result->chains - n;
    return (double)(result->chains - n) * a_chain + (double)left_out * a_check;
}

static void count(struct solving *s, const rdv_plan *plan, const rdv_result *result)
{
    result_counts_add(&s->counts, result);
    s->run.undone |= result->unanswered > 0;
    s->chains += result->chains;
    s->saved += calls_saved(s, plan, result);
}

/* Write and flush the chains to --chains-out before the question's result is written. */
static int write_chains(struct solving *s, const struct item *item, rdv_error *err)
{
    size_t n;
    const rdv_chain *chains = rdv_plan_chains(item->plan, &n);
    rdv_buf extra;
    if (!s->run.also)
        return RDV_OK;
    rdv_buf_init(&extra, item->arena, 0);
    int code = rdv_carry_members(item->record.chain.raw, item->arena, &extra, err);
    session_put_models(&s->session, true, s->methods.asks != NULL, &extra);
    rdv_write_options options = {.size = sizeof options, .extra = rdv_buf_str(&extra)};
    if (code == RDV_OK && !options.extra.p)
        code = rdv_no_memory(err);
    for (size_t i = 0; i < n && code == RDV_OK; i++) {
        rdv_str line;
        code = rdv_record_write(&chains[i], &options, item->arena, &line, err);
        if (code == RDV_OK)
            code = output_write(&s->chains_out, line, err);
    }
    if (code == RDV_OK)
        code = output_flush(&s->chains_out, err);
    if (code == RDV_E_IO)
        run_stop(&s->run, NOTHING_DONE, err);
    return code < 0 && code != RDV_E_IO ? code : RDV_OK;
}

/* Further members of a result: completion tokens, as reported by servers, and `partial`. */
static int extra_members(const rdv_plan *plan, rdv_arena *arena, rdv_str *out)
{
    uint64_t generated, checked;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_plan_tokens(plan, &generated, &checked);
    rdv_buf_printf(
        &b, "\"generator_completion_tokens\":%" PRIu64 ",\"checker_completion_tokens\":%" PRIu64,
        generated, checked);
    if (rdv_plan_partial(plan))
        rdv_buf_lit(&b, ",\"partial\":true");
    *out = rdv_buf_str(&b);
    return rdv_buf_ok(&b) ? RDV_OK : RDV_E_NOMEM;
}

static void add_to_report(struct solving *s, const struct item *item, const rdv_result *result)
{
    size_t n;
    const rdv_chain *chains = rdv_plan_chains(item->plan, &n);
    rdv_str dataset = html_dataset(&s->run, &item->record.chain, item->arena);
    for (size_t i = 0; i < n; i++) {
        rdv_html_chain chain = {.chain = &chains[i], .dataset = dataset, .weight = NAN};
        html_add_planned(&s->run, &chain, item->plan, i);
    }
    html_add_result(&s->run, result);
}

/* Show the chosen answer beside that of the majority of the chains. */
static int show(struct solving *s, const rdv_plan *plan, const rdv_result *result, rdv_arena *arena,
                rdv_error *err)
{
    size_t n;
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    rdv_ballot *ballots = RDV_NEW_ARRAY(arena, rdv_ballot, n);
    rdv_str *answers = RDV_NEW_ARRAY(arena, rdv_str, n);
    rdv_chain chosen = n ? chains[0] : (rdv_chain){0};
    rdv_grade grade = {0};
    int code = ballots && answers ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; code == RDV_OK && i < n; i++) {
        code = rdv_grade_chain(&chains[i], &(rdv_grading){0}, arena, &grade, err);
        ballots[i] = (rdv_ballot){grade.key, 1, grade.correct};
        answers[i] = grade.shown;
    }
    chosen.answer = result->answer;
    if (code == RDV_OK)
        code = rdv_grade_chain(&chosen, &(rdv_grading){0}, arena, &grade, err);
    if (code != RDV_OK)
        return code;
    struct vote_view_row row = {
        .question = result->question_id,
        .ballots = ballots,
        .answers = answers,
        .n = n,
        .chains = result->chains,
        .used = result->chains_used,
        .chosen_key = result->answer.p ? grade.key : (rdv_str){0},
        .chosen = {result->answer,
                   !result->answer.p && result_is_graded(result) ? 0 : result->correct,
                   result->n_tied > 0},
    };
    return vote_view_add(&s->view, &s->run, &row, arena, err);
}

static int finish_plan(struct plan_source *source, struct item *item, rdv_error *err)
{
    struct solving *s = source->payload;
    const rdv_result *result = rdv_plan_result(item->plan);
    rdv_str line, extra;
    if (!result)
        return rdv_fail(err, RDV_E_IO, "not solved: the run ended before");
    count(s, item->plan, result);
    int code = write_chains(s, item, err);
    if (code == RDV_OK)
        add_to_report(s, item, result);
    if (code == RDV_OK && s->view.shown)
        return show(s, item->plan, result, item->arena, err);
    if (code == RDV_OK && extra_members(item->plan, item->arena, &extra) != RDV_OK)
        code = rdv_no_memory(err);
    if (code == RDV_OK)
        code = rdv_result_write(result, extra, item->arena, &line, err);
    if (code == RDV_OK)
        run_write(&s->run, line);
    return code;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void summary_json(const struct solving *s)
{
    const struct result_counts *c = &s->counts;
    struct summary summary;
    FILE *out = summary_begin(&summary);
    if (!out)
        return;
    fprintf(out,
            "{\"n_questions\":%" PRIu64 ",\"n_chains\":%" PRIu64 ",\"n_chains_used\":%" PRIu64
            ",\"n_unparsed\":%" PRIu64 ",\"n_tied\":%" PRIu64,
            c->questions, s->chains, c->used, c->unread, c->tied);
    result_counts_json(c, out);
    fprintf(out, ",\"n_calls_saved\":%.0f,\"n_failed\":%" PRIu64, s->saved, s->run.failed);
    session_usage_json(&s->session, out);
    fprintf(out, ",\"seconds\":%.3f}\n", run_seconds(&s->run));
    summary_end(&summary);
}

static void summary(const struct solving *s)
{
    const struct result_counts *c = &s->counts;
    fprintf(stderr,
            "%" PRIu64 " question%s, %" PRIu64 " of %" PRIu64 " chains used; %" PRIu64
            " without a readable answer; %" PRIu64 " chosen answer%s tied; ",
            c->questions, plural(c->questions), c->used, s->chains, c->unread, c->tied,
            plural(c->tied));
    result_counts_print(c, stderr);
    fprintf(stderr, "%" PRIu64 " record%s failed; %.2f s\n", s->run.failed, plural(s->run.failed),
            run_seconds(&s->run));
    session_usage(&s->session, stderr);
    if (s->saved >= 1)
        fprintf(stderr, "stopping early saved about %.0f calls\n", s->saved);
}

/* ---- the command ----------------------------------------------------------------------------- */

static void solve_all(struct solving *s)
{
    rdv_error err = {0};
    struct plan_source source = {.run = &s->run,
                                 .session = &s->session,
                                 .begin = begin_plan,
                                 .finish = finish_plan,
                                 .payload = s};
    const char *out = s->run.settings->dry_run ? NULL : s->run.settings->chains_out;
    int code = out ? output_open(&s->chains_out, out, s->run.keep, &err) : RDV_OK;
    s->run.also = out && code == RDV_OK ? &s->chains_out : NULL;
    if (code == RDV_OK)
        code = session_begin(&s->session, &s->run, &err);
    if (code != RDV_OK) {
        run_stop(&s->run, code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE, &err);
        return;
    }
    (s->run.settings->dry_run ? estimate_run : plan_source_run)(&source);
}

static int solve(struct solving *s, const struct settings *settings)
{
    if (read_settings(s, settings) != DONE)
        return USAGE;
    if (run_begin(&s->run, settings) != DONE)
        return run_end(&s->run);
    s->run.texts_ask = true;
    vote_view_begin(&s->view, &s->run, s->session.plan.select, "confidence");
    s->run.errors_in_output = !s->view.shown && !settings->dry_run;
    html_begin(&s->run, &s->html, &s->session, NULL, NULL);
    solve_all(s);
    vote_view_end(&s->view, &s->run);
    int status = run_end(&s->run);
    if (run_tells(&s->run, status) && !settings->dry_run)
        (settings->json ? summary_json : summary)(s);
    return status;
}

int cmd_solve(const struct settings *settings)
{
    struct solving s = {0};
    int status = solve(&s, settings);
    session_end(&s.session);
    methods_end(&s.methods);
    return status;
}
