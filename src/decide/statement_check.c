/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/statement_check.h"

#include "base/str.h"
#include "claims/statement.h"
#include "decide/order.h"
#include "language/assertion.h"
#include "language/cue.h"
#include "language/phrase.h"

#include <flint/ulong_extras.h>
#include <inttypes.h>

#define AFTER 12 /* bytes looked at for an objection */

/* ---- is it so? ------------------------------------------------------------------------------- */

static bool holds(const statement *d)
{
    switch (d->is) {
    case STATES_PRIME:
        return n_is_prime(d->number);
    case STATES_COMPOSITE:
        return d->number > 3 && !n_is_prime(d->number);
    case STATES_MULTIPLE:
        return d->number % d->divisor == 0;
    case STATES_REMAINDER:
        return d->number % d->divisor == d->remainder % d->divisor;
    case STATES_QUOTIENT: {
        uint64_t rest = d->number - d->remainder;
        return d->remainder <= d->number && rest % d->divisor == 0 &&
               rest / d->divisor == d->quotient;
    }
    case STATES_EVEN:
        return d->number % 2 == 0;
    case STATES_ODD:
        return d->number % 2 == 1;
    case STATES_SQUARE:
        return n_is_square(d->number);
    default:
        return false;
    }
}

/* "17 = 5 * 2 + 7": is the remainder congruent, but not the one that a division leaves? */
static bool is_unreduced(const statement *d)
{
    return (d->is == STATES_REMAINDER || d->is == STATES_QUOTIENT) && holds(d) &&
           d->remainder >= d->divisor;
}

static rdv_calc_kind decide_whole(const statement *d)
{
    if (is_unreduced(d))
        return RDV_CALC_UNDECIDED;
    return holds(d) != d->denied ? RDV_CALC_RIGHT : RDV_CALC_WRONG;
}

static order_is order_stated(verbal_states is)
{
    switch (is) {
    case STATES_POSITIVE:
    case STATES_MORE:
        return ORDER_MORE;
    case STATES_NEGATIVE:
    case STATES_LESS:
        return ORDER_LESS;
    case STATES_AT_LEAST:
        return ORDER_AT_LEAST;
    case STATES_AT_MOST:
        return ORDER_AT_MOST;
    default:
        return ORDER_NONE;
    }
}

/* What is known of any number: its order to the second one, or to 0 where there is none. */
typedef struct standing {
    bool known, whole;
    int order[2]; /* beside M, or 0 where there is none; beside Q */
} standing;

static standing stands(rdv_calculator *c, const tokens *t, const statement *d)
{
    evaluation ev = {.t = t, .budget = &c->budget};
    standing s = {0};
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    s.known = eval_exact(&ev, d->of[0], a) == EVAL_OK;
    if (d->negative)
        fmpq_neg(a, a);
    s.whole = fmpz_is_one(fmpq_denref(a));
    for (size_t i = 0; i < 2 && s.known; i++) {
        s.known = !d->of[i + 1] || eval_exact(&ev, d->of[i + 1], b) == EVAL_OK;
        s.order[i] = fmpq_cmp(a, b);
    }
    fmpq_clear(a);
    fmpq_clear(b);
    return s;
}

static rdv_calc_kind decide_any(const statement *d, standing s)
{
    bool between = d->is == STATES_BETWEEN, at_end = between && !(s.order[0] && s.order[1]);
    bool so = d->is == STATES_WHOLE ? s.whole
              : between             ? s.order[0] != s.order[1]
                                    : order_holds(order_stated(d->is), s.order[0]);
    return !s.known || at_end ? RDV_CALC_UNDECIDED
           : so != d->denied  ? RDV_CALC_RIGHT
                              : RDV_CALC_WRONG;
}

/* ---- how it is said -------------------------------------------------------------------------- */

/* The text of the tokens from `begin` up to `end`. */
static rdv_str between(const tokens *t, size_t begin, size_t end)
{
    return rdv_slice(t->text, t->at[begin].begin, t->at[end - 1].end);
}

