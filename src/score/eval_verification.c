/* SPDX-License-Identifier: Apache-2.0 */
/* How well checks tell right from wrong: chains by their answers, and mistakes by their labels.
 * Chains marked as skipped take no part. */
#include "score/eval.h"
#include "score/score.h"

#include "score/counts.h"

#include <math.h>

#define ROC_POINTS_MAX 101

static bool takes_part(const rdv_eval_row *row)
{
    return row->checked && !row->skipped;
}

/* ---- confidences against answers ----------------------------------------------------------- */

static bool is_scored(const rdv_eval_row *row)
{
    return takes_part(row) && row->slip.correct >= 0 && !isnan(row->slip.weight);
}

static int collect_scored(const rdv_eval *e, rdv_scored **out, size_t *n)
{
    rdv_scored *s = RDV_NEW_ARRAY(e->arena, rdv_scored, e->n_rows);
    if (!s)
        return RDV_E_NOMEM;
    *n = 0;
    for (size_t i = 0; i < e->n_rows; i++) {
        const rdv_eval_row *row = &e->rows[i];
        if (is_scored(row))
            s[(*n)++] = (rdv_scored){row->slip.weight, row->slip.correct == 1, row->question};
    }
    *out = s;
    return RDV_OK;
}

/* The ROC curve, thinned evenly where it has very many points; both ends stay. */
static int roc_curve(rdv_eval_sheet *sheet, const rdv_scored *s, size_t n, rdv_error *err)
{
    rdv_roc_point *roc;
    size_t n_roc;
    int r = rdv_roc(s, n, sheet->eval->arena, &roc, &n_roc, err);
    if (r != RDV_OK)
        return r < 0 ? r : RDV_OK;
    size_t shown = n_roc < ROC_POINTS_MAX ? n_roc : ROC_POINTS_MAX;
    rdv_curve *curve = rdv_sheet_curve(sheet, "roc", "false positive rate", "chains", shown);
    for (size_t i = 0; curve && i < shown; i++) {
        const rdv_roc_point *p = &roc[i * (n_roc - 1) / (shown - 1)];
        rdv_estimate tpr = rdv_estimate_none(n);
        tpr.value = p->tpr;
        curve->points[i] = (rdv_point){p->fpr, tpr};
    }
    return RDV_OK;
}

#define N_RATES 5
static const char *const rate_names[N_RATES] = {"tpr", "tnr", "balanced_accuracy",
                                                "precision_accepted", "precision_rejected"};

static rdv_estimate rate(const rdv_rates *r, size_t i)
{
    const rdv_estimate rates[N_RATES] = {r->tpr, r->tnr, r->balanced, r->precision_accepted,
                                         r->precision_rejected};
    return rates[i];
}

/* From 0 to 1; from the lowest to the highest score where one lies outside. */
static void threshold_range(const rdv_scored *s, size_t n, double *low, double *high)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, s[i].score);
        most = fmax(most, s[i].score);
    }
    bool inside = least >= 0 && most <= 1;
    *low = inside ? 0 : least;
    *high = inside ? 1 : most;
}

static int rate_curves(rdv_eval_sheet *sheet, const rdv_scored *s, size_t n, rdv_error *err)
{
    size_t points = sheet->eval->options.n_thresholds;
    rdv_point *to[N_RATES];
    double low, high;
    threshold_range(s, n, &low, &high);
    for (size_t c = 0; c < N_RATES; c++) {
        rdv_curve *curve = rdv_sheet_curve(sheet, rate_names[c], "threshold", "chains", points);
        if (!curve)
            return rdv_fail(err, RDV_E_NOMEM, "out of memory");
        to[c] = curve->points;
    }
    for (size_t i = 0; i < points; i++) {
        double t = points > 1 ? low + (high - low) * (double)i / (double)(points - 1) : low;
        rdv_rates rates;
        rdv_mark mark = rdv_arena_mark(sheet->eval->arena);
        int r = rdv_rates_at(s, n, t, sheet->eval->arena, &rates, err);
        if (r < 0)
            return r;
        rdv_arena_rewind(sheet->eval->arena, mark);
        for (size_t c = 0; c < N_RATES; c++)
            to[c][i] = (rdv_point){t, rate(&rates, c)};
    }
    return RDV_OK;
}

/* The rates at each chain's own threshold: what is scored then is whether it was accepted. */
static int rates_at_thresholds(const rdv_eval *e, rdv_rates *out, rdv_error *err)
{
    rdv_scored *accepted;
    size_t n, at = 0;
    if (collect_scored(e, &accepted, &n) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t i = 0; i < e->n_rows; i++) {
        if (is_scored(&e->rows[i]))
            accepted[at++].score = rdv_classify(e->rows[i].slip.weight, e->rows[i].threshold);
    }
    return rdv_rates_at(accepted, n, 1, e->arena, out, err);
}

