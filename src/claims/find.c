/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/find.h"

#include "base/arena.h"
#include "base/str.h"
#include "claims/adjacency.h"
#include "claims/connective.h"
#include "claims/relative.h"
#include "claims/unread_words.h"
#include "expression/clause.h"
#include "expression/quantity.h"
#include "expression/variables.h"
#include "language/phrase.h"
#include "language/word_class.h"
#include "notation/lex_number.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_TERMS 64  /* of one chain; a longer one is cut in pieces */
#define MAX_NAME 10   /* words */
#define MAX_CLAUSE 20 /* words of it that are looked at */
#define MAX_ROW 200   /* tokens of a row of a table on each side */

static inline bool is_equality_sign(const tokens *t, size_t i, size_t *len)
{
    *len = connective_equality(t, i);
    return *len;
}

static const token *before(const tokens *t, size_t i)
{
    return i ? &t->at[i - 1] : NULL;
}

static bool single_letter_binds(rdv_str w)
{
    return w.len == 1 && w.p[0] != 'a' && w.p[0] != 'A' && w.p[0] != 'I';
}

/* "a 1 - 5 = 35": a digit after the letter, and a sign, are no article and a number. */
static bool is_letter_with_index(const tokens *t, size_t i)
{
    const token *index = &t->at[i + 1], *sign = &t->at[i + 2];
    return tok_text(t, i).len == 1 && index->kind == TOK_NUMBER && index->end - index->begin == 1 &&
           (sign->kind == TOK_PLUS || sign->kind == TOK_MINUS);
}

/* "It rose by 403 - 68 = 335 degrees", "it cooled the room by 3 * 4 = 12 degrees": how much by: a
 * verb of change right before, with a subject, or in a clause of words alone, none of which
 * calculates. Elsewhere "by" may take part: "x increased by", "the bill split by 4 + 1 = 12 dollars
 * each". */
static bool says_by_how_much(const tokens *t, size_t i)
{
    static phrase_list verbs = {"@comparative;@changes-by"};
    if (i < 2 || !tok_is_word(t, i, "by"))
        return false;
    if (tok_is_in(t, i - 1, &verbs) && t->at[i - 2].kind == TOK_WORD && tok_text(t, i - 2).len > 1)
        return true;
    size_t k = i;
    bool changes = false;
    while (k > 0 && i - k < MAX_CLAUSE && t->at[k - 1].kind == TOK_WORD &&
           tok_text(t, k - 1).len > 1 && !(t->at[k - 1].word & (WORD_OPERATION | WORD_RELATES)))
        changes = tok_is_in(t, --k, &verbs) || changes;
    tok_kind before = k ? t->at[k - 1].kind : TOK_NEWLINE;
    return changes && (before == TOK_NEWLINE || before == TOK_PUNCT || before == TOK_COMMA);
}

/* "x is greater than 720 / 11 = 65.45": does the word compare, behind a verb? "5 more than 2 + 3"
 * adds. */
static bool compares(const tokens *t, size_t i)
{
    static phrase_list verbs = {"@being;be"};
    static phrase_list more = {"@comparative"};
    return i > 1 && tok_is_word(t, i, "than") && tok_is_in(t, i - 1, &more) &&
           tok_is_in(t, i - 2, &verbs);
}

/* Does the word at token `i` leave alone what comes after it? */
static bool word_leaves_alone(const tokens *t, size_t i)
{
    rdv_str w = tok_text(t, i);
    if (says_by_how_much(t, i) || compares(t, i) || adjacency_names_mean(t, i))
        return true;
    if (!rdv_str_ieq(w, RDV_STR("of")))
        return !(tok_class(t, i) & WORD_BINDS_AFTER) && !single_letter_binds(w) && w.p[0] != '\\';
    if (i == 0 || t->at[i - 1].kind != TOK_WORD)
        return false;
    return !(tok_class(t, i - 1) & WORD_PART); /* "a total of 4 x 30 = 120", not "half of 20 + 5" */
}

/* "= 140 + 2 ab", "0.5 x 32 xl": two letters that are no word and no unit. */
static bool is_product_of_letters(rdv_str w)
{
    static phrase_list words = {"@two-letters"};
    unit_meaning m;
    return w.len == 2 && rdv_is_alpha(w.p[0]) && rdv_is_alpha(w.p[1]) && !phrase_is(w, &words) &&
           !unit_find(w, &m);
}

/* "= 1.78 times smaller", "= 6 times in a day", "= 20 times.": how often, or how much more; no
 * factor follows. */
static bool is_times_alone(const tokens *t, size_t i)
{
    static phrase_list next = {"@comparative;@behind-times"};
    tok_kind k = t->at[i + 1].kind;
    bool ends = k == TOK_PUNCT || k == TOK_COMMA || k == TOK_NEWLINE || k == TOK_END ||
                (k == TOK_CLOSE && t->at[i + 1].pair != TOK_NO_PAIR);
    return tok_is_word(t, i, "times") && (ends || tok_is_in(t, i + 1, &next));
}

