/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/derive_consequence.h"

#include "base/str.h"
#include "claims/equation.h"
#include "decide/derive.h"
#include "decide/derive_solution.h"
#include "decide/derive_words.h"
#include "decide/derive_worked_out.h"
#include "decide/rewriting.h"
#include "expression/print.h"
#include "expression/reading_eval.h"
#include "language/phrase.h"

#define QUESTION 1600 /* bytes of the question in which its equation is sought */

/* What is decided of the chain's ends, as one equality; its left side is `lhs`. */
static int add_ends(rdv_calculator *c, calc_list *out, const tokens *t, size_t offset,
                    const equality *chain, rdv_str lhs, const decision *d)
{
    expression sides[2] = {chain->term[0], chain->term[chain->n - 1]};
    equality ends = {.term = sides, .n = 2};
    int r = results_add(out, c->arena, t, offset, &ends, 0, d, false);
    if (r == RDV_OK && lhs.p)
        calc_list_at(out, out->n - 1)->lhs = lhs;
    return r;
}

/* What the text concludes from the equation before: "2x = 14, so x = 8". */
static int add_conclusion(rdv_calculator *c, calc_list *out, const knowledge *k, size_t offset,
                          const equality *given, const equality *next)
{
    int which = 0;
    decision d;
    int r = derive_solution_decide(k, given, next, &which, &d);
    if (r != RDV_OK)
        return r;
    r = add_ends(c, out, k->t, offset, which ? next : given, (rdv_str){0}, &d);
    if (r == RDV_OK)
        calc_list_at(out, out->n - 1)->end = offset + k->t->at[next->term[next->n - 1].end - 1].end;
    return r;
}

/* What the calculation of a name comes to: "x = 90/3, so x = 31". RDV_NONE: it says no such. */
static int add_worked_out(rdv_calculator *c, calc_list *out, const knowledge *k, size_t offset,
                          const equality *given, const equality *next)
{
    expression sides[2];
    bool approximate[2];
    equality both;
    decision d;
    if (!derive_worked_out_find(k, given, next, sides, approximate, &both))
        return RDV_NONE;
    int r = decide_equality(k, &both, 0, &d);
    if (r != RDV_OK || !d.is_calculation)
        return r < 0 ? r : RDV_NONE;
    return results_add(out, c->arena, k->t, offset, &both, 0, &d, false);
}

static bool has_letters(const equality *e)
{
    return e->term[0].n_letters + e->term[e->n - 1].n_letters;
}

/* What is derived from the equation before by the words after byte `from`. */
static int add_derivation(rdv_calculator *c, calc_list *out, const knowledge *k, size_t offset,
                          const derivation_side *given, size_t from, const equality *next)
{
    decision d;
    rdv_str lhs;
    size_t begin = k->t->at[next->term[0].begin].begin;
    rdv_str words = rdv_slice(k->t->text, from, begin);
    if (!has_letters(next))
        return RDV_NONE;
    int r = derive_decide(k, given, words, next, &lhs, &d);
    return r == RDV_OK ? add_ends(c, out, k->t, offset, next, lhs, &d) : r;
}

/* "-5y + 4 - 4 = -2", then "-5 = -2": one side stays, and the letter of the other one is lost. */
static bool loses_letter(const derivation_side *given, const tokens *t, const equality *next)
{
    const expression *l = equation_left(given->e), *r = equation_right(given->e);
    bool numbers = !equation_left(next)->n_letters && !equation_right(next)->n_letters;
    bool value = l->root->is == N_LETTER || r->root->is == N_LETTER;
    return numbers && !value && (l->n_letters > 0) != (r->n_letters > 0) && next->n == 2 &&
           derive_keeps_side(given, t, next);
}

/* What such an equation says of numbers is wrong, and no support where they agree: it does not
 * follow. */
