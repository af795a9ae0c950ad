/* SPDX-License-Identifier: Apache-2.0 */
/* Words in expressions: letters, units of measurement, "times". */
#include "expression/parser.h"

#include "expression/clause.h"
#include "expression/quantity.h"
#include "language/word_class.h"

#define MAX_UNIT_WORDS 6
#define MAX_ASIDE_WORDS 8
#define MAX_GLUED 3 /* letters written together */

bool parse_is_times(const parser *p, size_t i)
{
    tok_kind next = parse_tok(p, i + 1)->kind;
    if (parse_word_is(p, i, "times"))
        return true;
    bool before = parse_tok(p, i)->space_before, after = parse_tok(p, i + 1)->space_before;
    if (!parse_word_is(p, i, "x") || before != after) /* "5 x 3" and "5x3", but "10x 3" */
        return false;
    return next == TOK_NUMBER || next == TOK_CURRENCY || (next == TOK_OPEN && before);
}

bool parse_is_letter(const parser *p, size_t i)
{
    if (parse_tok(p, i)->kind != TOK_WORD)
        return false;
    rdv_str w = tok_text(p->t, i);
    return w.len == 1 || w.p[0] == '\\';
}

bool parse_is_glued_letters(const parser *p, size_t i)
{
    const token *t = parse_tok(p, i), *b = parse_tok(p, i ? i - 1 : 0);
    if (t->space_before && b->kind != TOK_PI) /* most words */
        return false;
    bool pi = b->kind == TOK_PI && /* "\pi rh", "πrh" */
              (!t->space_before || p->t->text.p[b->begin] == '\\');
    bool glued =
        !t->space_before && (b->kind == TOK_NUMBER || (b->kind == TOK_CLOSE && b->sign == '}'));
    if (t->kind != TOK_WORD || i == 0 || !(glued || pi))
        return false;
    rdv_str w = tok_text(p->t, i);
    unit_meaning m;
    /* In braces, "2abcd" holds no word. */
    size_t most = parse_tok(p, i + 1)->sign == '}' ? MAX_GLUED + 2 : MAX_GLUED;
    bool is_unit = !p->letters && unit_find_in_prose(w, &m);
    return w.len <= most && w.p[0] != '\\' && (w.len > 1 || glued) && !is_unit &&
           !parse_is_times(p, i) && !(tok_class(p->t, i) & WORD_BINDS_BEFORE);
}

static bool may_be_unit_word(const parser *p, size_t i, size_t count)
{
    if (parse_tok(p, i)->kind != TOK_WORD || parse_is_times(p, i))
        return false;
    rdv_str w = tok_text(p->t, i);
    if (w.p[0] == '\\')
        return false;
    bool followed = parse_tok(p, i + 1)->kind == TOK_WORD && count > 0;
    if (rdv_str_ieq(w, RDV_STR("per")) || (rdv_str_ieq(w, RDV_STR("of")) && followed))
        return true;
    return w.len > 1 && !(parse_tok(p, i)->word & WORD_ABOUT) &&
           !(tok_class(p->t, i) & (WORD_CONNECTIVE | WORD_FUNCTION | WORD_BINDS_BEFORE));
}

static bool ends_unit_run(const parser *p, size_t i)
{
    switch (parse_tok(p, i)->kind) {
    case TOK_PLUS:
    case TOK_MINUS:
    case TOK_TIMES:
    case TOK_DIVIDE:
    case TOK_EQUAL:
    case TOK_APPROX:
    case TOK_RELATION:
    case TOK_CLOSE:
        return true;
    case TOK_WORD:
        return parse_is_times(p, i) || parse_word_is(p, i, "plus") ||
               parse_word_is(p, i, "minus") || parse_word_is(p, i, "multiplied") ||
               parse_word_is(p, i, "divided") || parse_word_is(p, i, "equals");
    default:
        return false;
    }
}

static bool is_aside_word(const parser *p, size_t i)
{
    if (parse_tok(p, i)->kind != TOK_WORD)
        return false;
    rdv_str w = tok_text(p->t, i);
    return (w.len > 1 || rdv_str_ieq(w, RDV_STR("a"))) && w.p[0] != '\\' &&
           !(tok_class(p->t, i) & WORD_FUNCTION);
}

/* "3 hours (first day) + 2 hours (second day)": words in a bracket of their own that explain what
 * stands before them. The token after such a bracket at `i`, or `i` if there is none. */
