/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of claims in words that have a name: "the sum of 3 and 5", "the square root of 49". */
#include "claims/verbal_reading.h"

#include "base/str.h"
#include "expression/call.h"
#include "language/number_words.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_LIST 16 /* numbers of a sum or an average */

/* A number of a list, raised to a power where the list is one of powers. */
static node *item(reading *r, unsigned power)
{
    r->in_list = true;
    node *n = verbal_operand(r);
    r->in_list = false;
    return power > 1 ? verbal_operation(r, N_POWER, n, verbal_constant(r, power)) : n;
}

/* "3, 4 and 5", "the squares of 3 and 4" with the operation between them; their number into *n. */
static node *list(reading *r, node_is is, unsigned *n)
{
    unsigned power = 1;
    size_t words = verbal_word_at(r, r->p.pos, "the");
    if (verbal_word_at(r, r->p.pos + words + 1, "of")) {
        power = verbal_word_at(r, r->p.pos + words, "squares") ? 2
                : verbal_word_at(r, r->p.pos + words, "cubes") ? 3
                                                               : 1;
        r->p.pos += power > 1 ? words + 2 : 0;
    }
    node *all = item(r, power);
    *n = 1;
    while (all && *n < MAX_LIST) {
        size_t before = r->p.pos;
        bool comma = parse_tok(&r->p, r->p.pos)->kind == TOK_COMMA;
        r->p.pos += comma;
        bool last = verbal_next_is(r, "and");
        node *next = comma || last ? item(r, power) : NULL;
        if (!next) {
            r->p.pos = before;
            break;
        }
        all = verbal_operation(r, is, all, next);
        ++*n;
        if (last)
            return all;
    }
    return NULL; /* without "and" it is no list */
}

/* "the first 10 positive integers" after "the sum of"; some begin with zero. */
static node *first_numbers(reading *r)
{
    static const char *const from_one[] = {"positive", "natural", "counting"},
                             *const parities[] = {"odd", "even"},
                             *const names[] = {"integers", "numbers"};
    verbal_next_is(r, "the");
    size_t i = r->p.pos + 1;
    if (!verbal_next_is(r, "first") || parse_tok(&r->p, i)->kind != TOK_NUMBER)
        return NULL;
    r->p.pos++;
    bool begins = verbal_next_is_one_of(r, from_one, COUNT(from_one));
    bool parity = verbal_next_is_one_of(r, parities, COUNT(parities));
    bool odd = parity && verbal_word_at(r, r->p.pos - 1, "odd");
    if ((!begins && !parity) || !verbal_next_is_one_of(r, names, COUNT(names)))
        return NULL;
    node *n = verbal_number(r, i), *two = verbal_constant(r, 2);
    node *square = verbal_operation(r, N_MULTIPLY, n, n);
    node *sum = verbal_operation(r, N_ADD, square, n),
         *less = verbal_operation(r, N_SUBTRACT, square, n);
    if (odd)
        return square;
    r->other = parity ? less : verbal_operation(r, N_DIVIDE, less, two);
    return parity ? sum : verbal_operation(r, N_DIVIDE, sum, two);
}

/* "12 to 8" after "the ratio of"; some say it the other way round. */
static node *ratio(reading *r)
{
    node *a = verbal_operand(r), *b = a && verbal_next_is(r, "to") ? verbal_operand(r) : NULL;
    if (!b)
        return NULL;
    r->other = verbal_operation(r, N_DIVIDE, b, a);
    r->exactly = true;
    return verbal_operation(r, N_DIVIDE, a, b);
}

/* "the reciprocal of 4", "the negative of 12", "the absolute value of -7", "the factorial of 5". An
 * inverse may be one of a ring, and an opposite the other side of a die. */
node *verbal_function(reading *r)
{
    static const char *const names[] = {"reciprocal", "factorial", "negative", "absolute"};
    verbal_next_is(r, "the");
    size_t name = r->p.pos;
    if (!verbal_next_is_one_of(r, names, COUNT(names)) ||
        (verbal_word_at(r, name, "absolute") && !verbal_next_is(r, "value")) ||
        !verbal_next_is(r, "of"))
        return NULL;
    node *n = verbal_value(r);
    if (verbal_word_at(r, name, "reciprocal"))
        return verbal_operation(r, N_DIVIDE, verbal_constant(r, 1), n);
    node_is is = verbal_word_at(r, name, "factorial")  ? N_FACTORIAL
                 : verbal_word_at(r, name, "absolute") ? N_ABS
                                                       : N_NEGATE;
    return verbal_operation(r, is, n, NULL);
}

