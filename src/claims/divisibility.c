/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/divisibility.h"

#include "base/str.h"
#include "language/number_words.h"
#include "language/phrase.h"
#include "language/word_class.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_DIGITS 18
#define MAX_BACK 14 /* tokens from the word "remainder" back to the dividend */
#define MAX_LIST 40 /* tokens of a list of factors */

/* ---- tokens ---------------------------------------------------------------------------------- */

/* A place in the text. A function that reads something moves it past that, and returns false and
 * leaves it anywhere if it is not there. */
typedef struct place {
    const tokens *t;
    size_t at;
} place;

static bool skip(place *p, const char *word)
{
    bool is = tok_is_word(p->t, p->at, word);
    p->at += is;
    return is;
}

static bool skip_any(place *p, const char *const *words, size_t n)
{
    bool is = tok_is_one_of(p->t, p->at, words, n);
    p->at += is;
    return is;
}

/* A whole number in digits. */
static bool value_at(const tokens *t, size_t i, uint64_t *out)
{
    rdv_str s = tok_kind_at(t, i) == TOK_NUMBER ? tok_text(t, i) : (rdv_str){0};
    size_t digits = 0;
    *out = 0;
    if (!s.len || t->at[i].vulgar || t->at[i].ellipsis)
        return false;
    for (size_t k = 0; k < s.len; k++) {
        if (s.p[k] == ',')
            continue;
        if (!rdv_is_digit(s.p[k]) || ++digits > MAX_DIGITS)
            return false;
        *out = *out * 10 + (uint64_t)(s.p[k] - '0');
    }
    return true;
}

static bool number(place *p, uint64_t *out)
{
    bool is = value_at(p->t, p->at, out);
    p->at += is;
    return is;
}

static bool divisor(place *p, uint64_t *out)
{
    return number(p, out) && *out > 0;
}

/* ---- where a clause begins and ends ---------------------------------------------------------- */

/* Is the number at token `i` no part of something larger? */
static bool begins(const tokens *t, size_t i)
{
    static const char *const joining[] = {
        "since",  "because", "as",      "that", "so",   "but",   "therefore", "thus",
        "hence",  "then",    "however", "now",  "note", "while", "although",  "get",
        "number", "have",    "see",     "know", "when", "if",    "dividing"};
    if (i == 0)
        return true;
    switch (tok_kind_at(t, i - 1)) {
    case TOK_NEWLINE:
    case TOK_PUNCT:
        return true;
    case TOK_OPEN:
        return i < 2 || tok_kind_at(t, i - 2) != TOK_WORD || tok_text(t, i - 2).len > 1;
    case TOK_COMMA: /* but "2, 3, 4 is" is a list */
        return t->at[i].space_before && i > 1 && tok_kind_at(t, i - 2) != TOK_NUMBER;
    case TOK_WORD:
        return tok_is_one_of(t, i - 1, joining, COUNT(joining));
    default:
        return false;
    }
}

/* Does the clause end before token `i`? Where it is negated, "3 and 5" goes on. */
static bool ends(const tokens *t, size_t i, bool negated)
{
    static const char *const joining[] = {"so",    "which",     "because", "since", "then",
                                          "as",    "therefore", "thus",    "hence", "while",
                                          "where", "we",        "it",      "and"};
    bool goes_on = tok_kind_at(t, i + 1) == TOK_NUMBER || tok_is_word(t, i + 1, "and") ||
                   tok_is_word(t, i + 1, "or") || tok_is_word(t, i + 1, "but");
    switch (tok_kind_at(t, i)) {
    case TOK_END:
    case TOK_NEWLINE:
        return true;
    case TOK_OPEN:
        return t->at[i].space_before && tok_kind_at(t, i + 1) == TOK_WORD;
    case TOK_CLOSE:
        return tok_kind_at(t, i + 1) != TOK_POWER;
    case TOK_PUNCT:
        return t->text.p[t->at[i].begin] != '?' && t->text.p[t->at[i].begin] != '/';
    case TOK_COMMA:
        return !goes_on || (!negated && !tok_is_word(t, i + 1, "or"));
    case TOK_WORD:
        return tok_is_one_of(t, i, joining, COUNT(joining)) &&
               !(tok_is_word(t, i, "and") && goes_on && negated);
    default:
        return false;
    }
}

