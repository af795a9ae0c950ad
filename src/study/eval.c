/* SPDX-License-Identifier: Apache-2.0 */
#include "study/eval.h"

#include "base/arena.h"

#include <math.h>

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
        count[EVAL_UNPARSED] += ballot->answer == TALLY_UNREAD;
        count[EVAL_UNGRADED] += ballot->correct < 0;
        count[EVAL_SKIPPED] += item->check->skipped;
        if (!item_is_checked(item))
            continue;
        count[EVAL_NULL_CONFIDENCE] += isnan(ballot->weight);
        count[EVAL_UNDECIDED] += !isnan(ballot->weight) && item_accepted(item) < 0;
        count[EVAL_UNLABELLED] += item->check->label.kind == RDV_LABEL_UNKNOWN;
        count[EVAL_NO_PREDICTION] += item->check->found.kind == RDV_LABEL_UNKNOWN;
    }
    return RDV_OK;
}

/* Whether any chain has a weight, without which weighted votes are undefined. */
static bool any_weight(const rdv_eval_item *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isnan(cast_weight(items[i].vote.standing, items[i].vote.ballot.weight)))
            return true;
    return false;
}

/* Sets up a sheet of `n` items, which are sorted in `arena`. */
static int open_sheet(const rdv_study *study, const rdv_eval_item *items, size_t n,
                      const eval_options *options, rdv_arena *arena, eval_sheet *sheet,
                      rdv_error *err)
{
    *sheet = (eval_sheet){.study = study,
                          .items = items,
                          .n = n,
                          .options = *options,
                          .weights = any_weight(items, n)};
    sheet->options.draws = options->draws ? options->draws : 200;
    sheet->options.n_thresholds = options->n_thresholds ? options->n_thresholds : 21;
    return study_sort(study, items, n, sizeof *items, arena, &sheet->lots, err);
}

int eval_votes_compare(const rdv_study *study, const rdv_eval_item *before, size_t n_before,
                       const rdv_eval_item *items, size_t n, const size_t *counts, size_t n_counts,
                       rdv_estimate *out, rdv_error *err)
{
    eval_options options = {.counts = counts, .n_counts = n_counts};
    eval_sheet a, b;
    int r = open_sheet(study, before, n_before, &options, study->arena, &a, err);
    if (r == RDV_OK)
        r = open_sheet(study, items, n, &options, study->arena, &b, err);
    return r == RDV_OK ? eval_accuracy_compare(&a, &b, out, err) : r;
}

int eval_items(const rdv_study *study, const rdv_eval_item *items, size_t n,
               const eval_options *options, eval_figures *out, rdv_error *err)
{
    eval_sheet sheet = {0};
    rdv_arena *sorted = rdv_arena_new(0);
    int r = sorted ? open_sheet(study, items, n, options, sorted, &sheet, err) : rdv_no_memory(err);
    if (r == RDV_OK && !(sheet.scratch = rdv_arena_new(0)))
        r = rdv_no_memory(err);
    if (r == RDV_OK)
        r = count_chains(&sheet, err);
    if (r == RDV_OK)
        r = eval_accuracy(&sheet, err);
    sheet.lots = (study_lots){0}; /* what follows needs as much memory for each chain */
    rdv_arena_free(&sorted);
    if (r == RDV_OK)
        r = eval_verification(&sheet, err);
    if (r == RDV_OK && sheet.failed)
        r = rdv_no_memory(err);
    rdv_arena_free(&sheet.scratch);
    if (r == RDV_OK)
        *out = sheet.out;
    return r;
}
