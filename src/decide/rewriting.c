/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/rewriting.h"

#include "base/arena.h"
#include "base/str.h"
#include "claims/equation.h"
#include "expression/identity.h"
#include "language/assertion.h"
#include "language/context.h"
#include "language/own_sign.h"
#include "language/phrase.h"

#define BEFORE 120 /* bytes of the sentence before an equality that are looked at */
#define AFTER 40   /* and behind it */

#define MAX_TOGETHER 3 /* letters */
#define MAX_TASK 400   /* bytes of a question that asks to rewrite */

/* ---- texts ----------------------------------------------------------------------------------- */

/* The byte of `text` behind `part`, which begins at byte `at`, whatever blanks stand in either; 0:
 * it does not stand there. */
static size_t end_of_part(rdv_str part, rdv_str text, size_t at)
{
    size_t i = 0;
    for (;;) {
        while (i < part.len && rdv_is_space(part.p[i]))
            i++;
        if (i == part.len)
            return at;
        while (at < text.len && rdv_is_space(text.p[at]))
            at++;
        if (at == text.len || text.p[at++] != part.p[i++])
            return 0;
    }
}

bool rewriting_stands_in(rdv_str part, rdv_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.p[i] == part.p[0] && end_of_part(part, text, i))
            return true;
    return false;
}

/* ---- what the text says ---------------------------------------------------------------------- */

static rdv_str sentence_before(rdv_str text, size_t at)
{
    size_t least = at > BEFORE ? at - BEFORE : 0, i = at;
    while (i > least && !((text.p[i - 1] == '.' || text.p[i - 1] == '?' || text.p[i - 1] == ';') &&
                          rdv_is_space(text.p[i])))
        i--;
    return rdv_slice(text, i, at);
}

/* What the words say of an equality. */
typedef enum saying {
    SAYS_NOTHING,
    SAYS_EQUATION,   /* or a condition under which it holds */
    SAYS_SIMPLIFIED, /* an expression, or else an equation */
    SAYS_EXPANDED,
    SAYS_FACTORED
} saying;

/* What is said in the sentence before the equality and after it. Words of equations, a reason why
 * it holds, or what it leads to ("expanding A = B gives C") leave it open. */
static saying said_of(rdv_str text, size_t begin, size_t end)
{
    static phrase_list words = {"@of-expanding\n@of-factoring\n@of-simplifying\n@of-equations"};
    static phrase_list open = {"@leaves-open"};
    enum { EXPANDS = 1, FACTORS = 2, SIMPLIFIES = 4, OF_EQUATIONS = 8 };
    unsigned said = phrase_classes_in(sentence_before(text, begin), &words);
    if ((said & OF_EQUATIONS) || phrase_in(context_sentence_after(text, end, AFTER), &open))
        return SAYS_EQUATION;
    return said & EXPANDS      ? SAYS_EXPANDED
           : said & FACTORS    ? SAYS_FACTORED
           : said & SIMPLIFIES ? SAYS_SIMPLIFIED
                               : SAYS_NOTHING;
}

/* Does the question ask to rewrite the left side, or one that is nearly the right one? */
static bool is_asked(const knowledge *k, const expression *lhs, identity_likeness like)
{
    static phrase_list tasks = {"@asks-to-rewrite"};
    rdv_str question = rdv_slice(k->question, 0, MAX_TASK);
    return phrase_in(question, &tasks) &&
           (like == IDENTITY_NEAREST || rewriting_stands_in(expression_text(k->t, lhs), question));
}

bool rewriting_is_in_group(const knowledge *k)
{
    return context_hints_of(k->question_hints, k->question)->groups ||
           context_hints_of(k->hints, k->t->text)->groups;
}

bool rewriting_is_of_numbers(const knowledge *k)
{
    return !rewriting_is_in_group(k) && !context_hints_of(k->question_hints, k->question)->fields &&
           !context_hints_of(k->hints, k->t->text)->fields;
}

/* "y", "f(x)": the name of what the rest of the chain calculates. */
static bool is_name(const tokens *t, const expression *e)
{
    return e->root->is == N_LETTER ||
           (e->end - e->begin == 4 && t->at[e->begin].kind == TOK_WORD &&
            t->at[e->begin + 1].kind == TOK_OPEN && t->at[e->begin + 3].kind == TOK_CLOSE);
}

