/* SPDX-License-Identifier: Apache-2.0 */
/* What the text beside an equality makes of it: the number of an item, a factor before it, groups
 * that are counted, a value that is set right later, brackets of accounts, round numbers. Each must
 * explain the right side, so that few errors can hide behind it. */
#include "explain/mismatch.h"

#include "base/str.h"
#include "language/assertion.h"
#include "language/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define LATER 200 /* bytes in which the same side may stand again */

/* ---- what stands beside it ------------------------------------------------------------------- */

/* "4 walls of 5 m x 2.5 m = 50 m²" */
static bool times_the_number_before(const mismatch *m)
{
    const tokens *t = m->k->t;
    size_t i = m->lhs->begin;
    if (m->i > 0 || i < 3 || t->at[i - 1].kind != TOK_WORD || t->at[i - 2].kind != TOK_WORD ||
        !rdv_str_ieq(tok_text(t, i - 1), RDV_STR("of")) || m->lhs->root->is != N_MULTIPLY)
        return false;
    slong n = mismatch_whole_at(t, i - 3);
    if (n < 2)
        return false;
    fmpq_t all;
    fmpq_init(all);
    fmpq_mul_si(all, m->l, n);
    bool is = fmpq_equal(all, m->r);
    fmpq_clear(all);
    return is;
}

/* "40 + 20 = 6 tens" */
static bool counts_groups(const mismatch *m)
{
    static const struct {
        const char *word;
        ulong size;
    } groups[] = {{"tens", 10},   {"hundreds", 100}, {"thousands", 1000}, {"dozen", 12},
                  {"dozens", 12}, {"ten", 10},       {"hundred", 100}};
    const tokens *t = m->k->t;
    for (size_t i = m->rhs->begin + 1; i <= m->rhs->end; i++)
        for (size_t k = 0; k < COUNT(groups) && t->at[i].kind == TOK_WORD; k++) {
            if (!rdv_str_ieq(tok_text(t, i), rdv_str_of(groups[k].word)))
                continue;
            fmpq_t all;
            fmpq_init(all);
            fmpq_mul_ui(all, m->r, groups[k].size);
            bool is = fmpq_equal(all, m->l);
            fmpq_clear(all);
            return is;
        }
    return false;
}

/* The power of ten with which a number of the product is written, "1.7e-12", that makes the right
 * side of the left one. */
static bool has_power_between(const mismatch *m, const node *n)
{
    if (n->is == N_MULTIPLY || n->is == N_DIVIDE)
        return has_power_between(m, n->a) || has_power_between(m, n->b);
    fmpq_t power, ten;
    fmpq_init(power);
    fmpq_init(ten);
    fmpq_set_ui(ten, 10, 1);
    bool is = false;
    if (n->is == N_POWER) {
        is =
            mismatch_value(m, n->a, power) && fmpq_equal(power, ten) && mismatch_value(m, n, power);
    } else if (n->is == N_NUMBER) {
        rdv_str s = tok_text(m->k->t, n->end - 1);
        size_t e = rdv_find_char(s, 'e', 0);
        e = e == RDV_NOT_FOUND ? rdv_find_char(s, 'E', 0) : e;
        is = e != RDV_NOT_FOUND;
        bool minus = is && e + 1 < s.len && s.p[e + 1] == '-';
        slong digits = 0;
        for (size_t i = is ? e + 1 : s.len; i < s.len && digits < 1000; i++)
            digits = rdv_is_digit(s.p[i]) ? digits * 10 + (s.p[i] - '0') : digits;
        fmpq_pow_si(power, ten, minus ? -digits : digits);
    }
    fmpq_mul(power, power, m->r);
    is = is && fmpq_equal(power, m->l);
    fmpq_clear(power);
    fmpq_clear(ten);
    return is;
}

/* "1.7e-12 * 0.0312 = 1.7 * 0.0312": the power of ten is carried beside. */
static bool carries_power_beside(const mismatch *m)
{
    return !expression_is_plain(m->lhs) && !expression_is_plain(m->rhs) &&
           has_power_between(m, m->lhs->root);
}

/* The first summand, and what stands left of the second one. */
static const node *first_summand(const node *n, const node **sum)
{
    for (*sum = NULL; (n->is == N_ADD || n->is == N_SUBTRACT) && !n->grouped; n = n->a)
        *sum = n;
    return n;
}

