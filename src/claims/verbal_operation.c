/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of claims in words: "half of 48", "the sum of 3 and 5", "subtract 5 from 12". */
#include "claims/verbal_reading.h"

#include "base/str.h"
#include "language/number_words.h"
#include "language/word_class.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_CHAIN 16 /* operations after each other */
#define MAX_DEPTH 3  /* operations within each other */

/* A claim may begin with a verb in the middle of a clause too: "we add 3 and 4 to get 7". */
bool verbal_is_verb(const tokens *t, size_t i)
{
    return t->at[i].word & WORD_VERB;
}

/* Whose the number is that follows: "half of the 36 cookies"; then the result counts the same. */
static bool determined(reading *r)
{
    static const char *const words[] = {"the", "these", "those", "his",
                                        "her", "their", "our",   "my"};
    unsigned value;
    const token *next = parse_tok(&r->p, r->p.pos + 1);
    bool number = next->kind == TOK_NUMBER || next->kind == TOK_CURRENCY ||
                  verbal_number_at(r, r->p.pos + 1, &value);
    return number && verbal_next_is_one_of(r, words, COUNT(words));
}

/* "the 36 cookies" */
static node *determined_operand(reading *r)
{
    node *n = determined(r) ? verbal_operand(r) : NULL;
    if (n && n->is != N_UNIT)
        r->counted = r->noun;
    return n && (r->noun || n->is == N_UNIT) ? n : NULL;
}

/* "as many as", "as many pens as", "as much as" after "twice" or "three times": they say no more.
 * False: the comparison is another one. */
static bool as_many_as(reading *r)
{
    if (!verbal_next_is(r, "as"))
        return true;
    if (!verbal_next_is(r, "many") && !verbal_next_is(r, "much"))
        return false;
    r->p.pos += verbal_is_noun(r, r->p.pos);
    return verbal_next_is(r, "as");
}

/* "of 48", "the sum of 10 and 14", "as many as 12" after a share. */
static node *whole_of_share(reading *r)
{
    size_t name = r->p.pos + 1;
    bool named = verbal_word_at(r, name - 1, "the") &&
                 (verbal_word_at(r, name, "sum") || verbal_word_at(r, name, "difference") ||
                  verbal_word_at(r, name, "product"));
    bool joined =
        verbal_next_is(r, "of") || named || (verbal_word_at(r, r->p.pos, "as") && as_many_as(r));
    return joined ? verbal_value(r) : NULL;
}

/* "half of 48", "a third of 60", "two thirds of 60", "half the sum of 10 and 14" */
static node *part(reading *r)
{
    unsigned over = 1, under;
    bool article = verbal_word_at(r, r->p.pos, "a") || verbal_number_at(r, r->p.pos, &over);
    r->p.pos += article;
    if (parse_tok(&r->p, r->p.pos)->kind != TOK_WORD ||
        !fraction_word(tok_text(r->p.t, r->p.pos), &under) || over == 0)
        return NULL;
    r->p.pos++;
    node *n = whole_of_share(r);
    if (n && over > 1)
        n = verbal_operation(r, N_MULTIPLY, verbal_constant(r, over), n);
    return n ? verbal_operation(r, N_DIVIDE, n, verbal_constant(r, under)) : NULL;
}

/* "3/4" without what follows */
static node *plain_fraction(reading *r)
{
    size_t i = r->p.pos;
    const token *under = parse_tok(&r->p, i + 2);
    if (parse_tok(&r->p, i)->kind != TOK_NUMBER || under->kind != TOK_NUMBER ||
        parse_tok(&r->p, i + 1)->space_before || under->space_before)
        return NULL;
    r->p.pos += 3;
    return verbal_operation(r, N_DIVIDE, verbal_number(r, i), verbal_number(r, i + 2));
}

/* "3/4 of 20", "40% of the 80 students", "twenty percent of fifty" */
static node *share_of(reading *r)
{
    size_t i = r->p.pos;
    bool words = !!(parse_tok(&r->p, i)->word & WORD_NUMBER);
    node *share =
        parse_tok(&r->p, i + 1)->kind == TOK_DIVIDE ? plain_fraction(r) : verbal_percentage(r);
    bool verb = i > 0 && verbal_is_verb(r->p.t, i - 1);
    bool signs = share && share->is == N_PERCENT && !words && !verb &&
                 r->depth == 0; /* the usual reader has "20% of 50" */
    node *whole = share ? whole_of_share(r) : NULL;
    if (signs && whole && whole->is == N_NUMBER && !r->counted)
        return NULL;
    return whole ? verbal_operation(r, N_MULTIPLY, share, whole) : NULL;
}

