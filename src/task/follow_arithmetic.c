/* SPDX-License-Identifier: Apache-2.0 */
/* `arithmetic`: an expression whose parts are named by letters and worked out one after another.
 *
 * Every equality is decided exactly, link by link, as the method `calculations` does. Beyond that:
 * the formula with its parts put in must be the question's expression, a part must be worked out
 * from what it stands for, the final formula must be the question's too, and so must the answer. */
#include "base/buf.h"
#include "task/follow.h"

#include <rederive/math.h>

#define LETTERS 26
#define MAX_PUT_IN 8192 /* bytes of an expression with its letters put in */
#define MAX_ROUNDS 8    /* letters that stand for letters */

typedef struct arithmetic {
    rdv_str expression;          /* the question's */
    rdv_str question;            /* the key of its value */
    rdv_str stands_for[LETTERS]; /* p == NULL: not named yet */
    rdv_calculator *calculator;
} arithmetic;

/* ---- expressions ----------------------------------------------------------------------------- */

static bool in_expression(char c)
{
    return rdv_is_digit(c) || rdv_is_space(c) || (c && strchr("()+-*/.", c));
}

/* A letter that stands by itself. */
static bool is_letter(rdv_str s, size_t i)
{
    return s.p[i] >= 'A' && s.p[i] <= 'Z' && (i == 0 || !rdv_is_alnum(s.p[i - 1])) &&
           (i + 1 == s.len || !rdv_is_alnum(s.p[i + 1]));
}

static bool has_letter(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (is_letter(s, i))
            return true;
    return false;
}

static bool is_expression(rdv_str s)
{
    bool any = false;
    for (size_t i = 0; i < s.len; i++) {
        if (!in_expression(s.p[i]) && !is_letter(s, i))
            return false;
        any |= !rdv_is_space(s.p[i]);
    }
    return any;
}

/* The expression with one round of letters put in; p == NULL: too long, or a letter without a
 * meaning. */
static rdv_str put_in_once(const arithmetic *a, rdv_str text, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, MAX_PUT_IN);
    for (size_t i = 0; i < text.len; i++) {
        if (!is_letter(text, i)) {
            rdv_buf_add_char(&b, text.p[i]);
            continue;
        }
        rdv_str part = a->stands_for[text.p[i] - 'A'];
        if (!part.p)
            return (rdv_str){0};
        rdv_buf_add_char(&b, '(');
        rdv_buf_add(&b, part);
        rdv_buf_add_char(&b, ')');
    }
    return rdv_buf_str(&b);
}

/* The same until no letter is left. */
static rdv_str put_in(follow *f, const arithmetic *a, rdv_str text)
{
    for (size_t i = 0; i < MAX_ROUNDS && text.p && has_letter(text); i++)
        text = put_in_once(a, text, f->arena);
    return text;
}

/* The key of an expression's value; p == NULL: it has none that can be told. */
static rdv_str value_key(follow *f, const arithmetic *a, rdv_str text)
{
    rdv_str key = {0};
    text = put_in(f, a, text);
    if (!text.p || has_letter(text) || !is_expression(text))
        return key;
    if (rdv_math_key(text, f->arena, &key, NULL) == RDV_E_NOMEM)
        f->failed = true;
    return key;
}

/* ---- the question ---------------------------------------------------------------------------- */

static void close_arithmetic(follow *f)
{
    arithmetic *a = f->state;
    rdv_calculator_free(&a->calculator);
}

static int open_arithmetic(follow *f)
{
    rdv_str text = rdv_trim(follow_question(&f->chain->question));
    size_t at = rdv_find_last(text, RDV_STR(":"));
    text = rdv_trim(rdv_slice(text, at == RDV_NOT_FOUND ? 0 : at + 1, text.len));
    while (text.len && (text.p[text.len - 1] == '=' || text.p[text.len - 1] == '?'))
        text = rdv_trim_end(rdv_slice(text, 0, text.len - 1));
    arithmetic *a = RDV_NEW(f->arena, arithmetic);
    if (!a)
        return RDV_E_NOMEM;
    f->state = a;
    if (!is_expression(text) || has_letter(text))
        return RDV_NONE;
    a->expression = text;
    a->question = value_key(f, a, text);
    a->calculator = rdv_calculator_new(f->arena, f->chain->question.text);
    if (!a->calculator || f->failed)
        return RDV_E_NOMEM;
    return a->question.p ? RDV_OK : RDV_NONE;
}

