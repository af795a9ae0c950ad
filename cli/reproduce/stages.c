/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of each source of chains. */
#include "options.h"
#include "reproduce.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "score/combine.h"

#include <rederive/study.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define MISTAKE_SHARE "0.85" /* BIG-Bench Mistake, 2.1.1: traces with a wrong answer */
#define N_TASKS 7            /* that 'rederive tasks' generates */

/* The tasks of BIG-Bench Mistake. */
static const char *const mistake_tasks[] = {"word_sorting", "tracking_shuffled_objects",
                                            "logical_deduction", "multistep_arithmetic",
                                            "dyck_languages"};
#define N_MISTAKE_TASKS (sizeof mistake_tasks / sizeof *mistake_tasks)

/* ---- making a stage -------------------------------------------------------------------------- */

static char *text(struct stages *s, const char *fmt, ...) RDV_PRINTF(2, 3);
static char *text(struct stages *s, const char *fmt, ...)
{
    char *out = NULL;
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n >= 0)
        out = RDV_NEW_ARRAY(s->arena, char, (size_t)n + 1);
    if (out) {
        va_start(ap, fmt);
        vsnprintf(out, (size_t)n + 1, fmt, ap);
        va_end(ap);
    }
    s->failed |= !out;
    return out;
}

static void add(struct stages *s, struct arguments *to, char *word)
{
    if (!word || !RDV_PUSH_ROOM(s->arena, to->items, to->n, to->cap))
        s->failed = true;
    else
        to->items[to->n++] = word;
}

/* Add words that spaces separate. */
static void add_words(struct stages *s, struct arguments *to, const char *words)
{
    for (const char *at = words; *at;) {
        size_t len = strcspn(at, " ");
        add(s, to, text(s, "%.*s", (int)len, at));
        at += len + (at[len] == ' ');
    }
}

static void add_option(struct stages *s, struct arguments *to, const char *name, const char *value)
{
    add(s, to, text(s, "--%s", name));
    add(s, to, text(s, "%s", value));
}

static void add_count(struct stages *s, struct arguments *to, const char *name, uint64_t n)
{
    add(s, to, text(s, "--%s", name));
    add(s, to, text(s, "%" PRIu64, n));
}

/* Where a stage writes. A dry run writes what it needs into a folder of its own. */
static const char *place(struct stages *s, const char *file)
{
    char *path = text(s, "%s/work/%s", s->dir, file);
    if (path && s->dry_dir && !stage_is_done(s, path))
        path = text(s, "%s/%s", s->dry_dir, file);
    return path;
}

static struct stage *find(const struct stages *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->items[i]->name, name) == 0)
            return s->items[i];
    return NULL;
}

/* A new stage. NULL: out of memory. */
static struct stage *push(struct stages *s, const char *name, const char *file)
{
    struct stage *stage = s->failed ? NULL : RDV_NEW(s->arena, struct stage);
    if (!stage || !name || !file || !RDV_PUSH_ROOM(s->arena, s->items, s->n, s->cap)) {
        s->failed = true;
        return NULL;
    }
    *stage = (struct stage){.name = name, .out = file};
    s->items[s->n++] = stage;
    return stage;
}

/* The stage `name`, which writes the file of that name and ending. Whether it has to be described:
 * it was found neither here nor before, for another table. *out == NULL: out of memory. */
static bool begin(struct stages *s, const char *name, const char *ending, struct stage **out)
{
    *out = name ? find(s, name) : NULL;
    if (*out)
        return false;
    *out = push(s, name, place(s, text(s, "%s.%s", name, ending)));
    return *out != NULL;
}

static void take(struct stages *s, struct stage *stage, struct stage *input)
{
    if (!input || !RDV_PUSH_ROOM(s->arena, stage->inputs, stage->n_inputs, stage->cap_inputs))
        s->failed = true;
    else
        stage->inputs[stage->n_inputs++] = input;
}

/* Take the output of another stage as an input file. */
static void take_file(struct stages *s, struct stage *stage, struct stage *input)
{
    take(s, stage, input);
    if (!s->failed)
        add(s, &stage->command, text(s, "%s", input->out));
}

