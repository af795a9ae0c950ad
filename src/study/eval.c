/* SPDX-License-Identifier: Apache-2.0 */
#include "study/eval.h"

#include <math.h>

#define CURVE_POINTS_MAX 101

/* ---- the sheet ----------------------------------------------------------------------------- */

void eval_figure_add(eval_sheet *sheet, const char *name, const char *of, rdv_estimate is)
{
    eval_figures *f = &sheet->out;
    if (!RDV_PUSH_ROOM(sheet->study->arena, f->figures, f->n_figures, sheet->cap_figures)) {
        sheet->failed = true;
        return;
    }
    f->figures[f->n_figures++] = (eval_figure){name, of, is};
}

eval_curve *eval_curve_add(eval_sheet *sheet, const char *name, const char *x, const char *of,
                           size_t n)
{
    eval_figures *f = &sheet->out;
    rdv_arena *arena = sheet->study->arena;
    eval_point *points = RDV_NEW_ARRAY(arena, eval_point, n);
    if (!points || !RDV_PUSH_ROOM(arena, f->curves, f->n_curves, sheet->cap_curves)) {
        sheet->failed = true;
        return NULL;
    }
    eval_curve *curve = &f->curves[f->n_curves++];
    *curve = (eval_curve){.name = name, .x = x, .of = of, .points = points, .n_points = n};
    return curve;
}

size_t eval_thinned(size_t n)
{
    return n < CURVE_POINTS_MAX ? n : CURVE_POINTS_MAX;
}

size_t eval_thin(size_t n, size_t i)
{
    return i * (n - 1) / (eval_thinned(n) - 1);
}

/* ---- evaluating ---------------------------------------------------------------------------- */

static int count_chains(eval_sheet *sheet, rdv_error *err)
{
    eval_figures *out = &sheet->out;
    out->questions = sheet->lots.n;
    out->chains = sheet->n;
    for (size_t i = 0; i < sheet->n; i++) {
        const rdv_eval_item *item = &sheet->items[i];
        const tally_ballot *ballot = &item->vote.ballot;
        if (!isnan(ballot->weight) && !rdv_sum_takes(ballot->weight))
            return rdv_fail(err, RDV_E_INPUT, "%g is too large for a confidence", ballot->weight);
        sheet->weights = sheet->weights || !isnan(ballot->weight);
        out->unread += ballot->answer == TALLY_UNREAD;
        out->ungraded += ballot->correct < 0;
        out->skipped += item->skipped;
        if (!item_is_checked(item))
            continue;
        out->null_confidence += isnan(ballot->weight);
        out->unlabelled += item->label.is == RDV_LABEL_UNKNOWN;
        out->no_prediction += item->found.is == RDV_FOUND_NOTHING;
    }
    return RDV_OK;
}

int eval_items(const rdv_study *study, const rdv_eval_item *items, size_t n,
               const eval_options *options, eval_figures *out, rdv_error *err)
{
    eval_sheet sheet = {.study = study, .items = items, .n = n, .options = *options};
    sheet.options.subsets = options->subsets ? options->subsets : 20;
    sheet.options.n_thresholds = options->n_thresholds ? options->n_thresholds : 21;
    int r = study_sort(study, items, n, sizeof *items, &sheet.lots, err);
    if (r == RDV_OK)
        r = count_chains(&sheet, err);
    if (r == RDV_OK)
        r = eval_accuracy(&sheet, err);
    if (r == RDV_OK)
        r = eval_verification(&sheet, err);
    if (r == RDV_OK && sheet.failed)
        r = rdv_fail(err, RDV_E_NOMEM, "out of memory");
    if (r == RDV_OK)
        *out = sheet.out;
    return r;
}

int eval_scored(const rdv_study *study, const rdv_eval_item *items, size_t n, rdv_scored **out,
                size_t *n_out, rdv_error *err)
{
    rdv_scored *s = RDV_NEW_ARRAY(study->arena, rdv_scored, n);
    if (!s)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    *n_out = 0;
    for (size_t i = 0; i < n; i++) {
        const study_vote *vote = &items[i].vote;
        if (item_is_checked(&items[i]) && vote->ballot.correct >= 0 && !isnan(vote->ballot.weight))
            s[(*n_out)++] =
                (rdv_scored){vote->ballot.weight, vote->ballot.correct == 1, vote->question};
    }
    *out = s;
    return RDV_OK;
}