/* Does the word at token `i` leave alone what comes before it? */
static bool word_ends(const tokens *t, size_t i)
{
    rdv_str w = tok_text(t, i),
            next = t->at[i + 1].kind == TOK_WORD ? tok_text(t, i + 1) : RDV_STR("");
    if (rdv_str_ieq(next, RDV_STR("than")))
        return t->at[i + 2].kind != TOK_NUMBER; /* "= 5 more than 10" */
    if (rdv_str_ieq(w, RDV_STR("over")))        /* "= 12 over 5", but not "over the two weeks" */
        return t->at[i + 1].kind == TOK_WORD && !(t->at[i + 1].word & WORD_NUMBER);
    if (rdv_str_ieq(w, RDV_STR("to")))
        return t->at[i + 1].kind != TOK_NUMBER; /* "= 3 to 5" */
    if (rdv_str_ieq(w, RDV_STR("and")))         /* "= 3 and 1/2", but not "= 8 and 2 + 2 = 4" */
        return t->at[i + 1].kind != TOK_NUMBER ||
               (!t->at[i + 1].vulgar &&
                (t->at[i + 2].kind != TOK_DIVIDE || t->at[i + 2].space_before));
    if (is_times_alone(t, i))
        return true;
    unsigned class = tok_class(t, i);
    return !(class & WORD_BINDS_BEFORE) && ((class & WORD_CONNECTIVE) || !is_product_of_letters(w));
}

/* "$2 + 2 = 4$ $3 + 3 = 6$": does one formula end before token `i`, at a border, and another begin?
 */
static bool another_formula_begins(const tokens *t, size_t i)
{
    if (i == 0)
        return false;
    rdv_str between = rdv_slice(t->text, t->at[i - 1].end, t->at[i].begin);
    size_t dollar = rdv_find_char(between, '$', 0);
    if (dollar != RDV_NOT_FOUND)
        return rdv_find(between, RDV_STR(" $"), dollar + 1) != RDV_NOT_FOUND;
    return rdv_find(between, RDV_STR("\\) \\("), 0) != RDV_NOT_FOUND ||
           rdv_find(between, RDV_STR("\\] \\["), 0) != RDV_NOT_FOUND;
}

/* "1 << 4 = 16", "255 >> 4 = 15": the 4 says how far. */
static bool shifts_bits(const tokens *t, size_t i)
{
    size_t end = t->at[i - 1].end, k = i;
    rdv_str sign = rdv_slice(t->text, end >= 2 ? end - 2 : 0, end);
    while (k > 0 && t->at[k - 1].kind != TOK_NUMBER && i - k < 2)
        k--;
    return k > 0 && t->at[k - 1].kind == TOK_NUMBER &&
           (rdv_str_eq(sign, RDV_STR("<<")) || rdv_str_eq(sign, RDV_STR(">>")));
}

/* "| 12 * 4 = 48 | yes |": does the bar at token `i` divide the cells of a table: does its line
 * begin and end with one, and stand blanks around it? */
static bool divides_cells(const tokens *t, size_t i)
{
    size_t first = i, last = i;
    while (first > 0 && i - first < MAX_ROW && t->at[first - 1].kind != TOK_NEWLINE)
        first--;
    while (last - i < MAX_ROW && t->at[last + 1].kind != TOK_NEWLINE &&
           t->at[last + 1].kind != TOK_END)
        last++;
    bool before = t->at[i].space_before || i == first;
    bool after = t->at[i + 1].space_before || i == last;
    return before && after && first < last && t->at[first].kind == TOK_BAR &&
           t->at[last].kind == TOK_BAR;
}

/* May the expression that begins at token `i` stand alone, or does what is before it belong to it?
 */
static bool begins_cleanly(const tokens *t, size_t i)
{
    const token *b = before(t, i);
    if (!b || (t->at[i].border && another_formula_begins(t, i)))
        return true;
    bool sign =
        t->at[i].kind == TOK_PLUS || (t->at[i].kind == TOK_MINUS && t->at[i + 1].space_before);
    if (sign && b->kind != TOK_EQUAL && b->kind != TOK_APPROX && b->kind != TOK_OPEN)
        return false; /* "24 crayons - 8 red", "1 + 2 + ... + 100" */
    switch (b->kind) {
    case TOK_COMMA:
        return t->at[i].space_before || (i > 1 && t->at[i - 2].kind == TOK_NUMBER &&
                                         lex_comma_parts(t->text, t->at[i - 2].begin, b->begin));
    case TOK_OPEN: /* what stands before the bracket may take part: "2 * (3 + 4 = 7)" */
        return begins_cleanly(t, i - 1);
    case TOK_NEWLINE:
    case TOK_PUNCT:
    case TOK_EQUAL:
    case TOK_APPROX:
    case TOK_MARK_OPEN: /* a calculator mark has no blank within */
    case TOK_MARK_CLOSE:
    case TOK_RELATION:
        return !(t->at[i].space_before && shifts_bits(t, i));
    case TOK_CLOSE:
        return b->sign == ')' && t->at[i].space_before && t->at[i].kind == TOK_NUMBER;
    case TOK_BAR:
        return divides_cells(t, i - 1);
    case TOK_BANG:
        return t->at[i].space_before;
    case TOK_WORD:
        return t->at[i].space_before && word_leaves_alone(t, i - 1) &&
               !is_letter_with_index(t, i - 1);
    case TOK_OPAQUE:
        return unread_words_before(t, i);
    default:
        return false;
    }
}