static bool is_replayed(const char *model)
{
    return rdv_starts(rdv_str_of(model), RDV_STR("transcript:"));
}

/* The name of a stage that depends on the profile. */
static const char *of_profile(struct stages *s, const char *name)
{
    return s->second && name ? text(s, "%s-%s", name, s->profile) : name;
}

/* The options of the command line that every stage with a model takes. */
static void add_asking(struct stages *s, struct arguments *to, const char *model,
                       const char *checker)
{
    for (const struct opt *o = reproduce_asking; o->name; o++) {
        const void *at = (const char *)s->settings + o->offset;
        const char *was = o->initial ? o->initial : "";
        char value[64] = "";
        const char *is = value;
        if (strcmp(o->name, "profile") == 0)
            at = &s->profile;
        if (o->type == OPT_FLAG && *(const bool *)at)
            add(s, to, text(s, "--%s", o->name));
        if (o->type == OPT_NATURAL)
            snprintf(value, sizeof value, "%" PRIu64, *(const uint64_t *)at);
        else if (o->type == OPT_NUMBER && ((const struct number *)at)->given)
            snprintf(value, sizeof value, "%.15g", ((const struct number *)at)->is);
        else if (o->type != OPT_FLAG && o->type != OPT_NUMBER && *(const char *const *)at)
            is = *(const char *const *)at;
        if (*is && strcmp(is, was) != 0)
            add_option(s, to, o->name, is);
    }
    if (model)
        add_option(s, to, "model", model);
    if (checker)
        add_option(s, to, "checker", checker);
    add_count(s, to, "seed", s->settings->seed);
    const char *first = model ? model : checker;
    if (first && !is_replayed(first))
        add_option(s, to, "journal", text(s, "%s/replies.journal", s->dir));
}

static void add_quiet(struct stages *s, struct arguments *to)
{
    if (s->settings->quiet)
        add(s, to, text(s, "--quiet"));
}

/* A path that no command takes for an option or for standard input. */
static char *path_word(struct stages *s, const char *path)
{
    return text(s, "%s%s", *path == '-' ? "./" : "", path);
}

/* ---- models ---------------------------------------------------------------------------------- */

static size_t n_models(const struct stages *s)
{
    return s->settings->models.n ? s->settings->models.n : 1;
}

/* NULL: none is named, which only a dry run accepts. */
static const char *model_at(const struct stages *s, size_t i)
{
    return i < s->settings->models.n ? s->settings->models.items[i] : NULL;
}

/* The checkers of chains of model `i`: those that are named, else the model itself. */
static size_t n_checkers(const struct stages *s)
{
    return s->settings->checkers.n ? s->settings->checkers.n : 1;
}

static const char *checker_at(const struct stages *s, size_t i)
{
    return i < s->settings->checkers.n ? s->settings->checkers.items[i] : NULL;
}

/* The generator that a check by checker `k` names. A transcript answers for no other model, so one
 * of the two being a transcript, the check has the checker alone. */
static const char *generator_of_check(const struct stages *s, size_t model, size_t k)
{
    const char *generator = model_at(s, model), *checker = checker_at(s, k);
    bool differ = generator && checker && is_replayed(generator) != is_replayed(checker);
    return differ ? NULL : generator;
}

/* The ending of a file's name where there are several models. */
static const char *of_model(struct stages *s, const char *word, size_t i, size_t n)
{
    return n > 1 ? text(s, "-%s%zu", word, i + 1) : "";
}

/* ---- data ------------------------------------------------------------------------------------ */

static uint64_t limit_of(const struct stages *s, const struct chain_set *set)
{
    const struct settings *set_by = s->settings;
    return set_by->limit ? set_by->limit : set_by->data.n ? set->questions : set->made;
}

/* "100" or "all", for names of files. */
static const char *number_name(struct stages *s, uint64_t n)
{
    return n ? text(s, "%" PRIu64, n) : "all";
}

