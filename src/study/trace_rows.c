/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of the tables' rows. */
#include "study/traces.h"

#include <rederive/agree.h>

#include "base/str.h"
#include "score/estimate.h"

#include <math.h>
#include <stdlib.h>

static int out_of_memory(rdv_error *err)
{
    return rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

/* ---- Table 2 --------------------------------------------------------------------------------- */

static rdv_cell number_cell(double x, size_t n)
{
    rdv_estimate is = rdv_estimate_none(n);
    is.value = x;
    return table_estimate(is);
}

int trace_row_counts(trace_row *row, rdv_error *err)
{
    size_t right = 0, wrong = 0, mistake = 0;
    double steps = 0;
    (void)err;
    for (size_t i = 0; i < row->all->n; i++) {
        const trace *t = &row->all->of[i];
        if (!trace_in(t, row->group) || t->locator != RDV_MAP_MISSING)
            continue;
        row->traces++;
        right += t->right == 1;
        wrong += t->right == 0;
        mistake += t->label.is == RDV_LABEL_AT;
        steps += (double)t->steps;
        row->left_out += t->right < 0 || t->label.is == RDV_LABEL_UNKNOWN;
    }
    if (row->traces == 0)
        return RDV_NONE;
    const double x[] = {(double)right, (double)wrong, (double)mistake, (double)row->traces,
                        steps / (double)row->traces};
    for (size_t c = 0; c < sizeof x / sizeof *x; c++)
        row->cells[c] = number_cell(x[c], row->traces);
    return RDV_OK;
}

/* ---- Table 3 --------------------------------------------------------------------------------- */

/* A unit for each trace: where each annotator sees the first mistake (-1: nowhere). */
static int rate_locations(const trace_row *row, size_t raters, rdv_ratings *out, rdv_error *err)
{
    rdv_arena *arena = row->all->arena;
    double *value = RDV_NEW_ARRAY(arena, double, row->all->n *raters);
    if (!value)
        return out_of_memory(err);
    *out = (rdv_ratings){.value = value, .n_raters = raters};
    for (size_t i = 0; i < row->all->n; i++) {
        const trace *t = &row->all->of[i];
        if (!trace_in(t, row->group) || t->n_marks < 2)
            continue;
        double *unit = value + out->n_units++ * raters;
        for (size_t k = 0; k < raters; k++) {
            rdv_label mark = k < t->n_marks ? t->marks[k] : (rdv_label){0};
            unit[k] = mark.is == RDV_LABEL_AT           ? (double)mark.step
                      : mark.is == RDV_LABEL_NO_MISTAKE ? -1
                                                        : NAN;
        }
    }
    return RDV_OK;
}

/* A unit for each step; those of one trace are one cluster. */
static int rate_steps(const trace_row *row, size_t raters, rdv_ratings *out, rdv_error *err)
{
    rdv_arena *arena = row->all->arena;
    size_t steps = 0;
    for (size_t i = 0; i < row->all->n; i++)
        if (trace_in(&row->all->of[i], row->group) && row->all->of[i].n_marks >= 2)
            steps += row->all->of[i].steps;
    double *value = RDV_NEW_ARRAY(arena, double, steps *raters);
    size_t *cluster = RDV_NEW_ARRAY(arena, size_t, steps);
    if (!value || !cluster)
        return out_of_memory(err);
    *out = (rdv_ratings){.value = value, .n_raters = raters, .cluster = cluster};
    for (size_t i = 0; i < row->all->n; i++) {
        const trace *t = &row->all->of[i];
        bool in = trace_in(t, row->group) && t->n_marks >= 2;
        for (size_t s = 0; in && s < t->steps; s++) {
            cluster[out->n_units] = i;
            double *unit = value + out->n_units++ * raters;
            for (size_t k = 0; k < raters; k++) {
                int is = k < t->n_marks ? t->judged[k][s] : -1;
                unit[k] = is < 0 ? NAN : is;
            }
        }
    }
    return RDV_OK;
}

int trace_row_agreement(trace_row *row, rdv_error *err)
{
    size_t raters = 0;
    rdv_ratings locations, steps;
    for (size_t i = 0; i < row->all->n; i++) {
        const trace *t = &row->all->of[i];
        if (!trace_in(t, row->group))
            continue;
        row->traces += t->n_marks >= 2;
        row->left_out += t->n_marks < 2;
        raters = t->n_marks > raters ? t->n_marks : raters;
    }
    if (row->traces == 0)
        return RDV_NONE;
    int r = rate_locations(row, raters, &locations, err);
    if (r == RDV_OK)
        r = rate_steps(row, raters, &steps, err);
    if (r == RDV_OK)
        r = rdv_agreement(&locations, RDV_ALPHA_NOMINAL, 0, row->all->seed, row->all->arena,
                          &row->cells[0].is, err);
    if (r == RDV_OK)
        r = rdv_agreement(&steps, RDV_ALPHA_NOMINAL, 0, row->all->seed, row->all->arena,
                          &row->cells[1].is, err);
    row->cells[2] = number_cell((double)raters, row->traces);
    return r;
}

/* ---- Tables 4, 5, 7, 9 ----------------------------------------------------------------------- */

static const trace_check *check_of(const trace *t, size_t check)
{
    for (size_t i = 0; i < t->n_checks; i++)
        if (t->checks[i].check == check)
            return &t->checks[i];
    return NULL;
}

/* The group's traces that the check located something in, and that have a label. */
static int collect_located(trace_row *row, rdv_located **out, rdv_error *err)
{
    rdv_located *l = RDV_NEW_ARRAY(row->all->arena, rdv_located, row->all->n);
    if (!l)
        return out_of_memory(err);
    for (size_t i = 0; i < row->all->n; i++) {
        const trace *t = &row->all->of[i];
        const trace_check *check = check_of(t, row->of);
        if (!trace_in(t, row->group))
            continue;
        if (check && t->label.is != RDV_LABEL_UNKNOWN)
            l[row->traces++] = (rdv_located){t->label, check->found, t->question};
        else
            row->left_out++;
    }
    *out = l;
    return row->traces ? RDV_OK : RDV_NONE;
}

static int locate(trace_row *row, rdv_location *out, rdv_located **l, rdv_error *err)
{
    int r = collect_located(row, l, err);
    return r == RDV_OK ? rdv_locate_score(*l, row->traces, row->all->arena, out, err) : r;
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
    return RDV_OK;
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
    return RDV_OK;
}

static int collect_detected(trace_row *row, rdv_detected **out, size_t *n, rdv_error *err)
{
    rdv_detected *d = RDV_NEW_ARRAY(row->all->arena, rdv_detected, row->all->n);
    if (!d)
        return out_of_memory(err);
    *n = 0;
    for (size_t i = 0; i < row->all->n; i++) {
        const trace *t = &row->all->of[i];
        const trace_check *check = check_of(t, row->of);
        if (trace_in(t, row->group) && check && t->right >= 0)
            d[(*n)++] = (rdv_detected){t->right == 1, check->found, t->question};
    }
    *out = d;
    return *n ? RDV_OK : RDV_NONE;
}

int trace_row_answers(trace_row *row, rdv_error *err)
{
    rdv_detected *d;
    size_t in_group = 0;
    int r = collect_detected(row, &d, &row->traces, err);
    if (r != RDV_OK)
        return r;
    for (size_t i = 0; i < row->all->n; i++)
        in_group += trace_in(&row->all->of[i], row->group);
    row->left_out = in_group - row->traces;
    r = rdv_weighted_f1(d, row->traces, row->all->arena, &row->cells[0].is, err);
    for (size_t i = 0; i < row->traces; i++)
        d[i].found = (rdv_found){.is = RDV_FOUND_AT};
    return r == RDV_OK ? rdv_weighted_f1(d, row->traces, row->all->arena, &row->cells[1].is, err)
                       : r;
}

/* The share of traces that the best constant location is right about. */
static int best_constant(const trace_row *row, const rdv_located *l, rdv_estimate *out,
                         rdv_error *err)
{
    size_t longest = 0, best = 0;
    for (size_t i = 0; i < row->traces; i++)
        if (l[i].truth.is == RDV_LABEL_AT && l[i].truth.step > longest)
            longest = l[i].truth.step;
    size_t *hits = RDV_NEW_ARRAY(row->all->arena, size_t, longest + 2);
    double *hit = RDV_NEW_ARRAY(row->all->arena, double, row->traces);
    if (!hits || !hit)
        return out_of_memory(err);
#define CLASS(label) ((label).is == RDV_LABEL_AT ? (label).step : longest + 1)
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
    size_t n = 0;
    for (size_t i = 0; i < row->all->n; i++) {
        const trace_check *check = check_of(&row->all->of[i], row->of);
        n += check && trace_in(&row->all->of[i], row->group) ? check->n_steps : 0;
    }
    rdv_scored *s = RDV_NEW_ARRAY(row->all->arena, rdv_scored, n);
    if (!s)
        return out_of_memory(err);
    n = 0;
    for (size_t i = 0; i < row->all->n; i++) {
        const trace_check *check = check_of(&row->all->of[i], row->of);
        for (size_t k = 0; check && trace_in(&row->all->of[i], row->group) && k < check->n_steps;
             k++)
            s[n++] = check->steps[k];
    }
    return rdv_auc(s, n, row->all->arena, out, err);
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
        r = collect_detected(row, &d, &n, err);
    if (r == RDV_OK)
        r = rdv_weighted_f1(d, n, row->all->arena, &row->cells[2].is, err);
    if (r >= 0)
        r = step_auc(row, &row->cells[3].is, err);
    return r;
}

/* ---- Table 6, Fig. 2 ------------------------------------------------------------------------- */

/* The share of the traces whose answer was `before` and is no longer; each of the traces moves the
 * accuracy by as much, down or up. */
static int change(const trace_row *row, int before, rdv_estimate *out, size_t *n, rdv_error *err)
{
    double *changed = RDV_NEW_ARRAY(row->all->arena, double, row->all->n);
    *n = 0;
    if (!changed)
        return out_of_memory(err);
    for (size_t i = 0; i < row->all->n; i++) {
        const trace *t = &row->all->of[i];
        if (trace_in(t, row->group) && t->locator == row->of && t->right_before == before &&
            t->right >= 0)
            changed[(*n)++] = t->right != before;
    }
    *out = rdv_mean(changed, *n, true);
    if (before)
        *out = (rdv_estimate){0 - out->value, out->se, 0 - out->high, 0 - out->low, out->n};
    return RDV_OK;
}

int trace_row_repairs(trace_row *row, rdv_error *err)
{
    double steps = 0, calls = 0;
    size_t in = 0, right = 0, wrong = 0;
    for (size_t i = 0; i < row->all->n; i++) {
        const trace *t = &row->all->of[i];
        if (!trace_in(t, row->group) || t->locator != row->of)
            continue;
        in++;
        steps += (double)t->steps_before;
        calls += t->calls;
        row->left_out += t->right < 0 || t->right_before < 0;
    }
    if (in == 0)
        return RDV_NONE;
    row->traces = in - row->left_out;
    int r = change(row, 1, &row->cells[0].is, &right, err);
    if (r == RDV_OK)
        r = change(row, 0, &row->cells[1].is, &wrong, err);
    row->cells[2] = number_cell((double)right, right);
    row->cells[3] = number_cell((double)wrong, wrong);
    row->cells[4] = number_cell(steps / (double)in, in);
    row->cells[5] = number_cell(calls / (double)in, in);
    return r;
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
    rdv_str locator = row->all->locators.texts[row->of];
    if (trace_simulated_accuracy(locator, row->all->arena, &accuracy) < 0)
        return out_of_memory(err);
    trace_row rest = *row;
    rest.cells++;
    int r = trace_row_repairs(&rest, err);
    row->traces = rest.traces;
    row->left_out = rest.left_out;
    row->cells[0] = number_cell(accuracy, rest.traces);
    return r;
}
