/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/for_all.h"

#include "base/str.h"
#include "expression/print.h"
#include "expression/reading_eval.h"
#include "language/context.h"
#include "language/phrase.h"

#define NEAR 40 /* bytes on each side */
#define FOR_ALL_POINTS 4

static bool names_letter(rdv_str s, rdv_str letter)
{
    for (size_t i = 0; i < s.len; i++)
        if (rdv_starts(rdv_slice(s, i, s.len), letter) && (i == 0 || !rdv_is_alpha(s.p[i - 1])) &&
            (i + letter.len == s.len || !rdv_is_alpha(s.p[i + letter.len])))
            return true;
    return false;
}

/* Does a letter with an index, or one that may be a function, stand in the tokens? */
static bool has_other_names(const tokens *t, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (t->at[i].kind == TOK_UNDERSCORE ||
            (t->at[i].kind == TOK_WORD && t->at[i + 1].kind == TOK_OPEN))
            return true;
    return false;
}

bool for_all_is_claimed(const knowledge *k, const expression *lhs, const expression *rhs)
{
    static phrase_list claims = {"for all;for every;for any"};
    static phrase_list limits = {
        "with;such that;where;satisf*;when;whenever;if;in;\\in;>;<;\\ge*;\\le*;odd;even;"
        "prime;negative;mod;between;except;but"};
    static phrase_list conditions = {
        "given;such that;satisf*;find;condition;equation;know;that;want;require*"};
    const tokens *t = k->t;
    size_t begin = t->at[lhs->begin].begin, end = t->at[rhs->end - 1].end;
    rdv_str after = context_sentence_after(t->text, end, 2 * NEAR);
    if (!rdv_istarts(rdv_trim(after), RDV_STR("for ")) || !phrase_in(after, &claims) ||
        phrase_in(after, &limits) ||
        phrase_in(rdv_slice(t->text, begin > NEAR ? begin - NEAR : 0, begin), &conditions) ||
        has_other_names(t, lhs->begin, rhs->end))
        return false;
    letters names = {.n = 0};
    if (!function_letters_add(&names, t, lhs->root) || !function_letters_add(&names, t, rhs->root))
        return false;
    for (size_t i = 0; i < names.n; i++)
        if (!names_letter(after, names.name[i]))
            return false;
    return true;
}

/* Values of the letters, and both sides there. */
typedef struct point {
    binding bound[EVAL_MAX_LETTERS];
    size_t n;
    fmpq_t l, r;
    bool inexact; /* l or r is near a value that is not rational */
} point;

/* The letters of both sides get positive values, by `which` of a few ways. False: there are none.
 */
static bool point_init(point *p, const knowledge *k, const expression *lhs, const expression *rhs,
                       unsigned which)
{
    static const int steps[FOR_ALL_POINTS][3] = {{2, 1, 1}, {30, -2, 1}, {1, 1, 7}, {11, 13, 3}};
    letters names = {.n = 0};
    p->n = 0;
    fmpq_init(p->l);
    fmpq_init(p->r);
    if (!function_letters_add(&names, k->t, lhs->root) ||
        !function_letters_add(&names, k->t, rhs->root))
        return false;
    for (; p->n < names.n; p->n++) {
        binding *b = &p->bound[p->n];
        *b = (binding){.name = names.name[p->n]};
        fmpq_init(b->value);
        fmpq_set_si(b->value, steps[which][0] + (slong)p->n * steps[which][1],
                    (ulong)steps[which][2]);
    }
    return p->n > 0;
}

static void point_clear(point *p)
{
    for (size_t i = 0; i < p->n; i++)
        fmpq_clear(p->bound[i].value);
    fmpq_clear(p->l);
    fmpq_clear(p->r);
}

/* Have both sides values there, which differ? Two that are not rational differ by a thousandth. */
static bool differ_at(const knowledge *k, point *p, const expression *lhs, const expression *rhs)
{
    evaluation ev = {.t = k->t, .budget = k->budget, .bindings = p->bound, .n_bindings = p->n};
    if (real_eval(&ev, lhs->root, p->l) != EVAL_OK || real_eval(&ev, rhs->root, p->r) != EVAL_OK)
        return false;
    p->inexact = ev.inexact;
    fmpq_t difference, size;
    fmpq_init(difference);
    fmpq_init(size);
    fmpq_sub(difference, p->l, p->r);
    fmpq_abs(difference, difference);
    fmpq_set_si(size, p->inexact ? 1 : 0, 1000);
    fmpq_mul(size, size, p->l);
    fmpq_abs(size, size);
    bool differ = fmpq_cmp(difference, size) > 0;
    fmpq_clear(difference);
    fmpq_clear(size);
    return differ;
}

bool for_all_differ(const knowledge *k, const expression *lhs, const expression *rhs)
{
    bool differ = true;
    for (unsigned i = 0; i < FOR_ALL_POINTS && differ; i++) {
        point p;
        differ = point_init(&p, k, lhs, rhs, i) && differ_at(k, &p, lhs, rhs);
        point_clear(&p);
    }
    return differ;
}

static rdv_str print_side(const point *p, const fmpq_t x, rdv_arena *arena)
{
    return p->inexact && reading_eval_is_real(x) ? print_real(x, arena) : print_value(x, arena);
}

static int note_values(const knowledge *k, const point *p, decision *out)
{
    rdv_str note = RDV_STR("with");
    for (size_t i = 0; i < p->n && note.p; i++)
        note = rdv_str_printf(k->arena, "%.*s%s %.*s = %ld", RDV_FMT(note), i ? "," : "",
                              RDV_FMT(p->bound[i].name),
                              (long)fmpz_get_si(fmpq_numref(p->bound[i].value)));
    *out = (decision){.is_calculation = true, .kind = RDV_CALC_WRONG, .note = note};
    out->value = print_side(p, p->l, k->arena);
    out->claim = print_side(p, p->r, k->arena);
    return note.p && out->value.p && out->claim.p ? RDV_OK : RDV_E_NOMEM;
}

int for_all_disproved(const knowledge *k, const expression *lhs, const expression *rhs,
                      decision *out)
{
    point p;
    int result = RDV_NONE;
    if (point_init(&p, k, lhs, rhs, 0) && differ_at(k, &p, lhs, rhs))
        result = note_values(k, &p, out);
    point_clear(&p);
    return result;
}