/* "2 dozen" */
static node *dozens(reading *r)
{
    size_t i = r->p.pos;
    node *n = parse_tok(&r->p, i)->kind == TOK_NUMBER || verbal_number_words(r, i, &(unsigned){0})
                  ? verbal_operand(r)
                  : NULL;
    if (!n || n->is != N_MULTIPLY)
        return NULL;
    size_t noun = i + 1;
    while (!verbal_word_at(r, noun - 1, "dozen") && !verbal_word_at(r, noun - 1, "dozens"))
        noun++;
    r->of = (group){.number = i, .noun = noun, .end = r->p.pos};
    return n;
}

/* Is the word at token `i` the plural of what holds others: "boxes", not "thirds" or "powers"? */
static bool is_groups(const reading *r, size_t i)
{
    static const char *const others[] = {"times",   "powers", "multiples", "factors",  "roots",
                                         "squares", "cubes",  "degrees",   "percents", "digits",
                                         "cents",   "scores", "halves"};
    if (!verbal_is_noun(r, i))
        return false;
    rdv_str w = tok_text(r->p.t, i);
    unit_meaning m;
    unsigned under;
    return w.len > 3 && rdv_lower(w.p[w.len - 1]) == 's' && !unit_find_in_prose(w, &m) &&
           !fraction_word(w, &under) && !rdv_is_one_of(w, others, COUNT(others));
}

/* "12 boxes of 4 pens" */
static node *groups(reading *r)
{
    size_t i = r->p.pos;
    const token *before = i > 0 ? parse_tok(&r->p, i - 1) : NULL;
    if (before && (before->kind == TOK_COMMA || verbal_word_at(r, i - 1, "and") ||
                   r->p.t->text.p[before->begin] == ';'))
        return NULL; /* "2 rows of 5, 3 rows of 4 = 22" */
    if (parse_tok(&r->p, i)->kind != TOK_NUMBER || !is_groups(r, i + 1) ||
        !(verbal_word_at(r, i + 2, "of") || verbal_word_at(r, i + 2, "with")) ||
        parse_tok(&r->p, i + 3)->kind != TOK_NUMBER)
        return NULL;
    node *n = verbal_number(r, i);
    r->p.pos = i + 3;
    node *each = verbal_operand(r);
    r->of = (group){.number = i, .each = i + 3, .noun = i + 4, .end = r->p.pos};
    bool said = verbal_next_is(r, "each");
    if (!said && verbal_word_at(r, i + 2, "with"))
        return NULL;
    return verbal_operation(r, N_MULTIPLY, n, each);
}

/* "twice 12", "double 15", "twice as many as 14" */
static node *multiple(reading *r)
{
    unsigned factor;
    if (!multiple_word(tok_text(r->p.t, r->p.pos), &factor))
        return NULL;
    r->p.pos++;
    node *n = as_many_as(r) ? verbal_value(r) : NULL;
    return n ? verbal_operation(r, N_MULTIPLY, verbal_constant(r, factor), n) : NULL;
}

/* "doubling 17", "halving 90", "squaring 9" */
static node *doubled(reading *r)
{
    if (!verbal_is_verb(r->p.t, r->p.pos))
        return NULL;
    if (verbal_next_is(r, "halving"))
        return verbal_operation(r, N_DIVIDE, verbal_value(r), verbal_constant(r, 2));
    bool cubed = verbal_next_is(r, "cubing");
    if (cubed || verbal_next_is(r, "squaring"))
        return verbal_operation(r, N_POWER, verbal_value(r), verbal_constant(r, cubed ? 3 : 2));
    return multiple(r);
}

static const struct {
    const char *verb[2];
    node_is is;
    const char *joint[2];
    bool inverted; /* the second number comes first */
} verbs[] = {{{"add", "adding"}, N_ADD, {"and", "to"}, false},
             {{"subtract", "subtracting"}, N_SUBTRACT, {"from", "from"}, true},
             {{"multiply", "multiplying"}, N_MULTIPLY, {"by", "and"}, false},
             {{"divide", "dividing"}, N_DIVIDE, {"by", "by"}, false},
             {{"take", "taking"}, N_SUBTRACT, {"from", "from"}, true}};

