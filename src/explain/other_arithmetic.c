/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic other than the usual one: other bases, digits, clocks, moduli, operations of one's
 * own. Each must give the number that is shown. */
#include "explain/mismatch.h"

#include "base/str.h"
#include "expression/reading_eval.h"
#include "language/number_words.h"
#include "language/own_sign.h"
#include "language/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define HEAD 1600 /* bytes of a text that are looked at; keeps the work linear */
#define NEAR 300  /* beside the equality */
#define MAX_BASE 36
#define SIGN 8 /* bytes before the left side in which its sign may stand */

/* ---- bases ----------------------------------------------------------------------------------- */

/* The number that begins at byte `i`, at most 9 digits of it; 0: none does. */
static slong number_at(rdv_str s, size_t i)
{
    slong x = 0;
    for (size_t digits = 0; i < s.len && rdv_is_digit(s.p[i]) && digits < 9; i++, digits++)
        x = x * 10 + (s.p[i] - '0');
    return x;
}

/* The byte from `i` on that is none of those between a word and its number: "base-$7$". */
static size_t skip_marks(rdv_str s, size_t i)
{
    size_t most = i + 12;
    while (i < s.len && i < most && s.p[i] && strchr(" -$(){}_:\\", s.p[i]))
        i++;
    return i;
}

/* The bases that the text states, "base 7", "octal", "101_2": bit b for base b. */
static uint64_t stated_bases(rdv_str s)
{
    static phrase_list names = {"binary;octal;hex*;ternary;duodecimal;dozenal"};
    static const struct {
        char letter;
        unsigned char base;
    } named[] = {{'b', 2}, {'o', 8}, {'h', 16}, {'t', 3}, {'d', 12}};
    static phrase_list base = {"base;base-;base-*"};
    uint64_t set = 0;
    for (size_t i = 0; i < s.len; i++) {
        size_t length = phrase_at(s, i, &base);
        bool subscript = s.p[i] == '_' && i && (rdv_is_digit(s.p[i - 1]) || s.p[i - 1] == ')');
        size_t at = length || subscript ? skip_marks(s, i + length) : s.len, end = at;
        while (end < s.len && rdv_is_alpha(s.p[end]))
            end++;
        unsigned value;
        bool word = length && number_word(rdv_slice(s, at, end), &value);
        slong b = word ? (slong)value : number_at(s, at);
        for (size_t k = 0; k < COUNT(named) && phrase_at(s, i, &names); k++)
            b = rdv_lower(s.p[i]) == named[k].letter ? named[k].base : b;
        if (b >= 2 && b <= MAX_BASE)
            set |= UINT64_C(1) << b;
    }
    return set;
}

/* The number in token `i` with its digits in base b; -1: it has others. */
static slong in_base(const tokens *t, size_t i, slong b)
{
    rdv_str s = tok_text(t, i);
    slong value = 0;
    if (t->at[i].vulgar || s.len > 12)
        return -1;
    for (size_t k = 0; k < s.len; k++) {
        if (!rdv_is_digit(s.p[k]) || s.p[k] - '0' >= b)
            return -1;
        value = value * b + (s.p[k] - '0');
    }
    return value;
}

/* The value of a tree of sums, differences and products of numbers, all in base b. RDV_NONE: there
 * is none, since a digit is too large; RDV_E_LIMIT: it is another tree, or too large. */
static int tree_in_base(const tokens *t, const node *n, slong b, slong *out)
{
    while (n->is == N_UNIT) /* "$5 - 1 = 3$": the sign of a formula, or of dollars */
        n = n->a;
    if (n->is == N_NUMBER) {
        *out = in_base(t, n->end - 1, b);
        return *out < 0 ? RDV_NONE : *out > INT32_MAX ? RDV_E_LIMIT : RDV_OK;
    }
    if (n->is != N_ADD && n->is != N_SUBTRACT && n->is != N_MULTIPLY)
        return RDV_E_LIMIT;
    slong x, y;
    int left = tree_in_base(t, n->a, b, &x), right = tree_in_base(t, n->b, b, &y);
    if (left < 0 || right < 0)
        return RDV_E_LIMIT;
    if (left == RDV_NONE || right == RDV_NONE)
        return RDV_NONE;
    *out = n->is == N_ADD ? x + y : n->is == N_SUBTRACT ? x - y : x * y;
    return labs(*out) > INT32_MAX ? RDV_E_LIMIT : RDV_OK;
}

