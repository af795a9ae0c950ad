/* SPDX-License-Identifier: Apache-2.0 */
/* One claim in words: a row of the grammar, what claims its result, a result; or the result first.
 */
#include "claims/verbal_reading.h"

#include "base/str.h"
#include "claims/adjacency.h"
#include "claims/connective.h"
#include "expression/eval.h"
#include "language/number_words.h"
#include "language/word_class.h"

#define MAX_NEAREST 1000000 /* bits of numbers for one look at what is meant */
#define MAX_CHAIN 16        /* operations after each other */
#define MAX_DEPTH 3         /* rows within each other */

static node *row_at(reading *r, size_t pattern, verbal_captures *c);

/* ---- what letters stand for ------------------------------------------------------------------ */

/* "3, 4 and 5"; without "and" it is no list. */
static node *list(reading *r, verbal_captures *c)
{
    bool last = false;
    r->in_list = true;
    for (c->n_items = 0; c->n_items < VERBAL_ITEMS_MOST;) {
        node *n = verbal_number(r);
        if (!n)
            return NULL;
        c->item[c->n_items++] = n;
        if (last)
            return n;
        bool comma = parse_tok(&r->p, r->p.pos)->kind == TOK_COMMA;
        r->p.pos += comma;
        last = verbal_next_is(r, "and");
        if (!comma && !last)
            return NULL;
    }
    return NULL;
}

/* "3, 4 and 5", "3, 4, 5"; what else stands behind a comma is no part of it. */
static node *items(reading *r, verbal_captures *c)
{
    node *last = NULL;
    for (c->n_items = 0; c->n_items < VERBAL_ITEMS_MOST;) {
        node *n = verbal_bare(r);
        if (!n)
            break;
        c->item[c->n_items++] = last = n;
        r->p.pos += parse_tok(&r->p, r->p.pos)->kind == TOK_COMMA;
        verbal_next_is(r, "and");
    }
    if (c->n_items < 2)
        return NULL;
    r->p.pos = last->end;
    return last;
}

/* The token behind a number that begins at the next one; 0: none does. */
static size_t behind_number(const reading *r)
{
    expression e = {.begin = (uint32_t)r->p.pos};
    reading ahead = *r;
    ahead.p.e = &e;
    return verbal_number(&ahead) ? ahead.p.pos : 0;
}

/* A row that is a term, in the middle of another. */
static node *term(reading *r)
{
    const reading keep = *r;
    const expression e = *r->p.e;
    tok_kind first = parse_tok(&r->p, r->p.pos)->kind;
    if (r->depth == MAX_DEPTH || (first != TOK_WORD && first != TOK_NUMBER && first != TOK_FRAC))
        return NULL;
    size_t behind = behind_number(r);
    verbal_set may_be = verbal_candidates(&r->g->begin, r->p.t, r->p.pos, behind);
    if (r->in_text)
        verbal_set_keep(&may_be, r->in_text);
    for (size_t i = 0; verbal_set_next(&may_be, &i); i++) {
        const verbal_pattern *p = &r->g->patterns[i];
        if (!(r->g->rows[p->row].is & IS_TERM) || !verbal_may_begin(r, p, behind))
            continue;
        verbal_captures c = {{0}};
        r->depth++;
        node *n = row_at(r, i, &c);
        r->depth = keep.depth;
        if (n || r->p.nomem)
            return r->p.nomem ? NULL : n;
        *r = keep;
        *r->p.e = e;
    }
    return NULL;
}

/* "the 36 cookies": then the result counts the same. */
static node *known_number(reading *r)
{
    const token *next = parse_tok(&r->p, r->p.pos + 1);
    bool number =
        next->kind == TOK_NUMBER || next->kind == TOK_CURRENCY || (next->word & WORD_NUMBER);
    if (!number || !verbal_is_in(r, r->p.pos, LIST_WHOSE))
        return NULL;
    r->p.pos++;
    node *n = verbal_number(r);
    if (n && n->is != N_UNIT)
        r->counted = r->noun;
    return n && (r->noun || n->is == N_UNIT) ? n : NULL;
}

static node *value(reading *r)
{
    const reading keep = *r;
    node *n = term(r);
    n = n || r->p.nomem ? n : known_number(r);
    if (!n && !r->p.nomem) {
        *r = keep;
        n = verbal_number(r);
    }
    return n;
}

