/* SPDX-License-Identifier: Apache-2.0 */
/* rederive train: trains a step classifier on labelled chains. */
#include "cmd.h"
#include "file_hash.h"
#include "run.h"
#include "train_report.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "reward/reward.h"
#include "task/task.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct training {
    struct run run;
    struct settings settings; /* as given, except that the run's own output is the figures */
    rdv_train_options options;
    rdv_trainer *trainer;
    bool *held_out; /* for each --hold-out: a labelled chain has its name */
    struct output model, features;
    uint64_t chains, steps, unlabelled;
};

/* ---- settings -------------------------------------------------------------------------------- */

static int read_folds(const char *text, rdv_train_options *o)
{
    char *end;
    if (strcmp(text, "tasks") == 0) {
        o->by = RDV_FOLDS_GROUPS;
        return DONE;
    }
    unsigned long n = strtoul(text, &end, 10);
    if (!rdv_is_digit(text[0]) || *end || n < 3 || n > 100) {
        say("--folds %s: must be \"tasks\", or a number from 3 to 100", text);
        return USAGE;
    }
    o->folds = n;
    return DONE;
}

static const char *const families[] = {"calculation", "agreement", "consistency",
                                       "form",        "position",  "probability"};

/* The families are bits, in this order. */
static int read_without(const char *list, rdv_train_options *o)
{
    for (rdv_str rest = rdv_str_of(list); rest.p;) {
        size_t comma = rdv_find_char(rest, ',', 0);
        rdv_str name = rdv_slice(rest, 0, comma);
        rest = comma == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(rest, comma + 1, rest.len);
        int i = rdv_named(name, families, sizeof families / sizeof *families);
        if (i < 0) {
            say("--without %.*s: the families are calculation, agreement, consistency, form, "
                "position and probability",
                RDV_FMT(name));
            return USAGE;
        }
        o->without |= 1u << i;
    }
    return DONE;
}

static int read_settings(struct training *t, const struct settings *given)
{
    const struct settings *s = &t->settings;
    t->settings = *given;
    t->settings.out = NULL;
    rdv_train_options *o = &t->options;
    const char *after = s->train.post_error_labels, *rule = s->train.rule;
    o->after = strcmp(after, "wrong") == 0      ? RDV_AFTER_WRONG
               : strcmp(after, "left-out") == 0 ? RDV_AFTER_LEFT_OUT
                                                : RDV_AFTER_FITTED;
    o->rule = strcmp(rule, "threshold") == 0 ? RDV_RULE_THRESHOLD
              : strcmp(rule, "hazard") == 0  ? RDV_RULE_HAZARD
                                             : RDV_RULE_FITTED;
    o->aim = strcmp(s->train.objective, "f1") == 0 ? RDV_AIM_F1 : RDV_AIM_LOCATION;
    o->without = s->train.no_position ? RDV_FEATURE_POSITION : 0;
    o->trees = (size_t)s->train.trees;
    o->depth = (size_t)s->train.depth;
    o->seed = s->seed;
    o->early_stopping = s->train.early_stopping;
    o->skip_cross_validation = s->train.no_cross_validation;
    o->name = s->train.name ? rdv_str_of(s->train.name)
              : given->out  ? rdv_stem(rdv_str_of(given->out))
                            : RDV_STR("");
    o->sources = rdv_str_of(s->train.sources ? s->train.sources : "not stated");
    int status = s->train.without ? read_without(s->train.without, o) : DONE;
    return status == DONE ? read_folds(s->train.folds, o) : status;
}