/* Sample `n` questions (0: all) of `files`, of which there are `n_files`, or of `made`. */
static struct stage *sample(struct stages *s, const char *name, bool questions, uint64_t n,
                            const char **files, size_t n_files, struct stage *made)
{
    struct stage *stage;
    if (!begin(s, name, "jsonl", &stage))
        return stage;
    struct arguments *c = &stage->command;
    add_words(s, c, questions ? "sample --questions" : "sample");
    add_quiet(s, c);
    if (n)
        add_count(s, c, "limit", n);
    add_count(s, c, "seed", s->settings->seed);
    for (size_t i = 0; i < n_files; i++)
        add(s, c, path_word(s, files[i]));
    if (made) {
        add_option(s, c, "dataset", "generated");
        take_file(s, stage, made);
    }
    add_option(s, c, "out", stage->out);
    return stage;
}

/* Generate n questions of each task, or of `task`; more: further options. */
static struct stage *generate(struct stages *s, const char *name, const char *task, uint64_t n,
                              const char *more)
{
    struct stage *stage;
    if (!begin(s, name, "jsonl", &stage))
        return stage;
    struct arguments *c = &stage->command;
    add(s, c, text(s, "tasks"));
    add_quiet(s, c);
    add_option(s, c, "task", task);
    add_count(s, c, "number", n);
    add_count(s, c, "seed", s->settings->seed);
    add_words(s, c, more);
    add_option(s, c, "out", stage->out);
    return stage;
}

static struct stage *questions(struct stages *s, const struct chain_set *set)
{
    const struct list *data = &s->settings->data;
    uint64_t n = limit_of(s, set);
    const char *name = text(s, "questions-%s", number_name(s, n));
    struct stage *made = NULL;
    if (data->n == 0)
        made = generate(s, text(s, "generated-%s", number_name(s, n)), "all",
                        (n + N_TASKS - 1) / N_TASKS, "");
    return name ? sample(s, name, true, n, data->items, data->n, made) : NULL;
}

/* One stage for each file of data, or for each task; returns their number. */
static size_t traces(struct stages *s, const struct chain_set *set, bool annotated,
                     struct stage ***stages)
{
    const struct list *data = &s->settings->data;
    uint64_t n = limit_of(s, set);
    size_t n_files = data->n ? data->n : N_MISTAKE_TASKS;
    struct stage **out = *stages = RDV_NEW_ARRAY(s->arena, struct stage *, n_files);
    s->failed |= !out;
    for (size_t i = 0; i < n_files && !s->failed; i++) {
        const char *more =
            annotated ? "--mistakes " MISTAKE_SHARE " --annotators 3" : "--mistakes " MISTAKE_SHARE;
        const char *word = annotated && !data->n ? "annotated" : "traces";
        if (data->n)
            out[i] = sample(s, text(s, "traces-%s-%zu", number_name(s, n), i + 1), false, n,
                            &data->items[i], 1, NULL);
        else
            out[i] = generate(s, text(s, "%s-%s-%s", word, number_name(s, n), mistake_tasks[i]),
                              mistake_tasks[i], n, more);
    }
    return s->failed ? 0 : n_files;
}

/* ---- generated chains ------------------------------------------------------------------------ */

static uint64_t chains_of(const struct stages *s, const struct chain_set *set)
{
    return s->settings->reproduced_chains ? s->settings->reproduced_chains : set->chains;
}

/* What checks the set's chains; NULL: nothing does. */
static const char *methods_of(const struct stages *s, const struct chain_set *set)
{
    return set->own_methods && s->settings->method ? s->settings->method : set->methods;
}

/* The methods of a check or of solve, with their folder where they may be the user's. */
static void add_methods(struct stages *s, struct arguments *c, const struct chain_set *set)
{
    add_option(s, c, "method", methods_of(s, set));
    if (set->own_methods && s->settings->method_dir)
        add_option(s, c, "method-dir", s->settings->method_dir);
    if (set->own_methods && s->settings->rubric)
        add_option(s, c, "rubric", s->settings->rubric);
}

static void add_solve(struct stages *s, struct arguments *c, const struct chain_set *set)
{
    add(s, c, text(s, "solve"));
    add_quiet(s, c);
    add_option(s, c, "generate", set->generate);
    add_count(s, c, "chains", chains_of(s, set));
    add_option(s, c, "stop", "none");
}

