/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The grammar of formulas: a text that is one expression from its first byte to its last, as
 * answers are. It knows more notation than the calculations in prose (parse.h), and one reading of
 * each: functions, sums, complex numbers, other bases. */
#include "notation/formula_names.h"
#include "notation/lex.h"

typedef enum formula_is {
    F_NUMBER,   /* the literal in `token` */
    F_LETTER,   /* `name`, with its subscript and primes */
    F_PI,       /* */
    F_E,        /* the letter e: the base of natural logarithms */
    F_I,        /* the letter i: the imaginary unit */
    F_INFINITY, /* */
    F_NEGATE,
    F_ADD,
    F_SUBTRACT,
    F_MULTIPLY,
    F_DIVIDE,
    F_POWER,
    F_ROOT,    /* a: radicand, b: index or NULL for 2 */
    F_APPLY,   /* fn of a, and of b where it has two arguments; FN_LOG: b is the base or NULL */
    F_PERCENT, /* a hundredth of a */
    F_DEGREES, /* a degrees, as an angle in radians */
    F_SUM,     /* of c, the letter `name` running from a to b */
    F_PRODUCT  /* the same */
} formula_is;

typedef struct formula formula;
struct formula {
    formula_is is;
    function_id fn;
    bool grouped;    /* stood in brackets */
    unsigned height; /* of the tree: 1 for a leaf */
    size_t token;    /* F_NUMBER */
    rdv_str name;    /* in the arena, static, or borrowed from the text */
    formula *a, *b, *c;
};

/* What a formula holds. */
typedef enum formula_holds {
    FORMULA_LETTERS = 1,
    FORMULA_E = 2,
    FORMULA_I = 4,
    FORMULA_LOG = 8,    /* a logarithm without its base */
    FORMULA_CALL = 32,  /* "f(x)", of a function that is not known: a letter of that name */
    FORMULA_ORDER = 64, /* a product in which the order of the factors may count: "A \times B", "AB"
                           and "A^{-1}B" of capitals, which may be sets, points or matrices */
    FORMULA_DECIMAL_ENDLESS = 16 /* "0.333...": what follows is not known */
} formula_holds;

typedef struct formula_text {
    tokens t;
    formula *root;
    unsigned holds; /* bits of formula_holds */
} formula_text;

#define FORMULA_MAX_TEXT 20000

/* Read the whole of `text`, which must live as long as the result. Nodes live in `arena`. RDV_OK;
 * RDV_NONE: not one formula, or over a limit (FORMULA_MAX_TEXT bytes, a depth of 64 brackets, 3000
 * nodes, a tree 400 nodes high: what walks the tree recurses, and needs 256 KiB of stack);
 * RDV_E_NOMEM. */
int formula_parse(rdv_str text, rdv_arena *arena, formula_text *out);
