/* SPDX-License-Identifier: Apache-2.0 */
/* rederive annotate: exports steps to annotators, merges their labels, and measures agreement. */
#include "cmd.h"
#include "data/annotation/annotations.h"
#include "judge/usable.h"
#include "run.h"
#include "table_print.h"

#include "score/agree.h"
#include "study/trace_sample.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "data/members.h"
#include "data/write.h"
#include "study/table.h"

#include <inttypes.h>
#include <string.h>

#define PAPERS_SHARE 0.15 /* of traces with the right answer: BIG-Bench Mistake, 2.1.1 */
#define MAX_SHOWN 10      /* most annotations without a chain that are listed one by one */

/* Counts of chains by what happened to their labels. */
struct counts {
    size_t chains, annotated, labelled, tied, too_few, unlike;
};

struct annotating {
    struct run run;
    rdv_annotations *annotations;
    rdv_study *agreement;
    rdv_tie_kind ties;
    trace_sample *sample;
    rdv_str *lines; /* n_lines records, of which some are drawn */
    size_t n_lines, cap_lines;
    struct counts counts;
    size_t bad; /* annotations that could not be used */
};

/* ---- annotations ----------------------------------------------------------------------------- */

static void told(void *payload, const char *message)
{
    struct annotating *a = payload;
    run_progress(&a->run, NULL);
    say("%s", message);
    a->bad++;
    if (a->run.settings->strict)
        a->run.status = SOME_FAILED;
}

static void read_labels(struct annotating *a)
{
    const struct settings *s = a->run.settings;
    rdv_annotation_options options = {
        .by = s->annotator, .of = s->criterion, .count_from = strcmp(s->count_from, "1") == 0};
    a->annotations = rdv_annotations_new(a->run.keep, &options);
    rdv_error err = {0};
    int code = a->annotations ? RDV_OK : rdv_no_memory(&err);
    for (size_t i = 0; code == RDV_OK && i < s->labels.n && !run_stopped(&a->run); i++)
        code = rdv_annotations_read(a->annotations, s->labels.items[i], told, a, NULL, &err);
    if (code != RDV_OK)
        run_stop(&a->run, NOTHING_DONE, &err);
}

/* Report annotations whose chains were not in the input. */
static void tell_unused(struct annotating *a)
{
    rdv_str message;
    size_t n = 0;
    for (; (message = rdv_annotations_unused(a->annotations, n, a->run.arena)).p; n++) {
        a->bad++;
        if (n < MAX_SHOWN)
            say("%.*s", RDV_FMT(message));
    }
    if (n > MAX_SHOWN)
        say("and so for %zu more", n - MAX_SHOWN);
}

/* ---- the label ------------------------------------------------------------------------------- */

/* The majority label of the chain's annotators on the criterion; unknown if there are too few
 * annotators or none, or on a tie. */
static int majority_of(struct annotating *a, const rdv_chain *chain, rdv_majority *out,
                       rdv_error *err)
{
    rdv_str of = rdv_str_of(a->run.settings->criterion);
    rdv_label *labels = RDV_NEW_ARRAY(a->run.arena, rdv_label, chain->n_step_labels);
    size_t n = 0;
    if (!labels)
        return rdv_no_memory(err);
    for (size_t i = 0; i < chain->n_step_labels; i++)
        if (rdv_str_eq(chain->step_labels[i].of, of))
            labels[n++] = rdv_first_wrong(&chain->step_labels[i], chain->n_steps);
    int code = rdv_majority_label(labels, n, a->ties, a->run.arena, out, err);
    if (code < 0)
        return code;
    struct counts *c = &a->counts;
    c->annotated += n > 0;
    c->tied += out->tied;
    bool few = out->votes < a->run.settings->min_votes;
    c->too_few += n > 0 && few;
    if (few)
        out->label.kind = RDV_LABEL_UNKNOWN;
    c->labelled += out->label.kind != RDV_LABEL_UNKNOWN;
    c->unlike += out->votes > out->won;
    return RDV_OK;
}

/* ---- sheet, export --------------------------------------------------------------------------- */

