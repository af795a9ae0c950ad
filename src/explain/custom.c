/* SPDX-License-Identifier: Apache-2.0 */
/* What a trade or a game means by the usual signs: records of wins, clock times, levels in
 * decibels, intervals of music, odds, points out of points. Each custom must explain the right side
 * exactly, so that few errors can hide behind it. */
#include "explain/mismatch.h"

#include "base/str.h"
#include "language/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_JOINED 5 /* numbers that hyphens join */

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
        return x[0] + x[1] > 0 && shows(m, x[0], x[0] + x[1]) && fmpq_cmp_ui(m->r, 1) < 0;
    for (slong win = 2; win <= 3 && n == 3; win++)
        if (shows(m, win * x[0] + x[1], 1) || shows(m, win * x[0] + x[2], 1))
            return true;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return ((fmpq_sgn(m->l) <= 0 || phrase_in(mismatch_after(m, 20), &all)) && shows(m, sum, 1)) ||
           shows(m, sum, 100);
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

/* How the right side r comes of a and b, whose sum, difference or quotient l is not r. */
typedef enum formula {
    SQUARES,      /* a^2 + b^2 = r^2 */
    RECIPROCALS,  /* 1/a + 1/b = 1/r */
    ONE_MORE,     /* r = l + 1 */
    ONE_LESS,     /* r = l - 1 */
    ONE_AFTER,    /* r = l + ab, of percentages: one after the other */
    ONE_OFF,      /* r = l - ab, of percentages */
    ABOVE_A_PART, /* r < l, and r is not less than a or b */
    COMMON,       /* r < l, not less than a or b, and the text says how many they have in common */
    PRICES,       /* r < l, and r is some a, or some b */
    LEVELS,       /* r is the larger one, and at most 3.01 more */
    BITS          /* r = a xor b */
} formula;

static bool are_percentages(const node *n)
{
    return mismatch_bare(n->a)->is == N_PERCENT && mismatch_bare(n->b)->is == N_PERCENT;
}

/* Is r so many of the price? */
static bool pays_times(const fmpq_t r, const fmpq_t price, fmpq_t times)
{
    if (fmpq_sgn(price) <= 0)
        return false;
    fmpq_div(times, r, price);
    return fmpz_is_one(fmpq_denref(times));
}

static bool are_levels(const mismatch *m, const node *n)
{
    return n->a->is == N_UNIT && n->b->is == N_UNIT &&
           rdv_str_eq(tok_text(m->k->t, m->lhs->end - 1), RDV_STR("dB"));
}

static bool is_exclusive_or(const mismatch *m, const node *n)
{
    slong a = n->a->is == N_NUMBER ? mismatch_whole_at(m->k->t, n->a->end - 1) : -1,
          b = n->b->is == N_NUMBER ? mismatch_whole_at(m->k->t, n->b->end - 1) : -1;
    return a >= 0 && b >= 0 && fmpq_cmp_si(m->r, a ^ b) == 0;
}

/* Does l - r stand beside the equality, "12 + 9 = 16 with 5 in both"? */
static bool says_difference(const mismatch *m)
{
    fmpq_t difference;
    fmpq_init(difference);
    fmpq_sub(difference, m->l, m->r);
    rdv_str in[] = {mismatch_before(m, 60), mismatch_after(m, 60)};
    bool says = false;
    for (size_t k = 0; k < COUNT(in); k++)
        for (size_t i = 0; i < in[k].len && !says; i++) {
            slong x = 0;
            size_t begin = i;
            for (; i < in[k].len && i < begin + 9 && rdv_is_digit(in[k].p[i]); i++)
                x = x * 10 + (in[k].p[i] - '0');
            says = i > begin && fmpq_cmp_si(difference, x) == 0;
        }
    fmpq_clear(difference);
    return says;
}

/* The value that the formula compares to `with`, into x: both are r^2, r, or what stands for it. */
static void compute(formula f, const mismatch *m, const fmpq_t a, const fmpq_t b, fmpq_t x,
                    fmpq_t with)
{
    fmpq_set(with, m->r);
    fmpq_mul(x, a, b);
    if (f == SQUARES) {
        fmpq_mul(x, a, a);
        fmpq_addmul(x, b, b);
        fmpq_mul(with, m->r, m->r);
    } else if (f == RECIPROCALS) {
        fmpq_add(with, a, b);
        fmpq_mul(with, with, m->r);
    } else if (f == ONE_MORE || f == ONE_LESS) {
        fmpq_add_si(x, m->l, f == ONE_MORE ? 1 : -1);
    } else if (f == ONE_AFTER) {
        fmpq_add(x, m->l, x);
    } else { /* ONE_OFF */
        fmpq_sub(x, m->l, x);
    }
}