/* "subtract 5 from 12", "adding 3 and 4", "divide 48 by 6" */
static node *done(reading *r)
{
    for (size_t i = 0; i < COUNT(verbs); i++) {
        if (!verbal_next_is_one_of(r, verbs[i].verb, 2))
            continue;
        node *a = verbal_operand(r);
        if (i == COUNT(verbs) - 1) /* "take 8 away from 20" */
            verbal_next_is(r, "away");
        node *b = a && verbal_next_is_one_of(r, verbs[i].joint, 2) ? verbal_operand(r) : NULL;
        if (!b)
            return NULL;
        return verbs[i].inverted ? verbal_operation(r, verbs[i].is, b, a)
                                 : verbal_operation(r, verbs[i].is, a, b);
    }
    return NULL;
}

/* The number before how many times another goes into it: "50 7 times". */
static node *dividend(reading *r)
{
    size_t i = r->p.pos;
    if (parse_tok(&r->p, i)->kind != TOK_NUMBER || parse_tok(&r->p, i + 1)->kind != TOK_NUMBER)
        return verbal_operand(r);
    r->p.pos = i + 1;
    return verbal_number(r, i);
}

/* "the power of 5", "the third power", "the 10th power" after "2 to" */
static node *exponent(reading *r)
{
    if (!verbal_next_is(r, "the"))
        return NULL;
    if (verbal_next_is(r, "power"))
        return verbal_next_is(r, "of") ? verbal_operand(r) : NULL;
    node *n = verbal_ordinal(r);
    bool ends = verbal_next_is(r, "power") || verbal_word_at(r, r->p.pos, "is") ||
                verbal_word_at(r, r->p.pos, "equals");
    return ends ? n : NULL;
}

/* "50 increased by 20%", "30 reduced by 20" after the first number; `sign`: the operation. */
static node *changed(reading *r, node *a, node_is sign)
{
    size_t i = r->p.pos;
    node *n = verbal_percentage(r);
    r->p.pos = n ? r->p.pos : i;
    return verbal_operation(r, sign, a,
                            n ? verbal_operation(r, N_MULTIPLY, a, n) : verbal_operand(r));
}

/* "divided into 4 equal parts", "split evenly among 5 people" after the first number. */
static node *shared(reading *r, node *a)
{
    static const char *const verbs_of[] = {"divided", "split", "shared", "separated", "cut"},
                             *const evenly[] = {"evenly", "equally"},
                             *const among[] = {"into", "among", "between"};
    if (!verbal_next_is_one_of(r, verbs_of, COUNT(verbs_of)))
        return NULL;
    verbal_next_is_one_of(r, evenly, COUNT(evenly));
    if (!verbal_next_is_one_of(r, among, COUNT(among)))
        return NULL;
    unit_meaning counted_in = r->unit;
    size_t noun = r->noun;
    node *b = verbal_operand(r);
    if (!r->noun && verbal_next_is(r, "equal") && verbal_is_noun(r, r->p.pos))
        r->noun = r->p.pos++;
    if (!r->noun || r->unit.unit != counted_in.unit) /* "60 minutes divided into 5 hours" */
        return NULL;
    r->counted = noun;
    r->shared_out = true;
    return verbal_operation(r, N_DIVIDE, a, b);
}

/* "27 divided by 1/6" may be read from left to right, as in signs. */
static node *quotient_of(reading *r, node *a, node *b)
{
    bool fraction =
        b && b->is == N_DIVIDE && !b->grouped && b->a->is == N_NUMBER && b->b->is == N_NUMBER;
    node *n = verbal_operation(r, N_DIVIDE, a, b);
    if (n && fraction) {
        n->implicit = true;
        r->p.e->readings |= READ_LEFT_TO_RIGHT;
    }
    return n;
}

/* "multiplied by itself", "times itself" after the number; NULL: another one follows. */
static node *by_itself(reading *r, node_is is, node *a)
{
    return is != N_NUMBER && verbal_next_is(r, "itself") ? verbal_operation(r, is, a, a) : NULL;
}

/* "plus", "minus", "times" between two numbers; N_NUMBER: none of them. */
static node_is infix(reading *r)
{
    return verbal_next_is(r, "plus")    ? N_ADD
           : verbal_next_is(r, "minus") ? N_SUBTRACT
           : verbal_next_is(r, "times") ? N_MULTIPLY
                                        : N_NUMBER;
}

/* "one third", of something that need not be said. */
static bool is_bare_fraction(const node *n)
{
    return n->is == N_DIVIDE && n->a->is == N_CONSTANT && n->b->is == N_CONSTANT;
}

/* The second number of an operation and those that further words of the same kind join: "three plus
 * four minus two". A product within a sum would be read in two ways. */
