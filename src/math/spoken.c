/* SPDX-License-Identifier: Apache-2.0 */
#include "math/spoken.h"

#include "base/arena.h"
#include "base/str.h"
#include "math/beside.h"
#include "math/call.h"
#include "math/number_words.h"
#include "math/parser.h"
#include "math/phrase.h"
#include "math/words.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_NOUNS 2 /* words after a number that name what is counted */
#define MAX_LIST 16 /* numbers of a sum or an average */

/* Equal groups: the tokens of how many there are, how many are in one, and the first and the last
 * word for what these are; all zero: there are none. */
typedef struct group {
    size_t number, each, noun, end;
} group;

/* One claim while it is read. A function that reads something returns false and may leave `pos`
 * anywhere if it is not there; the caller keeps its own. */
typedef struct reading {
    parser p;          /* its `pos` is the next token, its `e` the left side */
    unit_meaning unit; /* of the noun after the numbers; all zero: it is no known unit */
    bool units_differ;
    bool counts_times; /* "7 goes into 50 7 times": the result is the number before "times" */
    bool share;        /* "18 out of 24": only a percentage or a fraction is its result */
    group of;          /* "12 boxes of 4 pens" */
} reading;

static bool word_at(const reading *r, size_t i, const char *word)
{
    return parse_word_is(&r->p, i, word);
}

static bool next_is(reading *r, const char *word)
{
    if (!word_at(r, r->p.pos, word))
        return false;
    r->p.pos++;
    return true;
}

