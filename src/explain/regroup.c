/* SPDX-License-Identifier: Apache-2.0 */
/* Other groupings that a writer may have meant who left out brackets: one of them must give the
 * other side exactly, so that few errors can hide behind them. */
#include "explain/mismatch.h"

#include "base/str.h"
#include "expression/compare.h"
#include "expression/quantity.h"
#include "expression/reading_eval.h"

#define MAX_PARTS 32   /* summands of a sum, factors of a product */
#define MAX_BEFORE 400 /* tokens looked at before the equality; keeps the work linear */

/* A sum or product, from left to right: each part with the operator before it. */
typedef struct parts {
    const node *at[MAX_PARTS];
    node_is sign[MAX_PARTS]; /* sign[0] is that of the kind: N_ADD, N_MULTIPLY */
    size_t n;
} parts;

static bool is_sum(const node *n)
{
    return n->is == N_ADD || n->is == N_SUBTRACT;
}

static bool is_product(const node *n)
{
    return (n->is == N_MULTIPLY || n->is == N_DIVIDE) && !(n->is == N_DIVIDE && n->implicit);
}

/* Brackets around the whole are no part of it. */
static bool split(const node *root, bool (*goes_on)(const node *), parts *out)
{
    const node *n = root;
    size_t count = 1;
    for (; goes_on(n) && (n == root || !n->grouped); n = n->a)
        count++;
    if (count > MAX_PARTS)
        return false;
    out->n = count;
    for (n = root; goes_on(n) && (n == root || !n->grouped); n = n->a) {
        out->at[--count] = n->b;
        out->sign[count] = n->is;
    }
    out->at[0] = n;
    out->sign[0] = N_ADD;
    return true;
}

/* The value of parts[from, to), the first one with its own sign if it is a summand's. */
static bool run_value(const mismatch *m, const parts *p, size_t from, size_t to, fmpq_t out)
{
    fmpq_t part;
    bool ok = true;
    fmpq_init(part);
    for (size_t i = from; i < to && ok; i++) {
        ok = mismatch_value(m, p->at[i], part);
        if (ok && i == from) {
            fmpq_set(out, part);
            if (p->sign[i] == N_SUBTRACT)
                fmpq_neg(out, out);
        } else if (ok) {
            ok = mismatch_combine(out, p->sign[i], part);
        }
    }
    fmpq_clear(part);
    return ok;
}

/* Is the other side what `left` shows? `swapped`: the tree was the right side. */
static bool fits(const mismatch *m, bool swapped, const fmpq_t value)
{
    if (!swapped)
        return mismatch_shows(m, value) ||
               (!m->measured &&
                quantity_may_be_converted(m->k->t, m->lhs, m->rhs, value, m->r, true));
    return fmpq_equal(value, m->l);
}

/* "1200 / 10 * 2" as 1200 / (10 * 2): what follows the division belongs to the divisor. */
static bool divides_by_the_rest(const mismatch *m, const node *root, bool swapped)
{
    parts p;
    if (!is_product(root) || !split(root, is_product, &p))
        return false;
    size_t first = 1;
    while (first < p.n && p.sign[first] != N_DIVIDE)
        first++;
    size_t factor = first + 1;
    while (factor < p.n && p.sign[factor] != N_MULTIPLY)
        factor++;
    if (factor >= p.n)
        return false;
    fmpq_t over, under;
    fmpq_init(over);
    fmpq_init(under);
    bool is = run_value(m, &p, 0, first, over) && run_value(m, &p, first, p.n, under) &&
              mismatch_combine(over, N_DIVIDE, under) && fits(m, swapped, over);
    fmpq_clear(over);
    fmpq_clear(under);
    return is;
}

/* Does the fraction of the literals a and b stand before token `end`? */
static bool is_written_before(const tokens *t, const node *a, const node *b, size_t end)
{
    for (size_t i = end > MAX_BEFORE ? end - MAX_BEFORE : 0; i + 2 < end; i++)
        if (t->at[i + 1].kind == TOK_DIVIDE &&
            rdv_str_eq(tok_text(t, i), tok_text(t, a->end - 1)) &&
            rdv_str_eq(tok_text(t, i + 2), tok_text(t, b->end - 1)))
            return true;
    return false;
}

/* "500 / 130 / 9" as 500 / (130/9), where 130/9 was found before; "14 / 1 / 4" as 14 / (1/4), since
 * nobody divides by one. */
static bool divides_by_fraction(const mismatch *m, const node *root)
{
    parts p;
    if (!is_product(root) || !split(root, is_product, &p) || p.n != 3 || p.sign[1] != N_DIVIDE ||
        p.sign[2] != N_DIVIDE || p.at[1]->is != N_NUMBER || p.at[2]->is != N_NUMBER)
        return false;
    if (!rdv_str_eq(tok_text(m->k->t, p.at[1]->end - 1), RDV_STR("1")) &&
        !is_written_before(m->k->t, p.at[1], p.at[2], m->lhs->begin))
        return false;
    fmpq_t value, part;
    fmpq_init(value);
    fmpq_init(part);
    bool is = mismatch_value(m, p.at[0], value) && mismatch_value(m, p.at[1], part) &&
              mismatch_combine(value, N_DIVIDE, part) && mismatch_value(m, p.at[2], part) &&
              mismatch_combine(value, N_MULTIPLY, part) && mismatch_shows(m, value);
    fmpq_clear(value);
    fmpq_clear(part);
    return is;
}

