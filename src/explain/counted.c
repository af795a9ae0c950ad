/* SPDX-License-Identifier: Apache-2.0 */
/* Sides that count different things: things and their price, a share and its amount, percents and
 * their whole, degrees and radians. */
#include "explain/mismatch.h"

#include "base/str.h"
#include "expression/reading_eval.h"
#include "language/phrase.h"
#include "language/word_class.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define NEAR 100 /* bytes */
#define MAX_SHARE 20
#define MAX_WORTH 20 /* points for one thing */

/* ---- what a side counts ---------------------------------------------------------------------- */

static phrase_list money = {
    "$;\xe2\x82\xac;\xc2\xa3;\xc2\xa5;\xc2\xa2;\xe2\x82\xb9;cent;cents;dollar;dollars;"
    "euro;euros;pounds sterling;pence;rupee;rupees;rs;yuan;usd;eur;bucks;yen;coins"};

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
    static phrase_list worth = {"point;points;pts;mark;marks;credit;credits;calories;kcal"};
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
static bool lists_things(const mismatch *m)
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

/* ---- shares ---------------------------------------------------------------------------------- */

static bool is_whole(const fmpq_t x)
{
    return fmpz_is_one(fmpq_denref(x));
}

/* A fraction in lowest terms, or a whole, "4/4", or a sum of such. */
static bool is_share(const mismatch *m, const node *n)
{
    if (n->is == N_ADD || n->is == N_SUBTRACT)
        return is_share(m, n->a) && is_share(m, n->b);
    if (n->is != N_DIVIDE || n->a->is != N_NUMBER || n->b->is != N_NUMBER ||
        tok_text(m->k->t, n->b->end - 1).len > 2)
        return false;
    fmpq_t x, under;
    fmpq_init(x);
    fmpq_init(under);
    bool is = mismatch_value(m, n, x) && mismatch_value(m, n->b, under) &&
              fmpz_cmp_ui(fmpq_denref(x), MAX_SHARE) <= 0 &&
              (fmpq_is_one(x) || fmpz_equal(fmpq_numref(under), fmpq_denref(x)));
    fmpq_clear(x);
    fmpq_clear(under);
    return is;
}