/* "12 * 4": an expression in signs. */
static node *in_signs(reading *r)
{
    expression e;
    if (!verbal_expression(r, &e) || expression_is_plain(&e) || e.n_letters || e.n_words ||
        e.n_units)
        return NULL;
    for (size_t i = e.begin + 1; i < e.end; i++) /* "24/7", "3-2" may be names */
        if ((r->p.at[i].kind == TOK_DIVIDE || r->p.at[i].kind == TOK_MINUS) &&
            !r->p.at[i].space_before)
            return NULL;
    *r->p.e = e;
    r->p.pos = e.end;
    return e.root;
}

/* "thirds" */
static bool names_several(const reading *r)
{
    rdv_str w = tok_text(r->p.t, r->p.pos);
    return w.len && rdv_lower(w.p[w.len - 1]) == 's';
}

static node *word_as_number(reading *r, bool (*find)(rdv_str, unsigned *))
{
    unsigned number;
    if (parse_tok(&r->p, r->p.pos)->kind != TOK_WORD || !find(tok_text(r->p.t, r->p.pos), &number))
        return NULL;
    r->p.pos++;
    return verbal_constant(r, number);
}

static node *captured(reading *r, verbal_symbol is, verbal_captures *c)
{
    switch (is) {
    case VERBAL_NUMBER:
        return verbal_number(r);
    case VERBAL_BARE:
        return verbal_bare(r);
    case VERBAL_VALUE:
        return value(r);
    case VERBAL_TERM:
        return term(r);
    case VERBAL_PERCENTAGE:
        return verbal_percentage(r);
    case VERBAL_FRACTION:
        return verbal_fraction(r);
    case VERBAL_LIST:
        return list(r, c);
    case VERBAL_ITEMS:
        return items(r, c);
    case VERBAL_ORDINAL:
        return verbal_ordinal(r);
    case VERBAL_PART:
        return !c->last || names_several(r) ? word_as_number(r, fraction_word) : NULL;
    case VERBAL_MULTIPLE:
        return word_as_number(r, multiple_word);
    case VERBAL_SIGNS:
        return in_signs(r);
    default:
        return NULL;
    }
}

/* ---- patterns -------------------------------------------------------------------------------- */

static bool holds_and(const verbal_element *e)
{
    for (size_t i = 0; e->of && i < e->of->n; i++)
        if (rdv_str_eq(e->of->words[i], RDV_STR("and")))
            return true;
    return false;
}

/* Is the next token the word that the element asks for? */
static bool is_word(const reading *r, const verbal_element *e)
{
    size_t i = r->p.pos;
    return e->of ? verbal_is_one_of(r->p.t, i, e->of) : verbal_is_noun(r, i);
}

/* Is the row switched off? */
static bool is_off(const reading *r, size_t row)
{
    const rule_set *s = r->rules;
    return s && s->verbal.n && s->rules[s->verbal.first + row].off;
}

bool verbal_may_begin(const reading *r, const verbal_pattern *p, size_t behind)
{
    size_t i = r->p.pos, k = 0;
    if (is_off(r, p->row))
        return false;
    if (p->at[0].is == VERBAL_NUMBER) {
        if (!behind)
            return false;
        i = behind;
        k++;
    } else if (p->at[0].is == VERBAL_BARE && parse_tok(&r->p, i)->kind == TOK_NUMBER) {
        i++;
        k++;
    }
    for (; k < p->n && p->at[k].of; k++) {
        bool is = verbal_is_one_of(r->p.t, i, p->at[k].of);
        if (!is && !p->at[k].optional)
            return false;
        i += is;
    }
    return k == p->n || verbal_may_stand_for(r->p.t, p->at[k].is, i);
}

