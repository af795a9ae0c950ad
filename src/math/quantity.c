/* SPDX-License-Identifier: Apache-2.0 */
#include "math/quantity.h"

#include "base/str.h"
#include "math/compare.h"

#include <math.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- measures -------------------------------------------------------------------------------- */

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

void quantity_factor(const measure *m, fmpq_t out)
{
    fmpq_one(out);
    for (size_t i = 0; i < m->n; i++) {
        const measure_factor *f = m->factor + i;
        multiply_power(out, f->num, f->den, f->power);
        multiply_power(out, 10, 1, (slong)f->ten * f->power);
        multiply_power(out, 1024, 1, (slong)f->binary * f->power);
    }
}

void quantity_ratio(const measure *a, const measure *b, fmpq_t out)
{
    fmpq_t size;
    fmpq_init(size);
    quantity_factor(a, out);
    quantity_factor(b, size);
    fmpq_div(out, out, size);
    fmpq_clear(size);
}

static bool same_dimension(const int *a, const int *b)
{
    for (size_t i = 0; i < MEASURE_BASES; i++)
        if (i != BASE_ONE && a[i] != b[i]) /* a dozen is a number */
            return false;
    return true;
}

static bool same_size(const measure *a, const measure *b)
{
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    quantity_factor(a, x);
    quantity_factor(b, y);
    bool same = fmpq_equal(x, y);
    fmpq_clear(x);
    fmpq_clear(y);
    return same;
}

bool quantity_is_smaller(const measure *a, const measure *b)
{
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    quantity_factor(a, x);
    quantity_factor(b, y);
    bool smaller = same_dimension(a->power, b->power) && fmpq_cmp(x, y) < 0;
    fmpq_clear(x);
    fmpq_clear(y);
    return smaller;
}

/* "pairs", "km/miles": nothing but a number. */
static bool is_number(const int *power)
{
    static const int none[MEASURE_BASES];
    return same_dimension(power, none);
}

const char *quantity_kind(const measure *m)
{
    static const struct {
        measure_base base;
        signed char power, seconds, grams;
        const char *name;
    } kinds[] = {
        {BASE_METRE, 1, 0, 0, "a length"},
        {BASE_METRE, 2, 0, 0, "an area"},
        {BASE_METRE, 3, 0, 0, "a volume"},
        {BASE_METRE, 1, -1, 0, "a speed"},
        {BASE_METRE, 1, -2, 0, "an acceleration"},
        {BASE_METRE, 1, -2, 1, "a force"},
        {BASE_METRE, 2, -2, 1, "an energy"},
        {BASE_METRE, 2, -3, 1, "a power"},
        {BASE_SECOND, 1, 1, 0, "a time"},
        {BASE_MONTH, 1, 0, 0, "a number of months"},
        {BASE_GRAM, 1, 0, 1, "a mass"},
        {BASE_CENT, 1, 0, 0, "an amount of money"},
        {BASE_EURO, 1, 0, 0, "an amount in euros"},
        {BASE_BIT, 1, 0, 0, "an amount of data"},
        {BASE_DEGREE, 1, 0, 0, "an angle"},
        {BASE_CELSIUS, 1, 0, 0, "a temperature"},
        {BASE_KELVIN, 1, 0, 0, "a temperature"},
        {BASE_FAHRENHEIT, 1, 0, 0, "a temperature"},
    };
    for (size_t i = 0; i < COUNT(kinds); i++) {
        int power[MEASURE_BASES] = {0};
        power[BASE_SECOND] = kinds[i].seconds;
        power[BASE_GRAM] = kinds[i].grams;
        power[kinds[i].base] = kinds[i].power;
        if (same_dimension(power, m->power))
            return kinds[i].name;
    }
    return NULL;
}

unsigned quantity_readings(unsigned variant)
{
    return READ_UNITS | (variant & 1 ? READ_DOLLARS : 0) | (variant & 2 ? READ_OTHER_UNITS : 0);
}

