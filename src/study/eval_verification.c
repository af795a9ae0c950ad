/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of how well checks separate right from wrong: chains by their answers, and mistakes by
 * their labels. Skipped chains are left out. */
#include "score/score.h"

#include "base/arena.h"
#include "study/eval.h"

#include "score/counts.h"
#include "score/eval.h"

#include <math.h>

#define ROC_POINTS_MAX 101

/* ---- confidences against answers ----------------------------------------------------------- */

static bool is_scored(const rdv_eval_item *item)
{
    return item_is_checked(item) && item->vote.ballot.correct >= 0 &&
           !isnan(item->vote.ballot.weight);
}

static int collect_scored(const eval_sheet *sheet, rdv_scored **out, size_t *n, rdv_error *err)
{
    rdv_scored *s = RDV_NEW_ARRAY(sheet->scratch, rdv_scored, sheet->n);
    if (!s)
        return rdv_no_memory(err);
    *n = 0;
    for (size_t i = 0; i < sheet->n; i++) {
        const study_vote *vote = &sheet->items[i].vote;
        if (is_scored(&sheet->items[i]))
            s[(*n)++] =
                (rdv_scored){vote->ballot.weight, vote->ballot.correct == 1, vote->question};
    }
    *out = s;
    return RDV_OK;
}

