/* SPDX-License-Identifier: Apache-2.0 */
/* Does a row explain a mismatch: its cue stands there, the sides have its shape, and a formula of
 * it gives exactly the number that is shown? */
#include "explain/explanation.h"

#include "base/str.h"
#include "language/rule.h"

#include <string.h>

#define LETTERS 26
#define N_SIDES 2
#define QUESTION_MOST 1600 /* bytes of it that are looked at; keeps the work linear */

typedef struct trial {
    const mismatch *m;
    bool swapped;            /* the shape is sought on the right side */
    binding of[2 * LETTERS]; /* the values of letters, of l and r first */
    size_t n_of;
    cue_text text[N_TEXTS];
    unsigned char begin[N_TEXTS][2 * CUE_TOKENS_MOST + 1]; /* cue_begin_of() of each token */
    uint64_t begins[N_TEXTS];                              /* their bits; 0: it is not cut yet */
} trial;

/* ---- values of letters ----------------------------------------------------------------------- */

/* All but the first `n`. */
static void forget(trial *t, size_t n)
{
    while (t->n_of > n)
        fmpq_clear(t->of[--t->n_of].value);
}

/* Gives the letter a value; false: it has another one. */
static bool bind(trial *t, rdv_str name, const fmpq_t value)
{
    for (size_t i = 0; i < t->n_of; i++)
        if (rdv_str_eq(t->of[i].name, name))
            return fmpq_equal(t->of[i].value, value);
    if (t->n_of == 2 * LETTERS)
        return false;
    binding *b = &t->of[t->n_of++];
    *b = (binding){.name = name};
    fmpq_init(b->value);
    fmpq_set(b->value, value);
    return true;
}

static bool value_of(const trial *t, const row_formula *f, fmpq_t out)
{
    evaluation ev = {
        .t = &f->t, .budget = t->m->k->budget, .bindings = t->of, .n_bindings = t->n_of};
    return eval_exact(&ev, f->root, out) == EVAL_OK;
}

/* ---- the shape ------------------------------------------------------------------------------- */

static bool bind_node(trial *t, rdv_str name, const node *n)
{
    fmpq_t value;
    fmpq_init(value);
    bool is = mismatch_value(t->m, n, value) && bind(t, name, value);
    fmpq_clear(value);
    return is;
}

/* A small letter stands for any part; a capital one, and a number, for a number without a unit. */
static bool has_shape(trial *t, const row_formula *f, const node *shape, const node *n)
{
    const node *bare = mismatch_bare(n);
    rdv_str name = shape->is == N_LETTER || shape->is == N_NUMBER ? tok_text(&f->t, shape->begin)
                                                                  : (rdv_str){0};
    bool capital = shape->is == N_LETTER && name.p[0] <= 'Z';
    if (shape->is == N_LETTER && !capital)
        return bind_node(t, name, n);
    if (bare->is != (capital ? N_NUMBER : shape->is) ||
        (bare->grouped != shape->grouped && shape != f->root))
        return false;
    if (capital)
        return bare == n && bind_node(t, name, n);
    if (shape->is == N_NUMBER)
        return rdv_str_eq(tok_text(t->m->k->t, bare->end - 1), name);
    return (!shape->a || (bare->a && has_shape(t, f, shape->a, bare->a))) &&
           (!shape->b == !bare->b) && (!shape->b || has_shape(t, f, shape->b, bare->b));
}

/* Most sides differ from a shape in what is done last, which costs no value to see. */
static bool may_have_shape(const row_formula *f, const node *n)
{
    const node *shape = f->root;
    bool letter = !shape || shape->is == N_LETTER;
    return letter || mismatch_bare(n)->is == shape->is;
}

