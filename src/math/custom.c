/* SPDX-License-Identifier: Apache-2.0 */
/* What a trade or a game means by the usual signs: records of wins, clock times, levels in
 * decibels, intervals of music, odds, points out of points. Each custom must explain the right side
 * exactly, so that few errors can hide behind it. */
#include "math/mismatch.h"

#include "base/str.h"
#include "math/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define NEAR 100     /* bytes beside the equality */
#define LATER 200    /* bytes in which the same side may stand again */
#define MAX_JOINED 5 /* numbers that hyphens join */

/* What the words near it speak of: bits in the order of the classes of said_near(). */
enum {
    AT_RIGHT_ANGLES = 1,
    IN_PARALLEL = 2,
    BOTH_ENDS = 4,
    RELATIVISTIC = 8,
    ODDS = 16,
    OUT_OF = 32,
    FOR_FREE = 64,
    DOUBLED = 128,
    MIXED = 256,
    BITS = 512,
    ERAS = 1024,
    OVERLAP = 2048
};

static unsigned said_near(rdv_str s)
{
    static phrase_list words = {{"perpendicular*",
                                 "right angle*",
                                 "orthogonal*",
                                 "quadrature",
                                 "vector",
                                 "vectors",
                                 "resultant",
                                 PHRASE_NEXT_CLASS,
                                 "parallel",
                                 PHRASE_NEXT_CLASS,
                                 "octave*",
                                 "in music",
                                 "music theory",
                                 "intervals",
                                 "no year 0",
                                 "no year zero",
                                 "inclusive*",
                                 "counting both",
                                 "counted twice",
                                 PHRASE_NEXT_CLASS,
                                 "relativis*",
                                 PHRASE_NEXT_CLASS,
                                 "odds",
                                 PHRASE_NEXT_CLASS,
                                 "mediant*",
                                 "batting",
                                 "score",
                                 "scores",
                                 "scored",
                                 "points",
                                 "marks",
                                 "quiz*",
                                 "exam*",
                                 "out of",
                                 "i got",
                                 "simpson*",
                                 PHRASE_NEXT_CLASS,
                                 "bogo",
                                 "2 for 1",
                                 "two for one",
                                 "1 free",
                                 "one free",
                                 PHRASE_NEXT_CLASS,
                                 "double word",
                                 "triple word",
                                 "double points",
                                 PHRASE_NEXT_CLASS,
                                 "when mixed",
                                 "if mixed",
                                 "alcohol",
                                 "ethanol",
                                 "dissolv*",
                                 "syrup",
                                 PHRASE_NEXT_CLASS,
                                 "&",
                                 "|",
                                 "~",
                                 "<<",
                                 PHRASE_NEXT_CLASS,
                                 "bc",
                                 "bce",
                                 PHRASE_NEXT_CLASS,
                                 "in both",
                                 "overlap*"}};
    return phrase_classes_in(s, &words);
}

static rdv_str before(const mismatch *m, size_t bytes)
{
    size_t begin = m->k->t->at[m->lhs->begin].begin;
    return rdv_slice(m->k->t->text, begin > bytes ? begin - bytes : 0, begin);
}

static rdv_str after(const mismatch *m, size_t bytes)
{
    size_t end = m->k->t->at[m->rhs->end - 1].end;
    return rdv_slice(m->k->t->text, end, end + bytes);
}

static const node *bare(const node *n)
{
    while (n->is == N_UNIT)
        n = n->a;
    return n;
}

static bool value_of(const mismatch *m, const node *n, fmpq_t out)
{
    return decide_term_value(m->k, &(expression){.root = (node *)n}, out) == EVAL_OK;
}

/* ---- numbers side by side -------------------------------------------------------------------- */

/* The whole number in token `i`; -1: there is none, or it is large. */
static slong whole_at(const tokens *t, size_t i)
{
    rdv_str s = tok_text(t, i);
    slong x = 0;
    if (t->at[i].kind != TOK_NUMBER || t->at[i].vulgar || s.len > 4)
        return -1;
    for (size_t k = 0; k < s.len; k++) {
        if (!rdv_is_digit(s.p[k]))
            return -1;
        x = x * 10 + (s.p[k] - '0');
    }
    return x;
}

/* The whole numbers that hyphens without blanks join from token `i` on, 2 to 5; 0: others. */
static size_t joined_at(const tokens *t, size_t i, size_t end, slong out[MAX_JOINED])
{
    size_t n = 0;
    for (; n < MAX_JOINED; i += 2) {
        if (i >= end || (out[n] = whole_at(t, i)) < 0 || (n && t->at[i].space_before))
            return 0;
        n++;
        if (i + 1 >= end || t->at[i + 1].kind != TOK_MINUS || t->at[i + 1].space_before)
            break;
    }
    return n >= 2 ? n : 0;
}