/* May the expression that ends before token `i` stand alone? */
static bool ends_cleanly(const tokens *t, size_t i)
{
    const token *a = &t->at[i];
    if (a->border && another_formula_begins(t, i))
        return true;
    switch (a->kind) {
    case TOK_END:
    case TOK_NEWLINE:
    case TOK_PUNCT:
    case TOK_COMMA:
    case TOK_EQUAL:
    case TOK_APPROX:
    case TOK_RELATION:
    case TOK_MARK_OPEN:
    case TOK_MARK_CLOSE:
    case TOK_CURRENCY:
        return true;
    case TOK_CLOSE: /* "-2/-4=y]*-6" */
        return a->pair != TOK_NO_PAIR || a->sign != ']';
    case TOK_OPEN: {
        const token *inside = &t->at[i + 1];
        bool word = inside->kind == TOK_WORD && !(tok_class(t, i + 1) & WORD_BINDS_BEFORE);
        if (!a->space_before) /* "= 12(dollars)", "= 12（元）", but not "= 3(x)" */
            return a->pair != TOK_NO_PAIR &&
                   ((word && adjacency_holds_words(t, a->pair)) || unread_words_behind(t, i + 1)) &&
                   !adjacency_joined_after(t, a->pair + (size_t)1);
        return word || inside->kind == TOK_PUNCT || inside->kind == TOK_NUMBER ||
               inside->kind == TOK_CURRENCY || unread_words_behind(t, i + 1);
    }
    case TOK_MINUS: /* a dash: "= 15 - that is the total", but not "= 1 - erf(0.5)" */
        if (t->at[i + 1].kind == TOK_WORD && t->at[i + 2].kind == TOK_OPEN &&
            !t->at[i + 2].space_before)
            return false;
        return a->space_before && t->at[i + 1].space_before && t->at[i + 1].kind == TOK_WORD;
    case TOK_BAR:
        return divides_cells(t, i);
    case TOK_BANG:
        return true;
    case TOK_WORD:
        return a->space_before && word_ends(t, i);
    case TOK_OPAQUE:
        return unread_words_behind(t, i);
    default:
        return false;
    }
}

bool find_is_whole_before(const tokens *t, size_t i)
{
    return begins_cleanly(t, i) && !adjacency_takes_part_before(t, i) &&
           !adjacency_follows_operand(t, i);
}

bool find_is_whole_after(const tokens *t, size_t i)
{
    return ends_cleanly(t, i) && !adjacency_takes_part_after(t, i);
}

/* The sign that goes on with the chain after token `i`, possibly on a new line, or 0. */
static size_t continuing_sign(const tokens *t, size_t i, size_t *len)
{
    size_t k = i;
    while (t->at[k].kind == TOK_NEWLINE)
        k++;
    if (!is_equality_sign(t, k, len) || (k > i && t->at[k].kind == TOK_WORD))
        return 0;
    return k;
}

typedef struct terms {
    expression e[MAX_TERMS];
    bool approximate[MAX_TERMS];
    size_t n;
    bool continued; /* its first side is the last one of the piece before */
} terms;

/* Does a dash with a blank behind it stand before token `i`, and none of a formula: "- 5 + 8 = 3"?
 * It is the bullet of an item, or a minus. */
static bool dash_before(const tokens *t, size_t i)
{
    const token *b = before(t, i);
    if (!b || b->kind != TOK_PUNCT || !t->at[i].space_before)
        return false;
    rdv_str dash = tok_text(t, i - 1);
    return rdv_str_eq(dash, RDV_STR("-")) || rdv_str_eq(dash, RDV_STR("\xe2\x88\x92")) ||
           rdv_str_eq(dash, RDV_STR("\xe2\x80\x93"));
}

/* The tree with a minus before its first term; NULL: out of memory. */
static node *with_minus(const node *n, rdv_arena *arena)
{
    node *copy = rdv_alloc(arena, sizeof *copy);
    if (!copy)
        return NULL;
    bool sum = (n->is == N_ADD || n->is == N_SUBTRACT) && !n->grouped;
    *copy = sum ? *n : (node){.is = N_NEGATE, .a = (node *)n};
    if (sum)
        copy->a = with_minus(n->a, arena);
    return copy->a ? copy : NULL;
}

