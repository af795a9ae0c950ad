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
#include "voters.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/str.h"
#include "data/members.h"
#include "chain/coverage.h"
#include "method/standing.h"
#include "score/score.h"
#include "study/source.h"

#include <inttypes.h>
#include <math.h>

#define SHOWN_ID 80 /* bytes of an id in a message */

struct voting {
    struct run run;
    struct html_output html;
    vote_weight weight;
    rdv_select_kind select;
    rdv_stop stop;
    rdv_grading grading;
    struct voters voters;
    rdv_map seen;            /* chains by their identity and generator */
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
    return v->select == RDV_SELECT_WEIGHTED || v->select == RDV_SELECT_BEST ||
           (s->subset_size && strcmp(s->subset_by, "weight") == 0);
}

static int check_combination(const struct voting *v, const struct settings *s, rdv_error *err)
{
    if (opt_given(s, "weight") && !uses_weight(v, s))
        return rdv_fail(err, RDV_E_ARGUMENT, "--weight has no effect on --select %s", s->select);
    if (v->select == RDV_SELECT_BEST && v->weight.is == VOTE_WEIGHT_EQUAL)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--select best compares weights: add --weight confidence or scores:NAME");
    if (s->subset_size && v->weight.is == VOTE_WEIGHT_EQUAL && strcmp(s->subset_by, "weight") == 0)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--subset-by weight compares weights: add --weight confidence or "
                        "scores:NAME");
    if (v->stop.kind != RDV_STOP_NONE && strcmp(s->select, "weighted") != 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "--stop %s requires --select weighted", s->stop);
    return RDV_OK;
}

static int read_settings(struct voting *v, const struct settings *s, rdv_error *err)
{
    int code = RDV_OK;
    if (combined_path(s->weight))
        v->weight = (vote_weight){.is = VOTE_WEIGHT_COMBINED};
    else
        code = voters_weight(s, &v->weight, err);
    if (code == RDV_OK && opt_given(s, "aggregate") && v->weight.is != VOTE_WEIGHT_SCORES)
        code =
            rdv_fail(err, RDV_E_ARGUMENT, "--aggregate has no effect without --weight scores:NAME");
    if (code == RDV_OK)
        code = rdv_stop_named(rdv_str_of(s->stop), &v->stop, err);
    if (code != RDV_OK)
        return code;
    rdv_select_named(rdv_str_of(s->select), &v->select);
    code = check_combination(v, s, err);
    if (v->select == RDV_SELECT_WEIGHTED && v->weight.is == VOTE_WEIGHT_EQUAL)
        v->select = RDV_SELECT_MAJORITY;
    if (v->select == RDV_SELECT_PERPLEXITY)
        v->weight.is = VOTE_WEIGHT_PERPLEXITY;
    /* In a weighted vote every answer has been read; only weights are still unknown. */
    v->stop.answers_known = v->stop.kind == RDV_STOP_CERTAIN && v->select == RDV_SELECT_WEIGHTED;
    v->grading = grade_options(s);
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

/* A chain that is read again would cast two votes; as eval refuses it (docs/adr/0038). */
static int refuse_again(struct voting *v, const rdv_chain *chain, rdv_arena *arena, rdv_error *err)
{
    chain_identity is = identity_of(chain, false);
    rdv_str generator = {0};
    if (!chain->id.p)
        return RDV_OK;
    if (rdv_chain_text(chain, RDV_STR("generator"), arena, &generator) < 0)
        return rdv_no_memory(err);
    rdv_str key = rdv_str_printf(v->run.keep, "%016" PRIx64 "%016" PRIx64 "%.*s", is.hash[0],
                                 is.hash[1], RDV_FMT(generator));
    if (key.p && rdv_map_get(&v->seen, key) != RDV_MAP_MISSING)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "chain \"%.*s\" was read before and would vote twice; leave one of them "
                        "out, or give different chains different ids",
                        RDV_FMT(rdv_slice(chain->id, 0, SHOWN_ID)));
    return key.p && rdv_map_put(&v->seen, key, 1) >= 0 ? RDV_OK : rdv_no_memory(err);
}

