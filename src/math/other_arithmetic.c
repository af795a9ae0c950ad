/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic other than the usual one: other bases, digits, clocks, moduli, operations of one's
 * own. */
#include "math/mismatch.h"

#include "base/str.h"
#include "math/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define HEAD 1600 /* bytes of a text that are looked at; keeps the work linear */
#define NEAR 300  /* beside the equality */

/* ---- bases ----------------------------------------------------------------------------------- */

/* "101_2", "34_{7}" */
static bool has_base_subscript(rdv_str s)
{
    for (size_t i = 1; (i = rdv_find_char(s, '_', i)) != RDV_NOT_FOUND && i + 1 < s.len; i++) {
        if (!(rdv_is_digit(s.p[i - 1]) || s.p[i - 1] == ')'))
            continue;
        char after = s.p[i + 1] == '{' && i + 2 < s.len ? s.p[i + 2] : s.p[i + 1];
        if (rdv_is_digit(after) || after == 'b')
            return true;
    }
    return false;
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

/* A sum, difference or product of two numbers, and a number. */
static bool is_simple(const mismatch *m)
{
    const node *n = m->lhs->root;
    return (n->is == N_ADD || n->is == N_SUBTRACT || n->is == N_MULTIPLY) && n->a->is == N_NUMBER &&
           n->b->is == N_NUMBER && m->rhs->root->is == N_NUMBER;
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

/* Can it hold in another base? Sums, differences and products of numbers are tried in the bases
 * from 2 to 36; whatever else it is, it can. */
static bool may_hold_in_a_base(const mismatch *m)
{
    const tokens *t = m->k->t;
    for (slong b = 2; b <= 36; b++) {
        slong l, r;
        int left = tree_in_base(t, m->lhs->root, b, &l);
        int right = tree_in_base(t, m->rhs->root, b, &r);
        if (left < 0 || right < 0 || (left == RDV_OK && right == RDV_OK && l == r))
            return true;
    }
    return false;
}

/* ---- what goes round ------------------------------------------------------------------------- */

/* Is l - r a whole multiple of n, but not 0? */
static bool differ_by_multiple(const mismatch *m, ulong n)
{
    fmpq_t d;
    fmpq_init(d);
    fmpq_sub(d, m->l, m->r);
    bool is = fmpz_is_one(fmpq_denref(d)) && fmpz_divisible_si(fmpq_numref(d), (slong)n);
    fmpq_clear(d);
    return is;
}

/* Is the right side what may be left of the left one: not negative, and less? */
static bool is_residue(const mismatch *m)
{
    return fmpq_sgn(m->r) >= 0 && fmpq_cmp(m->r, m->l) < 0 && differ_by_multiple(m, 1);
}

static bool has_few_digits(const mismatch *m)
{
    return fmpq_cmp_ui(m->r, 100) < 0;
}

static const char *goes_round(const mismatch *m, unsigned said)
{
    static const ulong lengths[] = {10, 12, 7, 360, 26};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        bool digits = lengths[i] == 10;
        if ((said & ((unsigned)SAID_CYCLE << i)) && (!digits || has_few_digits(m)) &&
            differ_by_multiple(m, lengths[i]))
            return digits ? "it may count digits" : "it may count in a cycle";
    }
    return NULL;
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
    bool is = decide_term_value(m->k, &(expression){.root = n->b}, d) == EVAL_OK;
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

/* ---- operations of one's own ----------------------------------------------------------------- */

static bool is_filler(char c)
{
    return rdv_is_space(c) || c == '$' || c == '(' || c == ')' || c == '{' || c == '}';
}

static size_t skip_back(rdv_str s, size_t i)
{
    while (i > 0 && is_filler(s.p[i - 1]))
        i--;
    return i;
}

static bool is_single_letter(rdv_str s, size_t i)
{
    return rdv_is_alpha(s.p[i]) && (i == 0 || !rdv_is_alpha(s.p[i - 1])) &&
           (i + 1 == s.len || !rdv_is_alpha(s.p[i + 1]));
}

static bool names_letter(rdv_str s, char letter)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] == letter)
            return true;
    return false;
}

/* A sign that the usual arithmetic does not have between two letters, or the star and the cross. */
static bool is_own_sign(rdv_str op)
{
    static const char *const usual[] = {"\\cdot", "\\times", "\\div",   "\\le",  "\\leq", "\\ge",
                                        "\\geq",  "\\ne",    "\\neq",   "\\mid", "\\in",  "\\to",
                                        "\\pm",   "\\quad",  "\\qquad", "\\text"};
    if (!op.len || rdv_named(op, usual, COUNT(usual)) >= 0)
        return false;
    if (op.p[0] == '\\')
        return true;
    for (size_t i = 0; i < op.len; i++)
        if (rdv_is_digit(op.p[i]) || strchr("+-/^_=<>.,:;'\"|[]", op.p[i]))
            return false;
    return op.len <= 4;
}

/* Do a letter, a sign that is neither + nor - nor a space, and a letter stand before byte `equal`,
 * and both letters after it: "a * b = 2a + 3b"? */
static bool defines_operation(rdv_str s, size_t equal)
{
    size_t i = skip_back(s, equal), sign;
    if (i == 0 || !is_single_letter(s, i - 1))
        return false;
    char second = s.p[i - 1];
    sign = skip_back(s, i - 1);
    i = sign;
    while (i > 0 && sign - i < 16 && !is_filler(s.p[i - 1]) &&
           !(is_single_letter(s, i - 1) && sign > i))
        i--;
    rdv_str op = rdv_slice(s, i, sign);
    i = skip_back(s, i);
    if (!is_own_sign(op) || i == 0 || !is_single_letter(s, i - 1))
        return false;
    rdv_str right = rdv_slice(s, equal + 1, equal + 60);
    return s.p[i - 1] != second && names_letter(right, s.p[i - 1]) && names_letter(right, second);
}

static bool defines_an_operation(rdv_str s)
{
    for (size_t i = 0; (i = rdv_find_char(s, '=', i)) != RDV_NOT_FOUND; i++)
        if (defines_operation(s, i))
            return true;
    return false;
}

/* ---------------------------------------------------------------------------------------------- */

/* Does the text, or the question, use a base or define an operation by its signs? */
static unsigned shown_in(rdv_str s)
{
    return (has_base_subscript(s) ? SAID_IN_BASE : 0) |
           (defines_an_operation(s) ? SAID_OWN_OPERATION : 0);
}

const char *mismatch_other_arithmetic(const mismatch *m)
{
    rdv_str before = mismatch_before(m, NEAR), after = mismatch_after(m, NEAR);
    rdv_str near = {before.p, (size_t)(after.p + after.len - before.p)};
    unsigned said = m->said | shown_in(near) | shown_in(rdv_slice(m->k->question, 0, HEAD));
    /* "base" alone may be a triangle's: it has to explain the difference. */
    if (((said & SAID_IN_BASE) && may_hold_in_a_base(m)) ||
        ((said & SAID_BASE) && is_simple(m) && may_hold_in_a_base(m)))
        return "it may be written in another base";
    const char *why = goes_round(m, said);
    if (why)
        return why;
    if (is_residue(m) && !mismatch_of_residues(m) &&
        ((said & SAID_MODULO) || leaves_remainder(near)))
        return "it may be counted modulo a number";
    return (said & SAID_OWN_OPERATION) ? "the question gives a sign a meaning of its own" : NULL;
}
