/* SPDX-License-Identifier: Apache-2.0 */
/* Words in expressions: letters, units of measurement, "times". */
#include "math/parser.h"

#include "math/words.h"

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
    bool pi = b->kind == TOK_PI && p->t->text.p[b->begin] == '\\'; /* "\pi rh" */
    bool glued =
        !t->space_before && (b->kind == TOK_NUMBER || (b->kind == TOK_CLOSE && b->sign == '}'));
    if (t->kind != TOK_WORD || i == 0 || !(glued || pi))
        return false;
    rdv_str w = tok_text(p->t, i);
    /* In braces, "2abcd" holds no word. */
    size_t most = parse_tok(p, i + 1)->sign == '}' ? MAX_GLUED + 2 : MAX_GLUED;
    return w.len <= most && w.p[0] != '\\' && (w.len > 1 || glued) && !unit_named(w) &&
           !parse_is_times(p, i) && !(word_class(w) & WORD_BINDS_BEFORE);
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
    return w.len > 1 && !(word_class(w) & (WORD_CONNECTIVE | WORD_FUNCTION | WORD_BINDS_BEFORE));
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
           !(word_class(w) & WORD_FUNCTION);
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

void parse_note_unit(parser *p, const unit *u)
{
    const unit **seen = &p->e->unit[unit_dimension_index(u)];
    if (*seen && !unit_same(*seen, u))
        p->e->mixed_units = true;
    *seen = u;
    p->e->dimensions |= u->dim;
}

/* "cm^2" and "cm²": an area's unit is never converted. */
static size_t unit_power(const parser *p, size_t i)
{
    return parse_tok(p, i)->kind == TOK_POWER && parse_tok(p, i + 1)->kind == TOK_NUMBER ? 2 : 0;
}

/* The words after a number or a bracket that only say what is counted. They are taken when an
 * operator or a relation follows them; a known unit also where the text goes on. */
static node *unit_words(parser *p, node *n)
{
    if (parse_is_glued_letters(p, p->pos))
        return n;
    size_t i = p->pos, count = 0, words = 0;
    bool compound = false;
    const unit *u = NULL;
    while (count < MAX_UNIT_WORDS) {
        bool over = parse_tok(p, i)->kind == TOK_DIVIDE && may_be_unit_word(p, i + 1, count) &&
                    !parse_tok(p, i)->space_before;
        if (over) {
            compound = true;
            i++;
        }
        if (!may_be_unit_word(p, i, count))
            break;
        compound |= parse_word_is(p, i, "per") || parse_word_is(p, i, "of");
        const unit *known = unit_named(tok_text(p->t, i));
        if (known && !u)
            u = known;
        i++;
        size_t power = known ? unit_power(p, i) : 0;
        compound |= power > 0;
        i += power;
        words++;
        count++;
    }
    if (!words)
        return n;
    if (!ends_unit_run(p, after_aside(p, i))) {
        u = parse_tok(p, p->pos)->kind == TOK_WORD ? unit_named(tok_text(p->t, p->pos)) : NULL;
        if (!u)
            return n;
        i = p->pos + 1;
        size_t power = unit_power(p, i);
        i += power;
        bool over = (parse_tok(p, i)->kind == TOK_DIVIDE || parse_word_is(p, i, "per")) &&
                    parse_tok(p, i + 1)->kind == TOK_WORD;
        i += over ? 2 : 0; /* "100 km/hr." */
        compound = power > 0 || over;
    }
    p->pos = i;
    if (!u || compound) {
        p->e->n_words++;
        if (u)
            parse_note_unit(p, unit_named(RDV_STR("unit")));
        return n;
    }
    parse_note_unit(p, u);
    node *with = parse_node(p, N_UNIT, n, NULL);
    if (with) {
        with->unit = u;
        p->e->readings |= READ_UNITS;
    }
    return with;
}

node *parse_units(parser *p, node *n)
{
    n = unit_words(p, n);
    size_t after = n ? after_aside(p, p->pos) : p->pos;
    if (after != p->pos) {
        p->pos = after;
        p->e->n_words++;
    }
    return n;
}
