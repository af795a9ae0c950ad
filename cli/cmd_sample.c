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

#include <inttypes.h>
#include <stdlib.h>

/* Not the seed itself: 'eval --split' and 'mistakes:' recipes draw by hashes of ids and seeds too,
 * and a sample must not be all in one half of a split. */
#define SALT 0x73616d706c65u /* "sample" */

struct sampled {
    rdv_str dataset, question, line;
    uint64_t hash;
    size_t place; /* in the input */
    bool kept;
};

struct sampling {
    struct run run;
    struct sampled *records;
    size_t n, cap;
    uint64_t questions;
};

/* The record's own member "dataset", else --dataset, else the name of its file. */
static int dataset_of(const struct run *run, const rdv_chain *chain, rdv_str *out)
{
    const char *given = run->settings->dataset;
    rdv_str own = {0};
    int code =
        chain->raw.p ? rdv_record_text(chain->raw, RDV_STR("dataset"), run->keep, &own) : RDV_NONE;
    if (code < 0)
        return code;
    *out = own.len ? own
           : given ? rdv_str_of(given)
                   : rdv_str_copy(run->keep, rdv_stem(rdv_str_of(run->path)));
    return out->p ? RDV_OK : RDV_E_NOMEM;
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
    *to = (struct sampled){.place = s->n, .kept = true};
    to->question = rdv_str_copy(s->run.keep, id);
    to->hash = rdv_hash(id, s->run.settings->seed ^ SALT);
    if (!to->question.p || dataset_of(&s->run, chain, &to->dataset) != RDV_OK)
        return rdv_no_memory(err);
    int code = line_of(s, chain, to->dataset, &to->line, err);
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
        r->kept = (set->number == 0 || rank <= set->number) && !(same && set->questions_only);
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
        if (code == RDV_E_NOMEM)
            run_stop(&s->run, NOTHING_DONE, &err);
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
    sample_all(&s);
    run_tell_empty(&s.run, "sample");
    int status = run_end(&s.run);
    if (run_tells(&s.run, status))
        fprintf(stderr, "%" PRIu64 " question%s of %" PRIu64 " record%s; %" PRIu64 " failed\n",
                s.questions, plural(s.questions), s.run.records, plural(s.run.records),
                s.run.failed);
    return status;
}
