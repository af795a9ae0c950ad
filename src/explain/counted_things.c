/* SPDX-License-Identifier: Apache-2.0 */
/* Sides that count different things: things and their price, percents and their whole, degrees and
 * radians. */
#include "explain/checks.h"

#include "base/str.h"
#include "language/phrase.h"
#include "language/word_class.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_WORTH 20 /* points for one thing */

/* ---- what a side counts ---------------------------------------------------------------------- */

static phrase_list money = {"@money"};

/* The side with the currency sign before it, which vanished with the signs of formulas, and the
 * word after it. */
static bool is_money(const tokens *t, const expression *e)
{
    size_t begin = t->at[e->begin].begin;
    size_t last = t->at[e->end].kind == TOK_WORD ? e->end + 1 : e->end;
    rdv_str text = rdv_slice(t->text, begin ? begin - 1 : 0, t->at[last - 1].end);
    return phrase_in(text, &money);
}

/* Is it a word that can name what is counted? */
static bool is_noun(const tokens *t, size_t i)
{
    if (t->at[i].kind != TOK_WORD)
        return false;
    rdv_str w = tok_text(t, i);
    return w.len > 1 && w.p[0] != '\\' && !(tok_class(t, i) & ~(unsigned)WORD_PART);
}

/* "pencil" and "pencils" are the same. */
static bool same_noun(rdv_str a, rdv_str b)
{
    if (a.len > b.len)
        return same_noun(b, a);
    rdv_str rest = rdv_slice(b, a.len, b.len);
    return rdv_str_ieq(a, rdv_slice(b, 0, a.len)) &&
           (!rest.len || rdv_str_ieq(rest, RDV_STR("s")) || rdv_str_ieq(rest, RDV_STR("es")));
}

/* The nouns that a sum's summands end with. */
typedef struct nouns {
    rdv_str first, other; /* other: one that differs from the first; p == NULL: there is none */
    bool sum;
} nouns;

static bool is_sum_sign(const tokens *t, size_t i)
{
    static const char *const signs[] = {"plus", "minus", "and"};
    return t->at[i].kind == TOK_PLUS || t->at[i].kind == TOK_MINUS ||
           (t->at[i].kind == TOK_WORD && rdv_is_one_of(tok_text(t, i), signs, COUNT(signs)));
}

static nouns nouns_of(const tokens *t, const expression *e)
{
    nouns out = {0};
    for (size_t i = e->begin + 1; i <= e->end; i++) {
        bool sign = i < e->end && is_sum_sign(t, i);
        out.sum |= sign;
        if ((!sign && i < e->end) || !is_noun(t, i - 1))
            continue;
        rdv_str noun = tok_text(t, i - 1);
        if (!out.first.p)
            out.first = noun;
        else if (!same_noun(out.first, noun))
            out.other = noun;
    }
    return out;
}

/* The noun in or right after the right side; p == NULL: there is none. */
static rdv_str noun_of_result(const tokens *t, const expression *e)
{
    for (size_t i = e->end + 1; i-- > e->begin + 1;)
        if (is_noun(t, i))
            return tok_text(t, i);
    return (rdv_str){0};
}

/* "3 wins + 5 draws = 14 points": are two things worth that, so many points each? */
static bool are_worth(const mismatch *m, rdv_str result)
{
    static phrase_list worth = {"@worth"};
    const node *n = m->lhs->root;
    if (!phrase_in(result, &worth) || n->is != N_ADD || fmpq_cmp(m->r, m->l) <= 0)
        return false;
    fmpq_t a, b, rest;
    fmpq_init(a);
    fmpq_init(b);
    fmpq_init(rest);
    bool is = false, known = mismatch_value(m, n->a, a) && mismatch_value(m, n->b, b);
    for (ulong each = 0; known && each <= MAX_WORTH && !is && fmpq_sgn(b) > 0; each++) {
        fmpq_mul_ui(rest, a, each);
        fmpq_sub(rest, m->r, rest);
        fmpq_div(rest, rest, b);
        is = fmpz_is_one(fmpq_denref(rest)) && fmpq_sgn(rest) >= 0 &&
             fmpq_cmp_ui(rest, MAX_WORTH) <= 0;
    }
    fmpq_clear(a);
    fmpq_clear(b);
    fmpq_clear(rest);
    return is;
}

