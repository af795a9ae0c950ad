/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Statements in words about numbers, by the rows of rules/statements.rules: "91 is prime", "120 is
 * not divisible by 9", "the factors of 60 are 2, 3 and 7", "17 ÷ 5 = 3 with a remainder of 2", "3.5
 * is greater than 3". */
#include "claims/verbal_grammar.h"
#include "language/rule.h"

typedef struct statement {
    verbal_states is;
    rdv_str read_by;              /* the id of its row */
    bool denied;                  /* "is not" */
    size_t begin, end;            /* tokens; end is the first one after it */
    size_t subject, subject_end;  /* tokens of the number, or of the division */
    size_t said, said_end;        /* tokens of what is said of it */
    uint64_t number, divisor;     /* of whole numbers: below 10^18; the divisor is not 0 */
    uint64_t quotient, remainder; /* where they are stated */
    const node *of[3];            /* of any: N, M and Q; those that it lacks are NULL */
    bool negative;                /* of any: a minus stands before N */
} statement;

typedef struct statements {
    statement *at;
    size_t n, cap;
} statements;

/* All statements, in order, appended to `out` in `arena`; of a list of divisors each is one. Only a
 * whole clause is read. RDV_OK or RDV_E_NOMEM. */
int statement_find(const tokens *t, const rule_set *rules, rdv_arena *arena, statements *out);

/* May one be in the text? Most texts are passed over at a glance. */
bool statement_may_be_in(rdv_str text);
