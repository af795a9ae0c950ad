/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic other than the usual one: other bases, residues, operations of one's own. */
#include "explain/checks.h"

#include "base/str.h"
#include "language/number_words.h"
#include "language/own_sign.h"
#include "language/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define HEAD 1600 /* bytes of a text that are looked at; keeps the work linear */
#define NEAR 300  /* beside the equality */
#define MAX_BASE 36
#define MODULUS 12 /* bytes behind an equality in which its own modulus begins */
#define SIGN 8     /* bytes before the left side in which its sign may stand */

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

/* The bases that the text states, "base 7", "octal", "101_2", "1 + 1 = 10, carry 1": bit b for base
 * b. */
static uint64_t stated_bases(rdv_str s)
{
    static phrase_list names = {"@names-of-bases"};
    static const struct {
        char letter;
        unsigned char base;
    } named[] = {{'b', 2}, {'o', 8}, {'h', 16}, {'t', 3}, {'d', 12}, {'c', 2}};
    static phrase_list base = {"base;base-;base-*"};
    uint64_t set = 0;
    for (size_t i = 0; i < s.len; i++) {
        bool word = rdv_is_alpha(s.p[i]) && !(i > 0 && rdv_is_alpha(s.p[i - 1]));
        if (s.p[i] != '_' && !(word && strchr("bohtdc", rdv_lower(s.p[i]))))
            continue; /* none of them begins so */
        size_t length = phrase_at(s, i, &base);
        bool subscript = s.p[i] == '_' && i && (rdv_is_digit(s.p[i - 1]) || s.p[i - 1] == ')');
        size_t at = length || subscript ? skip_marks(s, i + length) : s.len, end = at;
        while (end < s.len && rdv_is_alpha(s.p[end]))
            end++;
        unsigned value;
        bool named_so = length && number_word(rdv_slice(s, at, end), &value);
        slong b = named_so ? (slong)value : number_at(s, at);
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

/* ---- what the text says ------------------------------------------------------------------------
 */

typedef struct surroundings {
    rdv_str near, sides, question; /* the sides with what stands right before them */
} surroundings;

static surroundings surroundings_of(const mismatch *m)
{
    rdv_str before = mismatch_before(m, NEAR), after = mismatch_after(m, NEAR);
    rdv_str near = {before.p, (size_t)(after.p + after.len - before.p)};
    return (surroundings){
        near,
        rdv_slice(near, before.len > SIGN ? before.len - SIGN : 0, (size_t)(after.p - near.p)),
        rdv_slice(m->k->question, 0, HEAD)};
}

bool check_other_base(const mismatch *m)
{
    static phrase_list any = {"@some-base"};
    if (!holds_in_a_base(m, UINT64_MAX)) /* as most, which needs no look at the texts */
        return false;
    surroundings s = surroundings_of(m);
    return phrase_in(s.near, &any) || phrase_in(s.question, &any) ||
           holds_in_a_base(m, stated_bases(s.near) | stated_bases(s.question));
}

bool check_own_sign(const mismatch *m)
{
    surroundings s = surroundings_of(m);
    return own_sign_is_unusual(s.sides) || own_sign_in(s.near, s.sides) ||
           own_sign_in(s.question, s.sides);
}

/* ---- residues -------------------------------------------------------------------------------- */

/* Is the last side of the chain a residue of n, and are both sides the same modulo n? So are 1/3
 * and 5 modulo 7. */
static bool holds_modulo(const mismatch *m, ulong n, const fmpq_t last)
{
    fmpq_t apart;
    fmpz_t common;
    fmpq_init(apart);
    fmpz_init(common);
    fmpq_sub(apart, m->l, m->r);
    fmpz_set_ui(common, n);
    bool is = fmpz_is_one(fmpq_denref(last)) && fmpz_cmpabs(fmpq_numref(last), common) < 0;
    fmpz_gcd(common, common, fmpq_denref(apart));
    is = is && fmpz_is_one(common) && fmpz_divisible_si(fmpq_numref(apart), (slong)n);
    fmpz_clear(common);
    fmpq_clear(apart);
    return is;
}

/* Does the equality name its own modulus: "17 * 51 = 1 (mod 83)"? */
static bool names_modulus(const mismatch *m)
{
    static phrase_list words = {"*mod*"};
    rdv_str after = mismatch_after(m, MODULUS);
    size_t begin = m->k->t->at[m->rhs->begin].begin, end = (size_t)(after.p - m->k->t->text.p);
    return phrase_in(rdv_slice(m->k->t->text, begin, end + after.len), &words);
}

bool check_modulus_of_chain(const mismatch *m)
{
    moduli *of = m->k->moduli;
    size_t kept = of && !names_modulus(m) ? moduli_kept(of) : 0;
    fmpq_t last;
    fmpq_init(last);
    bool is = kept && mismatch_value(m, m->chain->term[m->chain->n - 1].root, last), holds = false;
    for (size_t i = 0; is && i < kept && !holds; i++)
        holds = holds_modulo(m, of->at[i], last);
    fmpq_clear(last);
    return holds;
}

bool check_no_modulus(const mismatch *m)
{
    return !m->k->moduli || !moduli_kept(m->k->moduli);
}

/* "1 mod (7 * 8) = 56": is the right side what the modulus comes to? */
bool check_modulus_worked_out(const mismatch *m)
{
    const node *n = m->lhs->root;
    fmpq_t modulus;
    if (n->is != N_MOD || n->b->is == N_NUMBER)
        return false;
    fmpq_init(modulus);
    bool is = mismatch_value(m, n->b, modulus) && fmpq_equal(modulus, m->r);
    fmpq_clear(modulus);
    return is;
}
