/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/dimension.h"

#include "expression/quantity.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- dimensions ------------------------------------------------------------------------------ */

bool dimension_is_number(const int *power)
{
    static const int none[MEASURE_BASES];
    return measure_same_dimension(power, none);
}

/* A dimension that has a name. */
typedef struct kind {
    measure_base base;
    signed char power, seconds, grams;
    bool amount; /* it is counted, and can be counted per another amount: no rate, no force */
    const char *name;
} kind;

static const kind *kind_of(const int *of)
{
    static const kind kinds[] = {
        {BASE_METRE, 1, 0, 0, true, "a length"},
        {BASE_METRE, 2, 0, 0, true, "an area"},
        {BASE_METRE, 3, 0, 0, true, "a volume"},
        {BASE_METRE, 1, -1, 0, false, "a speed"},
        {BASE_METRE, 1, -2, 0, false, "an acceleration"},
        {BASE_METRE, 1, -2, 1, false, "a force"},
        {BASE_METRE, 2, -2, 1, true, "an energy"},
        {BASE_METRE, 2, -3, 1, false, "a power"},
        {BASE_SECOND, 1, 1, 0, true, "a time"},
        {BASE_MONTH, 1, 0, 0, true, "a number of months"},
        {BASE_GRAM, 1, 0, 1, true, "a mass"},
        {BASE_CENT, 1, 0, 0, true, "an amount of money"},
        {BASE_EURO, 1, 0, 0, true, "an amount in euros"},
        {BASE_PENNY, 1, 0, 0, true, "an amount in pounds"},
        {BASE_BIT, 1, 0, 0, true, "an amount of data"},
        {BASE_DEGREE, 1, 0, 0, true, "an angle"},
        {BASE_CELSIUS, 1, 0, 0, false, "a temperature"},
        {BASE_KELVIN, 1, 0, 0, false, "a temperature"},
        {BASE_FAHRENHEIT, 1, 0, 0, false, "a temperature"},
    };
    for (size_t i = 0; i < COUNT(kinds); i++) {
        int power[MEASURE_BASES] = {0};
        power[BASE_SECOND] = kinds[i].seconds;
        power[BASE_GRAM] = kinds[i].grams;
        power[kinds[i].base] = kinds[i].power;
        if (measure_same_dimension(power, of))
            return &kinds[i];
    }
    return NULL;
}

const char *dimension_kind(const int *power)
{
    const kind *k = kind_of(power);
    return k ? k->name : NULL;
}

static bool is_amount(const int *power)
{
    const kind *k = kind_of(power);
    return k && k->amount;
}

bool dimension_leaves_out_per(const int *a, const int *b)
{
    int left_out = 0;
    size_t n = 0;
    for (size_t i = 0; i < MEASURE_BASES; i++) {
        if (i == BASE_ONE || a[i] == b[i])
            continue;
        int power = a[i] && b[i] ? 0 : a[i] + b[i]; /* of the only one that has the base */
        /* "hours per week" are a number, and hours are not. */
        bool of_number = power == 1 && (dimension_is_number(a) || dimension_is_number(b));
        /* Nothing but an acceleration is counted per second twice, and no volts are watts that
         * leave out "per ampere". */
        bool per = i == BASE_SECOND ? power == -1 : i != BASE_AMPERE && power < 0;
        left_out += of_number || per;
        n++;
    }
    return n == 1 && left_out;
}

/* Months are a time here, as in "$50 per week * 4 = $200 per month", and ways to count an angle are
 * the same. */
static void merge_bases(int *power)
{
    power[BASE_SECOND] += power[BASE_MONTH];
    power[BASE_DEGREE] += power[BASE_RADIAN] + power[BASE_TURN];
    power[BASE_MONTH] = power[BASE_RADIAN] = power[BASE_TURN] = 0;
}

/* Hours and gallons, but no newtons and no miles per hour. */
static bool has_one_base(const int *power)
{
    size_t bases = 0;
    for (size_t i = 0; i < MEASURE_BASES; i++)
        bases += power[i] != 0;
    return bases == 1;
}

/* Is only missing what a factor is counted per: in "3 hours * $5 = $15" the $5 are per hour? In "5
 * N * 2 m = 10 W" nothing is per second. Both are merged. */
static bool leaves_out_rate(const int *missing, const int *simple)
{
    for (size_t i = 0; i < MEASURE_BASES; i++) {
        bool may_always_go = i == BASE_ONE || i == BASE_DEGREE;
        if (!may_always_go && (missing[i] > 0 || missing[i] < -simple[i]))
            return false;
    }
    return true;
}

