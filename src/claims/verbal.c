/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/verbal.h"

#include "base/arena.h"
#include "base/str.h"
#include "claims/adjacency.h"
#include "claims/verbal_reading.h"
#include "language/phrase.h"
#include "language/word_class.h"

/* Has it only numbers? */
static bool is_plain(const equality *e)
{
    bool plain = true;
    for (size_t i = 0; i < e->n; i++)
        plain = plain && expression_is_plain(&e->term[i]);
    return plain;
}

/* Of the equalities before index `n` and those in words from `n` on, both in order, keep each that
 * does not lie within another. One that begins at the same place was read as a whole before, unless
 * it has only numbers: "48 = 12" of "48 = 12 boxes of 4". */
static void merge(equalities *all, size_t n)
{
    size_t kept = 0, spoken = n, total = all->n;
    for (size_t i = 0; i < n; i++) {
        const equality *e = &all->at[i];
        size_t begin = e->term[0].begin, end = e->term[e->n - 1].end;
        while (spoken < total && all->at[spoken].term[1].end < end)
            spoken++;
        bool beside = spoken == total || begin < all->at[spoken].term[0].begin;
        bool whole = !beside && begin == all->at[spoken].term[0].begin && !is_plain(e);
        if (whole)
            all->at[spoken].n = 0;
        if (beside || whole)
            all->at[kept++] = *e;
    }
    for (size_t i = n; i < total; i++)
        if (all->at[i].n)
            all->at[kept++] = all->at[i];
    all->n = kept;
}

/* "20% of 50", "3 + 4": such a token after a number begins an operation in signs. */
static bool is_in_signs(tok_kind after)
{
    return after == TOK_PERCENT || after == TOK_PLUS || after == TOK_MINUS || after == TOK_TIMES ||
           after == TOK_POWER;
}

/* May a claim begin with the token? Most words are passed over at a glance. */
static bool starts(const tokens *t, size_t i)
{
    tok_kind k = t->at[i].kind;
    if (k == TOK_NUMBER && is_in_signs(t->at[i + 1].kind))
        return t->words & WORD_RESULT; /* which claims its result */
    if (k != TOK_WORD)
        return k == TOK_NUMBER || k == TOK_CURRENCY || k == TOK_OPEN || k == TOK_FRAC;
    rdv_str w = tok_text(t, i);
    unsigned class = tok_class(t, i);
    if (rdv_str_eq(w, RDV_STR("A"))) /* else the name of a value */
        return i + 2 < t->n &&
               ((t->at[i + 1].word & WORD_FRACTION) || t->at[i + 1].kind == TOK_NUMBER);
    if (rdv_str_ieq(w, RDV_STR("minus"))) /* what goes on, or a number below zero */
        return false;
    if (class)
        return (class & (WORD_BINDS_AFTER | WORD_PART)) || rdv_str_ieq(w, RDV_STR("the")) ||
               rdv_str_ieq(w, RDV_STR("a")) || rdv_str_ieq(w, RDV_STR("an")) ||
               rdv_str_ieq(w, RDV_STR("total"));
    return t->at[i].word & (WORD_NUMBER | WORD_MULTIPLE);
}

/* "7 goes into 50 7 times": the second 7. */
static bool is_count_of_times(const tokens *t, size_t i)
{
    return (tok_is_word(t, i + 1, "times") || tok_is_word(t, i + 1, "time")) && i > 2 &&
           (tok_is_word(t, i - 2, "into") || tok_is_word(t, i - 3, "into"));
}

/* Does a calculation go on with the token? */
static bool goes_on(tok_kind k)
{
    return k == TOK_PLUS || k == TOK_MINUS || k == TOK_TIMES || k == TOK_EQUAL;
}

/* May a claimed number stand at token `i`: after a word that claims it, or a sign where words say
 * what is calculated? */
static bool may_be_claimed(const tokens *t, size_t i, bool operations)
{
    tok_kind k = t->at[i].kind;
    if (k != TOK_NUMBER && k != TOK_CURRENCY && k != TOK_FRAC && !(t->at[i].word & WORD_NUMBER))
        return false;
    const token *word = &t->at[i - 1];
    tok_kind after = t->at[i + 1].kind;
    if (k == TOK_NUMBER && (goes_on(after) || (after == TOK_DIVIDE && goes_on(t->at[i + 3].kind))))
        return false;
    bool negative = word->kind == TOK_MINUS && i > 1;
    word -= negative;
    word -= word->kind == TOK_PUNCT && word > t->at && (word[-1].word & WORD_ABOUT); /* "approx." */
    return (word->word & WORD_RESULT) || (operations && word->kind == TOK_EQUAL) ||
           (after == TOK_WORD && is_count_of_times(t, i));
}

/* The last token at which a claimed number stands that ends its clause; 0: there is none. Most
 * texts have none, and then no claim is looked for. */
static size_t last_claimed(const tokens *t, rdv_arena *arena, bool *nomem)
{
    bool operations = t->words & WORD_OPERATION;
    if (!(t->words & WORD_RESULT) && !(operations && tok_holds(t, TOK_EQUAL)))
        return 0;
    for (size_t i = t->n - 1; i > 0; i--) {
        if (!may_be_claimed(t, i, operations))
            continue;
        rdv_mark mark = rdv_arena_mark(arena);
        expression e = {.begin = i};
        reading r = {.p = {.t = t, .at = t->at, .pos = i, .arena = arena, .e = &e}};
        bool ends = verbal_operand(&r) != NULL;
        if (!ends) {
            r.p.pos = i;
            ends = verbal_percentage(&r) != NULL;
        }
        r.p.pos += ends && is_count_of_times(t, i);
        r.shared_out = true;
        verbal_pass_each(&r);
        ends = ends && verbal_clause_ends(&r);
        *nomem |= r.p.nomem;
        rdv_arena_rewind(arena, mark);
        if (ends)
            return i;
    }
    return 0;
}

