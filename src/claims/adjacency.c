/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/adjacency.h"

#include "base/str.h"
#include "language/phrase.h"
#include "language/word_class.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_ASIDE 12 /* tokens of a bracket that are looked at */

static const token *token_at(const tokens *t, size_t i)
{
    return &t->at[i < t->n ? i : t->n - 1];
}

static bool is_sign(const tokens *t, size_t i, char sign)
{
    return t->at[i].kind == TOK_PUNCT && t->text.p[t->at[i].begin] == sign;
}

static bool ends_operand(tok_kind k)
{
    return k == TOK_NUMBER || k == TOK_CLOSE || k == TOK_PERCENT || k == TOK_PI || k == TOK_BANG;
}

static bool is_operator(tok_kind k)
{
    return k == TOK_PLUS || k == TOK_MINUS || k == TOK_TIMES || k == TOK_DIVIDE || k == TOK_POWER ||
           k == TOK_EQUAL || k == TOK_APPROX || k == TOK_OPEN;
}

static bool is_infix(tok_kind k)
{
    return k == TOK_PLUS || k == TOK_MINUS || k == TOK_TIMES || k == TOK_DIVIDE ||
           k == TOK_FLOOR_DIVIDE || k == TOK_POWER || k == TOK_PLUSMINUS;
}

static size_t digits_of(const tokens *t, size_t i)
{
    return t->at[i].vulgar ? 0 : t->at[i].end - t->at[i].begin;
}

/* "Step 2 :", "Day 1 :" label what follows, and are no ratio. */
static bool is_label(const tokens *t, size_t colon)
{
    static phrase_list labels = {"@counted-label"};
    if (colon < 2)
        return true;
    const token *before = &t->at[colon - 2];
    return before->kind == TOK_NEWLINE ||
           (before->kind == TOK_PUNCT && !is_sign(t, colon - 2, ':')) ||
           (before->kind == TOK_WORD && phrase_in(tok_text(t, colon - 2), &labels));
}

/* "4^2 : 1^2 = 16 : 1" */
static bool ratio_before(const tokens *t, size_t i)
{
    return i >= 2 && is_sign(t, i - 1, ':') && t->at[i - 1].space_before &&
           ends_operand(t->at[i - 2].kind) &&
           !(t->at[i - 2].kind == TOK_NUMBER && is_label(t, i - 1));
}

/* "= . 84": the point of a decimal stands alone. */
static bool point_before(const tokens *t, size_t i)
{
    static phrase_list words = {"@being;be;@before-a-value"};
    if (i < 2 || !is_sign(t, i - 1, '.') || t->at[i].kind != TOK_NUMBER)
        return false;
    bool word = t->at[i - 2].kind == TOK_WORD && t->at[i - 1].space_before &&
                phrase_is(tok_text(t, i - 2), &words);
    return word || is_operator(t->at[i - 2].kind);
}

/* "1 + 2 + . . . + 52 = 99", "= 9 . . . 915": points that stand for what is left out. */
static bool left_out(const tokens *t, size_t first)
{
    return first + 1 < t->n && is_sign(t, first, '.') && is_sign(t, first + 1, '.') &&
           t->at[first + 1].space_before;
}

/* "(1 + 1)...(1 + 9) = 2^9", "= 999...97101": points that touch what stands beside them; the last
 * one may be read as that of a decimal. */
static bool touching_points(const tokens *t, size_t first)
{
    if (first + 3 >= t->n || t->at[first].space_before)
        return false;
    bool touch = is_sign(t, first, '.') && is_sign(t, first + 1, '.');
    for (size_t i = first + 1; touch && i < first + 4; i++)
        touch = !t->at[i].space_before;
    return touch && t->text.p[t->at[first + 2].begin] == '.';
}

/* Three digits, and a further group of them perhaps. */
static bool is_group_of_digits(const tokens *t, size_t i)
{
    rdv_str s = tok_text(t, i);
    if ((t->at[i].kind != TOK_NUMBER && t->at[i].kind != TOK_OPAQUE) || s.len < 3)
        return false;
    return rdv_is_digit(s.p[0]) && rdv_is_digit(s.p[1]) && rdv_is_digit(s.p[2]) &&
           (s.len == 3 || s.p[3] == ',');
}

