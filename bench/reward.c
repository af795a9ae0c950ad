/* SPDX-License-Identifier: Apache-2.0 */
/* How many steps a second a step classifier goes through on one core: measuring them, and
 * judging what was measured, the latter beside libxgboost's own predictor on trees of the same
 * shape grown from the same rows.
 *
 *   bench_reward [--json] [--runs N] [FILE]...
 *
 * FILE: labelled chains; without one, traces that are made by program. */
#include "reward/reward.h"
#include "task/task.h"
#include <rederive/data.h>

#include "base/arena.h"
#include "base/str.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xgboost/c_api.h>

#define MADE 120 /* traces of each task */
#define TREES 200

typedef struct bench_job {
    rdv_arena *keep, *scratch;
    rdv_chain *chains;
    size_t n, cap, steps;
    float *rows;
    bool *wrong;
    rdv_reward *reward;
    double *chances;
    DMatrixHandle matrix;
    BoosterHandle booster;
} bench_job;

/* ---- the chains ------------------------------------------------------------------------------ */

static bool add_chain(bench_job *job, const rdv_chain *chain)
{
    if (chain->label.kind == RDV_LABEL_UNKNOWN || !chain->n_steps)
        return true;
    if (!RDV_PUSH_ROOM(job->keep, job->chains, job->n, job->cap))
        return false;
    job->chains[job->n++] = *chain;
    job->steps += chain->n_steps;
    return true;
}

static bool make_chains(bench_job *job)
{
    size_t n;
    const rdv_task *const *tasks = rdv_tasks(&n);
    for (size_t t = 0; t < n; t++)
        for (size_t i = 0; i < MADE; i++) {
            rdv_task_options options;
            rdv_chain chain;
            rdv_task_options_default(&options);
            options.trace = true;
            options.mistake = i % 2 ? RDV_TASK_ANY_STEP : RDV_TASK_NO_MISTAKE;
            if (rdv_task_make(tasks[t], &options, i, job->keep, &chain, NULL) == RDV_OK &&
                !add_chain(job, &chain))
                return false;
        }
    return true;
}

static bool read_chains(bench_job *job, const char *path)
{
    rdv_reader *reader;
    rdv_record record;
    int code;
    if (rdv_reader_open(path, NULL, &reader, NULL) != RDV_OK)
        return false;
    while ((code = rdv_reader_next(reader, job->keep, &record, NULL)) != RDV_NONE &&
           code != RDV_E_IO && code != RDV_E_NOMEM)
        if (code == RDV_OK && !add_chain(job, &record.chain))
            break;
    rdv_reader_close(&reader);
    return code == RDV_NONE;
}

/* ---- work that is timed ---------------------------------------------------------------------- */

static bool measure_all(void *payload)
{
    bench_job *job = payload;
    for (size_t i = 0; i < job->n; i++) {
        float *rows;
        rdv_arena_reset(job->scratch);
        if (rdv_features_measure(&job->chains[i], job->scratch, &rows, NULL) != RDV_OK)
            return false;
    }
    return true;
}

static bool predict_all(void *payload)
{
    bench_job *job = payload;
    rdv_reward_predict(job->reward, job->rows, job->steps, job->chances);
    return true;
}

static bool judge_all(void *payload)
{
    bench_job *job = payload;
    for (size_t i = 0; i < job->n; i++) {
        double *wrong;
        size_t first;
        rdv_arena_reset(job->scratch);
        if (rdv_reward_judge(job->reward, &job->chains[i], job->scratch, &wrong, &first, NULL) !=
            RDV_OK)
            return false;
    }
    return true;
}

/* In place, as predictions for a matrix would be kept from one run to the next. */
static bool library_predicts_all(void *payload)
{
    bench_job *job = payload;
    const bst_ulong *shape;
    bst_ulong dimensions;
    const float *out;
    char rows[200];
    size_t n;
    rdv_features(&n);
    snprintf(rows, sizeof rows,
             "{\"data\":[%zu,true],\"shape\":[%zu,%zu],\"typestr\":\"<f4\",\"version\":3}",
             (size_t)job->rows, job->steps, n);
    return XGBoosterPredictFromDense(job->booster, rows,
                                     "{\"type\":0,\"training\":false,\"iteration_begin\":0,"
                                     "\"iteration_end\":0,\"missing\":NaN,"
                                     "\"strict_shape\":false,\"cache_id\":0}",
                                     NULL, &shape, &dimensions, &out) == 0;
}

/* ---- what is timed --------------------------------------------------------------------------- */

