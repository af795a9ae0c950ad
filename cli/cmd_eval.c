/* SPDX-License-Identifier: Apache-2.0 */
/* rederive eval: measures the quality of answers and checks against labels and gold answers. */
#include "cmd.h"
#include "combined_file.h"
#include "eval_options.h"
#include "grade.h"
#include "html_output.h"
#include "majority_options.h"
#include "report_files.h"
#include "record_pool.h"
#include "table_files.h"
#include "table_print.h"
#include "verifier_options.h"
#include "weight_option.h"

#include "judge/usable.h"

#include "score/score.h"
#include "base/arena.h"
#include "base/str.h"
#include "study/combined.h"
#include "study/study.h"
#include "study/table.h"
#include "score/combine.h"

#include <math.h>
#include <stdlib.h>

#define MAX_PARTS 1000

/* ---- options --------------------------------------------------------------------------------- */

/* Whether the study is a recipe: the table of a paper, whose name has a colon. */
static bool is_recipe(const rdv_study_info *info)
{
    return strchr(info->name, ':') != NULL;
}

/* --recipe list: print one line per recipe. */
static int list_recipes(void)
{
    const rdv_study_info *info;
    for (size_t i = 0; (info = rdv_study_at(i)); i++)
        if (is_recipe(info))
            printf("%-18s %-14s %s\n", info->name, info->section, info->summary);
    return DONE;
}

/* Find the study: that of --recipe, or the comparison or evaluation that belong to no paper. */
static int find_study(const struct settings *set, const rdv_study_info **out, rdv_error *err)
{
    const char *recipe = set->recipe;
    char names[RDV_ERROR_MAX] = "";
    size_t at = 0;
    *out = rdv_study_named(rdv_str_of(recipe         ? recipe
                                      : set->compare ? "comparison"
                                      : set->scorers ? "combined"
                                                     : "evaluation"));
    if (*out && (!recipe || is_recipe(*out)))
        return RDV_OK;
    rdv_str wanted = rdv_str_of(recipe);
    rdv_str paper = rdv_slice(wanted, 0, rdv_find_char(wanted, ':', 0) + 1);
    const rdv_study_info *info;
    for (size_t i = 0; paper.len && (info = rdv_study_at(i)) && at < sizeof names; i++)
        if (is_recipe(info) && rdv_starts(rdv_str_of(info->name), paper))
            at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "",
                                   info->name + paper.len);
    if (at)
        return rdv_fail(err, RDV_E_ARGUMENT, "--recipe %.64s: of %.*s there are %s", recipe,
                        RDV_FMT(paper), names);
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "--recipe %.64s: must be a name such as selfcheck:table1, general:table1 or "
                    "mistakes:table4; --recipe list lists them",
                    recipe);
}

static int check_compare(const struct settings *set, rdv_error *err)
{
    const char *other = set->recipe            ? "--recipe"
                        : set->fit             ? "--fit"
                        : set->split           ? "--split"
                        : set->lambda.given    ? "--lambda"
                        : set->threshold.given ? "--threshold"
                                               : NULL;
    if (set->compare && other)
        return rdv_fail(err, RDV_E_ARGUMENT, "--compare cannot be combined with %s", other);
    return RDV_OK;
}

static int check_scorers(const struct settings *set, rdv_error *err)
{
    const char *other = set->recipe                              ? "--recipe"
                        : set->compare                           ? "--compare"
                        : set->lambda.given                      ? "--lambda"
                        : set->threshold.given                   ? "--threshold"
                        : strcmp(set->weight, "confidence") != 0 ? "--weight"
                        : strcmp(set->aggregate, "min") != 0     ? "--aggregate"
                                                                 : NULL;
    if (set->scorers && other)
        return rdv_fail(err, RDV_E_ARGUMENT, "--scorers cannot be combined with %s", other);
    if (set->fit_out && !set->scorers)
        return rdv_fail(err, RDV_E_ARGUMENT, "--fit-out writes what --scorers fits: add --scorers");
    return RDV_OK;
}

