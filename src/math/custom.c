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
    static phrase_list words = {
        "perpendicular*;right angle*;orthogonal*;quadrature;vector;vectors;resultant\n"
        "parallel\n"
        "octave*;in music;music theory;intervals;no year 0;no year zero;inclusive*;"
        "counting both;counted twice\n"
        "relativis*\n"
        "odds\n"
        "mediant*;batting;score;scores;scored;points;marks;quiz*;exam*;out of;i got;"
        "simpson*\n"
        "bogo;2 for 1;two for one;1 free;one free\n"
        "double word;triple word;double points\n"
        "when mixed;if mixed;alcohol;ethanol;dissolv*;syrup\n"
        "&;|;~;<<\n"
        "bc;bce\n"
        "in both;overlap*"};
    return phrase_classes_in(s, &words);
}

/* ---- numbers side by side -------------------------------------------------------------------- */

/* The whole numbers that hyphens without blanks join from token `i` on, 2 to 5; 0: others. */
static size_t joined_at(const tokens *t, size_t i, size_t end, slong out[MAX_JOINED])
{
    size_t n = 0;
    for (; n < MAX_JOINED; i += 2) {
        if (i >= end || (out[n] = mismatch_whole_at(t, i)) < 0 || (n && t->at[i].space_before))
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

/* "99-16 = 99.5": 99 and 16 thirty-seconds. */
static bool is_a_bond_price(const mismatch *m, const slong x[2])
{
    fmpq_t price;
    fmpq_init(price);
    fmpq_set_si(price, 32 * x[0] + x[1], 32);
    bool is = x[1] > 0 && x[1] < 32 && fmpq_equal(price, m->r);
    fmpq_clear(price);
    return is;
}

/* "4-4-2 = 10 players", "10-5-3 = 35 points", "The record is 12-4 = .750", "NPK 20-5-10 = 35%":
 * wins, draws and losses, or the parts of a whole, and what they come to. */
static bool is_a_record(const mismatch *m)
{
    static phrase_list all = {"games;matches;players;played;cards"};
    slong x[MAX_JOINED], sum = 0;
    size_t n = joined_at(m->k->t, m->lhs->begin, m->lhs->end, x);
    if (m->i > 0 || !n || m->lhs->n_operators != n - 1)
        return false;
    if (n == 2)
        return (x[0] + x[1] > 0 && shows(m, x[0], x[0] + x[1]) && fmpq_cmp_ui(m->r, 1) < 0) ||
               is_a_bond_price(m, x);
    for (slong win = 2; win <= 3 && n == 3; win++)
        if (shows(m, win * x[0] + x[1], 1) || shows(m, win * x[0] + x[2], 1))
            return true;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return ((fmpq_sgn(m->l) <= 0 || phrase_in(mismatch_after(m, 20), &all)) && shows(m, sum, 1)) ||
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
    static phrase_list words = {"h;hr;hrs;hour;hours"};
    size_t begin = m->k->t->at[m->rhs->begin].begin;
    return phrase_in(rdv_slice(m->k->t->text, begin, begin + 30), &words);
}

/* "9-5 = 8 hours", "11 pm - 7 am = 8 hours", "7.30 - 9.00 = 1.5 hours": from a time to another. */
static bool is_a_time_span(const mismatch *m, const node *n, const fmpq_t a, const fmpq_t b)
{
    if (n->is != N_SUBTRACT || !counts_hours(m))
        return false;
    slong from = minutes_of(m->k->t, mismatch_bare(n->a)),
          to = minutes_of(m->k->t, mismatch_bare(n->b));
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
    static phrase_list overs = {"over;overs"}, innings = {"inning;innings;IP"};
    size_t begin = m->k->t->at[m->lhs->begin].begin, end = m->k->t->at[m->rhs->end - 1].end;
    rdv_str around = rdv_slice(m->k->t->text, begin > 30 ? begin - 30 : 0, end + 30);
    slong base = phrase_in(around, &overs) ? 6 : phrase_in(around, &innings) ? 3 : 0;
    if (!base || (n->is != N_ADD && n->is != N_SUBTRACT))
        return false;
    slong a = parts_of(m->k->t, mismatch_bare(n->a), base),
          b = parts_of(m->k->t, mismatch_bare(n->b), base),
          c = parts_of(m->k->t, mismatch_bare(m->rhs->root), base);
    return a >= 0 && b >= 0 && c >= 0 && c == (n->is == N_ADD ? a + b : a - b);
}

/* "1.45 + 0.30 = 2.15 (hours and minutes)" */
static bool adds_hours_and_minutes(const mismatch *m, const node *n)
{
    static phrase_list words = {"hours and minutes;hh.mm;h.mm;o'clock"};
    const tokens *t = m->k->t;
    slong a = minutes_of(t, mismatch_bare(n->a)), b = minutes_of(t, mismatch_bare(n->b)),
          c = minutes_of(t, mismatch_bare(m->rhs->root));
    return a >= 0 && b >= 0 && c >= 0 && c == (n->is == N_ADD ? a + b : a - b) &&
           (phrase_in(mismatch_before(m, NEAR), &words) ||
            phrase_in(mismatch_after(m, NEAR), &words));
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
    if (mismatch_bare(n->a)->is != N_PERCENT || mismatch_bare(n->b)->is != N_PERCENT)
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
        if ((x[i] = mismatch_whole_at(t, leaf[i]->end - 1)) < 0)
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
    slong a = mismatch_whole_at(m->k->t, n->a->end - 1),
          b = mismatch_whole_at(m->k->t, n->b->end - 1);
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
    if ((said & BOTH_ENDS) && (sum || n->is == N_SUBTRACT) && differ_by_one(m) &&
        (fmpq_cmp(m->r, m->l) < 0) == sum)
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
    const node *n = mismatch_bare(m->lhs->root);
    if (!has_two_parts(n->is))
        return NULL;
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    bool known = mismatch_value(m, n->a, a) && mismatch_value(m, n->b, b);
    const char *why = known ? of_two(m, n, a, b, said) : NULL;
    fmpq_clear(a);
    fmpq_clear(b);
    return why;
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
    bool in_percents = rdv_find_char(mismatch_after(m, 10), '%', 0) != RDV_NOT_FOUND;
    if (((said & OUT_OF) || in_percents) && adds_both_lines(m))
        return "points out of points";
    if ((said & DOUBLED) && counts_again(m))
        return "it may count more than once";
    return NULL;
}