/* ---- what a number is ------------------------------------------------------------------------ */

/* The number of which the subject is said to be a factor. */
static bool object(place *p, uint64_t subject, divisibility *out)
{
    out->said = out->subject;
    out->said_end = out->subject = p->at;
    out->subject_end = p->at + 1;
    out->divisor = subject;
    return subject > 0 && number(p, &out->number);
}

/* "prime", "divisible by 9", "a factor of 30", "a multiple of 7" */
static bool predicate(place *p, uint64_t subject, divisibility *out)
{
    static const char *const around[] = {"a",    "an",     "exactly", "evenly",
                                         "also", "indeed", "itself",  "clearly"},
                             *const factors[] = {"factor", "divisor"};
    while (skip_any(p, around, COUNT(around)))
        continue;
    bool prime = skip(p, "prime"), composite = !prime && skip(p, "composite");
    out->number = subject;
    if (prime || composite) {
        out->is = prime ? DIVISIBILITY_PRIME : DIVISIBILITY_COMPOSITE;
        skip(p, "number");
        return true;
    }
    out->is = DIVISIBILITY_MULTIPLE;
    if (skip(p, "divisible"))
        return skip(p, "by") && divisor(p, &out->divisor);
    if (skip(p, "multiple"))
        return skip(p, "of") && divisor(p, &out->divisor);
    return skip_any(p, factors, COUNT(factors)) && skip(p, "of") && object(p, subject, out);
}

/* "91 is prime", "3 does not divide 10", from the number at token `i` on. */
static bool about_number(const tokens *t, size_t i, divisibility *out)
{
    place p = {t, i};
    uint64_t subject;
    *out = (divisibility){.begin = i, .subject = i, .subject_end = i + 1, .said = i + 1};
    if (!begins(t, i) || !number(&p, &subject))
        return false;
    bool read;
    if (skip(&p, "is")) {
        out->negated = skip(&p, "not");
        read = predicate(&p, subject, out);
    } else {
        out->negated = skip(&p, "does");
        read = (!out->negated || skip(&p, "not")) &&
               skip(&p, out->negated ? "divide" : "divides") && object(&p, subject, out);
        out->is = DIVISIBILITY_MULTIPLE;
        skip(&p, "evenly");
    }
    out->end = p.at;
    out->said_end = out->said_end ? out->said_end : p.at;
    return read && ends(t, p.at, out->negated);
}

/* ---- lists of factors ------------------------------------------------------------------------ */

/* The end of the list of numbers at token `i`: "2, 3 and 5"; 0: it is none of two or more. */
static size_t list_end(const tokens *t, size_t i)
{
    size_t n = 0, k = i;
    while (tok_kind_at(t, k) == TOK_NUMBER && k - i < MAX_LIST) {
        n++;
        k++;
        size_t last = k;
        k += tok_kind_at(t, k) == TOK_COMMA;
        k += tok_is_word(t, k, "and");
        if (k == last || tok_kind_at(t, k) != TOK_NUMBER)
            return n > 1 && ends(t, last, false) ? last : 0;
    }
    return 0;
}

/* Is the number of the factors, or their sum, what is spoken of? */
static bool is_about_their_number(const tokens *t, size_t i)
{
    static const char *const words[] = {"number", "count", "sum", "product", "total", "many"};
    for (size_t k = i > 5 ? i - 5 : 0; k < i; k++)
        if (tok_is_one_of(t, k, words, COUNT(words)))
            return true;
    return false;
}

/* "factors of 60 are 2, 3 and 7" from the word "factors" at token `i` on: the first item at token
 * `from` or after it that is a statement of its own. */
