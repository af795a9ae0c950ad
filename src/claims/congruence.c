/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/congruence.h"

#include "base/arena.h"
#include "base/str.h"
#include "expression/clause.h"
#include "expression/parser.h"

#define MAX_LEFT 40 /* tokens looked at before the sign; keeps the work linear */
#define MAX_LINKS 8 /* of a chain behind it */

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
    bool clause = clause_begins(t, i) && (k != TOK_COMMA || t->at[i].space_before);
    return clause || k == TOK_EQUAL || is_sign(t, i - 1) || tok_is_word(t, i - 1, "and");
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

/* Is nothing more said of the modulus from token `i` on: "mod 7, 11", "mod 7 squared", "mod 7 000"?
 */
static bool ends_modulus(const tokens *t, size_t i)
{
    tok_kind k = tok_kind_at(t, i);
    bool joined = k == TOK_COMMA || tok_is_word(t, i, "and");
    if (joined)
        i += 1 + (k == TOK_COMMA && tok_is_word(t, i + 1, "and"));
    if (joined || k == TOK_WORD)
        return tok_kind_at(t, i) != TOK_NUMBER && !tok_is_word(t, i, "mod") &&
               !tok_is_word(t, i, "squared") && !tok_is_word(t, i, "cubed");
    return k == TOK_END || k == TOK_NEWLINE || k == TOK_CLOSE || k == TOK_PUNCT;
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
    if (r != RDV_OK)
        return r;
    bool closed = !bracket || tok_kind_at(t, e.end) == TOK_CLOSE;
    bool one_way = !(e.readings & (READ_BANG_AS_PROSE | READ_PERCENT_AS_NUMBER));
    if (!expression_is_plain(&e) || e.n_letters || !one_way || !closed ||
        (!bracket && !ends_modulus(t, e.end)))
        return RDV_NONE;
    *out = e.root;
    *end = e.end + bracket;
    return RDV_OK;
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

/* Is the side read in one way, as a number? "5!" may end a sentence, "50%" be 50. */
static bool is_number(const expression *e)
{
    return !e->n_letters && !e->letter_units && !e->n_units &&
           !(e->readings & (READ_BANG_AS_PROSE | READ_PERCENT_AS_NUMBER));
}

/* The modulus of the side that ends at token *end: there, or behind further links of a chain,
 * "9 \equiv 2 \equiv 9 \pmod 7". */
static int find_modulus(const tokens *t, rdv_arena *arena, node **m, uint32_t *end)
{
    expression link;
    uint32_t i = *end;
    for (size_t n = 0; is_sign(t, i) && n < MAX_LINKS; n++) {
        int r = parse_expression(t, i + 1, arena, &link);
        if (r != RDV_OK)
            return r;
        i = link.end;
    }
    return modulus(t, i, arena, m, i == *end ? end : &i); /* which is told with its own link */
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
        r = find_modulus(t, arena, &m, &sides[1].end);
    }
    /* "2m \equiv 3": the letter is no unit, but what is sought. */
    if (r != RDV_OK || !is_number(&sides[0]) || !is_number(&sides[1]))
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