static bool make_rows(bench_job *job)
{
    size_t n, row = 0;
    rdv_features(&n);
    job->rows = rdv_calloc(job->keep, job->steps, n * sizeof *job->rows);
    job->wrong = RDV_NEW_ARRAY(job->keep, bool, job->steps);
    job->chances = RDV_NEW_ARRAY(job->keep, double, job->steps);
    if (!job->rows || !job->wrong || !job->chances)
        return false;
    for (size_t i = 0; i < job->n; i++) {
        const rdv_chain *chain = &job->chains[i];
        float *rows;
        rdv_arena_reset(job->scratch);
        if (rdv_features_measure(chain, job->scratch, &rows, NULL) != RDV_OK)
            return false;
        memcpy(job->rows + row * n, rows, chain->n_steps * n * sizeof *rows);
        for (size_t k = 0; k < chain->n_steps; k++)
            job->wrong[row++] = chain->label.kind == RDV_LABEL_AT && k >= chain->label.step;
    }
    return true;
}

static bool train_ours(bench_job *job)
{
    rdv_trainer *trainer = rdv_trainer_new(job->keep);
    const rdv_train_options options = {.trees = TREES, .skip_cross_validation = true};
    rdv_training made;
    rdv_error err = {0};
    for (size_t i = 0; trainer && i < job->n; i++)
        if (rdv_trainer_add(trainer, &job->chains[i], RDV_STR("all"), false, &err) < 0)
            return false;
    if (!trainer || rdv_trainer_run(trainer, &options, &made, &err) != RDV_OK) {
        fprintf(stderr, "bench_reward: %s\n", err.msg);
        return false;
    }
    return rdv_reward_read(made.model, &job->reward, &err) == RDV_OK;
}

static bool train_theirs(bench_job *job)
{
    static const char *const settings[][2] = {
        {"objective", "binary:logistic"}, {"max_depth", "3"},   {"eta", "0.06"},
        {"tree_method", "hist"},          {"subsample", "0.7"}, {"colsample_bytree", "0.4"},
        {"min_child_weight", "10"},       {"verbosity", "0"},   {"nthread", "1"}};
    size_t n;
    rdv_features(&n);
    float *labels = RDV_NEW_ARRAY(job->keep, float, job->steps);
    for (size_t i = 0; labels && i < job->steps; i++)
        labels[i] = job->wrong[i];
    if (!labels || XGDMatrixCreateFromMat(job->rows, job->steps, n, NAN, &job->matrix) != 0 ||
        XGDMatrixSetFloatInfo(job->matrix, "label", labels, job->steps) != 0 ||
        XGBoosterCreate(&job->matrix, 1, &job->booster) != 0)
        return false;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        XGBoosterSetParam(job->booster, settings[i][0], settings[i][1]);
    for (int i = 0; i < TREES; i++)
        if (XGBoosterUpdateOneIter(job->booster, i, job->matrix) != 0)
            return false;
    return true;
}

static bool report(bench_job *job, bool json, size_t runs)
{
    static const struct {
        const char *name, *says;
        bool (*work)(void *);
    } works[] = {{"measure", "steps are measured", measure_all},
                 {"predict", "measured steps are judged", predict_all},
                 {"library", "measured steps are judged by libxgboost", library_predicts_all},
                 {"whole", "steps are measured and judged", judge_all}};
    static bench_times times;
    printf(json ? "{\"chains\":%zu,\"steps\":%zu" : "%zu chains, %zu steps\n", job->n, job->steps);
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        if (!bench_run(&times, runs, works[i].work, job))
            return false;
        bench_summarise(&times);
        double rate = (double)job->steps / times.median;
        if (json)
            printf(",\"%s\":%.0f", works[i].name, rate);
        else
            printf("%12.0f %s a second (+- %.1f %%)\n", rate, works[i].says,
                   100 * times.deviation / times.median);
    }
    if (json)
        puts("}");
    return true;
}

static int usage(void)
{
    fprintf(stderr, "usage: bench_reward [--json] [--runs N] [FILE]...\n");
    return 2;
}

int main(int argc, char **argv)
{
    bool json = false;
    unsigned long runs = 9;
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc)
            runs = strtoul(argv[++i], NULL, 10);
        else
            return usage();
    }
    if (runs < 1 || runs > BENCH_MAX_RUNS)
        return usage();
    bench_job job = {.keep = rdv_arena_new(0), .scratch = rdv_arena_new(0)};
    bool ok = job.keep && job.scratch;
    if (i == argc)
        ok = ok && make_chains(&job);
    for (; i < argc && ok; i++)
        ok = read_chains(&job, argv[i]);
    ok =
        ok && make_rows(&job) && train_ours(&job) && train_theirs(&job) && report(&job, json, runs);
    if (!ok)
        fprintf(stderr, "bench_reward: something failed\n");
    if (job.booster)
        XGBoosterFree(job.booster);
    if (job.matrix)
        XGDMatrixFree(job.matrix);
    rdv_reward_free(&job.reward);
    rdv_arena_free(&job.keep);
    rdv_arena_free(&job.scratch);
    return ok ? 0 : 1;
}
