/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Stepwise generation of a chain (BIG-Bench Mistake, section 2 and appendix A.1): each call writes
 * one step, with "Thought N:" before it and a newline as the stop sequence, until a step ends the
 * chain (search/chain_end.h) or the maximum number of steps is reached. Steps that are kept come
 * first. Also: sampling one step several times.
 *
 * A step is requested as a continuation of the assistant's turn (RDV_REQUEST_CONTINUE). If a server
 * cannot continue a turn, the wire layer asks for the step in a user's turn that shows the same
 * text, and the reply records this (rdv_reply.adapted). */
#include "plan/plan.h"
#include "prompt/prompt.h"

#include <rederive/answer.h>
#include <rederive/chain.h>

#define CONTINUE_MOST_STEPS 200 /* default; the longest released trace has 126 */

/* The starting point. Everything borrowed must live as long as the plan. */
typedef struct continue_from {
    const rdv_question *question;
    const rdv_str *kept; /* the steps that are kept */
    size_t n_kept;
    double temperature; /* NaN: the prompt's own, 0, or the plan's options */
    size_t most_steps;  /* of the whole chain, including those kept; 0: CONTINUE_MOST_STEPS */
    uint32_t most_tokens; /* of a step; 0, and where it has fewer: the prompt's own */
    bool logprobs;        /* requested for each token */
    rdv_str stage;      /* "solve/thought": for accounting */
    rdv_str sample;     /* names the draw: "chain 3, round 1"; ", step I, sample K" is added */
    uint64_t order;     /* of its nodes, which use at most 2^28 values above it */
} continue_from;

/* A step that was generated. */
typedef struct generated_step {
    rdv_str text;   /* one line, trimmed, without "Thought N:"; p == NULL: none, see node->why */
    double logprob; /* natural, the sum over its tokens; NaN: not available */
    double mean_logprob; /* logprob divided by the number of tokens; NaN: not available */
    size_t n_tokens;
    rdv_answer answer; /* answer.text.p == NULL: the step announces no answer */
    node *node;  /* its state, why, calls and tokens */
} generated_step;

typedef enum continuation_end {
    CONTINUE_RUNNING,
    CONTINUE_ANSWERED, /* the last step announces the answer */
    CONTINUE_CAPPED,   /* the maximum number of steps, and no answer */
    CONTINUE_BROKEN    /* a further step could not be generated: see `why` */
} continuation_end;

typedef struct continuation continuation;
struct continuation {
    rdv_plan *plan;
    continue_from from;
    rdv_str *steps; /* those kept, then those generated */
    size_t n_steps;
    generated_step **generated; /* one for each step after those kept; the last may have failed */
    size_t n_generated, cap_generated, cap_steps;
    continuation_end end;
    rdv_str answer; /* p == NULL: none */
    rdv_str why;    /* CONTINUE_BROKEN */
    uint64_t calls, prompt_tokens, completion_tokens;
    /* Called once at the end; not called if the continuation was dropped. */
    int (*done)(continuation *c, rdv_error *err);
    void *data;
    bool dropped;
};

/* Begins to generate the steps after those kept. If the kept steps already announce an answer or
 * reach the maximum number, no request is made and `done` is called from here. */
int continue_chain(continuation **out, rdv_plan *plan, const continue_from *from,
                   int (*done)(continuation *, rdv_error *), void *data, rdv_error *err);
/* Drops a continuation that is no longer needed: requests are cancelled and `done` is never
 * called. */
int continue_drop(continuation *c, rdv_error *err);

/* The step after those kept, sampled `n` times. */
typedef struct step_samples step_samples;
struct step_samples {
    rdv_plan *plan;
    continue_from from;
    generated_step *samples; /* in their own order */
    size_t n;
    uint64_t calls, prompt_tokens, completion_tokens;
    /* Called once when all samples have been read or have failed; not called if they were
     * dropped. */
    int (*done)(step_samples *s, rdv_error *err);
    void *data;
    bool dropped;
};

int continue_sample_step(step_samples **out, rdv_plan *plan, const continue_from *from, size_t n,
                         int (*done)(step_samples *, rdv_error *), void *data, rdv_error *err);
int continue_sample_drop(step_samples *s, rdv_error *err);
