/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* From tokens to a tree. The parser takes the longest expression that starts at a token, and stops
 * without an error where no expression can continue; the caller examines the text there. */
#include "notation/lex.h"
#include "notation/measure.h"

typedef enum node_is {
    N_NUMBER,
    N_LETTER, /* a letter with its subscript */
    N_PI,
    N_NEGATE,
    N_ADD,
    N_SUBTRACT,
    N_MULTIPLY,
    N_DIVIDE,
    N_POWER,
    N_FACTORIAL,
    N_PERCENT,
    N_ROOT, /* a: radicand, b: index or NULL for 2 */
    N_ABS,
    N_FLOOR,
    N_CEIL,
    N_BINOMIAL,
    N_MIXED, /* 3 1/2: a whole number and a fraction */
    N_UNIT,  /* a with a measurement unit */
    N_CALL,  /* call.h: the function `value` of a, and of b if it has two arguments */
    N_SUM,   /* call.h: a: the bounds (an N_SUM of both), b: the body; begin: the letter's token */
    N_MOD,   /* a mod b */
    N_CONSTANT /* `value`, which the text says in a word: "half" */
} node_is;

/* Ambiguous notations; reading.h says which readings are usual. Each bit means: the expression has
 * such a notation / use its other reading. */
typedef enum reading_bit {
    READ_LITERALLY = 0,
    READ_PERCENT_AS_NUMBER = 1,      /* 10/50 * 100 = 20% */
    READ_BANG_AS_PROSE = 2,          /* "= 120!" at the end of a sentence */
    READ_IMPLICIT_FIRST = 4,         /* 1/2x as 1/(2x) */
    READ_NEGATIVE_BASE = 8,          /* -3^2 as (-3)^2 */
    READ_ASIDE = 16,                 /* "= 10 (5 + 5)": a bracket after a space is an aside */
    READ_UNITS = 32,                 /* convert units of one dimension: 1 hour + 30 minutes */
    READ_MIXED_AS_PRODUCT = 64,      /* 3 1/2, 3 \frac12 as 3 times a half */
    READ_PERCENT_OF_LEFT = 128,      /* 50 + 10% as 50 + 10% of 50 */
    READ_LEFT_TO_RIGHT = 256,        /* 25 / 1/3 as (25/1)/3, not 25 over a third */
    READ_OF_AS_PROSE = 512,          /* "= 1/3 of the money": the words only explain */
    READ_PERCENT_OF_FRACTION = 1024, /* 1/2% as half a percent: digits that touch, below one */
    READ_PI_AS_3_14 = 2048,          /* both bits: as 3.1416 */
    READ_PI_AS_22_7 = 4096,
    READ_DOLLARS = 8192,      /* with READ_UNITS: a $ before a number is a dollar */
    READ_OTHER_UNITS = 16384, /* with READ_UNITS: units in their second meaning */
    /* For small_eval() only; what is typeset above the line is lost. */
    READ_LOST_POWERS = 32768,   /* 892 as 89^2 */
    READ_LOST_BARS = 65536,     /* times 1 to 3, the digits of the denominator: 120100 as 120/100 */
    READ_LOST_LONGEST = 262144, /* with these: by the numbers with the most digits alone */
    READ_SCIENTIFIC = 524288,   /* 6 / 3 x 10^2 as 6 / (3 x 10^2), one number */
    READ_PERCENT_OVER = 1048576, /* 15 / 20% as three quarters of a percent */
    READ_WORDS_ASIDE = 2097152,  /* "= 10 (2 fives)": the same of a bracket that holds words */
    READ_AMOUNT_ASIDE = 4194304, /* "= 24 months (2 years)": and of one that holds an amount */
    READ_PLAINLY_SCIENTIFIC = 8388608, /* 6 / 3.5 x 10^2, 6 x 10^3 / 3 x 10^2: also, and likely */
    READ_MIXED_IN_BRACKET = 16777216,  /* 7 (1/4) as a mixed number */
    READ_EXPONENT_FRACTION = 33554432, /* 8^1/3 as 8^(1/3) */
    READ_LOG_OF_TEN = 67108864         /* log 100 as 2; without it, it has no value */
} reading_bit;