static size_t after_aside(const parser *p, size_t i)
{
    const token *open = parse_tok(p, i);
    if (open->kind != TOK_OPEN || open->sign != '(' || !open->space_before ||
        open->pair == TOK_NO_PAIR || open->pair - i - 1 > MAX_ASIDE_WORDS || open->pair == i + 1)
        return i;
    for (size_t k = i + 1; k < open->pair; k++)
        if (!is_aside_word(p, k))
            return i;
    return ends_unit_run(p, open->pair + 1) ? open->pair + 1 : i;
}

static bool same_measure(const measure *a, const measure *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++) {
        const measure_factor *f = a->factor + i, *g = b->factor + i;
        same = f->num == g->num && f->den == g->den && f->ten == g->ten && f->power == g->power;
    }
    return same && memcmp(a->power, b->power, sizeof a->power) == 0;
}

void parse_note_unit(parser *p, const measure *m)
{
    expression *e = p->e;
    e->n_units++;
    for (size_t i = 0; i < e->n_different; i++) {
        if (same_measure(e->units[i], m))
            return;
        if (memcmp(e->units[i]->power, m->power, sizeof m->power) == 0)
            e->mixed_units = true;
    }
    if (e->n_different < EXPRESSION_MAX_UNITS)
        e->units[e->n_different++] = m;
    else
        e->odd_units = true;
}

bool parse_is_unit(const parser *p, size_t i)
{
    measure m[2];
    bool letter;
    return parse_measure(p, i, false, m, &letter) > i && !(letter && p->letters);
}

/* Letters that go on are variables: "5 m n", "5 m(x + 1)". */
static bool letter_stands(const parser *p, const node *n, size_t end)
{
    const token *next = parse_tok(p, end);
    const node *exponent = n->is != N_POWER ? n : n->b->is == N_NEGATE ? n->b->a : n->b;
    bool number = exponent->is == N_NUMBER;
    if (p->letters || !number || n->grouped)
        return false;
    switch (next->kind) {
    case TOK_END:
    case TOK_NEWLINE:
    case TOK_PUNCT:
    case TOK_COMMA:
        return true;
    case TOK_WORD:
        return (tok_text(p->t, end).len > 1 && next->space_before) || ends_unit_run(p, end);
    default:
        return ends_unit_run(p, end);
    }
}

/* "3 h 10 min": does a number of a smaller unit of the same dimension follow at token `i`? Then a
 * letter is no variable. */
static bool smaller_unit_follows(const parser *p, const node *n, const measure *m, size_t i)
{
    measure smaller[2];
    bool letter;
    return !p->letters && n->is == N_NUMBER && m->n == 1 && tok_is_plain_number(p->t, i) &&
           parse_measure(p, i + 1, false, smaller, &letter) > i + 1 &&
           measure_is_smaller(smaller, m);
}

/* `n` with a unit around it. */
node *parse_with_unit(parser *p, node *n, const measure meanings[2], bool letter)
{
    measure *m = rdv_alloc(p->arena, 2 * sizeof *m);
    node *with = m ? parse_node(p, N_UNIT, n, NULL) : NULL;
    p->nomem |= !m;
    if (!with)
        return NULL;
    m[0] = meanings[0];
    m[1] = meanings[1];
    with->unit = m;
    p->e->readings |= READ_UNITS;
    p->e->letter_units |= letter;
    p->e->word_units |= !letter;
    if (!same_measure(&m[0], &m[1]) || m[1].factor[0].binary)
        p->e->readings |= READ_OTHER_UNITS;
    parse_note_unit(p, m);
    return with;
}

/* "$5": dollars, or the end or beginning of mathematics; "€5", "£5". */
node *parse_after_currency(parser *p, node *n, rdv_str sign)
{
    const unit *u = unit_of_currency(sign);
    measure m = {0};
    const token *next = parse_tok(p, p->pos);
    bool ends = ends_unit_run(p, p->pos) || next->kind == TOK_END || next->kind == TOK_PUNCT ||
                next->kind == TOK_COMMA || next->kind == TOK_NEWLINE ||
                (next->kind == TOK_WORD &&
                 (tok_text(p->t, p->pos).len > 1 || /* "$5 a week", but not "$5 a$" */
                  ((next->word & WORD_PER) && parse_tok(p, p->pos + 1)->kind == TOK_WORD)));
    if (!u || !ends || !measure_add(&m, u, 0, 0, 1))
        return n;
    measure *meanings = rdv_alloc(p->arena, 2 * sizeof *meanings);
    node *with = meanings ? parse_node(p, N_UNIT, n, NULL) : NULL;
    p->nomem |= !meanings;
    if (!with)
        return NULL;
    meanings[0] = meanings[1] = m;
    with->unit = meanings;
    with->sign = true;
    p->e->readings |= READ_DOLLARS;
    return with;
}