static uint64_t least_prime_factor(uint64_t n)
{
    n_factor_t factors;
    n_factor_init(&factors);
    n_factor(&factors, n, 1);
    uint64_t least = n;
    for (int i = 0; i < factors.num; i++)
        least = factors.p[i] < least ? factors.p[i] : least;
    return least;
}

/* What the number is: "7 * 13", "prime", "5 * 3 + 2", "3 remainder 2". */
static rdv_str say_value(rdv_arena *arena, const statement *d)
{
    uint64_t quotient = d->divisor ? d->number / d->divisor : 0;
    uint64_t rest = d->divisor ? d->number % d->divisor : 0;
    switch (d->is) {
    case STATES_PRIME:
    case STATES_COMPOSITE:
        if (d->number < 2)
            return RDV_STR("neither prime nor composite");
        if (n_is_prime(d->number))
            return RDV_STR("prime");
        quotient = least_prime_factor(d->number);
        return rdv_str_printf(arena, "%" PRIu64 " * %" PRIu64, quotient, d->number / quotient);
    case STATES_MULTIPLE:
        return rest ? rdv_str_printf(arena, "%" PRIu64 " * %" PRIu64 " + %" PRIu64, d->divisor,
                                     quotient, rest)
                    : rdv_str_printf(arena, "%" PRIu64 " * %" PRIu64, d->divisor, quotient);
    case STATES_EVEN:
    case STATES_ODD:
        return d->number % 2 ? RDV_STR("odd") : RDV_STR("even");
    case STATES_SQUARE:
        return n_is_square(d->number)
                   ? rdv_str_printf(arena, "%" PRIu64 " squared", n_sqrt(d->number))
                   : RDV_STR("no square of a whole number");
    case STATES_REMAINDER:
        return rdv_str_printf(arena, "%" PRIu64, rest);
    case STATES_QUOTIENT:
        return rdv_str_printf(arena, "%" PRIu64 " remainder %" PRIu64, quotient, rest);
    default:
        return (rdv_str){0};
    }
}

/* "greater than 20", "a whole number" */
static rdv_str say_standing(rdv_arena *arena, const tokens *t, const statement *d, standing s)
{
    if (d->is == STATES_WHOLE)
        return rdv_str_of(s.whole ? "a whole number" : "no whole number");
    if (!d->of[1])
        return rdv_str_of(s.order[0] < 0 ? "negative" : s.order[0] > 0 ? "positive" : "zero");
    bool range = d->of[2], inside = range && s.order[0] != s.order[1];
    return rdv_str_printf(arena, "%s %.*s", inside ? "between" : order_found(s.order[0]),
                          RDV_FMT(between(t, d->of[1]->begin, d->of[1 + range]->end)));
}

static rdv_str say_claim(rdv_arena *arena, const tokens *t, const statement *d)
{
    const char *not_ = d->denied ? "not " : "";
    switch (d->is) {
    case STATES_PRIME:
        return rdv_str_printf(arena, "%sprime", not_);
    case STATES_COMPOSITE:
        return rdv_str_printf(arena, "%scomposite", not_);
    case STATES_MULTIPLE:
        return rdv_str_printf(arena, "%sdivisible by %" PRIu64, not_, d->divisor);
    case STATES_REMAINDER:
        return rdv_str_printf(arena, "%" PRIu64, d->remainder);
    case STATES_QUOTIENT:
        return rdv_str_printf(arena, "%" PRIu64 " remainder %" PRIu64, d->quotient, d->remainder);
    case STATES_EVEN:
        return rdv_str_printf(arena, "%seven", not_);
    case STATES_ODD:
        return rdv_str_printf(arena, "%sodd", not_);
    case STATES_SQUARE:
        return rdv_str_printf(arena, "%sa perfect square", not_);
    case STATES_BETWEEN:
        return rdv_str_printf(arena, "%s %.*s", d->denied ? "outside" : "between",
                              RDV_FMT(between(t, d->of[1]->begin, d->of[2]->end)));
    case STATES_POSITIVE:
        return rdv_str_printf(arena, "%spositive", not_);
    case STATES_NEGATIVE:
        return rdv_str_printf(arena, "%snegative", not_);
    case STATES_WHOLE:
        return rdv_str_printf(arena, "%sa whole number", not_);
    default:
        return rdv_str_printf(
            arena, "%s %.*s",
            order_said(d->denied ? order_denied(order_stated(d->is)) : order_stated(d->is)),
            RDV_FMT(between(t, d->of[1]->begin, d->of[1]->end)));
    }
}