bool verbal_match(reading *r, const verbal_pattern *p, size_t from, verbal_captures *c)
{
    for (size_t i = from; i < p->n; i++) {
        const verbal_element *e = &p->at[i];
        if (e->is <= VERBAL_NOUN) {
            bool is = is_word(r, e);
            if (!is && !e->optional)
                return false;
            if (is && e->is != VERBAL_WORDS && c->last) {
                c->noun[c->last - 'A'] = r->p.pos;
                r->named = true;
            }
            c->denied |= is && e->denies;
            r->p.pos += is;
            continue;
        }
        r->in_list = i + 1 < p->n && holds_and(&p->at[i + 1]);
        r->noun = 0;
        node *n = captured(r, e->is, c);
        r->in_list = false;
        if (!n)
            return false;
        c->last = e->letter;
        c->end = r->p.pos;
        c->of[e->letter - 'A'] = n;
        c->noun[e->letter - 'A'] = r->noun;
    }
    return true;
}

/* Do the words at two tokens name the same thing, one or several: "hour" and "hours"? */
static bool same_noun(const reading *r, size_t i, size_t k)
{
    rdv_str a = tok_text(r->p.t, i), b = tok_text(r->p.t, k);
    rdv_str *several = a.len < b.len ? &b : &a;
    if (a.len != b.len && rdv_lower(several->p[several->len - 1]) == 's')
        several->len--;
    return rdv_str_ieq(a, b);
}

/* "one third", of something that need not be said. */
static bool is_bare_fraction(const node *n)
{
    return n->is == N_DIVIDE && n->a->is == N_CONSTANT && n->b->is == N_CONSTANT;
}

/* Does no item of a list stand before token `i`: "2 pens at $1 each and 3 rulers at $2 each"? */
static bool is_alone(const reading *r, size_t i)
{
    return i == 0 || (parse_tok(&r->p, i - 1)->kind != TOK_COMMA &&
                      r->p.t->text.p[r->p.at[i - 1].begin] != ';' &&
                      !parse_word_is(&r->p, i - 1, "and") && !parse_word_is(&r->p, i - 1, "then"));
}

/* Does one of the words stand in the text? */
static bool speaks_of(const tokens *t, const cue_words *words)
{
    bool speaks = false;
    for (size_t i = 0; words && i < t->n && !speaks; i++)
        speaks = verbal_is_one_of(t, i, words);
    for (size_t i = 0; words && i < words->n && !speaks; i++) /* "$" */
        speaks = !rdv_is_alpha(words->words[i].p[0]) &&
                 rdv_find(t->text, words->words[i], 0) != RDV_NOT_FOUND;
    return speaks;
}

/* Does what the row asks for hold of what was read? */
static bool holds(reading *r, const verbal_row *row, const verbal_captures *c)
{
    size_t a = c->noun['A' - 'A'], b = c->noun['B' - 'A'];
    const node *first = c->of['A' - 'A'], *second = c->of['V' - 'A'];
    if (((row->is & IS_ALONE) && !is_alone(r, c->begin)) || ((row->is & IS_NAMED) && !b) ||
        ((row->is & IS_FORM) && r->named) ||
        ((row->is & IS_ALIKE) && is_bare_fraction(first) != is_bare_fraction(second)))
        return false;
    if (row->is & IS_RATE) {
        if (!b || !a || !same_noun(r, a, b))
            return false;
        r->units_differ = false; /* miles per hour, and hours */
        r->unit = (unit_meaning){0};
    }
    return !speaks_of(r->p.t, row->unless);
}

/* ---- formulas -------------------------------------------------------------------------------- */

/* As in signs, "27 divided by 1/6" may be read from left to right, and "12% of 15" as 12. */
static void note_readings(reading *r, node *n)
{
    const node *a = n->a, *b = n->b;
    if (n->is == N_DIVIDE && b->is == N_DIVIDE && !b->grouped && b->a->is == N_NUMBER &&
        b->b->is == N_NUMBER) {
        n->implicit = true;
        r->p.e->readings |= READ_LEFT_TO_RIGHT;
    }
    if (n->is == N_MULTIPLY && a->is == N_PERCENT && a->a->is == N_NUMBER && b->is == N_NUMBER) {
        n->of = true;
        r->p.e->readings |= READ_PERCENT_AS_NUMBER | READ_OF_AS_PROSE;
    }
}

/* The number of a formula, in digits. */
static unsigned whole_number(rdv_str digits)
{
    unsigned n = 0;
    for (size_t i = 0; i < digits.len && n < 1000 && rdv_is_digit(digits.p[i]); i++)
        n = n * 10 + (unsigned)(digits.p[i] - '0');
    return n;
}