static const measure *measure_of(const node *n, unsigned readings)
{
    if (n->sign && !(readings & READ_DOLLARS))
        return NULL;
    return &n->unit[(readings & READ_OTHER_UNITS) != 0];
}

const measure *quantity_shown_in(const expression *e, unsigned readings)
{
    const node *n = e->root;
    while (n->is == N_NEGATE)
        n = n->a;
    return n->is == N_UNIT && n->a->is != N_UNIT ? measure_of(n, readings) : NULL;
}

/* ---- the dimension of a tree ----------------------------------------------------------------- */

typedef enum dimension_is {
    DIMENSION_PURE, /* numbers without a unit */
    DIMENSION_KNOWN,
    DIMENSION_UNKNOWN,
    DIMENSION_MISFIT /* different dimensions are added */
} dimension_is;

typedef struct dimension {
    dimension_is is;
    int power[MEASURE_BASES];
} dimension;

typedef struct walk {
    const tokens *t;
    unsigned readings;
    bool bare;    /* a number without a unit was seen */
    bool product; /* a product or quotient was seen */
    quantities *q;
    const measure *first; /* the first unit that was seen */
} walk;

static void dimension_of(walk *w, const node *n, dimension *out);

static const measure *last_unit(const walk *w, const node *n)
{
    while (n->is == N_ADD || n->is == N_SUBTRACT)
        n = n->b;
    return n->is == N_UNIT ? measure_of(n, w->readings) : NULL;
}

static void of_unit(walk *w, const node *n, dimension *out)
{
    const measure *m = measure_of(n, w->readings);
    bool bare = w->bare;
    dimension_of(w, n->a, out);
    if (!m || out->is > DIMENSION_KNOWN)
        return;
    w->bare = bare;
    if (!w->first)
        w->first = m;
    else if (same_dimension(w->first->power, m->power) && !same_size(w->first, m))
        w->q->converts = true;
    for (size_t i = 0; i < MEASURE_BASES; i++)
        out->power[i] += m->power[i];
    out->is = DIMENSION_KNOWN;
}

static void of_sum(walk *w, const node *n, dimension *out)
{
    dimension b;
    dimension_of(w, n->a, out);
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
    if (!same_dimension(out->power, b.power)) {
        out->is = DIMENSION_MISFIT;
        w->q->added = x;
        w->q->to = y;
    } else if (x && y && !same_size(x, y)) {
        w->q->sums_differ = w->q->converts = true;
    }
}

static void of_product(walk *w, const node *n, dimension *out)
{
    dimension b;
    w->product = true;
    dimension_of(w, n->a, out);
    dimension_of(w, n->b, &b);
    if (out->is > DIMENSION_KNOWN || b.is > DIMENSION_KNOWN) {
        out->is = out->is > b.is ? out->is : b.is;
        return;
    }
    for (size_t i = 0; i < MEASURE_BASES; i++)
        out->power[i] += n->is == N_DIVIDE ? -b.power[i] : b.power[i];
    out->is = out->is > b.is ? out->is : b.is;
}

/* A whole number of one digit, or 0. */
static int small_exponent(const walk *w, const node *n)
{
    rdv_str s = n->is == N_NUMBER ? tok_text(w->t, n->end - 1) : (rdv_str){0};
    unsigned num, den = 1;
    if (n->is == N_NUMBER && w->t->at[n->end - 1].vulgar) {
        lex_vulgar(w->t->at[n->end - 1].vulgar, &num, &den);
        return den == 1 ? (int)num : 0;
    }
    return s.len == 1 && rdv_is_digit(s.p[0]) ? s.p[0] - '0' : 0;
}

static void of_power(walk *w, const node *n, dimension *out)
{
    dimension_of(w, n->a, out);
    int exponent = small_exponent(w, n->b);
    if (out->is == DIMENSION_KNOWN && !exponent)
        out->is = DIMENSION_UNKNOWN;
    for (size_t i = 0; i < MEASURE_BASES; i++)
        out->power[i] *= exponent;
}

