/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/measure.h"

bool measure_add(measure *m, const unit *u, int ten, int binary, int power)
{
    if (m->n == MEASURE_FACTORS_MAX)
        return false;
    m->factor[m->n++] =
        (measure_factor){u->num ? u->num : 1, u->den ? u->den : 1, u->ten + ten, power, binary};
    for (size_t i = 0; i < MEASURE_BASES; i++)
        m->power[i] += power * u->power[i];
    m->is |= u->is;
    m->rounded = m->rounded || (u->is & UNIT_ROUNDED);
    m->metric =
        m->metric || ((u->power[BASE_METRE] || u->power[BASE_GRAM]) && !(u->is & UNIT_CUSTOMARY));
    return true;
}

bool measure_same_dimension(const int *a, const int *b)
{
    for (size_t i = 0; i < MEASURE_BASES; i++)
        if (i != BASE_ONE && a[i] != b[i]) /* a dozen is a number */
            return false;
    return true;
}

static void multiply_power(fmpq_t out, ulong num, ulong den, slong power)
{
    fmpq_t f;
    fmpq_init(f);
    fmpz_set_ui(fmpq_numref(f), num);
    fmpz_set_ui(fmpq_denref(f), den);
    fmpq_canonicalise(f);
    fmpq_pow_si(f, f, power);
    fmpq_mul(out, out, f);
    fmpq_clear(f);
}

void measure_size(const measure *m, fmpq_t out)
{
    fmpq_one(out);
    for (size_t i = 0; i < m->n; i++) {
        const measure_factor *f = m->factor + i;
        multiply_power(out, f->num, f->den, f->power);
        multiply_power(out, 10, 1, (slong)f->ten * f->power);
        multiply_power(out, 1024, 1, (slong)f->binary * f->power);
    }
}

void measure_ratio(const measure *a, const measure *b, fmpq_t out)
{
    fmpq_t size;
    fmpq_init(size);
    measure_size(a, out);
    measure_size(b, size);
    fmpq_div(out, out, size);
    fmpq_clear(size);
}

/* The order of one unit of each, of one dimension. */
static int compare_sizes(const measure *a, const measure *b)
{
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    measure_size(a, x);
    measure_size(b, y);
    int order = fmpq_cmp(x, y);
    fmpq_clear(x);
    fmpq_clear(y);
    return order;
}

bool measure_same_size(const measure *a, const measure *b)
{
    return compare_sizes(a, b) == 0;
}

bool measure_is_smaller(const measure *a, const measure *b)
{
    return measure_same_dimension(a->power, b->power) && compare_sizes(a, b) < 0;
}
