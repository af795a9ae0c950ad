/* SPDX-License-Identifier: Apache-2.0 */
#include "study/eval.h"

#include <math.h>

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

/* ---- evaluating ---------------------------------------------------------------------------- */

static int count_chains(eval_sheet *sheet, rdv_error *err)
{
    size_t *count = sheet->out.count;
    count[EVAL_QUESTIONS] = sheet->lots.n;
    count[EVAL_CHAINS] = sheet->n;
    for (size_t i = 0; i < sheet->n; i++) {
        const rdv_eval_item *item = &sheet->items[i];
        const tally_ballot *ballot = &item->vote.ballot;
        if (!isnan(ballot->weight) && !rdv_sum_takes(ballot->weight))
            return rdv_fail(err, RDV_E_INPUT, "%g is too large for a confidence", ballot->weight);
        sheet->weights = sheet->weights || !isnan(ballot->weight);
        count[EVAL_UNPARSED] += ballot->answer == TALLY_UNREAD;
        count[EVAL_UNGRADED] += ballot->correct < 0;
        count[EVAL_SKIPPED] += item->skipped;
        if (!item_is_checked(item))
            continue;
        count[EVAL_NULL_CONFIDENCE] += isnan(ballot->weight);
        count[EVAL_UNLABELLED] += item->label.is == RDV_LABEL_UNKNOWN;
        count[EVAL_NO_PREDICTION] += item->found.is == RDV_FOUND_NOTHING;
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