static bool is_money(const int *power)
{
    const kind *k = kind_of(power);
    return k && (k->base == BASE_CENT || k->base == BASE_EURO || k->base == BASE_PENNY);
}

/* "300 kWh * $0.12 = $36", "3 bars * $2 = $6": is it an amount that may be sold? Bars of soap are
 * read as the unit of pressure. */
static bool has_price(const int *power)
{
    int bar[MEASURE_BASES] = {[BASE_METRE] = -1, [BASE_SECOND] = -2, [BASE_GRAM] = 1};
    return is_amount(power) || measure_same_dimension(power, bar);
}

/* Is `to` what a product with the powers `from` may come to? As dimension_may_become(). */
static bool may_become(const dimension *d, const int *from, const int *to)
{
    int missing[MEASURE_BASES], inverse[MEASURE_BASES], simple[MEASURE_BASES];
    memcpy(simple, d->simple, sizeof simple);
    for (size_t i = 0; i < MEASURE_BASES; i++)
        missing[i] = to[i] - from[i];
    merge_bases(missing);
    merge_bases(simple);
    for (size_t i = 0; i < MEASURE_BASES; i++)
        inverse[i] = -missing[i];
    bool amount = dimension_is_number(missing) || kind_of(missing) || kind_of(inverse);
    bool rate = is_amount(from) && is_amount(to);
    bool price = is_money(to) && (has_price(inverse) || (d->divided && has_price(missing)));
    return price || (d->open && (amount || rate)) ||
           (d->divided && is_amount(missing) && has_one_base(missing) &&
            (dimension_is_number(from) || missing[BASE_SECOND])) ||
           leaves_out_rate(missing, simple);
}

bool dimension_may_become(const dimension *d, const int *power)
{
    int of_quotient[MEASURE_BASES];
    for (size_t i = 0; i < MEASURE_BASES; i++)
        of_quotient[i] = d->power[i] + d->of_quotient[i];
    return d->product && (may_become(d, d->power, power) || may_become(d, of_quotient, power));
}

/* ---- of a tree ------------------------------------------------------------------------------- */

const measure *dimension_unit(const node *n, unsigned readings)
{
    if (n->sign && !(readings & READ_DOLLARS))
        return NULL;
    return &n->unit[(readings & READ_OTHER_UNITS) != 0];
}

static const measure *last_unit(const dimension_walk *w, const node *n)
{
    while (n->is == N_ADD || n->is == N_SUBTRACT)
        n = n->b;
    return n->is == N_UNIT ? dimension_unit(n, w->readings) : NULL;
}

static void of_unit(dimension_walk *w, const node *n, dimension *out)
{
    const measure *m = dimension_unit(n, w->readings);
    bool bare = w->bare;
    dimension_of(w, n->a, out);
    if (!m || out->is > DIMENSION_KNOWN)
        return;
    w->bare = bare;
    if (!w->first)
        w->first = m;
    else if (measure_same_dimension(w->first->power, m->power) && !measure_same_size(w->first, m))
        w->converts = true;
    bool simple = has_one_base(m->power);
    for (size_t i = 0; i < MEASURE_BASES; i++) {
        out->power[i] += m->power[i];
        out->seen[i] += m->power[i] != 0;
        out->simple[i] += simple && m->power[i] > 0 ? m->power[i] : 0;
    }
    out->is = DIMENSION_KNOWN;
    out->product = out->open = false;
}

dimension_pair dimension_pair_of(const dimension *a, const dimension *b)
{
    dimension_pair pair = {.is = true};
    memcpy(pair.a, a->power, sizeof pair.a);
    memcpy(pair.b, b->power, sizeof pair.b);
    return pair;
}

/* Terms of different dimensions: one of them may be a product that leaves a unit out, "3 hours * $5
 * + $10". */
static void add_different(dimension_walk *w, const node *n, dimension *a, const dimension *b)
{
    bool units = last_unit(w, n->a) && last_unit(w, n->b);
    bool becomes_b = !units && dimension_may_become(a, b->power);
    if (!becomes_b && (units || !dimension_may_become(b, a->power))) {
        *(units ? &w->added : &w->products) = dimension_pair_of(a, b);
        a->is = DIMENSION_MISFIT;
        return;
    }
    w->assumed = true;
    if (becomes_b)
        *a = *b;
}

