/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of the tables' rows. */
#include "study/baseline.h"
#include "study/traces.h"

#include "score/agree.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/estimate.h"
#include "score/eval.h"

#include <math.h>
#include <stdlib.h>

static rdv_cell number_cell(double x, size_t n)
{
    rdv_cell cell = table_number(x);
    cell.is.n = n;
    return cell;
}

/* ---- Table 2 --------------------------------------------------------------------------------- */

int trace_row_counts(trace_row *row, rdv_error *err)
{
    enum { CORRECT, INCORRECT, MISTAKE, TRACES, STEPS, N };
    double sum[N] = {0};
    for (size_t i = 0; i < row->n; i++) {
        const trace *t = row->in[i];
        if (t->repairer != RDV_MAP_MISSING)
            continue;
        sum[CORRECT] += t->right == 1;
        sum[INCORRECT] += t->right == 0;
        sum[MISTAKE] += t->label.kind == RDV_LABEL_AT;
        sum[TRACES]++;
        sum[STEPS] += (double)t->steps;
        row->left_out += t->right < 0 || t->label.kind == RDV_LABEL_UNKNOWN;
    }
    row->traces = (size_t)sum[TRACES];
    for (size_t c = 0; c < N; c++)
        row->cells[c] = number_cell(c == STEPS ? sum[c] / sum[TRACES] : sum[c], row->traces);
    return row->traces ? RDV_OK : RDV_NONE;
}

/* ---- Table 3 --------------------------------------------------------------------------------- */

/* An annotator's location of the first mistake; -1: none. */
static double location_by(const trace *t, size_t annotator)
{
    rdv_label mark = t->marks[annotator];
    return mark.kind == RDV_LABEL_AT           ? (double)mark.step
           : mark.kind == RDV_LABEL_NO_MISTAKE ? -1
                                               : NAN;
}

/* The agreement of at most `raters` annotators on the first mistake of each trace, or, with
 * `steps`, on each step, with each trace as one cluster. */
static int agree(const trace_row *row, size_t raters, bool steps, rdv_estimate *out, rdv_error *err)
{
    size_t units = 0;
    rdv_arena *arena = row->all->arena;
    for (size_t i = 0; i < row->n; i++)
        units += steps ? row->in[i]->steps : 1;
    double *value = RDV_NEW_ARRAY(arena, double, units *raters);
    uint32_t *cluster = RDV_NEW_ARRAY(arena, uint32_t, units);
    rdv_ratings ratings = {.value = value, .n_raters = raters, .cluster = cluster};
    if (!value || !cluster)
        return rdv_no_memory(err);
    for (size_t i = 0; i < row->n; i++) {
        const trace *t = row->in[i];
        for (size_t s = 0; t->n_marks >= 2 && s < (steps ? t->steps : 1); s++) {
            cluster[ratings.n_units] = (uint32_t)i;
            for (size_t k = 0; k < raters; k++, value++) {
                int is = steps && k < t->n_marks ? t->judged[k][s] : -1;
                *value = steps ? (is < 0 ? NAN : is) : k < t->n_marks ? location_by(t, k) : NAN;
            }
            ratings.n_units++;
        }
    }
    return rdv_agreement(&ratings, RDV_ALPHA_NOMINAL, 0, row->all->seed, arena, out, err);
}

int trace_row_agreement(trace_row *row, rdv_error *err)
{
    size_t raters = 0;
    for (size_t i = 0; i < row->n; i++) {
        size_t n = row->in[i]->n_marks;
        row->traces += n >= 2;
        row->left_out += n < 2;
        raters = n > raters ? n : raters;
    }
    if (row->traces == 0)
        return RDV_NONE;
    row->cells[2] = number_cell((double)raters, row->traces);
    int r = agree(row, raters, false, &row->cells[0].is, err);
    return r == RDV_OK ? agree(row, raters, true, &row->cells[1].is, err) : r;
}

/* ---- Tables 4, 5, 7, 9 ----------------------------------------------------------------------- */