static bool shows(const mismatch *m, slong num, slong den)
{
    fmpq_t x;
    fmpq_init(x);
    fmpq_set_si(x, num, (ulong)den);
    bool is = mismatch_shows(m, x);
    fmpq_clear(x);
    return is;
}

/* "4-4-2 = 10 players", "10-5-3 = 35 points", "The record is 12-4 = .750", "NPK 20-5-10 = 35%":
 * wins, draws and losses, or the parts of a whole, and what they come to. */
static bool is_a_record(const mismatch *m)
{
    static phrase_list all = {{"games", "matches", "players", "played", "cards"}};
    slong x[MAX_JOINED], sum = 0;
    size_t n = joined_at(m->k->t, m->lhs->begin, m->lhs->end, x);
    if (m->i > 0 || !n || m->lhs->n_operators != n - 1)
        return false;
    if (n == 2) /* 99 and 16 thirty-seconds of a bond */
        return (x[0] + x[1] > 0 && shows(m, x[0], x[0] + x[1]) && fmpq_cmp_ui(m->r, 1) < 0) ||
               (x[1] < 32 && x[1] > 0 && shows(m, 32 * x[0] + x[1], 32));
    for (slong win = 2; win <= 3 && n == 3; win++)
        if (shows(m, win * x[0] + x[1], 1) || shows(m, win * x[0] + x[2], 1))
            return true;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return ((fmpq_sgn(m->l) <= 0 || phrase_in(after(m, 20), &all)) && shows(m, sum, 1)) ||
           shows(m, sum, 100);
}

/* "6-4, 3-6, 7-6 = 2 sets to 1": the last score of a list. */
static bool ends_a_list_of_scores(const mismatch *m)
{
    const tokens *t = m->k->t;
    slong x[MAX_JOINED];
    size_t i = m->lhs->begin;
    return m->i == 0 && i >= 4 && t->at[i - 1].kind == TOK_COMMA &&
           joined_at(t, i - 4, i - 1, x) == 2 && joined_at(t, i, m->lhs->end, x) == 2 &&
           m->lhs->n_operators == 1;
}

/* ---- clocks and dates ------------------------------------------------------------------------ */

/* Minutes of "7.30"; -1: it is no such time. */
static slong minutes_of(const tokens *t, const node *n)
{
    rdv_str s = n->is == N_NUMBER ? tok_text(t, n->end - 1) : (rdv_str){0};
    size_t point = rdv_find_char(s, '.', 0);
    if (point == RDV_NOT_FOUND || point == 0 || point > 2 || s.len != point + 3)
        return -1;
    slong hours = 0, minutes = (s.p[point + 1] - '0') * 10 + (s.p[point + 2] - '0');
    for (size_t i = 0; i < point; i++)
        hours = hours * 10 + (s.p[i] - '0');
    return minutes < 60 ? hours * 60 + minutes : -1;
}

static bool counts_hours(const mismatch *m)
{
    static phrase_list words = {{"h", "hr", "hrs", "hour", "hours"}};
    size_t begin = m->k->t->at[m->rhs->begin].begin;
    return phrase_in(rdv_slice(m->k->t->text, begin, begin + 30), &words);
}

/* "9-5 = 8 hours", "11 pm - 7 am = 8 hours", "7.30 - 9.00 = 1.5 hours": from a time to another. */
static bool is_a_time_span(const mismatch *m, const node *n, const fmpq_t a, const fmpq_t b)
{
    if (n->is != N_SUBTRACT || !counts_hours(m))
        return false;
    slong from = minutes_of(m->k->t, bare(n->a)), to = minutes_of(m->k->t, bare(n->b));
    if (from >= 0 && to >= 0)
        return shows(m, to >= from ? to - from : to - from + 12 * 60, 60);
    if (fmpq_sgn(b) <= 0 || fmpq_cmp_ui(a, 12) > 0 || fmpq_cmp(b, a) >= 0)
        return false;
    fmpq_t span;
    fmpq_init(span);
    fmpq_set_ui(span, 12, 1);
    fmpq_sub(span, span, m->l);
    bool is = fmpq_equal(span, m->r);
    fmpq_clear(span);
    return is;
}

