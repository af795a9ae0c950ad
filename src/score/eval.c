/* SPDX-License-Identifier: Apache-2.0 */
/* An evaluation: chains come in one by one and leave a row of numbers each. */
#include "score/eval.h"

#include "base/str.h"
#include "score/ids.h"

#include <math.h>

rdv_eval *rdv_eval_new(rdv_arena *arena, const rdv_eval_options *options)
{
    rdv_eval *e = RDV_NEW(arena, rdv_eval);
    if (!e)
        return NULL;
    e->arena = arena;
    if (options)
        e->options = *options;
    rdv_eval_options *o = &e->options;
    o->subsets = o->subsets ? o->subsets : 20;
    o->n_thresholds = o->n_thresholds ? o->n_thresholds : 21;
    o->threshold = o->threshold != 0 && !isnan(o->threshold) ? o->threshold : 0.5;
    rdv_map_init(&e->ids, arena);
    rdv_map_init(&e->answers, arena);
    return e;
}

/* The number of a text that may be new: looked up first, so that only new texts are copied. */
static int number_of(rdv_eval *e, rdv_map *map, rdv_str text, size_t next, size_t *out)
{
    *out = rdv_map_get(map, text);
    if (*out != RDV_MAP_MISSING)
        return RDV_OK;
    rdv_str copy = rdv_str_copy(e->arena, text);
    *out = next;
    return copy.p ? rdv_map_put(map, copy, next) : RDV_E_NOMEM;
}

static int find_question(rdv_eval *e, rdv_str id, size_t *out)
{
    if (!RDV_PUSH_ROOM(e->arena, e->questions, e->n_questions, e->cap_questions) ||
        number_of(e, &e->ids, id.p ? id : RDV_STR(""), e->n_questions, out) < 0)
        return RDV_E_NOMEM;
    if (*out == e->n_questions)
        e->questions[e->n_questions++] = (rdv_eval_question){.seed = rdv_hash(id, e->options.seed)};
    return RDV_OK;
}

/* The number of an answer among those of its question. Both stand in the key of one map. */
static int find_answer(rdv_eval *e, size_t question, rdv_str key, size_t *out)
{
    *out = RDV_UNREAD;
    if (!key.p)
        return RDV_OK;
    rdv_eval_question *q = &e->questions[question];
    rdv_mark mark = rdv_arena_mark(e->arena);
    size_t len = sizeof question + key.len;
    char *p = rdv_alloc(e->arena, len);
    if (!p)
        return RDV_E_NOMEM;
    memcpy(p, &question, sizeof question);
    memcpy(p + sizeof question, key.p, key.len);
    *out = rdv_map_get(&e->answers, (rdv_str){p, len});
    if (*out != RDV_MAP_MISSING) {
        rdv_arena_rewind(e->arena, mark);
        return RDV_OK;
    }
    *out = q->n_answers++;
    return rdv_map_put(&e->answers, (rdv_str){p, len}, *out);
}