/* The ROC curve, thinned evenly if it has very many points; both end points are kept. */
static int roc_curve(eval_sheet *sheet, const rdv_scored *s, size_t n, rdv_error *err)
{
    rdv_roc_point *roc;
    size_t n_roc;
    int r = rdv_roc(s, n, sheet->scratch, &roc, &n_roc, err);
    if (r != RDV_OK)
        return r < 0 ? r : RDV_OK;
    size_t shown = n_roc < ROC_POINTS_MAX ? n_roc : ROC_POINTS_MAX;
    eval_curve *curve = eval_curve_add(sheet, "roc", "false positive rate", "chains", shown);
    for (size_t i = 0; curve && i < shown; i++) {
        const rdv_roc_point *p = &roc[i * (n_roc - 1) / (shown - 1)];
        rdv_estimate tpr = rdv_estimate_none(n);
        tpr.value = p->tpr;
        curve->points[i] = (eval_point){p->fpr, p->threshold, tpr};
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

/* The range from 0 to 1, or from the lowest to the highest score if one lies outside. */
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

/* The least score that is accepted at `t`: at every higher threshold up to it, the same are. */
static double least_accepted(const rdv_scored *s, size_t n, double t)
{
    double least = INFINITY;
    for (size_t i = 0; i < n; i++)
        least = s[i].score >= t && s[i].score < least ? s[i].score : least;
    return least;
}

static int rate_curves(eval_sheet *sheet, const rdv_scored *s, size_t n, rdv_error *err)
{
    size_t points = sheet->options.n_thresholds;
    eval_point *to[N_RATES];
    double low, high, same_to = -INFINITY; /* the rates are those of every threshold up to it */
    rdv_rates rates;
    threshold_range(s, n, &low, &high);
    for (size_t c = 0; c < N_RATES; c++) {
        eval_curve *curve = eval_curve_add(sheet, rate_names[c], "threshold", "chains", points);
        if (!curve)
            return rdv_no_memory(err);
        to[c] = curve->points;
    }
    for (size_t i = 0; i < points; i++) {
        double t = points > 1 ? low + (high - low) * (double)i / (double)(points - 1) : low;
        if (i == 0 || !(t <= same_to)) {
            rdv_mark mark = rdv_arena_mark(sheet->scratch);
            int r = rdv_rates_at(s, n, t, sheet->scratch, &rates, err);
            if (r < 0)
                return r;
            rdv_arena_rewind(sheet->scratch, mark);
            same_to = least_accepted(s, n, t);
        }
        for (size_t c = 0; c < N_RATES; c++)
            to[c][i] = (eval_point){.x = t, .is = rate(&rates, c)};
    }
    return RDV_OK;
}

static bool is_same_rule(const acceptance *a, const acceptance *b)
{
    return a->rule == b->rule && a->proves == b->proves &&
           (a->rule != ACCEPT_CONFIDENCE ||
            !(a->threshold < b->threshold || a->threshold > b->threshold));
}

/* The threshold on the confidence that would have been the best for these chains. */
static int best_threshold(const rdv_scored *s, size_t n, rdv_arena *arena, eval_acceptance *out,
                          rdv_error *err)
{
    rdv_roc_point *roc;
    size_t n_roc;
    out->best = NAN;
    int r = n ? rdv_roc(s, n, arena, &roc, &n_roc, err) : RDV_NONE;
    for (size_t i = 1; r == RDV_OK && i < n_roc; i++) {
        double balanced = (roc[i].tpr + 1 - roc[i].fpr) / 2;
        if (isnan(out->best) || balanced > out->best) {
            out->best = balanced;
            out->best_threshold = roc[i].threshold;
        }
    }
    return r < 0 ? r : RDV_OK;
}

/* The rates of the chains that are accepted or rejected, each by its own rule. */
static int rates_of_accepted(eval_sheet *sheet, rdv_rates *out, rdv_error *err)
{
    eval_acceptance *by = &sheet->out.acceptance;
    rdv_scored *decided;
    size_t n, kept = 0;
    bool any = false;
    int r = collect_scored(sheet, &decided, &n, err);
    for (size_t i = 0, at = 0; r == RDV_OK && at < n; i++) {
        const rdv_eval_item *item = &sheet->items[i];
        if (!is_scored(item))
            continue;
        int accepted = item_accepted(item);
        acceptance how = item_how(item);
        by->mixed |= any && !is_same_rule(&by->how, &how);
        by->how = how;
        any = true;
        by->count[accepted < 0 ? 2 : accepted]++;
        if (accepted >= 0)
            decided[kept++] = decided[at];
        at++;
    }
    if (r == RDV_OK)
        r = best_threshold(decided, kept, sheet->scratch, by, err);
    for (size_t i = 0, at = 0; r == RDV_OK && at < kept; i++)
        if (is_scored(&sheet->items[i]) && item_accepted(&sheet->items[i]) >= 0)
            decided[at++].score = item_accepted(&sheet->items[i]);
    return r == RDV_OK ? rdv_rates_at(decided, kept, 1, sheet->scratch, out, err) : r;
}

static int scored_figures(eval_sheet *sheet, rdv_error *err)
{
    rdv_scored *s;
    rdv_estimate auc;
    rdv_rates rates;
    size_t n;
    int r = rates_of_accepted(sheet, &rates, err);
    rdv_arena_reset(sheet->scratch);
    if (r == RDV_OK)
        r = collect_scored(sheet, &s, &n, err);
    if (r < 0 || n == 0)
        return r;
    rdv_mark mark = rdv_arena_mark(sheet->scratch);
    r = rdv_auc(s, n, sheet->scratch, &auc, err);
    rdv_arena_rewind(sheet->scratch, mark);
    if (r < 0)
        return r;
    eval_figure_add(sheet, "auc", "chains", auc);
    for (size_t i = 0; i < N_RATES; i++)
        eval_figure_add(sheet, rate_names[i], "chains", rate(&rates, i));
    r = roc_curve(sheet, s, n, err);
    return r < 0 ? r : rate_curves(sheet, s, n, err);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static int location_figures(eval_sheet *sheet, rdv_error *err)
{
    rdv_located *l = RDV_NEW_ARRAY(sheet->scratch, rdv_located, sheet->n);
    size_t n = 0;
    if (!l)
        return rdv_no_memory(err);
    for (size_t i = 0; i < sheet->n; i++) {
        const rdv_eval_item *item = &sheet->items[i];
        if (item_is_checked(item) && item_verdicts(item) > 0 &&
            item->check->label.kind != RDV_LABEL_UNKNOWN)
            l[n++] = (rdv_located){item_label_is(item->check->label),
                                   item_label_is(item->check->found), item->vote.question};
    }
    if (n == 0)
        return RDV_OK;
    rdv_location location;
    int r = rdv_locate_score(l, n, sheet->scratch, &location, err);
    if (r < 0)
        return r;
    eval_figure_add(sheet, "location", "chains", location.overall);
    eval_figure_add(sheet, "location.with_mistake", "chains", location.with_mistake);
    eval_figure_add(sheet, "location.without_mistake", "chains", location.without_mistake);
    eval_figure_add(sheet, "location.f1", "chains", location.f1);
    return RDV_OK;
}

static int answer_figures(eval_sheet *sheet, rdv_error *err)
{
    rdv_detected *d = RDV_NEW_ARRAY(sheet->scratch, rdv_detected, sheet->n);
    size_t n = 0;
    if (!d)
        return rdv_no_memory(err);
    for (size_t i = 0; i < sheet->n; i++) {
        const rdv_eval_item *item = &sheet->items[i];
        if (item_is_checked(item) && item_verdicts(item) > 0 && item->vote.ballot.correct >= 0)
            d[n++] = (rdv_detected){item->vote.ballot.correct == 1,
                                    item_label_is(item->check->found).kind, item->vote.question};
    }
    if (n == 0)
        return RDV_OK;
    rdv_estimate f1;
    int r = rdv_weighted_f1(d, n, sheet->scratch, &f1, err);
    if (r == RDV_OK)
        eval_figure_add(sheet, "weighted_f1", "chains", f1);
    return r;
}

/* ---- undecided chains ------------------------------------------------------------------------ */

enum { UNKNOWN, VERDICTS, COLUMNS };

static double share_unknown(const double *c)
{
    return rdv_ratio(c[UNKNOWN], c[VERDICTS]);
}

static int unknown_figure(eval_sheet *sheet, rdv_error *err)
{
    rdv_counts counts;
    int r = rdv_counts_new(sheet->items, sheet->n, sizeof *sheet->items,
                           offsetof(rdv_eval_item, vote.question), COLUMNS, sheet->scratch, &counts,
                           err);
    if (r < 0)
        return r;
    for (size_t i = 0; i < sheet->n; i++) {
        if (!item_is_checked(&sheet->items[i]))
            continue;
        rdv_counts_row(&counts, i)[UNKNOWN] += (double)sheet->items[i].check->unknown;
        rdv_counts_row(&counts, i)[VERDICTS] += (double)item_verdicts(&sheet->items[i]);
    }
    size_t verdicts = rdv_counts_total(&counts, VERDICTS);
    if (verdicts > 0)
        eval_figure_add(sheet, "unknown", "verdicts",
                        rdv_counts_estimate(&counts, share_unknown, verdicts));
    return RDV_OK;
}

int eval_verification(eval_sheet *sheet, rdv_error *err)
{
    static int (*const parts[])(eval_sheet *, rdv_error *) = {scored_figures, location_figures,
                                                              answer_figures, unknown_figure};
    int r = RDV_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && r == RDV_OK; i++) {
        r = parts[i](sheet, err);
        rdv_arena_reset(sheet->scratch); /* a part needs several numbers for each chain */
    }
    return r;
}