/* "1.3 + 4 = 7" at the beginning of a line: the number of an item, and no blank after it. */
static bool begins_with_an_item(const mismatch *m)
{
    const tokens *t = m->k->t;
    const node *sum, *first = first_summand(m->lhs->root, &sum);
    size_t begin = m->lhs->begin;
    if (m->i > 0 || !sum || first->is != N_NUMBER ||
        (begin && t->at[begin - 1].kind != TOK_NEWLINE))
        return false;
    rdv_str s = tok_text(t, first->end - 1);
    size_t point = rdv_find_char(s, '.', 0);
    if (point == RDV_NOT_FOUND || point == 0 || point > 2 || s.len > point + 4)
        return false;
    slong rest = 0;
    for (size_t i = point + 1; i < s.len; i++)
        rest = rest * 10 + (s.p[i] - '0');
    fmpq_t x, value;
    fmpq_init(x);
    fmpq_init(value);
    bool is = mismatch_value(m, first, x);
    fmpq_sub(value, m->l, x);
    fmpq_add_si(value, value, rest);
    is = is && fmpq_equal(value, m->r);
    fmpq_clear(x);
    fmpq_clear(value);
    return is;
}

/* "Day 1 - 3 + 4 = 7 miles": a label, a dash and a calculation. */
static bool begins_with_a_label(const mismatch *m)
{
    static phrase_list labels = {
        "day;week;step;part;case;item;problem;question;exercise;example;round;line;task"};
    const tokens *t = m->k->t;
    const node *sum, *first = first_summand(m->lhs->root, &sum);
    size_t i = m->lhs->begin;
    if (m->i > 0 || !sum || sum->is != N_SUBTRACT || i == 0 || first->is != N_NUMBER ||
        t->at[i - 1].kind != TOK_WORD || !phrase_in(tok_text(t, i - 1), &labels) ||
        !t->at[i + 1].space_before || !t->at[i + 2].space_before)
        return false;
    fmpq_t x, second;
    fmpq_init(x);
    fmpq_init(second);
    bool is = mismatch_value(m, first, x) && mismatch_value(m, sum->b, second);
    fmpq_sub(x, m->l, x);
    fmpq_add(x, x, second);
    fmpq_add(x, x, second);
    is = is && fmpq_equal(x, m->r);
    fmpq_clear(x);
    fmpq_clear(second);
    return is;
}

/* ---- machines -------------------------------------------------------------------------------- */

/* "127 + 1 = -128", "255 + 1 = 0": integers of 8, 16, 32 or 64 bits overflow by one turn. */
static bool overflows(const mismatch *m)
{
    bool is = false;
    fmpq_t turn, half, difference;
    fmpq_init(turn);
    fmpq_init(half);
    fmpq_init(difference);
    fmpq_sub(difference, m->l, m->r);
    bool large = fmpq_cmp_ui(difference, 256) >= 0;
    for (ulong bits = 8; bits <= 64 && large && !is; bits *= 2) {
        fmpq_one(turn);
        fmpq_mul_2exp(turn, turn, bits);
        fmpq_div_2exp(half, turn, 1);
        bool in_turn = fmpq_sgn(m->r) < 0 ? fmpq_cmp(m->l, half) >= 0 : fmpq_cmp(m->l, turn) >= 0;
        is = fmpq_equal(difference, turn) && in_turn && fmpz_is_one(fmpq_denref(m->l));
    }
    fmpq_clear(turn);
    fmpq_clear(half);
    fmpq_clear(difference);
    return is;
}

/* "9007199254740992 + 1 = 9007199254740992": a sum of two whole numbers, one of which has more than
 * the 53 bits of a float, but fits in 64. */
static bool is_absorbed(const mismatch *m)
{
    const node *n = m->lhs->root;
    return n->is == N_ADD && fmpz_is_one(fmpq_denref(m->l)) && fmpz_bits(fmpq_numref(m->l)) > 53 &&
           fmpz_bits(fmpq_numref(m->l)) <= 64 &&
           fmpz_get_d(fmpq_numref(m->l)) == fmpz_get_d(fmpq_numref(m->r)) &&
           fmpz_is_one(fmpq_denref(m->r));
}

/* ---- what is said of the value later --------------------------------------------------------- */

/* Does the whole number l begin at byte `i`, after blanks? */
static bool value_at(const mismatch *m, rdv_str s, size_t i)
{
    while (i < s.len && s.p[i] == ' ')
        i++;
    ulong x = 0;
    size_t digits = 0;
    for (; i < s.len && rdv_is_digit(s.p[i]) && digits < 15; digits++)
        x = x * 10 + (ulong)(s.p[i++] - '0');
    bool whole = i >= s.len || !(s.p[i] == '.' && i + 1 < s.len && rdv_is_digit(s.p[i + 1]));
    return digits && whole && fmpz_is_one(fmpq_denref(m->l)) && fmpq_sgn(m->l) >= 0 &&
           fmpz_equal_ui(fmpq_numref(m->l), x);
}