static void of_root(walk *w, const node *n, dimension *out)
{
    dimension_of(w, n->a, out);
    for (size_t i = 0; i < MEASURE_BASES; i++) {
        if (out->power[i] % 2 || (out->power[i] && n->b))
            out->is = DIMENSION_UNKNOWN;
        out->power[i] /= 2;
    }
}

static void dimension_of(walk *w, const node *n, dimension *out)
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
    case N_PI:
    case N_MIXED:
        w->bare = true;
        return;
    default: /* a percentage, a factorial: of numbers only */
        w->bare = true;
        if (n->a)
            dimension_of(w, n->a, out);
        if (out->is == DIMENSION_KNOWN)
            out->is = DIMENSION_UNKNOWN;
    }
}

static bool unread(const expression *e)
{
    return e->n_words || e->odd_units;
}

/* "$5 + $3 = $8 per hour", "1 hour + 2 hours = 3 hours per week": one side leaves out what the
 * other one is counted per. The two differ in one base. It stands below a line on one side and
 * nowhere on the other, a time once ("m/s^2" is counted per second twice), or it cancels out on one
 * side. */
static bool leaves_out_per(const int *a, const int *b)
{
    int left_out = 0;
    size_t n = 0;
    for (size_t i = 0; i < MEASURE_BASES; i++) {
        if (i == BASE_ONE || a[i] == b[i])
            continue;
        int power = a[i] && b[i] ? 0 : a[i] + b[i]; /* of the side that has the base */
        bool cancels = power == 1 && (is_number(a) || is_number(b));
        bool below = i == BASE_SECOND ? power == -1 : power < 0;
        left_out += cancels || below;
        n++;
    }
    return n == 1 && left_out;
}

/* Conversions that not everybody does in the same way. */
static void look_at_conversions(const expression *l, const expression *r, quantities *out)
{
    unsigned any = 0, all = ~0u;
    bool metric = false;
    for (size_t i = 0; i < l->n_different + r->n_different; i++) {
        const measure *m = i < l->n_different ? l->units[i] : r->units[i - l->n_different];
        any |= m->is;
        all &= m->is;
        metric |= m->metric;
    }
    out->loose = (any & UNIT_LOOSE) || (any & ~all & UNIT_IMPERIAL);
    out->crosses = metric && (any & UNIT_CUSTOMARY);
}

void quantity_look(const tokens *t, const expression *l, const expression *r, quantities *out)
{
    *out = (quantities){0};
    unsigned offered = l->readings | r->readings;
    if (!(offered & READ_UNITS) || unread(l) || unread(r))
        return;
    for (unsigned v = 0; v < QUANTITY_VARIANTS; v++) {
        if (quantity_readings(v) & ~offered)
            continue;
        dimension a, b;
        quantities seen = {0};
        walk left = {.t = t, .readings = quantity_readings(v), .q = &seen}, right = left;
        dimension_of(&left, l->root, &a);
        dimension_of(&right, r->root, &b);
        bool fits = a.is == DIMENSION_KNOWN && b.is == DIMENSION_KNOWN &&
                    same_dimension(a.power, b.power) && !is_number(a.power);
        bool first = fits && !out->fits;
        if (fits)
            out->fits |= 1u << v;
        if (first || !out->fits) {
            seen.fits = out->fits;
            seen.is = out->is;
            seen.not_ = out->not_;
            if (out->added) {
                seen.added = out->added;
                seen.to = out->to;
            }
            *out = seen;
            out->complete = fits && !left.bare && !right.bare && !l->labelled && !r->labelled;
            out->converts |= fits && left.first && right.first &&
                             same_dimension(left.first->power, right.first->power) &&
                             !same_size(left.first, right.first);
        }
        if (!out->fits && !out->is && a.is == DIMENSION_KNOWN && b.is == DIMENSION_KNOWN &&
            !left.product && !right.product && !left.bare && !right.bare &&
            !leaves_out_per(a.power, b.power)) {
            out->is = left.first;
            out->not_ = right.first;
        }
    }
    if (out->fits)
        out->is = out->not_ = out->added = out->to = NULL;
    if (out->fits)
        look_at_conversions(l, r, out);
}

