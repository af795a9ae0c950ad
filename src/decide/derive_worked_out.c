/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/derive_worked_out.h"

#include "base/str.h"
#include "claims/equation.h"
#include "decide/derive_solution.h"
#include "decide/derive_words.h"
#include "language/phrase.h"

/* The name that stands alone on the left; its text is empty where there is another thing. */
static rdv_str name_of(const tokens *t, const equality *e)
{
    const expression *l = equation_left(e);
    rdv_str text = rdv_slice(t->text, t->at[l->begin].begin, t->at[l->end - 1].end);
    return l->n_letters && !l->n_units && !l->n_words ? text : (rdv_str){0};
}

/* "14 4\n x = 14 * 3": a number that ends the line before, and is no whole side there, may be a
 * factor of the name. */
static bool may_have_factor(const tokens *t, const equality *e)
{
    size_t i = equation_left(e)->begin;
    return i > 2 && t->at[i - 1].kind == TOK_NEWLINE && t->at[i - 2].kind == TOK_NUMBER &&
           t->at[i - 3].kind != TOK_EQUAL;
}

/* "1/2": a fraction in lowest terms, which is a value and no calculation. */
static bool is_fraction(const tokens *t, const node *n)
{
    if (n->is == N_NEGATE)
        return is_fraction(t, n->a);
    fmpq_t a, b;
    fmpz_t common;
    long decimals;
    if (n->is != N_DIVIDE || n->a->is != N_NUMBER || n->b->is != N_NUMBER)
        return false;
    fmpq_init(a);
    fmpq_init(b);
    fmpz_init(common);
    bool whole = literal_value(t, n->a->end - 1, a, &decimals) &&
                 literal_value(t, n->b->end - 1, b, &decimals) && fmpz_is_one(fmpq_denref(a)) &&
                 fmpz_is_one(fmpq_denref(b));
    fmpz_gcd(common, fmpq_numref(a), fmpq_numref(b));
    bool reduced = whole && fmpz_is_one(common) && !fmpz_is_one(fmpq_numref(b));
    fmpz_clear(common);
    fmpq_clear(a);
    fmpq_clear(b);
    return reduced;
}

static bool holds_root(const node *n)
{
    return n && (n->is == N_ROOT || holds_root(n->a) || holds_root(n->b));
}

/* "3 + \\sqrt{25}": one of the two solutions of an equation, of which the other may follow. */
static bool adds_root(const node *n)
{
    if (!n || n->is == N_ROOT)
        return false;
    bool sum = n->is == N_ADD || n->is == N_SUBTRACT;
    return (sum && holds_root(n)) || adds_root(n->a) || adds_root(n->b);
}

/* Has the calculation a rational value? One of roots may be a value that stays as it is. */
static bool is_rational(const knowledge *k, const expression *e)
{
    if (adds_root(e->root))
        return false;
    fmpq_t value;
    evaluation ev = {.t = k->t, .budget = k->budget};
    fmpq_init(value);
    bool rational = eval_exact(&ev, e->root, value) == EVAL_OK;
    fmpq_clear(value);
    return rational;
}

/* May the two be values of the name, as in a list of roots or where one is given up: "1/2" and "3"?
 */
static bool are_values(const knowledge *k, const expression *calculation, const expression *result)
{
    rdv_str shown = tok_text(k->t, result->end - 1);
    return is_fraction(k->t, calculation->root) && rdv_find_char(shown, '.', 0) == RDV_NOT_FOUND;
}

/* What stands between the two: a new line or an arrow, or words that conclude. */
typedef enum joint { JOINT_NONE, JOINT_LINE, JOINT_WORDS } joint;

static joint joint_between(rdv_str between)
{
    static phrase_list concluding = {"@concluding;@leads-to;@works-out;@arrow-command"};
    static phrase_list other = {"@joins-or-supposes"};
    if (phrase_in(between, &other) || !derive_words_are_known(between))
        return JOINT_NONE;
    if (phrase_in(between, &concluding) || rdv_find(between, RDV_STR("=>"), 0) != RDV_NOT_FOUND)
        return JOINT_WORDS;
    return !rdv_has_letter(between) && rdv_find_char(between, '\n', 0) != RDV_NOT_FOUND &&
                   rdv_find_char(between, ',', 0) == RDV_NOT_FOUND
               ? JOINT_LINE
               : JOINT_NONE;
}

bool derive_worked_out_find(const knowledge *k, const equality *given, const equality *next,
                            expression sides[2], bool approximate[2], equality *both)
{
    const tokens *t = k->t;
    const expression *calculation = equation_right(given), *result = &next->term[1];
    rdv_str name = name_of(t, given);
    if (!name.p || !rdv_str_eq(name, name_of(t, next)) || calculation->n_letters ||
        result->n_letters || !find_is_worked_out(t, calculation, result) || !given->clean_left ||
        !given->clean_right || !next->clean_left || may_have_factor(t, given) ||
        derive_solution_is_alternative(t, calculation->begin, result->end))
        return false;
    joint is = joint_between(
        rdv_slice(t->text, t->at[calculation->end - 1].end, t->at[next->term[0].begin].begin));
    if (is == JOINT_NONE || are_values(k, calculation, result) ||
        (is == JOINT_LINE && !is_rational(k, calculation)))
        return false;
    sides[0] = *calculation;
    sides[1] = *result;
    approximate[0] = false;
    approximate[1] = next->approximate[1];
    *both = (equality){.term = sides,
                       .approximate = approximate,
                       .n = 2,
                       .clean_left = true,
                       .clean_right = next->clean_right || next->n > 2};
    return true;
}