/* Parts of a whole after the point, `base` of which make one: "12.4" overs; -1: others. */
static slong parts_of(const tokens *t, const node *n, slong base)
{
    rdv_str s = n->is == N_NUMBER ? tok_text(t, n->end - 1) : (rdv_str){0};
    slong whole = 0;
    if (s.len < 3 || s.len > 5 || s.p[s.len - 2] != '.')
        return -1;
    for (size_t i = 0; i + 2 < s.len; i++)
        whole = whole * 10 + (s.p[i] - '0');
    slong part = s.p[s.len - 1] - '0';
    return part < base ? whole * base + part : -1;
}

/* "12.4 + 0.4 = 13.2 overs" of six balls, "1.1 + 1.2 = 3.0 innings" of three outs */
static bool adds_overs(const mismatch *m, const node *n)
{
    static phrase_list overs = {{"over", "overs"}}, innings = {{"inning", "innings", "IP"}};
    size_t begin = m->k->t->at[m->lhs->begin].begin, end = m->k->t->at[m->rhs->end - 1].end;
    rdv_str around = rdv_slice(m->k->t->text, begin > 30 ? begin - 30 : 0, end + 30);
    slong base = phrase_in(around, &overs) ? 6 : phrase_in(around, &innings) ? 3 : 0;
    if (!base || (n->is != N_ADD && n->is != N_SUBTRACT))
        return false;
    slong a = parts_of(m->k->t, bare(n->a), base), b = parts_of(m->k->t, bare(n->b), base),
          c = parts_of(m->k->t, bare(m->rhs->root), base);
    return a >= 0 && b >= 0 && c >= 0 && c == (n->is == N_ADD ? a + b : a - b);
}

/* "1.45 + 0.30 = 2.15 (hours and minutes)" */
static bool adds_hours_and_minutes(const mismatch *m, const node *n)
{
    static phrase_list words = {{"hours and minutes", "hh.mm", "h.mm", "o'clock"}};
    const tokens *t = m->k->t;
    slong a = minutes_of(t, bare(n->a)), b = minutes_of(t, bare(n->b)),
          c = minutes_of(t, bare(m->rhs->root));
    return a >= 0 && b >= 0 && c >= 0 && c == (n->is == N_ADD ? a + b : a - b) &&
           (phrase_in(before(m, NEAR), &words) || phrase_in(after(m, NEAR), &words));
}

static bool is_pair(const node *n)
{
    return n->is == N_DIVIDE && n->a->is == N_NUMBER && n->b->is == N_NUMBER;
}

/* "5/3 + 10 days = 15/3" */
static bool is_a_date(const mismatch *m)
{
    const node *n = m->lhs->root;
    return (n->is == N_ADD || n->is == N_SUBTRACT) && is_pair(n->a) && n->b->is == N_UNIT &&
           n->b->unit->power[BASE_SECOND] == 1 && is_pair(m->rhs->root);
}

/* ---- two numbers ----------------------------------------------------------------------------- */

static bool squares_add(const fmpq_t a, const fmpq_t b, const fmpq_t c)
{
    fmpq_t sum, x;
    fmpq_init(sum);
    fmpq_init(x);
    fmpq_mul(sum, a, a);
    fmpq_addmul(sum, b, b);
    fmpq_mul(x, c, c);
    bool is = fmpq_equal(sum, x);
    fmpq_clear(sum);
    fmpq_clear(x);
    return is;
}

/* 1/a + 1/b = 1/c */
static bool reciprocals_add(const fmpq_t a, const fmpq_t b, const fmpq_t c)
{
    fmpq_t product, sum;
    fmpq_init(product);
    fmpq_init(sum);
    fmpq_mul(product, a, b);
    fmpq_add(sum, a, b);
    fmpq_mul(sum, sum, c);
    bool is = fmpq_equal(product, sum);
    fmpq_clear(product);
    fmpq_clear(sum);
    return is;
}

/* Does l differ from r by one? */
static bool differ_by_one(const mismatch *m)
{
    fmpq_t d;
    fmpq_init(d);
    fmpq_sub(d, m->l, m->r);
    fmpq_abs(d, d);
    bool is = fmpq_is_one(d);
    fmpq_clear(d);
    return is;
}

/* "60 dB + 60 dB = 63 dB": of two sources, the louder one and at most 3.01 dB. */
static bool adds_levels(const mismatch *m, const node *n, const fmpq_t a, const fmpq_t b)
{
    if (n->a->is != N_UNIT || n->b->is != N_UNIT ||
        !rdv_str_eq(tok_text(m->k->t, m->lhs->end - 1), RDV_STR("dB")))
        return false;
    fmpq_t more;
    fmpq_init(more);
    fmpq_sub(more, m->r, fmpq_cmp(a, b) > 0 ? a : b);
    fmpq_mul_ui(more, more, 10);
    bool is = fmpq_sgn(more) >= 0 && fmpq_cmp_ui(more, 31) < 0;
    fmpq_clear(more);
    return is;
}

