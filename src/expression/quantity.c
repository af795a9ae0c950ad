/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/quantity.h"

#include "base/str.h"
#include "expression/compare.h"

#include <math.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

unsigned quantity_readings(unsigned variant)
{
    return READ_UNITS | (variant & 1 ? READ_DOLLARS : 0) | (variant & 2 ? READ_OTHER_UNITS : 0);
}

const measure *quantity_shown_in(const expression *e, unsigned readings)
{
    const node *n = e->root;
    while (n->is == N_NEGATE)
        n = n->a;
    return n->is == N_UNIT && n->a->is != N_UNIT ? dimension_unit(n, readings) : NULL;
}

/* ---- the sides of an equality ------------------------------------------------------------------
 */

static bool unread(const expression *e)
{
    return e->n_words || e->odd_units;
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

/* Both sides under one variant of the readings. */
typedef struct sides_seen {
    dimension_walk left, right;
    dimension a, b;
    bool fits;
} sides_seen;

static void see_sides(const tokens *t, const expression *l, const expression *r, unsigned readings,
                      sides_seen *s)
{
    s->left = s->right = (dimension_walk){.t = t, .readings = readings};
    dimension_of(&s->left, l->root, &s->a);
    dimension_of(&s->right, r->root, &s->b);
    s->fits = !s->left.assumed && !s->right.assumed && s->a.is == DIMENSION_KNOWN &&
              s->b.is == DIMENSION_KNOWN && measure_same_dimension(s->a.power, s->b.power) &&
              !dimension_is_number(s->a.power);
}

/* What is known under the variant that fits first, or under the last one. */
static void take_seen(const sides_seen *s, const expression *l, const expression *r,
                      quantities *out)
{
    const measure *x = s->left.first, *y = s->right.first;
    out->sums_differ = s->left.sums_differ || s->right.sums_differ;
    out->complete = s->fits && !s->left.bare && !s->right.bare && !l->labelled && !r->labelled;
    out->converts = s->left.converts || s->right.converts ||
                    (s->fits && x && y && measure_same_dimension(x->power, y->power) &&
                     !measure_same_size(x, y));
}

static bool is_named(const dimension_pair *pair)
{
    return dimension_kind(pair->a) && dimension_kind(pair->b);
}

static void take_pair(const dimension_pair *from, dimension_pair *to)
{
    if (from->is && (!to->is || (is_named(from) && !is_named(to))))
        *to = *from;
}

/* Do the sides differ only in what one of them leaves out, "per week" for one? Of a number that
 * units come to, 50 Hz * 2 s, such units leave nothing out. */
static bool leaves_out_per(const dimension *a, const dimension *b)
{
    const dimension *number = dimension_is_number(a->power)   ? a
                              : dimension_is_number(b->power) ? b
                                                              : NULL;
    for (size_t i = 0; i < MEASURE_BASES && number; i++)
        if (i != BASE_ONE && number->seen[i])
            return false;
    return dimension_leaves_out_per(a->power, b->power);
}

/* The unit of a sum in which some numbers leave it out, "500 + 300 km"; NULL: none has one. */
static const measure *unit_of_sum(const node *n, unsigned readings)
{
    if (n->is != N_ADD && n->is != N_SUBTRACT)
        return n->is == N_UNIT && n->a->is != N_UNIT ? dimension_unit(n, readings) : NULL;
    const measure *first = unit_of_sum(n->a, readings);
    return first ? first : unit_of_sum(n->b, readings);
}

/* Copies the dimension of a side, or that of its sum's unit. False: it has none. */
static bool powers_of(const dimension *d, const expression *e, unsigned readings, int *powers)
{
    const measure *m = d->is == DIMENSION_UNKNOWN ? unit_of_sum(e->root, readings) : NULL;
    bool known = m || d->is == DIMENSION_KNOWN;
    if (known)
        memcpy(powers, m ? m->power : d->power, sizeof d->power);
    return known;
}

/* "27 °C + 273.15", "300 K - 273": between the scales of Celsius and Kelvin. */
static bool shifts_scale(const tokens *t, const node *n)
{
    if (n->is != N_ADD && n->is != N_SUBTRACT)
        return false;
    const node *number = n->a->is == N_NUMBER ? n->a : n->b;
    rdv_str s = number->is == N_NUMBER ? tok_text(t, number->end - 1) : (rdv_str){0};
    return rdv_str_eq(s, RDV_STR("273")) || rdv_str_eq(s, RDV_STR("273.15"));
}

/* What sums that leave units out say of the sides' dimensions: what leaves a unit out is no other
 * thing for it, "500 + 300 km = 800 kg". */
typedef struct sums_seen {
    bool fit; /* under one variant of the readings */
    dimension_pair misfit;
} sums_seen;

static void look_at_sums(const sides_seen *s, const expression *l, const expression *r,
                         sums_seen *out)
{
    dimension_pair sides = {.is = true};
    bool both = powers_of(&s->a, l, s->left.readings, sides.a) &&
                powers_of(&s->b, r, s->right.readings, sides.b);
    bool sign = s->a.is == DIMENSION_UNKNOWN && (r->readings & ~s->left.readings & READ_DOLLARS);
    out->fit |= !both && !sign; /* a "$" may open a formula: "$40 + 60 = 100$ minutes" */
    if (!both || s->left.product || s->right.product)
        return;
    bool shifted = abs(sides.a[BASE_CELSIUS] - sides.b[BASE_CELSIUS]) == 1 &&
                   abs(sides.a[BASE_KELVIN] - sides.b[BASE_KELVIN]) == 1 &&
                   (shifts_scale(s->left.t, l->root) || shifts_scale(s->left.t, r->root));
    out->fit |= shifted || measure_same_dimension(sides.a, sides.b) ||
                dimension_leaves_out_per(sides.a, sides.b);
    if (s->a.is == DIMENSION_UNKNOWN || s->b.is == DIMENSION_UNKNOWN)
        take_pair(&sides, &out->misfit);
}

/* Keeps the first pair of dimensions that do not fit, or the first of which both have a name.
 * False: the sides, or terms of a sum, have dimensions that no unwritten unit makes the same. */
static bool look_at_misfits(const sides_seen *s, quantities *out)
{
    take_pair(&s->left.added, &out->added);
    take_pair(&s->right.added, &out->added);
    take_pair(&s->left.products, &out->added_products);
    take_pair(&s->right.products, &out->added_products);
    if (s->a.is != DIMENSION_KNOWN || s->b.is != DIMENSION_KNOWN)
        return s->a.is < DIMENSION_MISFIT && s->b.is < DIMENSION_MISFIT;
    if (measure_same_dimension(s->a.power, s->b.power) || leaves_out_per(&s->a, &s->b))
        return true;
    dimension_pair sides = dimension_pair_of(&s->a, &s->b);
    if (!s->left.product && !s->right.product && !s->left.bare && !s->right.bare)
        take_pair(&sides, &out->sides);
    bool may_fit =
        dimension_may_become(&s->a, s->b.power) || dimension_may_become(&s->b, s->a.power);
    if (!may_fit)
        take_pair(&sides, &out->product_sides);
    return may_fit;
}

static size_t signs_in(const node *n)
{
    return n ? (n->is == N_UNIT && n->sign) + signs_in(n->a) + signs_in(n->b) : 0;
}

static size_t dollars_in(rdv_str s)
{
    size_t found = 0;
    for (size_t i = 0; i < s.len; i++)
        found += s.p[i] == '$';
    return found;
}

/* Is a "$" of the side no limit of a formula: does it stand within the side, "8 hours * $12 per
 * hour", is it the only one of the text, or is each of some before an amount, "$8 + $12"? */
static bool holds_money(const tokens *t, const expression *e)
{
    if (!(e->readings & READ_DOLLARS))
        return false;
    const node *n = e->root;
    while (n && !(n->is == N_UNIT && n->sign))
        n = n->a;
    rdv_str text = expression_text(t, e); /* without a sign before its first number */
    size_t signs = signs_in(e->root), written = dollars_in(text) + !rdv_starts(text, RDV_STR("$"));
    return !n || dollars_in(t->text) == 1 || (signs > 1 && signs == written);
}

/* Nothing is known. The powers of pairs that there are not stay unset: they take hundreds of bytes,
 * and most equalities have no units. */
static void forget_all(quantities *out)
{
    out->fits = 0;
    out->complete = out->sums_differ = out->converts = out->loose = out->crosses = false;
    out->added.is = out->sides.is = out->added_products.is = out->product_sides.is = false;
}

void quantity_look(const tokens *t, const expression *l, const expression *r, quantities *out)
{
    forget_all(out);
    unsigned offered = l->readings | r->readings;
    if (!(offered & READ_UNITS) || unread(l) || unread(r))
        return;
    bool may_be_meant = false, money = holds_money(t, l);
    sums_seen sums = {0};
    unsigned first = QUANTITY_VARIANTS; /* the first variant that is offered */
    for (unsigned v = 0; v < QUANTITY_VARIANTS; v++) {
        if (quantity_readings(v) & ~offered)
            continue;
        first = first < v ? first : v;
        sides_seen s;
        see_sides(t, l, r, quantity_readings(v) | (offered & READ_PERCENT_OF_LEFT), &s);
        if (!out->fits)
            take_seen(&s, l, r, out);
        out->fits |= s.fits ? 1u << v : 0;
        /* "= $120" is no number without a unit because the sign may end a formula. */
        bool sign_left_out =
            !(v & 1) && (((r->readings & READ_DOLLARS) && s.a.is == DIMENSION_KNOWN) || money);
        if (!sign_left_out)
            look_at_sums(&s, l, r, &sums);
        bool usual = !(v & 2) || first == v;
        may_be_meant |= look_at_misfits(&s, out) && !sign_left_out && usual;
    }
    if (out->fits)
        look_at_conversions(l, r, out);
    if (out->fits || may_be_meant)
        out->added_products.is = out->product_sides.is = false;
    if (out->fits)
        out->added.is = out->sides.is = false;
    else if (!sums.fit)
        take_pair(&sums.misfit, &out->sides);
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

static bool is_rare(const expression *e)
{
    bool rare = false;
    for (size_t i = 0; i < e->n_different; i++)
        rare |= (e->units[i]->is & UNIT_RARE) != 0;
    return rare;
}

static bool has_unit(const expression *e, const measure *m)
{
    for (size_t i = 0; i < e->n_different; i++)
        if (measure_same_dimension(e->units[i]->power, m->power))
            return true;
    return false;
}

/* "120 V * 2 A = 240 W": do two dimensions on one side come to another one on the other side? */
static bool derives(const expression *l, const expression *r)
{
    const expression *a = l->n_different == 2 ? l : r, *b = a == l ? r : l;
    return a->n_different == 2 && b->n_different == 1 && !has_unit(a, b->units[0]) &&
           !measure_same_dimension(a->units[0]->power, a->units[1]->power);
}

bool quantity_letters_fit(const tokens *t, const expression *l, const expression *r)
{
    quantities q;
    quantity_look(t, l, r, &q);
    bool compound = is_compound(l->n_units ? l : r) && !unread(l) && !unread(r);
    bool glued = l->glued_letters || r->glued_letters; /* "2m + 3m = 6m", but "18m/s * 10s" */
    if (q.fits && q.complete && derives(l, r))
        return true;
    if ((glued && !holds_rate(l) && !holds_rate(r)) || is_rare(l) || is_rare(r))
        return false;
    bool sure = q.complete || holds_rate(l) || holds_rate(r) || l->word_units ||
                r->word_units; /* not "12000 * 7 m = 1400 m" */
    bool misfits = q.added.is || q.sides.is;
    return ((q.fits || q.product_sides.is) && sure) || misfits ||
           ((!l->n_units || !r->n_units) && compound);
}

bool quantity_letters_derive(const tokens *t, const expression *l, const expression *r)
{
    quantities q;
    quantity_look(t, l, r, &q);
    bool compound = holds_rate(l) || holds_rate(r) || derives(l, r);
    return q.fits && compound && !l->glued_letters && !r->glued_letters;
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
    return a && b && !measure_same_dimension(a->power, b->power) && to_kelvin(a, false, out) &&
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
        equal = fmpz_cmpabs(fmpq_numref(y), fmpq_denref(y)) < 0 &&
                compare_values(s->t, s->lhs, s->rhs, x, s->r, READ_LITERALLY, TOLERANCE_NONE) <=
                    CLOSE_ROUNDED;
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

/* As pow(), which takes longer for such powers. */
static double raised(double base, int power)
{
    double x = 1;
    for (int i = 0; i < abs(power); i++)
        x *= base;
    return power < 0 ? 1 / x : x;
}

/* About how many of the bases it is. */
static double about_size(const measure *m)
{
    double size = 1;
    for (size_t i = 0; i < m->n; i++) {
        const measure_factor *f = m->factor + i;
        double one = (double)f->num / (double)f->den * raised(10, f->ten) * raised(1024, f->binary);
        size *= raised(one, f->power);
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
    measure_size(m, mine);
    double ratio = about_ratio(s), size = about_size(m);
    bool found = false;
    for (size_t i = 0; i < n && !found; i++) {
        static const int tens[] = {0, 3, -2, -3, 6, -6, 9, -9};
        size_t prefixes = all[i].is & UNIT_PREFIXED ? COUNT(tens) : 1;
        bool rare = all[i].power[BASE_MONTH] && all[i].num > 12; /* a decade, a century */
        if (rare || !has_dimension(&all[i], m))
            continue;
        measure u = {0};
        bool hundredths = all[i].power[BASE_METRE] && !all[i].power[BASE_GRAM]; /* no centijoules */
        for (size_t k = 0; k < prefixes && !found; k++) {
            if (tens[k] == -2 && !hundredths)
                continue;
            u.n = 0;
            measure_add(&u, &all[i], tens[k], 0, 1);
            if (is_far_off(ratio, size / about_size(&u)))
                continue;
            measure_size(&u, other);
            found = balances(s, mine, other) || balances(s, other, mine);
        }
    }
    fmpq_clear(mine);
    fmpq_clear(other);
    return found;
}

/* "$1.20 / 12 = 10 cents per egg": are there a sign of a currency and a coin? */
static bool mixes_signs_and_coins(const tokens *t, const expression *lhs, const expression *rhs)
{
    size_t begin = t->at[lhs->begin].begin;
    bool sign = begin && t->text.p[begin - 1] == '$', coin = false;
    for (size_t i = lhs->begin; i < rhs->end; i++) {
        unit_meaning m;
        rdv_str w = tok_text(t, i);
        size_t after = t->at[i].end;
        sign |= unit_of_currency(w) || (after < t->text.len && t->text.p[after] == '$');
        coin |=
            rdv_str_eq(w, RDV_STR("\xc2\xa2")) || (t->at[i].kind == TOK_WORD && unit_find(w, &m) &&
                                                   unit_is_money(m.unit) && m.unit->num != 100);
    }
    return sign && coin;
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
    return measure_same_dimension(x, y) &&
           !(measure_same_dimension(a->power, b->power) && measure_same_size(a, b));
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
    if (its && s->unit &&
        !(measure_same_dimension(its->power, s->unit->power) && measure_same_size(its, s->unit)))
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
    if (!(lhs->readings & (READ_UNITS | READ_DOLLARS)))
        return false;
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
    if (mixes_signs_and_coins(t, lhs, rhs))
        return true;
    if (fits)
        return false;
    if (lhs->mixed_units || rhs->mixed_units)
        return true;
    for (size_t i = 0; i < lhs->n_different; i++)
        for (size_t k = 0; k < rhs->n_different; k++)
            if (convertible(lhs->units[i], rhs->units[k]))
                return true;
    return false;
}