static bool is_compound(const expression *e)
{
    bool compound = e->n_different > 0;
    for (size_t i = 0; i < e->n_different; i++)
        compound = compound && e->units[i]->n > 1;
    return compound;
}

static bool holds_rate(const expression *e)
{
    bool rate = false;
    for (size_t i = 0; i < e->n_different; i++)
        rate |= e->units[i]->n > 1;
    return rate;
}

bool quantity_letters_fit(const tokens *t, const expression *l, const expression *r)
{
    quantities q;
    quantity_look(t, l, r, &q);
    bool compound = is_compound(l->n_units ? l : r) && !unread(l) && !unread(r);
    bool glued = l->glued_letters || r->glued_letters; /* "2m + 3m = 6m", but "18m/s * 10s" */
    if (glued && !holds_rate(l) && !holds_rate(r))
        return false;
    bool sure = q.complete || holds_rate(l) || holds_rate(r) || l->word_units ||
                r->word_units; /* not "12000 * 7 m = 1400 m" */
    return (q.fits && sure) || q.added || q.is || ((!l->n_units || !r->n_units) && compound);
}

/* ---- temperatures ---------------------------------------------------------------------------- */

/* The value of x, in a scale of temperature, in kelvin; false: it is none. `back`: from kelvin. */
static bool to_kelvin(const measure *m, bool back, fmpq_t x)
{
    fmpq_t zero, ratio;
    fmpq_init(zero);
    fmpq_init(ratio);
    bool fahrenheit = m->power[BASE_FAHRENHEIT] == 1;
    bool is = m->n == 1 && (fahrenheit || m->power[BASE_CELSIUS] == 1 ||
                            (m->power[BASE_KELVIN] == 1 && !m->factor[0].ten));
    fmpq_set_si(zero, m->power[BASE_KELVIN] ? 0 : fahrenheit ? 45967 : 27315, 100);
    fmpq_set_si(ratio, fahrenheit ? 5 : 1, fahrenheit ? 9 : 1);
    if (back) {
        fmpq_div(x, x, ratio);
        fmpq_sub(x, x, zero);
    } else {
        fmpq_add(x, x, zero);
        fmpq_mul(x, x, ratio);
    }
    fmpq_clear(zero);
    fmpq_clear(ratio);
    return is;
}

bool quantity_temperature(const expression *lhs, const expression *rhs, const fmpq_t l, fmpq_t out)
{
    const measure *a = quantity_shown_in(lhs, READ_UNITS), *b = quantity_shown_in(rhs, READ_UNITS);
    fmpq_set(out, l);
    return a && b && !same_dimension(a->power, b->power) && to_kelvin(a, false, out) &&
           to_kelvin(b, true, out);
}

bool quantity_degrees(const expression *lhs, const expression *rhs, const fmpq_t l, fmpq_t out)
{
    const measure *a = quantity_shown_in(lhs, READ_UNITS), *b = quantity_shown_in(rhs, READ_UNITS);
    fmpq_t ratio;
    fmpq_init(ratio);
    fmpq_set(out, l);
    fmpq_set_si(ratio, 9, 5);
    bool from = a && a->power[BASE_FAHRENHEIT], to = b && b->power[BASE_FAHRENHEIT];
    if (to && !from)
        fmpq_mul(out, out, ratio);
    if (from && !to)
        fmpq_div(out, out, ratio);
    fmpq_clear(ratio);
    return a && b;
}

/* ---- what a conversion may explain ----------------------------------------------------------- */

/* Two sides and their values. */
typedef struct sides {
    const tokens *t;
    const expression *lhs, *rhs;
    const fmpq *l, *r;
} sides;

