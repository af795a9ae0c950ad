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