/* "5 per hour", "$5/hour" */
static node *rate(parser *p, node *n)
{
    measure m[2];
    bool letter = false; /* untouched where there is no unit */
    size_t end = parse_measure(p, p->pos, true, m, &letter);
    bool number = n->is == N_NUMBER && !letter, money = n->is == N_UNIT;
    if (end == p->pos || !(number || money) || may_be_unit_word(p, end, 1) ||
        !(ends_unit_run(p, end) || letter_stands(p, money ? n->a : n, end)))
        return n;
    p->pos = end;
    return parse_with_unit(p, n, m, false);
}

/* The words that only say what is counted, from token `i` on; the token after them. The first known
 * unit among them counts where none was read before ("5 full hours"); at `no_unit` is none. */
static size_t label(const parser *p, size_t i, size_t no_unit, measure meanings[2], bool *known,
                    bool *open)
{
    bool letter;
    for (size_t count = *known; count < MAX_UNIT_WORDS; count++) {
        bool over = parse_tok(p, i)->kind == TOK_DIVIDE && may_be_unit_word(p, i + 1, count) &&
                    !parse_tok(p, i)->space_before;
        if (!may_be_unit_word(p, i + over, count))
            break;
        i += over;
        *open |= over || parse_word_is(p, i, "per") || parse_word_is(p, i, "of");
        size_t end = *known || i == no_unit ? i : parse_measure(p, i, false, meanings, &letter);
        *known |= end > i;
        i = end > i ? end : i + 1;
    }
    return i;
}

/* The unit at the current token. */
typedef struct found_unit {
    size_t end; /* the token after it, or the current one: there is none */
    measure m[2];
    bool letter;
} found_unit;

static void look_for_unit(const parser *p, found_unit *out)
{
    out->end = parse_measure(p, p->pos, false, out->m, &out->letter);
}

/* "= 850 R", "= -850 R": does a letter that no unit is known by stand behind a result, at the end
 * of its clause? It may only name what is counted. */
static bool letter_may_label(const parser *p, const node *n)
{
    const token *t = parse_tok(p, p->pos);
    if (p->letters || n->is != N_NUMBER || n->grouped || t->kind != TOK_WORD ||
        t->end - t->begin != 1 || !t->space_before || n->begin == 0)
        return false;
    char letter = p->t->text.p[t->begin];
    size_t before = n->begin - 1;
    before -= parse_tok(p, before)->kind == TOK_MINUS && before > 0;
    tok_kind sign = parse_tok(p, before)->kind;
    bool result =
        sign == TOK_EQUAL || sign == TOK_APPROX || (parse_tok(p, before)->word & WORD_ABOUT);
    if (!result || letter < 'B' || letter > 'W' || strchr("EIMOS", letter)) /* "5 M" is a million */
        return false;
    switch (parse_tok(p, p->pos + 1)->kind) {
    case TOK_END:
    case TOK_NEWLINE:
    case TOK_PUNCT:
    case TOK_COMMA:
        return true;
    default:
        return false;
    }
}

/* "in-lb", "kilowatt-hours": the token after the words that hyphens join to the one before `i`. */
static size_t after_hyphens(const parser *p, size_t i)
{
    while (parse_tok(p, i)->kind == TOK_OPAQUE && !parse_tok(p, i)->space_before &&
           rdv_str_eq(tok_text(p->t, i), RDV_STR("-")) && parse_tok(p, i + 1)->kind == TOK_WORD &&
           !parse_tok(p, i + 1)->space_before)
        i += 2;
    return i;
}

/* The unit and the words after a number or a bracket; `first` is that at the current token. Words
 * that are no unit are taken when an operator or a relation follows them; a known unit also where
 * the text goes on. */
static node *unit_words(parser *p, node *n, found_unit *first)
{
    measure *m = first->m;
    bool letter = first->letter, open = false;
    if (parse_is_glued_letters(p, p->pos))
        return n;
    if (first->end == p->pos && letter_may_label(p, n)) {
        p->pos++;
        p->e->n_words++;
        p->e->letter_units = true;
        return n;
    }
    size_t end = first->end, no_unit = end > p->pos ? SIZE_MAX : p->pos;
    letter = letter && !smaller_unit_follows(p, n, m, end);
    if (letter && !letter_stands(p, n, end))
        end = p->pos;
    bool known = end > p->pos, unit_first = known;
    bool glued = known && letter && !parse_tok(p, p->pos)->space_before;
    if (known && after_hyphens(p, end) > end) { /* not known; its first part may convert */
        end = after_hyphens(p, end);
        open = true;
        measure *first_part = rdv_alloc(p->arena, sizeof *first_part);
        p->nomem |= !first_part;
        if (!first_part)
            return NULL;
        *first_part = *m;
        parse_note_unit(p, first_part);
    }
    size_t i = label(p, end, no_unit, m, &known, &open);
    if (i == p->pos)
        return n;
    if (!ends_unit_run(p, after_aside(p, i))) {
        if (!unit_first)
            return n;
        i = end;
        bool over = (parse_tok(p, i)->kind == TOK_DIVIDE || parse_word_is(p, i, "per")) &&
                    parse_tok(p, i + 1)->kind == TOK_WORD;
        i += over ? 2 : 0; /* "100 km/trip." */
        open = over || (open && end > first->end);
    }
    p->pos = i;
    if (!known || open) {
        p->e->n_words++;
        p->e->odd_units |= known;
        return n;
    }
    p->e->labelled |= i > end || !unit_first;
    p->e->glued_letters |= glued;
    return parse_with_unit(p, n, m, letter && unit_first);
}