static bool next_is_one_of(reading *r, const char *const *words, size_t n)
{
    const tokens *t = r->p.t;
    if (parse_tok(&r->p, r->p.pos)->kind != TOK_WORD ||
        !rdv_is_one_of(tok_text(t, r->p.pos), words, n))
        return false;
    r->p.pos++;
    return true;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static node *constant(reading *r, unsigned value)
{
    node *n = parse_node(&r->p, N_CONSTANT, NULL, NULL);
    if (n)
        n->value = value;
    return n;
}

static node *operation(reading *r, node_is is, node *a, node *b)
{
    node *n = a && (b || is == N_ABS || is == N_ROOT) ? parse_node(&r->p, is, a, b) : NULL;
    if (n)
        r->p.e->n_operators++;
    r->p.e->product |= is == N_MULTIPLY || is == N_DIVIDE;
    return n;
}

static bool is_noun(const reading *r, size_t i)
{
    if (parse_tok(&r->p, i)->kind != TOK_WORD)
        return false;
    static const char *const others[] = {
        "be",      "cannot",    "does",      "did",    "do",     "may",   "might", "must",
        "never",   "only",      "too",       "very",   "just",   "right", "wrong", "false",
        "true",    "correct",   "incorrect", "same",   "goes",   "go",    "about", "approximately",
        "roughly", "nearly",    "almost",    "around", "barely", "out",   "added", "leaves",
        "raised",  "increased", "decreased", "reduced"};
    rdv_str w = tok_text(r->p.t, i);
    return w.len > 1 && w.p[0] != '\\' && !tok_class(r->p.t, i) &&
           !(r->p.t->at[i].word & WORD_NUMBER) && !rdv_is_one_of(w, others, COUNT(others)) &&
           rdv_find_char(w, '\'', 0) == RDV_NOT_FOUND;
}

/* The value of the number word at token `i`; false: there is none. */
static bool number_at(const reading *r, size_t i, unsigned *value)
{
    return (parse_tok(&r->p, i)->word & WORD_NUMBER) && number_word(tok_text(r->p.t, i), value);
}

/* The value of the number in words at token `i`, "twelve", "fifty-four", "fifty four"; how many
 * tokens it has, 0: there is none. */
static size_t number_words(const reading *r, size_t i, unsigned *value)
{
    unsigned ones;
    if (!number_at(r, i, value))
        return 0;
    tok_kind sign = parse_tok(&r->p, i + 1)->kind;
    size_t hyphen = (sign == TOK_MINUS || sign == TOK_OPAQUE) &&
                    !parse_tok(&r->p, i + 1)->space_before &&
                    !parse_tok(&r->p, i + 2)->space_before;
    if (*value < 20 || !number_at(r, i + 1 + hyphen, &ones) || ones == 0 || ones > 9)
        return 1;
    *value += ones;
    return 2 + hyphen;
}

static bool is_money(const unit *u)
{
    return u->power[BASE_CENT] || u->power[BASE_EURO] || u->power[BASE_PENNY];
}

/* The words after the number `n`, which gets the unit of money among them: dollars and cents can be
 * calculated with. Numbers of other different units cannot. */
static node *nouns(reading *r, node *n)
{
    unit_meaning money = {0};
    n = n && n->is == N_NUMBER ? parse_sign_before(&r->p, n) : n;
    for (size_t k = 0; k < MAX_NOUNS && is_noun(r, r->p.pos); k++) {
        rdv_str w = tok_text(r->p.t, r->p.pos++);
        unit_meaning means;
        if (!unit_find_in_prose(w, &means))
            continue;
        if (is_money(means.unit)) {
            money = means;
            continue;
        }
        r->units_differ |= r->unit.unit && (r->unit.unit != means.unit || r->unit.ten != means.ten);
        r->unit = means;
    }
    if (parse_is_cent_sign(&r->p, r->p.pos)) {
        unit_find(RDV_STR("cent"), &money);
        r->p.pos++;
    }
    measure m[2] = {0};
    bool measured = n && money.unit && n->is != N_UNIT && measure_add(&m[0], money.unit, 0, 0, 1) &&
                    measure_add(&m[1], money.other, 0, 0, 1);
    return measured ? parse_with_unit(&r->p, n, m, false) : n;
}

/* "9/2", "\\frac{9}{2}": a quotient of two numbers. */
static node *fraction(reading *r, size_t i)
{
    expression e;
    int status = parse_expression(r->p.t, i, r->p.arena, &e);
    r->p.nomem |= status == RDV_E_NOMEM;
    if (status != RDV_OK || e.root->is != N_DIVIDE || e.root->a->is != N_NUMBER ||
        e.root->b->is != N_NUMBER || e.n_units || e.n_words ||
        (parse_tok(&r->p, i)->kind == TOK_NUMBER && parse_tok(&r->p, i + 1)->space_before))
        return NULL;
    r->p.pos = e.end;
    r->p.e->n_operators++;
    return nouns(r, e.root);
}

/* "48", "-48", "$48", "48 pens", "twelve pens", "9/2". No number that goes on as a percentage. */
static node *operand(reading *r)
{
    size_t i = r->p.pos;
    bool negative = parse_tok(&r->p, i)->kind == TOK_MINUS && i > 0 &&
                    parse_tok(&r->p, i - 1)->kind == TOK_WORD &&
                    !parse_tok(&r->p, i + 1)->space_before;
    i += negative;
    i += parse_tok(&r->p, i)->kind == TOK_CURRENCY;
    const token *t = parse_tok(&r->p, i);
    if (!negative && (t->kind == TOK_FRAC ||
                      (t->kind == TOK_NUMBER && parse_tok(&r->p, i + 1)->kind == TOK_DIVIDE)))
        return fraction(r, i);
    unsigned value;
    size_t word = number_words(r, i, &value), end = i + (word ? word : 1);
    if (!word && (t->kind != TOK_NUMBER || t->vulgar || t->ellipsis))
        return NULL;
    tok_kind next = parse_tok(&r->p, end)->kind;
    if (next == TOK_PERCENT || next == TOK_DIVIDE || next == TOK_POWER || next == TOK_BANG ||
        next == TOK_UNDERSCORE || next == TOK_NUMBER || next == TOK_OPAQUE || next == TOK_OPEN ||
        next == TOK_FRAC || next == TOK_SQRT || next == TOK_PI || next == TOK_TIMES)
        return NULL;
    if (next == TOK_WORD && !parse_tok(&r->p, end)->space_before)
        return NULL; /* "5x", "5cm" */
    unsigned second;
    if (word && number_at(r, end, &second))
        return NULL; /* "five twenty" */
    node *n = word ? constant(r, value) : parse_node(&r->p, N_NUMBER, NULL, NULL);
    if (!n)
        return NULL;
    n->begin = i;
    n->end = r->p.pos = end;
    if (next_is_one_of(r, (const char *const[]){"dozen", "dozens"}, 2))
        n = operation(r, N_MULTIPLY, n, constant(r, 12));
    n = n ? nouns(r, n) : NULL;
    return negative && n ? parse_node(&r->p, N_NEGATE, n, NULL) : n;
}

/* ---- operations ------------------------------------------------------------------------------ */

/* "half of 48", "a third of 60", "two thirds of 60" */
static node *part(reading *r)
{
    unsigned over = 1, under;
    bool article = word_at(r, r->p.pos, "a") || number_at(r, r->p.pos, &over);
    r->p.pos += article;
    if (parse_tok(&r->p, r->p.pos)->kind != TOK_WORD ||
        !fraction_word(tok_text(r->p.t, r->p.pos), &under) || over == 0)
        return NULL;
    r->p.pos++;
    if (!next_is(r, "of"))
        return NULL;
    node *n = operand(r);
    if (n && over > 1)
        n = operation(r, N_MULTIPLY, constant(r, over), n);
    return n ? operation(r, N_DIVIDE, n, constant(r, under)) : NULL;
}

/* "2 dozen" */
static node *dozens(reading *r)
{
    size_t i = r->p.pos;
    node *n = parse_tok(&r->p, i)->kind == TOK_NUMBER || number_words(r, i, &(unsigned){0})
                  ? operand(r)
                  : NULL;
    if (!n || n->is != N_MULTIPLY)
        return NULL;
    size_t noun = i + 1;
    while (!word_at(r, noun - 1, "dozen") && !word_at(r, noun - 1, "dozens"))
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
    if (!is_noun(r, i))
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
    if (before && (before->kind == TOK_COMMA || word_at(r, i - 1, "and") ||
                   r->p.t->text.p[before->begin] == ';'))
        return NULL; /* "2 rows of 5, 3 rows of 4 = 22" */
    if (parse_tok(&r->p, i)->kind != TOK_NUMBER || !is_groups(r, i + 1) ||
        !word_at(r, i + 2, "of") || parse_tok(&r->p, i + 3)->kind != TOK_NUMBER)
        return NULL;
    node *n = parse_node(&r->p, N_NUMBER, NULL, NULL);
    if (!n)
        return NULL;
    n->begin = i;
    n->end = i + 1;
    r->p.pos = i + 3;
    node *each = operand(r);
    r->of = (group){.number = i, .each = i + 3, .noun = i + 4, .end = r->p.pos};
    next_is(r, "each");
    return operation(r, N_MULTIPLY, n, each);
}

/* "twice 12" */
static node *multiple(reading *r)
{
    unsigned factor;
    if (!multiple_word(tok_text(r->p.t, r->p.pos), &factor))
        return NULL;
    r->p.pos++;
    node *n = operand(r);
    return n ? operation(r, N_MULTIPLY, constant(r, factor), n) : NULL;
}

/* A claim may begin with a verb in the middle of a clause too: "we add 3 and 4 to get 7". */
static bool is_verb(const tokens *t, size_t i)
{
    return t->at[i].word & WORD_VERB;
}

/* "doubling 17" */
static node *doubled(reading *r)
{
    return is_verb(r->p.t, r->p.pos) ? multiple(r) : NULL;
}

/* "3, 4 and 5" with the operation between them; their number into *n. */
static node *list(reading *r, node_is is, unsigned *n)
{
    node *all = operand(r);
    *n = 1;
    while (all && *n < MAX_LIST) {
        size_t before = r->p.pos;
        bool comma = parse_tok(&r->p, r->p.pos)->kind == TOK_COMMA;
        r->p.pos += comma;
        bool last = next_is(r, "and");
        node *next = comma || last ? operand(r) : NULL;
        if (!next) {
            r->p.pos = before;
            break;
        }
        all = operation(r, is, all, next);
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
    next_is(r, "the");
    size_t name = r->p.pos++;
    if (parse_tok(&r->p, name)->kind != TOK_WORD || !next_is_one_of(r, of, COUNT(of)))
        return NULL;
    rdv_str w = tok_text(r->p.t, name);
    if (rdv_is_one_of(w, sums, COUNT(sums)))
        return list(r, N_ADD, &n);
    if (rdv_str_ieq(w, RDV_STR("product")))
        return list(r, N_MULTIPLY, &n);
    if (rdv_str_ieq(w, RDV_STR("square")) || rdv_str_ieq(w, RDV_STR("cube"))) {
        node *base = operand(r);
        return operation(r, N_POWER, base, constant(r, rdv_lower(w.p[0]) == 's' ? 2 : 3));
    }
    node *all = NULL;
    if (rdv_is_one_of(w, means, COUNT(means))) {
        all = list(r, N_ADD, &n);
        return all ? operation(r, N_DIVIDE, all, constant(r, n)) : NULL;
    }
    if (rdv_str_ieq(w, RDV_STR("difference"))) {
        all = list(r, N_SUBTRACT, &n);
        return n == 2 ? operation(r, N_ABS, all, NULL) : NULL;
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
    if (next_is_one_of(r, gcds, COUNT(gcds)))
        return CALL_GCD;
    if (next_is(r, "lcm"))
        return CALL_LCM;
    bool great = next_is_one_of(r, greatest, COUNT(greatest));
    if ((!great && !next_is_one_of(r, least, COUNT(least))) || !next_is(r, "common"))
        return CALL_NONE;
    if (great)
        return next_is_one_of(r, divisors, COUNT(divisors)) ? CALL_GCD : CALL_NONE;
    return next_is(r, "multiple") ? CALL_LCM : CALL_NONE;
}

/* "the greatest common divisor of 12 and 18" */
static node *common(reading *r)
{
    next_is(r, "the");
    call_is is = common_name(r);
    node *a = is != CALL_NONE && next_is(r, "of") ? operand(r) : NULL;
    node *b = a && next_is(r, "and") ? operand(r) : NULL;
    node *n = b ? operation(r, N_CALL, a, b) : NULL;
    if (n)
        n->value = is;
    return n;
}

/* "the square root of 49" */
static node *root(reading *r)
{
    next_is(r, "the");
    bool square = next_is(r, "square");
    if ((!square && !next_is(r, "cube")) || !next_is(r, "root") || !next_is(r, "of"))
        return NULL;
    node *n = operand(r);
    return n ? operation(r, N_ROOT, n, square ? NULL : constant(r, 3)) : NULL;
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
        if (!next_is_one_of(r, verbs[i].verb, 2))
            continue;
        node *a = operand(r);
        node *b = a && next_is_one_of(r, verbs[i].joint, 2) ? operand(r) : NULL;
        if (!b)
            return NULL;
        return verbs[i].turned ? operation(r, verbs[i].is, b, a) : operation(r, verbs[i].is, a, b);
    }
    return NULL;
}

/* The number before how many times another goes into it: "50 7 times". */
static node *dividend(reading *r)
{
    size_t i = r->p.pos;
    if (parse_tok(&r->p, i)->kind != TOK_NUMBER || parse_tok(&r->p, i + 1)->kind != TOK_NUMBER)
        return operand(r);
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
    if (!next_is(r, "the"))
        return NULL;
    if (next_is(r, "power"))
        return next_is(r, "of") ? operand(r) : NULL;
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
        n = constant(r, value);
        r->p.pos++;
    }
    return next_is(r, "power") ? n : NULL;
}

/* "50 increased by 20%", "30 reduced by 20" after the first number; `sign`: the operation. */
static node *changed(reading *r, node *a, node_is sign)
{
    size_t i = r->p.pos;
    bool percent = parse_tok(&r->p, i)->kind == TOK_NUMBER &&
                   (parse_tok(&r->p, i + 1)->kind == TOK_PERCENT || word_at(r, i + 1, "percent"));
    if (!percent)
        return operation(r, sign, a, operand(r));
    node *n = parse_node(&r->p, N_NUMBER, NULL, NULL);
    if (!n)
        return NULL;
    n->begin = i;
    n->end = i + 1;
    r->p.pos += 2;
    n = operation(r, N_DIVIDE, operation(r, N_MULTIPLY, a, n), constant(r, 100));
    return operation(r, sign, a, n);
}

/* "12 more than 30", "12 less than 30", "5 squared", "three times four", "7 goes into 50" */
static node *after_number(reading *r)
{
    node *a = operand(r);
    if (!a)
        return NULL;
    if (next_is(r, "squared"))
        return operation(r, N_POWER, a, constant(r, 2));
    if (next_is(r, "cubed"))
        return operation(r, N_POWER, a, constant(r, 3));
    if (next_is_one_of(r, (const char *const[]){"goes", "go"}, 2)) {
        node *all = next_is(r, "into") ? dividend(r) : NULL;
        r->counts_times = true;
        return all ? parse_node(&r->p, N_FLOOR, operation(r, N_DIVIDE, all, a), NULL) : NULL;
    }
    if (next_is(r, "choose"))
        return operation(r, N_BINOMIAL, a, operand(r));
    if (next_is_one_of(r, (const char *const[]){"increased", "decreased", "reduced"}, 3)) {
        node_is sign = word_at(r, r->p.pos - 1, "increased") ? N_ADD : N_SUBTRACT;
        return next_is(r, "by") ? changed(r, a, sign) : NULL;
    }
    if (next_is(r, "added"))
        return next_is(r, "to") ? operation(r, N_ADD, a, operand(r)) : NULL;
    if (next_is(r, "out")) {
        r->share = true;
        return next_is(r, "of") ? operation(r, N_DIVIDE, a, operand(r)) : NULL;
    }
    bool raised = next_is(r, "raised");
    if (next_is(r, "to"))
        return operation(r, N_POWER, a, exponent(r));
    if (raised)
        return NULL;
    bool more = next_is(r, "more"), less = !more && (next_is(r, "less") || next_is(r, "fewer"));
    if (more || less) {
        node *b = next_is(r, "than") ? operand(r) : NULL;
        return b ? operation(r, more ? N_ADD : N_SUBTRACT, b, a) : NULL;
    }
    node_is is = next_is(r, "plus")    ? N_ADD
                 : next_is(r, "minus") ? N_SUBTRACT
                 : next_is(r, "times") ? N_MULTIPLY
                                       : N_NUMBER;
    if (is == N_NUMBER && next_is_one_of(r, (const char *const[]){"divided", "multiplied"}, 2)) {
        is = word_at(r, r->p.pos - 1, "divided") ? N_DIVIDE : N_MULTIPLY;
        if (!next_is(r, "by"))
            return NULL;
    }
    node *b = is != N_NUMBER ? operand(r) : NULL;
    return b ? operation(r, is, a, b) : NULL;
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

/* ---- the claim ------------------------------------------------------------------------------- */

/* Words that claim a result; after a verb ("subtract 5 from 12 to get 7") other ones than after a
 * value. */
static bool claims(reading *r, bool verb)
{
    static const char *const both[] = {"equals", "gives", "makes", "yields", "is"};
    static const char *const to[] = {"get", "give", "obtain", "find", "yield", "make", "have"};
    static const char *const who[] = {"we", "you", "one", "i", "he", "she", "they"};
    static const char *const got[] = {"get", "have", "obtain", "find"};
    static const char *const adverbs[] = {"therefore", "thus", "then", "exactly", "simply"};
    if (r->counts_times)
        return true;
    bool comma = verb && parse_tok(&r->p, r->p.pos)->kind == TOK_COMMA;
    r->p.pos += comma;
    if (next_is(r, "which") && !verb)
        return false;
    if (!comma && parse_tok(&r->p, r->p.pos)->kind == TOK_EQUAL) {
        r->p.pos++;
        return true;
    }
    if (next_is(r, "leaves"))
        return r->p.e->root->is == N_SUBTRACT;
    if (next_is_one_of(r, both, COUNT(both))) {
        if (!word_at(r, r->p.pos - 1, "is"))
            return true;
        if (next_is(r, "equal") || next_is(r, "equivalent"))
            return next_is(r, "to");
        if (word_at(r, r->p.pos + 1, "same") && next_is(r, "the"))
            return next_is(r, "same") && next_is(r, "as");
        next_is_one_of(r, adverbs, COUNT(adverbs));
        return true;
    }
    if (!verb)
        return false;
    if (next_is(r, "results"))
        return next_is(r, "in");
    if (next_is(r, "to") || next_is(r, "and"))
        return next_is_one_of(r, to, COUNT(to));
    return next_is(r, "giving") ||
           (next_is_one_of(r, who, COUNT(who)) && next_is_one_of(r, got, COUNT(got)));
}

/* Does the clause end here? */
static bool clause_ends(const reading *r)
{
    static const char *const joining[] = {"and",  "so",   "which",     "because", "since",
                                          "then", "but",  "therefore", "thus",    "hence",
                                          "in",   "left", "for",       "when",    "while"};
    size_t i = r->p.pos;
    switch (parse_tok(&r->p, i)->kind) {
    case TOK_END:
    case TOK_NEWLINE:
    case TOK_CLOSE:
        return true;
    case TOK_COMMA:
    case TOK_PUNCT:
        return !beside_takes_part_after(r->p.t, i) && r->p.t->text.p[r->p.t->at[i].begin] != '?' &&
               !beside_takes_part_after(r->p.t, i - 1);
    case TOK_WORD:
        return rdv_is_one_of(tok_text(r->p.t, i), joining, COUNT(joining)) &&
               parse_tok(&r->p, i + 1)->kind != TOK_NUMBER;
    default:
        return false;
    }
}

/* "the remainder when dividing 40 by 6" */
static bool is_condition(const tokens *t, size_t i)
{
    static const char *const words[] = {"when", "after", "of", "if", "from", "before", "than"};
    return i > 0 && t->at[i - 1].kind == TOK_WORD &&
           rdv_is_one_of(tok_text(t, i - 1), words, COUNT(words));
}

/* Does the "and" at token `i` join clauses, not the items of a list: "for 2, 1, and 5/3"? */
static bool joins_clauses(const tokens *t, size_t i, size_t last_end)
{
    if (i == last_end && last_end > 0)
        return true;
    if (i == 0 || (t->at[i - 1].kind != TOK_COMMA && t->at[i - 1].kind != TOK_PUNCT))
        return false;
    tok_kind item = i > 1 ? t->at[i - 2].kind : TOK_END;
    return (i - 1 == last_end && last_end > 0) || t->at[i - 1].kind == TOK_PUNCT ||
           (item != TOK_NUMBER && item != TOK_CLOSE);
}

/* May a claim begin at token `i`: at the beginning of a clause? */
static bool clause_begins(const tokens *t, size_t i, size_t last_end)
{
    static const char *const joining[] = {
        "so",  "then",  "that",    "thus", "hence",   "therefore", "now",  "as",
        "but", "since", "because", "know", "finally", "first",     "also", "next"};
    if (i == 0)
        return true;
    tok_kind k = t->at[i - 1].kind;
    if (k == TOK_WORD && rdv_str_ieq(tok_text(t, i - 1), RDV_STR("and")))
        return joins_clauses(t, i - 1, last_end);
    if (k == TOK_WORD)
        return rdv_is_one_of(tok_text(t, i - 1), joining, COUNT(joining));
    return k == TOK_NEWLINE || k == TOK_PUNCT || (k == TOK_COMMA && t->at[i].space_before) ||
           k == TOK_OPEN;
}

typedef node *(*form)(reading *);

/* The whole number at token `i`, which is below 10^9. */
static bool whole_at(const reading *r, size_t i, unsigned long *value)
{
    unsigned word;
    if (number_words(r, i, &word)) {
        *value = word;
        return true;
    }
    rdv_str w = tok_text(r->p.t, i);
    *value = 0;
    for (size_t k = 0; k < w.len; k++) {
        if (!rdv_is_digit(w.p[k]) && w.p[k] != ',')
            return false;
        *value = w.p[k] == ',' ? *value : *value * 10 + (unsigned long)(w.p[k] - '0');
    }
    return w.len > 0 && w.len < 10;
}

/* a^b; 0: over the limit. */
static unsigned long power_of(unsigned long a, unsigned long b)
{
    unsigned long all = 1;
    for (; b > 0 && all && all < UINT32_MAX; b--)
        all *= a;
    return b ? 0 : all;
}

/* Groups of things make as many things, unless the number says something else of them: how many
 * groups there are, how many are in one, or how often one can choose. */
static bool is_how_many(const reading *r, size_t result)
{
    unsigned long n, each, all;
    if (!whole_at(r, r->of.number, &n) || !whole_at(r, result, &all))
        return false;
    if (!r->of.each)
        return all != n;
    if (!whole_at(r, r->of.each, &each) || each == 0)
        return false;
    return all == n * each ||
           (all != n && all != each && all != n + each && all * each != n && all * n != each &&
            all != power_of(n, each) && all != power_of(each, n));
}

static bool speaks_of_money(rdv_str text)
{
    static phrase_list words = {"price*;cost*;pay*;paid;dollar*;cents;sell*;sold;"
                                "worth;earn*;charge*;baker*;point*"};
    return rdv_find_char(text, '$', 0) != RDV_NOT_FOUND || phrase_in(text, &words);
}

/* Are the things of the groups those of the result, whose number is at token `i` and whose words
 * end before `end`? */
static bool counts_the_same(const reading *r, size_t i, size_t end)
{
    if (parse_tok(&r->p, i)->kind == TOK_CURRENCY || speaks_of_money(r->p.t->text))
        return false;
    if (i + 1 == end || r->of.noun == r->of.end)
        return !r->unit.unit || r->of.noun < r->of.end;
    return rdv_str_ieq(tok_text(r->p.t, i + 1), tok_text(r->p.t, r->of.noun));
}

/* The percentage or fraction that says how much of a whole something is. */
static node *share_result(reading *r)
{
    size_t i = r->p.pos;
    if (parse_tok(&r->p, i)->kind == TOK_FRAC || parse_tok(&r->p, i + 1)->kind == TOK_DIVIDE)
        return fraction(r, i);
    expression e;
    int status = parse_expression(r->p.t, i, r->p.arena, &e);
    r->p.nomem |= status == RDV_E_NOMEM;
    if (status != RDV_OK || e.root->is != N_PERCENT || !expression_is_plain(&e))
        return NULL;
    *r->p.e = e;
    r->p.pos = e.end;
    return e.root;
}

/* The result that is claimed, at the end of a clause. */
static bool result(reading *r)
{
    size_t i = r->p.pos;
    node *n = r->share ? share_result(r) : operand(r);
    if (!n || n->is == N_MULTIPLY || /* "60 dozens" */
        (r->counts_times && !next_is_one_of(r, (const char *const[]){"times", "time"}, 2)))
        return false;
    if (r->of.end && (n->is == N_DIVIDE || !is_how_many(r, i) || !counts_the_same(r, i, r->p.pos)))
        return false;
    r->p.e->root = n;
    return !r->units_differ && clause_ends(r);
}

/* The claim at token `i` in one form, as two terms of `out`. */
static bool claim_in_form(reading *r, form read, bool verb, expression *out)
{
    size_t i = r->p.pos;
    out[0] = (expression){.begin = i};
    r->p.e = &out[0];
    out[0].root = read(r);
    out[0].begin = i;
    out[0].end = r->p.pos;
    if (!out[0].root || !claims(r, verb))
        return false;
    bool sign = r->p.at[r->p.pos - 1].kind != TOK_WORD;
    if ((read == in_signs && sign) || (r->of.end && word_at(r, r->p.pos - 1, "gives")))
        return false; /* the usual reader has equations of signs; so many boxes give points */
    out[1] = (expression){.begin = r->p.pos};
    r->p.e = &out[1];
    bool ends = result(r);
    out[1].end = r->p.pos - r->counts_times;
    return ends;
}

/* "12 is 20% of 60", "48 = 12 boxes of 4": the result stands first. */
static bool turned_claim(reading *r, form read, expression *out)
{
    size_t i = r->p.pos;
    out[0] = (expression){.begin = i};
    r->p.e = &out[0];
    out[0].root = operand(r);
    out[0].end = r->p.pos;
    if (!out[0].root || !expression_is_plain(&out[0]) || !claims(r, false) ||
        (read == in_signs && (r->unit.unit || r->p.at[r->p.pos - 1].kind != TOK_WORD)))
        return false;
    size_t begin = r->p.pos;
    out[1] = (expression){.begin = begin};
    r->p.e = &out[1];
    out[1].root = read(r);
    out[1].begin = begin;
    out[1].end = r->p.pos;
    if (!out[1].root || r->share || r->counts_times || r->units_differ || !clause_ends(r))
        return false;
    return !r->of.end || (is_how_many(r, i) && counts_the_same(r, i, out[0].end));
}

/* The claim at token `i` as two terms of `out`; RDV_NONE: there is none. *turned: its result stands
 * first. */
static int claim_at(const tokens *t, size_t i, bool begins, rdv_arena *arena, expression *out,
                    bool *turned)
{
    static const struct {
        form read;
        bool verb; /* its first word says that a clause begins */
    } forms[] = {{done, true},    {doubled, true},       {named_operation, false}, {common, false},
                 {root, false},   {part, false},         {multiple, false},        {groups, false},
                 {dozens, false}, {after_number, false}, {in_signs, false}};
    bool number = t->at[i].kind != TOK_WORD || (t->at[i].word & WORD_NUMBER);
    for (size_t k = 0; k < 2 * COUNT(forms); k++) {
        bool verb = forms[k % COUNT(forms)].verb;
        form read = forms[k % COUNT(forms)].read;
        *turned = k >= COUNT(forms);
        if ((!begins && (!verb || is_condition(t, i))) || (*turned && (!number || verb)))
            continue;
        reading r = {.p = {.t = t, .at = t->at, .pos = i, .arena = arena}};
        bool found = *turned ? turned_claim(&r, read, out) : claim_in_form(&r, read, verb, out);
        if (r.p.nomem)
            return RDV_E_NOMEM;
        if (found)
            return RDV_OK;
    }
    return RDV_NONE;
}

/* Has it only numbers? */
static bool is_plain(const equality *e)
{
    bool plain = true;
    for (size_t i = 0; i < e->n; i++)
        plain = plain && expression_is_plain(&e->term[i]);
    return plain;
}

/* Of the equalities before index `n` and those in words from `n` on, both in order, keep each that
 * does not lie within another. One that begins at the same place was read as a whole before, unless
 * it has only numbers: "48 = 12" of "48 = 12 boxes of 4". */
static void merge(equalities *all, size_t n)
{
    size_t kept = 0, spoken = n, total = all->n;
    for (size_t i = 0; i < n; i++) {
        const equality *e = &all->at[i];
        size_t begin = e->term[0].begin, end = e->term[e->n - 1].end;
        while (spoken < total && all->at[spoken].term[1].end < end)
            spoken++;
        bool beside = spoken == total || begin < all->at[spoken].term[0].begin;
        bool whole = !beside && begin == all->at[spoken].term[0].begin && !is_plain(e);
        if (whole)
            all->at[spoken].n = 0;
        if (beside || whole)
            all->at[kept++] = *e;
    }
    for (size_t i = n; i < total; i++)
        if (all->at[i].n)
            all->at[kept++] = all->at[i];
    all->n = kept;
}

/* May a claim begin with the token? Most words are passed over at a glance. */
static bool starts(const tokens *t, size_t i)
{
    tok_kind k = t->at[i].kind;
    if (k != TOK_WORD)
        return k == TOK_NUMBER || k == TOK_CURRENCY || k == TOK_OPEN || k == TOK_FRAC;
    rdv_str w = tok_text(t, i);
    unsigned class = tok_class(t, i);
    if (rdv_str_eq(w, RDV_STR("A"))) /* else the name of a value */
        return i + 2 < t->n && (t->at[i + 1].word & WORD_FRACTION);
    if (class)
        return (class & (WORD_BINDS_AFTER | WORD_PART)) || rdv_str_ieq(w, RDV_STR("the")) ||
               rdv_str_ieq(w, RDV_STR("a")) || rdv_str_ieq(w, RDV_STR("total"));
    return t->at[i].word & (WORD_NUMBER | WORD_MULTIPLE);
}

/* "7 goes into 50 7 times": the second 7. */
static bool is_count_of_times(const tokens *t, size_t i)
{
    return (tok_is_word(t, i + 1, "times") || tok_is_word(t, i + 1, "time")) && i > 2 &&
           (tok_is_word(t, i - 2, "into") || tok_is_word(t, i - 3, "into"));
}

/* May a claimed number stand at token `i`: after a word that claims it, or a sign where words say
 * what is calculated? */
static bool may_be_claimed(const tokens *t, size_t i, bool operations)
{
    tok_kind k = t->at[i].kind;
    if (k != TOK_NUMBER && k != TOK_CURRENCY && k != TOK_FRAC && !(t->at[i].word & WORD_NUMBER))
        return false;
    const token *word = &t->at[i - 1];
    tok_kind after = t->at[i + 1].kind;
    if (k == TOK_NUMBER && (after == TOK_PLUS || after == TOK_MINUS || after == TOK_TIMES ||
                            after == TOK_EQUAL)) /* it goes on */
        return false;
    bool negative = word->kind == TOK_MINUS && i > 1;
    word -= negative;
    return (word->word & WORD_RESULT) || (operations && word->kind == TOK_EQUAL) ||
           (after == TOK_WORD && is_count_of_times(t, i));
}

/* The last token at which a claimed number stands that ends its clause; 0: there is none. Most
 * texts have none, and then no claim is looked for. */
static size_t last_claimed(const tokens *t, rdv_arena *arena, bool *nomem)
{
    bool operations = t->words & WORD_OPERATION;
    if (!(t->words & WORD_RESULT) && !(operations && tok_holds(t, TOK_EQUAL)))
        return 0;
    for (size_t i = t->n - 1; i > 0; i--) {
        if (!may_be_claimed(t, i, operations))
            continue;
        rdv_mark mark = rdv_arena_mark(arena);
        expression e = {.begin = i};
        reading r = {.p = {.t = t, .at = t->at, .pos = i, .arena = arena, .e = &e}};
        bool ends = operand(&r) != NULL;
        r.p.pos += ends && is_count_of_times(t, i);
        ends = ends && clause_ends(&r);
        *nomem |= r.p.nomem;
        rdv_arena_rewind(arena, mark);
        if (ends)
            return i;
    }
    return 0;
}

/* The last token with a word between two numbers that relates them, as in "12 is 20% of 50", "48 =
 * 12 boxes of 4"; 0: there is none. */
static size_t last_related(const tokens *t)
{
    static const char *const words[] = {"of", "than", "times", "twice", "and", "by"};
    if (!(t->words & WORD_RESULT) && !tok_holds(t, TOK_EQUAL))
        return 0;
    for (size_t i = t->n - 1; i > 0; i--) {
        tok_kind k = t->at[i + 1].kind;
        bool number = k == TOK_NUMBER || k == TOK_CURRENCY || (t->at[i + 1].word & WORD_NUMBER);
        if (t->at[i].kind == TOK_WORD &&
            ((number && tok_is_one_of(t, i, words, COUNT(words))) || tok_is_word(t, i, "dozen")))
            return i;
    }
    return 0;
}

int spoken_find(const tokens *t, rdv_arena *arena, equalities *out)
{
    bool nomem = false;
    size_t n = out->n, last_end = 0, last = last_claimed(t, arena, &nomem);
    size_t related = nomem ? 0 : last_related(t);
    if (nomem)
        return RDV_E_NOMEM;
    last = related > last ? related : last;
    for (size_t i = 0; i < last;) {
        bool begins =
            starts(t, i) && clause_begins(t, i, last_end) && !beside_takes_part_before(t, i);
        if (!begins && !is_verb(t, i)) {
            i++;
            continue;
        }
        rdv_mark mark = rdv_arena_mark(arena);
        expression sides[2];
        bool turned;
        int r = claim_at(t, i, begins, arena, sides, &turned);
        bool after_word =
            i > 0 && t->at[i - 1].kind == TOK_WORD && (!turned || tok_is_word(t, i - 1, "that"));
        if (r == RDV_OK)
            r = equalities_append(arena, sides, after_word, out);
        else if (r == RDV_NONE)
            rdv_arena_rewind(arena, mark);
        if (r < 0)
            return r;
        i = r == RDV_OK ? sides[1].end : i + 1;
        last_end = r == RDV_OK ? i : last_end;
    }
    if (out->n > n)
        merge(out, n);
    return RDV_OK;
}

/* The end of the last number that is written as a word; 0: there is none. */
static size_t last_number_word(rdv_str s)
{
    size_t end = s.len;
    while (end > 0) {
        size_t begin = end;
        while (begin > 0 && rdv_is_alpha(s.p[begin - 1]))
            begin--;
        if (word_find(rdv_slice(s, begin, end)) & WORD_NUMBER)
            return end;
        end = begin < end ? begin : end - 1;
    }
    return 0;
}

/* "3 rows of 5", "18 out of 24" */
static bool of_a_number(rdv_str text)
{
    for (size_t i = 0; (i = rdv_find(text, RDV_STR(" of "), i)) != RDV_NOT_FOUND; i += 4)
        if (i + 4 < text.len && rdv_is_digit(text.p[i + 4]))
            return true;
    return false;
}

bool spoken_may_be_in(rdv_str text)
{
    static phrase_list results = {
        "is;=;into;get*;have;*equal*;*give*;*make*;*yield*;*giving*;*result*;*obtain*;"
        "*find*;leaves"};
    static phrase_list operations = {
        "*plus*;*minus*;*times*;*divid*;*multipl*;*% of*;*half*;*third*;*quarter*;*fourth*;"
        "*fifth*;*sixth*;*seventh*;*eighth*;*common*;gcd;gcf;hcf;lcm;*ninth*;*tenth*;"
        "*twice*;*double*;*triple*;*sum of*;*product*;*differ*;*quotient*;*average*;*mean*;"
        "*square*;*cube*;than;*subtract*;*add*;*increas*;*decreas*;*reduc*;*power*;"
        "*choose*;*dozen*;*total of*;*doubling*; + ; - ; * ; / ; x ;\xc3\x97;\xc3\xb7;"
        "\\times;which is;which equals;which gives;which makes;which totals"};
    if (!phrase_in(text, &results))
        return false;
    size_t last = text.len;
    while (last > 0 && !rdv_is_digit(text.p[last - 1]))
        last--;
    last += last_number_word(rdv_slice(text, last, text.len));
    return last && phrase_in(rdv_slice(text, 0, last), &results) &&
           (phrase_in(text, &operations) || of_a_number(text));
}