/* ---- naming parts ---------------------------------------------------------------------------- */

/* Where "A = ..." ends: before the next comma, " and ", or a stop. */
static size_t end_of_part(rdv_str text, size_t at)
{
    while (at < text.len && text.p[at] != ',' && text.p[at] != '=' && text.p[at] != '"' &&
           (!rdv_is_alpha(text.p[at]) || is_letter(text, at)))
        at++;
    return at;
}

static rdv_str without_stop(rdv_str s)
{
    s = rdv_trim(s);
    while (s.len && s.p[s.len - 1] == '.')
        s = rdv_trim_end(rdv_slice(s, 0, s.len - 1));
    return s;
}

/* "A = (...) and B = (...)" */
static void name_parts(follow *f, arithmetic *a, rdv_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!is_letter(text, i))
            continue;
        size_t at = i + 1;
        while (at < text.len && rdv_is_space(text.p[at]))
            at++;
        if (at == text.len || text.p[at] != '=')
            continue;
        size_t end = end_of_part(text, at + 1);
        a->stands_for[text.p[i] - 'A'] = without_stop(rdv_slice(text, at + 1, end));
        follow_read(f, rdv_slice(text, i, end));
        i = end - 1;
    }
}

/* ---- copies ---------------------------------------------------------------------------------- */

#define MAX_NUMBERS 256

/* The numbers in an expression, without their signs, in order of size. */
static size_t numbers_in(rdv_str s, unsigned *out)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len && n < MAX_NUMBERS; i++) {
        unsigned x = 0;
        size_t begin = i;
        for (; i < s.len && rdv_is_digit(s.p[i]); i++)
            x = x * 10 + (unsigned)(s.p[i] - '0'); /* compared only: may wrap */
        if (i == begin)
            continue;
        size_t k = n++;
        for (; k && out[k - 1] > x; k--)
            out[k] = out[k - 1];
        out[k] = x;
    }
    return n;
}

/* As many numbers in both, but not the same ones: one was copied wrongly, though the value may have
 * come out right. */
static bool miscopied(rdv_str from, rdv_str copy)
{
    unsigned a[MAX_NUMBERS], b[MAX_NUMBERS];
    size_t n = numbers_in(from, a);
    return n == numbers_in(copy, b) && memcmp(a, b, n * sizeof *a) != 0;
}

static void judge_formula(follow *f, const arithmetic *a, rdv_str formula, const char *what)
{
    rdv_str key = value_key(f, a, formula);
    if (!key.p)
        follow_unread(f, "%s could not be put together", what);
    else if (rdv_str_eq(key, a->question) && miscopied(a->expression, put_in(f, a, formula)))
        follow_wrong(f, "%s with its parts put in has other numbers than the question", what);
    else if (rdv_str_eq(key, a->question))
        follow_right(f);
    else
        follow_wrong(f, "%s with its parts put in is %.*s; the question's expression is %.*s", what,
                     RDV_FMT(key), RDV_FMT(a->question));
}

/* "This equation can be written as "A - B", where A = ... and B = ...". False: it is none. */
static bool read_formula(follow *f, arithmetic *a, rdv_str text)
{
    size_t where = rdv_ifind(text, RDV_STR("where"), 0), open = rdv_find_char(text, '"', 0);
    size_t close = open == RDV_NOT_FOUND ? open : rdv_find_char(text, '"', open + 1);
    if (where == RDV_NOT_FOUND || close == RDV_NOT_FOUND || close > where)
        return false;
    rdv_str formula = rdv_slice(text, open + 1, close);
    while (formula.len && (formula.p[formula.len - 1] == ',' || formula.p[formula.len - 1] == '='))
        formula = rdv_trim_end(rdv_slice(formula, 0, formula.len - 1));
    follow_read(f, rdv_slice(text, open, close));
    name_parts(f, a, rdv_slice(text, where + 5, text.len));
    judge_formula(f, a, formula, "the formula");
    return true;
}

/* ---- working out ----------------------------------------------------------------------------- */

/* The expression that ends at `end`, of what can stand in one. */
static rdv_str expression_before(rdv_str text, size_t end)
{
    size_t begin = end;
    while (begin && (in_expression(text.p[begin - 1]) || is_letter(text, begin - 1)) &&
           text.p[begin - 1] != '.')
        begin--;
    return rdv_trim(rdv_slice(text, begin, end));
}

