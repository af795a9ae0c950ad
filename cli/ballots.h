/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The ballots of all questions, gathered from chains in any order. Of a chain its ballot is kept
 * (some dozens of bytes), of answers and ids each different one once. */
#include "judge.h"
#include "weight.h"

#include "base/map.h"

/* What a ballot does not say of its chain. */
struct voter {
    rdv_str shown;     /* its answer, for people */
    uint64_t calls;    /* of its check */
    double perplexity; /* NaN: not known */
};

struct asked {
    rdv_str id;
    rdv_ballot *ballots;  /* in the order of the chains */
    struct voter *voters; /* of the same chains */
    size_t n, cap_ballots, cap_voters;
};

struct ballots {
    rdv_arena *arena;        /* holds everything */
    struct asked *questions; /* in the order in which they first appear */
    size_t n, cap;
    rdv_str *texts; /* each different key and answer */
    size_t n_texts, cap_texts;
    rdv_map by_id, by_text; /* indices of questions and texts */
};

void ballots_init(struct ballots *ballots, rdv_arena *arena);
/* Take in one chain, judged; nothing of it is borrowed. RDV_E_NOMEM. */
int ballots_add(struct ballots *ballots, const rdv_chain *chain, const struct judged *judged,
                const struct weight *weight, rdv_error *err);