/* The first side behind a minus; NULL: out of memory. */
static expression *negative_of(const expression *e, rdv_arena *arena)
{
    expression *copy = rdv_alloc(arena, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *e;
    copy->root = with_minus(e->root, arena);
    return copy->root ? copy : NULL;
}

/* Is token `i` a letter, or a Greek one, that stands for a value? Behind an operand, "12 m2", "72
 * x4", it may be a unit or a sign. */
static bool is_letter(const tokens *t, size_t i)
{
    tok_kind before = i ? t->at[i - 1].kind : TOK_END;
    rdv_str s = tok_text(t, i);
    bool word = t->at[i].kind == TOK_WORD,
         greek = t->at[i].kind == TOK_OPAQUE && s.len == 2 &&
                 ((unsigned char)s.p[0] == 0xce || (unsigned char)s.p[0] == 0xcf);
    bool named = word && (t->at[i].word & (WORD_SYMBOL | WORD_FUNCTION)) == WORD_SYMBOL;
    return before != TOK_NUMBER && before != TOK_CLOSE && (greek || named || (word && s.len == 1));
}

/* Does the bracket that begins at token `open` hold a letter? */
static bool holds_letter(const tokens *t, size_t open)
{
    size_t close =
        t->at[open].kind == TOK_OPEN && t->at[open].sign == '(' ? t->at[open].pair : TOK_NO_PAIR;
    bool is = false;
    for (size_t i = open + 1; close != TOK_NO_PAIR && i < close && i - open < MAX_ROW && !is; i++)
        is = is_letter(t, i);
    return is;
}

/* "T1 - 50 = 875", "λ² - 1 = 0", "(a2/a1)^(3/2) = 11.4": is what begins at token `i` the index or
 * the exponent of a letter? Then letters are what the side is about. */
static bool belongs_to_letter(const tokens *t, size_t i)
{
    bool power = i > 1 && t->at[i - 1].kind == TOK_POWER;
    if (i == 0 || t->at[i].space_before || (power && t->at[i - 1].space_before) ||
        (!power && t->at[i].kind != TOK_NUMBER))
        return false;
    size_t base = i - 1 - power;
    size_t open = power && t->at[base].kind == TOK_CLOSE ? t->at[base].pair : TOK_NO_PAIR;
    bool called = open != TOK_NO_PAIR && open > 0 && t->at[open - 1].kind == TOK_WORD &&
                  !t->at[open].space_before;
    return is_letter(t, base) || (open != TOK_NO_PAIR && !called && holds_letter(t, open));
}

/* "1 * sin(30°) = 1.64 * sin(theta)", "81 = 125 - 100 cos(angle A)", "440 = 4π(0.02)(T1 - 50)":
 * does the last side go on with letters, or with words for what is not known? */
static bool goes_on_with_letters(const tokens *t, size_t end)
{
    tok_kind k = t->at[end].kind;
    bool sign = k == TOK_TIMES || k == TOK_PLUS || k == TOK_MINUS;
    size_t next = end + sign;
    const token *with = &t->at[next]; /* a star at one word emphasises it */
    if (find_is_whole_after(t, end) || (sign && with->space_before != t->at[end].space_before))
        return false;
    if (with->kind == TOK_OPEN)
        return (sign || !with->space_before) && holds_letter(t, next);
    bool name = with->kind == TOK_WORD || with->kind == TOK_FUNCTION;
    if (name && t->at[next + 1].kind == TOK_OPEN && !t->at[next + 1].space_before)
        return holds_letter(t, next + 1); /* the value of a function of numbers is not known */
    return sign && (is_letter(t, next) ||
                    (with->kind == TOK_WORD && !(tok_class(t, next) & WORD_FUNCTION)));
}

bool find_is_added_product(const tokens *t, const expression *e)
{
    static const char *const words[] = {"plus", "minus"};
    size_t i = e->begin;
    return i > 1 && tok_is_one_of(t, i - 1, words, COUNT(words)) &&
           t->at[i - 2].kind == TOK_COMMA && t->at[i - 1].space_before &&
           (e->root->is == N_MULTIPLY || e->root->is == N_DIVIDE) && !e->root->grouped;
}

/* "Subtract 120 - 65 = 55", "the sum of 8 + 3 + 3 = 14": does what stands before the side only say
 * which operation it is? */
static bool is_said_before(const tokens *t, const expression *e)
{
    static const struct {
        node_is is;
        const char *verb, *gerund, *noun;
    } said[] = {{N_ADD, "add", "adding", "sum"},
                {N_SUBTRACT, "subtract", "subtracting", "difference"},
                {N_MULTIPLY, "multiply", "multiplying", "product"},
                {N_DIVIDE, "divide", "dividing", "quotient"}};
    size_t i = e->begin;
    bool is = false;
    for (size_t k = 0; i > 0 && k < COUNT(said) && !is; k++)
        is = e->root->is == said[k].is && !e->root->implicit && !e->root->grouped &&
             (tok_is_word(t, i - 1, said[k].verb) || tok_is_word(t, i - 1, said[k].gerund) ||
              (i > 1 && tok_is_word(t, i - 1, "of") && tok_is_word(t, i - 2, said[k].noun)));
    return is;
}

static int keep(const tokens *t, const terms *x, size_t at, rdv_arena *arena, equalities *out)
{
    if (!RDV_PUSH_ROOM(arena, out->at, out->n, out->cap))
        return RDV_E_NOMEM;
    equality e = {.n = x->n, .continued = x->continued, .at = (uint32_t)at};
    e.term = rdv_alloc(arena, x->n * sizeof *e.term);
    e.approximate = rdv_alloc(arena, x->n * sizeof *e.approximate);
    if (!e.term || !e.approximate)
        return RDV_E_NOMEM;
    memcpy(e.term, x->e, x->n * sizeof *e.term);
    memcpy(e.approximate, x->approximate, x->n * sizeof *e.approximate);
    size_t begin = x->e[0].begin, end = x->e[x->n - 1].end;
    e.clean_left = find_is_whole_before(t, begin) || find_is_added_product(t, &x->e[0]) ||
                   is_said_before(t, &x->e[0]);
    e.clean_right = find_is_whole_after(t, end);
    const token *b = before(t, x->e[0].begin);
    e.after_word = b && b->kind == TOK_WORD;
    if (dash_before(t, begin) && !(e.negative = negative_of(&x->e[0], arena)))
        return RDV_E_NOMEM;
    out->at[out->n++] = e;
    return RDV_OK;
}

static int parse_term(const tokens *t, size_t i, bool variables, rdv_arena *arena, expression *out)
{
    return variables ? parse_expression_of_letters(t, i, arena, out)
                     : parse_expression(t, i, arena, out);
}

/* How many words stand before token `i`, which is an equality sign? */
static size_t name_length(const tokens *t, size_t i)
{
    size_t n = 0;
    while (n < MAX_NAME && n < i && t->at[i - n - 1].kind == TOK_WORD)
        n++;
    return n;
}

/* The equality sign that gives the chain to a name ("Total = 3 * 4"), or 0. */
static size_t naming_sign(const tokens *t, const terms *x)
{
    size_t i = x->e[0].begin;
    while (i && t->at[i - 1].kind == TOK_CURRENCY)
        i--;
    return i && t->at[i - 1].kind == TOK_EQUAL ? i - 1 : 0;
}

/* Do the `n` words before token `a` stand before token `b` too? One letter may be part of a
 * calculation and is no name. */
static bool same_name(const tokens *t, size_t a, size_t b, size_t n)
{
    if (!n || n > name_length(t, a) || (n == 1 && tok_text(t, b - 1).len == 1))
        return false;
    for (size_t k = 1; k <= n; k++)
        if (!rdv_str_ieq(tok_text(t, a - k), tok_text(t, b - k)))
            return false;
    return true;
}

/* "Total = 3 * 4 Total = 12": a name is given again right after the calculation that it was given,
 * so both are claimed to be equal. The sign after it, or 0. */
static size_t sign_of_same_name(const tokens *t, const terms *x, size_t i, size_t *len)
{
    size_t first = naming_sign(t, x), name = 0;
    if (!first || expression_is_plain(&x->e[x->n - 1]))
        return 0;
    while (t->at[i].kind == TOK_NEWLINE)
        i++;
    while (name < MAX_NAME && t->at[i + name].kind == TOK_WORD)
        name++;
    size_t sign = i + name;
    return is_equality_sign(t, sign, len) && same_name(t, first, sign, name) ? sign : 0;
}

/* "Width = 3 * 4 Height = 2": the words before the sign were taken for what is counted, but they
 * begin with a capital letter and name something else. */
static bool names_another(const tokens *t, const terms *x, size_t sign)
{
    size_t first = naming_sign(t, x);
    if (!first || t->at[first - 1].kind != TOK_WORD)
        return false;
    for (size_t n = name_length(t, sign); n > 0; n--) {
        rdv_str w = tok_text(t, sign - n);
        if (w.len > 1 && w.p[0] >= 'A' && w.p[0] <= 'Z')
            return !same_name(t, first, sign, n);
    }
    return false;
}

/* "E = mv^2 / 2 = ...": how many sides at the beginning of the chain are written in letters, and
 * name what the others work out? */
static size_t named_sides(const terms *x)
{
    size_t n = 0;
    while (n < x->n && x->e[n].n_letters)
        n++;
    return n;
}

/* Is the letter at token `i` one of those in which the first `n` sides are written? */
static bool is_named(const tokens *t, const terms *x, size_t n, size_t i)
{
    for (size_t k = x->e[0].begin; n > 0 && k < x->e[n - 1].end; k++)
        if (t->at[k].kind == TOK_WORD && rdv_str_eq(tok_text(t, k), tok_text(t, i)))
            return true;
    return false;
}

/* Does one of them stand in the other sides too: "p = mv = 2 kg * 3 m/s"? */
static bool names_come_again(const tokens *t, const terms *x, size_t n)
{
    for (size_t i = n ? x->e[n - 1].end : x->e[x->n - 1].end; i < x->e[x->n - 1].end; i++)
        if (t->at[i].kind == TOK_WORD && is_named(t, x, n, i))
            return true;
    return false;
}

/* "= 850 J": is the side a number with a letter behind it? */
static bool is_lettered_result(const expression *e)
{
    const node *n = e->root;
    while (n->is == N_NEGATE || n->is == N_UNIT)
        n = n->a;
    return expression_is_plain(e) && n->is == N_NUMBER && !n->grouped;
}

/* May the letter at token `i` be a variable, and no unit? In "V = 2 * 3 = 6 V" it is a unit. */
static bool may_be_variable(const tokens *t, const terms *x, size_t first, size_t i)
{
    rdv_str letter = tok_text(t, i);
    size_t begin = t->at[x->e[0].begin].begin, end = t->at[x->e[x->n - 1].end - 1].end;
    bool name = first > 0 && x->e[0].root->is == N_LETTER &&
                rdv_str_eq(tok_text(t, x->e[0].begin), letter) && i + 1 >= x->e[x->n - 1].end;
    if (name || t->at[i].upright)
        return false;
    if (!t->before || is_named(t, x, first, i) ||
        variables_may_hold(t->before, t->text, begin, end, *letter.p))
        return true;
    const token *power = &t->at[i + 1], *number = power + 1; /* "m²" as it is written in prose */
    bool area = power->kind == TOK_POWER && number->kind == TOK_NUMBER && number->vulgar;
    return *letter.p >= 'a' && !area && first == 0 &&
           !variables_name_unit(t->before, t->text, begin, end, *letter.p);
}

/* Is no letter of the side, which holds units, perhaps a variable? */
static bool holds_units_alone(const tokens *t, const terms *x, size_t first, const expression *e)
{
    for (size_t i = e->begin; i < e->end; i++)
        if (t->at[i].kind == TOK_WORD && t->at[i].end - t->at[i].begin == 1 &&
            !tok_is_word(t, i, "x") && may_be_variable(t, x, first, i))
            return false;
    return true;
}

static bool holds_sum(const node *n)
{
    return n && (n->is == N_ADD || n->is == N_SUBTRACT || holds_sum(n->a) || holds_sum(n->b));
}

/* "4 * 4.2 * 50 = 840 J": do the letters only name what the results, and perhaps the factors before
 * them, count? */
static bool letters_are_labels(const tokens *t, terms *x, size_t first)
{
    bool worked_out = false, known = false, unknown = false;
    for (size_t i = first; i < x->n; i++) {
        const expression *e = &x->e[i];
        known |= e->n_units > 0;
        unknown |= e->letter_units && !e->n_units;
        if (e->n_letters || e->glued_letters || (e->letter_units && e->labelled) ||
            (e->letter_units && !is_lettered_result(e) && holds_sum(e->root)) ||
            (e->letter_units && !holds_units_alone(t, x, first, e)))
            return false;
        worked_out |= !expression_is_plain(e);
    }
    if (!worked_out || x->n - first < 2 || (known && unknown)) /* "180 miles / 6 = 50 K" */
        return false;
    for (size_t i = first; i < x->n; i++)
        x->e[i].letter_label = x->e[i].letter_units;
    return true;
}

/* Letters after numbers are units ("18 m/s * 10 s = 190 m") if no other letter is there but those
 * that name the value, in the first `first` sides, and both sides of each equality come to the same
 * dimension; or where one side has no unit, if they are compound ("150 / 3 = 61 m/s"), or are used
 * for nothing else. Else they are variables. */
static bool letters_are_units(const tokens *t, terms *x, size_t first)
{
    bool of_letters = false, sure = x->n - first > 1, again = names_come_again(t, x, first);
    for (size_t i = first; i < x->n; i++) {
        of_letters |= x->e[i].letter_units;
        sure = sure && !x->e[i].n_letters;
    }
    if (!of_letters)
        return true;
    for (size_t i = first; i + 1 < x->n && sure; i++)
        sure = again ? quantity_letters_derive(t, &x->e[i], &x->e[i + 1])
                     : quantity_letters_fit(t, &x->e[i], &x->e[i + 1]);
    return sure || letters_are_labels(t, x, first);
}

/* The sides that name the value hold no units: "P = 2 l + 2 w = ...". RDV_NONE: they end elsewhere
 * then. */
static int take_names_as_letters(const tokens *t, terms *x, size_t first, rdv_arena *arena)
{
    int r = RDV_OK;
    for (size_t i = 0; i < first && r == RDV_OK; i++) {
        size_t end = x->e[i].end;
        if (x->e[i].letter_units)
            r = parse_expression_of_letters(t, x->e[i].begin, arena, &x->e[i]);
        if (r == RDV_OK && x->e[i].end != end)
            r = RDV_NONE;
    }
    return r;
}

/* How many letters stand from token `i` on, written together and not upright; *n: in how many
 * tokens. */
static size_t letters_together(const tokens *t, size_t i, size_t end, size_t *n)
{
    size_t n_letters = 0;
    for (*n = 0; i < end && t->at[i].kind == TOK_WORD && !t->at[i].space_before; i++, ++*n) {
        if (t->at[i].upright)
            break;
        n_letters += t->at[i].end - t->at[i].begin;
    }
    return n_letters;
}

/* "\sqrt{2gh}", "3mg/2": does the side have units of two or three letters right behind one digit?
 * They may be factors, each with a value; a symbol such as "kg" only where `named`, or alone under
 * a root, which no such unit has. */
static bool may_hold_factors(const tokens *t, const expression *e, bool named, bool rooted)
{
    for (size_t i = e->begin; e->n_units && i + 1 < e->end; i++) {
        size_t n_words;
        if (t->at[i].kind != TOK_NUMBER || t->at[i].end - t->at[i].begin != 1)
            continue;
        size_t n_letters = letters_together(t, i + 1, e->end, &n_words), after = i + 1 + n_words;
        bool root = i > e->begin + 1 && t->at[i - 1].kind == TOK_OPEN &&
                    t->at[i - 2].kind == TOK_SQRT && t->at[i - 1].pair == after;
        if ((n_letters == 2 || n_letters == 3) && (rooted ? root : root || named || n_words > 1))
            return true;
    }
    return false;
}

/* Are they factors, since a side beside it has no unit that would say that they are one? The first
 * `first` sides name the value: "N = 3mg/2 = ...". */
static bool holds_factors(const tokens *t, const terms *x, size_t first)
{
    for (size_t i = first; i < x->n; i++) {
        bool bare = (i > first && !x->e[i - 1].n_units) || (i + 1 < x->n && !x->e[i + 1].n_units);
        if (may_hold_factors(t, &x->e[i], first > 0, !bare))
            return true;
    }
    return false;
}

/* Are the letters of the chain read as they are meant? RDV_NONE: they are all variables. */
static int check_letters(const tokens *t, terms *x, rdv_arena *arena)
{
    size_t first = named_sides(x);
    first = first < x->n ? first : 0;
    if (x->n > 1 && holds_factors(t, x, first))
        return RDV_NONE;
    return letters_are_units(t, x, first) ? take_names_as_letters(t, x, first, arena) : RDV_NONE;
}

bool find_is_worked_out(const tokens *t, const expression *given, const expression *next)
{
    rdv_str text = rdv_slice(t->text, t->at[given->begin].begin, t->at[given->end - 1].end);
    rdv_str first = rdv_slice(t->text, t->at[next->begin].begin, t->at[next->end - 1].end);
    return next->n_operators < given->n_operators && !rdv_starts(text, first);
}

/* "100 minutes is 1 hour and 40 minutes": does a word at token `i` claim that an amount is as much
 * as another? */
static bool is_amount_sign(const tokens *t, const terms *x, size_t i, size_t *len)
{
    *len = 1;
    return x->n == 1 && clause_states_amount(t, i) && clause_begins(t, x->e[0].begin);
}

/* Do two sides state one amount in different units, and is the clause at its end? */
static bool states_amount(const tokens *t, const expression *l, const expression *r)
{
    bool amount = node_is_amount(l->root) || node_is_amount(r->root) ||
                  (expression_is_plain(l) && expression_is_plain(r));
    return amount && l->n_different && r->n_different && !l->n_words && !r->n_words &&
           memcmp(l->units[0]->power, r->units[0]->power, sizeof l->units[0]->power) == 0 &&
           relative_ends(t, r->end);
}

/* "40 minutes = 2/3 hour": a fraction without blanks, whose unit is of the other side's dimension,
 * is a fraction of that unit, and no number over an amount. */
static void take_unit_of_fraction(const tokens *t, const expression *l, expression *r)
{
    node *over = r->root, *unit_node = over->b;
    bool amount = expression_is_plain(l) && l->n_different == 1 && r->n_different == 1 &&
                  l->root->is == N_UNIT && r->n_operators == 1 && over->is == N_DIVIDE &&
                  over->a->is == N_NUMBER && unit_node->is == N_UNIT && !unit_node->sign &&
                  unit_node->a->is == N_NUMBER;
    if (!amount || t->at[over->a->end].space_before || t->at[unit_node->a->begin].space_before ||
        memcmp(l->units[0]->power, r->units[0]->power, sizeof l->units[0]->power) != 0)
        return;
    over->b = unit_node->a;
    unit_node->a = over;
    r->root = unit_node;
}

/* "from x = 0 to x = 3 equals 9": a verb claims nothing of the value just given to a letter. */
static bool ends_with_a_value(const tokens *t, const terms *x, size_t sign)
{
    return x->n == 2 && t->at[sign].kind == TOK_WORD && x->e[0].root->is == N_LETTER &&
           expression_is_plain(&x->e[1]);
}

/* Add the terms that follow the first one; *at becomes the first token after them. */
static int follow(const tokens *t, bool variables, terms *x, rdv_arena *arena, size_t *at)
{
    size_t len;
    while (x->n < MAX_TERMS) {
        bool relative = !expression_is_plain(&x->e[x->n - 1]) && relative_sign(t, *at, &len);
        size_t sign = relative ? *at : continuing_sign(t, *at, &len);
        bool amount = !sign && is_amount_sign(t, x, *at, &len);
        sign = amount ? *at : sign;
        bool named = !sign && (sign = sign_of_same_name(t, x, *at, &len)) != 0;
        if (!sign || (!named && names_another(t, x, sign)) ||
            (!named && ends_with_a_value(t, x, sign)))
            break;
        size_t next = sign + len;
        while (t->at[next].kind == TOK_NEWLINE)
            next++;
        int r = parse_term(t, next, variables, arena, &x->e[x->n]);
        bool plain = r == RDV_OK && expression_is_plain(&x->e[x->n]);
        if (relative && !(plain && relative_ends(t, x->e[x->n].end)))
            r = r == RDV_E_NOMEM ? r : RDV_NONE;
        if (r == RDV_OK && amount && !states_amount(t, &x->e[x->n - 1], &x->e[x->n]))
            r = RDV_NONE;
        if (r == RDV_NONE || (r == RDV_OK && named && !plain &&
                              !find_is_worked_out(t, &x->e[x->n - 1], &x->e[x->n])))
            break; /* another calculation may be another thing of that name */
        if (r < 0)
            return r;
        take_unit_of_fraction(t, &x->e[x->n - 1], &x->e[x->n]);
        x->approximate[x->n] = connective_is_about(t, sign, len);
        *at = x->e[x->n++].end;
    }
    return RDV_OK;
}

static bool is_sign_in_words(const tokens *t, size_t i, bool words)
{
    size_t len;
    return (words && (is_equality_sign(t, i, &len) || relative_sign(t, i, &len))) ||
           clause_states_amount(t, i);
}

/* May a chain go on with the sign at token `i`? `words`: some of its words may be one. Most tokens
 * are none, and most words begin none. */
static inline bool may_be_sign(const tokens *t, size_t i, bool words)
{
    const unsigned begins = WORD_EQUAL | WORD_RESULT | WORD_ABOUT | WORD_POINTS_BACK;
    const token *at = &t->at[i];
    if (at->kind == TOK_EQUAL || at->kind == TOK_APPROX)
        return true;
    bool may = words && (at[at->kind == TOK_COMMA].word & begins);
    return (may || (at->kind == TOK_WORD && at[1].kind == TOK_NUMBER)) &&
           is_sign_in_words(t, i, words);
}

static bool words_may_be_signs(const tokens *t)
{
    return (t->words & WORD_EQUAL) || relative_may_be_in(t);
}

/* The last token that can be an equality sign: no equality begins after it. */
static size_t last_sign(const tokens *t)
{
    bool words = words_may_be_signs(t);
    size_t i = t->n - 1;
    while (i > 0 && !may_be_sign(t, i, words))
        i--;
    return i;
}

/* Does no expression, and no name before a sign, go past token `i`? "sq. ft" does, and "2 hours, 15
 * minutes". */
static bool divides(const tokens *t, size_t i)
{
    switch (t->at[i].kind) {
    case TOK_PUNCT:
        return i == 0 || !(t->at[i - 1].word & WORD_MEASURE);
    case TOK_COMMA:
        return t->at[i + 1].kind != TOK_NUMBER;
    default:
        return false;
    }
}

/* Pass over what ends before the next sign: no equality begins there. Each token is looked at once.
 */
static void pass_to_sign(const tokens *t, equality_search *search)
{
    bool words = words_may_be_signs(t), found = false;
    size_t i = search->signs, at = search->at, closes = search->closes;
    for (; i < search->end && !(found && i > at); i++) {
        const token *is = &t->at[i];
        if (is->kind == TOK_OPEN && is->pair != TOK_NO_PAIR && is->pair > closes)
            closes = is->pair;
        found = may_be_sign(t, i, words);
        if (!found && i >= at && i > closes && divides(t, i))
            at = i + 1;
    }
    search->signs = i;
    search->at = at;
    search->closes = closes;
}

/* The chain that begins at token `i`, or a term alone; *at becomes the token after it. `variables`:
 * letters are never units. RDV_NONE: nothing begins there. */
static int chain_at(const tokens *t, size_t i, bool variables, rdv_arena *arena, terms *x,
                    size_t *at)
{
    x->n = 0;
    x->approximate[0] = false;
    int r = parse_term(t, i, variables, arena, &x->e[0]);
    if (r != RDV_OK)
        return r;
    x->n = 1;
    *at = x->e[0].end;
    return follow(t, variables, x, arena, at);
}

/* An argument in braces begins none, nor does a number right before punctuation, such as that of a
 * step, nor the bar between cells of a table. */
bool find_may_begin(const tokens *t, size_t i)
{
    const token *first = &t->at[i];
    return !parse_is_prose(t, i) && !(first->kind == TOK_OPEN && first->sign == '{') &&
           !(first->kind == TOK_NUMBER && t->at[i + 1].kind == TOK_PUNCT) &&
           !(first->kind == TOK_BAR && divides_cells(t, i)) && parse_may_begin_at(t, i);
}

/* Find what begins where the search is, which then goes on behind it. */
static int find_at(const tokens *t, equality_search *search, rdv_arena *arena, terms *x,
                   equalities *out)
{
    size_t i = search->at, after = 0;
    rdv_mark mark = rdv_arena_mark(arena);
    x->continued = i > 0 && i == search->next_piece;
    int r = chain_at(t, i, false, arena, x, &after);
    int as_units = r == RDV_OK ? check_letters(t, x, arena) : RDV_OK;
    if (as_units == RDV_NONE) {
        rdv_arena_rewind(arena, mark);
        r = chain_at(t, i, true, arena, x, &after);
    } else if (as_units < 0) {
        r = as_units;
    }
    if (r < 0)
        return r;
    if (r == RDV_OK && x->n > 1 && goes_on_with_letters(t, after))
        x->n--;
    if (r == RDV_OK && x->n > 1 && belongs_to_letter(t, x->e[0].begin)) {
        x->n--; /* as of "x = 3 * 4 = 12" the first side is none of numbers */
        memmove(x->e, x->e + 1, x->n * sizeof *x->e);
        memmove(x->approximate, x->approximate + 1, x->n * sizeof *x->approximate);
    }
    bool kept = r == RDV_OK && x->n >= 2;
    if (!kept)
        rdv_arena_rewind(arena, mark);
    else if (keep(t, x, i, arena, out) < 0)
        return RDV_E_NOMEM;
    if (r == RDV_OK && x->n == MAX_TERMS)
        after = search->next_piece = x->e[MAX_TERMS - 1].begin;
    search->at = r == RDV_NONE ? i + 1 : after;
    return RDV_OK;
}

equality_search find_first(const tokens *t)
{
    return (equality_search){.end = last_sign(t)};
}

int find_next_equalities(const tokens *t, size_t max, equality_search *search, rdv_arena *arena,
                         equalities *out)
{
    terms x;
    int r = RDV_OK;
    while (r == RDV_OK && out->n < max && search->at < search->end) {
        if (search->at >= search->signs)
            pass_to_sign(t, search);
        if (find_may_begin(t, search->at))
            r = find_at(t, search, arena, &x, out);
        else
            search->at++;
    }
    return r;
}

void find_back_to(equality_search *search, const equality *e)
{
    search->at = e->at;
    search->next_piece = e->continued ? e->at : 0;
}

int find_equalities(const tokens *t, rdv_arena *arena, equalities *out)
{
    equality_search search = find_first(t);
    return find_next_equalities(t, SIZE_MAX, &search, arena, out);
}

int equalities_append(rdv_arena *arena, const expression sides[2], bool about, bool after_word,
                      equalities *out)
{
    if (!RDV_PUSH_ROOM(arena, out->at, out->n, out->cap))
        return RDV_E_NOMEM;
    equality e = {.n = 2, .clean_left = true, .clean_right = true, .after_word = after_word};
    e.term = rdv_alloc(arena, 2 * sizeof *e.term);
    e.approximate = rdv_alloc(arena, 2 * sizeof *e.approximate);
    if (!e.term || !e.approximate)
        return RDV_E_NOMEM;
    memcpy(e.term, sides, 2 * sizeof *sides);
    e.approximate[0] = false;
    e.approximate[1] = about;
    out->at[out->n++] = e;
    return RDV_OK;
}