static int add_lost_letter(rdv_calculator *c, calc_list *out, const knowledge *k, size_t offset,
                           const equality *next)
{
    decision d = {.is_calculation = true,
                  .kind = RDV_CALC_WRONG,
                  .note = RDV_STR("the letter of the equation before is lost")};
    size_t begin = offset + k->t->at[next->term[0].begin].begin;
    for (size_t i = 0; i < out->n; i++) {
        rdv_calc *calc = calc_list_at(out, i);
        if (calc->begin != begin || calc->kind == RDV_CALC_WRONG)
            return RDV_NONE;
        bool differ = rdv_str_eq(calc->note, RDV_STR(DIFFERENT_NUMBERS));
        calc->kind = differ ? RDV_CALC_WRONG : RDV_CALC_UNDECIDED;
        calc->note = d.note;
        return RDV_OK;
    }
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    int result = RDV_NONE;
    if (reading_eval_term_value(k, &next->term[0], l) == EVAL_OK &&
        reading_eval_term_value(k, &next->term[1], r) == EVAL_OK && !fmpq_equal(l, r)) {
        d.value = print_value(l, k->arena);
        d.claim = print_value(r, k->arena);
        result = d.value.p && d.claim.p
                     ? results_add(out, c->arena, k->t, offset, next, 0, &d, false)
                     : RDV_E_NOMEM;
    }
    fmpq_clear(l);
    fmpq_clear(r);
    return result;
}

/* Is the equation the question's own, so that it is no case of another one? */
static bool is_asked(const rdv_calculator *c, rdv_str equation)
{
    return equation.len && rewriting_stands_in(equation, rdv_slice(c->question, 0, QUESTION));
}

/* Has the text no word beside the equation but its label? */
static bool stands_alone(const tokens *t, const equality *e)
{
    size_t begin = t->at[e->term[0].begin].begin, end = t->at[e->term[e->n - 1].end - 1].end;
    return !rdv_has_letter(rdv_slice(t->text, end, t->text.len)) &&
           (!rdv_has_letter(rdv_slice(t->text, 0, begin)) ||
            !rdv_has_letter(rdv_slice(t->text, derive_words_label(t->text), begin)));
}

/* The same where the equation before is the last one of the step before. `alone`: the step has no
 * other one than the next. */
static int add_derivation_from_last(rdv_calculator *c, calc_list *out, const knowledge *k,
                                    size_t offset, const equality *next, bool alone)
{
    tokens t;
    equalities found = {0};
    size_t begin = k->t->at[next->term[0].begin].begin;
    alone = alone && c->alone && !c->between.p;
    bool may_follow = has_letters(next) ? equation_is_plain(k->t, next) : alone;
    if (!may_follow || !derive_words_are_known(rdv_slice(k->t->text, 0, begin)))
        return RDV_NONE;
    int r = calculator_lex(c, c->equation, &t);
    if (r == RDV_OK)
        r = find_equalities(&t, c->scratch, &found);
    if (r != RDV_OK || found.n != 1 || equation_text(&t, &found.at[0]).len != c->equation.len)
        return r == RDV_E_NOMEM ? r : RDV_NONE;
    derivation_side given = {.t = &t,
                             .e = &found.at[0],
                             .of_step_before = true,
                             .words = c->between,
                             .alone = alone && stands_alone(k->t, next)};
    if (given.alone && loses_letter(&given, k->t, next))
        return add_lost_letter(c, out, k, offset, next);
    return add_derivation(c, out, k, offset, &given, derive_words_label(k->t->text), next);
}

/* Is it one of several equations without a word between them? */
static bool is_listed(const tokens *t, const equalities *found, size_t e)
{
    if (e == 0)
        return false;
    const equality *before = &found->at[e - 1];
    size_t begin = t->at[before->term[before->n - 1].end - 1].end;
    return !rdv_has_letter(rdv_slice(t->text, begin, t->at[found->at[e].term[0].begin].begin));
}

/* Does the text before the equation at byte `begin`, back to the last sentence, say what is done in
 * a list of equations? */
static bool is_headed(const tokens *t, size_t from, size_t begin)
{
    rdv_str before = rdv_slice(t->text, from, begin);
    for (size_t i = before.len; i > 0; i--)
        if (before.p[i - 1] == '.' || before.p[i - 1] == '?')
            return derive_words_goes_on_after(rdv_slice(before, i, before.len));
    return derive_words_goes_on_after(before);
}

