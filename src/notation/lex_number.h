/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How far a number goes in a text, and whether it is one. */
#include <rederive/base.h>

typedef struct lex_literal {
    size_t end;      /* the byte after it */
    size_t ellipsis; /* bytes of "..." right after its decimals, or 0 */
    bool is_name;    /* "1.2.3", "0730", "1st", "0x1F", "16,0000": looks like a number, is none */
} lex_literal;

/* The literal at byte `begin`, which is a digit or a point before one. */
lex_literal lex_number(rdv_str s, size_t begin);
/* The same in prose, where "2e+9" within other text may be a sum. */
lex_literal lex_prose_number(rdv_str s, size_t begin);
/* The byte after a number in prose with nothing beside it that may belong to it, as most are; 0: it
 * is another one. *value is its value, where that fits; UINT32_MAX: it has decimals. */
size_t lex_plain_number(rdv_str s, size_t begin, uint32_t *value);

/* The same in a formula, where decimals may repeat ("0.1\overline{6}", "0.(3)") and a number may
 * begin with zeros ("004"). */
lex_literal lex_formula_number(rdv_str s, size_t begin);

/* The repeating digits of a number that has some, and where what repeats begins ("\overline", "(");
 * false: it has none. */
bool lex_repeating(rdv_str number, size_t *at, rdv_str *digits);

/* "3 + 4 = 7,7 * 2 = 14": does the comma part two calculations? It stands without a blank between
 * the digits that begin at `begin`, a whole right side, and those of a left side. */
bool lex_comma_parts(rdv_str s, size_t begin, size_t comma);
