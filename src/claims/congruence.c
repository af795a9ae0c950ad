/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/congruence.h"

#include "base/arena.h"
#include "base/str.h"
#include "expression/parser.h"

#define MAX_LEFT 40 /* tokens looked at before the sign; keeps the work linear */

static bool is_sign(const tokens *t, size_t i)
{
    rdv_str s = tok_text(t, i);
    return t->at[i].kind == TOK_RELATION &&
           (rdv_str_eq(s, RDV_STR("\\equiv")) || rdv_str_eq(s, RDV_STR("\xe2\x89\xa1")));
}

static bool is_border(const tokens *t, size_t i)
{
    if (i == 0 || t->at[i].border)
        return true;
    tok_kind k = t->at[i - 1].kind;
    return k == TOK_NEWLINE || k == TOK_PUNCT || k == TOK_EQUAL ||
           (k == TOK_COMMA && t->at[i].space_before);
}

/* The expression that ends right before the sign and begins at a border. RDV_NONE: there is none.
 */
static int left_side(const tokens *t, size_t sign, rdv_arena *arena, expression *out)
{
    size_t least = sign > MAX_LEFT ? sign - MAX_LEFT : 0, i = sign;
    while (i > least && !is_border(t, i))
        i--;
    int r = i < sign ? parse_expression(t, i, arena, out) : RDV_NONE;
    return r == RDV_OK && (out->end != sign || !is_border(t, i)) ? RDV_NONE : r;
}

/* "\pmod{5}", "(mod 5)", "mod 5" at token `i`; *end: the token after it. */
static int modulus(const tokens *t, size_t i, rdv_arena *arena, node **out, uint32_t *end)
{
    parser p = {.t = t, .at = t->at};
    i += t->at[i].kind == TOK_COMMA;
    bool bracket = parse_tok(&p, i)->kind == TOK_OPEN;
    i += bracket;
    rdv_str s = i < t->n ? tok_text(t, i) : (rdv_str){0};
    expression e;
    if (!rdv_str_eq(s, RDV_STR("\\pmod")) && !rdv_str_eq(s, RDV_STR("\\mod")) &&
        !rdv_str_eq(s, RDV_STR("\\bmod")) && !rdv_str_ieq(s, RDV_STR("mod")))
        return RDV_NONE;
    int r = parse_expression(t, i + 1, arena, &e);
    if (r == RDV_OK && (!expression_is_plain(&e) || e.n_letters))
        return RDV_NONE;
    if (r == RDV_OK) {
        *out = e.root;
        *end = e.end + (bracket && parse_tok(&p, e.end)->kind == TOK_CLOSE);
    }
    return r;
}

static int residue(rdv_arena *arena, expression *e, node *m)
{
    node *n = rdv_alloc(arena, sizeof *n);
    if (!n)
        return RDV_E_NOMEM;
    *n = (node){.is = N_MOD, .a = e->root, .b = m};
    e->root = n;
    e->n_operators++;
    return RDV_OK;
}

/* The congruence whose sign is token `sign`. */
static int read_one(const tokens *t, size_t sign, rdv_arena *arena, equalities *out)
{
    expression sides[2];
    node *m = NULL;
    int r = left_side(t, sign, arena, &sides[0]);
    if (r == RDV_OK)
        r = parse_expression(t, sign + 1, arena, &sides[1]);
    if (r != RDV_OK)
        return r;
    node *right = sides[1].root;
    if (right->is == N_MOD && !right->grouped) { /* "2 \bmod 5" was read as one */
        m = right->b;
        sides[1].root = right->a;
    } else {
        r = modulus(t, sides[1].end, arena, &m, &sides[1].end); /* which is told with it */
    }
    /* "2m \equiv 3": the letter is no unit, but what is sought. */
    bool letters =
        sides[0].n_letters || sides[1].n_letters || sides[0].letter_units || sides[1].letter_units;
    if (r != RDV_OK || letters)
        return r == RDV_OK ? RDV_NONE : r;
    r = residue(arena, &sides[0], m);
    if (r == RDV_OK)
        r = residue(arena, &sides[1], m);
    return r == RDV_OK ? equalities_append(arena, sides, false, false, out) : r;
}

int congruence_find(const tokens *t, rdv_arena *arena, equalities *out)
{
    if (!tok_holds(t, TOK_RELATION))
        return RDV_OK;
    for (size_t i = 1; i + 1 < t->n; i++) {
        int r = is_sign(t, i) ? read_one(t, i, arena, out) : RDV_NONE;
        if (r < 0)
            return r;
    }
    return RDV_OK;
}