static size_t end_of(const tokens *t, const equality *e)
{
    return t->at[e->term[e->n - 1].end - 1].end;
}

/* Does found[e], below the equation before it without a word, go on with it: is that one derived
 * from those above it, or is it said above the first what is done? */
static bool goes_on_in_list(const rdv_calculator *c, const tokens *t, const equalities *found,
                            size_t e)
{
    size_t above = end_of(t, &found->at[e - 1]), begin = t->at[found->at[e].term[0].begin].begin;
    for (size_t i = above; i < begin; i++) /* "1)" numbers what is no derivation */
        if (rdv_is_digit(t->text.p[i]))
            return false;
    if (c->derived == e - 1)
        return true;
    size_t from = e > 1 ? end_of(t, &found->at[e - 2]) : 0;
    return !is_listed(t, found, e - 1) &&
           is_headed(t, from, t->at[found->at[e - 1].term[0].begin].begin);
}

int derive_consequence_decide(rdv_calculator *c, calc_list *out, const knowledge *k, size_t offset,
                              const equalities *found, size_t e)
{
    const equality *next = &found->at[e];
    if (e == 0) {
        c->derived = SIZE_MAX;
        if (!c->equation.p)
            return RDV_NONE;
        return add_derivation_from_last(c, out, k, offset, next, found->n == 1);
    }
    derivation_side given = {.t = k->t, .e = next - 1};
    bool listed = is_listed(k->t, found, e);
    given.listed = listed;
    given.in_list = listed && goes_on_in_list(c, k->t, found, e);
    int r = add_worked_out(c, out, k, offset, given.e, next);
    if (r == RDV_NONE)
        r = add_conclusion(c, out, k, offset, given.e, next);
    bool same = false; /* only then is a derivation right */
    if (r == RDV_NONE && (listed || c->derived == e - 1 || !is_listed(k->t, found, e - 1))) {
        r = add_derivation(c, out, k, offset, &given, end_of(k->t, given.e), next);
        same = r == RDV_OK && calc_list_see(out, out->n - 1)->kind == RDV_CALC_RIGHT;
    }
    if (r != RDV_E_NOMEM && listed && (same || derive_is_same(k, &given, next)))
        c->derived = e;
    return r;
}

/* "substitute P with 4P - 8 in the equation": what is derived is not what follows. */
static bool is_put_into(rdv_str before)
{
    static phrase_list places = {"in;into;equation"};
    static phrase_list verbs = {"@substitutes"};
    size_t end = before.len;
    while (end > 0 && !rdv_is_alpha(before.p[end - 1]))
        end--;
    return phrase_before(rdv_slice(before, 0, end), &places) < end && phrase_in(before, &verbs);
}

void derive_consequence_pass_over(rdv_calculator *c, rdv_str step)
{
    bool goes_on = c->equation.p && !c->between.p && derive_words_goes_on_after(step);
    c->between = goes_on ? rdv_str_copy(c->arena, step) : (rdv_str){0};
    if (!c->between.p)
        c->equation = (rdv_str){0};
}

int derive_consequence_keep(rdv_calculator *c, const tokens *t, const equalities *found)
{
    if (found->n == 0) {
        derive_consequence_pass_over(c, t->text);
        return RDV_OK;
    }
    c->equation = c->between = (rdv_str){0};
    const equality *last = &found->at[found->n - 1];
    if (!last->clean_left || !last->clean_right || last->negative || !has_letters(last) ||
        derive_solution_is_alternative(t, last->term[0].begin, last->term[last->n - 1].end) ||
        (is_listed(t, found, found->n - 1) && c->derived != found->n - 1))
        return RDV_OK;
    rdv_str text = equation_text(t, last);
    if (is_put_into(rdv_slice(t->text, 0, (size_t)(text.p - t->text.p))) ||
        rdv_has_letter(rdv_slice(t->text, (size_t)(text.p - t->text.p) + text.len, t->text.len)))
        return RDV_OK;
    c->alone = found->n == 1 && is_asked(c, text) && stands_alone(t, last);
    c->equation = rdv_str_copy(c->arena, text);
    return c->equation.p ? RDV_OK : RDV_E_NOMEM;
}
