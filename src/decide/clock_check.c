/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/clock_check.h"

#include "base/str.h"
#include "claims/clock.h"
#include "language/assertion.h"
#include "language/phrase.h"

#define DAY (24 * 60LL) /* minutes */
#define HALF_DAY (12 * 60LL)

static bool is_time(const clock_value *v)
{
    return v->unit == CLOCK_TIME;
}

/* Are the two sides equal by whole multiples of `period` minutes? */
static bool is_same_modulo(long long a, long long b, long long period)
{
    return (a - b) % period == 0;
}

/* Are both halves of the day known: "22:00 to 6:30", "9 am to 1 pm"? */
static bool names_halves(const clock_claim *x)
{
    bool of_24 = (x->a.half && !x->a.marked) || (x->b.half && !x->b.marked);
    return of_24 || (x->a.half && x->b.half);
}

/* What is right, in minutes. From one time to another it is less than a day, and where the halves
 * are not known, "from 9:45 to 1:20", the first such time that follows is meant. */
static long long expected(const clock_claim *x)
{
    if (x->is != CLOCK_BETWEEN)
        return x->is == CLOCK_SUM ? x->a.minutes + x->b.minutes : x->a.minutes - x->b.minutes;
    long long is = x->b.minutes - x->a.minutes, period = names_halves(x) ? DAY : HALF_DAY;
    return is < 0 ? (is % period + period) % period : is;
}

/* Decides the claim; *why: the reason where it is undecided. */
static rdv_calc_kind decide(const clock_claim *x, const char **why)
{
    long long is = expected(x), said = x->said.minutes;
    bool between = x->is == CLOCK_BETWEEN;
    *why = NULL;
    if (is == said || (between && !names_halves(x) && said == is % HALF_DAY))
        return RDV_CALC_RIGHT; /* "from 9:00 to 11:00 pm", 2 hours */
    if (is_same_modulo(is, said, HALF_DAY))
        *why = "right by the other half of a day, or on another day";
    else if (!between && is_same_modulo(-is, said, HALF_DAY))
        *why = "right where the first time is the earlier one"; /* "9:45 - 13:20", a range */
    return *why ? RDV_CALC_UNDECIDED : RDV_CALC_WRONG;
}

/* The word of a unit in the number that `n` needs; "h" and "min" stay. */
static rdv_str counted(rdv_str word, long long n)
{
    bool plural = rdv_ends(word, RDV_STR("s"));
    if (n == 1 && plural)
        return rdv_slice(word, 0, word.len - 1);
    if (n != 1 && rdv_str_ieq(word, RDV_STR("hour")))
        return RDV_STR("hours");
    return n != 1 && rdv_str_ieq(word, RDV_STR("minute")) ? RDV_STR("minutes") : word;
}

/* That many minutes as the claim writes them. */
static rdv_str written(long long minutes, const clock_value *as, rdv_arena *arena)
{
    long long hours = minutes / 60, rest = minutes % 60;
    if (is_time(as) && as->marked)
        return rdv_str_printf(arena, "%lld:%02lld %s", (hours + 11) % 12 + 1, rest,
                              hours % 24 < 12 ? "am" : "pm");
    if (is_time(as))
        return rdv_str_printf(arena, "%lld:%02lld", hours, rest);
    rdv_str h = counted(as->hours_word.p ? as->hours_word : RDV_STR("hours"), hours);
    rdv_str min = counted(as->minutes_word.p      ? as->minutes_word
                          : as->hours_word.len > 3 ? RDV_STR("minutes")
                                                   : RDV_STR("min"),
                          rest);
    if (as->unit == CLOCK_MINUTES)
        return rdv_str_printf(arena, "%lld %.*s", minutes, RDV_FMT(counted(min, minutes)));
    if (rest == 0)
        return rdv_str_printf(arena, "%lld %.*s", hours, RDV_FMT(h));
    return rdv_str_printf(arena, "%lld %.*s %lld %.*s", hours, RDV_FMT(h), rest, RDV_FMT(min));
}

/* A length of time, or a time of day, that is not below 0. */
static long long shown(const clock_claim *x)
{
    long long is = expected(x);
    return is < 0 && is_time(&x->said) ? is + DAY : is;
}

/* "45 + 3 h = 13" of "9:45 + 3 h = 13:10", "9 + 2 h = 11" of "9 am + 2 h = 11 pm": pieces that were
 * read alone, without the half of the day. */
static void drop_pieces(calc_list *out, size_t begin, size_t end)
{
    size_t kept = 0;
    for (size_t i = 0; i < out->n; i++) {
        const rdv_calc *calc = calc_list_see(out, i);
        bool within = calc->begin >= begin && calc->end <= end && !calc->marked;
        if (!within && kept++ < i)
            *calc_list_at(out, kept - 1) = *calc;
    }
    calc_list_cut(out, kept);
}

/* "He works from 9 am to 5 pm, which is 7 hours" but for a break, or 40 hours in five days. */
static bool may_count_otherwise(const clock_claim *x)
{
    long long is = expected(x), said = x->said.minutes;
    return is <= 0 || said < is || said % is == 0;
}

static int add(rdv_calculator *c, const tokens *t, size_t offset, const clock_claim *x,
               calc_list *out)
{
    const char *why;
    size_t begin = t->at[x->begin].begin, left = t->at[x->left_end - 1].end;
    size_t said = t->at[x->said.begin].begin, end = t->at[x->end - 1].end;
    rdv_calc calc = {.begin = offset + begin,
                     .end = offset + end,
                     .lhs = rdv_slice(t->text, begin, left),
                     .rhs = rdv_slice(t->text, said, end),
                     .kind = decide(x, &why)};
    if (x->aside && calc.kind == RDV_CALC_WRONG && may_count_otherwise(x))
        return RDV_OK;
    if (calc.kind == RDV_CALC_UNDECIDED)
        calc.note = rdv_str_of(why);
    if (calc.kind == RDV_CALC_WRONG && shown(x) >= 0) {
        calc.value = written(shown(x), &x->said, c->arena);
        calc.claim = calc.rhs;
    }
    drop_pieces(out, calc.begin, calc.end);
    return calc.claim.p && !calc.value.p ? RDV_E_NOMEM : calc_list_put(out, c->arena, &calc);
}

/* May the times be of several places? */
static bool names_zones(rdv_str text)
{
    static phrase_list words = {"@time-zone"};
    return phrase_in(text, &words);
}

int clock_check(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out)
{
    clock_claim x;
    int r = RDV_OK;
    if (!clock_may_be_among(t))
        return RDV_OK;
    for (size_t i = 0; r == RDV_OK && clock_find(t, i, &x); i = x.end) {
        if (names_zones(t->text) || names_zones(c->question))
            break;
        size_t begin = t->at[x.begin].begin, end = t->at[x.end - 1].end;
        if (!assertion_not(t->rules, t->text, begin, end))
            r = add(c, t, offset, &x, out);
    }
    return r;
}
