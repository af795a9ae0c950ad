/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The ballots of all questions, gathered from chains in any order. Of a chain only its ballot is
 * kept (some dozens of bytes); each distinct answer or id is kept once. */
#include <rederive/answer.h>

#include "base/map.h"
#include "score/combined.h"
#include "score/interner.h"
#include "score/vote_weight.h"

/* Data of a chain that its ballot does not hold. */
struct voter {
    rdv_str shown;         /* its answer, for people */
    uint64_t calls;        /* of its check */
    double perplexity;     /* NaN: not known */
    bool failed;           /* it has no answer, since a call for it failed */
    scorer_values *values; /* of combined scorers */
};

struct question_voters {
    rdv_str id;
    rdv_ballot *ballots;  /* in the order of the chains */
    struct voter *voters; /* of the same chains */
    size_t n, cap_ballots, cap_voters;
};

struct voters {
    rdv_arena *arena;                  /* holds everything */
    struct question_voters *questions; /* in order of first appearance */
    size_t n, cap;
    interner ids, texts;            /* ids of questions; texts of keys and answers */
    rdv_map seen;                   /* chains by their identity and generator */
    const combined_model *combined; /* the scorers to measure; NULL: none */
};

void voters_init(struct voters *voters, rdv_arena *arena);
/* RDV_E_ARGUMENT: the chain, which has an id, came before and would cast two votes, as eval refuses
 * it (docs/adr/0038). Temporary data are allocated in `arena`. RDV_OK, RDV_E_NOMEM. */
int voters_refuse_again(struct voters *voters, const rdv_chain *chain, rdv_arena *arena,
                        rdv_error *err);
/* Add one chain with its grade; everything is copied. RDV_E_NOMEM. */
int voters_add(struct voters *voters, const rdv_chain *chain, const rdv_grade *grade,
               const vote_weight *weight, rdv_error *err);

/* Give each ballot of the question its weight by `combined`. Temporary data are allocated in
 * `arena`. RDV_E_NOMEM. */
int voters_weigh(const struct voters *voters, struct question_voters *question, rdv_arena *arena,
                 rdv_error *err);
