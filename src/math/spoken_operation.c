/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of claims in words: "half of 48", "the sum of 3 and 5", "subtract 5 from 12". */
#include "math/spoken_reading.h"

#include "base/str.h"
#include "math/call.h"
#include "math/number_words.h"
#include "math/words.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_LIST 16 /* numbers of a sum or an average */

/* "half of 48", "a third of 60", "two thirds of 60" */
static node *part(reading *r)
{
    unsigned over = 1, under;
    bool article = spoken_word_at(r, r->p.pos, "a") || spoken_number_at(r, r->p.pos, &over);
    r->p.pos += article;
    if (parse_tok(&r->p, r->p.pos)->kind != TOK_WORD ||
        !fraction_word(tok_text(r->p.t, r->p.pos), &under) || over == 0)
        return NULL;
    r->p.pos++;
    if (!spoken_next_is(r, "of"))
        return NULL;
    node *n = spoken_operand(r);
    if (n && over > 1)
        n = spoken_operation(r, N_MULTIPLY, spoken_constant(r, over), n);
    return n ? spoken_operation(r, N_DIVIDE, n, spoken_constant(r, under)) : NULL;
}

/* "2 dozen" */
static node *dozens(reading *r)
{
    size_t i = r->p.pos;
    node *n = parse_tok(&r->p, i)->kind == TOK_NUMBER || spoken_number_words(r, i, &(unsigned){0})
                  ? spoken_operand(r)
                  : NULL;
    if (!n || n->is != N_MULTIPLY)
        return NULL;
    size_t noun = i + 1;
    while (!spoken_word_at(r, noun - 1, "dozen") && !spoken_word_at(r, noun - 1, "dozens"))
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
    if (!spoken_is_noun(r, i))
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
    if (before && (before->kind == TOK_COMMA || spoken_word_at(r, i - 1, "and") ||
                   r->p.t->text.p[before->begin] == ';'))
        return NULL; /* "2 rows of 5, 3 rows of 4 = 22" */
    if (parse_tok(&r->p, i)->kind != TOK_NUMBER || !is_groups(r, i + 1) ||
        !spoken_word_at(r, i + 2, "of") || parse_tok(&r->p, i + 3)->kind != TOK_NUMBER)
        return NULL;
    node *n = parse_node(&r->p, N_NUMBER, NULL, NULL);
    if (!n)
        return NULL;
    n->begin = i;
    n->end = i + 1;
    r->p.pos = i + 3;
    node *each = spoken_operand(r);
    r->of = (group){.number = i, .each = i + 3, .noun = i + 4, .end = r->p.pos};
    spoken_next_is(r, "each");
    return spoken_operation(r, N_MULTIPLY, n, each);
}

/* "twice 12" */
static node *multiple(reading *r)
{
    unsigned factor;
    if (!multiple_word(tok_text(r->p.t, r->p.pos), &factor))
        return NULL;
    r->p.pos++;
    node *n = spoken_operand(r);
    return n ? spoken_operation(r, N_MULTIPLY, spoken_constant(r, factor), n) : NULL;
}

/* A claim may begin with a verb in the middle of a clause too: "we add 3 and 4 to get 7". */
bool spoken_is_verb(const tokens *t, size_t i)
{
    return t->at[i].word & WORD_VERB;
}

/* "doubling 17" */
static node *doubled(reading *r)
{
    return spoken_is_verb(r->p.t, r->p.pos) ? multiple(r) : NULL;
}

/* "3, 4 and 5" with the operation between them; their number into *n. */
static node *list(reading *r, node_is is, unsigned *n)
{
    node *all = spoken_operand(r);
    *n = 1;
    while (all && *n < MAX_LIST) {
        size_t before = r->p.pos;
        bool comma = parse_tok(&r->p, r->p.pos)->kind == TOK_COMMA;
        r->p.pos += comma;
        bool last = spoken_next_is(r, "and");
        node *next = comma || last ? spoken_operand(r) : NULL;
        if (!next) {
            r->p.pos = before;
            break;
        }
        all = spoken_operation(r, is, all, next);
        ++*n;
        if (last)
            return all;
    }
    return NULL; /* without "and" it is no list */
}