int rdv_eval_add(rdv_eval *e, const rdv_fact *f, rdv_error *err)
{
    if (!isnan(f->confidence) && !rdv_sum_takes(f->confidence))
        return rdv_fail(err, RDV_E_INPUT, "%g is too large for a confidence", f->confidence);
    size_t question, answer;
    if (!RDV_PUSH_ROOM(e->arena, e->rows, e->n_rows, e->cap_rows) ||
        find_question(e, f->question_id, &question) < 0 ||
        find_answer(e, question, f->key, &answer) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    bool usable = f->checked && !f->skipped;
    e->rows[e->n_rows++] = (rdv_eval_row){
        .question = question,
        .slip = {answer, usable ? f->confidence : NAN, f->correct},
        .checked = f->checked,
        .skipped = f->skipped,
        .label = f->label,
        .found = f->found,
        .verdicts = f->verdicts,
        .unknown = f->unknown,
        .threshold = f->fitted ? f->threshold : e->options.threshold,
    };
    e->questions[question].n_chains++;
    return RDV_OK;
}

/* ---- the sheet ----------------------------------------------------------------------------- */

void rdv_sheet_figure(rdv_eval_sheet *sheet, const char *name, const char *of, rdv_estimate is)
{
    rdv_figures *f = &sheet->out;
    if (!RDV_PUSH_ROOM(sheet->eval->arena, f->figures, f->n_figures, sheet->cap_figures)) {
        sheet->failed = true;
        return;
    }
    f->figures[f->n_figures++] = (rdv_figure){name, of, is};
}

rdv_curve *rdv_sheet_curve(rdv_eval_sheet *sheet, const char *name, const char *x, const char *of,
                           size_t n)
{
    rdv_figures *f = &sheet->out;
    rdv_point *points = RDV_NEW_ARRAY(sheet->eval->arena, rdv_point, n);
    if (!points || !RDV_PUSH_ROOM(sheet->eval->arena, f->curves, f->n_curves, sheet->cap_curves)) {
        sheet->failed = true;
        return NULL;
    }
    rdv_curve *curve = &f->curves[f->n_curves++];
    *curve = (rdv_curve){.name = name, .x = x, .of = of, .points = points, .n_points = n};
    return curve;
}

/* ---- finishing ----------------------------------------------------------------------------- */

/* Put the slips of each question together, keeping their order (a counting sort). */
static int gather(const rdv_eval *e, rdv_eval_slips *out)
{
    size_t most_answers = 0;
    *out = (rdv_eval_slips){.slips = RDV_NEW_ARRAY(e->arena, rdv_slip, e->n_rows),
                            .start = RDV_NEW_ARRAY(e->arena, size_t, e->n_questions + 1)};
    size_t *next = RDV_NEW_ARRAY(e->arena, size_t, e->n_questions + 1);
    out->judged = RDV_NEW_ARRAY(e->arena, bool, e->n_questions);
    if (!out->slips || !out->start || !out->judged || !next)
        return RDV_E_NOMEM;
    for (size_t q = 0; q < e->n_questions; q++) {
        const rdv_eval_question *question = &e->questions[q];
        next[q] = out->start[q];
        out->start[q + 1] = out->start[q] + question->n_chains;
        if (question->n_chains > out->most_chains)
            out->most_chains = question->n_chains;
        if (question->n_answers > most_answers)
            most_answers = question->n_answers;
    }
    for (size_t i = 0; i < e->n_rows; i++) {
        out->slips[next[e->rows[i].question]++] = e->rows[i].slip;
        out->weights = out->weights || !isnan(e->rows[i].slip.weight);
    }
    out->standings = RDV_NEW_ARRAY(e->arena, rdv_standing, most_answers);
    return out->standings ? RDV_OK : RDV_E_NOMEM;
}

static void count_chains(const rdv_eval *e, rdv_figures *out)
{
    out->questions = e->n_questions;
    out->chains = e->n_rows;
    for (size_t i = 0; i < e->n_rows; i++) {
        const rdv_eval_row *row = &e->rows[i];
        out->unread += row->slip.answer == RDV_UNREAD;
        out->not_judged += row->slip.correct < 0;
        out->skipped += row->skipped;
        if (!row->checked || row->skipped)
            continue;
        out->null_confidence += isnan(row->slip.weight);
        out->unlabelled += row->label.is == RDV_LABEL_UNKNOWN;
        out->no_prediction += row->found.is == RDV_FOUND_NOTHING;
    }
}

int rdv_eval_finish(rdv_eval *e, rdv_figures *out, rdv_error *err)
{
    rdv_eval_slips slips;
    rdv_eval_sheet sheet = {.eval = e};
    if (gather(e, &slips) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    count_chains(e, &sheet.out);
    int r = rdv_eval_accuracy(&sheet, &slips, err);
    if (r == RDV_OK)
        r = rdv_eval_verification(&sheet, err);
    if (r < 0)
        return r;
    if (sheet.failed)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    *out = sheet.out;
    return RDV_OK;
}
