/* SPDX-License-Identifier: Apache-2.0 */
/* rederive sample: a seeded choice of questions from data sets. */
#include "cmd.h"
#include "grade.h"
#include "run.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/map.h"
#include "base/str.h"
#include "study/sample_hash.h"

#include <inttypes.h>
#include <stdlib.h>

#define SHOWN 80 /* bytes of a name in a message */

struct sampled {
    rdv_str dataset, question, line;
    const char *path;
    uint64_t hash, text; /* of the id and the seed; of the question's text */
    size_t place;        /* in the input */
    bool kept;
};

struct sampling {
    struct run run;
    struct sampled *records;
    size_t n, cap;
    rdv_map by_id;   /* the first record of each question */
    rdv_map by_stem; /* the first record of each data set that has the name of its file */
    uint64_t questions;
};

/* Two files of one name ("gsm8k/test.jsonl", "math/test.jsonl") would be one data set. */
static int dataset_of_file(struct sampling *s, rdv_str *out, rdv_error *err)
{
    const char *path = s->run.path;
    *out = rdv_str_copy(s->run.keep, rdv_stem(rdv_str_of(path)));
    if (!out->p)
        return rdv_no_memory(err);
    size_t first = rdv_map_get(&s->by_stem, *out);
    if (first == RDV_MAP_MISSING)
        return rdv_map_put(&s->by_stem, *out, s->n) < 0 ? rdv_no_memory(err) : RDV_OK;
    if (strcmp(s->records[first].path, path) == 0)
        return RDV_OK;
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "%.200s and %.200s would both be the data set \"%.*s\"; rename one of them, or "
                    "give each record a \"dataset\"",
                    s->records[first].path, path, RDV_FMT(rdv_slice(*out, 0, SHOWN)));
}

/* The record's own member "dataset", else --dataset, else the name of its file; empty: none. */
static int dataset_of(struct sampling *s, const rdv_chain *chain, rdv_str *out, rdv_error *err)
{
    const struct run *run = &s->run;
    const char *given = run->settings->dataset;
    rdv_str own = {0};
    int code =
        chain->raw.p ? rdv_record_text(chain->raw, RDV_STR("dataset"), run->keep, &own) : RDV_NONE;
    if (code < 0)
        return rdv_no_memory(err);
    *out = own.len                ? own
           : given                ? rdv_str_of(given)
           : run_reads_stdin(run) ? RDV_STR("") /* a pipe has no name */
                                  : (rdv_str){0};
    return out->p ? RDV_OK : dataset_of_file(s, out, err);
}

/* A question is drawn by its id, so that another one with the same id would be lost. */
static int check_id(struct sampling *s, const struct sampled *record, rdv_error *err)
{
    rdv_str key = rdv_str_printf(s->run.keep, "%zu:%.*s%.*s", record->dataset.len,
                                 RDV_FMT(record->dataset), RDV_FMT(record->question));
    size_t first = key.p ? rdv_map_get(&s->by_id, key) : RDV_MAP_MISSING;
    if (!key.p || (first == RDV_MAP_MISSING && rdv_map_put(&s->by_id, key, s->n) < 0))
        return rdv_no_memory(err);
    if (first == RDV_MAP_MISSING || s->records[first].text == record->text)
        return RDV_OK;
    return rdv_fail(err, RDV_E_INPUT,
                    "another question of the data set \"%.*s\" has the id \"%.*s\"; give different "
                    "questions different ids",
                    RDV_FMT(rdv_slice(record->dataset, 0, SHOWN)),
                    RDV_FMT(rdv_slice(record->question, 0, SHOWN)));
}

/* Only what makes the question: the next command generates its own chains. */
static void leave_question(rdv_chain *chain)
{
    rdv_question question = chain->question;
    rdv_str raw = chain->raw;
    *chain = (rdv_chain){.id = question.id, .question = question, .raw = raw, .correct = -1};
}