/* Up to three digits, and groups of them behind it perhaps: "14", "14,400". */
static bool may_begin_number(const tokens *t, size_t i)
{
    rdv_str s = tok_text(t, i);
    size_t comma = rdv_find_char(s, ',', 0), first = comma == RDV_NOT_FOUND ? s.len : comma;
    return !t->at[i].vulgar && first > 0 && first <= 3 &&
           (first == s.len || (s.len - first) % 4 == 0);
}

/* "14, 400" and "14 ,400": a blank in a number. No number goes on behind an exponent, and one that
 * stands there twice, "= 303, 303 + 88", is used again. */
static bool is_broken_number(const tokens *t, size_t whole)
{
    return t->at[whole].kind == TOK_NUMBER && may_begin_number(t, whole) &&
           token_at(t, whole + 1)->kind == TOK_COMMA &&
           (t->at[whole + 1].space_before || token_at(t, whole + 2)->space_before) &&
           is_group_of_digits(t, whole + 2) && !(whole > 0 && t->at[whole - 1].kind == TOK_POWER) &&
           !rdv_str_eq(tok_text(t, whole), tok_text(t, whole + 2));
}

bool adjacency_holds_words(const tokens *t, size_t close)
{
    size_t open = close == TOK_NO_PAIR ? TOK_NO_PAIR : t->at[close].pair;
    if (open == TOK_NO_PAIR)
        return false;
    for (size_t i = open + 1; i < close && i - open < MAX_ASIDE; i++)
        if (t->at[i].kind == TOK_WORD && digits_of(t, i) > 1 &&
            !(tok_class(t, i) & WORD_FUNCTION) && t->text.p[t->at[i].begin] != '\\')
            return true;
    return false;
}

/* An arrow, before which another formula stands. */
static bool is_arrow(const tokens *t, size_t i)
{
    rdv_str s = tok_text(t, i);
    return rdv_str_eq(s, RDV_STR("=>")) || rdv_starts(s, RDV_STR("\xe2\x86")) ||
           rdv_starts(s, RDV_STR("\xe2\x87")) || rdv_starts(s, RDV_STR("\xe2\x88\xb4"));
}

/* "(1/2) 278 + 11" and "(r) 2 = 9": the bracket is a factor or a base. A bracket of words, or the
 * number of an item at its beginning, is none. */
static bool factor_before(const tokens *t, size_t i)
{
    if (i < 1 || t->at[i - 1].kind != TOK_CLOSE || adjacency_holds_words(t, i - 1))
        return false;
    size_t open = t->at[i - 1].pair;
    if (open == TOK_NO_PAIR) /* "1) 2 + 3" */
        open = i >= 2 ? i - 2 : 0;
    size_t item = t->at[open].kind == TOK_OPEN ? 3 : 2;
    bool begins = open == 0 || t->at[open - 1].kind == TOK_NEWLINE ||
                  (t->at[open - 1].kind == TOK_PUNCT && !is_arrow(t, open - 1));
    return !(begins && i - open == item);
}

/* "12 x 1 and 1/4 = 15": the fraction belongs to the whole number before it. */
static bool mixed_before(const tokens *t, size_t i)
{
    return i >= 2 && t->at[i - 1].kind == TOK_WORD &&
           rdv_str_ieq(tok_text(t, i - 1), RDV_STR("and")) && t->at[i - 2].kind == TOK_NUMBER &&
           t->at[i].kind == TOK_NUMBER &&
           (t->at[i].vulgar ||
            (token_at(t, i + 1)->kind == TOK_DIVIDE && !t->at[i + 1].space_before &&
             token_at(t, i + 2)->kind == TOK_NUMBER && !t->at[i + 2].space_before));
}

