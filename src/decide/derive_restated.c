/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/derive_restated.h"

#include "base/str.h"
#include "claims/relative.h"
#include "decide/derive_words.h"
#include "language/assertion.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_LABEL 32 /* bytes of "Step 12: Therefore, this" */
#define MAX_TEXT 600 /* bytes of the step before; longer ones are passed over */

/* ---- the words of the step ------------------------------------------------------------------- */

static size_t skip_one_of(const tokens *t, size_t i, phrase_list *words)
{
    return i + tok_is_in(t, i, words);
}

/* "Step 3:", "So,": the token after it. */
static size_t after_label(const tokens *t)
{
    static phrase_list first = {"@concluding;and;now;then"};
    size_t label = derive_words_label(t->text), i = 0;
    while (i < t->n && t->at[i].begin < label)
        i++;
    size_t next = skip_one_of(t, i, &first);
    return next > i && tok_kind_at(t, next) == TOK_COMMA ? next + 1 : next;
}

#define MAX_OPENING 6 /* the tokens among which "this" or "which" opens a step */

static bool may_open(const tokens *t)
{
    if (!(t->words & WORD_POINTS_BACK))
        return false;
    for (size_t i = 0; i < MAX_OPENING && i < t->n; i++)
        if (t->at[i].word & WORD_POINTS_BACK)
            return true;
    return false;
}

/* "This is equal to", "which simplifies to", "that gives us": the token after it, where the step
 * begins so; 0: it does not. */
static size_t after_opening(const tokens *t)
{
    static phrase_list this = {"this;which"}, adverbs = {"@adverb-of-going-on"}, us = {"us;me"};
    static phrase_list to = {"simplifies;reduces;evaluates;comes"};
    size_t i = after_label(t), begin = i;
    i = skip_one_of(t, i, &this);
    if (i == begin)
        return 0;
    i = skip_one_of(t, i, &adverbs);
    if (tok_is_word(t, i, "equals"))
        return i + 1;
    if (tok_is_word(t, i, "is"))
        return tok_is_word(t, i + 1, "equal") && tok_is_word(t, i + 2, "to") ? i + 3 : 0;
    if (tok_is_word(t, i, "gives"))
        return skip_one_of(t, i + 1, &us);
    size_t verb = skip_one_of(t, i, &to);
    size_t down = skip_one_of(t, verb, &adverbs);
    return verb > i && tok_is_word(t, down, "to") ? down + 1 : 0;
}

bool derive_restated_may_be_in(rdv_str step)
{
    rdv_str first = rdv_slice(step, 0, MAX_LABEL);
    return rdv_find(first, RDV_STR("his "), 0) != RDV_NOT_FOUND ||
           rdv_find(first, RDV_STR("hich "), 0) != RDV_NOT_FOUND;
}

/* ---- the decision ---------------------------------------------------------------------------- */

/* The text of the step before, without what ends its last sentence; p == NULL: there is none. */
static rdv_str text_before(const rdv_calculator *c)
{
    size_t n = c->n_steps;
    if (!n || n > CALCULATOR_STEPS_MAX || c->steps[n - 1].len > MAX_TEXT)
        return (rdv_str){0};
    rdv_str text = rdv_trim_end(c->steps[n - 1]);
    while (text.len && strchr(".:$", text.p[text.len - 1]))
        text = rdv_trim_end(rdv_slice(text, 0, text.len - 1));
    return text;
}

/* The step before and the value, as one text that ends in an equality of its last expression; what
 * is decided of it, and the expression's text into *lhs. */
static int decide_both(rdv_calculator *c, rdv_str before, rdv_str value, rdv_str *lhs, decision *d)
{
    tokens t;
    equalities found = {0};
    rdv_str both = rdv_str_printf(c->arena, "%.*s = %.*s", RDV_FMT(before), RDV_FMT(value));
    if (!both.p)
        return RDV_E_NOMEM;
    int r = calculator_lex(c, both, &t);
    r = r == RDV_OK ? find_equalities(&t, c->scratch, &found) : r;
    if (r != RDV_OK || !found.n)
        return r == RDV_E_NOMEM ? r : RDV_NONE;
    const equality *e = &found.at[found.n - 1];
    const expression *l = &e->term[e->n - 2], *last = &e->term[e->n - 1];
    size_t begin = t.at[l->begin].begin, end = t.at[l->end - 1].end;
    if (t.at[last->end].kind != TOK_END || end > before.len || expression_is_plain(l) ||
        l->n_letters || assertion_not(c->rules, both, begin, end))
        return RDV_NONE;
    *lhs = rdv_slice(both, begin, end);
    text_hints hints = {0};
    knowledge k = calculator_knowledge(c, &t, &hints);
    k.rounds = c->rounds;
    k.n_rounds = c->n_rounds;
    return decide_equality(&k, e, e->n - 2, d);
}

int derive_restated_check(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out)
{
    expression value;
    decision d;
    size_t i = may_open(t) ? after_opening(t) : 0;
    rdv_str lhs, before = i ? text_before(c) : (rdv_str){0};
    int r = before.p ? parse_expression(t, i, c->scratch, &value) : RDV_NONE;
    if (r != RDV_OK || value.n_letters || !relative_ends(t, value.end))
        return r == RDV_E_NOMEM ? r : RDV_OK;
    size_t begin = t->at[value.begin].begin, end = t->at[value.end - 1].end;
    rdv_str text = rdv_slice(t->text, begin, end);
    if (assertion_not(t->rules, t->text, begin, end))
        return RDV_OK;
    r = decide_both(c, before, text, &lhs, &d);
    if (r != RDV_OK || !d.is_calculation || d.kind == RDV_CALC_UNDECIDED)
        return r == RDV_E_NOMEM ? r : RDV_OK;
    return calc_list_put(out, c->arena,
                         &(rdv_calc){.begin = offset + begin,
                                     .end = offset + end,
                                     .lhs = lhs,
                                     .rhs = text,
                                     .kind = d.kind,
                                     .value = d.value,
                                     .claim = d.claim,
                                     .note = RDV_STR("of the step before")});
}