/* How like each other must the sides be for a link of a chain to be no equation? Where a name
 * begins it, the name's value may be given ("A = x(x + 3) = x^2 + 18"). IDENTITY_UNLIKE: nothing
 * says that it is none. */
static identity_likeness linked_likeness(const knowledge *k, const equality *chain, size_t i)
{
    const expression *at = chain->term;
    bool named = i > 0 && is_name(k->t, &at[0]);
    bool linked = (i > 0 && identity_holds(k, &at[i - 1], &at[i])) ||
                  (i + 2 < chain->n && identity_holds(k, &at[i + 1], &at[i + 2]));
    return named ? IDENTITY_NEAREST : linked ? IDENTITY_SHARING : IDENTITY_UNLIKE;
}

/* ---- its letters ----------------------------------------------------------------------------- */

static bool add_letters(const knowledge *k, const equality *link, letters *names)
{
    return function_letters_add(names, k->t, equation_left(link)->root) &&
           function_letters_add(names, k->t, equation_right(link)->root);
}

/* Are they the small letters that stand for numbers? i and e are numbers themselves, capitals may
 * be sets or matrices, letters with an index the terms of a sequence. */
static bool are_numbers(const letters *names)
{
    for (size_t i = 0; i < names->n; i++) {
        rdv_str name = names->name[i];
        if (name.len != 1 || !(name.p[0] >= 'a' && name.p[0] <= 'z') || strchr("eij", name.p[0]))
            return false;
    }
    return names->n > 0;
}

static related_letters bit_of(char letter)
{
    return letter >= 'a' && letter <= 'z' ? (related_letters)1 << (letter - 'a') : 0;
}

static related_letters bits_of(const letters *names)
{
    related_letters bits = 0;
    for (size_t i = 0; i < names->n; i++)
        bits |= names->name[i].len == 1 ? bit_of(names->name[i].p[0]) : 0;
    return bits;
}

/* The letters of the tree. */
static related_letters letters_of(const tokens *t, const expression *e)
{
    letters names = {.n = 0};
    return function_letters_add(&names, t, e->root) ? bits_of(&names) : RELATED_ALL;
}

related_letters rewriting_related(const tokens *t, const equality *chain, uint64_t stated)
{
    size_t first = is_name(t, &chain->term[0]); /* a name says nothing of the letters after it */
    bool relates = chain->term[chain->n - 1].n_letters == 0;
    for (size_t i = first; i + 1 < chain->n; i++)
        relates |= !(stated >> i & 1);
    related_letters related =
        first && chain->term[0].root->is == N_LETTER ? letters_of(t, &chain->term[0]) : 0;
    for (size_t i = 0; i < chain->n && relates; i++)
        related |= letters_of(t, &chain->term[i]);
    return related;
}

related_letters rewriting_related_in(rdv_str text)
{
    related_letters related = 0;
    for (size_t i = 0; (i = rdv_find_char(text, '=', i)) != RDV_NOT_FOUND; i++) {
        size_t end = rdv_trim_end(rdv_slice(text, 0, i)).len, begin = end;
        related_letters bits = 0;
        while (begin > 0 && end - begin <= MAX_TOGETHER && bit_of(text.p[begin - 1]))
            bits |= bit_of(text.p[--begin]);
        if (end - begin > 1 && end - begin <= MAX_TOGETHER)
            related |= bits;
    }
    return related;
}

bool rewriting_is_asked_for_values(rdv_str question)
{
    static phrase_list words = {"@asks-for-values"};
    return phrase_in(question, &words);
}

/* ---- the decision ---------------------------------------------------------------------------- */

int rewriting_is_wrong(const knowledge *k, const expression *lhs, const expression *rhs,
                       decision *out)
{
    polynomial_style style =
        expression_has_decimals(k->t, lhs) || expression_has_decimals(k->t, rhs)
            ? POLYNOMIAL_DECIMALS
        : identity_is_product(rhs) ? POLYNOMIAL_FACTORED
                                   : POLYNOMIAL_TERMS;
    rdv_str left = expression_text(k->t, lhs);
    /* A copy: the text may be one without folded signs, which does not stay. */
    rdv_str claim = rdv_str_copy(k->arena, expression_text(k->t, rhs));
    *out = (decision){.is_calculation = true, .kind = RDV_CALC_WRONG, .claim = claim};
    int r = claim.p ? identity_worked_out(k, lhs, style, &out->value) : RDV_E_NOMEM;
    if (r == RDV_OK && end_of_part(out->value, left, 0) == left.len) {
        out->value = rdv_str_copy(k->arena, left); /* the right side is what can be worked out */
        r = out->value.p ? identity_worked_out(k, rhs, POLYNOMIAL_TERMS, &out->claim) : RDV_E_NOMEM;
    }
    return r;
}

