/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/statement.h"

#include "base/arena.h"
#include "base/str.h"
#include "claims/verbal_reading.h"
#include "language/word_class.h"

#define MAX_DIGITS 18

/* ---- numbers --------------------------------------------------------------------------------- */

/* The whole number that was read; false: it has a fraction or too many digits. */
static bool whole(const tokens *t, const node *n, uint64_t *out)
{
    rdv_str s = tok_text(t, n->begin);
    size_t digits = 0;
    *out = n->value;
    if (n->is == N_CONSTANT)
        return true;
    *out = 0;
    for (size_t k = 0; k < s.len; k++) {
        if (s.p[k] == ',')
            continue;
        if (!rdv_is_digit(s.p[k]) || ++digits > MAX_DIGITS)
            return false;
        *out = *out * 10 + (uint64_t)(s.p[k] - '0');
    }
    return digits && !t->at[n->begin].vulgar && !t->at[n->begin].ellipsis;
}

/* What the letter stands for, 0 if the pattern has none. */
static bool number_of(const tokens *t, const verbal_captures *c, char letter, uint64_t *out)
{
    const node *n = c->of[letter - 'A'];
    *out = 0;
    return !n || whole(t, n, out);
}

/* ---- statements ------------------------------------------------------------------------------ */

/* May a row that needs no clause of its own begin at token `i`: "I get 17 / 5 = 3 R 2"? */
static bool begins_inside(const verbal_grammar *g, const tokens *t, size_t i)
{
    return t->at[i - 1].kind == TOK_WORD && !(tok_class(t, i - 1) & WORD_BINDS_AFTER) &&
           !verbal_is_listed(g, t, i - 1, LIST_AFTER);
}

/* "= -7": does a minus stand before the number at token `i`, and a sign of equality before it? */
static bool is_negative(const tokens *t, size_t i)
{
    return i > 1 && t->at[i - 1].kind == TOK_MINUS && !t->at[i].space_before &&
           t->at[i - 2].kind == TOK_EQUAL;
}

/* "40^2 + 41 = 1641 is prime": token `i` is the result of a calculation, not what a letter is. */
static bool is_result(const tokens *t, size_t i)
{
    size_t sign = i - is_negative(t, i);
    return sign > 1 && t->at[sign - 1].kind == TOK_EQUAL && t->at[i].kind == TOK_NUMBER &&
           (t->at[sign - 2].kind == TOK_NUMBER || t->at[sign - 2].kind == TOK_CLOSE);
}

/* Does the clause end here? "3, 4 or 5" goes on, and "(as we saw)" does not. Behind a denial "3 and
 * 5" goes on too. */
static bool ends(const reading *r, bool denied)
{
    size_t i = r->p.pos;
    tok_kind next = parse_tok(&r->p, i + 1)->kind;
    switch (parse_tok(&r->p, i)->kind) {
    case TOK_OPEN:
        return parse_tok(&r->p, i)->space_before && next == TOK_WORD;
    case TOK_COMMA:
        return next != TOK_NUMBER && !parse_word_is(&r->p, i + 1, "or") && verbal_clause_ends(r);
    case TOK_WORD:
        return verbal_is_in(r, i, LIST_ENDS) &&
               !(denied && parse_word_is(&r->p, i, "and") && next == TOK_NUMBER);
    default:
        return verbal_clause_ends(r);
    }
}

/* Where the subject stands first, the rest is said of it; where it stands last, what is before it.
 * Of a list each item is said, and of a remainder that is named first, the remainder. */
static void find_parts(const reading *r, const verbal_captures *c, const node *item, statement *out)
{
    const node *number = c->of['N' - 'A'], *divisor = c->of['M' - 'A'], *rest = c->of['R' - 'A'];
    out->begin = c->begin - (number->begin == c->begin && out->negative);
    out->end = out->said_end = item ? item->end : r->p.pos;
    out->subject = number->begin - out->negative;
    out->subject_end = verbal_states_division(out->is) ? divisor->end : number->end;
    out->said = out->subject_end;
    if (item) {
        out->said = item->begin;
    } else if (!verbal_states_division(out->is) && divisor && divisor->begin < number->begin) {
        out->said = out->begin;
        out->said_end = out->subject;
    } else if (rest && out->subject > c->begin) {
        out->said = rest->begin;
    } else {
        out->said += parse_tok(&r->p, out->said)->kind == TOK_EQUAL;
    }
}

