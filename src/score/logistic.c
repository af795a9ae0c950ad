/* SPDX-License-Identifier: Apache-2.0 */
#include "score/logistic.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>

#define MOST_STEPS 100
/* If the objective does not fall by this share of a step, this is the minimum. */
#define LEAST_SHARE 1e-5

typedef struct problem {
    const logistic_pairs *pairs;
    double strength, total; /* total: the sum of the pairs' weights */
    const bool *never_positive;
    size_t m; /* coefficients */
    double *gradient, *hessian, *step, *next;
} problem;

static double linear(const double *coefficients, const double *row, size_t d)
{
    double z = 0;
    for (size_t j = 0; j < d; j++)
        z += coefficients[j] * row[j];
    return z;
}

/* log(1 + exp(z)) without overflow. */
static double softplus(double z)
{
    return fmax(z, 0) + log1p(exp(-fabs(z)));
}

double logistic_likelihood(const logistic_pairs *pairs, const double *coefficients)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < pairs->n; i++) {
        sum -=
            pairs->weight[i] * softplus(-linear(coefficients, pairs->x + i * pairs->d, pairs->d));
        total += pairs->weight[i];
    }
    return sum / total;
}

static double objective(const problem *p, const double *coefficients)
{
    double squares = 0;
    for (size_t j = 0; j < p->m; j++)
        squares += coefficients[j] * coefficients[j];
    return p->strength / 2 * squares - logistic_likelihood(p->pairs, coefficients);
}

/* The gradient and the lower triangle of the Hessian. */
static void derive(problem *p, const double *coefficients)
{
    size_t m = p->m;
    memset(p->gradient, 0, m * sizeof *p->gradient);
    memset(p->hessian, 0, m * m * sizeof *p->hessian);
    for (size_t i = 0; i < p->pairs->n; i++) {
        const double *row = p->pairs->x + i * m;
        double weight = p->pairs->weight[i] / p->total;
        if (weight == 0)
            continue;
        double wrong = 1 / (1 + exp(linear(coefficients, row, m)));
        for (size_t j = 0; j < m; j++) {
            double curvature = weight * wrong * (1 - wrong) * row[j];
            p->gradient[j] -= weight * wrong * row[j];
            for (size_t k = 0; k <= j && curvature != 0; k++)
                p->hessian[j * m + k] += curvature * row[k];
        }
    }
    for (size_t j = 0; j < m; j++) {
        p->gradient[j] += p->strength * coefficients[j];
        p->hessian[j * m + j] += p->strength;
    }
}

/* A fixed coefficient leaves the system: its row and column become those of the identity. */
static void fix_bounds(problem *p, const double *coefficients)
{
    size_t m = p->m;
    for (size_t j = 0; j < m; j++) {
        if (!p->never_positive[j] || coefficients[j] < 0 || p->gradient[j] > 0)
            continue;
        for (size_t k = 0; k < m; k++)
            p->hessian[j > k ? j * m + k : k * m + j] = 0;
        p->hessian[j * m + j] = 1;
        p->gradient[j] = 0;
    }
}

/* Solves hessian * step = -gradient by Cholesky's decomposition, in place. */
static void solve(problem *p)
{
    size_t m = p->m;
    double *l = p->hessian;
    for (size_t j = 0; j < m; j++) {
        for (size_t i = j; i < m; i++) {
            double sum = l[i * m + j];
            for (size_t k = 0; k < j; k++)
                sum -= l[i * m + k] * l[j * m + k];
            /* the penalty keeps it positive, except for rounding */
            l[i * m + j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / l[j * m + j];
        }
    }
    for (size_t j = 0; j < m; j++) {
        double sum = -p->gradient[j];
        for (size_t k = 0; k < j; k++)
            sum -= l[j * m + k] * p->step[k];
        p->step[j] = sum / l[j * m + j];
    }
    for (size_t j = m; j-- > 0;) {
        double sum = p->step[j];
        for (size_t k = j + 1; k < m; k++)
            sum -= l[k * m + j] * p->step[k];
        p->step[j] = sum / l[j * m + j];
    }
}

/* Goes along the step, halved until the objective falls; false: it does not fall. */
static bool descend(problem *p, double *coefficients)
{
    double before = objective(p, coefficients);
    for (double share = 1; share > LEAST_SHARE; share /= 2) {
        for (size_t j = 0; j < p->m; j++) {
            p->next[j] = coefficients[j] + share * p->step[j];
            if (p->never_positive[j])
                p->next[j] = fmin(p->next[j], 0);
        }
        if (objective(p, p->next) < before) {
            memcpy(coefficients, p->next, p->m * sizeof *coefficients);
            return true;
        }
    }
    return false;
}

int logistic_fit(const logistic_pairs *pairs, double strength, const bool *never_positive,
                 rdv_arena *arena, double *coefficients, rdv_error *err)
{
    size_t m = pairs->d;
    problem p = {.pairs = pairs, .strength = strength, .never_positive = never_positive, .m = m};
    p.gradient = RDV_NEW_ARRAY(arena, double, m);
    p.hessian = RDV_NEW_ARRAY(arena, double, m *m);
    p.step = RDV_NEW_ARRAY(arena, double, m);
    p.next = RDV_NEW_ARRAY(arena, double, m);
    if (!p.gradient || !p.hessian || !p.step || !p.next)
        return rdv_no_memory(err);
    for (size_t i = 0; i < pairs->n; i++)
        p.total += pairs->weight[i];
    for (int i = 0; i < MOST_STEPS; i++) {
        derive(&p, coefficients);
        fix_bounds(&p, coefficients);
        solve(&p);
        if (!descend(&p, coefficients))
            break;
    }
    return RDV_OK;
}