/* The locations that the check found, for the traces that have a label. */
static int locate(trace_row *row, rdv_location *out, rdv_located **located, rdv_error *err)
{
    rdv_located *l = RDV_NEW_ARRAY(row->all->arena, rdv_located, row->n);
    if (!l)
        return rdv_no_memory(err);
    for (size_t i = 0; i < row->n; i++) {
        const trace *t = row->in[i];
        const trace_check *check = trace_check_by(t, row->maker);
        if (check && t->label.kind != RDV_LABEL_UNKNOWN)
            l[row->traces++] = (rdv_located){t->label, check->found, t->question};
    }
    row->left_out = row->n - row->traces;
    *located = l;
    return row->traces ? rdv_locate_score(l, row->traces, row->all->arena, out, err) : RDV_NONE;
}

int trace_row_location(trace_row *row, rdv_error *err)
{
    rdv_location location;
    rdv_located *l;
    int r = locate(row, &location, &l, err);
    if (r != RDV_OK)
        return r;
    row->cells[0].is = location.overall;
    row->cells[1] = number_cell((double)location.no_prediction, row->traces);
    row->cells[2] = baseline_name(row);
    return baseline_location(row, BASELINE_ALL_TRACES, &row->cells[3], err);
}

int trace_row_split(trace_row *row, rdv_error *err)
{
    rdv_location location;
    rdv_located *l;
    int r = locate(row, &location, &l, err);
    if (r != RDV_OK)
        return r;
    row->cells[0].is = location.without_mistake;
    row->cells[1].is = location.with_mistake;
    row->cells[2] = baseline_name(row);
    r = baseline_location(row, BASELINE_WITHOUT_MISTAKE, &row->cells[3], err);
    return r < 0 ? r : baseline_location(row, BASELINE_WITH_MISTAKE, &row->cells[4], err);
}

/* The check's predictions about answers, for the traces whose answer is known to be right or
 * wrong. */
static int detect(const trace_row *row, rdv_detected **out, size_t *n, rdv_error *err)
{
    rdv_detected *d = RDV_NEW_ARRAY(row->all->arena, rdv_detected, row->n);
    if (!d)
        return rdv_no_memory(err);
    *n = 0;
    for (size_t i = 0; i < row->n; i++) {
        const trace *t = row->in[i];
        const trace_check *check = trace_check_by(t, row->maker);
        if (check && t->right >= 0)
            d[(*n)++] = (rdv_detected){t->right == 1, check->found.kind, t->question};
    }
    *out = d;
    return *n ? RDV_OK : RDV_NONE;
}

int trace_row_answers(trace_row *row, rdv_error *err)
{
    rdv_detected *d;
    int r = detect(row, &d, &row->traces, err);
    if (r != RDV_OK)
        return r;
    row->left_out = row->n - row->traces;
    r = rdv_weighted_f1(d, row->traces, row->all->arena, &row->cells[0].is, err);
    for (size_t i = 0; i < row->traces; i++)
        d[i].found = RDV_LABEL_AT; /* always predict "wrong" */
    if (r == RDV_OK)
        r = rdv_weighted_f1(d, row->traces, row->all->arena, &row->cells[1].is, err);
    row->cells[2] = baseline_name(row);
    return r < 0 ? r : baseline_answers(row, &row->cells[3], err);
}

/* The share of traces for which the best constant location is right. */
static int best_constant(const trace_row *row, const rdv_located *l, rdv_estimate *out,
                         rdv_error *err)
{
    size_t longest = 0, best = 0;
    for (size_t i = 0; i < row->traces; i++)
        if (l[i].truth.kind == RDV_LABEL_AT && l[i].truth.step > longest)
            longest = l[i].truth.step;
    size_t *hits = RDV_NEW_ARRAY(row->all->arena, size_t, longest + 2);
    double *hit = RDV_NEW_ARRAY(row->all->arena, double, row->traces);
    if (!hits || !hit)
        return rdv_no_memory(err);
#define CLASS(label) ((label).kind == RDV_LABEL_AT ? (label).step : longest + 1)
    for (size_t i = 0; i < row->traces; i++)
        hits[CLASS(l[i].truth)]++;
    for (size_t c = 1; c <= longest + 1; c++)
        best = hits[c] > hits[best] ? c : best;
    for (size_t i = 0; i < row->traces; i++)
        hit[i] = CLASS(l[i].truth) == best;
#undef CLASS
    *out = rdv_mean(hit, row->traces, true);
    return RDV_OK;
}

