/* SPDX-License-Identifier: Apache-2.0 */
/* rederive sample: a seeded choice of questions from data sets. */
#include "cmd.h"
#include "judge/usable.h"
#include "run.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/map.h"
#include "base/str.h"
#include "data/published.h"
#include "study/sample_hash.h"

#include <inttypes.h>
#include <stdlib.h>

#define SHOWN 80 /* bytes of a name in a message */

#define FORMS 8 /* of published data sets, in one file */

struct sampled {
    rdv_str dataset; /* p == NULL: that of its file */
    rdv_str question, line;
    size_t file;
    uint64_t hash, text; /* of the id and the seed; of the question's text */
    size_t place;        /* in the input */
    bool of_file;        /* its line lacks the data set, which is that of its file */
    bool kept;
};

/* The records of an input file that name no data set of their own. */
struct sampled_file {
    const char *path;
    rdv_str dataset;
    size_t n, of[FORMS];
    const char *form[FORMS];
};

struct sampling {
    struct run run;
    struct sampled *records;
    struct sampled_file *files;
    size_t n, cap, n_files, cap_files;
    rdv_map by_id; /* the first record of each question of a file, or of a data set */
    uint64_t questions;
};

/* ---- data sets ------------------------------------------------------------------------------- */

static void count_form(struct sampled_file *file, const char *form)
{
    size_t i = 0;
    file->n++;
    while (form && i < FORMS && file->form[i] && strcmp(file->form[i], form) != 0)
        i++;
    if (!form || i == FORMS)
        return;
    file->form[i] = form;
    file->of[i]++;
}

/* The file being read. */
static int file_of(struct sampling *s, size_t *out, rdv_error *err)
{
    size_t n = s->n_files;
    if (n == 0 || strcmp(s->files[n - 1].path, s->run.path) != 0) {
        if (!RDV_PUSH_ROOM(s->run.keep, s->files, s->n_files, s->cap_files))
            return rdv_no_memory(err);
        s->files[s->n_files++] = (struct sampled_file){.path = s->run.path};
    }
    *out = s->n_files - 1;
    return RDV_OK;
}

/* The record's own member "dataset", else --dataset; p == NULL: that of its file. */
static int own_dataset(struct sampling *s, const rdv_chain *chain, rdv_str *out, rdv_error *err)
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
    return RDV_OK;
}

/* A question is drawn by its id, so that another one with the same id of the same data set (before
 * that is known: of the same file) would be lost. RDV_NONE: there is one. */
static int find_other(struct sampling *s, rdv_str set, size_t i, size_t *first, rdv_error *err)
{
    const struct sampled *record = &s->records[i];
    rdv_str key = rdv_str_printf(s->run.keep, "%zu:%.*s%.*s", set.len, RDV_FMT(set),
                                 RDV_FMT(record->question));
    *first = key.p ? rdv_map_get(&s->by_id, key) : RDV_MAP_MISSING;
    if (!key.p || (*first == RDV_MAP_MISSING && rdv_map_put(&s->by_id, key, i) < 0))
        return rdv_no_memory(err);
    return *first == RDV_MAP_MISSING || s->records[*first].text == record->text ? RDV_OK : RDV_NONE;
}

static int check_id(struct sampling *s, rdv_error *err)
{
    const struct sampled *record = &s->records[s->n];
    size_t first;
    rdv_str path = rdv_str_of(s->run.path);
    int code = find_other(s, record->dataset.p ? record->dataset : path, s->n, &first, err);
    return code == RDV_NONE
               ? rdv_fail(err, RDV_E_INPUT,
                          "another question of the data set \"%.*s\" has the id \"%.*s\"; give "
                          "different questions different ids",
                          RDV_FMT(rdv_slice(record->dataset.p ? record->dataset : rdv_stem(path), 0,
                                            SHOWN)),
                          RDV_FMT(rdv_slice(record->question, 0, SHOWN)))
               : code;
}

/* Two files of one name ("runs/a/test.jsonl", "runs/b/test.jsonl") would be one data set. */
static int refuse_stem(const struct sampling *s, size_t file, rdv_error *err)
{
    const struct sampled_file *is = &s->files[file];
    for (size_t i = 0; i < file; i++)
        if (strcmp(s->files[i].path, is->path) != 0 && s->files[i].n &&
            rdv_str_eq(s->files[i].dataset, is->dataset))
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "%.200s and %.200s would both be the data set \"%.*s\"; rename one of "
                            "them, or give each record a \"dataset\"",
                            s->files[i].path, is->path, RDV_FMT(rdv_slice(is->dataset, 0, SHOWN)));
    return RDV_OK;
}