/* What a step's first equality works out: a part, from what it stands for, or the formula. */
static void judge_beginning(follow *f, arithmetic *a, rdv_str text, bool last)
{
    size_t sign = rdv_find_char(text, '=', 0);
    if (sign == RDV_NOT_FOUND)
        return;
    rdv_str left = expression_before(text, sign);
    if (!has_letter(left))
        return;
    if (left.len > 1 && last) {
        judge_formula(f, a, left, "the final formula");
        return;
    }
    rdv_str right = without_stop(rdv_slice(text, sign + 1, end_of_part(text, sign + 1)));
    if (left.len != 1 || !is_expression(right))
        return;
    rdv_str *part = &a->stands_for[left.p[0] - 'A'];
    rdv_str key = value_key(f, a, right), named = part->p ? value_key(f, a, *part) : key;
    if (!part->p)
        *part = right;
    else if (key.p && named.p && miscopied(*part, right))
        follow_wrong(f, "%.*s stands for an expression with other numbers", RDV_FMT(left));
    else if (key.p && named.p && !rdv_str_eq(key, named))
        follow_wrong(f, "%.*s stands for another expression, with the value %.*s", RDV_FMT(left),
                     RDV_FMT(named));
}

static void judge_links(follow *f, const arithmetic *a, rdv_str text)
{
    rdv_calc *calcs;
    size_t n;
    if (rdv_calculator_step(a->calculator, text, &calcs, &n, NULL) < 0) {
        f->failed = true;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const rdv_calc *c = &calcs[i];
        if (c->kind == RDV_CALC_WRONG)
            follow_wrong(f, "%.*s is %.*s, not %.*s", RDV_FMT(c->lhs), RDV_FMT(c->value),
                         RDV_FMT(c->claim));
        else if (c->kind == RDV_CALC_UNDECIDED)
            follow_unread(f, "%.*s = %.*s could not be decided", RDV_FMT(c->lhs), RDV_FMT(c->rhs));
        else
            follow_right(f);
    }
}

/* Do all links of "A = (2 + 3) = 5" have the same value? */
static bool all_same(follow *f, const arithmetic *a, rdv_str chain)
{
    size_t sign = rdv_find_char(chain, '=', 0);
    rdv_str first = value_key(f, a, rdv_slice(chain, 0, sign)), key = first;
    bool linked = sign != RDV_NOT_FOUND;
    while (linked && sign != RDV_NOT_FOUND && key.p && rdv_str_eq(key, first)) {
        size_t next = rdv_find_char(chain, '=', sign + 1);
        key = value_key(f, a, without_stop(rdv_slice(chain, sign + 1, next)));
        sign = next;
    }
    return linked && key.p && rdv_str_eq(key, first);
}

/* The equalities that hold in all their links, letters put in, were read. */
static void read_equalities(follow *f, const arithmetic *a, rdv_str text)
{
    for (size_t i = 0, end; i < text.len; i = end + 1) {
        for (end = i; end < text.len; end++)
            if (!in_expression(text.p[end]) && !is_letter(text, end) && text.p[end] != '=')
                break;
        rdv_str chain = rdv_slice(text, i, end);
        if (all_same(f, a, chain))
            follow_read(f, chain);
    }
}

static void judge_answer(follow *f, const arithmetic *a, rdv_str answer)
{
    rdv_str key = value_key(f, a, without_stop(answer));
    follow_read(f, answer);
    if (!key.p)
        follow_unread(f, "the answer is no number");
    else if (!rdv_str_eq(key, a->question))
        follow_wrong(f, "the value of the expression is %.*s", RDV_FMT(a->question));
    else
        follow_right(f);
}

static void step_arithmetic(follow *f, rdv_str text)
{
    arithmetic *a = f->state;
    rdv_str body, answer;
    bool concludes = follow_answer(text, &body, &answer);
    judge_links(f, a, text);
    if (!read_formula(f, a, body))
        judge_beginning(f, a, body, concludes);
    if (f->kind == RDV_SUPPORT)
        read_equalities(f, a, body);
    if (concludes)
        judge_answer(f, a, answer);
}

static const char *const plain[] = {"this equation can be written as",
                                    "this can be written as",
                                    "where",
                                    "and",
                                    "let's calculate",
                                    "then",
                                    "now",
                                    "the final equation is",
                                    NULL};

const follow_task follow_arithmetic = {
    .plain = plain,
    .open = open_arithmetic,
    .step = step_arithmetic,
    .close = close_arithmetic,
};