/* The formula's tree with what was captured in the place of its letters. */
static node *put_in(reading *r, const verbal_formula *f, const node *n, const verbal_captures *c)
{
    if (n->is == N_LETTER)
        return c->of[tok_text(&f->of.t, n->begin).p[0] - 'A'];
    if (n->is == N_NUMBER)
        return verbal_constant(r, whole_number(tok_text(&f->of.t, n->begin)));
    node *a = n->a ? put_in(r, f, n->a, c) : NULL, *b = n->b ? put_in(r, f, n->b, c) : NULL;
    node *out = (!n->a || a) && (!n->b || b) ? parse_node(&r->p, n->is, a, b) : NULL;
    if (!out)
        return NULL;
    out->value = n->value;
    r->p.e->n_operators++;
    r->p.e->product |= n->is == N_MULTIPLY || n->is == N_DIVIDE;
    if (b)
        note_readings(r, out);
    return out;
}

static node *fold(reading *r, const verbal_formula *f, verbal_captures *c)
{
    node *all = NULL;
    for (size_t i = 0; i < c->n_items; i++) {
        c->of['L' - 'A'] = c->item[i];
        node *n = put_in(r, f, f->of.root, c);
        all = !n || i == 0
                  ? n
                  : verbal_operation(r, f->fold == FOLD_PRODUCT ? N_MULTIPLY : N_ADD, all, n);
        if (!all)
            return NULL;
    }
    return f->fold == FOLD_MEAN && all
               ? verbal_operation(r, N_DIVIDE, all, verbal_constant(r, (unsigned)c->n_items))
               : all;
}