static bool has_shapes(trial *t, const explanation *e)
{
    const mismatch *m = t->m;
    const node *left = (t->swapped ? m->rhs : m->lhs)->root,
               *right = (t->swapped ? m->lhs : m->rhs)->root;
    return may_have_shape(&e->left, left) && may_have_shape(&e->right, right) &&
           (!e->left.root || has_shape(t, &e->left, e->left.root, left)) &&
           (!e->right.root || has_shape(t, &e->right, e->right.root, right));
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* Has x the divisor n, and its denominator none of n's? */
static bool divides(const fmpq_t n, const fmpq_t x)
{
    fmpz_t g;
    fmpz_init(g);
    fmpz_gcd(g, fmpq_numref(n), fmpq_denref(x));
    bool is = fmpz_is_one(fmpq_denref(n)) && !fmpq_is_zero(n) && fmpz_is_one(g) &&
              fmpz_divisible(fmpq_numref(x), fmpq_numref(n));
    fmpz_clear(g);
    return is;
}

static bool compare(const trial *t, condition_is is, const fmpq_t a, const fmpq_t b)
{
    switch (is) {
    case IS_EQUAL:
        return fmpq_equal(a, b);
    case IS_AT_MOST:
        return fmpq_cmp(a, b) <= 0;
    case IS_AT_LEAST:
        return fmpq_cmp(a, b) >= 0;
    case IS_LESS:
        return fmpq_cmp(a, b) < 0;
    case IS_MORE:
        return fmpq_cmp(a, b) > 0;
    case IS_SHOWN:
        return t->swapped ? fmpq_equal(a, b) : mismatch_shows(t->m, a);
    case IS_WHOLE:
        return fmpz_is_one(fmpq_denref(a));
    default:
        return divides(a, b);
    }
}

static bool condition_holds(const trial *t, const condition *c)
{
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    bool holds =
        value_of(t, &c->a, a) && (!c->b.root || value_of(t, &c->b, b)) && compare(t, c->is, a, b);
    fmpq_clear(a);
    fmpq_clear(b);
    return holds;
}

/* Do all conditions of one line hold? */
static bool a_line_holds(const trial *t, const explanation *e)
{
    bool all = true;
    for (size_t i = 0; i < e->n; i++) {
        all = all && condition_holds(t, &e->conditions[i]);
        if (e->conditions[i].last && all)
            return true;
        all |= e->conditions[i].last;
    }
    return !e->n;
}

/* ---- cues ------------------------------------------------------------------------------------ */

/* The byte behind the right side, without the words and the percent sign behind its last number. */
static size_t end_of_numbers(const mismatch *m)
{
    const tokens *t = m->k->t;
    size_t i = m->rhs->end - 1;
    while (i > m->rhs->begin && (t->at[i].kind == TOK_WORD || t->at[i].kind == TOK_PERCENT))
        i--;
    return t->at[i].end;
}

/* Cut when it is first wanted. AROUND has the equality as one token, NEAR has its own words. */
static const cue_text *text_of(trial *t, int which)
{
    const tokens *own = t->m->k->t;
    size_t begin = own->at[t->m->lhs->begin].begin;
    cue_text *out = &t->text[which];
    if (t->begins[which])
        return out;
    if (which == QUESTION)
        cue_text_of(rdv_slice(t->m->k->question, 0, QUESTION_MOST), out);
    else
        cue_text_beside(own->text, begin, which == AROUND ? end_of_numbers(t->m) : begin, out);
    t->begins[which] = cue_begin((rdv_str){0}); /* no word's */
    for (size_t i = 0; i < out->next; i++) {
        t->begin[which][i] = (unsigned char)cue_begin_of(out->at[i].text);
        t->begins[which] |= UINT64_C(1) << t->begin[which][i];
    }
    return out;
}

/* Gives the number in the words of the cue to n. */
static bool take_number(trial *t, const cue_text *text, size_t begin, size_t end)
{
    fmpq_t n;
    fmpq_init(n);
    bool is = false;
    for (size_t i = begin; i < end && !is; i++) {
        char digits[20];
        size_t len = 0;
        rdv_str s = text->at[i].text;
        for (size_t k = 0; text->at[i].number && k < s.len && len + 1 < sizeof digits; k++)
            if (s.p[k] != ',')
                digits[len++] = s.p[k];
        digits[len] = '\0';
        is = len && strspn(digits, "0123456789") == len && fmpq_set_str(n, digits, 10) == 0;
    }
    is = is && bind(t, RDV_STR("n"), n);
    fmpq_clear(n);
    return is;
}

static bool explains(trial *t, const explanation *e)
{
    return has_shapes(t, e) && a_line_holds(t, e) && (!e->check || e->check(t->m));
}

/* The cue stands somewhere in the text; where a condition is about its number, it holds too. */
static bool stands_in(trial *t, const explanation *e, const cue *c, int which)
{
    const cue_text *text = text_of(t, which);
    size_t begin, end;
    uint64_t begins = c->elements[c->anchor].of->begins;
    if (!(begins & t->begins[which])) /* most texts have no such word */
        return false;
    for (size_t i = 0; i < text->next; i++) {
        if (!(begins >> t->begin[which][i] & 1) || !cue_matches(c, text, i, &begin, &end))
            continue;
        if (!e->counts)
            return true;
        bool is = take_number(t, text, begin, end) && explains(t, e);
        forget(t, N_SIDES);
        if (is)
            return true;
    }
    return false;
}

static bool has_cue(trial *t, const explanation *e)
{
    for (size_t i = 0; i < e->n_cues; i++) {
        const explanation_cue *c = &e->cues[i];
        if (stands_in(t, e, &c->pattern, c->pattern.reach ? AROUND : NEAR) ||
            (c->said && stands_in(t, e, &c->pattern, QUESTION)))
            return true;
    }
    return !e->n_cues;
}

/* Has a text a word that begins as one of the cues does? Formulas cost more to try. */
static bool may_have_cue(trial *t, const explanation *e)
{
    bool may = !e->n_cues;
    for (int which = 0; which < N_TEXTS && !may; which++)
        if (e->begins[which]) {
            text_of(t, which);
            may = e->begins[which] & t->begins[which];
        }
    return may;
}

static bool is_explained_by(trial *t, const explanation *e)
{
    if (!may_have_cue(t, e))
        return false;
    if (e->counts)
        return has_cue(t, e);
    bool is = explains(t, e);
    forget(t, N_SIDES);
    return is && has_cue(t, e);
}

/* The same where its shape is the right side's, whose value is l. */
static bool is_explained_swapped(trial *t, const explanation *e)
{
    t->swapped = true;
    fmpq_swap(t->of[0].value, t->of[1].value);
    bool is = is_explained_by(t, e);
    fmpq_swap(t->of[0].value, t->of[1].value);
    t->swapped = false;
    return is;
}

const explanation *explanations_find(const explanations *all, const mismatch *m)
{
    trial t; /* its texts are large, and cut when they are wanted */
    const explanation *found = NULL;
    t.m = m;
    t.n_of = 0;
    t.swapped = false;
    memset(t.begins, 0, sizeof t.begins);
    const rule_set *rules = m->k->t->rules;
    const rule *listed = rules && rules->explanations.n ? &rules->rules[rules->explanations.first]
                                                        : NULL; /* in the same order */
    bind(&t, RDV_STR("l"), m->l);
    bind(&t, RDV_STR("r"), m->r);
    for (size_t i = 0; i < all->n && !found; i++) {
        const explanation *e = &all->at[i];
        if (!(listed && listed[i].off) &&
            (is_explained_by(&t, e) || (e->either && is_explained_swapped(&t, e))))
            found = e;
    }
    forget(&t, 0);
    return found;
}