static bool holds(formula f, const mismatch *m, const node *n, const fmpq_t a, const fmpq_t b)
{
    bool less = fmpq_cmp(m->r, m->l) < 0, is;
    if (f == ABOVE_A_PART)
        return less && (fmpq_cmp(m->r, a) >= 0 || fmpq_cmp(m->r, b) >= 0);
    if (f == COMMON)
        return less && fmpq_cmp(m->r, a) >= 0 && fmpq_cmp(m->r, b) >= 0 && says_difference(m);
    if (f == BITS)
        return is_exclusive_or(m, n);
    if (((f == ONE_AFTER || f == ONE_OFF) && !are_percentages(n)) ||
        (f == LEVELS && !are_levels(m, n)) || (f == PRICES && (!less || fmpq_sgn(m->r) <= 0)))
        return false;
    fmpq_t x, with;
    fmpq_init(x);
    fmpq_init(with);
    if (f == PRICES) {
        is = pays_times(m->r, b, x) || pays_times(m->r, a, x);
    } else if (f == LEVELS) {
        fmpq_sub(x, m->r, fmpq_cmp(a, b) > 0 ? a : b);
        fmpq_mul_ui(x, x, 10);
        is = fmpq_sgn(x) >= 0 && fmpq_cmp_ui(x, 31) < 0;
    } else {
        compute(f, m, a, b, x, with);
        is = fmpq_equal(x, with);
    }
    fmpq_clear(x);
    fmpq_clear(with);
    return is;
}

static const struct {
    unsigned cues; /* 0: no word is needed */
    node_is is;
    formula formula;
    const char *why;
} customs[] = {
    {CUE_AT_RIGHT_ANGLES, N_ADD, SQUARES, "lengths at right angles"},
    {CUE_IN_PARALLEL, N_ADD, RECIPROCALS, "resistors in parallel"},
    {CUE_BOTH_ENDS, N_ADD, ONE_LESS, "both ends may be counted"},
    {CUE_BOTH_ENDS, N_SUBTRACT, ONE_MORE, "both ends may be counted"},
    {CUE_MIXED, N_ADD, ABOVE_A_PART, "what is mixed may take less room"},
    {0, N_ADD, LEVELS, "levels of two sources"},
    {0, N_ADD, ONE_AFTER, "percentages one after the other"},
    {0, N_ADD, ONE_OFF, "percentages one after the other"},
    {CUE_FOR_FREE, N_MULTIPLY, PRICES, "some of them may be free"},
    {CUE_FOR_FREE, N_ADD, PRICES, "some of them may be free"},
    {CUE_ODDS, N_DIVIDE, ONE_MORE, "odds, and what is paid back"},
    {CUE_ODDS, N_DIVIDE, ONE_LESS, "odds, and what is paid back"},
    {CUE_IN_BOTH, N_ADD, COMMON, "what is in both may be counted once"},
    {CUE_BITS, N_POWER, BITS, "the caret may be an exclusive or"},
};

static const char *of_two(const mismatch *m, const node *n, const fmpq_t a, const fmpq_t b)
{
    for (size_t i = 0; i < COUNT(customs); i++)
        if (customs[i].is == n->is && (!customs[i].cues || (m->cues & customs[i].cues)) &&
            holds(customs[i].formula, m, n, a, b))
            return customs[i].why;
    return is_a_time_span(m, n, a, b) ? "it may be clock times" : NULL;
}

const char *mismatch_customary(const mismatch *m)
{
    const node *n = mismatch_bare(m->lhs->root);
    const char *why = NULL;
    if (n->is == N_ADD || n->is == N_SUBTRACT || n->is == N_MULTIPLY || n->is == N_DIVIDE ||
        n->is == N_POWER) {
        fmpq_t a, b;
        fmpq_init(a);
        fmpq_init(b);
        if (mismatch_value(m, n->a, a) && mismatch_value(m, n->b, b))
            why = of_two(m, n, a, b);
        fmpq_clear(a);
        fmpq_clear(b);
    }
    if (why)
        return why;
    if (is_a_record(m))
        return "a score or a record of wins";
    if (is_a_date(m))
        return "days of a month";
    bool in_percents = rdv_find_char(mismatch_after(m, 10), '%', 0) != RDV_NOT_FOUND;
    return ((m->cues & CUE_OUT_OF) || in_percents) && adds_both_lines(m) ? "points out of points"
                                                                         : NULL;
}