/* "50 cards (1/3) + 100 cards (2/3) = 150 cards": a bracket after what is counted explains it. */
static bool explains_before(const tokens *t, size_t i)
{
    if (t->at[i].kind != TOK_OPEN || t->at[i].sign != '(' || i < 2)
        return false;
    size_t k = i;
    while (k > 0 && i - k < 4 && t->at[k - 1].kind == TOK_WORD)
        k--;
    return k < i && k > 0 && (t->at[k - 1].kind == TOK_NUMBER || t->at[k - 1].kind == TOK_PERCENT);
}

/* "OP = AO \sqrt{3} = 39", "A'O \sqrt{3}": two points name a length. */
static bool segment_before(const tokens *t, size_t i)
{
    if (i < 1 || t->at[i - 1].kind != TOK_WORD)
        return false;
    tok_kind k = t->at[i].kind;
    rdv_str w = tok_text(t, i - 1);
    if ((k != TOK_SQRT && k != TOK_FRAC && k != TOK_PI && k != TOK_OPEN) || w.len < 2 || w.len > 3)
        return false;
    for (size_t c = 0; c < w.len; c++)
        if ((unsigned char)w.p[c] > 'Z') /* less, and no capital, is only "'" in a word */
            return false;
    return true;
}

/* "Rs. 5", "No. 5", "p. 5": the point ends no sentence. "a . (2 + 3)": it multiplies. */
static bool abbreviation_before(const tokens *t, size_t i)
{
    static phrase_list words = {"@abbreviation"};
    if (i < 2 || !is_sign(t, i - 1, '.') || t->at[i - 2].kind != TOK_WORD)
        return false;
    rdv_str w = tok_text(t, i - 2);
    if (phrase_in(w, &words))
        return true;
    tok_kind k = t->at[i].kind;
    return w.len == 1 && (k == TOK_SQRT || k == TOK_OPEN || k == TOK_FRAC);
}

/* "×" and "–" that were damaged on their way here: "Ã—", "â€“". */
static bool damage_before(const tokens *t, size_t i)
{
    return i >= 2 && t->at[i - 1].kind == TOK_PUNCT &&
           (unsigned char)t->text.p[t->at[i - 1].begin] >= 0x80 &&
           (t->at[i - 2].kind == TOK_OPAQUE || t->at[i - 2].kind == TOK_CURRENCY);
}

/* "the lcm of 12 and 24 / 7", "the median of 3, 5, 9, 11 = 7": one of the things that are taken
 * together. */
static bool argument_before(const tokens *t, size_t i)
{
    static phrase_list names = {"@taken-together"};
    static phrase_list verbs = {"@being;be"};
    bool joined =
        i > 0 && t->at[i - 1].kind == TOK_WORD && rdv_str_ieq(tok_text(t, i - 1), RDV_STR("and"));
    if (i < 4 || !(joined || (t->at[i - 1].kind == TOK_COMMA && t->at[i - 2].kind == TOK_NUMBER)))
        return false;
    for (size_t k = i - 2; k > 0 && i - k < MAX_ASIDE; k--) {
        if (!joined && t->at[k].kind != TOK_COMMA && t->at[k].kind != TOK_NUMBER &&
            t->at[k].kind != TOK_WORD)
            return false;
        if (t->at[k].kind == TOK_PUNCT || t->at[k].kind == TOK_EQUAL ||
            tok_is_in(t, k, &verbs)) /* "the sum of 4 and 5 is 9, and 7 - 2 = 5" */
            return false;
        bool of = t->at[k].kind == TOK_WORD && (rdv_str_ieq(tok_text(t, k), RDV_STR("of")) ||
                                                rdv_str_ieq(tok_text(t, k), RDV_STR("between")));
        if (of && t->at[k - 1].kind == TOK_WORD && phrase_in(tok_text(t, k - 1), &names))
            return true;
    }
    return false;
}

/* "the sine of 3/4", "the inverse of 2 mod 7, which is 4": a function in words, not read. */
static bool function_before(const tokens *t, size_t i)
{
    static phrase_list names = {"@function-in-words"};
    return i > 1 && tok_is_word(t, i - 1, "of") && t->at[i - 2].kind == TOK_WORD &&
           phrase_in(tok_text(t, i - 2), &names);
}