/* A file is of the published data set of which more than half of its records are; another one has
 * its own name. */
static int name_file(struct sampling *s, size_t file, rdv_error *err)
{
    struct sampled_file *is = &s->files[file];
    for (size_t i = 0; i < FORMS; i++)
        if (2 * is->of[i] > is->n) {
            is->dataset = rdv_str_of(is->form[i]);
            return RDV_OK;
        }
    is->dataset = rdv_stem(rdv_str_of(is->path));
    return is->n ? refuse_stem(s, file, err) : RDV_OK;
}

static int name_datasets(struct sampling *s, rdv_error *err)
{
    int code = RDV_OK;
    for (size_t i = 0; i < s->n_files && code == RDV_OK; i++)
        code = name_file(s, i, err);
    rdv_map_init(&s->by_id, s->run.keep);
    for (size_t i = 0; i < s->n && code == RDV_OK; i++) {
        size_t first;
        struct sampled *r = &s->records[i];
        r->of_file = !r->dataset.p;
        if (r->of_file)
            r->dataset = s->files[r->file].dataset;
        code = find_other(s, r->dataset, i, &first, err);
        if (code == RDV_NONE)
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "%.200s and %.200s are both of the data set \"%.*s\", and have "
                            "different questions with the id \"%.*s\"; rename one of them, or give "
                            "each record a \"dataset\"",
                            s->files[s->records[first].file].path, s->files[r->file].path,
                            RDV_FMT(rdv_slice(r->dataset, 0, SHOWN)),
                            RDV_FMT(rdv_slice(r->question, 0, SHOWN)));
    }
    return code;
}

/* ---- a record -------------------------------------------------------------------------------- */

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
        return usable_failed(record, err);
    if (record->kind == RDV_RECORD_RESULT || !chain->question.text.p)
        return rdv_fail(err, RDV_E_INPUT, "there is no question in it");
    if (!RDV_PUSH_ROOM(s->run.keep, s->records, s->n, s->cap))
        return rdv_no_memory(err);
    struct sampled *to = &s->records[s->n];
    *to = (struct sampled){.place = s->n, .kept = true};
    to->question = rdv_str_copy(s->run.keep, id);
    to->hash = sample_hash(id, s->run.settings->seed);
    to->text = rdv_hash(chain->question.text, SAMPLE_SALT);
    int code = to->question.p ? own_dataset(s, chain, &to->dataset, err) : rdv_no_memory(err);
    if (code == RDV_OK)
        code = file_of(s, &to->file, err);
    if (code == RDV_OK && !to->dataset.p)
        count_form(&s->files[to->file], published_dataset(record));
    if (code == RDV_OK)
        code = line_of(s, chain, to->dataset, &to->line, err);
    if (code == RDV_OK)
        code = check_id(s, err);
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

/* A line, with the data set of its file where it has none. */
static int write_line(struct sampling *s, const struct sampled *record, rdv_error *err)
{
    rdv_str line = record->line;
    size_t end = line.len;
    rdv_buf b;
    if (!record->of_file) {
        run_write(&s->run, line);
        return RDV_OK;
    }
    while (end && line.p[end - 1] != '}')
        end--;
    rdv_mark mark = rdv_arena_mark(s->run.keep);
    rdv_buf_init(&b, s->run.keep, 0);
    rdv_buf_add(&b, rdv_slice(line, 0, end - 1));
    rdv_json_put_text(&b, "dataset", record->dataset);
    rdv_buf_add(&b, rdv_slice(line, end - 1, line.len));
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    run_write(&s->run, rdv_buf_str(&b));
    rdv_arena_rewind(s->run.keep, mark);
    return RDV_OK;
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
    rdv_error err = {0};
    int code = name_datasets(s, &err);
    if (code == RDV_OK)
        choose(s);
    for (size_t i = 0; i < s->n && code == RDV_OK; i++)
        if (s->records[i].kept)
            code = write_line(s, &s->records[i], &err);
    if (code != RDV_OK)
        run_stop(&s->run, code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE, &err);
}

int cmd_sample(const struct settings *settings)
{
    struct sampling s = {0};
    if (run_begin(&s.run, settings) != DONE)
        return run_end(&s.run);
    rdv_map_init(&s.by_id, s.run.keep);
    sample_all(&s);
    int status = run_end(&s.run);
    if (run_tells(&s.run, status))
        fprintf(stderr, "%" PRIu64 " question%s of %" PRIu64 " record%s; %" PRIu64 " failed\n",
                s.questions, plural(s.questions), s.run.records, plural(s.run.records),
                s.run.failed);
    return status;
}