static int take_sheet(struct annotating *a, rdv_chain *chain, rdv_error *err)
{
    const struct settings *s = a->run.settings;
    rdv_str rows, head = RDV_STR("");
    rdv_sheet_options how = {.by = rdv_str_of(s->annotator ? s->annotator : ""),
                             .of = rdv_str_of(s->criterion),
                             .count_from = strcmp(s->count_from, "1") == 0,
                             .no_target = s->no_target};
    int code = rdv_annotation_sheet(chain, &how, a->run.arena, &rows, err);
    if (code == RDV_OK && a->counts.chains == 0)
        code = rdv_annotation_sheet(NULL, &how, a->run.arena, &head, err);
    if (code != RDV_OK)
        return code;
    run_write(&a->run, head);
    run_write(&a->run, rows);
    return RDV_OK;
}

static int take_export(struct annotating *a, rdv_chain *chain, rdv_error *err)
{
    rdv_str lines;
    int code = rdv_annotations_write(chain, a->run.arena, &lines, err);
    a->counts.annotated += chain->n_step_labels > 0;
    if (code == RDV_OK)
        run_write(&a->run, lines);
    return code;
}

/* ---- sample ---------------------------------------------------------------------------------- */

/* Keep the record: which ones are drawn is known at the end. */
static int take_sample(struct annotating *a, rdv_chain *chain, rdv_error *err)
{
    rdv_str line;
    int code = trace_sample_add(a->sample, chain, a->n_lines, a->run.arena, err);
    if (code == RDV_OK)
        code = rdv_record_write(chain, NULL, a->run.arena, &line, err);
    if (code != RDV_OK)
        return code;
    if (!RDV_PUSH_ROOM(a->run.keep, a->lines, a->n_lines, a->cap_lines))
        return rdv_no_memory(err);
    a->lines[a->n_lines] = rdv_str_copy(a->run.keep, line);
    return a->lines[a->n_lines++].p ? RDV_OK : rdv_no_memory(err);
}

/* Say of each task what was drawn, and what it lacks. */
static void tell_sample(const struct annotating *a)
{
    size_t n;
    const trace_sample_task *tasks = trace_sample_tasks(a->sample, &n);
    for (size_t i = 0; i < n; i++) {
        const trace_sample_task *t = &tasks[i];
        rdv_str name = t->name.len ? t->name : RDV_STR("traces without a task");
        bool lacks = t->drawn_right < t->wanted_right || t->drawn_wrong < t->wanted_wrong;
        if (!a->run.settings->quiet)
            fprintf(stderr,
                    "%.*s: %zu of %zu traces with the right answer, %zu of %zu with a wrong one\n",
                    RDV_FMT(name), t->drawn_right, t->right, t->drawn_wrong, t->wrong);
        if (lacks)
            say("%.*s: missing for the sample: %zu with the right answer, %zu with a wrong one",
                RDV_FMT(name), t->wanted_right - t->drawn_right, t->wanted_wrong - t->drawn_wrong);
        if (t->unknown)
            say("%.*s: %zu trace%s without a gold answer, of which none can be drawn",
                RDV_FMT(name), t->unknown, plural(t->unknown));
    }
}

static int write_sample(struct annotating *a, rdv_error *err)
{
    size_t *drawn, n;
    int code = trace_sample_draw(a->sample, &drawn, &n, err);
    for (size_t i = 0; code == RDV_OK && i < n; i++)
        run_write(&a->run, a->lines[drawn[i]]);
    if (code == RDV_OK)
        tell_sample(a);
    return code;
}

/* ---- guidelines ------------------------------------------------------------------------------ */

static int write_guidelines(struct annotating *a, rdv_error *err)
{
    const char *criterion = a->run.settings->criterion;
    const char *text = rdv_annotation_guidelines(rdv_str_of(criterion));
    if (!text)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "annotate guidelines: there are none for the criterion %.60s; there are "
                        "those for correct, overall, math, consistency and relevance",
                        criterion);
    run_write(&a->run, rdv_str_of(text));
    return RDV_OK;
}

/* ---- merge ----------------------------------------------------------------------------------- */

static void json_label(rdv_buf *b, rdv_label label)
{
    rdv_json_name(b, RDV_STR("label"));
    if (label.kind == RDV_LABEL_AT)
        rdv_buf_printf(b, "%zu", label.step);
    else
        rdv_buf_lit(b, "null");
}