static bool factor_in_list(const tokens *t, size_t i, size_t from, divisibility *out)
{
    static const char *const names[] = {"factors", "divisors"}, *const verbs[] = {"are", "include"};
    place p = {t, i};
    uint64_t number_of, item;
    if (!skip_any(&p, names, COUNT(names)) || !skip(&p, "of") || !number(&p, &number_of) ||
        is_about_their_number(t, i))
        return false;
    bool claims = skip_any(&p, verbs, COUNT(verbs));
    bool colon = tok_kind_at(t, p.at) == TOK_PUNCT && t->text.p[t->at[p.at].begin] == ':';
    p.at += colon;
    size_t end = claims || colon ? list_end(t, p.at) : 0;
    for (size_t k = p.at; k < end; k++) {
        if (k < from || !value_at(t, k, &item) || item == 0)
            continue;
        *out = (divisibility){.is = DIVISIBILITY_MULTIPLE,
                              .begin = i,
                              .end = k + 1,
                              .subject = i + 2,
                              .subject_end = i + 3,
                              .said = k,
                              .said_end = k + 1,
                              .number = number_of,
                              .divisor = item};
        return true;
    }
    return false;
}

/* ---- quotients and remainders ---------------------------------------------------------------- */

/* "17 ÷ 5", "17 divided by 5" */
static bool division(place *p, divisibility *out)
{
    out->subject = p->at;
    if (!number(p, &out->number))
        return false;
    if (tok_kind_at(p->t, p->at) == TOK_DIVIDE)
        p->at++;
    else if (!skip(p, "divided") || !skip(p, "by"))
        return false;
    out->subject_end = p->at + 1;
    out->said = out->subject_end + (tok_kind_at(p->t, out->subject_end) == TOK_EQUAL);
    return divisor(p, &out->divisor);
}

/* "of 2", "is 2", "2" after the word "remainder". */
static bool remainder_value(place *p, divisibility *out)
{
    static const char *const verbs[] = {"of", "is", "being", "equals"};
    if (!skip_any(p, verbs, COUNT(verbs)) && tok_kind_at(p->t, p->at) == TOK_EQUAL)
        p->at++;
    return number(p, &out->remainder);
}

/* "4 left over", "4 pens remaining", "4 to spare", "R 4" */
static bool rest(place *p, divisibility *out)
{
    static const char *const signs[] = {"r", "R"}, *const left[] = {
                                                       "left",    "leftover", "remaining", "remain",
                                                       "remains", "spare",    "over",      "extra"};
    if (tok_kind_at(p->t, p->at + 1) == TOK_NUMBER && skip_any(p, signs, COUNT(signs)))
        return number(p, &out->remainder);
    if (!number(p, &out->remainder))
        return false;
    skip_any(p, (const char *const[]){"is", "are"}, 2);
    if (!tok_is_one_of(p->t, p->at, left, COUNT(left)) && !tok_is_word(p->t, p->at, "to") &&
        tok_kind_at(p->t, p->at) == TOK_WORD)
        p->at++; /* what is counted */
    skip(p, "to");
    bool is = skip_any(p, left, COUNT(left));
    skip(p, "over");
    return is;
}

/* "= 3 with a remainder of 2", "= 3, 2 left over", "is 3 remainder 2", "leaves a remainder of 2"
 * after a division. */