bool adjacency_names_mean(const tokens *t, size_t of)
{
    static const char *const means[] = {"average", "mean"}, *const articles[] = {"a", "an"};
    return of > 1 && tok_is_word(t, of, "of") && tok_is_one_of(t, of - 1, means, COUNT(means)) &&
           tok_is_one_of(t, of - 2, articles, COUNT(articles));
}

/* "There are 5 in 1 box + 3 = 8": what is counted begins before the place that it is in. */
static bool place_before(const tokens *t, size_t i)
{
    static phrase_list words = {"@of-a-place"};
    const token *noun = token_at(t, i + 1);
    if (i < 2 || t->at[i - 1].kind != TOK_WORD || t->at[i].kind != TOK_NUMBER ||
        noun->kind != TOK_WORD || rdv_str_ieq(tok_text(t, i + 1), RDV_STR("x")) ||
        !phrase_is(tok_text(t, i - 1), &words))
        return false;
    size_t k = i - 1;
    while (k > 0 && i - k < 4 && t->at[k - 1].kind == TOK_WORD)
        k--;
    return k > 0 && t->at[k - 1].kind == TOK_NUMBER;
}

/* "On 8/2", "version 3-2", "a 2x4": numbers that only name. */
static bool name_before(const tokens *t, size_t i)
{
    static phrase_list words = {"@named-by-a-number;@dated-or-scored"};
    tok_kind sign = token_at(t, i + 1)->kind;
    if (sign == TOK_TIMES && i >= 1 && t->at[i - 1].kind == TOK_WORD)
        return rdv_str_ieq(tok_text(t, i - 1), RDV_STR("a")) && !t->at[i + 1].space_before;
    return i >= 1 && t->at[i - 1].kind == TOK_WORD && t->at[i].kind == TOK_NUMBER &&
           (sign == TOK_DIVIDE || sign == TOK_MINUS) && !t->at[i + 1].space_before &&
           token_at(t, i + 2)->kind == TOK_NUMBER && !t->at[i + 2].space_before &&
           phrase_is(tok_text(t, i - 1), &words);
}

/* "In 1942 - 3 years later": a year and a dash. */
static bool year_at(const tokens *t, size_t i)
{
    static phrase_list words = {"@before-a-year"};
    return i >= 1 && t->at[i - 1].kind == TOK_WORD && t->at[i].kind == TOK_NUMBER &&
           digits_of(t, i) == 4 &&
           (t->text.p[t->at[i].begin] == '1' || t->text.p[t->at[i].begin] == '2') &&
           token_at(t, i + 1)->kind == TOK_MINUS && phrase_is(tok_text(t, i - 1), &words);
}

bool adjacency_takes_part_before(const tokens *t, size_t i)
{
    switch (i ? t->at[i - 1].kind : TOK_END) {
    case TOK_WORD:
        return name_before(t, i) || year_at(t, i) || mixed_before(t, i) || explains_before(t, i) ||
               segment_before(t, i) || argument_before(t, i) || place_before(t, i) ||
               function_before(t, i);
    case TOK_PUNCT:
        return (i >= 2 && left_out(t, i - 2)) || (i >= 3 && touching_points(t, i - 3)) ||
               ratio_before(t, i) || point_before(t, i) || abbreviation_before(t, i) ||
               damage_before(t, i);
    case TOK_COMMA:
        return (i >= 2 && is_broken_number(t, i - 2)) || argument_before(t, i);
    case TOK_CLOSE:
        return factor_before(t, i);
    default:
        return false;
    }
}

/* A sum that goes on in the next line, after the blanks of formulas; a display of its own is no
 * part of it, nor is a number below zero: "-4x = 8". */
static bool sum_goes_on(const tokens *t, size_t i)
{
    if (t->at[i].kind != TOK_NEWLINE)
        return false;
    while (t->at[i].kind == TOK_NEWLINE ||
           (t->at[i].kind == TOK_PUNCT && t->text.p[t->at[i].begin] == '\\'))
        i++;
    tok_kind k = t->at[i].kind;
    bool display = rdv_ends(rdv_trim_end(rdv_slice(t->text, 0, t->at[i].begin)), RDV_STR("\\["));
    bool negative = k == TOK_MINUS && !token_at(t, i + 1)->space_before;
    return (k == TOK_PLUS || k == TOK_TIMES || k == TOK_DIVIDE || k == TOK_MINUS) && !display &&
           !negative;
}