/* The source of the label, where it replaces one by a method, whose source would be wrong now. */
static void json_label_source(rdv_buf *b, const rdv_chain *chain, const rdv_majority *majority,
                              rdv_str criterion)
{
    rdv_str was;
    if (rdv_chain_member(chain, RDV_STR("label_source"), &was) != RDV_OK)
        return;
    rdv_json_open(b, "label_source", '{');
    rdv_json_put_text(b, "criterion", criterion);
    rdv_json_put_count(b, "n_annotators", majority->votes);
    rdv_buf_add_char(b, '}');
}

/* Write the record with the merged labels in place; a record without annotations is unchanged. */
static int take_merge(struct annotating *a, rdv_chain *chain, rdv_error *err)
{
    rdv_majority majority;
    rdv_write_options options = {.size = sizeof options};
    rdv_buf b;
    rdv_str line;
    int code = majority_of(a, chain, &majority, err);
    rdv_buf_init(&b, a->run.arena, 0);
    rdv_buf_lit(&b, "{"); /* so that commas are right; removed below */
    rdv_write_step_labels(&b, chain, NULL);
    if (majority.label.kind != RDV_LABEL_UNKNOWN) {
        json_label(&b, majority.label);
        json_label_source(&b, chain, &majority, rdv_str_of(a->run.settings->criterion));
    }
    rdv_str members = rdv_buf_str(&b);
    if (!members.p)
        return rdv_no_memory(err);
    if (members.len > 1)
        options.extra = rdv_slice(members, 1, members.len);
    if (code == RDV_OK)
        code = rdv_record_write(chain, &options, a->run.arena, &line, err);
    if (code == RDV_OK)
        run_write(&a->run, line);
    return code;
}

/* ---- agreement ------------------------------------------------------------------------------- */

static int take_agreement(struct annotating *a, rdv_chain *chain, rdv_error *err)
{
    rdv_majority majority;
    int code = majority_of(a, chain, &majority, err);
    return code == RDV_OK ? rdv_study_add(a->agreement, chain, a->run.arena, err) : code;
}

static int write_agreement(struct annotating *a, rdv_error *err)
{
    rdv_study_tables tables;
    const struct counts *c = &a->counts;
    int code = rdv_study_finish(a->agreement, &tables, err);
    if (code != RDV_OK)
        return code;
    table_note(&tables.tables[0],
               "%zu chains, %zu annotated; a majority label for %zu, of which %zu not "
               "unanimous; %zu ties; %zu with fewer than %" PRIu64 " annotators",
               c->chains, c->annotated, c->labelled, c->unlike, c->tied, c->too_few,
               a->run.settings->min_votes);
    code = table_close(&tables.tables[0], err);
    return code == RDV_OK ? table_print(&a->run, &tables, err) : code;
}

/* ---- the command ----------------------------------------------------------------------------- */

struct verb {
    const char *name;
    bool labels; /* whether it reads annotations */
    /* Called for each chain; NULL: the verb reads none. */
    int (*take)(struct annotating *a, rdv_chain *chain, rdv_error *err);
    int (*write)(struct annotating *a, rdv_error *err);
};

static const struct verb *verb_named(const struct list *in)
{
    static const struct verb verbs[] = {{"sample", false, take_sample, write_sample},
                                        {"guidelines", false, NULL, write_guidelines},
                                        {"sheet", false, take_sheet, NULL},
                                        {"merge", true, take_merge, NULL},
                                        {"export", true, take_export, NULL},
                                        {"agreement", true, take_agreement, write_agreement}};
    for (size_t i = 0; in->n && i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, in->items[0]) == 0)
            return &verbs[i];
    return NULL;
}

static int take_record(struct annotating *a, const struct verb *verb, rdv_record *record,
                       rdv_error *err)
{
    int code = usable_chain(record, err);
    if (code == RDV_OK && verb->labels)
        code =
            rdv_annotations_apply(a->annotations, &record->chain, a->run.arena, told, a, NULL, err);
    if (code == RDV_OK || code == RDV_NONE)
        code = verb->take(a, &record->chain, err);
    a->counts.chains += code == RDV_OK;
    return code;
}

/* Where records are written, write an error record in place of the failed one. */
static void fail_record(struct annotating *a, const rdv_record *record, const rdv_error *err)
{
    rdv_str line;
    run_fail_record(&a->run, record, err, a->run.arena, &line);
    if (line.p)
        run_write(&a->run, line);
}

