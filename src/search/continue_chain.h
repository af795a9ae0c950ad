/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Generating a chain step by step (BIG-Bench Mistake, section 2 and appendix A.1): one step a call,
 * "Thought N:" put before each, a newline as stop, until a step says "the answer is" or there are
 * as many steps as allowed. Steps that are kept stand before. Also: one step sampled several times.
 *
 * A step is asked for as more of the assistant's turn (RDV_REQUEST_CONTINUE); where a server cannot
 * go on with a turn, the wire layer asks for it in a user's turn that shows the same text, and says
 * so in the reply (rdv_reply.adapted). */
#include "plan/plan.h"
#include "prompt/prompt.h"

#include <rederive/answer.h>
#include <rederive/chain.h>

#define CONTINUE_MOST_STEPS 200 /* by default; the longest released trace has 126 */

/* From where. Everything borrowed must live as long as the plan. */
typedef struct continue_from {
    const rdv_question *question;
    const rdv_str *kept; /* the steps that stand already */
    size_t n_kept;
    double temperature; /* NaN: the prompt's own, 0, or what the plan's options say */
    size_t most_steps;  /* of the whole chain, those kept included; 0: CONTINUE_MOST_STEPS */
    bool logprobs;      /* wanted of each token */
    rdv_str stage;      /* "solve/thought": for accounts */
    rdv_str sample;     /* names the draw: "chain 3, round 1"; ", step I, sample K" is added */
    uint64_t order;     /* of its nodes, which get at most 2^28 above it */
} continue_from;

/* A step that was generated. */
typedef struct generated_step {
    rdv_str text; /* one line, trimmed, without "Thought N:"; p == NULL: none came, see node->why */
    double logprob;      /* natural, the sum over its tokens; NaN: not to be had */
    double mean_logprob; /* that by the number of tokens; NaN */
    size_t n_tokens;
    rdv_answer answer; /* answer.text.p == NULL: the step announces none */
    const node *node;  /* its state, why, calls and tokens */
} generated_step;

typedef enum continuation_end {
    CONTINUE_RUNNING,
    CONTINUE_ANSWERED, /* the last step announces the answer */
    CONTINUE_CAPPED,   /* as many steps as allowed, and no answer */
    CONTINUE_BROKEN    /* no further step came: see `why` */
} continuation_end;

typedef struct continuation continuation;
struct continuation {
    rdv_plan *plan;
    continue_from from;
    rdv_str *steps; /* those kept, then those generated */
    size_t n_steps;
    generated_step **generated; /* one a step behind the kept ones; the last may not have come */
    size_t n_generated, cap_generated, cap_steps;
    continuation_end end;
    rdv_str answer; /* p == NULL: none */
    rdv_str why;    /* CONTINUE_BROKEN */
    uint64_t calls, prompt_tokens, completion_tokens;
    /* Called once at the end; not when it was dropped. */
    int (*done)(continuation *c, rdv_error *err);
    void *data;
    bool dropped;
};

/* Begin to generate the steps behind the kept ones. If the kept steps announce an answer already,
 * or are as many as allowed, nothing is asked and `done` is called from here. */
int continue_chain(continuation **out, rdv_plan *plan, const continue_from *from,
                   int (*done)(continuation *, rdv_error *), void *data, rdv_error *err);
/* It is no longer needed: requests are cancelled and `done` is never called. */
int continue_drop(continuation *c, rdv_error *err);

/* The step behind the kept ones, drawn `n` times. */
typedef struct step_samples step_samples;
struct step_samples {
    rdv_plan *plan;
    continue_from from;
    generated_step *samples; /* in their own order */
    size_t n;
    uint64_t calls, prompt_tokens, completion_tokens;
    /* Called once when all have come or failed; not when it was dropped. */
    int (*done)(step_samples *s, rdv_error *err);
    void *data;
    bool dropped;
};

int continue_sample_step(step_samples **out, rdv_plan *plan, const continue_from *from, size_t n,
                         int (*done)(step_samples *, rdv_error *), void *data, rdv_error *err);
int continue_sample_drop(step_samples *s, rdv_error *err);

/* Does the step announce the answer? What it announces into *out; RDV_NONE: it does not. */
int continue_step_answer(rdv_str step, rdv_answer *out);