static int open_outputs(struct training *t, const char *model)
{
    rdv_error err = {0};
    const char *features = t->settings.train.features_out;
    int code = RDV_OK;
    if (model)
        code = output_open(&t->model, model, t->run.keep, &err);
    if (code == RDV_OK && features)
        code = output_open(&t->features, features, t->run.keep, &err);
    if (code != RDV_OK)
        run_stop(&t->run, NOTHING_DONE, &err);
    return code == RDV_OK ? DONE : NOTHING_DONE;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int task_of(const struct training *t, const rdv_chain *chain, rdv_str *out)
{
    int code = rdv_record_text(chain->raw, RDV_STR("task"), t->run.arena, out);
    if (code != RDV_NONE)
        return code;
    const rdv_task *task = rdv_task_of(&chain->question);
    *out = task ? rdv_str_of(task->name) : rdv_stem(rdv_str_of(t->run.path));
    return RDV_OK;
}

/* Whether --hold-out names the chain's task or the name of its file. */
static bool is_named(const struct training *t, size_t i, rdv_str task)
{
    rdv_str name = rdv_str_of(t->settings.train.hold_out.items[i]);
    return rdv_str_eq(task, name) || rdv_str_eq(rdv_stem(rdv_str_of(t->run.path)), name);
}

static int add_chain(struct training *t, const rdv_chain *chain, rdv_str task, rdv_error *err)
{
    size_t n = t->settings.train.hold_out.n;
    bool held_out = false;
    for (size_t i = 0; i < n; i++)
        held_out |= is_named(t, i, task);
    int code = rdv_trainer_add(t->trainer, chain, task, held_out, err);
    for (size_t i = 0; i < n && code == RDV_OK; i++)
        t->held_out[i] |= is_named(t, i, task);
    return code;
}

/* A name that holds nothing out would leave its task among those that are trained on. */
static int check_held_out(struct training *t)
{
    const struct list *names = &t->settings.train.hold_out;
    rdv_error err = {0};
    for (size_t i = 0; i < names->n; i++) {
        if (t->held_out[i])
            continue;
        rdv_fail(&err, RDV_E_ARGUMENT,
                 "--hold-out %.200s has no effect: no labelled chain is of a task or file of that "
                 "name",
                 names->items[i]);
        run_stop(&t->run, USAGE, &err);
        return USAGE;
    }
    return DONE;
}

static int write_header(struct training *t, rdv_error *err)
{
    size_t n;
    const rdv_feature *features = rdv_features(&n);
    rdv_buf b;
    rdv_buf_init(&b, t->run.keep, 0);
    rdv_buf_lit(&b, "task,chain,step,steps,label");
    for (size_t i = 0; i < n; i++)
        rdv_buf_printf(&b, ",%s", features[i].name);
    rdv_buf_add_char(&b, '\n');
    return rdv_buf_ok(&b) ? output_write(&t->features, rdv_buf_str(&b), err) : RDV_E_NOMEM;
}

/* Write one row per step: task, chain, step number, number of steps, label (-1: no mistake), and
 * features. */
static int write_features(struct training *t, const rdv_chain *chain, rdv_str task, rdv_error *err)
{
    size_t n;
    float *rows;
    rdv_buf b;
    rdv_features(&n);
    rdv_buf_init(&b, t->run.arena, 0);
    int code = rdv_features_measure(chain, t->run.arena, &rows, err);
    for (size_t i = 0; i < chain->n_steps && code == RDV_OK; i++) {
        rdv_buf_printf(&b, "%.*s,%" PRIu64 ",%zu,%zu,%ld", RDV_FMT(task), t->chains, i,
                       chain->n_steps,
                       chain->label.kind == RDV_LABEL_AT ? (long)chain->label.step : -1L);
        for (size_t k = 0; k < n; k++) {
            float x = rows[i * n + k];
            rdv_buf_printf(&b, isnan(x) ? "," : ",%.9g", (double)x);
        }
        rdv_buf_add_char(&b, '\n');
    }
    if (code != RDV_OK)
        return code;
    return rdv_buf_ok(&b) ? output_write(&t->features, rdv_buf_str(&b), err) : RDV_E_NOMEM;
}

static int take(struct training *t, const rdv_record *record, rdv_error *err)
{
    const rdv_chain *chain = &record->chain;
    rdv_str task;
    if (record->kind != RDV_RECORD_CHAIN)
        return rdv_fail(err, RDV_E_INPUT, "a chain is required: a question with steps");
    int code = task_of(t, chain, &task);
    if (code == RDV_OK)
        code = add_chain(t, chain, task, err);
    t->unlabelled += code == RDV_NONE;
    if (code == RDV_OK && t->features.file)
        code = write_features(t, chain, task, err);
    t->chains += code == RDV_OK;
    t->steps += code == RDV_OK ? chain->n_steps : 0;
    return code == RDV_NONE ? RDV_OK : code;
}

static void take_all(struct training *t)
{
    rdv_record record;
    rdv_error err = {0};
    if (t->features.file && write_header(t, &err) != RDV_OK)
        run_stop(&t->run, NOTHING_DONE, &err);
    while (run_next(&t->run, &record) == RDV_OK) {
        rdv_error why = {0};
        int code = take(t, &record, &why);
        if (code == RDV_E_NOMEM || code == RDV_E_IO)
            run_stop(&t->run, NOTHING_DONE, &why);
        else if (code != RDV_OK)
            run_fail(&t->run, &record, &why);
    }
}

/* ---- the record of the training -------------------------------------------------------------- */

/* The options that the model depends on, all of them, so that other defaults change nothing. */
static void add_options(rdv_buf *b, const struct settings *s)
{
    const char *flags[] = {s->train.no_position ? " --no-position" : "",
                           s->train.early_stopping ? " --early-stopping" : "",
                           s->train.no_cross_validation ? " --no-cross-validation" : ""};
    rdv_buf_printf(b,
                   "rederive train --rule %s --post-error-labels %s --objective %s --folds %s "
                   "--trees %" PRIu64 " --depth %" PRIu64 " --seed %" PRIu64,
                   s->train.rule, s->train.post_error_labels, s->train.objective, s->train.folds,
                   s->train.trees, s->train.depth, s->seed);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        rdv_buf_add(b, rdv_str_of(flags[i]));
    if (s->train.without)
        rdv_buf_printf(b, " --without %s", s->train.without);
    for (size_t i = 0; i < s->train.hold_out.n; i++)
        rdv_buf_printf(b, " --hold-out %s", s->train.hold_out.items[i]);
    if (s->format)
        rdv_buf_printf(b, " --format %s", s->format);
}

/* The command with the names of its files, their SHA-256 as one, in this order, and the version of
 * the program, whose features change. */
static int made_by(struct training *t, rdv_str *out, rdv_error *err)
{
    const struct inputs *from = &t->run.inputs;
    struct sha256_ctx sha;
    char hash[FILE_HASH_TEXT] = "not known of standard input";
    uint64_t size = 0;
    bool files = from->n_in > 0;
    rdv_buf b;
    rdv_buf_init(&b, t->run.keep, 0);
    sha256_init(&sha);
    add_options(&b, &t->settings);
    for (size_t i = 0; i < from->n_in; i++) {
        const char *slash = strrchr(from->in[i], '/');
        bool is_file = strcmp(from->in[i], "-") != 0;
        int code = is_file ? file_hash_add(&sha, "train:", from->in[i], &size, err) : RDV_OK;
        if (code != RDV_OK)
            return code;
        files &= is_file;
        rdv_buf_printf(&b, " %s", slash ? slash + 1 : from->in[i]);
    }
    if (files)
        file_hash_text(&sha, hash);
    rdv_buf_printf(&b, "; sha256 of the files together: %s; rederive " RDV_VERSION, hash);
    *out = rdv_buf_str(&b);
    return out->p ? RDV_OK : rdv_no_memory(err);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void train(struct training *t)
{
    rdv_error err = {0};
    rdv_training made;
    rdv_str text;
    int code = t->model.file ? made_by(t, &t->options.made, &err) : RDV_OK;
    if (code == RDV_OK)
        code = rdv_trainer_run(t->trainer, &t->options, &made, &err);
    if (code == RDV_OK && t->model.file)
        code = output_write(&t->model, made.model, &err);
    if (code == RDV_OK)
        code =
            (t->settings.json ? train_report_json : train_report_text)(&made, t->run.arena, &text);
    if (code == RDV_OK)
        run_write(&t->run, text);
    else
        run_stop(&t->run, NOTHING_DONE, &err);
}

static void finish(struct training *t, struct output *output)
{
    if (output->file && run_stopped(&t->run))
        output_drop(output);
    run_finish_output(&t->run, output);
}

static void summary(const struct training *t)
{
    fprintf(stderr,
            "%" PRIu64 " chain%s, %" PRIu64 " steps; %" PRIu64
            " chains without a label left out; %" PRIu64 " record%s failed; %.2f s\n",
            t->chains, plural(t->chains), t->steps, t->unlabelled, t->run.failed,
            plural(t->run.failed), run_seconds(&t->run));
}

int cmd_train(const struct settings *settings)
{
    struct training t = {0};
    if (read_settings(&t, settings) != DONE)
        return USAGE;
    if (run_begin(&t.run, &t.settings) != DONE || open_outputs(&t, settings->out) != DONE)
        return run_end(&t.run);
    t.trainer = rdv_trainer_new(t.run.keep);
    t.held_out = RDV_NEW_ARRAY(t.run.keep, bool, settings->train.hold_out.n + 1);
    if (t.trainer && t.held_out)
        take_all(&t);
    else
        run_stop(&t.run, NOTHING_DONE, &(rdv_error){.msg = "out of memory"});
    if (!run_stopped(&t.run) && check_held_out(&t) == DONE)
        train(&t);
    finish(&t, &t.model);
    finish(&t, &t.features);
    bool told = !settings->quiet && t.run.opened > 0;
    if (told && !settings->json)
        summary(&t);
    return run_end(&t.run);
}