static node *chained(reading *r, node_is is, node *a, node *b)
{
    if (b && is != N_MULTIPLY && is_bare_fraction(a) != is_bare_fraction(b))
        return NULL; /* "one third minus 60" */
    for (unsigned k = 0; k < MAX_CHAIN; k++) {
        a = b ? verbal_operation(r, is, a, b) : NULL;
        node_is next = a ? infix(r) : N_NUMBER;
        if (next == N_NUMBER)
            return a;
        if ((next == N_MULTIPLY) != (is == N_MULTIPLY))
            return NULL;
        is = next;
        b = verbal_operand(r);
    }
    return NULL;
}

/* "5 squared", "5 cubed"; or the number itself. */
static node *raised(reading *r, node *n)
{
    unsigned power = verbal_next_is(r, "squared") ? 2 : verbal_next_is(r, "cubed") ? 3 : 1;
    return power > 1 ? verbal_operation(r, N_POWER, n, verbal_constant(r, power)) : n;
}

/* The second number after a power: "5 squared plus 12 squared". */
static node *squared_too(reading *r)
{
    node *n = verbal_operand(r);
    return n ? raised(r, n) : NULL;
}

/* "three times 4" after "5 more than", or another value. */
static node *product_or_value(reading *r)
{
    node *a = verbal_value(r);
    if (!a || !verbal_next_is(r, "times"))
        return a;
    node *b = as_many_as(r) ? verbal_operand(r) : NULL;
    return b ? verbal_operation(r, N_MULTIPLY, a, b) : NULL;
}

/* "12 more than 30", "12 less than 30", "5 squared", "three times four", "7 goes into 50" */
static node *after_number(reading *r)
{
    node *a = verbal_operand(r);
    if (!a)
        return NULL;
    if (verbal_next_is(r, "factorial"))
        return verbal_operation(r, N_FACTORIAL, a, NULL);
    node *power = raised(r, a);
    if (power != a) {
        size_t end = r->p.pos;
        node_is is = infix(r);
        if (is != N_NUMBER)
            return chained(r, is, power, squared_too(r));
        r->p.pos = end;
        return power;
    }
    if (verbal_next_is(r, "into"))
        return verbal_operation(r, N_DIVIDE, verbal_operand(r), a);
    if (verbal_next_is_one_of(r, (const char *const[]){"goes", "go"}, 2)) {
        node *all = verbal_next_is(r, "into") ? dividend(r) : NULL;
        r->counts_times = true;
        return all ? parse_node(&r->p, N_FLOOR, verbal_operation(r, N_DIVIDE, all, a), NULL) : NULL;
    }
    if (verbal_next_is(r, "choose"))
        return verbal_operation(r, N_BINOMIAL, a, verbal_operand(r));
    if (verbal_next_is_one_of(r, (const char *const[]){"increased", "decreased", "reduced"}, 3)) {
        node_is sign = verbal_word_at(r, r->p.pos - 1, "increased") ? N_ADD : N_SUBTRACT;
        return verbal_next_is(r, "by") ? changed(r, a, sign) : NULL;
    }
    if (verbal_next_is(r, "added"))
        return verbal_next_is(r, "to") ? verbal_operation(r, N_ADD, a, verbal_operand(r)) : NULL;
    if (verbal_next_is(r, "subtracted"))
        return verbal_next_is(r, "from") ? verbal_operation(r, N_SUBTRACT, verbal_operand(r), a)
                                         : NULL;
    if (verbal_next_is(r, "out")) {
        r->share = true;
        return verbal_next_is(r, "of") ? verbal_operation(r, N_DIVIDE, a, verbal_operand(r)) : NULL;
    }
    size_t begin = r->p.pos;
    node *other = shared(r, a);
    r->p.pos = other ? r->p.pos : begin;
    other = other ? other : verbal_changed(r, a);
    if (other)
        return other;
    r->p.pos = begin;
    bool to_power = verbal_next_is(r, "raised");
    if (verbal_next_is(r, "to"))
        return verbal_operation(r, N_POWER, a, exponent(r));
    if (to_power)
        return NULL;
    bool more = verbal_next_is(r, "more"),
         less = !more && (verbal_next_is(r, "less") || verbal_next_is(r, "fewer"));
    if (more || less) {
        if (less && verbal_word_at(r, r->p.pos - 1, "less") && !verbal_word_at(r, r->p.pos, "than"))
            return verbal_operation(r, N_SUBTRACT, a, verbal_operand(r)); /* "100 less 35" */
        node *b = verbal_next_is(r, "than") ? product_or_value(r) : NULL;
        return b ? verbal_operation(r, more ? N_ADD : N_SUBTRACT, b, a) : NULL;
    }
    if (verbal_next_is(r, "take"))
        return verbal_next_is(r, "away") ? verbal_operation(r, N_SUBTRACT, a, verbal_operand(r))
                                         : NULL;
    node_is is = infix(r);
    if (is == N_NUMBER &&
        verbal_next_is_one_of(r, (const char *const[]){"divided", "multiplied"}, 2)) {
        is = verbal_word_at(r, r->p.pos - 1, "divided") ? N_DIVIDE : N_MULTIPLY;
        if (!verbal_next_is(r, "by"))
            return NULL;
    }
    node *itself = by_itself(r, is, a);
    if (itself || is == N_NUMBER || (is == N_MULTIPLY && !as_many_as(r)))
        return itself;
    bool quotient = is == N_DIVIDE;
    node *b = verbal_value(r);
    return quotient ? quotient_of(r, a, b) : chained(r, is, a, b);
}