static int step_auc(const trace_row *row, rdv_estimate *out, rdv_error *err)
{
    rdv_arena *arena = row->all->arena;
    rdv_scored *s = NULL;
    size_t n = 0, cap = 0;
    for (size_t i = 0; i < row->n; i++) {
        const trace_check *check = trace_check_by(row->in[i], row->maker);
        for (size_t k = 0; check && k < check->n_steps; k++) {
            if (!RDV_PUSH_ROOM(arena, s, n, cap))
                return rdv_no_memory(err);
            s[n++] = check->steps[k];
        }
    }
    return rdv_auc(s, n, arena, out, err);
}

int trace_row_rewards(trace_row *row, rdv_error *err)
{
    rdv_location location;
    rdv_located *l;
    rdv_detected *d;
    size_t n;
    int r = locate(row, &location, &l, err);
    if (r != RDV_OK)
        return r;
    row->cells[0].is = location.overall;
    r = best_constant(row, l, &row->cells[1].is, err);
    if (r == RDV_OK)
        r = detect(row, &d, &n, err);
    if (r == RDV_OK)
        r = rdv_weighted_f1(d, n, row->all->arena, &row->cells[2].is, err);
    if (r >= 0)
        r = step_auc(row, &row->cells[3].is, err);
    row->cells[4] = baseline_name(row);
    return r < 0 ? r : baseline_location(row, BASELINE_ALL_TRACES, &row->cells[5], err);
}

/* ---- Table 6, Fig. 2 ------------------------------------------------------------------------- */

/* The share of the traces whose answer had the correctness `before` and no longer has; each of them
 * changes the accuracy by the same amount, down or up. */
static int change(const trace_row *row, int before, rdv_estimate *out, size_t *n, rdv_error *err)
{
    double *changed = RDV_NEW_ARRAY(row->all->arena, double, row->n);
    *n = 0;
    if (!changed)
        return rdv_no_memory(err);
    for (size_t i = 0; i < row->n; i++)
        if (row->in[i]->right_before == before && row->in[i]->right >= 0)
            changed[(*n)++] = row->in[i]->right != before;
    *out = rdv_mean(changed, *n, true);
    if (before)
        *out = (rdv_estimate){0 - out->value, out->se, 0 - out->high, 0 - out->low, out->n};
    return RDV_OK;
}

int trace_row_repairs(trace_row *row, rdv_error *err)
{
    double steps = 0, calls = 0;
    size_t right = 0, wrong = 0;
    if (row->n == 0)
        return RDV_NONE;
    for (size_t i = 0; i < row->n; i++) {
        const trace *t = row->in[i];
        steps += (double)t->steps_before;
        calls += t->calls;
        row->left_out += t->right < 0 || t->right_before < 0;
    }
    row->traces = row->n - row->left_out;
    int r = change(row, 1, &row->cells[0].is, &right, err);
    if (r == RDV_OK)
        r = change(row, 0, &row->cells[1].is, &wrong, err);
    row->cells[2] = number_cell((double)right, right);
    row->cells[3] = number_cell((double)wrong, wrong);
    row->cells[4] = number_cell(steps / (double)row->n, row->n);
    row->cells[5] = number_cell(calls / (double)row->n, row->n);
    row->cells[6] = baseline_locator(row);
    return r < 0 ? r : baseline_repairs(row, &row->cells[7], err);
}

int trace_simulated_accuracy(rdv_str locator, rdv_arena *arena, double *out)
{
    rdv_str prefix = RDV_STR("simulated:");
    *out = NAN;
    if (!rdv_starts(locator, prefix) || locator.len == prefix.len)
        return RDV_OK;
    const char *text = rdv_cstring(arena, rdv_slice(locator, prefix.len, locator.len));
    if (!text)
        return RDV_E_NOMEM;
    char *end;
    *out = strtod(text, &end);
    if (*end == '%')
        *out /= 100;
    return RDV_OK;
}

int trace_row_simulated(trace_row *row, rdv_error *err)
{
    double accuracy;
    size_t locator = row->all->repairers.of[row->maker].name;
    if (trace_simulated_accuracy(row->all->locators.texts[locator], row->all->arena, &accuracy) < 0)
        return rdv_no_memory(err);
    row->cells++;
    int r = trace_row_repairs(row, err);
    row->cells--;
    row->cells[0] = number_cell(accuracy, row->traces);
    return r;
}