static int check_fitting(const struct settings *set, const rdv_study_info *info, rdv_error *err)
{
    bool none = (set->fit && !info->fits) || (set->split && !info->splits);
    if (none && !info->fits)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--fit and --split cannot be used with %s, which fits nothing", info->name);
    return none ? rdv_fail(err, RDV_E_ARGUMENT, "%s takes no --split", info->name) : RDV_OK;
}

/* Standard input can be read only once. */
static int check_inputs(const struct settings *set, rdv_error *err)
{
    bool input = set->in.n == 0;
    for (size_t i = 0; i < set->in.n; i++)
        input |= strcmp(set->in.items[i], "-") == 0;
    const char *other = set->compare ? set->compare : set->fit;
    if (input && other && strcmp(other, "-") == 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "standard input cannot be both --%s and the input",
                        set->compare ? "compare" : "fit");
    return RDV_OK;
}

static int read_split(const char *text, rdv_study_options *out, rdv_error *err)
{
    char *end;
    if (!text)
        return RDV_OK;
    out->first_only = strcmp(text, "half") == 0;
    out->parts = out->first_only ? 2 : strtoul(text, &end, 10);
    if (!out->first_only &&
        (!rdv_is_digit(text[0]) || *end || out->parts < 2 || out->parts > MAX_PARTS))
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--split %.64s: must be \"half\" or a number of parts from 2 to %d", text,
                        MAX_PARTS);
    return RDV_OK;
}

static int read_lambda(const struct settings *set, const vote_weight *weight,
                       rdv_study_options *out, rdv_error *err)
{
    if (!set->lambda.given)
        return RDV_OK;
    if (weight->is != VOTE_WEIGHT_CONFIDENCE)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--lambda applies to verdicts; --weight %.64s has none", set->weight);
    out->integrates = true;
    out->integration = (rdv_integration){.l1 = set->lambda.first, .l0 = set->lambda.second};
    return RDV_OK;
}

static int read_verifiers(const struct settings *set, own_verifiers *own, rdv_combination *out,
                          rdv_error *err)
{
    *out = rdv_combination_default();
    if (opt_given(set, "aggregate"))
        rdv_aggregate_named(rdv_str_of(set->aggregate), &out->aggregation.kind);
    if (verifier_options_paper(set))
        out->aggregation.floor = 0;
    rdv_unknown_named(rdv_str_of(set->unknown), &out->aggregation.unknown);
    if (set->floor.given)
        out->aggregation.floor = set->floor.is;
    int code = set->verifiers ? rdv_combination_verifiers(rdv_str_of(set->verifiers), own,
                                                          &out->verifiers, err)
                              : RDV_OK;
    if (code != RDV_OK)
        return rdv_wrap(err, code, "--verifiers");
    if (set->weights)
        code = rdv_combination_weights(rdv_str_of(set->weights), own, out->weight, err);
    if (code == RDV_OK)
        code = rdv_combination_check(out, err);
    return code == RDV_OK ? code : rdv_wrap(err, code, "--weights");
}