static struct stage *chains(struct stages *s, const struct chain_set *set, size_t model)
{
    struct stage *from = questions(s, set);
    const char *name =
        text(s, "chains-%s-%" PRIu64 "-of-%s%s", set->generate, chains_of(s, set),
             number_name(s, limit_of(s, set)), of_model(s, "model", model, n_models(s)));
    struct stage *stage;
    name = of_profile(s, name);
    if (!begin(s, name, "jsonl", &stage))
        return stage;
    struct arguments *c = &stage->command;
    stage->asks = true;
    add_solve(s, c, set);
    add_option(s, c, "method", set->generate_method ? set->generate_method : "none");
    add_asking(s, c, model_at(s, model), NULL);
    take_file(s, stage, from);
    add_option(s, c, "out", text(s, "%s/work/answers-%s.jsonl", s->dir, name));
    add_option(s, c, "chains-out", stage->out);
    return stage;
}

/* What is asked of a check whose chains do not exist yet: as much as solving with the check asks.
 */
static void estimate_check(struct stages *s, struct stage *stage, const struct chain_set *set,
                           struct stage *from, size_t model, size_t checker)
{
    struct arguments *e = &stage->estimate;
    add_solve(s, e, set);
    add_methods(s, e, set);
    const char *generator = generator_of_check(s, model, checker), *by = checker_at(s, checker);
    add_asking(s, e, generator ? generator : by, generator ? by : NULL);
    if (from && from->n_inputs)
        add(s, e, text(s, "%s", from->inputs[0]->out));
}

/* begin() for records of a command that asks models. */
static bool begin_asking(struct stages *s, const char *name, const char *command,
                         struct stage **stage)
{
    if (!begin(s, of_profile(s, name), "jsonl", stage))
        return false;
    (*stage)->asks = true;
    add(s, &(*stage)->command, text(s, "%s", command));
    add_quiet(s, &(*stage)->command);
    return true;
}

/* The stage reads these files and writes its own. */
static struct stage *take_files(struct stages *s, struct stage *stage, struct stage **from,
                                size_t n)
{
    for (size_t i = 0; i < n; i++)
        take_file(s, stage, from[i]);
    add_option(s, &stage->command, "out", stage->out);
    return stage;
}

static struct stage *check(struct stages *s, const char *name, const struct chain_set *set,
                           struct stage **from, size_t n_from, const char *model,
                           const char *checker)
{
    struct stage *stage;
    if (!begin_asking(s, name, "check", &stage))
        return stage;
    struct arguments *c = &stage->command;
    add_methods(s, c, set);
    add_asking(s, c, model, checker);
    return take_files(s, stage, from, n_from);
}

static void add_generated(struct stages *s, const struct chain_set *set, struct stage *table)
{
    for (size_t m = 0; m < n_models(s) && !s->failed; m++)
        for (size_t k = 0; k < n_checkers(s) && !s->failed; k++) {
            struct stage *from = chains(s, set, m);
            if (!set->methods) {
                take_file(s, table, from);
                break;
            }
            const char *name =
                text(s, "checked-%s-%" PRIu64 "-of-%s%s%s", set->name, chains_of(s, set),
                     number_name(s, limit_of(s, set)), of_model(s, "model", m, n_models(s)),
                     of_model(s, "checker", k, n_checkers(s)));
            /* The model's log-probabilities may be asked for too (perplexity). */
            struct stage *stage =
                check(s, name, set, &from, 1, generator_of_check(s, m, k), checker_at(s, k));
            if (stage && stage->estimate.n == 0)
                estimate_check(s, stage, set, from, m, k);
            take_file(s, table, stage);
        }
}

/* ---- traces ---------------------------------------------------------------------------------- */

/* The models that check given traces. */
static size_t n_trace_checkers(const struct stages *s)
{
    return s->settings->checkers.n ? s->settings->checkers.n : n_models(s);
}