/* "the sum of 3 and 5", "the difference between 8 and 5" */
node *verbal_named(reading *r)
{
    static const char *const of[] = {"of", "between"}, *const sums[] = {"sum", "total"},
                             *const means[] = {"average", "mean"};
    unsigned n;
    verbal_next_is(r, "the");
    size_t name = r->p.pos++;
    if (parse_tok(&r->p, name)->kind != TOK_WORD || !verbal_next_is_one_of(r, of, COUNT(of)))
        return NULL;
    rdv_str w = tok_text(r->p.t, name);
    if (rdv_is_one_of(w, sums, COUNT(sums))) {
        size_t begin = r->p.pos;
        node *first = first_numbers(r);
        r->p.pos = first ? r->p.pos : begin;
        return first ? first : list(r, N_ADD, &n);
    }
    if (rdv_str_ieq(w, RDV_STR("product")))
        return list(r, N_MULTIPLY, &n);
    if (rdv_str_ieq(w, RDV_STR("square")) || rdv_str_ieq(w, RDV_STR("cube"))) {
        node *base = verbal_value(r);
        return verbal_operation(r, N_POWER, base,
                                verbal_constant(r, rdv_lower(w.p[0]) == 's' ? 2 : 3));
    }
    if (rdv_str_ieq(w, RDV_STR("ratio")))
        return ratio(r);
    node *all = NULL;
    if (rdv_is_one_of(w, means, COUNT(means))) {
        all = list(r, N_ADD, &n);
        return all ? verbal_operation(r, N_DIVIDE, all, verbal_constant(r, n)) : NULL;
    }
    if (rdv_str_ieq(w, RDV_STR("difference"))) {
        all = list(r, N_SUBTRACT, &n);
        return n == 2 ? verbal_operation(r, N_ABS, all, NULL) : NULL;
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
    if (verbal_next_is_one_of(r, gcds, COUNT(gcds)))
        return CALL_GCD;
    if (verbal_next_is(r, "lcm"))
        return CALL_LCM;
    bool great = verbal_next_is_one_of(r, greatest, COUNT(greatest));
    if ((!great && !verbal_next_is_one_of(r, least, COUNT(least))) || !verbal_next_is(r, "common"))
        return CALL_NONE;
    if (great)
        return verbal_next_is_one_of(r, divisors, COUNT(divisors)) ? CALL_GCD : CALL_NONE;
    return verbal_next_is(r, "multiple") ? CALL_LCM : CALL_NONE;
}

/* "the greatest common divisor of 12 and 18" */
node *verbal_common(reading *r)
{
    verbal_next_is(r, "the");
    call_is is = common_name(r);
    node *a = is != CALL_NONE && verbal_next_is(r, "of") ? verbal_operand(r) : NULL;
    node *b = a && verbal_next_is(r, "and") ? verbal_operand(r) : NULL;
    node *n = b ? verbal_operation(r, N_CALL, a, b) : NULL;
    if (n)
        n->value = is;
    return n;
}

/* "10" of "10th"; 0: it is none. */
static unsigned ordinal_in_digits(rdv_str s)
{
    static const char *const ends[] = {"th", "rd", "nd", "st"};
    unsigned value = 0;
    size_t i = 0;
    for (; i < s.len && i < 4 && rdv_is_digit(s.p[i]); i++)
        value = value * 10 + (unsigned)(s.p[i] - '0');
    return rdv_is_one_of(rdv_slice(s, i, s.len), ends, COUNT(ends)) ? value : 0;
}

/* "third", "10th" */
node *verbal_ordinal(reading *r)
{
    size_t i = r->p.pos;
    unsigned value = 0;
    if (parse_tok(&r->p, i)->kind == TOK_OPAQUE)
        value = ordinal_in_digits(tok_text(r->p.t, i));
    if (value) {
        r->p.pos++;
        return verbal_constant(r, value);
    }
    if (!(parse_tok(&r->p, i)->word & WORD_FRACTION) ||
        !fraction_word(tok_text(r->p.t, i), &value) || value == 2)
        return NULL;
    r->p.pos++;
    return verbal_constant(r, value);
}

/* "the square root of 49", "the fourth root of 81", "the 10th power of 2" */
node *verbal_root(reading *r)
{
    verbal_next_is(r, "the");
    bool square = verbal_next_is(r, "square"), cube = !square && verbal_next_is(r, "cube");
    node *index = cube ? verbal_constant(r, 3) : square ? NULL : verbal_ordinal(r);
    bool power = !square && !cube && verbal_next_is(r, "power");
    if ((!square && !index) || (!power && !verbal_next_is(r, "root")) || !verbal_next_is(r, "of"))
        return NULL;
    node *n = verbal_value(r);
    return n ? verbal_operation(r, power ? N_POWER : N_ROOT, n, index) : NULL;
}