static bool is_hundred(const tokens *t, const node *n)
{
    return n->is == N_NUMBER && rdv_str_eq(tok_text(t, n->end - 1), RDV_STR("100"));
}

/* "25 + 75 / 2" as (25 + 75) / 2, and "a + b / c + d" as (a + b) / (c + d): the slash stands for a
 * long fraction line. In "1100 - 1000 / 1000 * 100 = 10%" only the percentage is taken of it. */
static bool divides_the_sum(const mismatch *m, const node *root, bool swapped)
{
    parts sum, product;
    bool is = false;
    if (!is_sum(root) || !split(root, is_sum, &sum))
        return false;
    fmpq_t over, under, rest;
    fmpq_init(over);
    fmpq_init(under);
    fmpq_init(rest);
    for (size_t i = 0; i < sum.n && !is; i++) {
        const node *n = sum.at[i];
        if (!is_product(n) || n->grouped || !split(n, is_product, &product))
            continue;
        size_t line = 1; /* the first division */
        while (line < product.n && product.sign[line] != N_DIVIDE)
            line++;
        if (line == product.n || !run_value(m, &product, 0, line, rest))
            continue;
        bool ok = i == 0 || run_value(m, &sum, 0, i, over);
        if (i == 0)
            fmpq_set(over, rest);
        else if (ok)
            mismatch_combine(over, sum.sign[i], rest);
        if (!ok || !run_value(m, &product, line, product.n, under))
            continue;
        for (size_t after = i + 1; ok && after < sum.n; after++)
            ok = mismatch_value(m, sum.at[after], rest) &&
                 mismatch_combine(under, sum.sign[after], rest);
        if (!swapped && product.n == line + 2 && i + 1 == sum.n &&
            reading_eval_holds_percent(m->rhs->root) && is_hundred(m->k->t, product.at[line + 1]))
            ok = mismatch_value(m, product.at[line], under);
        is = ok && mismatch_combine(over, N_DIVIDE, under) && fits(m, swapped, over);
    }
    fmpq_clear(over);
    fmpq_clear(under);
    fmpq_clear(rest);
    return is;
}

/* "3/4 of 120 - 36" as 3/4 of what is left; "30% of 600 + 300 = 900", where only the sum is
 * claimed, and "= 270" after it. */
static bool takes_part_of_the_sum(const mismatch *m, const node *root, bool swapped)
{
    parts p;
    if (!swapped && m->i > 0 && expression_is_plain(m->lhs))
        root = m->chain->term[m->i - 1].root;
    if (!is_sum(root) || !split(root, is_sum, &p))
        return false;
    const node *of = p.at[0];
    if (of->is != N_MULTIPLY || !of->of || of->grouped)
        return false;
    fmpq_t whole, part;
    fmpq_init(whole);
    fmpq_init(part);
    bool is = mismatch_value(m, of->b, whole);
    for (size_t i = 1; i < p.n && is; i++)
        is = mismatch_value(m, p.at[i], part) && mismatch_combine(whole, p.sign[i], part);
    bool sum = is && root == m->lhs->root && fmpq_equal(whole, m->r);
    is = is && mismatch_value(m, of->a, part) && mismatch_combine(whole, N_MULTIPLY, part) &&
         fits(m, swapped, whole);
    is |= sum;
    fmpq_clear(whole);
    fmpq_clear(part);
    return is;
}

/* "15 cars - 15000 + 4500 = 19500", "20 digits - 20 * 500 = 10000": the dash after a word is a
 * colon. */
static bool begins_after_a_dash(const mismatch *m)
{
    parts p;
    const tokens *t = m->k->t;
    const node *root = m->lhs->root;
    if (!is_sum(root) || !split(root, is_sum, &p) || p.sign[1] != N_SUBTRACT)
        return false;
    const node *leaf = p.at[1];
    while (leaf->a && !leaf->grouped)
        leaf = leaf->a;
    if (leaf->is != N_NUMBER || leaf->grouped || (p.n == 2 && leaf == p.at[1]))
        return false;
    if (leaf->begin < 3) /* also "1/2 less than 31", where it stands first */
        return false;
    size_t minus = leaf->begin - 1;
    if (t->at[minus - 1].kind != TOK_WORD || !t->at[minus].space_before)
        return false;
    fmpq_t value, first;
    fmpq_init(value);
    fmpq_init(first);
    bool is = mismatch_value(m, p.at[1], value);
    for (size_t i = 2; i < p.n && is; i++)
        is = mismatch_value(m, p.at[i], first) && mismatch_combine(value, p.sign[i], first);
    is = is && mismatch_shows(m, value);
    fmpq_clear(value);
    fmpq_clear(first);
    return is;
}