static void take_all(struct annotating *a, const struct verb *verb)
{
    rdv_record record;
    while (run_next(&a->run, &record) == RDV_OK) {
        rdv_error err = {0};
        int code = take_record(a, verb, &record, &err);
        if (code == RDV_E_NOMEM)
            run_stop(&a->run, NOTHING_DONE, &err);
        else if (code != RDV_OK)
            fail_record(a, &record, &err);
    }
}

static void conclude(struct annotating *a, const struct verb *verb)
{
    rdv_error err = {0};
    rdv_arena_reset(a->run.arena);
    tell_unused(a);
    int code = verb->write ? verb->write(a, &err) : RDV_OK;
    if (code != RDV_OK)
        run_stop(&a->run, code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE, &err);
}

static void summarise(const struct annotating *a, const struct verb *verb)
{
    const struct counts *c = &a->counts;
    if (verb->take == take_merge)
        fprintf(stderr,
                "%zu chain%s, %zu annotated, %zu labelled, %zu tie%s, %zu with fewer than %" PRIu64
                " annotators; %" PRIu64 " chain%s and %zu annotation%s failed\n",
                c->chains, plural(c->chains), c->annotated, c->labelled, c->tied, plural(c->tied),
                c->too_few, a->run.settings->min_votes, a->run.failed, plural(a->run.failed),
                a->bad, plural(a->bad));
}

/* Whether the options that belong to one verb stand with it; if not, it was said. */
static bool options_fit(const struct settings *s, const struct verb *verb)
{
    bool samples = verb->take == take_sample;
    if (samples && !s->limit)
        say("annotate sample: --limit N is required: so many traces of each task");
    else if (!samples && s->limit)
        say("annotate %s: --limit has no effect; it belongs to 'annotate sample'", verb->name);
    else if (!samples && s->right.given)
        say("annotate %s: --right has no effect; it belongs to 'annotate sample'", verb->name);
    else if (verb->take != take_sheet && s->no_target)
        say("annotate %s: --no-target has no effect; it belongs to 'annotate sheet'", verb->name);
    else if (!verb->take && s->in.n > 1)
        say("annotate %s reads no file", verb->name);
    else
        return true;
    return false;
}

/* What a verb needs before the first record. */
static int prepare(struct annotating *a, const struct settings *s, rdv_error *err)
{
    rdv_study_options options = {.size = sizeof options, .seed = s->seed};
    trace_sample_options sample = {.size = (size_t)s->limit,
                                   .right = s->right.given ? s->right.is : PAPERS_SHARE,
                                   .seed = s->seed};
    a->sample = trace_sample_new(&sample, a->run.keep);
    return a->sample
               ? rdv_study_new(RDV_STR("agreement"), &options, a->run.keep, &a->agreement, err)
               : rdv_no_memory(err);
}

int cmd_annotate(const struct settings *given)
{
    struct settings settings = *given;
    const struct verb *verb = verb_named(&given->in);
    struct annotating a = {0};
    rdv_tie_named(rdv_str_of(given->ties), &a.ties);
    if (!verb) {
        say("annotate: write 'annotate sample', 'guidelines', 'sheet', 'merge', 'export' or "
            "'agreement', then files of chains");
        return USAGE;
    }
    if (!options_fit(given, verb))
        return USAGE;
    settings.in.items++;
    settings.in.n--;
    settings.no_input = !verb->take;
    if (run_begin(&a.run, &settings) != DONE)
        return run_end(&a.run);
    a.run.errors_in_output = verb->take == take_merge;
    rdv_error err = {0};
    if (prepare(&a, &settings, &err) != RDV_OK)
        run_stop(&a.run, NOTHING_DONE, &err);
    else
        read_labels(&a);
    if (!run_stopped(&a.run) && verb->take)
        take_all(&a, verb);
    if (!run_stopped(&a.run))
        conclude(&a, verb);
    bool whole = !run_stopped(&a.run);
    int status = run_end(&a.run);
    if (status == DONE && a.bad)
        status = SOME_FAILED;
    if (whole && run_tells(&a.run, status))
        summarise(&a, verb);
    return status;
}
