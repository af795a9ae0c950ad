/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Prose, plain mathematics and LaTeX cut into one kind of tokens. What only formats (\left, \,, $,
 * **bold**, &) vanishes; what cannot be understood becomes TOK_OPAQUE, which no expression
 * contains, so that nothing is ever decided about a text that was only half read. */
#include "base/str.h"
#include "language/phrase.h"
#include "language/word_class.h"

#include <rederive/base.h>

typedef enum tok_kind {
    TOK_END,
    TOK_NUMBER,
    TOK_WORD, /* letters; also a Greek letter's command */
    TOK_PLUS,
    TOK_MINUS,
    TOK_PLUSMINUS,
    TOK_TIMES,
    TOK_DIVIDE,
    TOK_FLOOR_DIVIDE, /* the // of programs */
    TOK_POWER,
    TOK_BANG,
    TOK_PERCENT,
    TOK_OPEN,  /* ( [ { */
    TOK_CLOSE, /* ) ] } */
    TOK_BAR,
    TOK_EQUAL,
    TOK_APPROX,
    TOK_RELATION, /* < > <= != and such: an expression ends here */
    TOK_FRAC,     /* \frac and its kin: two arguments follow */
    TOK_BINOM,
    TOK_SQRT, /* \sqrt, sqrt, the root sign */
    TOK_PI,
    TOK_FLOOR_OPEN,
    TOK_FLOOR_CLOSE,
    TOK_CEIL_OPEN,
    TOK_CEIL_CLOSE,
    TOK_COMMA,
    TOK_UNDERSCORE,
    TOK_NEWLINE,
    TOK_CURRENCY,
    TOK_DEGREE,
    TOK_MARK_OPEN,  /* << of a calculator mark */
    TOK_MARK_CLOSE, /* >> */
    TOK_PUNCT,
    TOK_FUNCTION, /* prose only: \log, \sin, \sum and other commands of functions */
    TOK_PRIME,    /* formulas only: x' */
    TOK_OPAQUE
} tok_kind;

/* The members are as small as the limit of a text allows, since tokens are read more often than
 * anything else. */
typedef struct token {
    tok_kind kind : 8;
    char sign;             /* TOK_OPEN, TOK_CLOSE: which bracket; else 0 */
    bool space_before : 1; /* white space, or something that vanished, stands before it */
    bool border : 1;       /* mathematics ended or began right before it: $, \(, \] */
    bool ellipsis : 1;     /* TOK_NUMBER: "0.333..." */
    bool upright : 1;      /* it stands in \text{...} or its kin */
    bool whole : 1; /* TOK_NUMBER of prose: digits alone, and few, so that `value` is its value */
    uint8_t vulgar; /* TOK_NUMBER: 1 + index of a vulgar fraction sign; then there are no digits;
                       TOK_SQRT: the index of the root, 0 for 2 */
    uint32_t word;  /* TOK_WORD of prose: what word_find() knows of it */
    uint32_t begin, end; /* bytes of the text */
    union {
        uint32_t pair; /* TOK_OPEN, TOK_CLOSE: index of its partner, or TOK_NO_PAIR */
        uint32_t value;
        uint32_t slot; /* TOK_WORD of prose: its tok_slot(), or TOK_NO_SLOT */
    };
} token;
_Static_assert(sizeof(token) == 20, "a long step has many tokens");

#define TOK_NO_PAIR UINT32_MAX
#define TOK_NO_SLOT UINT32_MAX

/* How many copies of the last token stand behind it: a look this far ahead needs no check. */
#define TOK_AHEAD 8

typedef struct tokens {
    rdv_str text;
    token *at; /* n of them, the last one TOK_END; and TOK_AHEAD copies of it */
    size_t n;
    uint64_t kinds;               /* a bit for each kind that may be among them: tok_holds() */
    uint32_t words;               /* of prose: what word_find() knows of its words, all together */
    word_slots slots;             /* of prose: those of its words, but of commands */
    bool counts;                  /* may a word longer than a letter stand right after a number? */
    bool calls;                   /* does a "(" stand right after a word: f(3)? */
    struct chain_letters *before; /* the texts before this one; NULL, as lex() sets it: none */
    const struct rule_set *rules; /* of language; NULL, as lex() sets it: the built-in ones */
} tokens;

#define LEX_VULGAR_FRACTIONS 15 /* the first ones are fractions, the rest superscript digits */

/* Numerator and denominator of the vulgar fraction sign with token.vulgar == v. */
void lex_vulgar(uint8_t v, unsigned *num, unsigned *den);

/* Cut `text` (at most 16 MiB) into tokens, in `arena`. RDV_OK, RDV_E_NOMEM or RDV_E_LIMIT. */
int lex(rdv_str text, rdv_arena *arena, tokens *out);

/* The same for a text that is one formula, not prose: every minus is a minus, letters written
 * together are letters of their own unless they name a function, and commands that are no signs
 * become words, for the grammar of formulas to know or to refuse. Repeating decimals
 * (0.1\overline{6}) are numbers. */
int lex_formula(rdv_str text, rdv_arena *arena, tokens *out);

/* May a token of the kind be among them? False: there is none. */
static inline bool tok_holds(const tokens *t, tok_kind kind)
{
    return t->kinds >> kind & 1;
}

/* What word_class() knows of the TOK_WORD at `i` of a prose. */
static inline unsigned tok_class(const tokens *t, size_t i)
{
    return t->at[i].word & WORD_CLASSES;
}

static inline rdv_str tok_text(const tokens *t, size_t i)
{
    return (rdv_str){t->text.p + t->at[i].begin, t->at[i].end - t->at[i].begin};
}

/* The word_slot() of token `i`. */
static inline uint32_t tok_slot(const tokens *t, size_t i)
{
    const token *at = &t->at[i];
    return at->kind == TOK_WORD && at->slot != TOK_NO_SLOT ? at->slot : word_slot(tok_text(t, i));
}

/* The kind of token `i`; TOK_END past the last one. */
static inline tok_kind tok_kind_at(const tokens *t, size_t i)
{
    return i < t->n ? t->at[i].kind : TOK_END;
}

/* Is token `i`, which may be past the last one, one of the words? */
static inline bool tok_is_one_of(const tokens *t, size_t i, const char *const *words, size_t n)
{
    return tok_kind_at(t, i) == TOK_WORD && rdv_is_one_of(tok_text(t, i), words, n);
}

static inline bool tok_is_in(const tokens *t, size_t i, phrase_list *list)
{
    return tok_kind_at(t, i) == TOK_WORD && phrase_is(tok_text(t, i), list);
}

/* A number in plain digits, in full. */
static inline bool tok_is_plain_number(const tokens *t, size_t i)
{
    return tok_kind_at(t, i) == TOK_NUMBER && !t->at[i].vulgar && !t->at[i].ellipsis;
}

static inline bool tok_is_word(const tokens *t, size_t i, const char *word)
{
    return tok_kind_at(t, i) == TOK_WORD && rdv_str_ieq(tok_text(t, i), rdv_str_of(word));
}