static const char *trace_checker_at(const struct stages *s, size_t i)
{
    return s->settings->checkers.n ? s->settings->checkers.items[i] : model_at(s, i);
}

static void add_traces(struct stages *s, const struct chain_set *set, struct stage *table)
{
    bool annotated = set->source == ANNOTATED_CHAINS;
    struct stage **from;
    size_t n = traces(s, set, annotated, &from);
    for (size_t i = 0; i < n && !set->methods; i++)
        take_file(s, table, from[i]);
    for (size_t k = 0; k < n_trace_checkers(s) && set->methods && !s->failed; k++) {
        const char *name = text(s, "checked-%s-%s%s", set->name, number_name(s, limit_of(s, set)),
                                of_model(s, "checker", k, n_trace_checkers(s)));
        take_file(s, table, check(s, name, set, from, n, trace_checker_at(s, k), NULL));
    }
}

/* Repair the traces of all files from the locations of one locator. */
static struct stage *repair(struct stages *s, const struct chain_set *set, const char *locator,
                            struct stage **from, size_t n, size_t model)
{
    const char *name =
        text(s, "repaired-%.*s-%s%s", (int)strcspn(locator, ":"), locator,
             number_name(s, limit_of(s, set)), of_model(s, "model", model, n_models(s)));
    struct stage *stage;
    if (!begin_asking(s, name, "repair", &stage))
        return stage;
    struct arguments *c = &stage->command;
    add_option(s, c, "locator", locator);
    add_option(s, c, "resamples", "8");
    add_asking(s, c, model_at(s, model), NULL);
    return take_files(s, stage, from, n);
}

static void add_repaired(struct stages *s, const struct chain_set *set, struct stage *table)
{
    struct stage **from;
    size_t n = traces(s, set, false, &from);
    struct arguments locators = {0};
    add_words(s, &locators, set->locators);
    for (size_t m = 0; m < n_models(s) && !s->failed; m++)
        for (size_t i = 0; i < locators.n && !s->failed; i++)
            take_file(s, table, repair(s, set, locators.items[i], from, n, m));
}

/* ---- classifiers ----------------------------------------------------------------------------- */

/* The task of a file's traces, as a part of a file's name that 'check -m reward:FILE#NAME,…' can
 * have: without commas, '#' and what a shell or a terminal would take for something else. */
static const char *task_of(struct stages *s, size_t i)
{
    const struct list *data = &s->settings->data;
    if (data->n == 0)
        return mistake_tasks[i];
    char *name = text(s, "%.*s", RDV_FMT(rdv_stem(rdv_str_of(data->items[i]))));
    for (char *c = name; c && *c; c++)
        if ((unsigned char)*c < 0x80 && !rdv_is_alnum(*c) && !strchr("+-._", *c))
            *c = '_';
    return name;
}

/* Train on the traces of all tasks but `i`. They are held out by the name of their file: what
 * 'train' calls their task depends on the records. */
static struct stage *train(struct stages *s, struct stage **from, size_t n, size_t i)
{
    const char *name = text(s, "trained-without-%s", task_of(s, i));
    struct stage *stage;
    if (!begin(s, name, "rdvm", &stage))
        return stage;
    struct arguments *c = &stage->command;
    stage->skips_dry_run = true;
    stage->print_to = place(s, text(s, "%s.json", name));
    add(s, c, text(s, "train"));
    add_quiet(s, c);
    add_words(s, c, "--json --early-stopping --no-cross-validation");
    add_count(s, c, "seed", s->settings->seed);
    add(s, c, text(s, "--hold-out"));
    add(s, c, text(s, "%.*s", RDV_FMT(rdv_stem(rdv_str_of(from[i]->out)))));
    for (size_t k = 0; k < n; k++)
        take_file(s, stage, from[k]);
    add_option(s, c, "out", stage->out);
    return stage;
}