static void of_sum(dimension_walk *w, const node *n, dimension *out)
{
    dimension b;
    dimension_of(w, n->a, out);
    if (n->b->is == N_PERCENT && (w->readings & READ_PERCENT_OF_LEFT))
        return; /* "60 cents + 20%" */
    dimension_of(w, n->b, &b);
    if (out->is > DIMENSION_KNOWN || b.is > DIMENSION_KNOWN) {
        out->is = out->is > b.is ? out->is : b.is;
        return;
    }
    if (out->is != b.is) {
        out->is = DIMENSION_UNKNOWN; /* "1 hour + 30" */
        return;
    }
    const measure *x = last_unit(w, n->a), *y = last_unit(w, n->b);
    if (!measure_same_dimension(out->power, b.power)) {
        add_different(w, n, out, &b);
        return;
    }
    if (x && y && !measure_same_size(x, y))
        w->sums_differ = w->converts = true;
    out->product &= b.product;
    out->open &= b.open;
}

/* A unit after a number, not a sign before it. */
static bool is_word_unit(const node *n)
{
    return n->is == N_UNIT && !n->sign;
}

static void of_product(dimension_walk *w, const node *n, dimension *out)
{
    dimension b;
    w->product = true;
    dimension_of(w, n->a, out);
    dimension_of(w, n->b, &b);
    if (out->is > DIMENSION_KNOWN || b.is > DIMENSION_KNOWN) {
        out->is = out->is > b.is ? out->is : b.is;
        return;
    }
    bool over = n->is == N_DIVIDE,
         of_quotient = over && out->is == DIMENSION_PURE && is_word_unit(n->b);
    for (size_t i = 0; b.is == DIMENSION_KNOWN && i < MEASURE_BASES; i++) { /* else all are 0 */
        out->power[i] += over ? -b.power[i] : b.power[i];
        out->of_quotient[i] += over ? -b.of_quotient[i] : b.of_quotient[i];
        out->of_quotient[i] += of_quotient ? 2 * b.power[i] : 0;
        out->seen[i] += b.seen[i];
        out->simple[i] += b.simple[i];
    }
    out->divided |= b.divided || (over && b.is == DIMENSION_KNOWN);
    out->is = out->is > b.is ? out->is : b.is;
    out->product = true;
    out->open |= b.open;
}

/* A whole number of one digit, or 0. */
static int small_exponent(const dimension_walk *w, const node *n)
{
    rdv_str s = n->is == N_NUMBER ? tok_text(w->t, n->end - 1) : (rdv_str){0};
    unsigned num, den = 1;
    if (n->is == N_NUMBER && w->t->at[n->end - 1].vulgar) {
        lex_vulgar(w->t->at[n->end - 1].vulgar, &num, &den);
        return den == 1 ? (int)num : 0;
    }
    return s.len == 1 && rdv_is_digit(s.p[0]) ? s.p[0] - '0' : 0;
}

static void of_power(dimension_walk *w, const node *n, dimension *out)
{
    dimension_of(w, n->a, out);
    int exponent = small_exponent(w, n->b);
    if (out->is == DIMENSION_KNOWN && !exponent)
        out->is = DIMENSION_UNKNOWN;
    for (size_t i = 0; i < MEASURE_BASES; i++)
        out->power[i] *= exponent;
}

static void of_root(dimension_walk *w, const node *n, dimension *out)
{
    dimension_of(w, n->a, out);
    for (size_t i = 0; i < MEASURE_BASES; i++) {
        if (out->power[i] % 2 || (out->power[i] && n->b))
            out->is = DIMENSION_UNKNOWN;
        out->power[i] /= 2;
    }
}

void dimension_of(dimension_walk *w, const node *n, dimension *out)
{
    *out = (dimension){.is = DIMENSION_PURE};
    switch (n->is) {
    case N_UNIT:
        of_unit(w, n, out);
        return;
    case N_ADD:
    case N_SUBTRACT:
        of_sum(w, n, out);
        return;
    case N_MULTIPLY:
    case N_DIVIDE:
        of_product(w, n, out);
        return;
    case N_POWER:
        of_power(w, n, out);
        return;
    case N_ROOT:
        of_root(w, n, out);
        return;
    case N_NEGATE:
    case N_ABS:
        dimension_of(w, n->a, out);
        return;
    case N_NUMBER:
    case N_MIXED:
        w->bare = out->open = true;
        return;
    case N_PI:
        w->bare = true;
        return;
    default: /* a percentage, a factorial: of numbers only */
        w->bare = true;
        if (n->a)
            dimension_of(w, n->a, out);
        out->open = false;
        if (out->is == DIMENSION_KNOWN)
            out->is = DIMENSION_UNKNOWN;
    }
}