/* Undecided, with the values for which it holds. */
static int may_be_an_equation(const knowledge *k, const equality *link, decision *out)
{
    rdv_str letter, values;
    *out = (decision){.is_calculation = true, .kind = RDV_CALC_UNDECIDED};
    int r = identity_solutions(k, equation_left(link), equation_right(link), &letter, &values);
    out->note = RDV_STR("it does not hold for all values of the letters; perhaps an equation");
    if (r == RDV_OK)
        out->note =
            rdv_str_printf(k->arena, "it holds only where %.*s is %.*s; perhaps an equation",
                           RDV_FMT(letter), RDV_FMT(values));
    return r == RDV_E_NOMEM || !out->note.p ? RDV_E_NOMEM : RDV_OK;
}

/* Does the text claim the equality at all, and of numbers? */
static bool is_claimed(const knowledge *k, const equality *link)
{
    rdv_str text = k->t->text;
    size_t begin = k->t->at[equation_left(link)->begin].begin;
    size_t end = k->t->at[equation_right(link)->end - 1].end;
    const text_hints *question = context_hints_of(k->question_hints, k->question);
    const text_hints *hints = context_hints_of(k->hints, text);
    return rewriting_is_of_numbers(k) && !question->vectors && !hints->vectors &&
           !question->modulo && !hints->modulo &&
           !own_sign_in(k->question, rdv_slice(text, begin, end)) &&
           k->t->at[equation_right(link)->end].kind != TOK_OPEN &&
           !assertion_not_of_equation(k->t->rules, text, begin, end);
}

/* Do the words say that the left side, which can be expanded or simplified, becomes the right one,
 * or that the right one has its factors? */
static bool is_said(saying said, bool free, identity_likeness like, bool left, bool right)
{
    switch (said) {
    case SAYS_EXPANDED:
        return left && (free || like == IDENTITY_NEAREST);
    case SAYS_FACTORED:
        return right && (free || like == IDENTITY_NEAREST);
    case SAYS_SIMPLIFIED:
        return left && free && like >= IDENTITY_LIKE;
    default:
        return false;
    }
}

int rewriting_decide(const knowledge *k, const equality *chain, size_t i, const equality *link,
                     decision *out)
{
    const expression *lhs = equation_left(link), *rhs = equation_right(link);
    letters names = {.n = 0};
    if (!k->related || !equation_is_plain(k->t, link) || expression_has_decimals(k->t, lhs) ||
        expression_has_decimals(k->t, rhs) || !add_letters(k, link, &names) || !are_numbers(&names))
        return RDV_NONE;
    identity_likeness like = identity_compare(k, lhs, rhs);
    size_t begin = k->t->at[chain->term[0].begin].begin;
    bool free = !(*k->related & bits_of(&names));
    if (like == IDENTITY_UNLIKE || (!free && (like != IDENTITY_NEAREST || names.n > 1)) ||
        !is_claimed(k, link))
        return RDV_NONE;
    bool left = identity_is_unfinished(k, lhs);
    bool right = identity_is_unfinished(k, rhs);
    identity_likeness linked = linked_likeness(k, chain, i);
    saying said = said_of(k->t->text, begin, k->t->at[rhs->end - 1].end);
    if (!left && !right)
        return RDV_NONE;
    if (is_said(said, free, like, left, right) ||
        (linked && said != SAYS_EQUATION && like >= linked &&
         (free || !is_name(k->t, &chain->term[0]))) ||
        (free && is_asked(k, lhs, like)))
        return rewriting_is_wrong(k, lhs, rhs, out);
    return free && said != SAYS_EQUATION && chain->n == 2 && like > IDENTITY_LOOSE
               ? may_be_an_equation(k, link, out)
               : RDV_NONE;
}