/* l * a = r * b exactly, or after rounding by less than one percent? */
static bool balances(const sides *s, const fmpq_t a, const fmpq_t b)
{
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    fmpq_mul(x, s->l, a);
    fmpq_div(x, x, b);
    bool equal = fmpq_equal(x, s->r);
    if (!equal) {
        fmpq_sub(y, x, s->r);
        fmpq_mul_ui(y, y, 100);
        fmpq_div(y, y, s->r);
        equal =
            fmpz_cmpabs(fmpq_numref(y), fmpq_denref(y)) < 0 &&
            compare_values(s->t, s->lhs, s->rhs, x, s->r, READ_LITERALLY, false) <= CLOSE_ROUNDED;
    }
    fmpq_clear(x);
    fmpq_clear(y);
    return equal;
}

/* Is it a unit of what is measured? */
static bool has_dimension(const unit *u, const measure *m)
{
    for (size_t i = 0; i < MEASURE_BASES; i++)
        if (i != BASE_ONE && u->power[i] != m->power[i]) /* a dozen is a number */
            return false;
    return true;
}

/* About l / r; 0: it is 0, or the numbers are too large to be looked at so. */
static double about_ratio(const sides *s)
{
    const fmpz x[] = {*fmpq_numref(s->l), *fmpq_denref(s->r), *fmpq_denref(s->l),
                      *fmpq_numref(s->r)};
    for (size_t i = 0; i < COUNT(x); i++)
        if (COEFF_IS_MPZ(x[i]) || x[i] == 0)
            return 0;
    return (double)x[0] * (double)x[1] / ((double)x[2] * (double)x[3]);
}

/* Do the sides differ by more than two percent when one of them is multiplied by `factor`? */
static bool is_far_off(double ratio, double factor)
{
    return ratio != 0 && fabs(ratio * factor - 1) > 0.02 && fabs(ratio / factor - 1) > 0.02;
}

/* About how many of the bases it is. */
static double about_size(const measure *m)
{
    double size = 1;
    for (size_t i = 0; i < m->n; i++) {
        const measure_factor *f = m->factor + i;
        double one = (double)f->num / (double)f->den * pow(10, f->ten) * pow(1024, f->binary);
        size *= pow(one, f->power);
    }
    return size;
}

/* Is the difference what a conversion between the measure and another unit makes? Calendar months
 * and years count as time here. */
static bool converts_from(const measure *m, const sides *s)
{
    size_t n;
    const unit *all = units_all(&n);
    fmpq_t mine, other;
    fmpq_init(mine);
    fmpq_init(other);
    quantity_factor(m, mine);
    double ratio = about_ratio(s), size = about_size(m);
    bool found = false;
    for (size_t i = 0; i < n && !found; i++) {
        static const int tens[] = {0, 3, -2, -3, 6, -6, 9, -9};
        size_t prefixes = all[i].is & UNIT_PREFIXED ? COUNT(tens) : 1;
        bool rare = all[i].power[BASE_MONTH] && all[i].num > 12; /* a decade, a century */
        if (rare || !has_dimension(&all[i], m))
            continue;
        measure u = {0};
        for (size_t k = 0; k < prefixes && !found; k++) {
            u.n = 0;
            measure_add(&u, &all[i], tens[k], 0, 1);
            if (is_far_off(ratio, size / about_size(&u)))
                continue;
            quantity_factor(&u, other);
            found = balances(s, mine, other) || balances(s, other, mine);
        }
    }
    fmpq_clear(mine);
    fmpq_clear(other);
    return found;
}