/* The value of the first summand. */
static bool first_summand(const mismatch *m, const node *root, fmpq_t out)
{
    while (is_sum(root) && !root->grouped)
        root = root->a;
    return mismatch_value(m, root, out);
}

static bool last_summand_is(const mismatch *m, const node *root, const fmpq_t value)
{
    if (!is_sum(root) || root->grouped)
        return false;
    fmpq_t last;
    fmpq_init(last);
    bool is = mismatch_value(m, root->b, last) && fmpq_equal(last, value);
    fmpq_clear(last);
    return is;
}

/* Does the left side stand after an equals sign, in the chain or where what was before it could not
 * be read? */
static bool follows_sign(const mismatch *m)
{
    const tokens *t = m->k->t;
    size_t i = m->lhs->begin;
    while (i > 0 && t->at[i - 1].kind == TOK_CURRENCY)
        i--;
    return m->i > 0 || (i > 0 && t->at[i - 1].kind == TOK_EQUAL);
}

/* "5 x 25 = 125 + 2 x 10 = 20 + 3 x 4 = 12": each product is followed by its own result; and then
 * "20 = 145". */
static bool goes_on_beside(const mismatch *m)
{
    if (follows_sign(m) && !expression_is_plain(m->lhs)) {
        fmpq_t first;
        fmpq_init(first);
        bool is = is_product(m->lhs->root->b ? m->lhs->root->b : m->lhs->root) &&
                  first_summand(m, m->rhs->root, first) && last_summand_is(m, m->lhs->root, first);
        fmpq_clear(first);
        return is;
    }
    if (m->i > 0)
        return last_summand_is(m, m->chain->term[m->i - 1].root, m->l);
    return false;
}

/* "√ 289 - 64 = 15", "√3² + 4² = 5": the root of the whole sum. */
static bool roots_the_sum(const mismatch *m, const node *root, bool swapped)
{
    const node *n = root;
    while (is_sum(n) && !n->grouped)
        n = n->a;
    if (n == root)
        return false;
    const node *power = n->is == N_POWER && !n->grouped && n->b->is == N_NUMBER ? n : NULL;
    if (power)
        n = power->a;
    if (n->is != N_ROOT || n->b || n->grouped || n->a->is != N_NUMBER || n->a->grouped)
        return false;
    node first = *n->a;
    if (power)
        first = (node){.is = N_POWER, .a = n->a, .b = power->b};
    const tokens *t = m->k->t;
    if (t->at[n->a->end < t->n ? n->a->end : t->n - 1].sign == '}')
        return false;
    parts p;
    if (!split(root, is_sum, &p))
        return false;
    fmpq_t sum, part;
    fmpq_init(sum);
    fmpq_init(part);
    bool is = mismatch_value(m, &first, sum);
    for (size_t i = 1; i < p.n && is; i++)
        is = mismatch_value(m, p.at[i], part) && mismatch_combine(sum, p.sign[i], part);
    fmpq_mul(part, swapped ? m->l : m->r, swapped ? m->l : m->r);
    is = is && (fmpq_equal(sum, part) || compare_to_50_digits(sum, part));
    fmpq_clear(sum);
    fmpq_clear(part);
    return is;
}

/* "2^3^2 = 64": a tower from left to right, as some programs compute it. */
static bool raises_in_turn(const mismatch *m, const node *root, bool swapped)
{
    if (root->is != N_POWER || root->b->is != N_POWER || root->b->grouped ||
        root->a->is != N_NUMBER || root->b->a->is != N_NUMBER || root->b->b->is != N_NUMBER)
        return false;
    node product = {.is = N_MULTIPLY, .a = root->b->a, .b = root->b->b};
    node power = {.is = N_POWER, .a = root->a, .b = &product};
    fmpq_t value;
    fmpq_init(value);
    bool is = mismatch_value(m, &power, value) && fits(m, swapped, value);
    fmpq_clear(value);
    return is;
}

const char *mismatch_regrouped(const mismatch *m)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        const node *root = swapped ? m->rhs->root : m->lhs->root;
        if (divides_by_the_rest(m, root, swapped))
            return "what follows the division may belong to the divisor";
        if (!m->k->wordless && divides_the_sum(m, root, swapped))
            return "brackets around the sum may be left out";
        if (takes_part_of_the_sum(m, root, swapped))
            return "it may be a part of the whole sum";
        if (roots_the_sum(m, root, swapped))
            return "the root may be that of the whole sum";
        if (raises_in_turn(m, root, swapped))
            return "the powers may be taken from left to right";
    }
    if (divides_by_fraction(m, m->lhs->root))
        return "the divisor may be a fraction that was found before";
    if (begins_after_a_dash(m))
        return "the first dash may be a colon";
    if (goes_on_beside(m))
        return "each part may be followed by its own result";
    return NULL;
}