/* "20% + 20% off = 36% off", "+10% +10% = +21%": one after the other. */
static bool compounds(const mismatch *m, const node *n, const fmpq_t a, const fmpq_t b)
{
    if (bare(n->a)->is != N_PERCENT || bare(n->b)->is != N_PERCENT)
        return false;
    fmpq_t product, x;
    fmpq_init(product);
    fmpq_init(x);
    fmpq_mul(product, a, b);
    fmpq_add(x, m->l, product);
    bool is = fmpq_equal(x, m->r);
    fmpq_sub(x, m->l, product);
    is = is || fmpq_equal(x, m->r);
    fmpq_clear(product);
    fmpq_clear(x);
    return is;
}

/* "Scores 8/10 + 7/10 = 15/20": both lines are added. */
static bool adds_both_lines(const mismatch *m)
{
    const node *l = m->lhs->root, *r = m->rhs->root;
    const tokens *t = m->k->t;
    if (l->is != N_ADD || !is_pair(l->a) || !is_pair(l->b) || !is_pair(r))
        return false;
    slong x[6];
    const node *leaf[6] = {l->a->a, l->a->b, l->b->a, l->b->b, r->a, r->b};
    for (size_t i = 0; i < COUNT(leaf); i++)
        if ((x[i] = whole_at(t, leaf[i]->end - 1)) < 0)
            return false;
    return x[0] + x[2] == x[4] && x[1] + x[3] == x[5];
}

/* "Buy 3 get 1 free: 4 x $5 = $15": fewer are paid, each in full. */
static bool pays_for_fewer(const mismatch *m, const node *n, const fmpq_t price)
{
    if (fmpq_sgn(price) <= 0 || fmpq_cmp(m->r, m->l) >= 0 || fmpq_sgn(m->r) <= 0 ||
        (n->is != N_MULTIPLY && n->is != N_ADD))
        return false;
    fmpq_t paid;
    fmpq_init(paid);
    fmpq_div(paid, m->r, price);
    bool is = fmpz_is_one(fmpq_denref(paid));
    fmpq_clear(paid);
    return is;
}

/* "(3 + 1 + 1) = 10" of a word that counts twice, or three times. */
static bool counts_again(const mismatch *m)
{
    fmpq_t times;
    fmpq_init(times);
    if (!fmpq_is_zero(m->l))
        fmpq_div(times, m->r, m->l);
    bool is = fmpq_equal_ui(times, 2) || fmpq_equal_ui(times, 3);
    fmpq_clear(times);
    return is;
}

/* "50 mL alcohol + 50 mL water = 96 mL": less than the sum, and not less than both parts. */
static bool mixes(const mismatch *m, const fmpq_t a, const fmpq_t b)
{
    return fmpq_cmp(m->r, m->l) < 0 && (fmpq_cmp(m->r, a) >= 0 || fmpq_cmp(m->r, b) >= 0);
}

/* "5 & 3 = 1, 5 ^ 3 = 6": the caret among signs for bits. */
static bool is_exclusive_or(const mismatch *m, const node *n)
{
    if (n->is != N_POWER || n->a->is != N_NUMBER || n->b->is != N_NUMBER)
        return false;
    slong a = whole_at(m->k->t, n->a->end - 1), b = whole_at(m->k->t, n->b->end - 1);
    return a >= 0 && b >= 0 && fmpq_cmp_si(m->r, a ^ b) == 0;
}

/* "100 BC + 200 = 101 AD" */
static bool passes_the_year_1(const mismatch *m, const fmpq_t a, const fmpq_t b)
{
    fmpq_t year;
    fmpq_init(year);
    fmpq_sub(year, b, a);
    fmpq_add_si(year, year, 1);
    bool is = fmpq_equal(year, m->r);
    fmpq_clear(year);
    return is;
}

/* "12 rows + 12 rows = 1 repeat", "8 + 1 = 1 crew": no slip makes one of them. */
static bool makes_one(const mismatch *m, const fmpq_t a, const fmpq_t b)
{
    const tokens *t = m->k->t;
    size_t end = m->rhs->begin + 1;
    return fmpq_is_one(m->r) && fmpq_cmp_ui(a, 1) >= 0 && fmpq_cmp_ui(b, 1) >= 0 &&
           !m->rhs->n_units && t->at[m->rhs->begin].kind == TOK_NUMBER &&
           t->at[end].kind == TOK_WORD && tok_text(t, end).len > 2;
}