/* "the sum of 3 and 5", "the difference between 8 and 5" */
static node *named_operation(reading *r)
{
    static const char *const of[] = {"of", "between"}, *const sums[] = {"sum", "total"},
                             *const means[] = {"average", "mean"};
    unsigned n;
    spoken_next_is(r, "the");
    size_t name = r->p.pos++;
    if (!(parse_tok(&r->p, name)->word & WORD_OPERATION) ||
        !spoken_next_is_one_of(r, of, COUNT(of)))
        return NULL;
    rdv_str w = tok_text(r->p.t, name);
    if (rdv_is_one_of(w, sums, COUNT(sums)))
        return list(r, N_ADD, &n);
    if (rdv_str_ieq(w, RDV_STR("product")))
        return list(r, N_MULTIPLY, &n);
    if (rdv_str_ieq(w, RDV_STR("square")) || rdv_str_ieq(w, RDV_STR("cube"))) {
        node *base = spoken_operand(r);
        return spoken_operation(r, N_POWER, base,
                                spoken_constant(r, rdv_lower(w.p[0]) == 's' ? 2 : 3));
    }
    node *all = NULL;
    if (rdv_is_one_of(w, means, COUNT(means))) {
        all = list(r, N_ADD, &n);
        return all ? spoken_operation(r, N_DIVIDE, all, spoken_constant(r, n)) : NULL;
    }
    if (rdv_str_ieq(w, RDV_STR("difference"))) {
        all = list(r, N_SUBTRACT, &n);
        return n == 2 ? spoken_operation(r, N_ABS, all, NULL) : NULL;
    }
    if (rdv_str_ieq(w, RDV_STR("quotient")))
        all = list(r, N_DIVIDE, &n);
    return all && n == 2 ? all : NULL;
}

/* "gcd", "greatest common divisor", "least common multiple": the function, or CALL_NONE. */
static call_is common_name(reading *r)
{
    static const char *const gcds[] = {"gcd", "gcf", "hcf"},
                             *const greatest[] = {"greatest", "highest", "largest"},
                             *const least[] = {"least", "lowest", "smallest"},
                             *const divisors[] = {"divisor", "factor"};
    if (spoken_next_is_one_of(r, gcds, COUNT(gcds)))
        return CALL_GCD;
    if (spoken_next_is(r, "lcm"))
        return CALL_LCM;
    bool great = spoken_next_is_one_of(r, greatest, COUNT(greatest));
    if ((!great && !spoken_next_is_one_of(r, least, COUNT(least))) || !spoken_next_is(r, "common"))
        return CALL_NONE;
    if (great)
        return spoken_next_is_one_of(r, divisors, COUNT(divisors)) ? CALL_GCD : CALL_NONE;
    return spoken_next_is(r, "multiple") ? CALL_LCM : CALL_NONE;
}

/* "the greatest common divisor of 12 and 18" */
static node *common(reading *r)
{
    spoken_next_is(r, "the");
    call_is is = common_name(r);
    node *a = is != CALL_NONE && spoken_next_is(r, "of") ? spoken_operand(r) : NULL;
    node *b = a && spoken_next_is(r, "and") ? spoken_operand(r) : NULL;
    node *n = b ? spoken_operation(r, N_CALL, a, b) : NULL;
    if (n)
        n->value = is;
    return n;
}

/* "the square root of 49" */
static node *root(reading *r)
{
    spoken_next_is(r, "the");
    bool square = spoken_next_is(r, "square");
    if ((!square && !spoken_next_is(r, "cube")) || !spoken_next_is(r, "root") ||
        !spoken_next_is(r, "of"))
        return NULL;
    node *n = spoken_operand(r);
    return n ? spoken_operation(r, N_ROOT, n, square ? NULL : spoken_constant(r, 3)) : NULL;
}

static const struct {
    const char *verb[2];
    node_is is;
    const char *joint[2];
    bool turned; /* the second number comes first */
} verbs[] = {{{"add", "adding"}, N_ADD, {"and", "to"}, false},
             {{"subtract", "subtracting"}, N_SUBTRACT, {"from", "from"}, true},
             {{"multiply", "multiplying"}, N_MULTIPLY, {"by", "and"}, false},
             {{"divide", "dividing"}, N_DIVIDE, {"by", "by"}, false}};

/* "subtract 5 from 12", "adding 3 and 4", "divide 48 by 6" */
static node *done(reading *r)
{
    for (size_t i = 0; i < COUNT(verbs); i++) {
        if (!spoken_next_is_one_of(r, verbs[i].verb, 2))
            continue;
        node *a = spoken_operand(r);
        node *b = a && spoken_next_is_one_of(r, verbs[i].joint, 2) ? spoken_operand(r) : NULL;
        if (!b)
            return NULL;
        return verbs[i].turned ? spoken_operation(r, verbs[i].is, b, a)
                               : spoken_operation(r, verbs[i].is, a, b);
    }
    return NULL;
}

/* The number before how many times another goes into it: "50 7 times". */
static node *dividend(reading *r)
{
    size_t i = r->p.pos;
    if (parse_tok(&r->p, i)->kind != TOK_NUMBER || parse_tok(&r->p, i + 1)->kind != TOK_NUMBER)
        return spoken_operand(r);
    node *n = parse_node(&r->p, N_NUMBER, NULL, NULL);
    if (n) {
        n->begin = i;
        n->end = r->p.pos = i + 1;
    }
    return n;
}