/* Check what was checked by prompting with the classifier too. */
static struct stage *judge(struct stages *s, const char *name, struct stage *trained,
                           struct stage *prompted)
{
    struct stage *stage;
    if (!begin(s, of_profile(s, name), "jsonl", &stage) || !trained || !prompted)
        return stage;
    struct arguments *c = &stage->command;
    stage->skips_dry_run = true;
    add(s, c, text(s, "check"));
    add_quiet(s, c);
    add_option(s, c, "method", text(s, "reward:%s#held-out", trained->out));
    take(s, stage, trained);
    take_file(s, stage, prompted);
    add_option(s, c, "out", stage->out);
    return stage;
}

/* Each task's traces, checked by prompting and by the classifier that has not seen the task. */
static void add_held_out(struct stages *s, const struct chain_set *set, struct stage *table)
{
    struct stage **from;
    size_t n = traces(s, set, false, &from);
    for (size_t k = 0; k < n_trace_checkers(s); k++)
        for (size_t i = 0; i < n && !s->failed; i++) {
            struct stage *trained = train(s, from, n, i);
            const char *of = of_model(s, "checker", k, n_trace_checkers(s));
            const char *asked = text(s, "prompted-%s%s", task_of(s, i), of);
            const char *judged = text(s, "held-out-%s%s", task_of(s, i), of);
            if (s->failed)
                return;
            struct stage *prompted =
                check(s, asked, set, &from[i], 1, trace_checker_at(s, k), NULL);
            take_file(s, table, judge(s, judged, trained, prompted));
        }
}

static void add_training(struct stages *s, const struct chain_set *set, struct stage *table)
{
    struct stage **from;
    size_t n = traces(s, set, false, &from);
    for (size_t i = 0; i < n && !s->failed; i++) {
        struct stage *trained = train(s, from, n, i);
        take(s, table, trained);
        if (!s->failed)
            add(s, &table->command, text(s, "%s", trained->print_to));
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Two files of one name would be one data set, and one task to hold out. Questions are told apart
 * by their records: 'sample' sees to them. */
static int names_differ(struct stages *s, rdv_error *err)
{
    const struct list *data = &s->settings->data;
    rdv_map seen;
    rdv_map_init(&seen, s->arena);
    for (size_t i = 0; i < data->n; i++) {
        const char *name = task_of(s, i);
        size_t before = name ? rdv_map_get(&seen, rdv_str_of(name)) : RDV_MAP_MISSING;
        if (before != RDV_MAP_MISSING)
            return rdv_fail(
                err, RDV_E_ARGUMENT,
                "--data %.200s and --data %.200s would both be the data set \"%.100s\"; "
                "give files of different names",
                data->items[before], data->items[i], name);
        if (!name || rdv_map_put(&seen, rdv_str_of(name), i) < 0)
            return rdv_no_memory(err);
    }
    return RDV_OK;
}

static int suffices(struct stages *s, const struct reproduction *of, rdv_error *err)
{
    const struct settings *set = s->settings;
    enum chain_source source = of->set->source;
    bool asks = source == GENERATED_CHAINS || source == REPAIRED_TRACES ||
                source == HELD_OUT_TRACES || (source != NO_CHAINS && of->set->methods);
    if (asks && !set->models.n && !(set->checkers.n && source == LABELLED_TRACES) && !set->dry_run)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "%s needs a model: --model openai:NAME, --model http://HOST:PORT/v1#NAME "
                        "or --model builtin",
                        of->name);
    if ((source == HELD_OUT_TRACES || source == TRAINING_FIGURES) && set->data.n == 1)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "%s trains on all tasks but one: name the traces of each task with a "
                        "--data of its own",
                        of->name);
    if (source == HELD_OUT_TRACES && strpbrk(s->dir, ",#"))
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--out %.200s: the path of a classifier, which 'check -m reward:FILE' "
                        "names, cannot have a comma or '#'",
                        s->dir);
    return source == GENERATED_CHAINS || source == NO_CHAINS ? RDV_OK : names_differ(s, err);
}

/* The verifiers of a table of general-purpose verification where --method chose them: those of
 * general, and each check of one's own. NULL: the table's own ones. */