static bool result_of_division(place *p, divisibility *out)
{
    static const char *const equals[] = {"is", "equals", "gives"},
                             *const with[] = {"with", "and", "leaving"},
                             *const article[] = {"a", "the"},
                             *const leaves[] = {"leaves", "gives", "has", "with"};
    out->is = DIVISIBILITY_REMAINDER;
    place quotient = *p;
    bool equal = tok_kind_at(p->t, quotient.at) == TOK_EQUAL;
    quotient.at += equal;
    if ((equal || skip_any(&quotient, equals, COUNT(equals))) &&
        number(&quotient, &out->quotient)) {
        skip(&quotient, "each");
        quotient.at += tok_kind_at(p->t, quotient.at) == TOK_COMMA;
        bool leaving = tok_is_word(p->t, quotient.at, "leaving");
        skip_any(&quotient, with, COUNT(with));
        out->is = DIVISIBILITY_QUOTIENT;
        *p = quotient;
        if (rest(&quotient, out)) {
            *p = quotient;
            return true;
        }
        if (leaving && number(p, &out->remainder))
            return true;
    } else if (!skip_any(p, leaves, COUNT(leaves))) {
        return false;
    }
    skip_any(p, article, COUNT(article));
    return (skip(p, "remainder") || skip(p, "rem")) && remainder_value(p, out);
}

/* "17 ÷ 5 = 3 with a remainder of 2", from token `i` on. */
static bool named_remainder(const tokens *t, size_t i, divisibility *out)
{
    place p = {t, i};
    *out = (divisibility){.begin = i};
    bool read = begins(t, i) && division(&p, out) && result_of_division(&p, out);
    out->end = out->said_end = p.at;
    return read && ends(t, p.at, false);
}

/* "when 17 is divided by 5" */
static bool condition(place *p, divisibility *out)
{
    static const char *const when[] = {"when", "if", "of"};
    if (!skip_any(p, when, COUNT(when)))
        return false;
    out->subject = p->at;
    if (!number(p, &out->number))
        return false;
    skip(p, "is");
    if (!skip(p, "divided") || !skip(p, "by") || !divisor(p, &out->divisor))
        return false;
    out->subject_end = p->at;
    return true;
}

/* "is 2", where the statement ends. */
static bool is_remainder(place *p, divisibility *out)
{
    out->is = DIVISIBILITY_REMAINDER;
    out->said = p->at + 1;
    bool read = skip(p, "is") && number(p, &out->remainder);
    out->end = out->said_end = p->at;
    return read && ends(p->t, p->at, false);
}

/* "the remainder when 17 is divided by 5 is 2" from the word "remainder" at token `i` on, or "when
 * 17 is divided by 5, the remainder is 2" with that word there. */
static bool remainder_of(const tokens *t, size_t i, divisibility *out)
{
    place p = {t, i + 1};
    *out = (divisibility){.begin = i};
    if (condition(&p, out))
        return is_remainder(&p, out);
    for (size_t k = i > MAX_BACK ? i - MAX_BACK : 0; k < i; k++) {
        p.at = out->begin = k;
        if (!condition(&p, out))
            continue;
        p.at += tok_kind_at(t, p.at) == TOK_COMMA;
        skip(&p, "the");
        bool here = p.at == i;
        p.at = i + 1;
        return here && is_remainder(&p, out);
    }
    return false;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* The statement that the number or word at token `i` begins, or is the name of. */
static bool statement_at(const tokens *t, size_t i, size_t from, divisibility *out)
{
    if (tok_kind_at(t, i) == TOK_NUMBER)
        return i >= from && (about_number(t, i, out) || named_remainder(t, i, out));
    if (tok_kind_at(t, i) != TOK_WORD)
        return false;
    return (i >= from && tok_is_word(t, i, "remainder") && remainder_of(t, i, out)) ||
           factor_in_list(t, i, from, out);
}

bool divisibility_find(const tokens *t, size_t from, divisibility *out)
{
    if (!(t->words & WORD_DIVISIBILITY))
        return false;
    for (size_t i = from > MAX_LIST ? from - MAX_LIST : 0; i + 2 < t->n; i++)
        if (statement_at(t, i, from, out) && out->end > from)
            return true;
    return false;
}

bool divisibility_may_be_in(rdv_str text)
{
    static phrase_list words = {
        "prime*;composite;divi*;factor*;multiple;remainder;left*;leaving;remain*;spare"};
    return phrase_in(text, &words);
}