static int line_of(struct sampling *s, rdv_chain *chain, rdv_str dataset, rdv_str *out,
                   rdv_error *err)
{
    struct run *run = &s->run;
    rdv_write_options options = {.size = sizeof options, .changed = run->settings->questions_only};
    rdv_buf extra;
    rdv_str line;
    rdv_buf_init(&extra, run->arena, 0);
    if (dataset.len)
        rdv_json_put_text(&extra, "dataset", dataset);
    options.extra = rdv_buf_str(&extra);
    if (!rdv_buf_ok(&extra))
        return rdv_no_memory(err);
    if (run->settings->questions_only)
        leave_question(chain);
    int code = rdv_record_write(chain, &options, run->arena, &line, err);
    if (code != RDV_OK)
        return code;
    *out = rdv_str_copy(run->keep, line);
    return out->p ? RDV_OK : rdv_no_memory(err);
}

static int take(struct sampling *s, rdv_record *record, rdv_error *err)
{
    rdv_chain *chain = &record->chain;
    rdv_str id = chain->question.id.p ? chain->question.id : chain->id;
    if (record->kind == RDV_RECORD_ERROR)
        return grade_failed(record, err);
    if (record->kind == RDV_RECORD_RESULT || !chain->question.text.p)
        return rdv_fail(err, RDV_E_INPUT, "there is no question in it");
    if (!RDV_PUSH_ROOM(s->run.keep, s->records, s->n, s->cap))
        return rdv_no_memory(err);
    struct sampled *to = &s->records[s->n];
    *to = (struct sampled){.place = s->n, .path = s->run.path, .kept = true};
    to->question = rdv_str_copy(s->run.keep, id);
    to->hash = sample_hash(id, s->run.settings->seed);
    to->text = rdv_hash(chain->question.text, SAMPLE_SALT);
    int code = to->question.p ? dataset_of(s, chain, &to->dataset, err) : rdv_no_memory(err);
    if (code == RDV_OK)
        code = line_of(s, chain, to->dataset, &to->line, err);
    if (code == RDV_OK)
        code = check_id(s, to, err);
    s->n += code == RDV_OK;
    return code;
}

/* ---- the choice ------------------------------------------------------------------------------ */

static int by_hash(const void *a, const void *b)
{
    const struct sampled *x = a, *y = b;
    int order = rdv_str_cmp(x->dataset, y->dataset);
    if (order == 0)
        order = (x->hash > y->hash) - (x->hash < y->hash);
    if (order == 0)
        order = rdv_str_cmp(x->question, y->question);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b)
{
    const struct sampled *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* Keep the records of the first questions of each data set, in the order of their hashes. */
static void choose(struct sampling *s)
{
    const struct settings *set = s->run.settings;
    uint64_t rank = 0;
    if (s->n)
        qsort(s->records, s->n, sizeof *s->records, by_hash);
    for (size_t i = 0; i < s->n; i++) {
        struct sampled *r = &s->records[i], *before = i ? &s->records[i - 1] : NULL;
        bool same_set = before && rdv_str_eq(r->dataset, before->dataset);
        bool same = same_set && rdv_str_eq(r->question, before->question);
        rank = !same_set ? 1 : rank + !same;
        r->kept = (set->limit == 0 || rank <= set->limit) && !(same && set->questions_only);
        s->questions += r->kept && !same;
    }
    if (s->n)
        qsort(s->records, s->n, sizeof *s->records, by_place);
}

static void sample_all(struct sampling *s)
{
    rdv_record record;
    while (run_next(&s->run, &record) == RDV_OK) {
        rdv_error err = {0};
        int code = take(s, &record, &err);
        if (code == RDV_E_NOMEM || code == RDV_E_ARGUMENT)
            run_stop(&s->run, code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE, &err);
        else if (code != RDV_OK)
            run_fail(&s->run, &record, &err);
    }
    if (run_stopped(&s->run))
        return;
    choose(s);
    for (size_t i = 0; i < s->n; i++)
        if (s->records[i].kept)
            run_write(&s->run, s->records[i].line);
}

int cmd_sample(const struct settings *settings)
{
    struct sampling s = {0};
    if (run_begin(&s.run, settings) != DONE)
        return run_end(&s.run);
    rdv_map_init(&s.by_id, s.run.keep);
    rdv_map_init(&s.by_stem, s.run.keep);
    sample_all(&s);
    run_tell_empty(&s.run, "sample");
    int status = run_end(&s.run);
    if (run_tells(&s.run, status))
        fprintf(stderr, "%" PRIu64 " question%s of %" PRIu64 " record%s; %" PRIu64 " failed\n",
                s.questions, plural(s.questions), s.run.records, plural(s.run.records),
                s.run.failed);
    return status;
}