static const char *of_two(const mismatch *m, const node *n, const fmpq_t a, const fmpq_t b,
                          unsigned said)
{
    bool sum = n->is == N_ADD;
    if (sum && (said & AT_RIGHT_ANGLES) && squares_add(a, b, m->r))
        return "lengths at right angles";
    if (sum && (said & IN_PARALLEL) && reciprocals_add(a, b, m->r))
        return "resistors in parallel";
    if ((said & BOTH_ENDS) && differ_by_one(m))
        return "both ends may be counted";
    if (sum && (said & RELATIVISTIC) && fmpq_cmp(m->r, m->l) < 0)
        return "speeds near that of light";
    if (sum && (said & MIXED) && mixes(m, a, b))
        return "what is mixed may take less room";
    if (sum && adds_levels(m, n, a, b))
        return "levels of two sources";
    if (sum && compounds(m, n, a, b))
        return "percentages one after the other";
    if ((said & FOR_FREE) && (pays_for_fewer(m, n, b) || pays_for_fewer(m, n, a)))
        return "some of them may be free";
    if (n->is == N_DIVIDE && (said & ODDS) && differ_by_one(m))
        return "odds, and what is paid back";
    if (is_a_time_span(m, n, a, b) || adds_hours_and_minutes(m, n))
        return "it may be clock times";
    if (adds_overs(m, n))
        return "overs or innings";
    if (sum && (said & ERAS) && passes_the_year_1(m, a, b))
        return "there is no year 0";
    if (sum && (said & OVERLAP) && fmpq_cmp(m->r, m->l) < 0 && fmpq_cmp(m->r, a) >= 0 &&
        fmpq_cmp(m->r, b) >= 0)
        return "what is in both may be counted once";
    if (sum && makes_one(m, a, b))
        return "they may make one of something";
    return (said & BITS) && is_exclusive_or(m, n) ? "the caret may be an exclusive or" : NULL;
}

static bool has_two_parts(node_is is)
{
    return is == N_ADD || is == N_SUBTRACT || is == N_MULTIPLY || is == N_DIVIDE || is == N_POWER;
}

static const char *of_parts(const mismatch *m, unsigned said)
{
    const node *n = bare(m->lhs->root);
    if (!has_two_parts(n->is))
        return NULL;
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    bool known = value_of(m, n->a, a) && value_of(m, n->b, b);
    const char *why = known ? of_two(m, n, a, b, said) : NULL;
    fmpq_clear(a);
    fmpq_clear(b);
    return why;
}

/* ---- what stands beside it ------------------------------------------------------------------- */

/* "4 walls of 5 m x 2.5 m = 50 m²" */
static bool times_the_number_before(const mismatch *m)
{
    const tokens *t = m->k->t;
    size_t i = m->lhs->begin;
    if (m->i > 0 || i < 3 || t->at[i - 1].kind != TOK_WORD || t->at[i - 2].kind != TOK_WORD ||
        !rdv_str_ieq(tok_text(t, i - 1), RDV_STR("of")) || m->lhs->root->is != N_MULTIPLY)
        return false;
    slong n = whole_at(t, i - 3);
    if (n < 2)
        return false;
    fmpq_t all;
    fmpq_init(all);
    fmpq_mul_si(all, m->l, n);
    bool is = fmpq_equal(all, m->r);
    fmpq_clear(all);
    return is;
}

/* "40 + 20 = 6 tens" */
static bool counts_groups(const mismatch *m)
{
    static const struct {
        const char *word;
        ulong size;
    } groups[] = {{"tens", 10},   {"hundreds", 100}, {"thousands", 1000}, {"dozen", 12},
                  {"dozens", 12}, {"ten", 10},       {"hundred", 100}};
    const tokens *t = m->k->t;
    for (size_t i = m->rhs->begin + 1; i <= m->rhs->end; i++)
        for (size_t k = 0; k < COUNT(groups) && t->at[i].kind == TOK_WORD; k++) {
            if (!rdv_str_ieq(tok_text(t, i), rdv_str_of(groups[k].word)))
                continue;
            fmpq_t all;
            fmpq_init(all);
            fmpq_mul_ui(all, m->r, groups[k].size);
            bool is = fmpq_equal(all, m->l);
            fmpq_clear(all);
            return is;
        }
    return false;
}

/* The first summand, and what stands left of the second one. */
static const node *first_summand(const node *n, const node **sum)
{
    for (*sum = NULL; (n->is == N_ADD || n->is == N_SUBTRACT) && !n->grouped; n = n->a)
        *sum = n;
    return n;
}