/* "It printed 12 * 13 = 146 instead of 156", "got 2 + 2 = 5, expected 4" */
static bool is_set_right(const mismatch *m)
{
    static const char *const words[] = {"instead of", "expected", "rather than", "and not",
                                        "should be"};
    rdv_str s = mismatch_after(m, 40);
    for (size_t k = 0; k < COUNT(words) && (m->cues & CUE_INSTEAD); k++) {
        size_t i = rdv_ifind(s, rdv_str_of(words[k]), 0);
        if (i != RDV_NOT_FOUND && value_at(m, s, i + strlen(words[k])))
            return true;
    }
    return false;
}

static bool has_word(rdv_str s)
{
    for (size_t i = 0; i + 2 < s.len; i++)
        if (rdv_is_alpha(s.p[i]) && rdv_is_alpha(s.p[i + 1]) && rdv_is_alpha(s.p[i + 2]))
            return true;
    return false;
}

/* Add the number at byte `i`, after blanks, to the `n` different ones in `seen`, of which there is
 * room for three; how many there are then. */
static size_t add_value(rdv_str s, size_t i, rdv_str seen[3], size_t n)
{
    while (i < s.len && s.p[i] == ' ')
        i++;
    size_t end = i;
    while (end < s.len && (rdv_is_digit(s.p[end]) || s.p[end] == '-'))
        end++;
    rdv_str value = rdv_slice(s, i, end);
    for (size_t k = 0; k < n; k++)
        if (rdv_str_eq(seen[k], value))
            return n;
    if (n < 3)
        seen[n++] = value;
    return n;
}

/* "Before: 3 + 4 = 8. After: 3 + 4 = 7.", "A. 3 + 4 = 6 B. 3 + 4 = 7 C. 3 + 4 = 8": the same side
 * is given its true value later, after a word, or three different values. */
static bool is_given_anew(const mismatch *m)
{
    const tokens *t = m->k->t;
    size_t begin = t->at[m->lhs->begin].begin, end = t->at[m->lhs->end - 1].end, values = 0;
    rdv_str side = rdv_slice(t->text, begin, end), s, seen[3];
    s = rdv_slice(t->text, begin > LATER ? begin - LATER : 0, end + LATER);
    size_t own = begin > LATER ? LATER : begin;
    if (side.len < 3 || m->i > 0)
        return false;
    for (size_t i = 0; (i = rdv_find(s, side, i)) != RDV_NOT_FOUND; i += side.len) {
        size_t sign = i + side.len;
        while (sign < s.len && s.p[sign] == ' ')
            sign++;
        if (sign >= s.len || s.p[sign] != '=' || (i && rdv_is_digit(s.p[i - 1])))
            continue;
        values = add_value(s, sign + 1, seen, values);
        if (i > own && value_at(m, s, sign + 1) && has_word(rdv_slice(s, own + side.len, i)))
            return true;
    }
    return values >= 3;
}

/* "2 + \sqrt{1} = 1 \\ 2 + 1 = 1 (False)", "29 = 5 * 14, but 29 \neq 70": no result, but two sides
 * that are compared, and found to differ: neither side is a number alone, or the right one stands
 * again behind a sign. */
static bool is_refuted(const mismatch *m)
{
    const tokens *t = m->k->t;
    rdv_str number = rdv_slice(t->text, t->at[m->rhs->begin].begin, t->at[m->rhs->end - 1].end);
    rdv_str s = mismatch_after(m, LATER);
    bool compared = expression_is_plain(m->lhs) || !expression_is_plain(m->rhs);
    for (size_t i = 0; (i = rdv_find(s, number, i)) != RDV_NOT_FOUND && !compared; i++) {
        rdv_str before = rdv_trim_end(rdv_slice(s, 0, i));
        bool whole = i + number.len == s.len || !rdv_is_digit(s.p[i + number.len]);
        compared = whole && (rdv_ends(before, RDV_STR("=")) || rdv_ends(before, RDV_STR("\\neq")) ||
                             rdv_ends(before, RDV_STR("\xe2\x89\xa0")));
    }
    return m->chain->n == 2 && compared &&
           assertion_refuted(t->rules, t->text, t->at[m->rhs->end - 1].end);
}

/* ---- accounts -------------------------------------------------------------------------------- */

/* The sum where a number in brackets is below zero. */
static bool sum_of_account(const mismatch *m, const node *n, fmpq_t out, bool *bracket)
{
    if (n->is == N_NUMBER) {
        bool ok = mismatch_value(m, n, out);
        if (n->grouped)
            fmpq_neg(out, out);
        *bracket |= n->grouped;
        return ok;
    }
    if (n->is != N_ADD && n->is != N_SUBTRACT)
        return false;
    fmpq_t b;
    fmpq_init(b);
    bool ok = sum_of_account(m, n->a, out, bracket) && sum_of_account(m, n->b, b, bracket);
    if (ok && n->is == N_ADD)
        fmpq_add(out, out, b);
    else if (ok)
        fmpq_sub(out, out, b);
    fmpq_clear(b);
    return ok;
}

