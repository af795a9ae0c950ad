/* SPDX-License-Identifier: Apache-2.0 */
/* What a dash, a slash or a sign of equality may belong to. One reading must give the other side
 * exactly. */
#include "explain/checks.h"

#include "base/str.h"

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
bool check_fraction_before(const mismatch *m)
{
    const node *root = m->lhs->root;
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

/* "15 cars - 15000 + 4500 = 19500", "20 digits - 20 * 500 = 10000": the dash after a word is a
 * colon. */
bool check_dash_for_a_colon(const mismatch *m)
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
bool check_results_beside(const mismatch *m)
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
