/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/angle.h"

#include "base/str.h"
#include "expression/compare.h"
#include "expression/format_value.h"
#include "notation/call_name.h"

#include <arb.h>

#define PRECISION 320

/* How a side counts an angle. */
typedef enum angle_in {
    ANGLE_NONE,
    ANGLE_DEGREES,
    ANGLE_TURNS,
    ANGLE_RADIANS,
    ANGLE_PI /* a multiple of pi, without a unit */
} angle_in;

/* Nothing but numbers, pi, what calculates with them, and units? */
static bool is_of_numbers(const node *n)
{
    switch (n->is) {
    case N_CALL:
    case N_SUM:
    case N_MOD:
    case N_LETTER:
    case N_CONSTANT:
        return false;
    default:
        return (!n->a || is_of_numbers(n->a)) && (!n->b || is_of_numbers(n->b));
    }
}

/* "arctan(1/2)", an angle */
static bool is_inverse(const node *n)
{
    return n->is == N_CALL && n->value >= CALL_ASIN && n->value <= CALL_ATAN;
}

static bool holds_inverse(const node *n)
{
    return n && (is_inverse(n) || holds_inverse(n->a) || holds_inverse(n->b));
}

static bool holds_kind(const tokens *t, const expression *e, tok_kind kind)
{
    for (size_t i = e->begin; i < e->end; i++)
        if (t->at[i].kind == kind)
            return true;
    return false;
}

/* The base in which its units count angles; MEASURE_BASES: none, or there are other units. */
static measure_base base_of(const expression *e)
{
    if (e->n_different != 1 || e->units[0]->n != 1)
        return MEASURE_BASES;
    const int *power = e->units[0]->power;
    return power[BASE_DEGREE] == 1   ? BASE_DEGREE
           : power[BASE_TURN] == 1   ? BASE_TURN
           : power[BASE_RADIAN] == 1 ? BASE_RADIAN
                                     : MEASURE_BASES;
}

/* "0.5 rad * 180/\pi": does the side turn radians into degrees? "10 * \pi/180 rad" does not. */
static bool holds_half_turn(const tokens *t, const expression *e)
{
    bool holds = false;
    for (size_t i = e->begin; i < e->end && !holds && t->at[i].kind != TOK_PI; i++)
        holds = t->at[i].kind == TOK_NUMBER && rdv_str_eq(tok_text(t, i), RDV_STR("180"));
    return holds && e->n_units && e->product;
}

static angle_in counted_in(const tokens *t, const expression *e)
{
    bool pi = holds_kind(t, e, TOK_PI), sign = holds_kind(t, e, TOK_DEGREE);
    measure_base base = base_of(e);
    if (is_inverse(e->root) && !e->n_units && !e->n_words && !holds_inverse(e->root->a))
        return ANGLE_RADIANS;
    bool factor = pi ? holds_half_turn(t, e) /* "150 degrees * 1/30": it may convert */
                     : e->product && !expression_is_scientific(t, e);
    if (factor || !is_of_numbers(e->root) || e->n_words || e->odd_units || e->labelled)
        return ANGLE_NONE;
    if (!pi && ((sign && !e->n_different) || (base == BASE_DEGREE && !sign)))
        return ANGLE_DEGREES;
    if (base == BASE_TURN && !pi && !sign)
        return ANGLE_TURNS;
    if (base == BASE_RADIAN && !sign)
        return ANGLE_RADIANS;
    return pi && !sign && !e->n_units ? ANGLE_PI : ANGLE_NONE;
}

/* Multiply by the degrees of one of `of`, to 90 digits. */
static void scale(fmpq_t x, angle_in of, bool back)
{
    arb_t factor, pi;
    fmpq_t by;
    arb_init(factor);
    arb_init(pi);
    fmpq_init(by);
    arb_set_ui(factor, of == ANGLE_DEGREES ? 1 : of == ANGLE_TURNS ? 360 : 180);
    arb_const_pi(pi, PRECISION);
    if (of == ANGLE_RADIANS || of == ANGLE_PI)
        arb_div(factor, factor, pi, PRECISION);
    arf_get_fmpq(by, arb_midref(factor));
    back ? fmpq_div(x, x, by) : fmpq_mul(x, x, by);
    fmpq_clear(by);
    arb_clear(factor);
    arb_clear(pi);
}

/* Round to 40 decimals: what is known only as a ball then is a whole number where it is one. */
static void round_ball(fmpq_t x)
{
    fmpz_t ten, twice;
    fmpz_init_set_ui(ten, 10);
    fmpz_init(twice);
    fmpz_pow_ui(ten, ten, 40);
    fmpz_mul(fmpq_numref(x), fmpq_numref(x), ten);
    fmpz_mul_2exp(fmpq_numref(x), fmpq_numref(x), 1);
    fmpz_add(fmpq_numref(x), fmpq_numref(x), fmpq_denref(x));
    fmpz_mul_2exp(twice, fmpq_denref(x), 1);
    fmpz_fdiv_q(fmpq_numref(x), fmpq_numref(x), twice);
    fmpz_set(fmpq_denref(x), ten);
    fmpq_canonicalise(x);
    fmpz_clear(ten);
    fmpz_clear(twice);
}

