/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/lines.h"

#include "base/str.h"
#include "notation/lex_letters.h"
#include "notation/lex_tables.h"

#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_LINE 2000 /* bytes back to the equation before; keeps the work linear */

/* ---- "\n" as two characters ------------------------------------------------------------------ */

static bool is_command_of_latex(rdv_str name)
{
    /* Beside those that the lexer knows. */
    static const char *const names[] = {
        "nabla",   "natural",     "ncong",     "nearrow",     "neg",        "newline",
        "nexists", "ngeq",        "ngtr",      "ni",          "nleftarrow", "nleq",
        "nless",   "nmid",        "nonumber",  "norm",        "normalsize", "not",
        "notag",   "nparallel",   "nprec",     "nrightarrow", "nsim",       "nsubseteq",
        "nsucc",   "nsupseteq",   "nwarrow",   "newcommand",  "newpage",    "ncr",
        "nsubset", "nRightarrow", "ngeqslant", "nleqslant"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (rdv_str_eq(name, rdv_str_of(names[i])))
            return true;
    return lex_command_named(name) != NULL;
}

/* Is the "\n" at byte `i` a newline, and no command and no row's end before an n? */
static bool is_written_newline(rdv_str text, size_t i)
{
    size_t end = rdv_skip_letters(text, i + 1);
    return (i == 0 || text.p[i - 1] != '\\') && !is_command_of_latex(rdv_slice(text, i + 1, end));
}

/* ---- equations side by side ------------------------------------------------------------------ */

static size_t back_over_spaces(rdv_str s, size_t i)
{
    while (i > 0 && s.p[i - 1] == ' ')
        i--;
    return i;
}

/* A number with or without a letter and its exponent before an equality sign: "2x", "38", "s^2". */
typedef struct term {
    size_t begin, end;
    char letter;   /* 0: none */
    size_t digits; /* that it begins with */
} term;

/* The term that ends before byte `end`; false: there is none. */
static bool term_before(rdv_str s, size_t end, term *out)
{
    size_t i = end;
    *out = (term){.end = end};
    if (i > 2 && rdv_is_digit(s.p[i - 1]) && s.p[i - 2] == '^')
        i -= 2;
    if (i > 0 && rdv_is_alpha(s.p[i - 1]))
        out->letter = s.p[--i];
    else if (i < end)
        return false;
    while (i > 0 && (rdv_is_digit(s.p[i - 1]) || (s.p[i - 1] == '.' && out->digits))) {
        i--;
        out->digits++;
    }
    out->begin = i;
    return i < end && i > 0 && s.p[i - 1] == ' ';
}

/* A sign of an equation's sides, or a blank. */
static bool is_sign(char c)
{
    switch (c) {
    case ' ':
    case '+':
    case '-':
    case '*':
    case '/':
    case '^':
    case '(':
    case ')':
    case '.':
    case '$':
        return true;
    default:
        return false;
    }
}

/* Is the text only numbers, single letters, signs and brackets, and does it end in an operand? */
static bool is_side(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        bool word = i > 0 && rdv_is_alpha(s.p[i]) && rdv_is_alpha(s.p[i - 1]);
        if (word || !(rdv_is_alnum(s.p[i]) || is_sign(s.p[i])))
            return false;
    }
    char last = s.len ? s.p[s.len - 1] : '\0';
    return rdv_is_alnum(last) || last == ')';
}

/* The left side that ends before the equality sign at byte `sign`: back to what is no sign, no
 * number and no letter. */
static rdv_str left_of(rdv_str line, size_t sign)
{
    size_t end = back_over_spaces(line, sign), begin = end;
    while (begin > 0 && (rdv_is_alnum(line.p[begin - 1]) || is_sign(line.p[begin - 1])))
        begin--;
    rdv_str left = rdv_slice(line, begin, end);
    for (size_t i = left.len; i > 1; i--) /* the words before it are no part of it */
        if (rdv_is_alpha(left.p[i - 1]) && rdv_is_alpha(left.p[i - 2]))
            return rdv_trim(rdv_slice(left, i, left.len));
    return rdv_trim(left);
}

