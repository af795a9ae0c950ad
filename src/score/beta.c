/* SPDX-License-Identifier: Apache-2.0 */
/* The regularised incomplete beta function by its continued fraction (DLMF 8.17.22), evaluated with
 * Lentz's method as modified by Thompson and Barnett (1986). The fraction converges fast for
 * x < (a + 1) / (a + b + 2); beyond that I_x(a, b) = 1 - I_{1-x}(b, a). */
#include "score/score.h"

#include <math.h>

#define PARAMETER_MAX 1e6
#define ROUNDS_MAX 20000 /* far above the O(sqrt(max(a, b))) rounds that are needed */

static double away_from_zero(double x)
{
    return fabs(x) < 1e-300 ? 1e-300 : x;
}

/* One round of Lentz: multiply the value by the fraction's next term. */
typedef struct lentz {
    double c, d, value;
} lentz;

static void advance(lentz *f, double coefficient)
{
    f->d = 1 / away_from_zero(1 + coefficient * f->d);
    f->c = away_from_zero(1 + coefficient / f->c);
    f->value *= f->c * f->d;
}

static double fraction(double x, double a, double b)
{
    lentz f = {.c = 1, .d = 0, .value = 1};
    for (int m = 0; m < ROUNDS_MAX; m++) {
        double before = f.value;
        advance(&f, -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)));
        double k = m + 1;
        advance(&f, k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)));
        if (fabs(f.value - before) <= 1e-16 * fabs(f.value))
            break;
    }
    return 1 / f.value;
}

/* lgamma() writes the global signgam; the arguments are positive, so the sign is not needed. */
static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

double rdv_beta_cdf(double x, double a, double b)
{
    if (!(x >= 0 && x <= 1 && a > 0 && b > 0 && a <= PARAMETER_MAX && b <= PARAMETER_MAX))
        return NAN;
    if (x == 0 || x == 1)
        return x;
    double front = exp(a * log(x) + b * log1p(-x) + log_gamma(a + b) - log_gamma(a) - log_gamma(b));
    if (x < (a + 1) / (a + b + 2))
        return front * fraction(x, a, b) / a;
    return 1 - front * fraction(1 - x, b, a) / b;
}
