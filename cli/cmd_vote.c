/* SPDX-License-Identifier: Apache-2.0 */
/* rederive vote: one answer for every question, from the answers of its chains. */
#include "cmd.h"
#include "combined_file.h"
#include "coverage_line.h"
#include "grade.h"
#include "html_output.h"
#include "result_counts.h"
#include "record_pool.h"
#include "vote_view.h"
#include "weight_option.h"

#include "base/arena.h"
#include "base/str.h"
#include "chain/coverage.h"
#include "method/standing.h"
#include "score/score.h"
#include "judge/vote.h"
#include "judge/usable.h"

#include <inttypes.h>
#include <math.h>

struct voting {
    struct run run;
    struct html_output html;
    vote_weight weight;
    vote_rule rule;
    rdv_grading grading;
    struct voters voters;
    combined_model combined; /* of --weight combined:FILE */
    struct vote_view view;
    rdv_coverage coverage; /* of the checks that weigh */
    bool covers;
    bool checks_unused; /* chains have confidences that the weight does not use */
    struct result_counts counts;
    uint64_t chains;
};

/* ---- settings -------------------------------------------------------------------------------- */

/* Whether the choice of chains or of the answer compares weights. */
static bool uses_weight(const struct voting *v, const struct settings *s)
{
    return v->rule.select == RDV_SELECT_WEIGHTED || v->rule.select == RDV_SELECT_BEST ||
           (s->subset_size && strcmp(s->subset_by, "weight") == 0);
}

static int check_combination(const struct voting *v, const struct settings *s, rdv_error *err)
{
    if (opt_given(s, "weight") && !uses_weight(v, s))
        return rdv_fail(err, RDV_E_ARGUMENT, "--weight has no effect on --select %s", s->select);
    if (v->rule.select == RDV_SELECT_BEST && v->weight.is == VOTE_WEIGHT_EQUAL)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--select best compares weights: add --weight confidence or scores:NAME");
    if (s->subset_size && v->weight.is == VOTE_WEIGHT_EQUAL && strcmp(s->subset_by, "weight") == 0)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--subset-by weight compares weights: add --weight confidence or "
                        "scores:NAME");
    if (v->rule.stop.kind != RDV_STOP_NONE && strcmp(s->select, "weighted") != 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "--stop %s requires --select weighted", s->stop);
    return RDV_OK;
}

/* --subset-size and --subset-by. */
static void choose_options(const struct settings *s, vote_rule *rule)
{
    rule->seed = s->seed;
    rule->most = (size_t)s->subset_size;
    rule->by_perplexity = strcmp(s->subset_by, "perplexity") == 0;
    rule->chosen_by = rule->by_perplexity                   ? RDV_CHOOSE_LOWEST
                      : strcmp(s->subset_by, "weight") == 0 ? RDV_CHOOSE_HIGHEST
                                                            : RDV_CHOOSE_RANDOM;
}

static int read_settings(struct voting *v, const struct settings *s, rdv_error *err)
{
    int code = RDV_OK;
    if (combined_path(s->weight))
        v->weight = (vote_weight){.is = VOTE_WEIGHT_COMBINED};
    else
        code = weight_option_read(s, &v->weight, err);
    if (code == RDV_OK && opt_given(s, "aggregate") && v->weight.is != VOTE_WEIGHT_SCORES)
        code =
            rdv_fail(err, RDV_E_ARGUMENT, "--aggregate has no effect without --weight scores:NAME");
    if (code == RDV_OK)
        code = rdv_stop_named(rdv_str_of(s->stop), &v->rule.stop, err);
    if (code != RDV_OK)
        return code;
    rdv_select_named(rdv_str_of(s->select), &v->rule.select);
    code = check_combination(v, s, err);
    if (v->rule.select == RDV_SELECT_WEIGHTED && v->weight.is == VOTE_WEIGHT_EQUAL)
        v->rule.select = RDV_SELECT_MAJORITY;
    if (v->rule.select == RDV_SELECT_PERPLEXITY)
        v->weight.is = VOTE_WEIGHT_PERPLEXITY;
    /* In a weighted vote every answer has been read; only weights are still unknown. */
    v->rule.stop.answers_known =
        v->rule.stop.kind == RDV_STOP_CERTAIN && v->rule.select == RDV_SELECT_WEIGHTED;
    v->grading = grade_options(s);
    choose_options(s, &v->rule);
    return code;
}