/* "$1 - 25 cents": are there a $ and a coin? */
static bool mixes_signs_and_coins(const tokens *t, const expression *lhs, const expression *rhs)
{
    unit_meaning dollar;
    measure m = {0};
    bool coin = false;
    if (lhs->n_different + rhs->n_different == 0 || !unit_find(RDV_STR("dollar"), &dollar) ||
        !measure_add(&m, dollar.unit, 0, 0, 1))
        return false;
    for (size_t i = 0; i < lhs->n_different + rhs->n_different; i++) {
        const measure *u = i < lhs->n_different ? lhs->units[i] : rhs->units[i - lhs->n_different];
        coin |= same_dimension(u->power, m.power) && !same_size(u, &m);
    }
    size_t begin = t->at[lhs->begin].begin, end = t->at[rhs->end - 1].end;
    return coin &&
           rdv_find_char(rdv_slice(t->text, begin ? begin - 1 : 0, end), '$', 0) != RDV_NOT_FOUND;
}

/* Both are times, or one dimension, but not the same unit. */
static bool convertible(const measure *a, const measure *b)
{
    int x[MEASURE_BASES], y[MEASURE_BASES];
    memcpy(x, a->power, sizeof x);
    memcpy(y, b->power, sizeof y);
    x[BASE_SECOND] += x[BASE_MONTH];
    y[BASE_SECOND] += y[BASE_MONTH];
    x[BASE_MONTH] = y[BASE_MONTH] = 0;
    return same_dimension(x, y) && !(same_dimension(a->power, b->power) && same_size(a, b));
}

/* A sum: what has the one unit that occurs in it, and the numbers without one. */
typedef struct split_sum {
    const tokens *t;
    uint64_t *budget;
    const measure *unit; /* NULL: none yet */
    fmpq_t with, without;
    bool bare; /* there is a number without a unit */
} split_sum;

/* Add the tree's terms; false: one is no number, or has another unit. */
static bool add_terms(split_sum *s, const node *n, bool minus)
{
    if (n->is == N_ADD || n->is == N_SUBTRACT)
        return add_terms(s, n->a, minus) && add_terms(s, n->b, minus != (n->is == N_SUBTRACT));
    const measure *its = n->is == N_UNIT ? n->unit : NULL;
    if (its && s->unit && !(same_dimension(its->power, s->unit->power) && same_size(its, s->unit)))
        return false;
    evaluation ev = {.t = s->t, .budget = s->budget};
    fmpq_t x;
    fmpq_init(x);
    bool ok = eval_exact(&ev, n, x) == EVAL_OK;
    fmpq *to = its ? s->with : s->without;
    if (minus)
        fmpq_neg(x, x);
    fmpq_add(to, to, x);
    fmpq_clear(x);
    s->unit = its ? its : s->unit;
    s->bare |= !its;
    return ok;
}

bool quantity_leaves_unit_out(const tokens *t, uint64_t *budget, const expression *lhs,
                              const expression *rhs, const fmpq_t r)
{
    split_sum s = {.t = t, .budget = budget};
    fmpq_init(s.with);
    fmpq_init(s.without);
    bool found = add_terms(&s, lhs->root, false) && s.unit && s.bare;
    if (found) {
        fmpq_sub(s.without, r, s.without);
        sides without = {t, lhs, rhs, s.with, s.without};
        found = !fmpq_is_zero(s.without) && converts_from(s.unit, &without);
    }
    fmpq_clear(s.with);
    fmpq_clear(s.without);
    return found;
}

bool quantity_may_be_converted(const tokens *t, const expression *lhs, const expression *rhs,
                               const fmpq_t l, const fmpq_t r, bool fits)
{
    sides s = {t, lhs, rhs, l, r};
    if (fmpq_is_zero(r))
        return false;
    for (size_t i = 0; i < lhs->n_different + rhs->n_different; i++)
        if (converts_from(i < lhs->n_different ? lhs->units[i] : rhs->units[i - lhs->n_different],
                          &s))
            return true;
    if (fits)
        return false;
    if (lhs->mixed_units || rhs->mixed_units || mixes_signs_and_coins(t, lhs, rhs))
        return true;
    for (size_t i = 0; i < lhs->n_different; i++)
        for (size_t k = 0; k < rhs->n_different; k++)
            if (convertible(lhs->units[i], rhs->units[k]))
                return true;
    return false;
}