/* Does it hold in one of the bases: all numbers are written in it, or those of one side are? */
static bool holds_in_a_base(const mismatch *m, uint64_t bases)
{
    const tokens *t = m->k->t;
    for (slong b = 2; b <= MAX_BASE; b++) {
        slong l, r;
        if (!(bases >> b & 1))
            continue;
        bool left = tree_in_base(t, m->lhs->root, b, &l) == RDV_OK;
        bool right = tree_in_base(t, m->rhs->root, b, &r) == RDV_OK;
        if ((left && right && l == r) || (left && fmpq_cmp_si(m->r, l) == 0) ||
            (right && fmpq_cmp_si(m->l, r) == 0))
            return true;
    }
    return false;
}

/* ---- what goes round ------------------------------------------------------------------------- */

/* Is l - r a multiple of n, where fractions have no divisor in common with it? */
static bool is_congruent(const mismatch *m, slong n)
{
    fmpq_t d;
    fmpz_t g;
    fmpq_init(d);
    fmpz_init_set_si(g, n);
    fmpq_sub(d, m->l, m->r);
    bool is = fmpz_divisible_si(fmpq_numref(d), n);
    fmpz_gcd(g, g, fmpq_denref(d));
    is = is && fmpz_is_one(g);
    fmpz_clear(g);
    fmpq_clear(d);
    return is;
}

/* What goes round after n: the right side is a whole number of it, and the left one lies beyond. */
static bool goes_round_after(const mismatch *m, slong n)
{
    bool whole = fmpz_is_one(fmpq_denref(m->r)) && fmpq_sgn(m->r) >= 0;
    return whole && fmpq_cmp_si(m->r, n) <= 0 && is_congruent(m, n) &&
           (fmpq_sgn(m->l) < 0 || fmpq_cmp_si(m->l, n) >= 0);
}

/* The digits, hours, days, degrees or letters that are spoken of beside the equality, or in the
 * question as what is sought. */
static const char *goes_round(const mismatch *m)
{
    static phrase_list sought = {
        "units digit*;ones digit*;last digit*;final digit*;unit's digit;rightmost digit*\n"
        "o'clock;o\342\200\231clock;clock;hour hand;semitones\n"
        "weekday;weekdays;day of the week;days of the week\n"
        "bearing;rotation;rotated\n"
        "alphabet;cipher"};
    static phrase_list two = {"last two digits;two last digits;tens digit"};
    static const slong lengths[] = {10, 12, 7, 360, 26};
    rdv_str question = rdv_slice(m->k->question, 0, HEAD);
    unsigned said = m->cues / CUE_CYCLE | phrase_classes_in(question, &sought);
    for (size_t i = 0; i < COUNT(lengths); i++)
        if ((said >> i & 1) && goes_round_after(m, lengths[i]))
            return i ? "it may count in a cycle" : "it may count digits";
    if ((said & 1) && goes_round_after(m, 100) &&
        (phrase_in(question, &two) || phrase_in(mismatch_near(m), &two)))
        return "it may count digits";
    return (said >> 1 & 1) && goes_round_after(m, 24) ? "it may count in a cycle" : NULL;
}

static bool is_below(const fmpq_t x, slong n)
{
    return fmpq_sgn(x) >= 0 && fmpq_cmp_si(x, n) < 0;
}

/* Does the equality hold modulo a number that the text states; or, where it states none, modulo
 * some number that is more than the right side? */
static bool holds_modulo(const mismatch *m, rdv_str near)
{
    static phrase_list words = {
        "\\pmod;\\bmod;\\mod;mod;modulo;modulus;arithmetic with;Z_;*Z}_;Z/;*Z}/;F_;*F}_;GF;"
        "order;field with;divided by;divide by;multiple of;\xe2\x84\xa4/;\xe2\x84\xa4_;"
        "\xe6\xa8\xa1"};
    static phrase_list dividing = {"divided by;divide by;multiple of"};
    rdv_str in[] = {near, rdv_slice(m->k->question, 0, HEAD)};
    bool stated = false;
    for (size_t k = 0; k < COUNT(in); k++)
        for (size_t i = 0; i < in[k].len; i++) {
            size_t length = phrase_at(in[k], i, &words);
            slong n = length ? number_at(in[k], skip_marks(in[k], i + length)) : 0;
            size_t bits = i;
            while (bits > 0 && rdv_is_digit(in[k].p[bits - 1]))
                bits--;
            if (!length && bits < i && rdv_istarts(rdv_slice(in[k], i, in[k].len), RDV_STR("-bit")))
                n = number_at(in[k], bits) < 63 ? (slong)1 << number_at(in[k], bits) : 0;
            bool divides = length && phrase_at(in[k], i, &dividing);
            if (n > 1 && is_congruent(m, n) && (!divides || is_below(m->r, n)))
                return true;
            stated |= n > 1;
        }
    fmpq_t twice;
    fmpq_init(twice);
    fmpq_add(twice, m->r, m->r);
    bool some = fmpq_sgn(m->r) >= 0 && fmpq_cmp(twice, m->l) < 0 && is_congruent(m, 1) &&
                fmpz_is_one(fmpq_denref(m->l));
    fmpq_clear(twice);
    return !stated && some;
}