/* "1.3 + 4 = 7" at the beginning of a line: the number of an item, and no blank after it. */
static bool begins_with_an_item(const mismatch *m)
{
    const tokens *t = m->k->t;
    const node *sum, *first = first_summand(m->lhs->root, &sum);
    size_t begin = m->lhs->begin;
    if (m->i > 0 || !sum || first->is != N_NUMBER ||
        (begin && t->at[begin - 1].kind != TOK_NEWLINE))
        return false;
    rdv_str s = tok_text(t, first->end - 1);
    size_t point = rdv_find_char(s, '.', 0);
    if (point == RDV_NOT_FOUND || point == 0 || point > 2 || s.len > point + 4)
        return false;
    slong rest = 0;
    for (size_t i = point + 1; i < s.len; i++)
        rest = rest * 10 + (s.p[i] - '0');
    fmpq_t x, value;
    fmpq_init(x);
    fmpq_init(value);
    bool is = value_of(m, first, x);
    fmpq_sub(value, m->l, x);
    fmpq_add_si(value, value, rest);
    is = is && fmpq_equal(value, m->r);
    fmpq_clear(x);
    fmpq_clear(value);
    return is;
}

/* "Day 1 - 3 + 4 = 7 miles": a label, a dash and a calculation. */
static bool begins_with_a_label(const mismatch *m)
{
    static phrase_list labels = {{"day", "week", "step", "part", "case", "item", "problem",
                                  "question", "exercise", "example", "round", "line", "task"}};
    const tokens *t = m->k->t;
    const node *sum, *first = first_summand(m->lhs->root, &sum);
    size_t i = m->lhs->begin;
    if (m->i > 0 || !sum || sum->is != N_SUBTRACT || i == 0 || first->is != N_NUMBER ||
        t->at[i - 1].kind != TOK_WORD || !phrase_in(tok_text(t, i - 1), &labels) ||
        !t->at[i + 1].space_before || !t->at[i + 2].space_before)
        return false;
    fmpq_t x, second;
    fmpq_init(x);
    fmpq_init(second);
    bool is = value_of(m, first, x) && value_of(m, sum->b, second);
    fmpq_sub(x, m->l, x);
    fmpq_add(x, x, second);
    fmpq_add(x, x, second);
    is = is && fmpq_equal(x, m->r);
    fmpq_clear(x);
    fmpq_clear(second);
    return is;
}

/* "If + means x": the text gives a usual sign another meaning. */
static bool gives_sign_a_meaning(rdv_str s)
{
    static const char *const verbs[] = {"means ",      "stands for ",     "denotes ",
                                        "represents ", "is replaced by ", "are interchanged",
                                        "is read as "};
    for (size_t k = 0; k < COUNT(verbs); k++)
        for (size_t i = 0; (i = rdv_ifind(s, rdv_str_of(verbs[k]), i)) != RDV_NOT_FOUND; i++) {
            rdv_str left = rdv_trim_end(rdv_slice(s, 0, i));
            while (left.len && (left.p[left.len - 1] == '\'' || left.p[left.len - 1] == '"' ||
                                left.p[left.len - 1] == '$'))
                left.len--;
            if (left.len &&
                (strchr("+-*/", left.p[left.len - 1]) || rdv_ends(left, RDV_STR("\xc3\x97")) ||
                 rdv_ends(left, RDV_STR("\xc3\xb7")) || rdv_ends(left, RDV_STR("\xe2\x88\x92"))))
                return true;
        }
    return false;
}

/* ---- machines -------------------------------------------------------------------------------- */

/* "127 + 1 = -128", "255 + 1 = 0": integers of 8, 16, 32 or 64 bits overflow by one turn. */
static bool overflows(const mismatch *m)
{
    bool is = false;
    fmpq_t turn, half, difference;
    fmpq_init(turn);
    fmpq_init(half);
    fmpq_init(difference);
    fmpq_sub(difference, m->l, m->r);
    for (ulong bits = 8; bits <= 64 && !is; bits *= 2) {
        fmpq_one(turn);
        fmpq_mul_2exp(turn, turn, bits);
        fmpq_div_2exp(half, turn, 1);
        bool in_turn = fmpq_sgn(m->r) < 0 ? fmpq_cmp(m->l, half) >= 0 : fmpq_cmp(m->l, turn) >= 0;
        is = fmpq_equal(difference, turn) && in_turn && fmpz_is_one(fmpq_denref(m->l));
    }
    fmpq_clear(turn);
    fmpq_clear(half);
    fmpq_clear(difference);
    return is;
}

/* "9007199254740992 + 1 = 9007199254740992": a sum of two whole numbers, one of which has more than
 * the 53 bits of a float, but fits in 64. */
