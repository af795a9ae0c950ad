/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/decomposition.h"

#include "base/str.h"
#include "expression/print.h"
#include "language/phrase.h"
#include "notation/literal.h"

#include <math.h>
#include <stdlib.h>

#define MOST_COPIES 16
#define MOST_TERMS 24
#define REST_REACH 12   /* tokens behind a chain in which the rest of it begins */
#define ROUNDED 0.001   /* share by which a number may be rounded */
#define NEAR 0.01       /* share by which rounded products differ */
#define POWER_REACH 160 /* bytes beside a link in which a power of ten is written */
#define SENTENCE_REACH 200 /* bytes behind a link that are looked at for its value */

static bool is_bracket(const tokens *t, size_t begin, size_t end, char sign)
{
    return end > begin + 1 && t->at[begin].kind == TOK_OPEN && t->at[begin].sign == sign &&
           t->at[begin].pair == end - 1;
}

static bool is_infix(tok_kind k)
{
    return k == TOK_PLUS || k == TOK_MINUS || k == TOK_TIMES || k == TOK_DIVIDE;
}

static bool same_token(const tokens *t, size_t a, size_t b)
{
    return t->at[a].kind == t->at[b].kind &&
           (is_infix(t->at[a].kind) || rdv_str_eq(tok_text(t, a), tok_text(t, b)));
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Does the word right behind a side say what it comes to, so that the sentence goes on from it? */
static bool verb_follows(const tokens *t, size_t end)
{
    static phrase_list verbs = {"@being;be;equals;gives;makes;which"};
    return tok_is_in(t, end, &verbs);
}

/* Does the text behind the chain add a further piece: ", plus", "; then", "+"? */
static bool rest_follows(const tokens *t, const equality *chain)
{
    static phrase_list words = {"@adds-a-piece"};
    size_t i = chain->term[chain->n - 1].end;
    i += tok_kind_at(t, i) == TOK_COMMA || tok_kind_at(t, i) == TOK_PUNCT;
    return tok_kind_at(t, i) == TOK_PLUS || tok_is_in(t, i, &words);
}

/* "32400 + 1440 + 16 = 32400 + 1440": are the tokens of the right side, perhaps in a bracket, the
 * first ones of the left side, and does the left one go on with an operator? */
static bool is_first_piece(const reading_eval *t, const equality *chain, size_t link)
{
    const tokens *toks = t->k->t;
    size_t l = t->lhs->begin, end = t->rhs->end, r = t->rhs->begin;
    if (is_bracket(toks, r, end, '('))
        r++, end--;
    const node *n = t->rhs->root;
    bool pieces = n->is == N_ADD || n->is == N_SUBTRACT || n->is == N_MULTIPLY || n->is == N_DIVIDE;
    bool verb = verb_follows(toks, t->rhs->end);
    if (!verb && !(pieces && (link + 2 < chain->n || rest_follows(toks, chain))))
        return false;
    for (; r < end && l < t->lhs->end; r++, l++)
        if (!same_token(toks, l, r))
            return false;
    return r == end && l < t->lhs->end && is_infix(toks->at[l].kind);
}

/* The terms of a sum of plain numbers, from the left; 0: it is none, or has too many. */
static size_t terms_of(const node *n, const node *out[MOST_TERMS])
{
    size_t count = 0;
    for (; n->is == N_ADD && !n->grouped; n = n->a) {
        if (n->b->is != N_NUMBER || count + 1 >= MOST_TERMS)
            return 0;
        out[count++] = n->b;
    }
    if (n->is != N_NUMBER)
        return 0;
    out[count++] = n;
    for (size_t i = 0; i < count / 2; i++) {
        const node *other = out[i];
        out[i] = out[count - 1 - i];
        out[count - 1 - i] = other;
    }
    return count;
}

/* How often the number stands as a factor; 0: something else stands there too. */
static size_t copies(const tokens *t, const node *n, rdv_str number)
{
    if (n->is == N_MULTIPLY) {
        size_t a = copies(t, n->a, number), b = copies(t, n->b, number);
        return a && b ? a + b : 0;
    }
    return n->is == N_NUMBER && rdv_str_eq(tok_text(t, n->end - 1), number);
}

/* "0.83^3 = 0.83 * 0.83": a power, of which fewer factors are written. */
static bool is_begun_power(const reading_eval *t)
{
    const node *n = t->lhs->root;
    fmpq_t power;
    long decimals;
    if (n->is != N_POWER || n->a->is != N_NUMBER || n->b->is != N_NUMBER ||
        expression_is_plain(t->rhs))
        return false;
    size_t written = copies(t->k->t, t->rhs->root, tok_text(t->k->t, n->a->end - 1));
    fmpq_init(power);
    bool begun = written > 1 && written < MOST_COPIES &&
                 literal_value(t->k->t, n->b->end - 1, power, &decimals) &&
                 fmpq_cmp_ui(power, written) > 0;
    fmpq_clear(power);
    return begun;
}

/* How many numbers the sum has, all of which stand in the sum `in` in the same order; SIZE_MAX: not
 * all do, or it is no sum of numbers. */
static size_t shared_terms(const tokens *t, const node *sum, const node *in)
{
    const node *terms[MOST_TERMS], *others[MOST_TERMS];
    size_t n = terms_of(sum, terms), m = terms_of(in, others), k = 0, at = 0;
    for (; n && m && k < n; k++, at++) {
        while (at < m &&
               !rdv_str_eq(tok_text(t, terms[k]->end - 1), tok_text(t, others[at]->end - 1)))
            at++;
        if (at == m)
            return SIZE_MAX;
    }
    return n && m ? n : SIZE_MAX;
}

/* "1 + 16 + 8 + 4 = 16 + 8 = 24, +4": some terms of the sum, and the chain goes on from them. */
static bool is_part_of_sum(const reading_eval *t, const equality *chain, size_t i)
{
    const node *terms[MOST_TERMS];
    size_t all = terms_of(t->lhs->root, terms);
    size_t some = all > 2 ? shared_terms(t->k->t, t->rhs->root, t->lhs->root) : SIZE_MAX;
    return some != SIZE_MAX && some > 1 && some < all && i + 2 < chain->n;
}

/* Do the tokens of a factor stand among those right behind the chain? */
static bool factor_comes_again(const tokens *t, const equality *chain, const node *factor)
{
    size_t end = chain->term[chain->n - 1].end;
    for (size_t i = end; i < end + REST_REACH && tok_kind_at(t, i) != TOK_END; i++)
        if (t->at[i].kind == TOK_NUMBER && rdv_str_eq(tok_text(t, i), tok_text(t, factor->end - 1)))
            return true;
    return false;
}

/* "0.07 * 5.633 = 0.07 * 5": are the digits of `part` the whole number that `number` begins with?
 */
static bool is_cut_short(const tokens *t, const node *number, const node *part)
{
    if (number->is != N_NUMBER || part->is != N_NUMBER)
        return false;
    rdv_str s = tok_text(t, number->end - 1), begin = tok_text(t, part->end - 1);
    return s.len > begin.len && rdv_starts(s, begin) && s.p[begin.len] == '.';
}

/* "0.96 * 2.05 = 0.96 * 2 = 1.92, plus 0.96 * 0.05": one factor is the same number, and the other
 * one is smaller; the rest of the product follows. */
static bool is_part_of_product(const reading_eval *t, const equality *chain)
{
    const node *l = t->lhs->root, *r = t->rhs->root;
    const tokens *toks = t->k->t;
    if (l->is != N_MULTIPLY || r->is != N_MULTIPLY || fmpq_sgn(t->r) <= 0 ||
        fmpq_cmp(t->r, t->l) >= 0)
        return false;
    const node *const left[] = {l->a, l->b}, *const right[] = {r->a, r->b};
    for (size_t a = 0; a < 2; a++)
        for (size_t b = 0; b < 2; b++)
            if (left[a]->is == N_NUMBER && right[b]->is == N_NUMBER &&
                rdv_str_eq(tok_text(toks, left[a]->end - 1), tok_text(toks, right[b]->end - 1)) &&
                (rest_follows(toks, chain) || factor_comes_again(toks, chain, left[a]) ||
                 is_cut_short(toks, left[1 - a], right[1 - b])))
                return true;
    return false;
}

static const node *first_operand(const node *n)
{
    while ((n->is == N_ADD || n->is == N_SUBTRACT) && !n->grouped)
        n = n->a;
    return n;
}

static bool are_near(const reading_eval *t, const node *a, const node *b)
{
    evaluation ev = reading_eval_evaluation(t->k, READ_LITERALLY);
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    bool near = eval_exact(&ev, a, x) == EVAL_OK && eval_exact(&ev, b, y) == EVAL_OK &&
                fabs(fmpq_get_d(x) - fmpq_get_d(y)) <= ROUNDED * fabs(fmpq_get_d(x));
    fmpq_clear(x);
    fmpq_clear(y);
    return near;
}

/* "1 + 0.72 + 40 * 0.0064 = 0.256 + 63 * 0.5": is the first number of the right side what the last
 * piece of the left sum comes to? Where the last one is too, each piece was worked out. */
static bool goes_on_from_last(const reading_eval *t, const expression *before,
                              const expression *after)
{
    const node *sum = before->root, *first = first_operand(after->root);
    if ((sum->is != N_ADD && sum->is != N_SUBTRACT) || sum->grouped || sum->b->is == N_NUMBER ||
        before->n_letters || first == after->root || first->is != N_NUMBER)
        return false;
    return are_near(t, sum->b, first) && !are_near(t, sum->b, after->root->b) &&
           !are_near(t, before->root, after->root);
}

/* "1*4^3 + 3*4^2 + 2*4 + 1 = 64 + 3*16 = 48" in reasoning: is the right side what the first pieces
 * of the left sum come to, and does the chain go on? */
static bool works_out_first(const reading_eval *t, const equality *chain, size_t i)
{
    const node *sum = t->lhs->root, *r = t->rhs->root;
    bool begun = false;
    if (!t->k->thought || i + 2 >= chain->n || (r->is != N_ADD && r->is != N_SUBTRACT))
        return false;
    while (!begun && (sum->is == N_ADD || sum->is == N_SUBTRACT) && !sum->grouped) {
        sum = sum->a;
        begun = (sum->is == N_ADD || sum->is == N_SUBTRACT) && are_near(t, sum, r);
    }
    return begun;
}

/* "A = 1*1 + G = 4*10 + G = 4*100 = 1 + 40 + 400": does a letter that names the left side end the
 * sum before it, and does the right side end in what the left one comes to? */
static bool is_named_piece(const reading_eval *t, const equality *chain, size_t i)
{
    const node *before = i > 0 ? chain->term[i - 1].root : NULL, *sum = t->rhs->root;
    return before && before->is == N_ADD && !before->grouped && before->b->is == N_LETTER &&
           sum->is == N_ADD && !sum->grouped && are_near(t, t->lhs->root, sum->b);
}

/* "= (35258 - 35530) = -272 + 272": the left side's value, below zero, begins the right one. */
static bool runs_on_below_zero(const reading_eval *t)
{
    const node *first = first_operand(t->rhs->root);
    evaluation ev = reading_eval_evaluation(t->k, READ_LITERALLY);
    fmpq_t value;
    if (first == t->rhs->root || first->is != N_NEGATE || first->grouped ||
        expression_is_plain(t->lhs))
        return false;
    fmpq_init(value);
    bool runs = eval_exact(&ev, first, value) == EVAL_OK && fmpq_equal(value, t->l);
    fmpq_clear(value);
    return runs;
}

/* What is left of the sentence behind byte `i`, near it. */
static rdv_str rest_of_sentence(rdv_str s, size_t i)
{
    rdv_str near = rdv_slice(s, i, i + SENTENCE_REACH);
    size_t end = 0;
    while (end < near.len && near.p[end] != '\n' &&
           !(near.p[end] == '.' && end + 1 < near.len && near.p[end + 1] == ' '))
        end++;
    return rdv_slice(near, 0, end);
}

/* "1 (the middle) plus 48/2 = 24 pairs, for a total of 25", "8.5^2 is 8 * 8.5 = 68; 68 + 4.25 =
 * 72.25" in reasoning: the sentence goes on to the true value, which stands nowhere in the sides. A
 * number of one digit may stand there by chance. */
static bool sentence_gives_value(const reading_eval *t)
{
    const tokens *toks = t->k->t;
    rdv_str value = t->k->thought ? print_value(t->l, t->k->arena) : (rdv_str){0};
    if (value.len < 2 || rdv_find_char(value, '/', 0) != RDV_NOT_FOUND)
        return false;
    size_t begin = toks->at[t->lhs->begin].begin, end = toks->at[t->rhs->end - 1].end;
    return !literal_stands_in(rdv_slice(toks->text, begin, end), value) &&
           literal_stands_in(rest_of_sentence(toks->text, end), value);
}

/* ---- powers of ten --------------------------------------------------------------------------- */

static bool holds_power_of_ten(const tokens *t, const node *n)
{
    if (!n)
        return false;
    rdv_str s = n->is == N_NUMBER ? tok_text(t, n->end - 1) : (rdv_str){0};
    bool ten = n->is == N_POWER && n->a->is == N_NUMBER &&
               rdv_str_eq(tok_text(t, n->a->end - 1), RDV_STR("10"));
    return ten || rdv_find_char(s, 'e', 0) != RDV_NOT_FOUND ||
           rdv_find_char(s, 'E', 0) != RDV_NOT_FOUND || holds_power_of_ten(t, n->a) ||
           holds_power_of_ten(t, n->b);
}

/* The value without its powers of ten; NAN: it is no product. */
static double mantissa(const tokens *t, const node *n)
{
    if (n->is == N_MULTIPLY)
        return mantissa(t, n->a) * mantissa(t, n->b);
    if (n->is == N_DIVIDE)
        return mantissa(t, n->a) / mantissa(t, n->b);
    if (n->is == N_UNIT || n->is == N_NEGATE)
        return n->is == N_UNIT ? mantissa(t, n->a) : -mantissa(t, n->a);
    if (n->is == N_POWER && holds_power_of_ten(t, n))
        return 1;
    char text[32];
    rdv_str s = n->is == N_NUMBER ? tok_text(t, n->end - 1) : (rdv_str){0};
    size_t len = 0;
    for (size_t i = 0; i < s.len && s.p[i] != 'e' && s.p[i] != 'E' && len + 1 < sizeof text; i++)
        if (s.p[i] != ',')
            text[len++] = s.p[i];
    text[len] = 0;
    return len ? strtod(text, NULL) : (double)NAN;
}

/* Does the text write a power of ten? */
static bool writes_power(rdv_str s)
{
    for (size_t i = 1; i + 2 < s.len; i++) {
        bool e = (s.p[i] == 'e' || s.p[i] == 'E') && rdv_is_digit(s.p[i - 1]) &&
                 (rdv_is_digit(s.p[i + 1]) || rdv_is_digit(s.p[i + 2]));
        unsigned char raised = (unsigned char)s.p[i + 1];
        bool ten = s.p[i - 1] == '1' && s.p[i] == '0' &&
                   (raised == '^' || raised == 0xe2 || raised == 0xc2);
        if (e || ten)
            return true;
    }
    return false;
}

/* One side alone has a power of ten, and without it the sides agree. */
static bool carries_power(const reading_eval *t)
{
    const tokens *toks = t->k->t;
    bool left = holds_power_of_ten(toks, t->lhs->root);
    bool right = holds_power_of_ten(toks, t->rhs->root);
    if (left == right || expression_is_plain(t->lhs) || fmpq_is_zero(t->r))
        return false;
    double l = left ? mantissa(toks, t->lhs->root) : fmpq_get_d(t->l);
    double r = right ? mantissa(toks, t->rhs->root) : fmpq_get_d(t->r);
    if (!(fabs(l / r - 1) < NEAR))
        return false;
    if (t->k->thought && expression_is_scientific(toks, t->lhs) && expression_is_plain(t->rhs))
        return true; /* "6.23 × 10^-7, which is 6.23" */
    size_t begin = toks->at[t->lhs->begin].begin, end = toks->at[t->rhs->end - 1].end;
    rdv_str shown = rdv_trim(expression_text(toks, t->rhs));
    rdv_str behind = rdv_slice(toks->text, end, end + POWER_REACH);
    if (!right && !expression_is_plain(t->rhs)) /* "1.4e-23 * 9.1e15 = 1.4 * 9.1" */
        return true;
    if (right && rdv_find(behind, shown, 0) != RDV_NOT_FOUND)
        return true;
    return writes_power(
        left ? behind
             : rdv_slice(toks->text, begin > POWER_REACH ? begin - POWER_REACH : 0, begin));
}

/* ---- numbers that name ----------------------------------------------------------------------- */

/* "1 - 2 - 3=4 - 5": do dashes and signs of equality alone stand between numbers that count up? */
static bool counts_up(const tokens *t, const equality *chain)
{
    size_t numbers = 0, last = 0;
    for (size_t i = chain->term[0].begin; i < chain->term[chain->n - 1].end; i++) {
        if (t->at[i].kind == TOK_MINUS || t->at[i].kind == TOK_EQUAL)
            continue;
        if (!tok_is_plain_number(t, i) || !t->at[i].whole ||
            (numbers && (last + 2 != i || t->at[i].value != t->at[last].value + 1)))
            return false;
        numbers++;
        last = i;
    }
    return numbers > 3;
}

/* "4=2=6 < 1=3=5": bare numbers alone, beside which others are greater or less. */
static bool are_ranks(const tokens *t, const equality *chain)
{
    for (size_t k = 0; k < chain->n; k++)
        if (chain->term[k].root->is != N_NUMBER)
            return false;
    size_t begin = chain->term[0].begin, end = chain->term[chain->n - 1].end;
    return chain->n > 2 && (tok_kind_at(t, end) == TOK_RELATION ||
                            (begin > 0 && t->at[begin - 1].kind == TOK_RELATION));
}

const char *decomposition_explains(const reading_eval *t, const equality *chain, size_t i)
{
    if (counts_up(t->k->t, chain) || are_ranks(t->k->t, chain))
        return "numbers that may be names";
    if (t->literal != EVAL_OK)
        return NULL;
    if (is_first_piece(t, chain, i) || is_begun_power(t) || is_part_of_product(t, chain) ||
        is_part_of_sum(t, chain, i) || is_named_piece(t, chain, i) || works_out_first(t, chain, i))
        return "the first piece of what is worked out";
    if (runs_on_below_zero(t))
        return "perhaps a running calculation, without its result";
    if (goes_on_from_last(t, t->lhs, t->rhs) ||
        (i > 0 && goes_on_from_last(t, &chain->term[i - 1], t->lhs)))
        return "it goes on from the last piece of a sum";
    if (sentence_gives_value(t))
        return "the sentence goes on to the right value";
    if (carries_power(t))
        return "a power of ten that may be carried beside";
    return NULL;
}
