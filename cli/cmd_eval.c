/* SPDX-License-Identifier: Apache-2.0 */
/* rederive eval: how good answers and checks are, against what is known. */
#include "cmd.h"
#include "family.h"
#include "figures.h"
#include "recipe.h"

#include "base/arena.h"

#include <math.h>

struct evaluating {
    struct run run;
    struct weight weight;
    struct judging judging;
    rdv_eval *eval;
    struct studies *studies;     /* NULL: chains go into the evaluation as they come */
    const struct family *family; /* of the recipe, which gathers chains in `gathered`; or NULL */
    void *gathered;
    /* of the records that vote wrote, one value a question each */
    double *correct, *share_used;
    size_t n_votes, cap_correct, cap_share;
};

/* ---- reading --------------------------------------------------------------------------------- */

static int take_chain(struct evaluating *e, const rdv_chain *chain, rdv_error *err)
{
    struct judged judged;
    int code = judge(chain, &e->judging, e->run.arena, &judged, err);
    if (code != RDV_OK)
        return code;
    if (e->family)
        return e->family->take(e->gathered, chain, &judged, e->run.arena, err);
    if (e->studies)
        return studies_add(e->studies, chain, &judged, e->run.arena, err);
    rdv_case one = case_of(&e->weight, chain, &judged);
    return rdv_eval_add(e->eval, &one.fact, err);
}

static int take_vote(struct evaluating *e, const rdv_result *result, rdv_error *err)
{
    size_t n = e->n_votes;
    if (!RDV_PUSH_ROOM(e->run.keep, e->correct, n, e->cap_correct) ||
        !RDV_PUSH_ROOM(e->run.keep, e->share_used, n, e->cap_share))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu results are held", n);
    e->correct[n] = result->expected_correct;
    e->share_used[n] = result->chains ? (double)result->chains_used / (double)result->chains : NAN;
    e->n_votes++;
    return RDV_OK;
}

static int take_record(struct evaluating *e, const rdv_record *record, rdv_error *err)
{
    if (record->is == RDV_RECORD_RESULT)
        return take_vote(e, &record->result, err);
    int code = chain_wanted(record, err);
    return code == RDV_OK ? take_chain(e, &record->chain, err) : code;
}

static void read_all(struct evaluating *e)
{
    rdv_record record;
    while (run_next(&e->run, &record) == RDV_OK) {
        rdv_error err = {0};
        int code = take_record(e, &record, &err);
        if (code == RDV_E_NOMEM || code == RDV_E_LIMIT)
            run_stop(&e->run, NOTHING_DONE, &err);
        else if (code == RDV_E_ARGUMENT)
            run_stop(&e->run, USAGE, &err);
        else if (code != RDV_OK)
            run_fail(&e->run, &record, &err);
    }
}

/* What the studies found goes into the evaluation, where no recipe takes it. */
static int evaluate_studied(struct evaluating *e, rdv_error *err)
{
    const rdv_studied *out = &e->studies->of[0].out;
    int code = studies_finish(e->studies, err);
    for (size_t i = 0; code == RDV_OK && i < out->n; i++)
        code = rdv_eval_add(e->eval, &out->facts[i], err);
    return code;
}

static int compute(struct evaluating *e, struct shown *shown, rdv_error *err)
{
    int code = e->studies ? evaluate_studied(e, err) : RDV_OK;
    if (code == RDV_OK)
        code = rdv_eval_finish(e->eval, &shown->chains, err);
    shown->checks = e->weight.is == WEIGHT_CONFIDENCE;
    shown->fits = e->studies;
    shown->n_results = e->n_votes;
    if (code != RDV_OK || e->n_votes == 0)
        return code;
    shown->votes[shown->n_votes++] =
        (rdv_figure){"vote.accuracy", "questions", rdv_mean(e->correct, e->n_votes, true)};
    shown->votes[shown->n_votes++] =
        (rdv_figure){"vote.share_used", "questions", rdv_mean(e->share_used, e->n_votes, true)};
    return RDV_OK;
}

static int write_all(struct evaluating *e, rdv_error *err)
{
    struct shown shown = {0};
    int code = compute(e, &shown, err);
    if (code != RDV_OK)
        return code;
    return (e->run.settings->json ? figures_write_json : figures_write_tables)(&e->run, &shown,
                                                                               err);
}

static int write_recipe(struct evaluating *e, rdv_error *err)
{
    if (e->family)
        return e->family->write(e->gathered, &e->run, err);
    int code = studies_finish(e->studies, err);
    return code == RDV_OK ? recipe_write(&e->run, e->studies, err) : code;
}

static void conclude(struct evaluating *e)
{
    rdv_error err = {0};
    rdv_arena_reset(e->run.arena);
    int code = (e->run.settings->recipe ? write_recipe : write_all)(e, &err);
    if (code != RDV_OK)
        run_stop(&e->run, NOTHING_DONE, &err);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The options that are more than a word or a number. */
static int read_options(const struct settings *settings, struct evaluating *e, rdv_error *err)
{
    int code = weight_read(settings, &e->weight, err);
    if (code == RDV_OK && settings->recipe)
        code = family_check(settings->recipe, err);
    return code;
}

/* What the chains go into. */
static int prepare(struct evaluating *e, struct studies *studies, rdv_error *err)
{
    const struct settings *settings = e->run.settings;
    rdv_eval_options options = {.seed = settings->seed, .threshold = settings->threshold.is};
    e->judging = judging_of(settings);
    e->eval = rdv_eval_new(e->run.keep, &options);
    if (!e->eval)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    e->family = family_of(settings->recipe);
    if (e->family)
        return e->family->begin(settings, e->run.keep, &e->gathered, err);
    if (!studies_wanted(settings))
        return RDV_OK;
    e->studies = studies;
    return studies_begin(studies, settings, &e->weight, e->run.keep, err);
}

/* Whether there is anything to be read: a simulation needs no chains. */
static bool reads_chains(const struct settings *settings)
{
    const struct family *family = family_of(settings->recipe);
    return !family || !family->reads || family->reads(settings->recipe);
}

int cmd_eval(const struct settings *given)
{
    struct evaluating e = {0};
    struct settings own = *given; /* what a recipe makes of them */
    const struct settings *settings = &own;
    struct studies studies;
    rdv_error err = {0};
    if (read_options(settings, &e, &err) != RDV_OK) {
        say("eval: %s", err.msg);
        return USAGE;
    }
    own.no_input = !reads_chains(settings);
    if (run_begin(&e.run, settings) != DONE)
        return run_end(&e.run);
    int code = prepare(&e, &studies, &err);
    if (code != RDV_OK)
        run_stop(&e.run, code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE, &err);
    if (e.studies && !run_stopped(&e.run))
        studies_learn(e.studies, &e.run);
    if (e.family && !run_stopped(&e.run))
        family_learn(e.family, e.gathered, &e.run);
    if (!run_stopped(&e.run) && !own.no_input)
        read_all(&e);
    if ((e.run.records || own.no_input) && !run_stopped(&e.run))
        conclude(&e);
    return run_end(&e.run);
}
