/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The part of a reply that answers the question: models go on with a reply, or a question, of their
 * own invention, and some records hold the whole chat. */
#include <rederive/base.h>

/* The steps of that part; borrowed. `n` may be 0. */
typedef struct reply_span {
    const rdv_str *steps;
    size_t n;
    size_t begin;   /* byte of the first step where it begins */
    size_t end;     /* byte of the last step where it ends */
    size_t skipped; /* steps before the first */
} reply_span;

/* The part of these steps. It ends
 * - at a mark that ends a turn or begins the user's: "<|im_end|>", "<|eot_id|>", "</s>", "[INST]";
 * - once an answer is announced, at a line that begins with "Q:", "Question:", "Human:" or "User:".
 * Where the first step begins with a system's or user's turn, it is a whole chat, and the part
 * begins with its last reply. What was thought is no part of it: it begins after the last
 * "</think>" (or the like), and ends where thinking begins that is not finished. */
reply_span reply_span_of(const rdv_str *steps, size_t n);
/* Step `i`, i < reply->n, as far as it belongs to the part. */
rdv_str reply_span_step(const reply_span *reply, size_t i);