static const char *verifiers_of(struct stages *s, const struct chain_set *set)
{
    rdv_str rest = rdv_str_of(set->own_methods ? s->settings->method : NULL);
    bool all = false;
    for (rdv_str at = rest; at.p;) {
        size_t comma = rdv_find_char(at, ',', 0);
        all |= rdv_str_eq(rdv_trim(rdv_slice(at, 0, comma)), RDV_STR("general"));
        at = comma == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(at, comma + 1, at.len);
    }
    const char *list = all ? "all" : NULL;
    while (rest.p) {
        rdv_verifier_kind is;
        size_t comma = rdv_find_char(rest, ',', 0);
        rdv_str name = rdv_trim(rdv_slice(rest, 0, comma));
        rest = comma == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(rest, comma + 1, rest.len);
        if (rdv_str_eq(name, RDV_STR("general")) ||
            (all && rdv_verifier_named(name, &is) == RDV_OK))
            continue;
        list = text(s, "%s%s%.*s", list ? list : "", list ? "," : "", RDV_FMT(name));
    }
    return list;
}

/* The recipe with the options that have an effect on it. */
static void add_recipe(struct stages *s, struct arguments *c, const struct reproduction *of)
{
    unsigned uses = rdv_study_named(rdv_str_of(of->name))->uses;
    bool split = of->fits && !s->settings->no_fit;
    add_option(s, c, "recipe", of->name);
    if (split)
        add_option(s, c, "split", "half");
    if (split || (uses & RDV_USES_SEED))
        add_count(s, c, "seed", s->settings->seed);
    const char *verifiers = (uses & RDV_USES_VERIFIERS) ? verifiers_of(s, of->set) : NULL;
    if (verifiers)
        add_option(s, c, "verifiers", verifiers);
    if ((uses & RDV_USES_BASELINE) && s->settings->baseline)
        add_option(s, c, "baseline", s->settings->baseline);
    if ((uses & RDV_USES_AGGREGATE) && strcmp(s->profile, "paper") == 0)
        add_option(s, c, "profile", "paper");
}

/* Whether the table depends on how replies are read. */
static bool has_profiles(const struct reproduction *of)
{
    bool asks = of->set->source != NO_CHAINS && of->set->source != TRAINING_FIGURES;
    return asks && (of->set->methods || of->set->source != LABELLED_TRACES) &&
           (of->set->methods || of->set->source != ANNOTATED_CHAINS);
}

/* Add the table in s->profile, in the folder `dir`. */
static void add_table(struct stages *s, const struct reproduction *of, const char *dir,
                      const char *beside)
{
    struct stage table = {.for_table = of, .table = dir, .beside = beside};
    struct arguments *c = &table.command;
    add(s, c, text(s, "eval"));
    add_quiet(s, c);
    add_recipe(s, c, of);
    if (of->set->source == GENERATED_CHAINS)
        add_generated(s, of->set, &table);
    else if (of->set->source == LABELLED_TRACES || of->set->source == ANNOTATED_CHAINS)
        add_traces(s, of->set, &table);
    else if (of->set->source == REPAIRED_TRACES)
        add_repaired(s, of->set, &table);
    else if (of->set->source == HELD_OUT_TRACES)
        add_held_out(s, of->set, &table);
    else if (of->set->source == TRAINING_FIGURES)
        add_training(s, of->set, &table);
    struct stage *last =
        push(s, beside ? text(s, "%s, profile %s", of->name, s->profile) : of->name,
             text(s, "%s/table.json", dir));
    if (last) {
        const char *name = last->name, *out = last->out;
        *last = table;
        last->name = name;
        last->out = out;
    }
}

int stages_add(struct stages *s, const struct reproduction *of, const char *dir, rdv_error *err)
{
    int code = suffices(s, of, err);
    if (code != RDV_OK)
        return code;
    bool both = strcmp(s->settings->profile, "both") == 0;
    s->profile = both ? "paper" : s->settings->profile;
    s->second = false;
    add_table(s, of, dir, NULL);
    if (both && has_profiles(of)) {
        s->profile = "robust";
        s->second = true;
        const char *second = text(s, "%s/robust", dir);
        if (second)
            add_table(s, of, second, dir);
    }
    return s->failed ? rdv_no_memory(err) : RDV_OK;
}