bool mismatch_of_residues(const mismatch *m)
{
    const node *n = m->lhs->root;
    if (n->is == N_MOD && m->rhs->root->is == N_MOD && m->rhs->root->b == n->b)
        return true; /* the two sides of one congruence */
    if (n->is != N_MOD || !expression_is_plain(m->rhs))
        return false;
    fmpq_t d;
    fmpq_init(d);
    bool is = reading_eval_term_value(m->k, &(expression){.root = n->b}, d) == EVAL_OK;
    if (is) {
        fmpq_t difference;
        fmpq_init(difference);
        fmpq_sub(difference, m->l, m->r);
        fmpq_div(difference, difference, d);
        is = !fmpz_is_one(fmpq_denref(difference));
        fmpq_clear(difference);
    }
    fmpq_clear(d);
    return is;
}

static bool leaves_remainder(rdv_str s)
{
    static phrase_list words = {"remainder;remainders"};
    return phrase_in(s, &words);
}

/* "3^{-2} = -6" in the group of integers under addition: what the group's operation gives, written
 * as a product. */
static bool holds_in_sums(const mismatch *m)
{
    const node *n = m->lhs->root;
    bool group = context_hints_of(m->k->question_hints, m->k->question)->groups ||
                 context_hints_of(m->k->hints, m->k->t->text)->groups;
    if (!group || (n->is != N_POWER && n->is != N_MULTIPLY))
        return false;
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    bool is = mismatch_value(m, n->a, a) && mismatch_value(m, n->b, b) &&
              mismatch_combine(a, n->is == N_POWER ? N_MULTIPLY : N_ADD, b) && fmpq_equal(a, m->r);
    fmpq_clear(a);
    fmpq_clear(b);
    return is;
}

/* ---- machines -------------------------------------------------------------------------------- */

/* Two whole numbers and what bits, strings, truth values or the larger and smaller of two make of
 * them: "5 + 3 = 6" by XOR, "2 + 2 = 22" as strings. */
static bool is_of_machines(const mismatch *m)
{
    const node *n = m->lhs->root;
    const tokens *t = m->k->t;
    if (!n->b || n->a->is != N_NUMBER || n->b->is != N_NUMBER || m->rhs->root->is != N_NUMBER)
        return false;
    slong a = mismatch_whole_at(t, n->a->end - 1), b = mismatch_whole_at(t, n->b->end - 1);
    slong tens = 10;
    while (tens <= b)
        tens *= 10;
    slong made[] = {a ^ b, a | b, a & b, a < b ? a : b, a < b ? b : a, a + b, a * tens + b, 1, 255};
    for (size_t i = 0; i < COUNT(made) && a >= 0 && b >= 0; i++)
        if (fmpq_cmp_si(m->r, made[i]) == 0)
            return true;
    return false;
}

/* ---------------------------------------------------------------------------------------------- */

const char *mismatch_other_arithmetic(const mismatch *m)
{
    static phrase_list any = {
        "what base;which base;some base;a base;other base;another base;different base*;base b;"
        "base $b;base \\(b;base n;base $n;base x;base $x;number base*"};
    rdv_str before = mismatch_before(m, NEAR), after = mismatch_after(m, NEAR);
    rdv_str near = {before.p, (size_t)(after.p + after.len - before.p)};
    rdv_str question = rdv_slice(m->k->question, 0, HEAD);
    uint64_t bases = stated_bases(near) | stated_bases(question);
    if (phrase_in(near, &any) || phrase_in(question, &any) || (!bases && (m->cues & CUE_IN_BASE)))
        bases = UINT64_MAX;
    if (holds_in_a_base(m, bases))
        return "it may be written in another base";
    const char *why = goes_round(m);
    if (why)
        return why;
    if (!mismatch_of_residues(m) && ((m->cues & CUE_MODULO) || leaves_remainder(near)) &&
        holds_modulo(m, near))
        return "it may be counted modulo a number";
    if (holds_in_sums(m))
        return "it may be what a group's operation gives";
    if ((m->cues & CUE_MACHINE) && is_of_machines(m))
        return "it may be a machine's operation";
    rdv_str sides =
        rdv_slice(near, before.len > SIGN ? before.len - SIGN : 0, (size_t)(after.p - near.p));
    return own_sign_is_unusual(sides) || own_sign_in(near, sides) || own_sign_in(question, sides)
               ? "the text gives a sign a meaning of its own"
               : NULL;
}