/* "taking half of 70", "finding the square root of 64" */
static node *taken(reading *r)
{
    static const char *const changing[] = {"taking", "take", "adding", "add"};
    size_t i = r->p.pos;
    if (!verbal_next_is_one_of(r, changing, COUNT(changing)))
        return NULL;
    bool word = parse_tok(&r->p, i + 1)->kind == TOK_WORD;
    node *n = word ? verbal_value(r) : share_of(r);
    bool plain = n && (n->is == N_NUMBER || n->is == N_CONSTANT || n->is == N_UNIT || r->in_words);
    if (n && !plain)
        return n;
    r->p.pos = i + 1;
    return verbal_change_on(r);
}

node *verbal_value(reading *r)
{
    static node *(*const inner[])(reading *) = {
        multiple, part, share_of, verbal_named, verbal_function, verbal_root, determined_operand};
    const token *first = parse_tok(&r->p, r->p.pos);
    const reading keep = *r;
    const expression e = *r->p.e;
    bool may_be = first->kind == TOK_WORD || first->kind == TOK_NUMBER;
    for (size_t k = 0; may_be && r->depth < MAX_DEPTH && k < COUNT(inner); k++) {
        r->depth++;
        node *n = inner[k](r);
        r->depth = keep.depth;
        if (n || r->p.nomem)
            return r->p.nomem ? NULL : n;
        *r = keep;
        *r->p.e = e;
    }
    return verbal_operand(r);
}

/* "the result of 9 times 6", "the value of 8 squared" */
static node *result_of(reading *r)
{
    static const char *const names[] = {"result", "value"};
    verbal_next_is(r, "the");
    bool named = verbal_next_is_one_of(r, names, COUNT(names)) && verbal_next_is(r, "of");
    return named ? after_number(r) : NULL;
}

/* An operation in signs, whose result is claimed by a word: "12 * 4 is 48", "20% of 50 is 12". */
static node *in_signs(reading *r)
{
    expression e;
    int status = parse_expression(r->p.t, r->p.pos, r->p.arena, &e);
    r->p.nomem |= status == RDV_E_NOMEM;
    if (status != RDV_OK || expression_is_plain(&e) || e.n_letters || e.n_words || e.n_units)
        return NULL;
    for (size_t i = e.begin + 1; i < e.end; i++) /* "24/7", "3-2" may be names */
        if ((r->p.t->at[i].kind == TOK_DIVIDE || r->p.t->at[i].kind == TOK_MINUS) &&
            !r->p.t->at[i].space_before)
            return NULL;
    *r->p.e = e;
    r->p.pos = e.end;
    return e.root;
}

#define ANY (SPOKEN_NUMBER | SPOKEN_WORD)

const verbal_form verbal_forms[SPOKEN_FORMS] = {{done, SPOKEN_VERB},
                                                {doubled, SPOKEN_VERB},
                                                {taken, SPOKEN_VERB},
                                                {verbal_named, SPOKEN_WORD},
                                                {verbal_common, SPOKEN_WORD},
                                                {verbal_function, SPOKEN_WORD},
                                                {verbal_root, SPOKEN_WORD},
                                                {result_of, SPOKEN_WORD},
                                                {part, ANY},
                                                {share_of, SPOKEN_NUMBER},
                                                {multiple, SPOKEN_WORD},
                                                {groups, SPOKEN_NUMBER},
                                                {dozens, SPOKEN_NUMBER},
                                                {verbal_change_on, ANY},
                                                {verbal_rate, SPOKEN_NUMBER},
                                                {verbal_relative_change, SPOKEN_WORD},
                                                {verbal_restated, SPOKEN_NUMBER},
                                                {after_number, ANY},
                                                {in_signs, ANY, true}};