static bool claim_follows(const parser *p)
{
    tok_kind next = parse_tok(p, p->pos)->kind;
    return next == TOK_EQUAL || next == TOK_APPROX || clause_states_amount(p->t, p->pos);
}

/* "2 hours 15 minutes 5 seconds"; and after an equality sign, or where a clause begins and an
 * equality sign follows, "2 hours and 15 minutes": smaller units of the same dimension are added.
 */
static node *with_smaller_units(parser *p, node *n)
{
    const tok_kind before = p->e->begin ? parse_tok(p, p->e->begin - 1)->kind : TOK_END;
    const bool stated = before == TOK_EQUAL || before == TOK_APPROX ||
                        (before == TOK_WORD && clause_states_amount(p->t, p->e->begin - 1));
    const bool clause = n && n->is == N_UNIT && n->a->is == N_NUMBER &&
                        n->a->begin == p->e->begin && clause_begins(p->t, p->e->begin);
    const measure *m = n && n->is == N_UNIT && !n->sign ? n->unit : NULL;
    while (m && m->n == 1) {
        size_t begin = p->pos, units = p->e->n_units;
        bool joined = parse_word_is(p, begin, "and") && (stated || clause);
        p->pos += joined || (stated && parse_tok(p, begin)->kind == TOK_COMMA);
        node *number = parse_plain_number(p);
        found_unit here;
        if (number)
            look_for_unit(p, &here);
        node *smaller = number ? unit_words(p, number, &here) : NULL;
        bool fits = smaller && smaller->is == N_UNIT && p->e->n_units > units &&
                    measure_is_smaller(smaller->unit, m) && (!joined || stated || claim_follows(p));
        if (!fits) {
            p->pos = begin;
            return n;
        }
        n = parse_node(p, N_ADD, n, smaller);
        if (!n)
            return NULL;
        n->grouped = n->implicit = true;
        m = smaller->unit;
        /* "50 cm = 0.5 m and 200 mm = 0.2 m" may be two claims */
        p->e->n_words += joined && before != TOK_WORD && stated && claim_follows(p);
    }
    return n;
}

static node *units_here(parser *p, node *n)
{
    size_t begin = p->pos;
    found_unit here;
    look_for_unit(p, &here);
    if (here.end == begin) {
        n = parse_sign_before(p, n);
        n = n ? rate(p, n) : NULL;
    }
    if (n && p->pos == begin)
        n = with_smaller_units(p, unit_words(p, n, &here));
    size_t after = n ? after_aside(p, p->pos) : p->pos;
    if (after != p->pos) {
        p->pos = after;
        p->e->n_words++;
    }
    return n;
}

/* May a unit, a word or an aside begin at the current token? */
static bool unit_may_begin(const parser *p)
{
    tok_kind next;
    switch (parse_tok(p, p->pos)->kind) {
    case TOK_WORD:
    case TOK_DEGREE:
    case TOK_FRAC:
    case TOK_OPEN:
        return true;
    case TOK_DIVIDE: /* "$5/hour"; most lines divide by a number */
        next = parse_tok(p, p->pos + 1)->kind;
        return next == TOK_WORD || next == TOK_DEGREE;
    case TOK_CURRENCY:
        return parse_is_money_behind(p, p->pos);
    default:
        return false;
    }
}

node *parse_units(parser *p, node *n)
{
    bool begins = !p->exponent && unit_may_begin(p);
    if (begins && parse_current(p)->kind == TOK_CURRENCY && !parse_is_unit(p, p->pos)) {
        p->pos++; /* "5 ¥": it only names what is counted */
        p->e->n_words++;
        return n;
    }
    if (begins)
        return units_here(p, n);
    size_t begin = p->pos;
    n = parse_sign_before(p, n);
    return n && parse_tok(p, begin)->kind == TOK_NUMBER ? with_smaller_units(p, n) : n;
}
