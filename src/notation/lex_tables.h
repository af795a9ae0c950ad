/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The signs and commands that the lexer knows, as tables. */
#include "notation/lex.h"

#define LEX_VULGAR_WHOLE 16 /* token.vulgar of 0; of the numbers to 10, that and the number */

typedef struct lex_sign {
    uint32_t code; /* Unicode, or the byte after a backslash */
    tok_kind kind; /* TOK_END: vanishes; TOK_POWER: a superscript digit */
    uint8_t arg;   /* becomes token.vulgar */
} lex_sign;

typedef enum lex_what {
    LEX_TOKEN,        /* becomes a token of `kind`; `arg` arguments follow */
    LEX_VANISH,       /* only formats; arg: a "." right after it belongs to it */
    LEX_TEXT,         /* \text{...}: its braces vanish */
    LEX_SKIP_ARGUMENT /* \begin{...}: vanishes with its argument, ending the line */
} lex_what;

typedef struct lex_command {
    const char *name;
    lex_what what;
    tok_kind kind;
    uint8_t arg;
} lex_command;

/* What begins with a byte. */
typedef enum lex_byte {
    LEX_SIGN, /* and control characters */
    LEX_LETTER,
    LEX_DIGIT,
    LEX_SPACE, /* white space but a newline */
    LEX_NEWLINE,
    LEX_WIDE /* a character that is not ASCII, or a part of one */
} lex_byte;

extern const unsigned char lex_bytes[256];

static inline lex_byte lex_byte_of(char c)
{
    return (lex_byte)lex_bytes[(unsigned char)c];
}

/* Each returns NULL for what it does not know. */
const lex_sign *lex_unicode(uint32_t code);
const lex_sign *lex_escape(char c); /* \% \$ \| ... */
const lex_command *lex_command_named(rdv_str name);
