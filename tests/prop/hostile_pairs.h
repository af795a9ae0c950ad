/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Pairs of an answer and a gold answer that are made to hang, crash or mislead a grader, and of
 * which it is known from how they are made whether they are the same. */
#include "base/buf.h"
#include "base/rng.h"

typedef enum hostile_truth {
    HOSTILE_DIFFERENT,
    HOSTILE_SAME,
    HOSTILE_OPEN /* not known, as of random bytes */
} hostile_truth;

typedef struct hostile_pair {
    const char *family; /* what kind of pair it is, a static string */
    rdv_str answer, gold;
    bool whole; /* the answer is a whole reply, from which it has to be read */
    hostile_truth truth;
} hostile_pair;

size_t hostile_families(void);
/* How many percent of the pairs of a family are decided at least. */
unsigned hostile_decided(size_t family);
/* A pair of that family, in `arena`: its size is about `size`, the number of its nested or repeated
 * parts, at least 1. False when out of memory. */
bool hostile_make(size_t family, size_t size, rdv_rng *rng, rdv_arena *arena, hostile_pair *out);