/* "3/4 is equal to $15", "4/4 = $60": a share of something, and how much that is. */
static bool is_a_share(const mismatch *m)
{
    const tokens *t = m->k->t;
    bool part = m->lhs->root->is == N_DIVIDE && fmpq_cmp_ui(m->l, 1) < 0;
    if (m->i > 0 || !expression_is_plain(m->rhs) || !is_whole(m->r) || fmpq_sgn(m->l) <= 0 ||
        fmpq_cmp_ui(m->l, 1) > 0 || fmpq_cmp_ui(m->r, part ? 2 : 10) < 0 ||
        !is_share(m, m->lhs->root))
        return false;
    return is_money(t, m->rhs) || noun_of_result(t, m->rhs).p || noun_of_result(t, m->lhs).p;
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

/* "48 = 100% + 20%": the percents are those of a whole that is not written. */
static bool leaves_out_the_whole(const mismatch *m)
{
    bool left_plain = expression_is_plain(m->lhs), right_plain = expression_is_plain(m->rhs);
    const expression *whole = left_plain ? m->lhs : m->rhs, *parts = left_plain ? m->rhs : m->lhs;
    if (left_plain && has_percent(m->lhs->root) && !right_plain) /* "10% = 18000 x 10 / 90" */
        return !has_percent(m->rhs->root);
    return left_plain != right_plain && only_percents(parts->root) && !has_percent(whole->root);
}

/* "47 / 148 = 31.7" where percents are computed. */
static bool leaves_out_the_sign(const mismatch *m)
{
    if (!(m->cues & CUE_PERCENT) || has_percent(m->lhs->root) || has_percent(m->rhs->root))
        return false;
    fmpq_t scaled;
    fmpq_init(scaled);
    fmpq_set_ui(scaled, 100, 1);
    fmpq_mul(scaled, scaled, m->l);
    bool is = mismatch_shows(m, scaled);
    if (!is) {
        fmpq_set_ui(scaled, 1, 100);
        fmpq_mul(scaled, scaled, m->l);
        is = mismatch_shows(m, scaled);
    }
    fmpq_clear(scaled);
    return is;
}

/* "30/40 = 75", "13/15 = 86.7": a part of all, in percents without their sign. */
static bool is_a_part_in_percents(const mismatch *m)
{
    const node *n = m->lhs->root;
    if (n->is != N_DIVIDE || n->a->is != N_NUMBER || n->b->is != N_NUMBER || fmpq_sgn(m->l) <= 0 ||
        fmpq_cmp_ui(m->l, 1) >= 0 || fmpq_cmp_ui(m->r, 1) < 0)
        return false;
    fmpq_t percents;
    fmpq_init(percents);
    fmpq_mul_ui(percents, m->l, 100);
    bool is = is_whole(m->r) ? fmpq_equal(percents, m->r) : mismatch_shows(m, percents);
    fmpq_clear(percents);
    return is;
}

/* "The odds 3/1 = 25%": three parts against one. */
static bool states_odds(const mismatch *m)
{
    static phrase_list words = {"odds"};
    const node *n = m->lhs->root;
    if (!(m->cues & CUE_ODDS) || (n->is != N_DIVIDE && n->is != N_SUBTRACT) ||
        !phrase_in(mismatch_before(m, NEAR), &words))
        return false;
    if (n->is == N_DIVIDE)
        return true;
    fmpq_t a, b; /* "Odds of 3-1 = 25%" */
    fmpq_init(a);
    fmpq_init(b);
    bool is = mismatch_value(m, n->a, a) && mismatch_value(m, n->b, b);
    fmpq_add(a, a, b);
    is = is && mismatch_combine(b, N_DIVIDE, a) && mismatch_shows(m, b);
    fmpq_clear(a);
    fmpq_clear(b);
    return is;
}

/* ---- angles ---------------------------------------------------------------------------------- */

static bool has_degrees(const tokens *t, const expression *e)
{
    for (size_t i = e->begin; i <= e->end && i < t->n; i++)
        if (t->at[i].kind == TOK_DEGREE)
            return true;
    return false;
}

static bool has_pi(const tokens *t, const expression *e)
{
    for (size_t i = e->begin; i < e->end; i++)
        if (t->at[i].kind == TOK_PI)
            return true;
    return false;
}

/* "\frac{\pi}{3} = \frac{180^\circ}{\pi} \cdot \frac{\pi}{3}" */
static bool converts_angles(const mismatch *m)
{
    const tokens *t = m->k->t;
    bool l = has_degrees(t, m->lhs), r = has_degrees(t, m->rhs);
    return l != r && (has_pi(t, m->lhs) || has_pi(t, m->rhs));
}

/* ---- remainders ------------------------------------------------------------------------------ */

static bool follows_remainder(const mismatch *m)
{
    static phrase_list words = {"remainder;remain;left over;leftover;quotient;R;rem;leaves"};
    return phrase_in(mismatch_near(m), &words);
}

/* "578 ÷ 35 = 16……18": points stand before the remainder. */
static bool points_follow(const mismatch *m)
{
    static const char *const points[] = {"...", "\xe2\x80\xa6", "\xe2\x8b\xaf", "\xc2\xb7\xc2\xb7"};
    const tokens *t = m->k->t;
    size_t end = t->at[m->rhs->end - 1].end;
    rdv_str after = rdv_trim(rdv_slice(t->text, end, end + 8));
    for (size_t i = 0; i < COUNT(points); i++)
        if (rdv_starts(after, rdv_str_of(points[i])))
            return true;
    return false;
}

/* "5 % 3 = 2, 5 / 3 = 1": the remainder of the same numbers is computed too. */
static bool remainder_beside(const tokens *t, const node *n)
{
    if (n->a->is != N_NUMBER || n->b->is != N_NUMBER)
        return false;
    rdv_str a = tok_text(t, n->a->end - 1), b = tok_text(t, n->b->end - 1);
    size_t from = t->at[n->a->begin].begin;
    rdv_str near = rdv_slice(t->text, from > NEAR ? from - NEAR : 0, from + NEAR);
    for (size_t i = 0; (i = rdv_find(near, a, i)) != RDV_NOT_FOUND; i++) {
        rdv_str rest = rdv_trim(rdv_slice(near, i + a.len, near.len));
        if (!rdv_starts(rest, RDV_STR("%")) && !rdv_starts(rest, RDV_STR("mod ")))
            continue;
        rest = rdv_trim(rdv_slice(rest, rest.p[0] == '%' ? 1 : 4, rest.len));
        if (rdv_starts(rest, b) && !(rest.len > b.len && rdv_is_digit(rest.p[b.len])))
            return true;
    }
    return false;
}

/* "4 ÷ 6 = 0 with a remainder", "500 ÷ 13 = 13 · 38 + 6": a whole quotient. */
static bool divides_with_remainder(const mismatch *m)
{
    const node *n = m->lhs->root;
    if (n->is != N_DIVIDE ||
        !(points_follow(m) || follows_remainder(m) || remainder_beside(m->k->t, n)))
        return false;
    fmpq_t a, whole;
    fmpq_init(a);
    fmpq_init(whole);
    fmpz_fdiv_q(fmpq_numref(whole), fmpq_numref(m->l), fmpq_denref(m->l));
    bool quotient = fmpq_equal(whole, m->r);
    bool dividend = reading_eval_term_value(m->k, &(expression){.root = n->a}, a) == EVAL_OK &&
                    fmpq_equal(a, m->r);
    fmpq_clear(a);
    fmpq_clear(whole);
    return quotient || dividend;
}

/* "[70 / 5] + [70 / 25] = 14 + 2": square brackets around quotients take the whole part. */
static bool takes_whole_parts(const mismatch *m)
{
    const tokens *t = m->k->t;
    for (size_t i = m->lhs->begin; i < m->lhs->end; i++)
        if (t->at[i].kind == TOK_OPEN && t->at[i].sign == '[' && t->at[i].pair != TOK_NO_PAIR &&
            (t->at[i + 2].kind == TOK_DIVIDE || t->at[i + 1].kind == TOK_FRAC))
            return true;
    return false;
}

/* ---- signs and names ------------------------------------------------------------------------- */

/* "(18 - 25) / 25 * 100 = 28% loss": the word has the sign. */
static bool word_has_the_sign(const mismatch *m)
{
    static phrase_list words = {
        "loss;decrease*;less;lower;shorter;below;fewer;discount;deficit;reduction;reduced;"
        "drop*;declin*;colder;younger;behind;smaller;lighter;cheaper;owed;underwater"};
    const tokens *t = m->k->t;
    size_t last = m->rhs->end + 2 < t->n ? m->rhs->end + 2 : t->n - 1;
    rdv_str after = rdv_slice(t->text, t->at[m->rhs->begin].end, t->at[last].end);
    if (fmpq_sgn(m->l) >= 0 || !phrase_in(after, &words))
        return false;
    fmpq_t value;
    fmpq_init(value);
    fmpq_neg(value, m->l);
    bool is = mismatch_shows(m, value);
    fmpq_div_fmpz(value, value, (const fmpz[]){100});
    is = is || mismatch_shows(m, value);
    fmpq_clear(value);
    return is;
}

/* "the total weight of 50 + 70 students = 50 * 50 + 70 * 70": the sum belongs to the name. */
static bool belongs_to_a_name(const mismatch *m)
{
    static phrase_list names = {
        "weight*;cost;price*;age;ages;height*;salary;salaries;income;marks;wage*;score*;"
        "expenditure"};
    const tokens *t = m->k->t;
    size_t i = m->lhs->begin;
    rdv_str noun = noun_of_result(t, m->lhs), result = noun_of_result(t, m->rhs);
    return m->i == 0 && i >= 2 && t->at[i - 1].kind == TOK_WORD && t->at[i - 2].kind == TOK_WORD &&
           rdv_str_ieq(tok_text(t, i - 1), RDV_STR("of")) &&
           phrase_in(tok_text(t, i - 2), &names) && noun.p && is_noun(t, m->lhs->end - 1) &&
           !(result.p && same_noun(noun, result));
}

const char *mismatch_counted(const mismatch *m)
{
    if (lists_things(m))
        return "things on the left, what they are worth on the right";
    if (is_a_share(m))
        return "a share of a whole and its amount";
    if (leaves_out_the_whole(m))
        return "percents of a whole that is not written";
    if (leaves_out_the_sign(m) || is_a_part_in_percents(m))
        return "a percent sign may be left out";
    if (states_odds(m))
        return "odds, and the chance that they stand for";
    if (converts_angles(m))
        return "degrees and radians";
    if (divides_with_remainder(m))
        return "a quotient without its remainder";
    if (word_has_the_sign(m))
        return "the word after it may have the sign";
    if (belongs_to_a_name(m))
        return "it may belong to the words before it";
    if (takes_whole_parts(m))
        return "square brackets that may take the whole part";
    return NULL;
}