/* "3 pencils + 1 eraser = 124 cents", "3 boxes + 2 pencils = 26 pencils", "2 bats + 3 balls =
 * 1300": the side on the left lists things, the side on the right says what they are worth. */
bool check_list_of_things(const mismatch *m)
{
    const tokens *t = m->k->t;
    nouns n = nouns_of(t, m->lhs);
    if (m->measured || !n.sum || !n.first.p)
        return false;
    if (is_money(t, m->rhs) && !is_money(t, m->lhs))
        return true;
    if (!n.other.p)
        return false;
    rdv_str result = noun_of_result(t, m->rhs);
    if (result.p && !same_noun(result, n.first) && !same_noun(result, n.other))
        return are_worth(m, result);
    if (result.p)
        return same_noun(result, n.first) != same_noun(result, n.other);
    fmpq_t most;
    fmpq_init(most);
    fmpq_add(most, m->l, m->l);
    fmpq_add(most, most, most);
    bool much = fmpq_cmp(m->r, most) >= 0;
    fmpq_clear(most);
    return much;
}

/* "3/4 = 15 students", "4/4 = $60", "3/4 students = 15" */
bool check_named_result(const mismatch *m)
{
    const tokens *t = m->k->t;
    return m->i == 0 &&
           (is_money(t, m->rhs) || noun_of_result(t, m->rhs).p || noun_of_result(t, m->lhs).p);
}

/* ---- percents -------------------------------------------------------------------------------- */

static bool only_percents(const node *n)
{
    if (!n || n->is == N_PERCENT)
        return true;
    return n->is != N_NUMBER && n->is != N_PI && n->is != N_CONSTANT && only_percents(n->a) &&
           only_percents(n->b);
}

static bool has_percent(const node *n)
{
    return n && (n->is == N_PERCENT || has_percent(n->a) || has_percent(n->b));
}

bool check_no_percent_sign(const mismatch *m)
{
    return !has_percent(m->lhs->root) && !has_percent(m->rhs->root);
}

/* "48 = 100% + 20%": the percents are those of a whole that is not written. */
bool check_percents_alone(const mismatch *m)
{
    bool left_plain = expression_is_plain(m->lhs), right_plain = expression_is_plain(m->rhs);
    const expression *whole = left_plain ? m->lhs : m->rhs, *parts = left_plain ? m->rhs : m->lhs;
    if (left_plain && has_percent(m->lhs->root) && !right_plain) /* "10% = 18000 x 10 / 90" */
        return !has_percent(m->rhs->root);
    return left_plain != right_plain && only_percents(parts->root) && !has_percent(whole->root);
}

/* ---- angles ---------------------------------------------------------------------------------- */

static bool has_token(const tokens *t, const expression *e, tok_kind kind)
{
    for (size_t i = e->begin; i <= e->end && i < t->n; i++)
        if (t->at[i].kind == kind)
            return true;
    return false;
}

/* "\frac{\pi}{3} = \frac{180^\circ}{\pi} \cdot \frac{\pi}{3}" */
bool check_degrees_and_radians(const mismatch *m)
{
    const tokens *t = m->k->t;
    return has_token(t, m->lhs, TOK_DEGREE) != has_token(t, m->rhs, TOK_DEGREE) &&
           (has_token(t, m->lhs, TOK_PI) || has_token(t, m->rhs, TOK_PI));
}

/* ---- brackets -------------------------------------------------------------------------------- */

/* "[70 / 5] + [70 / 25] = 14 + 2": square brackets around quotients take the whole part. */
bool check_square_brackets(const mismatch *m)
{
    const tokens *t = m->k->t;
    for (size_t i = m->lhs->begin; i < m->lhs->end; i++)
        if (t->at[i].kind == TOK_OPEN && t->at[i].sign == '[' && t->at[i].pair != TOK_NO_PAIR &&
            (t->at[i + 2].kind == TOK_DIVIDE || t->at[i + 1].kind == TOK_FRAC))
            return true;
    return false;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* "the total weight of 50 + 70 students = 50 * 50 + 70 * 70": the sum belongs to the name. */
bool check_name_before(const mismatch *m)
{
    const tokens *t = m->k->t;
    rdv_str noun = noun_of_result(t, m->lhs), result = noun_of_result(t, m->rhs);
    return m->i == 0 && noun.p && is_noun(t, m->lhs->end - 1) &&
           !(result.p && same_noun(noun, result));
}