static int read_options(const struct settings *set, const rdv_study_info *info,
                        const vote_weight *weight, own_verifiers *own, rdv_study_options *out,
                        rdv_error *err)
{
    *out = (rdv_study_options){.size = sizeof(rdv_study_options),
                               .seed = set->seed,
                               .grading = grade_options(set),
                               .weight = set->weight,
                               .aggregate = weight->aggregation.kind,
                               .threshold = set->threshold.is,
                               .fit = set->fit || set->split,
                               .fitted_on = set->fit,
                               .group = set->group,
                               .power = set->power.is,
                               .profile = set->profile,
                               .baseline = set->baseline,
                               .scorers = set->scorers,
                               .threads = run_threads(set)};
    rdv_unknown_named(rdv_str_of(set->unknown), &out->unknown);
    int code = check_fitting(set, info, err);
    if (code == RDV_OK)
        code = eval_options_check(set, info, weight, err);
    if (code == RDV_OK)
        code = check_inputs(set, err);
    if (code == RDV_OK)
        code = read_split(set->split, out, err);
    if (code == RDV_OK)
        code = read_lambda(set, weight, out, err);
    if (code == RDV_OK)
        code = read_verifiers(set, own, &out->combination, err);
    out->own_verifiers = own->name;
    out->n_own_verifiers = own->n;
    out->perplexity_over = verifier_options_over(set, out->combination.aggregation.kind);
    return code;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* grade: of a chain that is reported on; NULL: it is not graded yet. */
static int take(struct run *run, rdv_study *study, const rdv_record *record, const rdv_grade *grade,
                rdv_arena *arena, bool learn, rdv_error *err)
{
    if (record->kind == RDV_RECORD_RESULT) {
        if (!learn)
            html_add_result(run, &record->result);
        return (learn ? rdv_study_learn_result : rdv_study_add_result)(study, &record->result, err);
    }
    int code = usable_chain(record, err);
    if (code != RDV_OK)
        return code;
    code = learn ? rdv_study_learn(study, &record->chain, arena, err)
                 : study_add_graded(study, &record->chain, grade, arena, err);
    if (code == RDV_OK && !learn)
        html_add_chain(run, &(rdv_html_chain){.chain = &record->chain,
                                              .grade = study_grades(study) ? grade : NULL,
                                              .dataset = html_dataset(run, &record->chain, arena),
                                              .weight = NAN});
    return code;
}

/* Read the chains in `path`. */
static void learn_all(struct run *run, rdv_study *study, rdv_reader *reader, const char *path)
{
    int read = RDV_OK;
    while ((read == RDV_OK || read == RDV_E_INPUT || read == RDV_E_LIMIT) && !run_stopped(run)) {
        rdv_error err = {0};
        rdv_record record;
        rdv_arena_reset(run->arena);
        int code = read = rdv_reader_next(reader, run->arena, &record, &err);
        if (code == RDV_OK) {
            code = take(run, study, &record, NULL, run->arena, true, &err);
            if (code < 0)
                rdv_wrap(&err, code, "%s:%zu", path, record.line);
        }
        if (code == RDV_E_NOMEM || code == RDV_E_IO) {
            run_stop(run, NOTHING_DONE, &err);
        } else if (code == RDV_E_ARGUMENT) {
            run_stop(run, USAGE, &err);
        } else if (code < 0) {
            run->unread++; /* it is none of the input's records, of which some may be fine */
            run_fail(run, NULL, &err);
        }
    }
}

static void learn(struct run *run, rdv_study *study)
{
    const struct settings *set = run->settings;
    const char *path = set->compare ? set->compare : set->fit;
    rdv_read_options options = run_read_options(run);
    rdv_reader *reader;
    rdv_error err = {0};
    if (!path)
        return;
    if (rdv_reader_open(path, &options, &reader, &err) != RDV_OK) {
        run_stop(run, NOTHING_DONE, &err);
        return;
    }
    learn_all(run, study, reader, path);
    rdv_reader_close(&reader);
}

struct reading {
    struct run *run;
    rdv_study *study;
};

/* Any thread: what of a chain does not depend on the others. A chain that cannot be graded here is
 * graded again, and fails, where it is taken. */
static int grade_record(const void *payload, struct pooled *item, rdv_error *err)
{
    const struct reading *r = payload;
    rdv_grade *grade = RDV_NEW(item->arena, rdv_grade);
    if (item->record.kind == RDV_RECORD_CHAIN && grade &&
        study_grade(r->study, &item->record.chain, item->arena, grade, err) == RDV_OK)
        item->made = grade;
    return RDV_OK;
}

static void take_record(void *payload, struct pooled *item)
{
    const struct reading *r = payload;
    rdv_error err = {0};
    int code = take(r->run, r->study, &item->record, item->made, item->arena, false, &err);
    if (code == RDV_E_ARGUMENT)
        rdv_wrap(&err, code, "%s:%zu", r->run->path, item->record.line);
    if (code == RDV_E_NOMEM || code == RDV_E_LIMIT)
        run_stop(r->run, NOTHING_DONE, &err);
    else if (code == RDV_E_ARGUMENT)
        run_stop(r->run, USAGE, &err);
    else if (code != RDV_OK)
        run_fail(r->run, &item->record, &err);
}

static void read_all(struct run *run, rdv_study *study)
{
    struct reading r = {run, study};
    struct record_work work = {.work = grade_record, .finish = take_record, .payload = &r};
    record_pool_run(run, &work);
}

/* ---- the command ----------------------------------------------------------------------------- */

static void conclude(struct run *run, rdv_study *study, const rdv_study_info *info)
{
    const struct settings *set = run->settings;
    rdv_error err = {0};
    rdv_study_tables tables;
    rdv_arena_reset(run->arena);
    int code = rdv_study_finish(study, &tables, &err);
    /* This table depends on the threshold, which the paper does not state. */
    if (code == RDV_OK && set->recipe && strcmp(set->recipe, "selfcheck:table2") == 0 &&
        !set->fit && !set->split) {
        table_note(tables.tables, "%s", "");
        table_note(tables.tables,
                   "the threshold is %s, and not fitted (the paper states none); --fit or --split "
                   "fits one",
                   set->threshold.given ? "that of --threshold" : "0.55, or 0.5 of scores");
        if (!set->threshold.given)
            table_note(tables.tables, "%s", "a method of one's own accepts by its verdicts");
        code = table_close(tables.tables, &err);
    }
    if (code == RDV_OK)
        code = table_print(run, &tables, &err);
    if (code == RDV_OK)
        code = table_files_write(run, info, &tables, &err);
    if (code == RDV_OK)
        html_add_tables(run, &tables);
    if (code == RDV_OK && set->fit_out && run_keeps(run))
        code = combined_file_write(set->fit_out, study_combined_model(study), run->arena, &err);
    if (code != RDV_OK)
        run_stop(run, NOTHING_DONE, &err);
}

int cmd_eval(const struct settings *given)
{
    struct run run = {0};
    struct html_output html;
    struct settings settings = *given;
    rdv_study_options options;
    own_verifiers own = {.n = 0};
    rdv_study *study = NULL;
    const rdv_study_info *info;
    vote_weight weight;
    rdv_error err = {0};
    if (given->recipe && strcmp(given->recipe, "list") == 0)
        return list_recipes();
    int code = weight_option_read(given, &weight, &err);
    if (code == RDV_OK)
        code = check_compare(given, &err);
    if (code == RDV_OK)
        code = check_scorers(given, &err);
    if (code == RDV_OK)
        code = find_study(given, &info, &err);
    if (code != RDV_OK) {
        say("eval: %s", err.msg);
        return USAGE;
    }
    settings.no_input = info->no_chains || majority_is_given(given);
    if (run_begin(&run, &settings) != DONE)
        return run_end(&run);
    run.counts_evidence = true;
    code = read_options(&settings, info, &weight, &own, &options, &err);
    if (code == RDV_OK)
        code = majority_options(&settings, info, run.keep, &options, &err);
    if (code == RDV_OK)
        code = rdv_study_new(rdv_str_of(info->name), &options, run.keep, &study, &err);
    if (code != RDV_OK)
        run_stop(&run, code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE, &err);
    table_files_begin(&run);
    if (!run_stopped(&run))
        html_begin(&run, &html, NULL, &weight, &options.grading);
    if (!run_stopped(&run))
        learn(&run, study);
    if (!run_stopped(&run) && !settings.no_input)
        (info->reports ? report_files_read : read_all)(&run, study);
    if ((run.records || settings.no_input) && !run_stopped(&run))
        conclude(&run, study, info);
    return run_end(&run);
}
