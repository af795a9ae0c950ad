/* SPDX-License-Identifier: Apache-2.0 */
#include "method/unread_calculation.h"

#include "base/str.h"

#define WINDOW 120 /* bytes that are looked at on each side of the sign */

static bool starts_at(rdv_str s, size_t i, const char *what)
{
    return rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(what));
}

static size_t skip_blanks(rdv_str s, size_t i)
{
    while (i < s.len && (s.p[i] == ' ' || s.p[i] == '$' || s.p[i] == '(' || s.p[i] == '-'))
        i++;
    return i;
}

static bool number_follows(rdv_str s, size_t i)
{
    i = skip_blanks(s, i);
    return i < s.len && rdv_is_digit(s.p[i]);
}

/* ---- signs ----------------------------------------------------------------------------------- */

/* Most bytes begin neither an operator nor a sign of equality. */
static bool may_begin_sign(char c)
{
    return c == ' ' || c == ',' || c == '=' || c == '\\' || c == '%' || (c >= '*' && c <= '/') ||
           (unsigned char)c >= 0x80;
}

/* The length of an operator at `i`; 0: there is none. Words stand between blanks. */
static size_t operator_at(rdv_str s, size_t i)
{
    static const char *const operators[] = {"+",
                                            "-",
                                            "*",
                                            "/",
                                            "\xc3\x97",
                                            "\xc3\xb7",
                                            "\xe2\x88\x92",
                                            "\xc2\xb7",
                                            " plus ",
                                            " minus ",
                                            " times ",
                                            " divided by ",
                                            " multiplied by ",
                                            "% of ",
                                            " percent of ",
                                            "% off ",
                                            "% discount on ",
                                            "% tip on ",
                                            "% tax on ",
                                            "% interest on ",
                                            " more than ",
                                            " less than ",
                                            " fewer than ",
                                            " raised to ",
                                            " increased by ",
                                            " decreased by ",
                                            " reduced by ",
                                            " subtracted from ",
                                            "\\times",
                                            "\\cdot",
                                            "\\div"};
    for (size_t k = 0; k < sizeof operators / sizeof *operators && may_begin_sign(s.p[i]); k++)
        if (starts_at(s, i, operators[k]))
            return strlen(operators[k]);
    return 0;
}

/* The length of a sign of equality at `i`; 0: there is none. */
static size_t equality_at(rdv_str s, size_t i)
{
    static const char *const signs[] = {"=",
                                        "\xe2\x89\x88",
                                        "\xe2\x86\x92",
                                        "\xe2\x89\xa1",
                                        "\\to",
                                        "\\rightarrow",
                                        "\\Rightarrow",
                                        "->",
                                        "\xe2\x87\x92",
                                        "=>",
                                        " is about ",
                                        " is roughly ",
                                        " is approximately ",
                                        " is ",
                                        ", which is ",
                                        " will be ",
                                        " would be ",
                                        " equals ",
                                        " equal ",
                                        " makes ",
                                        " gives us ",
                                        " gives ",
                                        " comes to ",
                                        " adds up to ",
                                        " amounts to ",
                                        " totals ",
                                        " results in ",
                                        " leaves "};
    if (s.p[i] == '=' && i > 0 && strchr("<>!=:", s.p[i - 1]))
        return 0;
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (starts_at(s, i, signs[k]))
            return strlen(signs[k]);
    return 0;
}

/* ---- both sides ------------------------------------------------------------------------------ */

static bool ends_clause(rdv_str s, size_t i)
{
    char c = s.p[i];
    return c == '\n' || c == ';' || c == ':' || c == '=' || c == '?' ||
           ((c == '.' || c == ',') && i + 1 < s.len && s.p[i + 1] == ' ');
}

/* The place of the first number of the operation that ends before `sign`; `sign`: there is none.
 * An operation is a number, an operator and a number; other words may stand between. */
static size_t operation_before(rdv_str s, size_t sign)
{
    size_t begin = sign, first = sign;
    bool operated = false;
    while (begin > 0 && sign - begin < WINDOW && !ends_clause(s, begin - 1))
        begin--;
    for (size_t i = begin; i < sign; i++) {
        size_t n = operator_at(s, i);
        if (rdv_is_digit(s.p[i]) && first == sign)
            first = i;
        else if (n && first < i && number_follows(rdv_slice(s, 0, sign), i + n))
            operated = true;
    }
    return operated ? first : sign;
}

/* The end of the number at `i`, and of the unit behind it. */
static size_t result_end(rdv_str s, size_t i, rdv_str *unit)
{
    while (i < s.len && (rdv_is_digit(s.p[i]) ||
                         (strchr(".,", s.p[i]) && i + 1 < s.len && rdv_is_digit(s.p[i + 1]))))
        i++;
    size_t begin = i + (i < s.len && s.p[i] == ' '), end = begin;
    while (end < s.len && end - begin < WINDOW / 8 && !rdv_is_space(s.p[end]) &&
           !strchr(".,;:!?)\"", s.p[end]))
        end++;
    rdv_str word = rdv_slice(s, begin, end);
    bool compound = rdv_find_char(word, '/', 0) != RDV_NOT_FOUND ||
                    rdv_find(word, RDV_STR("\xc2"), 0) != RDV_NOT_FOUND;
    *unit = compound && word.len > 1 ? word : (rdv_str){0};
    return compound ? end : i;
}

static bool is_read(const rdv_calc *calcs, size_t n, size_t *next, size_t at)
{
    while (*next < n && calcs[*next].end <= at)
        ++*next;
    return *next < n && calcs[*next].begin <= at;
}

rdv_str unread_calculation(rdv_str step, const rdv_calc *calcs, size_t n, rdv_str *unit)
{
    size_t next = 0;
    *unit = (rdv_str){0};
    for (size_t i = 1; i < step.len; i++) {
        bool word = step.p[i] == ' ' || step.p[i] == ','; /* it stands behind the number */
        if (word ? !rdv_is_digit(step.p[i - 1]) : !may_begin_sign(step.p[i]))
            continue;
        size_t len = equality_at(step, i);
        if (!len || !number_follows(step, i + len) || is_read(calcs, n, &next, i))
            continue;
        if (word && !rdv_starts(rdv_slice(step, i, step.len), RDV_STR(" is ")) &&
            is_read(calcs, n, &next, skip_blanks(step, i + len)))
            continue; /* "20% of 50, which is 0.2 * 50 = 10": it is said in another way */
        size_t begin = operation_before(step, i);
        if (begin < i)
            return rdv_slice(step, begin, result_end(step, skip_blanks(step, i + len), unit));
    }
    return (rdv_str){0};
}
