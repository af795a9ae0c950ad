/* SPDX-License-Identifier: Apache-2.0 */
/* Pearson's r with its error. */
#include "score/agree.h"

#include "base/arena.h"
#include "score/counts.h"
#include "score/score.h"
#include "score/sum.h"

#include <math.h>

#define BETA_MAX 1e6 /* limit of a parameter of rdv_beta_cdf() */

double rdv_student_p(double t, double degrees)
{
    if (isnan(t) || !(degrees > 0))
        return NAN;
    if (degrees / 2 > BETA_MAX) /* the normal distribution, to within 1e-6 of the value */
        return erfc(fabs(t) / sqrt(2));
    return rdv_beta_cdf(degrees / (degrees + t * t), degrees / 2, 0.5);
}

typedef struct moments {
    size_t n;
    double mean_x, mean_y, xx, yy, xy; /* sums of products of deviations */
    bool varies; /* both x and y vary; deviations alone may differ from 0 by rounding */
} moments;

static bool takes_part(const rdv_paired *p)
{
    return !isnan(p->x) && !isnan(p->y);
}

static moments moments_of(const rdv_paired *pairs, size_t n)
{
    moments m = {0};
    rdv_sum x = {{0}}, y = {{0}};
    const rdv_paired *first = NULL;
    bool x_varies = false, y_varies = false;
    for (size_t i = 0; i < n; i++) {
        if (!takes_part(&pairs[i]))
            continue;
        first = first ? first : &pairs[i];
        x_varies = x_varies || pairs[i].x != first->x;
        y_varies = y_varies || pairs[i].y != first->y;
        rdv_sum_add(&x, pairs[i].x);
        rdv_sum_add(&y, pairs[i].y);
        m.n++;
    }
    m.varies = x_varies && y_varies;
    m.mean_x = m.n ? rdv_sum_value(&x) / (double)m.n : NAN;
    m.mean_y = m.n ? rdv_sum_value(&y) / (double)m.n : NAN;
    for (size_t i = 0; i < n; i++) {
        double dx = pairs[i].x - m.mean_x, dy = pairs[i].y - m.mean_y;
        if (!takes_part(&pairs[i]))
            continue;
        m.xx += dx * dx;
        m.yy += dy * dy;
        m.xy += dx * dy;
    }
    return m;
}

/* Sum of squares of each question's effect on r, to first order: the sum over its pairs of (zx zy -
 * r (zx^2 + zy^2) / 2) / n. *questions: number of questions with a pair. */
static int moved(const rdv_paired *pairs, size_t n, const moments *m, double r, rdv_arena *arena,
                 double *squares, size_t *questions, rdv_error *err)
{
    rdv_counts counts;
    int code = RDV_COUNTS_NEW(rdv_paired, pairs, n, 2, arena, &counts, err);
    if (code < 0)
        return code;
    for (size_t i = 0; i < n; i++) {
        if (!takes_part(&pairs[i]))
            continue;
        double dx = pairs[i].x - m->mean_x, dy = pairs[i].y - m->mean_y;
        double *row = rdv_counts_row(&counts, i);
        row[0] += dx * dy / sqrt(m->xx * m->yy) - r / 2 * (dx * dx / m->xx + dy * dy / m->yy);
        row[1]++;
    }
    *squares = 0;
    *questions = 0;
    for (size_t i = 0; i < counts.n; i++) {
        *squares += counts.rows[2 * i] * counts.rows[2 * i];
        *questions += counts.rows[2 * i + 1] > 0;
    }
    return RDV_OK;
}

static void fisher(double r, double half, double *low, double *high)
{
    *low = fabs(r) < 1 ? tanh(atanh(r) - half) : r;
    *high = fabs(r) < 1 ? tanh(atanh(r) + half) : r;
}

/* Sets the members that treat all pairs as independent. */
static void set_independent(rdv_correlation *c)
{
    double r = c->is.value, degrees = (double)c->is.n - 2;
    c->t = fabs(r) < 1 ? r * sqrt(degrees / (1 - r * r)) : copysign(INFINITY, r);
    c->p = fabs(r) < 1 ? rdv_student_p(c->t, degrees) : 0;
    c->low = c->high = NAN;
    if (c->is.n > 3)
        fisher(r, RDV_Z95 / sqrt((double)c->is.n - 3), &c->low, &c->high);
}

/* Sets the members that treat only questions as independent. */
static void set_clustered(rdv_correlation *c, double squares)
{
    double r = c->is.value, q = (double)c->questions;
    if (c->questions < 2)
        return;
    c->is.se = sqrt(squares * q / (q - 1));
    if (!(c->is.se > 0) || fabs(r) >= 1)
        return;
    double se = c->is.se / (1 - r * r); /* of atanh(r) */
    fisher(r, RDV_Z95 * se, &c->is.low, &c->is.high);
    c->p_questions = rdv_student_p(atanh(r) / se, q - 1);
}

int rdv_pearson(const rdv_paired *pairs, size_t n, rdv_arena *arena, rdv_correlation *out,
                rdv_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (takes_part(&pairs[i]) && !(rdv_sum_takes(pairs[i].x) && rdv_sum_takes(pairs[i].y)))
            return rdv_fail(err, RDV_E_ARGUMENT, "pair %zu: a number too large to correlate", i);
    moments m = moments_of(pairs, n);
    rdv_correlation c = {.is = rdv_estimate_none(m.n),
                         .t = NAN,
                         .p = NAN,
                         .low = NAN,
                         .high = NAN,
                         .p_questions = NAN};
    double squares;
    if (m.n >= 3 && m.varies && m.xx > 0 && m.yy > 0) {
        c.is.value = fmax(-1, fmin(1, m.xy / sqrt(m.xx) / sqrt(m.yy)));
        int code = moved(pairs, n, &m, c.is.value, arena, &squares, &c.questions, err);
        if (code < 0)
            return code;
        set_independent(&c);
        set_clustered(&c, squares);
    }
    *out = c;
    return RDV_OK;
}