/* "3/14 = Pi Day": no number. */
static bool names_pi(const tokens *t, size_t i)
{
    if (i > 1 && t->at[i - 2].kind == TOK_PI) /* "Day" may be read as a unit */
        i--;
    return i > 0 && t->at[i - 1].kind == TOK_PI && t->at[i].kind == TOK_WORD &&
           t->text.p[t->at[i - 1].begin] == 'P' && t->text.p[t->at[i].begin] >= 'A' &&
           t->text.p[t->at[i].begin] <= 'Z';
}

/* "4 : 5": a ratio goes on. */
static bool ratio_after(const tokens *t, size_t i)
{
    tok_kind next = token_at(t, i + 1)->kind;
    return is_sign(t, i, ':') && t->at[i].space_before &&
           (next == TOK_NUMBER || next == TOK_CURRENCY || next == TOK_SQRT || next == TOK_FRAC);
}

/* "1e-34.5": decimals of a power, behind what was read of the number. */
static bool decimals_go_on(const tokens *t, size_t i)
{
    return is_sign(t, i, '.') && !t->at[i].space_before && token_at(t, i + 1)->kind == TOK_NUMBER &&
           !t->at[i + 1].space_before;
}

/* "= 9 (AK^2 + 4)": a bracket that calculates with a word is a factor; others explain. */
static bool calculates_with_word(const tokens *t, size_t open)
{
    size_t close = t->at[open].pair;
    for (size_t i = open + 1; close != TOK_NO_PAIR && i < close && i - open < MAX_ASIDE; i++)
        if (t->at[i].kind == TOK_WORD && is_infix(token_at(t, i + 1)->kind) &&
            !token_at(t, i + 1)->space_before)
            return true;
    return false;
}

bool adjacency_takes_part_after(const tokens *t, size_t i)
{
    if (tok_holds(t, TOK_PI) && names_pi(t, i))
        return true;
    switch (t->at[i].kind) {
    case TOK_NEWLINE:
        return sum_goes_on(t, i);
    case TOK_OPEN:
        return calculates_with_word(t, i);
    case TOK_COMMA:
        return i > 0 && is_broken_number(t, i - 1);
    case TOK_PUNCT:
        return left_out(t, i) || (touching_points(t, i) && t->at[i + 2].kind == TOK_NUMBER) ||
               ratio_after(t, i) || decimals_go_on(t, i);
    default:
        return false;
    }
}

/* A dash or a sign of mathematics that was not understood: "7 ⊕ 3 * 4", "7 - - 3 * 4". */
static bool is_unread_sign(const tokens *t, size_t i)
{
    rdv_str sign = tok_text(t, i);
    bool maths = rdv_starts(sign, RDV_STR("\xe2\x88")) || rdv_starts(sign, RDV_STR("\xe2\x89")) ||
                 rdv_starts(sign, RDV_STR("\xe2\x8a")) || rdv_starts(sign, RDV_STR("\xe2\x8b"));
    return t->at[i].kind == TOK_OPAQUE && (maths || sign.p[0] == '-'); /* others mark up */
}

/* "f'(3 * 4) = 12" */
static bool is_prime(const tokens *t, size_t i)
{
    rdv_str sign = tok_text(t, i);
    return t->at[i].kind == TOK_OPAQUE &&
           (sign.p[0] == '\'' || rdv_starts(sign, RDV_STR("\xe2\x80")));
}