/* The last token with a word between two numbers that relates them, as in "12 is 20% of 50", "48 =
 * 12 boxes of 4"; 0: there is none. */
static size_t last_related(const tokens *t)
{
    if (!(t->words & WORD_RELATES) || (!(t->words & WORD_RESULT) && !tok_holds(t, TOK_EQUAL)))
        return 0;
    for (const token *word = t->at + t->n - 1; word > t->at; word--) {
        if (!(word->word & WORD_RELATES))
            continue;
        tok_kind k = word[1].kind;
        size_t i = (size_t)(word - t->at);
        if (k == TOK_NUMBER || k == TOK_CURRENCY || (word[1].word & WORD_NUMBER) ||
            tok_is_word(t, i, "dozen"))
            return i;
    }
    return 0;
}

int verbal_find(const tokens *t, rdv_arena *arena, equalities *out)
{
    bool nomem = false;
    size_t n = out->n, last_end = 0, last = last_claimed(t, arena, &nomem);
    size_t related = nomem ? 0 : last_related(t);
    if (nomem)
        return RDV_E_NOMEM;
    last = related > last ? related : last;
    for (size_t i = 0; i < last;) {
        bool begins = starts(t, i) && verbal_clause_begins(t, i, last_end) &&
                      !adjacency_takes_part_before(t, i);
        if (!begins && !verbal_is_verb(t, i)) {
            i++;
            continue;
        }
        rdv_mark mark = rdv_arena_mark(arena);
        verbal_claim c;
        int r = verbal_claim_at(t, i, begins, arena, &c);
        bool after_word = i > 0 && t->at[i - 1].kind == TOK_WORD &&
                          (!c.inverted || tok_is_word(t, i - 1, "that"));
        if (r == RDV_OK)
            r = equalities_append(arena, c.sides, c.about, after_word, out);
        else if (r == RDV_NONE)
            rdv_arena_rewind(arena, mark);
        if (r < 0)
            return r;
        i = r == RDV_OK ? c.sides[1].end : i + 1;
        last_end = r == RDV_OK ? i : last_end;
    }
    if (out->n > n)
        merge(out, n);
    return RDV_OK;
}

/* The end of the last number that is written as a word; 0: there is none. */
static size_t last_number_word(rdv_str s)
{
    size_t end = s.len;
    while (end > 0) {
        size_t begin = end;
        while (begin > 0 && rdv_is_alpha(s.p[begin - 1]))
            begin--;
        if (word_find(rdv_slice(s, begin, end)) & WORD_NUMBER)
            return end;
        end = begin < end ? begin : end - 1;
    }
    return 0;
}

/* "3 rows of 5", "18 out of 24", "2/3 of the 27 students" */
static bool of_a_number(rdv_str text)
{
    for (size_t i = 0; (i = rdv_find(text, RDV_STR(" of "), i)) != RDV_NOT_FOUND; i += 4) {
        rdv_str whole = rdv_slice(text, i + 4, text.len);
        whole = rdv_starts(whole, RDV_STR("the ")) ? rdv_slice(whole, 4, whole.len) : whole;
        if (whole.len && rdv_is_digit(whole.p[0]))
            return true;
    }
    return false;
}

bool verbal_may_be_in(rdv_str text)
{
    static phrase_list results = {
        "is;=;into;get*;have;*equal*;*give*;*make*;*yield*;*giving*;*result*;*obtain*;"
        "*find*;leaves;comes;works out;amounts to;adds up;simplifies;turns out;totals"};
    static phrase_list operations = {
        "*plus*;*minus*;*times*;*divid*;*multipl*;*% of*;*half*;*third*;*quarter*;*fourth*;"
        "*fifth*;*sixth*;*seventh*;*eighth*;*common*;gcd;gcf;hcf;lcm;*ninth*;*tenth*;"
        "*twice*;*double*;*triple*;*sum of*;*product*;*differ*;*quotient*;*average*;*mean*;"
        "*square*;*squaring*;*cub*;than;*subtract*;*add*;*increas*;*decreas*;*reduc*;*power*;"
        "*choose*;*dozen*;*total of*;*doubling*;tripl*;halving;*taking*;*take*; + ; - ; * ; / ; x ;"
        "\xc3\x97;\xc3\xb7;*percent*;*% off*;*discount*;*tip on*;*tax*;*interest*;*commission*;"
        "*ratio*;*reciprocal*;*absolute*;*factorial*;split*;shared;into;"
        "each;per;as a;*hundredth*;*thousandth*;*simplif*;as many;as much;less;*markup*;*markdown*;"
        "\\times;which is;which equals;which gives;which makes;which totals"};
    if (!phrase_in(text, &results))
        return false;
    size_t last = text.len;
    while (last > 0 && !rdv_is_digit(text.p[last - 1]))
        last--;
    last += last_number_word(rdv_slice(text, last, text.len));
    return last && phrase_in(rdv_slice(text, 0, last), &results) &&
           (phrase_in(text, &operations) || of_a_number(text) ||
            rdv_find_char(text, '*', 0) != RDV_NOT_FOUND ||
            rdv_find_char(text, '+', 0) != RDV_NOT_FOUND);
}