static int scored_figures(rdv_eval_sheet *sheet, rdv_error *err)
{
    const rdv_eval *e = sheet->eval;
    rdv_scored *s;
    size_t n;
    if (collect_scored(e, &s, &n) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    if (n == 0)
        return RDV_OK;
    rdv_estimate auc;
    rdv_rates rates;
    int r = rdv_auc(s, n, e->arena, &auc, err);
    if (r == RDV_OK)
        r = rates_at_thresholds(e, &rates, err);
    if (r < 0)
        return r;
    rdv_sheet_figure(sheet, "auc", "chains", auc);
    for (size_t i = 0; i < N_RATES; i++)
        rdv_sheet_figure(sheet, rate_names[i], "chains", rate(&rates, i));
    r = roc_curve(sheet, s, n, err);
    return r < 0 ? r : rate_curves(sheet, s, n, err);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static int location_figures(rdv_eval_sheet *sheet, rdv_error *err)
{
    const rdv_eval *e = sheet->eval;
    rdv_located *l = RDV_NEW_ARRAY(e->arena, rdv_located, e->n_rows);
    size_t n = 0;
    if (!l)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t i = 0; i < e->n_rows; i++) {
        const rdv_eval_row *row = &e->rows[i];
        if (takes_part(row) && row->verdicts > 0 && row->label.is != RDV_LABEL_UNKNOWN)
            l[n++] = (rdv_located){row->label, row->found, row->question};
    }
    if (n == 0)
        return RDV_OK;
    rdv_location location;
    int r = rdv_locate_score(l, n, e->arena, &location, err);
    if (r < 0)
        return r;
    rdv_sheet_figure(sheet, "location", "chains", location.overall);
    rdv_sheet_figure(sheet, "location.with_mistake", "chains", location.with_mistake);
    rdv_sheet_figure(sheet, "location.without_mistake", "chains", location.without_mistake);
    rdv_sheet_figure(sheet, "location.f1", "chains", location.f1);
    return RDV_OK;
}

static int answer_figures(rdv_eval_sheet *sheet, rdv_error *err)
{
    const rdv_eval *e = sheet->eval;
    rdv_detected *d = RDV_NEW_ARRAY(e->arena, rdv_detected, e->n_rows);
    size_t n = 0;
    if (!d)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t i = 0; i < e->n_rows; i++) {
        const rdv_eval_row *row = &e->rows[i];
        if (takes_part(row) && row->verdicts > 0 && row->slip.correct >= 0)
            d[n++] = (rdv_detected){row->slip.correct == 1, row->found, row->question};
    }
    if (n == 0)
        return RDV_OK;
    rdv_estimate f1;
    int r = rdv_weighted_f1(d, n, e->arena, &f1, err);
    if (r == RDV_OK)
        rdv_sheet_figure(sheet, "weighted_f1", "chains", f1);
    return r;
}

/* ---- what could not be decided --------------------------------------------------------------- */

enum { UNKNOWN, VERDICTS, COLUMNS };

static double share_unknown(const double *c)
{
    return rdv_ratio(c[UNKNOWN], c[VERDICTS]);
}

static int unknown_figure(rdv_eval_sheet *sheet, rdv_error *err)
{
    const rdv_eval *e = sheet->eval;
    rdv_counts counts;
    int r = RDV_COUNTS_NEW(rdv_eval_row, e->rows, e->n_rows, COLUMNS, e->arena, &counts, err);
    if (r < 0)
        return r;
    for (size_t i = 0; i < e->n_rows; i++) {
        if (!takes_part(&e->rows[i]))
            continue;
        rdv_counts_row(&counts, i)[UNKNOWN] += (double)e->rows[i].unknown;
        rdv_counts_row(&counts, i)[VERDICTS] += (double)e->rows[i].verdicts;
    }
    size_t verdicts = rdv_counts_total(&counts, VERDICTS);
    if (verdicts > 0)
        rdv_sheet_figure(sheet, "unknown", "verdicts",
                         rdv_counts_estimate(&counts, share_unknown, verdicts));
    return RDV_OK;
}

int rdv_eval_verification(rdv_eval_sheet *sheet, rdv_error *err)
{
    int r = scored_figures(sheet, err);
    if (r == RDV_OK)
        r = location_figures(sheet, err);
    if (r == RDV_OK)
        r = answer_figures(sheet, err);
    if (r == RDV_OK)
        r = unknown_figure(sheet, err);
    return r;
}
