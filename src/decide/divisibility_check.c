/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/divisibility_check.h"

#include "base/str.h"
#include "claims/divisibility.h"
#include "language/assertion.h"
#include "language/phrase.h"

#include <flint/ulong_extras.h>
#include <inttypes.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define AFTER 12 /* bytes looked at for an objection */

/* ---- is it so? ------------------------------------------------------------------------------- */

static bool holds(const divisibility *d)
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
    case STATES_NOTHING:
        break;
    }
    return false;
}

/* "17 = 5 * 2 + 7": is the remainder congruent, but not the one that a division leaves? */
static bool is_unreduced(const divisibility *d)
{
    return (d->is == STATES_REMAINDER || d->is == STATES_QUOTIENT) && holds(d) &&
           d->remainder >= d->divisor;
}

static rdv_calc_kind decide(const divisibility *d)
{
    if (is_unreduced(d))
        return RDV_CALC_UNDECIDED;
    return holds(d) != d->denied ? RDV_CALC_RIGHT : RDV_CALC_WRONG;
}

/* ---- how it is said -------------------------------------------------------------------------- */

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
static rdv_str say_value(rdv_arena *arena, const divisibility *d)
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
    case STATES_REMAINDER:
        return rdv_str_printf(arena, "%" PRIu64, rest);
    case STATES_QUOTIENT:
        return rdv_str_printf(arena, "%" PRIu64 " remainder %" PRIu64, quotient, rest);
    case STATES_NOTHING:
        break;
    }
    return (rdv_str){0};
}

static rdv_str say_claim(rdv_arena *arena, const divisibility *d)
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
    case STATES_NOTHING:
        break;
    }
    return (rdv_str){0};
}

/* ---- the decision ---------------------------------------------------------------------------- */

/* Are numbers meant that are written in another base, or that have other primes? */
static bool means_other_numbers(rdv_str text)
{
    static phrase_list words = {
        "base;binary;octal;hexadecimal;gaussian;ring;field;ideal;modul*;digits;polynomial*;"
        "\\mathbb*;\\mod*;\\pmod;mod"};
    return phrase_in(text, &words);
}

/* ", but ...": what comes next may take it back. */
static bool is_objected(rdv_str text, size_t end)
{
    static phrase_list words = {"but;however;though;although;yet;except"};
    return phrase_in(rdv_slice(text, end, end + AFTER), &words);
}

/* The text of the tokens from `begin` up to `end`. */
static rdv_str between(const tokens *t, size_t begin, size_t end)
{
    return rdv_slice(t->text, t->at[begin].begin, t->at[end - 1].end);
}

static int add_statement(rdv_calculator *c, const tokens *t, size_t offset, const divisibility *d,
                         rdv_calc_kind kind, results *out)
{
    size_t begin = t->at[d->begin].begin, end = t->at[d->end - 1].end;
    rdv_calc calc = {.begin = offset + begin,
                     .end = offset + end,
                     .lhs = between(t, d->subject, d->subject_end),
                     .rhs = between(t, d->said, d->said_end),
                     .kind = kind,
                     .read_by = d->read_by,
                     .note = RDV_STR("a statement about whole numbers")};
    if (kind == RDV_CALC_UNDECIDED)
        calc.note = RDV_STR("a remainder that is not smaller than the divisor");
    bool wrong = kind == RDV_CALC_WRONG;
    if (wrong) {
        calc.value = say_value(c->arena, d);
        calc.claim = say_claim(c->arena, d);
    }
    if ((wrong && (!calc.value.p || !calc.claim.p)) ||
        !RDV_PUSH_ROOM(c->arena, out->at, out->n, out->cap))
        return RDV_E_NOMEM;
    out->at[out->n++] = calc;
    return RDV_OK;
}

int divisibility_check(rdv_calculator *c, const tokens *t, size_t offset, results *out)
{
    divisibilities found = {0};
    int r = divisibility_find(t, c->rules, c->scratch, &found);
    for (size_t i = 0; i < found.n && r == RDV_OK; i++) {
        const divisibility *d = &found.at[i];
        size_t begin = t->at[d->begin].begin, end = t->at[d->end - 1].end;
        rdv_calc_kind kind = decide(d);
        if (assertion_not(t->rules, t->text, begin, end) || means_other_numbers(t->text) ||
            means_other_numbers(c->question) ||
            (kind == RDV_CALC_WRONG && is_objected(t->text, end)))
            continue;
        r = add_statement(c, t, offset, d, kind, out);
    }
    return r;
}