static int take_chain(struct voting *v, const rdv_chain *chain, const rdv_grade *grade,
                      rdv_arena *arena, rdv_error *err)
{
    int code = refuse_again(v, chain, arena, err);
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
    int code = grade_lacks_solution(&item->record) ? RDV_OK : grade_takes(&item->record, err);
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

/* Pick a random chain's answer: drawn from the seed and the question's id, so that it does not
 * depend on other questions. */
static void draw(const struct voting *v, const struct question_voters *q, rdv_vote *vote)
{
    rdv_rng rng;
    rdv_rng_seed(&rng, rdv_hash(q->id, v->run.settings->seed));
    const rdv_ballot *drawn = &q->ballots[rdv_rng_below(&rng, q->n)];
    for (size_t i = 0; drawn->key.p && i < vote->n_answers; i++)
        if (rdv_str_eq(vote->answers[i].key, drawn->key))
            vote->winner = i;
    vote->correct = drawn->correct;
}

/* The answers as the chains wrote them; keys are only for comparison. */
static rdv_str *shown_answers(const struct voting *v, const struct question_voters *q)
{
    rdv_str *shown = RDV_NEW_ARRAY(v->run.arena, rdv_str, q->n);
    for (size_t i = 0; shown && i < q->n; i++)
        shown[i] = q->voters[i].shown;
    return shown;
}

/* Show the vote among the first `used` chains of a question. */
static int show(struct voting *v, const struct question_voters *q, size_t used,
                const rdv_str *shown, const rdv_vote *vote, const rdv_result *result,
                rdv_error *err)
{
    struct vote_view_row row = {
        .question = q->id,
        .ballots = q->ballots,
        .answers = shown,
        .n = used,
        .chains = result->chains,
        .used = used,
        .chosen = {result->answer, vote->correct, result->n_tied > 0},
    };
    if (vote->winner != RDV_NO_ANSWER)
        row.chosen_key = vote->answers[vote->winner].key;
    return vote_view_add(&v->view, &v->run, &row, v->run.arena, err);
}

static int decide(struct voting *v, const struct question_voters *all, rdv_result *result,
                  rdv_error *err)
{
    rdv_vote vote;
    struct question_voters may_vote;
    const struct question_voters *q = &may_vote;
    int code = voters_choose(v->run.settings, all, v->run.arena, &may_vote, err);
    size_t used = q->n;
    if (code == RDV_OK && v->stop.kind != RDV_STOP_NONE)
        code = rdv_stop_after(v->select, &v->stop, q->ballots, q->n, v->run.arena, &used, err);
    if (code == RDV_OK)
        code = rdv_vote_decide(v->select, q->ballots, used, v->run.arena, &vote, err);
    if (code != RDV_OK)
        return code;
    if (v->select == RDV_SELECT_RANDOM)
        draw(v, q, &vote);
    result->chains_used = used;
    size_t failed = 0;
    for (size_t i = 0; i < used; i++) {
        result->calls += q->voters[i].calls;
        failed += q->voters[i].failed;
    }
    rdv_str *shown = shown_answers(v, q);
    if (!shown)
        return rdv_no_memory(err);
    code = rdv_vote_result(&vote, shown, v->run.arena, result, err);
    if (code == RDV_OK)
        result_unanswered(result, failed);
    return code == RDV_OK && v->view.shown ? show(v, q, used, shown, &vote, result, err) : code;
}

static void write_result(struct voting *v, const struct question_voters *q)
{
    rdv_error err = {0};
    rdv_str line;
    rdv_result result = {.question_id = q->id,
                         .weight_share = NAN,
                         .correct = -1,
                         .expected_correct = NAN,
                         .chains = q->n};
    rdv_arena_reset(v->run.arena);
    int code = decide(v, q, &result, &err);
    if (code == RDV_OK && !v->view.shown)
        code = rdv_result_write(&result, (rdv_str){0}, v->run.arena, &line, &err);
    if (code == RDV_OK) {
        result_counts_add(&v->counts, &result);
        v->run.undone |= !result.answer.p && result.unanswered > 0;
        html_add_result(&v->run, &result);
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
    if (v->stop.kind != RDV_STOP_NONE)
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
    rdv_map_init(&v.seen, v.run.keep);
    read_combined(&v);
    vote_view_begin(&v.view, &v.run, v.select, settings->weight);
    if (!run_stopped(&v.run))
        read_all(&v);
    weigh_all(&v);
    run_tell_empty(&v.run, "vote");
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