/* Do they differ by less than one percent? */
static bool is_near(const fmpq_t x, const fmpq_t y)
{
    fmpq_t apart;
    fmpq_init(apart);
    fmpq_sub(apart, x, y);
    fmpq_mul_ui(apart, apart, 100);
    bool near = fmpq_is_zero(apart);
    if (!near && !fmpq_is_zero(y)) {
        fmpq_div(apart, apart, y);
        near = fmpz_cmpabs(fmpq_numref(apart), fmpq_denref(apart)) < 0;
    }
    fmpq_clear(apart);
    return near;
}

/* How near the right side is to `l`, the left one's value as the right one counts it. Only a
 * decimal is rounded by more than one percent. */
static closeness compare_angles(const reading_eval *t, const fmpq_t l)
{
    bool near = is_near(l, t->r);
    bool whole = fmpz_is_one(fmpq_denref(t->r));
    if (compare_to_50_digits(l, t->r))
        return CLOSE_EQUAL;
    closeness c = compare_values(t->k->t, t->lhs, t->rhs, l, t->r, READ_LITERALLY,
                                 t->about || t->said_about ? TOLERANCE_ABOUT : TOLERANCE_NONE);
    bool number = expression_is_plain(t->rhs) || expression_is_scientific(t->k->t, t->rhs);
    bool shown = number && !holds_kind(t->k->t, t->rhs, TOK_PI);
    if (c == CLOSE_ROUNDED && shown && (near || !whole))
        return c;
    return near || (c < CLOSE_NOT && shown) ? CLOSE_ROUGH : CLOSE_NOT;
}

/* Do two angles in degrees differ, or add up, to a multiple of 180, to a hundredth of it? A
 * function has such a value for both, as sin 30° = sin 150°. */
static bool have_one_value(const fmpq_t x, const fmpq_t y)
{
    fmpq_t turns, half;
    fmpz_t whole;
    bool is = false;
    fmpq_init(turns);
    fmpq_init(half);
    fmpz_init(whole);
    fmpq_set_si(half, 1, 2);
    for (int add = 0; add < 2 && !is; add++) {
        add ? fmpq_add(turns, x, y) : fmpq_sub(turns, x, y);
        fmpq_div_2exp(turns, turns, 2);
        fmpz_mul_ui(fmpq_denref(turns), fmpq_denref(turns), 45);
        fmpq_canonicalise(turns);
        fmpq_add(turns, turns, half);
        fmpz_fdiv_q(whole, fmpq_numref(turns), fmpq_denref(turns));
        fmpq_sub_fmpz(turns, turns, whole); /* 1/2 where nothing is left over */
        fmpq_sub(turns, turns, half);
        fmpq_mul_ui(turns, turns, 100);
        is = fmpz_cmpabs(fmpq_numref(turns), fmpq_denref(turns)) < 0;
    }
    fmpq_clear(turns);
    fmpq_clear(half);
    fmpz_clear(whole);
    return is;
}

int angle_decide(const reading_eval *t, bool clean, decision *out)
{
    if (!clean || t->literal != EVAL_OK || t->k->marked)
        return RDV_NONE;
    angle_in a = counted_in(t->k->t, t->lhs), b = counted_in(t->k->t, t->rhs);
    bool inverse = holds_inverse(t->lhs->root) || holds_inverse(t->rhs->root);
    bool named = a != ANGLE_PI && b != ANGLE_PI,
         pi = (a == ANGLE_PI || a == ANGLE_RADIANS) && (b == ANGLE_PI || b == ANGLE_RADIANS);
    if (a == ANGLE_NONE || b == ANGLE_NONE || a == b || pi) {
        if (!inverse || t->best <= CLOSE_ROUNDED)
            return RDV_NONE;
        *out = (decision){.is_calculation = true, /* "arcsin(0.5) = 30" */
                          .kind = RDV_CALC_UNDECIDED,
                          .note = RDV_STR("degrees or radians")};
        return RDV_OK;
    }
    fmpq_t l;
    fmpq_init(l);
    fmpq_set(l, t->l);
    scale(l, a, false);
    scale(l, b, true);
    closeness c = compare_angles(t, l);
    bool wrong =
        named && c == CLOSE_NOT && (!inverse || (b == ANGLE_DEGREES && !have_one_value(l, t->r)));
    *out = (decision){.is_calculation = true,
                      .kind = c == CLOSE_EQUAL     ? RDV_CALC_RIGHT
                              : c == CLOSE_ROUNDED ? RDV_CALC_ROUNDED
                              : wrong              ? RDV_CALC_WRONG
                                                   : RDV_CALC_UNDECIDED,
                      .note = c <= CLOSE_ROUNDED || wrong ? RDV_STR("an angle converted")
                              : c == CLOSE_ROUGH          ? RDV_STR("a rough conversion")
                                                          : RDV_STR("degrees and radians")};
    bool real = b == ANGLE_RADIANS || b == ANGLE_PI;
    if (!real)
        round_ball(l);
    out->value = format_value(t->k->t, t->rhs, t->r, l, real, t->k->arena);
    out->claim = format_claim(t->k->t, t->rhs, t->r, real, t->k->arena);
    fmpq_clear(l);
    return out->value.p && out->claim.p ? RDV_OK : RDV_E_NOMEM;
}