static bool is_absorbed(const mismatch *m)
{
    const node *n = m->lhs->root;
    return n->is == N_ADD && fmpz_is_one(fmpq_denref(m->l)) && fmpz_bits(fmpq_numref(m->l)) > 53 &&
           fmpz_bits(fmpq_numref(m->l)) <= 64 &&
           fmpz_get_d(fmpq_numref(m->l)) == fmpz_get_d(fmpq_numref(m->r)) &&
           fmpz_is_one(fmpq_denref(m->r));
}

/* ---- what is said of the value later --------------------------------------------------------- */

/* Does the whole number l begin at byte `i`, after blanks? */
static bool value_at(const mismatch *m, rdv_str s, size_t i)
{
    while (i < s.len && s.p[i] == ' ')
        i++;
    ulong x = 0;
    size_t digits = 0;
    for (; i < s.len && rdv_is_digit(s.p[i]) && digits < 15; digits++)
        x = x * 10 + (ulong)(s.p[i++] - '0');
    bool whole = i >= s.len || !(s.p[i] == '.' && i + 1 < s.len && rdv_is_digit(s.p[i + 1]));
    return digits && whole && fmpz_is_one(fmpq_denref(m->l)) && fmpq_sgn(m->l) >= 0 &&
           fmpz_equal_ui(fmpq_numref(m->l), x);
}

/* "It printed 12 * 13 = 146 instead of 156", "got 2 + 2 = 5, expected 4" */
static bool is_set_right(const mismatch *m)
{
    static const char *const words[] = {"instead of", "expected", "rather than", "and not"};
    rdv_str s = after(m, 40);
    for (size_t k = 0; k < COUNT(words); k++) {
        size_t i = rdv_ifind(s, rdv_str_of(words[k]), 0);
        if (i != RDV_NOT_FOUND && value_at(m, s, i + strlen(words[k])))
            return true;
    }
    return false;
}

static bool has_word(rdv_str s)
{
    for (size_t i = 0; i + 2 < s.len; i++)
        if (rdv_is_alpha(s.p[i]) && rdv_is_alpha(s.p[i + 1]) && rdv_is_alpha(s.p[i + 2]))
            return true;
    return false;
}

/* "Before: 3 + 4 = 8. After: 3 + 4 = 7.", "A. 3 + 4 = 6 B. 3 + 4 = 7 C. 3 + 4 = 8": the same side
 * is given its true value later, after a word, or three values. */
static bool is_given_anew(const mismatch *m)
{
    const tokens *t = m->k->t;
    size_t begin = t->at[m->lhs->begin].begin, end = t->at[m->lhs->end - 1].end, values = 0;
    rdv_str side = rdv_slice(t->text, begin, end), s;
    s = rdv_slice(t->text, begin > LATER ? begin - LATER : 0, end + LATER);
    size_t own = begin > LATER ? LATER : begin;
    if (side.len < 3 || m->i > 0)
        return false;
    for (size_t i = 0; (i = rdv_find(s, side, i)) != RDV_NOT_FOUND; i += side.len) {
        size_t sign = i + side.len;
        while (sign < s.len && s.p[sign] == ' ')
            sign++;
        if (sign >= s.len || s.p[sign] != '=' || (i && rdv_is_digit(s.p[i - 1])))
            continue;
        values++;
        if (i > own && value_at(m, s, sign + 1) && has_word(rdv_slice(s, own + side.len, i)))
            return true;
    }
    return values >= 3;
}

/* ---- accounts -------------------------------------------------------------------------------- */

/* The sum where a number in brackets is below zero. */
static bool sum_of_account(const mismatch *m, const node *n, fmpq_t out, bool *bracket)
{
    if (n->is == N_NUMBER) {
        bool ok = value_of(m, n, out);
        if (n->grouped)
            fmpq_neg(out, out);
        *bracket |= n->grouped;
        return ok;
    }
    if (n->is != N_ADD && n->is != N_SUBTRACT)
        return false;
    fmpq_t b;
    fmpq_init(b);
    bool ok = sum_of_account(m, n->a, out, bracket) && sum_of_account(m, n->b, b, bracket);
    if (ok && n->is == N_ADD)
        fmpq_add(out, out, b);
    else if (ok)
        fmpq_sub(out, out, b);
    fmpq_clear(b);
    return ok;
}

/* "(500) + 200 = (300)" */
static bool is_an_account(const mismatch *m)
{
    fmpq_t l, r;
    bool left = false, right = false;
    fmpq_init(l);
    fmpq_init(r);
    bool is = sum_of_account(m, m->lhs->root, l, &left) &&
              sum_of_account(m, m->rhs->root, r, &right) && left && fmpq_equal(l, r);
    fmpq_clear(l);
    fmpq_clear(r);
    return is;
}