/* NULL: there is no such formula. */
static node *formula_node(reading *r, const verbal_formula *f, verbal_captures *c)
{
    if (!f->of.root)
        return NULL;
    r->p.e->n_operators += f->of.root->is == N_LETTER; /* to state it in another form is one too */
    return f->fold == FOLD_NONE ? put_in(r, f, f->of.root, c) : fold(r, f, c);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static node *row_value(reading *r, const verbal_pattern *p, size_t from, verbal_captures *c)
{
    const verbal_row *row = &r->g->rows[p->row];
    if (!verbal_match(r, p, from, c) || !holds(r, row, c))
        return NULL;
    size_t k = row->counts ? (size_t)(row->counts - 'A') : 0;
    if (row->counts && c->of[k]->is != N_UNIT)
        r->counted = c->noun[k];
    return formula_node(r, &row->value, c);
}

/* The operations that go on with the value `n` of a row: "plus four minus two"; NULL: one does that
 * cannot be told apart from another order, a product within a sum. */
static node *chained(reading *r, unsigned chain, node *n)
{
    for (unsigned k = 0; n && chain && k < MAX_CHAIN; k++) {
        bool found = false;
        for (size_t i = 0; i < r->g->n_patterns && !found; i++) {
            const verbal_pattern *p = &r->g->patterns[i];
            unsigned next = r->g->rows[p->row].is & (IS_SUM | IS_PRODUCT);
            if (!next || !verbal_may_begin(r, p, r->p.pos))
                continue;
            const reading keep = *r;
            verbal_captures c = {.begin = r->p.pos, .of = {[0] = n}};
            node *all = row_value(r, p, 1, &c);
            found = all != NULL;
            if (found && next != chain)
                return NULL;
            n = found ? all : n;
            *r = found ? *r : keep;
        }
        if (!found)
            return n;
    }
    return n;
}

static node *row_at(reading *r, size_t pattern, verbal_captures *c)
{
    const verbal_pattern *p = &r->g->patterns[pattern];
    c->begin = r->p.pos;
    node *n = row_value(r, p, 0, c);
    return chained(r, r->g->rows[p->row].is & (IS_SUM | IS_PRODUCT), n);
}

/* ---- what claims ----------------------------------------------------------------------------- */

static bool is_sign(const reading *r, size_t i)
{
    tok_kind k = parse_tok(&r->p, i)->kind;
    return k == TOK_EQUAL || k == TOK_APPROX;
}

/* "to get", "and we get", "giving" behind the verb of an operation. */
static bool joint(reading *r)
{
    if (verbal_next_is(r, "giving"))
        return true;
    bool joins = verbal_next_is(r, "to") || verbal_next_is(r, "and");
    bool who = verbal_is_in(r, r->p.pos, LIST_WHO);
    r->p.pos += who;
    return (joins || who) && verbal_is_in(r, r->p.pos++, LIST_OBTAINS);
}

/* Words that claim a result; after a verb other ones too. */
static bool words_claim(reading *r, bool verb)
{
    const tokens *t = r->p.t;
    bool comma = verb && parse_tok(&r->p, r->p.pos)->kind == TOK_COMMA, difference;
    r->p.pos += comma;
    if (verbal_next_is(r, "which") && !verb)
        return false;
    size_t n = connective_equality(t, r->p.pos);
    if (n && !(comma && is_sign(r, r->p.pos))) {
        r->p.pos += n;
        return true;
    }
    n = connective_verb(t, r->p.pos, &difference);
    r->p.pos += n;
    if (n)
        return !difference || r->p.e->root->is == N_SUBTRACT;
    return verb && joint(r);
}

/* The same, and whether the result is not meant exactly. */
static bool claims(reading *r, bool verb)
{
    size_t begin = r->p.pos;
    if (!words_claim(r, verb))
        return false;
    r->p.pos += connective_hedge(r->p.t, r->p.pos); /* "to get about 8" */
    r->about = connective_is_about(r->p.t, begin, r->p.pos - begin);
    return true;
}

/* ---- clauses --------------------------------------------------------------------------------- */

#define MAX_FORMULA 16 /* tokens up to its sign */

/* "half of 10 is 5 and 3 + 4 = 7": does a calculation in signs begin with the number at token `i`?
 * "3 and 1/2 = 3.5" and "2 and 2 = 4" go on with the number before. */
static bool calculation_begins(const tokens *t, size_t i)
{
    bool works_out = false;
    if (!tok_is_plain_number(t, i) ||
        (tok_kind_at(t, i + 1) == TOK_DIVIDE && !t->at[i + 1].space_before))
        return false;
    for (size_t k = i + 1; k < i + MAX_FORMULA; k++) {
        switch (tok_kind_at(t, k)) {
        case TOK_RELATION:
            return true;
        case TOK_EQUAL:
        case TOK_APPROX:
            return works_out;
        case TOK_PLUS:
        case TOK_MINUS:
        case TOK_TIMES:
        case TOK_DIVIDE:
        case TOK_POWER:
            works_out = true;
            break;
        case TOK_NUMBER:
        case TOK_OPEN:
        case TOK_CLOSE:
        case TOK_CURRENCY:
        case TOK_PERCENT:
            break;
        default:
            return false;
        }
    }
    return false;
}

bool verbal_clause_ends(const reading *r)
{
    size_t i = r->p.pos;
    switch (parse_tok(&r->p, i)->kind) {
    case TOK_END:
    case TOK_NEWLINE:
    case TOK_CLOSE:
        return true;
    case TOK_COMMA:
    case TOK_PUNCT:
        return !adjacency_takes_part_after(r->p.t, i) &&
               r->p.t->text.p[r->p.t->at[i].begin] != '?' &&
               !adjacency_takes_part_after(r->p.t, i - 1);
    case TOK_WORD:
        return verbal_is_in(r, i, LIST_ENDS) &&
               (parse_tok(&r->p, i + 1)->kind != TOK_NUMBER || calculation_begins(r->p.t, i + 1));
    default:
        return false;
    }
}

/* Does the "and" at token `i` join clauses, not the items of a list: "for 2, 1, and 5/3"? */
static bool joins_clauses(const tokens *t, size_t i, size_t last_end)
{
    if ((i == last_end && last_end > 0) || i == 0 || t->at[i - 1].kind == TOK_NEWLINE)
        return true;
    if (t->at[i - 1].kind != TOK_COMMA && t->at[i - 1].kind != TOK_PUNCT)
        return false;
    tok_kind item = i > 1 ? t->at[i - 2].kind : TOK_END;
    return (i - 1 == last_end && last_end > 0) || t->at[i - 1].kind == TOK_PUNCT ||
           (item != TOK_NUMBER && item != TOK_CLOSE);
}

/* ", which" at token `i`: the token behind it, else `i`. */
static size_t behind_which(const tokens *t, size_t i)
{
    size_t at = i + (tok_kind_at(t, i) == TOK_COMMA);
    return tok_is_word(t, at, "which") ? at + 1 : i;
}

/* "= 420 pages, which is half of 840": is what the number at token `i` is said to be told behind it
 * once more? */
static bool is_told_again(const tokens *t, size_t i)
{
    size_t behind = i + 1 + (tok_kind_at(t, i + 1) == TOK_WORD);
    return t->at[i - 1].kind == TOK_EQUAL && t->at[i].kind == TOK_NUMBER &&
           (behind_which(t, i + 1) > i + 1 || behind_which(t, behind) > behind);
}

bool verbal_clause_begins(const verbal_grammar *g, const tokens *t, size_t i, size_t last_end)
{
    if (i == 0)
        return true;
    tok_kind k = t->at[i - 1].kind;
    if (k == TOK_WORD)
        return tok_is_word(t, i - 1, "and") || tok_is_word(t, i - 1, "und")
                   ? joins_clauses(t, i - 1, last_end)
                   : verbal_is_listed(g, t, i - 1, LIST_BEGINS);
    return k == TOK_NEWLINE || k == TOK_PUNCT || (k == TOK_COMMA && t->at[i].space_before) ||
           k == TOK_OPEN || is_told_again(t, i);
}

/* ---- results --------------------------------------------------------------------------------- */

/* The percentage or fraction that says how much of a whole something is. */
static node *share(reading *r)
{
    size_t i = r->p.pos;
    if (parse_tok(&r->p, i)->kind == TOK_FRAC || parse_tok(&r->p, i + 1)->kind == TOK_DIVIDE)
        return verbal_number(r);
    expression e;
    if (!verbal_expression(r, &e) || e.root->is != N_PERCENT || !expression_is_plain(&e))
        return NULL;
    *r->p.e = e;
    r->p.pos = e.end;
    return e.root;
}

static node *number_claimed(reading *r, unsigned row)
{
    size_t i = r->p.pos;
    node *n = row & (IS_SHARE | IS_FORM) ? share(r) : NULL;
    if (!n && !(row & IS_SHARE)) {
        r->p.pos = i;
        n = verbal_number(r);
    }
    return n;
}

/* Does a bracket touch what stands before it: "$9 (20 * 0.45)", where it may be an aside? */
static bool has_bracket_behind_number(const reading *r, const expression *e)
{
    for (size_t i = e->begin + 1; i < e->end; i++)
        if (r->p.at[i].kind == TOK_OPEN &&
            (r->p.at[i - 1].kind == TOK_NUMBER || r->p.at[i - 1].kind == TOK_CLOSE))
            return true;
    return false;
}

/* "(25/100) * 4": an operation on numbers, in signs, that is the result. Amounts of something else
 * than money are no part of one, nor is money where none is spoken of before. */
static node *operation_claimed(reading *r, unsigned row, bool paid)
{
    expression e;
    if ((row & (IS_SHARE | IS_FORM | IS_TIMES)) || !verbal_expression(r, &e) ||
        e.n_operators == 0 || e.n_letters || e.n_words || (e.n_units && !paid) ||
        has_bracket_behind_number(r, &e))
        return NULL;
    *r->p.e = e;
    r->p.pos = e.end;
    return e.root;
}

void verbal_pass_each(reading *r)
{
    if (verbal_next_is(r, "each") || verbal_next_is(r, "apiece"))
        return;
    bool per = parse_word_is(&r->p, r->p.pos, "per") && verbal_is_noun(r, r->p.pos + 1);
    r->p.pos += per ? 2 : 0;
}

/* "2 dozen is 24 hours" */
static bool measures_what_is_unnamed(const reading *r, const verbal_row *row)
{
    return row->counts && !r->counted && r->unit.unit;
}

/* The result that is claimed, a number at the end of a clause. */
static bool number_result(reading *r, const verbal_row *row, bool divided)
{
    size_t i = r->p.pos;
    bool paid = r->money, things = r->named && !paid && !divided;
    char symbol = r->symbol;
    r->noun = 0;
    r->symbol = '\0';
    node *n = number_claimed(r, row->is);
    if (!n || n->is == N_MULTIPLY || /* "60 dozens" */
        r->symbol != symbol)         /* "4 h" may be 4 times h */
        return false;
    r->p.e->root = n;
    bool money = n->is == N_UNIT || parse_tok(&r->p, i)->kind == TOK_CURRENCY;
    bool other = r->noun && r->counted &&
                 !rdv_str_ieq(tok_text(r->p.t, r->noun), tok_text(r->p.t, r->counted));
    if ((things && r->money) || /* "1/2 of 6 quarters is 75 cents" */
        (r->in_words && r->named) || other || (money && r->counted) ||
        (money && row->counts && !paid) || r->units_differ || measures_what_is_unnamed(r, row))
        return false;
    r->p.e->end = r->p.pos;
    if (row->is & IS_TIMES) {
        if (!verbal_next_is(r, "times") && !verbal_next_is(r, "time"))
            return false;
    } else {
        verbal_pass_each(r);
        r->p.e->end = r->p.pos;
    }
    return verbal_clause_ends(r);
}

/* An operation that is claimed, at the end of a clause or before its own result: "25% of 80 is 0.25
 * * 80 = 20". What is counted may be many of something else, "75% of one pan is 16 * 0.75", and a
 * division may have a quotient and a rest. */
static bool operation_result(reading *r, const verbal_row *row, bool divided)
{
    bool things = r->named && !r->money;
    node *n = r->symbol ? NULL : operation_claimed(r, row->is, r->money);
    if (!n || things || r->in_words || r->units_differ || measures_what_is_unnamed(r, row) ||
        (divided && n->is != N_DIVIDE))
        return false;
    r->p.e->root = n;
    return verbal_clause_ends(r) || is_sign(r, r->p.pos);
}

static bool result(reading *r, const verbal_row *row, bool divided)
{
    const reading before = *r;
    const expression none = *r->p.e;
    if (number_result(r, row, divided))
        return true;
    *r = before;
    *r->p.e = none;
    return operation_result(r, row, divided);
}

/* Have the two trees exactly the same value? A tree that is not there has none. */
static bool equal(const tokens *t, const node *a, const node *b)
{
    uint64_t budget = MAX_NEAREST;
    evaluation ev = {.t = t, .budget = &budget};
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    bool is = a && b && eval_exact(&ev, a, x) == EVAL_OK && eval_exact(&ev, b, y) == EVAL_OK &&
              fmpq_equal(x, y);
    fmpq_clear(x);
    fmpq_clear(y);
    return is;
}

/* ---- claims ---------------------------------------------------------------------------------- */

/* The claim at the next token by one pattern, as two terms of `out`. */
static bool claim_by(reading *r, size_t pattern, expression *out)
{
    const verbal_pattern *p = &r->g->patterns[pattern];
    const verbal_row *row = &r->g->rows[p->row];
    verbal_captures c = {{0}};
    size_t i = r->p.pos;
    out[0] = (expression){.begin = (uint32_t)i};
    r->p.e = &out[0];
    out[0].root = row_at(r, pattern, &c);
    out[0].begin = (uint32_t)i;
    out[0].end = (uint32_t)r->p.pos;
    node *root = out[0].root;
    bool signs = p->at[0].is == VERBAL_SIGNS && is_sign(r, r->p.pos);
    if (row->is & IS_SAID)
        out[0].end = (uint32_t)c.end;
    if (!root || signs || /* the usual reader has equations of signs */
        (!(row->is & IS_SAID) && !claims(r, row->is & IS_VERB)))
        return false;
    node *other = formula_node(r, &row->other, &c);
    out[1] = (expression){.begin = (uint32_t)r->p.pos};
    r->p.e = &out[1];
    bool divided = root->is == N_DIVIDE && root->b->is != N_CONSTANT; /* "by 5 friends is $240" */
    if (!result(r, row, divided))
        return false;
    if (equal(r->p.t, other, out[1].root))
        out[0].root = other;
    return true;
}

/* "12 is", "12, which is", "48 =" where the result stands first. */
static bool result_first(reading *r, expression *out)
{
    *out = (expression){.begin = (uint32_t)r->p.pos};
    r->p.e = out;
    out->root = verbal_number(r);
    out->end = (uint32_t)r->p.pos;
    if (!out->root || !expression_is_plain(out))
        return false;
    r->p.pos = behind_which(r->p.t, r->p.pos);
    return claims(r, false);
}

/* "12 is 20% of 60": the pattern behind the result. */
static bool turned_claim_by(reading *r, size_t pattern, expression *out)
{
    const verbal_pattern *p = &r->g->patterns[pattern];
    const verbal_row *row = &r->g->rows[p->row];
    verbal_captures c = {{0}};
    size_t begin = r->p.pos, noun = r->noun;
    bool signs = p->at[0].is == VERBAL_SIGNS, money = out[0].root->is == N_UNIT;
    if ((row->is & (IS_VERB | IS_SHARE | IS_FORM | IS_SAID)) || row->other.of.root ||
        (signs && (r->unit.unit || r->p.at[begin - 1].kind != TOK_WORD)))
        return false;
    char symbol = r->symbol;
    r->symbol = '\0';
    out[1] = (expression){.begin = (uint32_t)begin};
    r->p.e = &out[1];
    out[1].root = row_at(r, pattern, &c);
    out[1].begin = (uint32_t)begin;
    out[1].end = (uint32_t)r->p.pos;
    if (!out[1].root || r->symbol != symbol || r->units_differ ||
        measures_what_is_unnamed(r, row) || !verbal_clause_ends(r))
        return false;
    bool same = !noun || rdv_str_ieq(tok_text(r->p.t, noun), tok_text(r->p.t, r->counted));
    return !r->counted || (row->counts && same && !money);
}

/* Behind which signs, and digits before, neither a pattern nor a claim goes on. */
#define ONE UINT64_C(1)
#define SIGNS_BEHIND                                                                               \
    (ONE << TOK_TIMES | ONE << TOK_POWER | ONE << TOK_PERCENT | ONE << TOK_RELATION |              \
     ONE << TOK_CLOSE | ONE << TOK_NEWLINE | ONE << TOK_END)

/* Does one of the signs stand behind digits at the next token? */
static bool is_before_sign(const reading *r, uint64_t signs)
{
    const token *t = parse_tok(&r->p, r->p.pos);
    return t->kind == TOK_NUMBER && (signs >> t[1].kind & 1);
}

/* The first pattern that reads a claim, each from the reading `from` on. */
static int first_claim(const reading *from, bool begins, verbal_claim *out)
{
    const verbal_grammar *g = from->g;
    bool numbers = begins && verbal_set_share(&g->begin.numbers, from->in_text) &&
                   !is_before_sign(from, SIGNS_BEHIND | ONE << TOK_EQUAL | ONE << TOK_APPROX);
    size_t behind = numbers ? behind_number(from) : 0;
    verbal_set may_be = verbal_candidates(&g->begin, from->p.t, from->p.pos, behind);
    verbal_set_keep(&may_be, from->in_text);
    for (size_t i = 0; verbal_set_next(&may_be, &i); i++) {
        const verbal_row *row = &g->rows[g->patterns[i].row];
        if ((!begins && !(row->is & IS_VERB)) || !verbal_may_begin(from, &g->patterns[i], behind))
            continue;
        reading r = *from;
        bool found =
            out->inverted ? turned_claim_by(&r, i, out->sides) : claim_by(&r, i, out->sides);
        out->about = r.about;
        out->row = row;
        if (found || r.p.nomem)
            return r.p.nomem ? RDV_E_NOMEM : RDV_OK;
    }
    return RDV_NONE;
}

int verbal_claim_at(const reading *at, bool begins, verbal_claim *out)
{
    const tokens *t = at->p.t;
    size_t i = at->p.pos;
    reading r = *at;
    bool condition = i > 0 && verbal_is_in(&r, i - 1, LIST_AFTER); /* "when dividing 40 by 6" */
    out->inverted = false;
    int status = begins || !condition ? first_claim(&r, begins, out) : RDV_NONE;
    bool number = t->at[i].kind != TOK_WORD || (t->at[i].word & WORD_NUMBER);
    const uint64_t signs = SIGNS_BEHIND | ONE << TOK_PLUS | ONE << TOK_MINUS | ONE << TOK_PUNCT;
    if (status != RDV_NONE || !begins || !number || is_before_sign(at, signs))
        return status;
    out->inverted = true;
    if (!result_first(&r, &out->sides[0]))
        return r.p.nomem ? RDV_E_NOMEM : RDV_NONE;
    return first_claim(&r, true, out);
}