bool adjacency_joined_before(const tokens *t, size_t i)
{
    static phrase_list rounding = {"@rounding-function"}; /* read as such */
    if (i > 1 && t->at[i - 1].kind == TOK_OPEN) {
        tok_kind k = t->at[i - 2].kind;
        return is_infix(k) || k == TOK_SQRT || k == TOK_FUNCTION ||
               (!t->at[i - 1].space_before &&
                (k == TOK_NUMBER || k == TOK_CLOSE || k == TOK_PI || k == TOK_OPAQUE));
    }
    bool glued = i > 0 && t->at[i].kind == TOK_OPEN && !t->at[i].space_before;
    bool factor = glued && t->at[i - 1].kind == TOK_WORD && /* "kx(3 * 4) = 12" */
                  !tok_is_in(t, i - 1, &rounding);
    return factor || (glued && is_prime(t, i - 1)) ||
           (i > 0 && (is_infix(t->at[i - 1].kind) || is_unread_sign(t, i - 1)));
}

bool adjacency_joined_after(const tokens *t, size_t i)
{
    const token *a = token_at(t, i), *next = token_at(t, i + 1);
    const token *noun = token_at(t, i + 2);
    bool describes = next->kind == TOK_WORD && noun->kind == TOK_WORD && /* "5 8 point bucks" */
                     !(tok_class(t, i + 2) & WORD_CONNECTIVE);
    bool operand = i > 0 && (t->at[i - 1].kind == TOK_NUMBER ||
                             (t->at[i - 1].kind == TOK_WORD && digits_of(t, i - 1) == 1));
    if (a->kind == TOK_NUMBER && a->space_before && operand)
        return (next->kind == TOK_WORD && !describes) || next->kind == TOK_END ||
               next->kind == TOK_NEWLINE || (next->kind == TOK_PUNCT && noun->kind == TOK_END);
    bool rate = rdv_str_eq(tok_text(t, i), RDV_STR("/")) && next->kind == TOK_WORD &&
                digits_of(t, i + 1) > 1 && token_at(t, i + 2)->kind != TOK_POWER; /* "12/shoe" */
    return is_unread_sign(t, i) || decimals_go_on(t, i) || a->kind == TOK_TIMES ||
           (a->kind == TOK_DIVIDE && !rate) || a->kind == TOK_POWER || a->kind == TOK_PLUS ||
           (a->kind == TOK_MINUS &&
            (next->kind == TOK_NUMBER || next->kind == TOK_FRAC || next->kind == TOK_SQRT));
}

/* ---- symbols --------------------------------------------------------------------------------- */

/* A sign that says something about the formula, "= 12 \\checkmark". */
static bool only_remarks(rdv_str command)
{
    static const char *const names[] = {
        "\\checkmark", "\\square", "\\blacksquare", "\\Box",  "\\qed",    "\\ldots", "\\dots",
        "\\cdots",     "\\pmod",   "\\bmod",        "\\mod",  "\\bullet", "\\star",  "\\ast",
        "\\item",      "\\nless",  "\\ngtr",        "\\nleq", "\\ngeq",   "\\nmid"};
    return rdv_is_one_of(command, names, COUNT(names));
}

static bool is_symbol(const tokens *t, size_t i)
{
    rdv_str s = tok_text(t, i);
    if (t->at[i].kind == TOK_FUNCTION)
        return !only_remarks(s);
    if (t->at[i].kind == TOK_WORD) /* these two are units */
        return (t->at[i].word & WORD_SYMBOL) && !rdv_str_eq(s, RDV_STR("\\Omega")) &&
               !rdv_str_eq(s, RDV_STR("\\mu"));
    bool greek = s.len >= 2 && ((unsigned char)s.p[0] == 0xce || (unsigned char)s.p[0] == 0xcf);
    return t->at[i].kind == TOK_OPAQUE &&
           (greek || (s.len > 2 && s.p[0] == '\\' && rdv_is_alpha(s.p[1]) && !only_remarks(s) &&
                      !rdv_starts(s, RDV_STR("\\text"))));
}

/* "f(x) 46 - 13", "cos(angle B) 2.6": does the bracket that ends at token `i` touch a word? */
static bool is_call(const tokens *t, size_t i)
{
    size_t open = t->at[i].kind == TOK_CLOSE ? t->at[i].pair : TOK_NO_PAIR;
    return open != TOK_NO_PAIR && open > 0 && !t->at[open].space_before &&
           (t->at[open - 1].kind == TOK_WORD || t->at[open - 1].kind == TOK_OPAQUE) &&
           t->at[open].sign == '(';
}