/* "(500) + 200 = (300)" */
static bool is_an_account(const mismatch *m)
{
    fmpq_t l, r;
    bool left = false, right = false;
    fmpq_init(l);
    fmpq_init(r);
    bool is = sum_of_account(m, m->lhs->root, l, &left) &&
              sum_of_account(m, m->rhs->root, r, &right) && left && fmpq_equal(l, r);
    fmpq_clear(l);
    fmpq_clear(r);
    return is;
}

/* ---- round numbers --------------------------------------------------------------------------- */

/* The number of whole percentages that the tree adds; -1: it is another tree. */
static slong added_percentages(const mismatch *m, const node *n)
{
    if (n->is == N_PERCENT)
        return n->a->is == N_NUMBER && mismatch_whole_at(m->k->t, n->a->end - 1) >= 0 ? 1 : -1;
    if (n->is != N_ADD)
        return -1;
    slong a = added_percentages(m, n->a), b = added_percentages(m, n->b);
    return a < 0 || b < 0 ? -1 : a + b;
}

/* "34% + 33% + 32% = 100%": each is rounded, and all of them are the whole. */
static bool rounds_shares(const mismatch *m)
{
    slong n = added_percentages(m, m->lhs->root);
    if (n < 3 || !fmpq_is_one(m->r))
        return false;
    fmpq_t apart;
    fmpq_init(apart);
    fmpq_sub(apart, m->l, m->r);
    fmpq_abs(apart, apart);
    fmpq_mul_ui(apart, apart, 200);
    bool is = fmpq_cmp_si(apart, n) <= 0;
    fmpq_clear(apart);
    return is;
}

/* "199 * 5 = 1000 (roughly)", "Rounded to tens, 14 + 14 = 30": a number that ends in zeros, and
 * half a unit of its last other digit. What is only said to be about may be a twentieth away. */
static bool is_round(const mismatch *m)
{
    static phrase_list about = {
        "about;roughly;approximately;approx;around;nearly;or so;give or take"};
    static phrase_list rounded = {
        "rounded to;nearest ten;nearest hundred;nearest tens;rounding;estimat*;est.;"
        "ballpark"};
    const node *n = mismatch_bare(m->rhs->root);
    if (n->is != N_NUMBER || fmpq_sgn(m->r) <= 0)
        return false;
    rdv_str s = tok_text(m->k->t, n->end - 1);
    ulong place = 1;
    for (size_t i = s.len; i-- > 0 && (s.p[i] == '0' || s.p[i] == ',');)
        place *= s.p[i] == '0' ? 10 : 1;
    if (place < 10 || s.len > 12 || rdv_find_char(s, '.', 0) != RDV_NOT_FOUND)
        return false;
    bool said_rounded =
        phrase_in(mismatch_before(m, 40), &rounded) || phrase_in(mismatch_after(m, 40), &rounded);
    bool said_about =
        phrase_in(mismatch_before(m, 20), &about) || phrase_in(mismatch_after(m, 20), &about);
    fmpq_t apart, most;
    fmpq_init(apart);
    fmpq_init(most);
    fmpq_sub(apart, m->l, m->r);
    fmpq_abs(apart, apart);
    fmpq_set_ui(most, place, 2);
    bool rounds = fmpq_cmp(apart, most) <= 0;
    fmpq_div_2exp(most, m->r, 2);
    fmpq_mul_ui(apart, apart, 5);
    bool near = fmpq_cmp(apart, most) <= 0;
    bool is = (said_rounded && (rounds || near)) || (said_about && rounds && near);
    fmpq_clear(apart);
    fmpq_clear(most);
    return is;
}

const char *mismatch_noted(const mismatch *m)
{
    if (times_the_number_before(m))
        return "the number before it may multiply it";
    if (counts_groups(m))
        return "the right side may count groups";
    if (carries_power_beside(m))
        return "a power of ten that may be carried beside";
    if (begins_with_an_item(m) || begins_with_a_label(m))
        return "the first number may be that of an item";
    if (overflows(m) || is_absorbed(m))
        return "it may be a machine's number";
    if (is_set_right(m) || is_given_anew(m))
        return "the text gives the right value too";
    if (is_refuted(m))
        return "the step itself takes it back";
    if (rounds_shares(m))
        return "shares that may be rounded";
    if (is_an_account(m))
        return "brackets that may stand for a minus";
    return is_round(m) ? "a round number" : NULL;
}
