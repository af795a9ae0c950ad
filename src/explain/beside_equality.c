/* SPDX-License-Identifier: Apache-2.0 */
/* What stands beside an equality: a power of ten, and its sides again with another value. */
#include "explain/checks.h"

#include "base/str.h"
#include "language/assertion.h"

#define LATER 200 /* bytes in which the same side may stand again */

/* ---- what stands beside it ------------------------------------------------------------------- */

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
bool check_power_of_ten_beside(const mismatch *m)
{
    return !expression_is_plain(m->lhs) && !expression_is_plain(m->rhs) &&
           has_power_between(m, m->lhs->root);
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
bool check_given_anew(const mismatch *m)
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
bool check_found_false(const mismatch *m)
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
    bool worked_out = m->i == 0 && expression_is_plain(m->lhs); /* "29 = 5 * 14 = 70. Not equal." */
    return (m->chain->n == 2 || worked_out) && compared &&
           assertion_refuted(t->rules, t->text, t->at[m->chain->term[m->chain->n - 1].end - 1].end);
}
