/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* One job of the engine: its request, its progress, and its output so far. */
#include "lm/lm.h"

#include "lm/cache.h"
#include "lm/reply.h"
#include "lm/sample.h"

typedef enum job_state { JOB_WAITING, JOB_RUNNING, JOB_ENDED } job_state;

typedef struct job job;
struct job {
    uint64_t id;
    void *user;
    rdv_arena *arena;    /* holds the job too */
    job *before, *after; /* in the list of its state */
    job_state state;
    bool announced; /* in the queue of events */
    job *after_announced;

    lm_sampling sampling;
    uint32_t top;
    bool stream, score;
    size_t score_from;

    uint32_t *tokens; /* the prompt, then what was generated (the ending token too) */
    size_t n_prompt, n_tokens, cap_tokens;
    size_t most_tokens; /* n_prompt and what may be generated */

    rdv_lm_token *scored;
    size_t n_scored;
    bool *is_step_end; /* of each place of the prompt; NULL: the job wants no steps */
    size_t last_step_end;
    double *step_logits;
    size_t n_step_logits;
    rdv_lm_token *made;
    size_t n_made, cap_made;
    size_t *ends; /* of a made token: bytes of the reply up to its end */
    size_t cap_ends;
    reply_text text;
    rdv_lm_finish finish;
    size_t told_text, told_tokens; /* of text and made: already in an event */

    /* Running only: the blocks of the first `computed` tokens, and room for the next. */
    uint32_t *blocks;
    float **data;
    size_t n_blocks;
    size_t computed;
    size_t settled; /* blocks that cache_settle() has seen */
    size_t need;    /* the next place whose logits are wanted */
    uint64_t cached;

    /* The batch being computed. */
    size_t first_row, n_rows;
};

/* A new job with a checked copy of its request. NULL and a fault: see rdv_lm_submit(). */
job *job_new(const rdv_lm *lm, const rdv_lm_job *asked, rdv_error *err);
void job_free(job *j);

/* Tokens that have to be computed before there is nothing left to do, or something is generated. */
size_t job_goal(const job *j);
/* Will the logits of place `at`, or the step head's, be used? */
static inline bool job_wants(const job *j, size_t at)
{
    return at >= j->need && (!j->is_step_end || j->is_step_end[at]);
}
/* Take the step head's logit of place `at`, the places in order; the last one ends the job. */
void job_accept_step(job *j, size_t at, double logit);
/* Where the result for place `at` goes: a scored or a made token, with room for its alternatives.
 * NULL: out of memory. */
rdv_lm_token *job_result(job *j, size_t at);
/* Use the result for place `at`, which is filled in; this may end the job. False: out of
 * memory. */
bool job_accept(job *j, const rdv_lm *lm, size_t at);
