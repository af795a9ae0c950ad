/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Explanations of a false equality as rows: rules/explanations.rules (docs/rules.md). */
#include "explain/mismatch.h"
#include "expression/formula.h"

typedef enum condition_is {
    IS_EQUAL,
    IS_AT_MOST,
    IS_AT_LEAST,
    IS_LESS,
    IS_MORE,
    IS_SHOWN, /* "l * 100 ~ r": the right side shows this value, rounded to its digits */
    IS_WHOLE, /* "whole l" */
    DIVIDES   /* "n divides l - r"; fractions have no divisor in common with it */
} condition_is;

typedef struct condition {
    condition_is is;
    row_formula a, b; /* b: of two */
    bool last;    /* of its line */
} condition;

/* Where cues are sought. */
enum { AROUND, NEAR, QUESTION, N_TEXTS };

typedef struct explanation_cue {
    cue pattern;
    bool said; /* it may stand in the question, too */
} explanation_cue;

typedef struct explanation {
    rdv_str id;
    const char *why; /* the reason, in one line */
    bool (*check)(const mismatch *m);
    bool either;         /* the shape may be the right side's, whose value is then the left one's */
    row_formula left, right; /* the shapes of the sides */
    condition *conditions; /* lines of them, one of which must hold as a whole; n == 0: none need */
    size_t n, cap;
    explanation_cue *cues; /* one of them must stand there; n_cues == 0: none need */
    size_t n_cues, cap_cues;
    uint64_t begins[N_TEXTS]; /* the bits of cue_begin() that their anchors there may have */
    bool counts; /* a condition is about n, the number in the cue */
} explanation;

typedef struct explanations {
    rdv_arena *arena;
    explanation *at; /* in the order in which they are tried */
    size_t n, cap;
} explanations;

/* Those of rules/explanations.rules and rules/rare/explanations.rules: read once, by the first
 * caller; from any thread. NULL: out of memory; a later call tries again. */
const explanations *explanations_built_in(void);
/* An empty list in `arena`; NULL: out of memory. */
explanations *explanations_new(rdv_arena *arena);
/* Add the rows of a file, whose text must live as long; faults as those of rows_read(). */
int explanations_add(explanations *all, rdv_str file, rdv_str text, rdv_error *err);

/* The first of them that explains the mismatch and is not switched off; NULL: none does. */
const explanation *explanations_find(const explanations *all, const mismatch *m);