/* Are the numbers whole ones, and does none divide by 0? */
static bool are_whole(const tokens *t, const verbal_captures *c, const node *item, statement *out)
{
    bool divided = item || c->of['M' - 'A'];
    return !out->negative && number_of(t, c, 'N', &out->number) &&
           number_of(t, c, 'M', &out->divisor) && number_of(t, c, 'Q', &out->quotient) &&
           number_of(t, c, 'R', &out->remainder) && (!item || whole(t, item, &out->divisor)) &&
           (!divided || out->divisor);
}

/* Append what was read, of divisor `item` if it is one of a list. */
static int add(const reading *r, const verbal_row *row, const verbal_captures *c, const node *item,
               rdv_arena *arena, statements *out)
{
    const node *number = c->of['N' - 'A'];
    statement d = {.is = row->states,
                   .read_by = row->id,
                   .denied = c->denied,
                   .of = {number, c->of['M' - 'A'], c->of['Q' - 'A']},
                   .negative = is_negative(r->p.t, number->begin)};
    if (!verbal_states_any(d.is) && !are_whole(r->p.t, c, item, &d))
        return RDV_OK;
    find_parts(r, c, item, &d);
    if (!RDV_PUSH_ROOM(arena, out->at, out->n, out->cap))
        return RDV_E_NOMEM;
    out->at[out->n++] = d;
    return RDV_OK;
}

/* The statement at the next token by one pattern; RDV_NONE: none is read so. */
static int by_pattern(reading *r, const verbal_pattern *p, rdv_arena *arena, statements *out)
{
    const verbal_row *row = &r->g->rows[p->row];
    expression unused = {0};
    verbal_captures c = {.begin = r->p.pos};
    int status = RDV_OK;
    r->p.e = &unused;
    if (!verbal_may_begin(r, p, r->p.pos) || !verbal_match(r, p, 0, &c) || !ends(r, c.denied))
        return r->p.nomem ? RDV_E_NOMEM : RDV_NONE;
    if (!c.n_items)
        return add(r, row, &c, NULL, arena, out);
    for (size_t i = 0; i < c.n_items && status == RDV_OK; i++)
        status = add(r, row, &c, c.item[i], arena, out);
    return status;
}

/* The statement at the next token, one of `may_be`; `begins`: a clause begins there. *end becomes
 * the token behind it. */
static int at_token(const reading *at, const verbal_set *may_be, bool begins, rdv_arena *arena,
                    statements *out, size_t *end)
{
    bool result = is_result(at->p.t, at->p.pos);
    for (size_t k = 0; verbal_set_next(may_be, &k); k++) {
        const verbal_pattern *p = &at->g->statements[k];
        const verbal_row *row = &at->g->rows[p->row];
        if (!begins && !(row->is & IS_VERB) && !(result && !verbal_states_division(row->states)))
            continue;
        reading r = *at;
        int status = by_pattern(&r, p, arena, out);
        *end = status == RDV_OK ? r.p.pos : *end;
        if (status != RDV_NONE)
            return status;
    }
    return RDV_NONE;
}

int statement_find(const tokens *t, const rule_set *rules, rdv_arena *arena, statements *out)
{
    const verbal_grammar *g = verbal_grammar_built_in();
    size_t last_end = 0;
    if (!g)
        return RDV_E_NOMEM;
    verbal_set in_text = verbal_in_text(&g->statement_begin, t);
    if (!verbal_set_keep(&in_text, &in_text))
        return RDV_OK;
    bool captures = verbal_set_share(&in_text, &g->statement_begin.captures);
    for (size_t i = 0; i + 2 < t->n; i++) {
        if (!verbal_begins_with_word(&g->statement_begin, &in_text, t, i) &&
            !(captures && verbal_is_captured(t, i)))
            continue;
        verbal_set may_be = verbal_candidates(&g->statement_begin, t, i, 0);
        if (!verbal_set_keep(&may_be, &in_text))
            continue;
        bool begins = verbal_clause_begins(g, t, i, last_end);
        if (!begins && !begins_inside(g, t, i) && !is_result(t, i))
            continue;
        reading r = {.p = {.t = t, .at = t->at, .pos = i, .arena = arena}, .g = g, .rules = rules};
        int status = at_token(&r, &may_be, begins, arena, out, &last_end);
        if (status < 0)
            return status;
        i = status == RDV_OK ? last_end - 1 : i;
    }
    return RDV_OK;
}

bool statement_may_be_in(rdv_str text)
{
    const verbal_grammar *g = verbal_grammar_built_in();
    return g && phrase_in(text, g->anchors);
}