typedef struct node node;
struct node {
    node_is is : 8;
    bool implicit;       /* N_MULTIPLY without a sign; N_FACTORIAL at the end of a sentence;
                            N_DIVIDE whose divisor is a fraction written without spaces;
                            N_ADD of an amount in several units, "2 hours 15 minutes" */
    bool of;             /* N_MULTIPLY written "of" */
    bool mixed;          /* N_MULTIPLY that may be a mixed number: "7 (1/4) cents" */
    bool exponent;       /* N_DIVIDE whose divisor may belong to the exponent before it: "8^1/3" */
    unsigned aside;      /* N_MULTIPLY by a bracket after a blank: the bit that reads it as one */
    bool grouped;        /* the whole node stood in brackets, or is a \frac */
    bool sign;           /* N_UNIT: no word, but a $ before the number */
    unsigned scientific; /* N_MULTIPLY of a quotient by a power of ten, "6 / 3 x 10^2": the bit that
                            reads the divisor as one number */
    unsigned value;      /* N_CONSTANT, N_CALL, N_SUM */
    uint32_t begin, end; /* N_NUMBER, N_LETTER, N_PI: its tokens, without brackets around it */
    node *a, *b;
    const measure *unit; /* N_UNIT: in its first and in its second meaning */
};

#define EXPRESSION_MAX_UNITS 6

typedef struct expression {
    node *root;
    uint32_t begin, end; /* tokens; end is the first one after it */
    unsigned readings;   /* which ambiguous places it holds */
    uint32_t n_operators;
    uint32_t n_letters; /* occurrences */
    uint32_t n_words;   /* unit words that are no known units */
    uint32_t n_units;   /* known units that were read */
    bool odd_units;     /* a unit that was read in part: "km per trip" */
    bool labelled;      /* words stand after a unit: "3 hours overtime" */
    bool letter_units;  /* a unit is a letter that may be a variable */
    bool glued_letters; /* such a letter stands right after its number: 5m */
    bool letter_label;  /* such a letter only names what the result counts: "= 850 J" */
    bool word_units;    /* a unit is no such letter */
    bool mixed_units;   /* two different units of one dimension */
    bool product;       /* holds a product or quotient */
    bool ellipsis;      /* holds a number that goes on: 0.333... */
    uint8_t n_different;
    const measure *units[EXPRESSION_MAX_UNITS]; /* the different ones, n_different of them */
} expression;

/* Parse the longest expression that begins at token `at`. RDV_OK; RDV_NONE when none begins there;
 * RDV_E_NOMEM. Nodes live in `arena`. Depth is at most 64 and there are at most 3000 nodes. */
int parse_expression(const tokens *t, size_t at, rdv_arena *arena, expression *out);

/* Is the token a word of prose: longer than a letter, no command, after a space and before nothing
 * that would make it the name of a function? No expression begins with it. */
static inline bool parse_is_prose(const tokens *t, size_t at)
{
    const token *w = &t->at[at];
    if (w->kind != TOK_WORD || !w->space_before || w->end - w->begin == 1 ||
        t->text.p[w->begin] == '\\')
        return false;
    tok_kind before = at ? t->at[at - 1].kind : TOK_END, after = t->at[at + 1].kind;
    return before != TOK_PI && after != TOK_OPEN && after != TOK_UNDERSCORE && after != TOK_POWER;
}

/* May an expression begin at token `at`, which is no prose? */
bool parse_may_begin_at(const tokens *t, size_t at);

/* parse_expression() where letters after numbers are variables, never units: "5 m". */
int parse_expression_of_letters(const tokens *t, size_t at, rdv_arena *arena, expression *out);

/* "7" of "6 x 7": the last factor or divisor of a product; of anything else, itself. */
static inline const node *node_last_factor(const node *n)
{
    return (n->is == N_MULTIPLY || n->is == N_DIVIDE) && !n->grouped ? n->b : n;
}

/* "3^2": behind a minus it may be read as the power of the negative number. */
static inline bool node_is_power_of_number(const node *n)
{
    return n->is == N_POWER && !n->grouped && n->a->is == N_NUMBER && !n->a->grouped;
}

/* "10^8", "10^{-7} m" */
bool node_is_power_of_ten(const tokens *t, const node *n);

/* "100% - 40%": percents alone, added or subtracted? */
bool node_is_percents(const node *n);

/* "1 hour 20 minutes" */
static inline bool node_is_amount(const node *n)
{
    return n->is == N_ADD && n->implicit;
}

/* The text that it was parsed from. */
static inline rdv_str expression_text(const tokens *t, const expression *e)
{
    return rdv_slice(t->text, t->at[e->begin].begin, t->at[e->end - 1].end);
}

/* Does it write a number with decimals, which may be rounded? */
static inline bool expression_has_decimals(const tokens *t, const expression *e)
{
    for (size_t i = e->begin; i < e->end; i++)
        if (t->at[i].kind == TOK_NUMBER && rdv_find_char(tok_text(t, i), '.', 0) != RDV_NOT_FOUND)
            return true;
    return false;
}

/* "1.8 x 10^34 kg": one number with its power of ten, and a unit perhaps. */
bool expression_is_scientific(const tokens *t, const expression *e);

/* Is there an operator of any kind in the tree, apart from a sign before a number? */
static inline bool expression_is_plain(const expression *e)
{
    return e->n_operators == 0;
}