/* "\\frac{x}{y} 3 * 4": the last argument of a command that was not read. */
static bool is_argument(const tokens *t, size_t i)
{
    return t->at[i].kind == TOK_CLOSE && t->at[i].sign == '}';
}

/* A function in words that takes the bracket or the number behind it was read. */
static bool is_read_function(const tokens *t, size_t i)
{
    tok_kind next = token_at(t, i + 1)->kind;
    return t->at[i].kind == TOK_FUNCTION ||
           ((tok_class(t, i) & WORD_FUNCTION) && (next == TOK_OPEN || next == TOK_NUMBER ||
                                                  next == TOK_UNDERSCORE || next == TOK_POWER));
}

/* "\\Delta V = 3": do the symbol and what belongs to it name the value that an equality gives? */
static bool names_next(const tokens *t, size_t i)
{
    for (size_t k = i + 1; k < i + 4; k++)
        if (token_at(t, k)->kind == TOK_EQUAL || token_at(t, k)->kind == TOK_APPROX)
            return true;
    return false;
}

static bool may_hold_symbol(const tokens *t)
{
    return (t->words & WORD_SYMBOL) || tok_holds(t, TOK_OPAQUE) || tok_holds(t, TOK_FUNCTION);
}

/* "4 (from the alpha particle)": a name among words of prose. */
static bool stands_in_prose(const tokens *t, size_t i)
{
    return t->at[i].kind == TOK_WORD && t->text.p[t->at[i].begin] != '\\' &&
           ((i > 0 && t->at[i - 1].kind == TOK_WORD) || token_at(t, i + 1)->kind == TOK_WORD);
}

bool adjacency_symbol_in(const tokens *t, size_t begin, size_t end)
{
    bool is = false;
    for (size_t i = begin; may_hold_symbol(t) && i < end && !is; i++)
        is = is_symbol(t, i) && !is_read_function(t, i) && !stands_in_prose(t, i);
    return is;
}

bool adjacency_symbol_before(const tokens *t, size_t i)
{
    if (i == 0 || t->at[i].border) /* another formula */
        return false;
    bool argument = is_argument(t, i - 1);
    bool vector = i > 1 && t->at[i - 1].kind == TOK_WORD && digits_of(t, i - 1) == 1 &&
                  is_symbol(t, i - 2); /* "\\vec v 3" */
    bool index = i > 2 && t->at[i - 2].kind == TOK_UNDERSCORE && is_symbol(t, i - 3);
    return is_call(t, i - 1) || argument || vector || index || is_symbol(t, i - 1);
}

/* "1 kg V_2": a letter with an index is no word of prose. */
static bool has_index(const tokens *t, size_t i)
{
    return t->at[i].kind == TOK_WORD && digits_of(t, i) == 1 &&
           token_at(t, i + 1)->kind == TOK_UNDERSCORE;
}

bool adjacency_symbol_after(const tokens *t, size_t i)
{
    bool symbol = (may_hold_symbol(t) && is_symbol(t, i)) || has_index(t, i);
    return symbol && !t->at[i].border && !names_next(t, i);
}

bool adjacency_follows_operand(const tokens *t, size_t i)
{
    size_t k = i;
    bool symbol = false;
    while (k > 0 && i - k < MAX_ASIDE && !symbol && !t->at[k].border &&
           (t->at[k - 1].kind == TOK_WORD || is_symbol(t, k - 1) || is_call(t, k - 1))) {
        k = is_call(t, k - 1) ? t->at[k - 1].pair : k - 1;
        symbol = t->at[k].kind == TOK_OPAQUE;
    }
    if (symbol || k == i || k == 0 || t->at[k].border)
        return symbol;
    tok_kind sign = t->at[k - 1].kind;
    bool infix = sign == TOK_PLUS || sign == TOK_MINUS || sign == TOK_TIMES || sign == TOK_DIVIDE ||
                 sign == TOK_POWER;
    return infix && k > 1 && ends_operand(t->at[k - 2].kind); /* not "in m/s is 3 * 4" */
}