/* ---- the decision ---------------------------------------------------------------------------- */

/* Are numbers meant that are written in another base, or that have other primes? */
static bool means_other_numbers(rdv_str text)
{
    static phrase_list words = {"@other-numbers"};
    return phrase_in(text, &words);
}

/* Is it a divisor or a square modulo another number, "7 divides 3 mod 5", "Modulo 7, 2 is a
 * square"? What is prime or even is so whatever else of the text is counted modulo a number. */
static bool is_modular(const tokens *t, rdv_str question, const statement *d)
{
    static phrase_list words = {"@modular"};
    size_t begin = t->at[d->begin].begin, end = t->at[d->end - 1].end;
    rdv_str before = rdv_slice(t->text, cue_sentence_begin(t->text, begin), begin);
    end = rdv_skip_any(t->text, end, " $(,\n");
    return d->is == STATES_SQUARE     ? phrase_in(t->text, &words) || phrase_in(question, &words)
           : d->is == STATES_MULTIPLE ? phrase_at(t->text, end, &words) || phrase_in(before, &words)
                                      : false;
}

/* ", but ...": what comes next may take it back. */
static bool is_objected(rdv_str text, size_t end)
{
    static phrase_list words = {"@objecting"};
    return phrase_in(rdv_slice(text, end, end + AFTER), &words);
}

/* others: may its numbers be other ones than they look? */
static int add_statement(rdv_calculator *c, const tokens *t, size_t offset, const statement *d,
                         bool others, calc_list *out)
{
    static const char *const notes[2][2] = {
        {"a statement about whole numbers", "a remainder that is not smaller than the divisor"},
        {"a statement about numbers", "a number that could not be read, or an end of a range"}};
    size_t begin = t->at[d->begin].begin, end = t->at[d->end - 1].end;
    bool any = verbal_states_any(d->is);
    standing s = any ? stands(c, t, d) : (standing){0};
    rdv_calc calc = {.begin = offset + begin,
                     .end = offset + end,
                     .lhs = between(t, d->subject, d->subject_end),
                     .rhs = between(t, d->said, d->said_end),
                     .kind = any ? decide_any(d, s) : decide_whole(d),
                     .read_by = d->read_by};
    calc.note = rdv_str_of(notes[any][calc.kind == RDV_CALC_UNDECIDED]);
    bool wrong = calc.kind == RDV_CALC_WRONG;
    others = (others || is_modular(t, c->question, d)) && !any;
    if (wrong ? is_objected(t->text, end) : others)
        return RDV_OK;
    if (others) { /* it accuses nothing, and supports nothing */
        calc.kind = RDV_CALC_UNDECIDED;
        calc.note = RDV_STR("the numbers may be those of another arithmetic");
    } else if (wrong) {
        calc.value = any ? say_standing(c->arena, t, d, s) : say_value(c->arena, d);
        calc.claim = say_claim(c->arena, t, d);
        if (!calc.value.p || !calc.claim.p)
            return RDV_E_NOMEM;
    }
    return calc_list_put(out, c->arena, &calc);
}

int statement_check(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out)
{
    statements found = {0};
    int r = statement_find(t, c->rules, c->scratch, &found);
    bool others = found.n && (means_other_numbers(t->text) || means_other_numbers(c->question));
    for (size_t i = 0; i < found.n && r == RDV_OK; i++) {
        const statement *d = &found.at[i];
        size_t begin = t->at[d->begin].begin, end = t->at[d->end - 1].end;
        if (!assertion_not(t->rules, t->text, begin, end))
            r = add_statement(c, t, offset, d, others, out);
    }
    return r;
}