/* The number of whole percentages that the tree adds; -1: it is another tree. */
static slong added_percentages(const mismatch *m, const node *n)
{
    if (n->is == N_PERCENT)
        return n->a->is == N_NUMBER && whole_at(m->k->t, n->a->end - 1) >= 0 ? 1 : -1;
    if (n->is != N_ADD)
        return -1;
    slong a = added_percentages(m, n->a), b = added_percentages(m, n->b);
    return a < 0 || b < 0 ? -1 : a + b;
}

/* "34% + 33% + 32% = 100%": each is rounded, and all of them are the whole. */
static bool rounds_shares(const mismatch *m)
{
    slong n = added_percentages(m, m->lhs->root);
    if (n < 3 || !fmpq_is_one(m->r))
        return false;
    fmpq_t apart;
    fmpq_init(apart);
    fmpq_sub(apart, m->l, m->r);
    fmpq_abs(apart, apart);
    fmpq_mul_ui(apart, apart, 200);
    bool is = fmpq_cmp_si(apart, n) <= 0;
    fmpq_clear(apart);
    return is;
}

/* ---- round numbers --------------------------------------------------------------------------- */

/* "199 * 5 = 1000 (roughly)", "Rounded to tens, 14 + 14 = 30": a number that ends in zeros, and
 * half a unit of its last other digit. What is only said to be about may be a twentieth away. */
static bool is_round(const mismatch *m)
{
    static phrase_list about = {{"about", "roughly", "approximately", "approx", "around", "nearly",
                                 "or so", "give or take"}};
    static phrase_list rounded = {{"rounded to", "nearest ten", "nearest hundred", "nearest tens",
                                   "rounding", "estimat*", "est.", "ballpark"}};
    const node *n = bare(m->rhs->root);
    if (n->is != N_NUMBER || fmpq_sgn(m->r) <= 0)
        return false;
    rdv_str s = tok_text(m->k->t, n->end - 1);
    ulong place = 1;
    for (size_t i = s.len; i-- > 0 && (s.p[i] == '0' || s.p[i] == ',');)
        place *= s.p[i] == '0' ? 10 : 1;
    if (place < 10 || s.len > 12 || rdv_find_char(s, '.', 0) != RDV_NOT_FOUND)
        return false;
    bool said_rounded = phrase_in(before(m, 40), &rounded) || phrase_in(after(m, 40), &rounded);
    bool said_about = phrase_in(before(m, 20), &about) || phrase_in(after(m, 20), &about);
    fmpq_t apart, most;
    fmpq_init(apart);
    fmpq_init(most);
    fmpq_sub(apart, m->l, m->r);
    fmpq_abs(apart, apart);
    fmpq_set_ui(most, place, 2);
    bool rounds = fmpq_cmp(apart, most) <= 0;
    fmpq_div_2exp(most, m->r, 2);
    fmpq_mul_ui(apart, apart, 5);
    bool near = fmpq_cmp(apart, most) <= 0;
    bool is = (said_rounded && (rounds || near)) || (said_about && rounds && near);
    fmpq_clear(apart);
    fmpq_clear(most);
    return is;
}

const char *mismatch_customary(const mismatch *m)
{
    const tokens *t = m->k->t;
    size_t begin = t->at[m->lhs->begin].begin, end = t->at[m->rhs->end - 1].end;
    rdv_str near = rdv_slice(t->text, begin > NEAR ? begin - NEAR : 0, end + NEAR);
    unsigned said = said_near(near);
    const char *why = of_parts(m, said);
    if (why)
        return why;
    if (is_a_record(m) || ends_a_list_of_scores(m))
        return "a score or a record of wins";
    if (is_a_date(m))
        return "days of a month";
    bool in_percents = rdv_find_char(after(m, 10), '%', 0) != RDV_NOT_FOUND;
    if (((said & OUT_OF) || in_percents) && adds_both_lines(m))
        return "points out of points";
    if ((said & DOUBLED) && counts_again(m))
        return "it may count more than once";
    if (times_the_number_before(m))
        return "the number before it may multiply it";
    if (counts_groups(m))
        return "the right side may count groups";
    if (begins_with_an_item(m) || begins_with_a_label(m))
        return "the first number may be that of an item";
    if (gives_sign_a_meaning(near))
        return "the text gives a sign a meaning of its own";
    if (overflows(m) || is_absorbed(m))
        return "it may be a machine's number";
    if (is_set_right(m) || is_given_anew(m))
        return "the text gives the right value too";
    if (rounds_shares(m))
        return "shares that may be rounded";
    if (is_an_account(m))
        return "brackets that may stand for a minus";
    return is_round(m) ? "a round number" : NULL;
}