/* "the power of 5", "the third power", "the 10th power" after "2 to" */
static node *exponent(reading *r)
{
    unsigned value;
    size_t i = r->p.pos + 1;
    if (!spoken_next_is(r, "the"))
        return NULL;
    if (spoken_next_is(r, "power"))
        return spoken_next_is(r, "of") ? spoken_operand(r) : NULL;
    node *n = NULL;
    if (parse_tok(&r->p, i)->kind == TOK_NUMBER) {
        n = parse_node(&r->p, N_NUMBER, NULL, NULL);
        if (n) {
            n->begin = i;
            n->end = i + 1;
        }
        r->p.pos += 2; /* "10th" */
    } else if (parse_tok(&r->p, i)->kind == TOK_WORD &&
               fraction_word(tok_text(r->p.t, i), &value)) {
        n = spoken_constant(r, value);
        r->p.pos++;
    }
    return spoken_next_is(r, "power") ? n : NULL;
}

/* "50 increased by 20%", "30 reduced by 20" after the first number; `sign`: the operation. */
static node *changed(reading *r, node *a, node_is sign)
{
    size_t i = r->p.pos;
    bool percent =
        parse_tok(&r->p, i)->kind == TOK_NUMBER &&
        (parse_tok(&r->p, i + 1)->kind == TOK_PERCENT || spoken_word_at(r, i + 1, "percent"));
    if (!percent)
        return spoken_operation(r, sign, a, spoken_operand(r));
    node *n = parse_node(&r->p, N_NUMBER, NULL, NULL);
    if (!n)
        return NULL;
    n->begin = i;
    n->end = i + 1;
    r->p.pos += 2;
    n = spoken_operation(r, N_DIVIDE, spoken_operation(r, N_MULTIPLY, a, n),
                         spoken_constant(r, 100));
    return spoken_operation(r, sign, a, n);
}

/* "12 more than 30", "12 less than 30", "5 squared", "three times four", "7 goes into 50" */
static node *after_number(reading *r)
{
    node *a = spoken_operand(r);
    if (!a)
        return NULL;
    if (spoken_next_is(r, "squared"))
        return spoken_operation(r, N_POWER, a, spoken_constant(r, 2));
    if (spoken_next_is(r, "cubed"))
        return spoken_operation(r, N_POWER, a, spoken_constant(r, 3));
    if (spoken_next_is_one_of(r, (const char *const[]){"goes", "go"}, 2)) {
        node *all = spoken_next_is(r, "into") ? dividend(r) : NULL;
        r->counts_times = true;
        return all ? parse_node(&r->p, N_FLOOR, spoken_operation(r, N_DIVIDE, all, a), NULL) : NULL;
    }
    if (spoken_next_is(r, "choose"))
        return spoken_operation(r, N_BINOMIAL, a, spoken_operand(r));
    if (spoken_next_is_one_of(r, (const char *const[]){"increased", "decreased", "reduced"}, 3)) {
        node_is sign = spoken_word_at(r, r->p.pos - 1, "increased") ? N_ADD : N_SUBTRACT;
        return spoken_next_is(r, "by") ? changed(r, a, sign) : NULL;
    }
    if (spoken_next_is(r, "added"))
        return spoken_next_is(r, "to") ? spoken_operation(r, N_ADD, a, spoken_operand(r)) : NULL;
    if (spoken_next_is(r, "out")) {
        r->share = true;
        return spoken_next_is(r, "of") ? spoken_operation(r, N_DIVIDE, a, spoken_operand(r)) : NULL;
    }
    bool raised = spoken_next_is(r, "raised");
    if (spoken_next_is(r, "to"))
        return spoken_operation(r, N_POWER, a, exponent(r));
    if (raised)
        return NULL;
    bool more = spoken_next_is(r, "more"),
         less = !more && (spoken_next_is(r, "less") || spoken_next_is(r, "fewer"));
    if (more || less) {
        node *b = spoken_next_is(r, "than") ? spoken_operand(r) : NULL;
        return b ? spoken_operation(r, more ? N_ADD : N_SUBTRACT, b, a) : NULL;
    }
    node_is is = spoken_next_is(r, "plus")    ? N_ADD
                 : spoken_next_is(r, "minus") ? N_SUBTRACT
                 : spoken_next_is(r, "times") ? N_MULTIPLY
                                              : N_NUMBER;
    if (is == N_NUMBER &&
        spoken_next_is_one_of(r, (const char *const[]){"divided", "multiplied"}, 2)) {
        is = spoken_word_at(r, r->p.pos - 1, "divided") ? N_DIVIDE : N_MULTIPLY;
        if (!spoken_next_is(r, "by"))
            return NULL;
    }
    node *b = is != N_NUMBER ? spoken_operand(r) : NULL;
    return b ? spoken_operation(r, is, a, b) : NULL;
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

const spoken_form spoken_forms[SPOKEN_FORMS] = {
    {done, .verb = true},
    {doubled, .verb = true},
    {named_operation, .word = true},
    {common, .word = true},
    {root, .word = true},
    {part},
    {multiple, .word = true},
    {groups},
    {dozens},
    {after_number},
    {in_signs, .signs = true},
};
