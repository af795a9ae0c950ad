/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The ballots of all questions, gathered from chains in any order. Of a chain its ballot is kept
 * (some dozens of bytes), of answers and ids each different one once. */
#include "weight.h"

#include "base/map.h"

struct asked {
    rdv_str id;
    rdv_ballot *ballots; /* in the order of the chains */
    uint64_t *calls;     /* of each chain's check */
    size_t n, cap, cap_calls;
};

struct ballots {
    rdv_arena *arena;        /* holds everything */
    struct asked *questions; /* in the order in which they first appear */
    size_t n, cap;
    rdv_map by_id, texts;
};

void ballots_init(struct ballots *ballots, rdv_arena *arena);
/* Take in one chain; `scratch` is for what need not be kept. RDV_E_NOMEM. */
int ballots_add(struct ballots *ballots, const rdv_chain *chain, const struct weight *weight,
                rdv_arena *scratch, rdv_error *err);