static void read_combined(struct voting *v)
{
    rdv_error err = {0};
    const char *path = combined_path(v->run.settings->weight);
    if (!path)
        return;
    if (combined_file_read(path, v->run.keep, &v->combined, &err) == RDV_OK) {
        v->voters.combined = &v->combined;
        return;
    }
    rdv_wrap(&err, err.code, "--weight combined");
    run_stop(&v->run, USAGE, &err);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int take_chain(struct voting *v, const rdv_chain *chain, const rdv_grade *grade,
                      rdv_arena *arena, rdv_error *err)
{
    int code = voters_refuse_again(&v->voters, chain, arena, err);
    if (code != RDV_OK)
        return code;
    const rdv_check *check = rdv_chain_check(chain, (rdv_str){0});
    v->checks_unused |= check && v->weight.is == VOTE_WEIGHT_EQUAL;
    v->chains++;
    const rdv_check *weighs =
        v->weight.is == VOTE_WEIGHT_CONFIDENCE ? vote_weight_check(&v->weight, chain) : NULL;
    if (weighs && weighs->coverage) {
        coverage_add(&v->coverage, weighs->coverage);
        v->covers = true;
    }
    html_add_chain(&v->run, &(rdv_html_chain){.chain = chain,
                                              .grade = grade,
                                              .dataset = html_dataset(&v->run, chain, arena),
                                              .weight = standing_weight_of(&v->weight, chain)});
    return voters_add(&v->voters, chain, grade, &v->weight, err);
}

/* Grade a chain, in any thread. What failed before a chain was made has no grade. */
static int grade_record(const void *payload, struct pooled *item, rdv_error *err)
{
    const struct voting *v = payload;
    rdv_grade *grade = item->made = RDV_NEW(item->arena, rdv_grade);
    if (!grade)
        return rdv_no_memory(err);
    /* A call for it failed: its question counts, as in solve, though nothing is there to vote. */
    int code = usable_lacks_solution(&item->record) ? RDV_OK : usable_chain(&item->record, err);
    return code == RDV_OK
               ? rdv_grade_chain(&item->record.chain, &v->grading, item->arena, grade, err)
               : code;
}

static void take_record(void *payload, struct pooled *item)
{
    struct voting *v = payload;
    rdv_error *err = &item->err;
    int code = item->code;
    if (code == RDV_OK)
        code = take_chain(v, &item->record.chain, item->made, item->arena, err);
    if (code == RDV_E_ARGUMENT)
        rdv_wrap(err, code, "%s:%zu", v->run.path, item->record.line);
    if (code == RDV_E_NOMEM || code == RDV_E_ARGUMENT)
        run_stop(&v->run, code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE, err);
    else if (code != RDV_OK)
        run_fail(&v->run, &item->record, err);
}

static void read_all(struct voting *v)
{
    record_pool_run(&v->run, &(struct record_work){grade_record, take_record, v});
}

/* ---- deciding -------------------------------------------------------------------------------- */

/* Show the vote among the chains that were needed. */
static int show(struct voting *v, const struct question_voters *q, const vote_outcome *out,
                rdv_error *err)
{
    const rdv_vote *vote = &out->vote;
    const rdv_result *result = &out->result;
    struct vote_view_row row = {
        .question = q->id,
        .ballots = out->may.ballots,
        .answers = out->shown,
        .n = out->used,
        .chains = result->chains,
        .used = out->used,
        .chosen = {result->answer, vote->correct, result->n_tied > 0},
    };
    if (vote->winner != RDV_NO_ANSWER)
        row.chosen_key = vote->answers[vote->winner].key;
    return vote_view_add(&v->view, &v->run, &row, v->run.arena, err);
}

static void write_result(struct voting *v, const struct question_voters *q)
{
    rdv_error err = {0};
    rdv_str line;
    vote_outcome out;
    rdv_arena_reset(v->run.arena);
    int code = vote_question(&v->rule, q, v->run.arena, &out, &err);
    if (code == RDV_OK && v->view.shown)
        code = show(v, q, &out, &err);
    else if (code == RDV_OK)
        code = rdv_result_write(&out.result, (rdv_str){0}, v->run.arena, &line, &err);
    if (code == RDV_OK) {
        result_counts_add(&v->counts, &out.result);
        v->run.undone |= !out.result.answer.p && out.result.unanswered > 0;
        html_add_result(&v->run, &out.result);
        if (!v->view.shown)
            run_write(&v->run, line);
        return;
    }
    rdv_wrap(&err, code, "question %.100s", q->id.p);
    run_fail(&v->run, NULL, &err);
    if (!v->view.shown && rdv_error_write(rdv_str_of(err.msg), v->run.arena, &line, NULL) == RDV_OK)
        run_write(&v->run, line);
}

/* Weigh the chains by the combined scorers, which need all chains of a question. */
static void weigh_all(struct voting *v)
{
    rdv_error err = {0};
    for (size_t i = 0; v->voters.combined && i < v->voters.n && !run_stopped(&v->run); i++) {
        rdv_arena_reset(v->run.arena);
        if (voters_weigh(&v->voters, &v->voters.questions[i], v->run.arena, &err) < 0)
            run_stop(&v->run, NOTHING_DONE, &err);
    }
}

/* Whether there are chains, but none with the requested weight, because of a mistyped name or
 * unchecked chains. Then no vote has an answer. */
static bool nobody_weighs(const struct voting *v)
{
    for (size_t i = 0; i < v->voters.n; i++)
        for (size_t k = 0; k < v->voters.questions[i].n; k++)
            if (!isnan(v->voters.questions[i].ballots[k].weight))
                return false;
    return v->voters.n > 0;
}

static const char *why_none(const vote_weight *weight)
{
    switch (weight->is) {
    case VOTE_WEIGHT_CONFIDENCE:
        return "rederive check, with that method, adds a confidence";
    case VOTE_WEIGHT_SCORES:
        return "they have no scores of that name; if the scores are in another file, use --join";
    case VOTE_WEIGHT_PERPLEXITY:
        return "they have no logprobs";
    case VOTE_WEIGHT_COMBINED:
        return "they have no value of any scorer that was fitted; if scores are in another file, "
               "use --join";
    case VOTE_WEIGHT_EQUAL:
        break;
    }
    return "none";
}

/* ---- the end --------------------------------------------------------------------------------- */

static void summary_json(const struct voting *v)
{
    const struct result_counts *c = &v->counts;
    fprintf(stderr,
            "{\"n_questions\":%" PRIu64 ",\"n_chains\":%" PRIu64 ",\"n_chains_used\":%" PRIu64
            ",\"n_unparsed\":%" PRIu64 ",\"n_tied\":%" PRIu64,
            c->questions, v->chains, c->used, c->unread, c->tied);
    result_counts_json(c, stderr);
    fprintf(stderr, ",\"n_failed\":%" PRIu64, v->run.failed);
    if (v->covers)
        coverage_json(&v->coverage, stderr);
    fprintf(stderr, ",\"seconds\":%.3f}\n", run_seconds(&v->run));
}

static void summary(const struct voting *v)
{
    const struct result_counts *c = &v->counts;
    fprintf(stderr, "%" PRIu64 " question%s, %" PRIu64 " chain%s", c->questions,
            plural(c->questions), v->chains, plural(v->chains));
    if (v->rule.stop.kind != RDV_STOP_NONE)
        fprintf(stderr, " (%" PRIu64 " needed)", c->used);
    fprintf(stderr, ", %" PRIu64 " without a readable answer; %" PRIu64 " tie%s; ", c->unread,
            c->tied, plural(c->tied));
    result_counts_print(c, stderr);
    fprintf(stderr, "%" PRIu64 " record%s failed; %.2f s\n", v->run.failed, plural(v->run.failed),
            run_seconds(&v->run));
    coverage_line(&v->coverage);
    if (v->checks_unused)
        fputs("the chains have been checked, but every vote had weight 1; --weight confidence uses "
              "the checks\n",
              stderr);
}

int cmd_vote(const struct settings *settings)
{
    struct voting v = {0};
    rdv_error err = {0};
    if (read_settings(&v, settings, &err) != RDV_OK) {
        say("vote: %s", err.msg);
        return USAGE;
    }
    if (run_begin(&v.run, settings) != DONE)
        return run_end(&v.run);
    v.run.counts_evidence = true;
    html_begin(&v.run, &v.html, NULL, &v.weight, &v.grading);
    voters_init(&v.voters, v.run.keep);
    read_combined(&v);
    vote_view_begin(&v.view, &v.run, v.rule.select, settings->weight);
    if (!run_stopped(&v.run))
        read_all(&v);
    weigh_all(&v);
    if (!run_stopped(&v.run) && nobody_weighs(&v))
        say("vote: no chain has a weight: %s", why_none(&v.weight));
    for (size_t i = 0; i < v.voters.n && !run_stopped(&v.run); i++)
        write_result(&v, &v.voters.questions[i]);
    vote_view_end(&v.view, &v.run);
    int status = run_end(&v.run);
    if (run_tells(&v.run, status))
        (settings->json ? summary_json : summary)(&v);
    return status;
}
