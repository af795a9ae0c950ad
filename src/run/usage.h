/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a call may use, told before it is sent, so that a budget holds it.
 *
 * A token stands for at least one byte of what is sent, and a reply has at most the tokens that the
 * request allows: that is the most. Prompts have far fewer tokens than bytes, so the likely usage
 * follows from the prompts whose tokens the server has counted. A request that allows any number of
 * tokens has no most: the mean of such replies, and a margin, is used instead. */
#include <rederive/base.h>

#define USAGE_NO_LIMIT UINT64_MAX

typedef struct token_usage {
    uint64_t prompt, completion; /* tokens */
} token_usage;

/* What the replies of one server have shown. Zero-initialise. */
typedef struct usage_seen {
    double densest;                    /* tokens of a byte sent; 0: none was counted */
    uint64_t over_bytes, over_limit;   /* the most tokens by which one passed what is the most */
    uint64_t n_free;                   /* replies to requests without a limit: their number, */
    double mean_free, deviations_free; /* mean, and sum of squared deviations */
} usage_seen;

/* A reply came to a request of so many bytes and that limit (USAGE_NO_LIMIT: none). `told`: the
 * server counted the tokens; else they are an estimate, which says nothing of prompts. */
void usage_learn(usage_seen *seen, size_t bytes, uint64_t limit, token_usage used, bool told);
/* The most that such a request may use; without a limit, the mean of such replies and a margin.
 * False: too few such replies came, and `completion` is 0. */
bool usage_most(const usage_seen *seen, size_t bytes, uint64_t limit, token_usage *out);
/* The same with the densest prompt so far in place of a token a byte. False: none was counted. */
bool usage_likely(const usage_seen *seen, size_t bytes, uint64_t limit, token_usage *out);