/* "10x", but not "2 x", of which the next number may be a factor. */
static bool ends_in_letter(rdv_str s)
{
    return s.len > 1 && rdv_is_alpha(s.p[s.len - 1]) && s.p[s.len - 2] != ' ';
}

/* Does another equation begin at the term, right after the side before it? A letter is no factor of
 * that side where the left side holds it, and two numbers side by side are no product. */
static bool begins_equation(rdv_str line, size_t sign, const term *next)
{
    rdv_str side = rdv_trim(rdv_slice(line, sign + 1, next->begin));
    rdv_str text = rdv_slice(line, next->begin, next->end);
    bool again = rdv_ends(rdv_slice(line, 0, back_over_spaces(line, sign)), text);
    if (next->digits && !next->letter && !again && !ends_in_letter(side))
        return false; /* most numbers */
    rdv_str left = left_of(line, sign);
    if (!left.len || !is_side(side))
        return false;
    char last = side.p[side.len - 1];
    if (next->digits && !next->letter)
        return rdv_str_eq(text, left) || ends_in_letter(side);
    if (next->digits)
        return next->digits != 3 || !rdv_is_digit(last);
    return lex_letter_is_in(left, next->letter);
}

/* ---- both ------------------------------------------------------------------------------------ */

static size_t line_begin(rdv_str s, size_t i)
{
    size_t least = i > MAX_LINE ? i - MAX_LINE : 0;
    const char *newline = memrchr(s.p + least, '\n', i - least);
    return newline ? (size_t)(newline - s.p) + 1 : least;
}

/* Where the equation whose sign is at byte `sign` begins on the line of another: the byte before
 * it; else RDV_NOT_FOUND. `before`: the sign before it in the text. */
static size_t end_of_equation_before(rdv_str text, size_t before, size_t sign)
{
    term next;
    size_t end = back_over_spaces(text, sign);
    if (!term_before(text, end, &next) || next.begin <= before + 1)
        return RDV_NOT_FOUND;
    size_t begin = line_begin(text, sign);
    if (begin > before)
        return RDV_NOT_FOUND;
    next.begin -= begin;
    next.end -= begin;
    bool begins = begins_equation(rdv_slice(text, begin, sign), before - begin, &next);
    return begins ? begin + next.begin - 1 : RDV_NOT_FOUND;
}

/* A text of which a copy is made when it is first changed. */
typedef struct changed {
    rdv_str text;
    rdv_arena *arena;
    char *copy; /* or NULL */
} changed;

/* False: out of memory. */
static bool change(changed *c, size_t i, char to)
{
    if (!c->copy) {
        c->copy = rdv_cstring(c->arena, c->text);
        if (!c->copy)
            return false;
        c->text.p = c->copy;
    }
    c->copy[i] = to;
    return true;
}

int lines_restore(rdv_str text, rdv_arena *arena, rdv_str *out)
{
    changed c = {.text = text, .arena = arena};
    size_t i = rdv_find_char(text, '\\', 0);
    for (; i != RDV_NOT_FOUND && i + 1 < text.len; i = rdv_find_char(text, '\\', i + 1))
        if (text.p[i + 1] == 'n' && is_written_newline(text, i) &&
            (!change(&c, i, ' ') || !change(&c, i + 1, '\n')))
            return RDV_E_NOMEM;
    size_t sign = rdv_find_char(text, '=', 0), next;
    for (; sign != RDV_NOT_FOUND; sign = next) {
        next = rdv_find_char(text, '=', sign + 1);
        size_t end = next == RDV_NOT_FOUND ? next : end_of_equation_before(c.text, sign, next);
        if (end != RDV_NOT_FOUND && !change(&c, end, '\n'))
            return RDV_E_NOMEM;
    }
    *out = c.text;
    return RDV_OK;
}
