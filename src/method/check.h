/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The engine: one method at work on one chain of a plan. Only the engine starts requests, names and
 * orders them, drops those that are not needed, counts calls, and cuts a chain to the part that is
 * checked. The specifics of a method are in its table. How a stage asks, how its reply is read and
 * how a method concludes are rows of three tables: request_forms, readers, conclusions. */
#include "method/method.h"
#include "method/prompt_request.h"
#include "plan/plan.h"
#include "reply/ground.h"

typedef struct check_run check_run;

/* The result of one stage in one place: one sample, for the whole chain or for a step. The reader
 * of the stage sets the data that it finds. */
typedef struct step_result {
    check_run *run;
    const stage *stage;
    size_t step;  /* RDV_WHOLE_CHAIN: of the chain */
    node *node;   /* its state tells whether the reply was read; NULL: no request was made */
    rdv_str text; /* the reply, trimmed, even if it could not be read; p == NULL: none */
    rdv_verdict_kind verdict;
    reply_ground by; /* the sentence of `text` that decides, and the row that describes it */
    void *data;  /* private data of the reader */
} step_result;

static inline bool result_is_read(const step_result *r)
{
    return r->node && r->node->state == NODE_ANSWERED;
}

struct check_run {
    rdv_plan *plan;
    const method_entry *method;
    const rdv_chain *chain;                 /* the part that is checked */
    size_t chain_index;                     /* in the plan */
    step_result *results[TABLE_MAX_STAGES]; /* per stage: for the chain or each step one, in the
                                               last stage `samples` */
    size_t samples;
    size_t begun, decided;                  /* steps */
    const rdv_check *before; /* check of the first `known` steps, made when the chain was shorter */
    size_t known;
    void *turns;     /* REQUEST_TURNS: the conversation, made once */
    bool chain_open; /* a stage of the whole chain is not settled */
    bool going_on, concluded, dropped;
    check_run *parts[METHOD_MAX_PARTS]; /* of a method that combines others */
    rdv_check *part_checks;
    size_t n_parts, parts_open;
    rdv_check check;       /* the result, once `finished` is called */
    const rdv_check *also; /* further checks that the method made; they come before `check` */
    size_t n_also;
    /* Called once when the method has concluded; not called if the run was dropped. */
    int (*finished)(check_run *run, rdv_error *err);
    void *data;
};

/* Begins to check plan->chains[chain_index] with `method`. The chain's steps must not change any
 * more. `finished` may be called from here. */
int check_start(check_run **out, rdv_plan *plan, size_t chain_index, const method_entry *method,
                int (*finished)(check_run *, rdv_error *), void *data, rdv_error *err);
/* Drops a run that is no longer needed: its requests are cancelled and `finished` is never
 * called. */
int check_drop(check_run *run, rdv_error *err);

/* The result of a stage for a step (ignored by a stage of the chain), sample 0. */
step_result *check_result(const check_run *run, const stage *s, size_t step);
/* The stage that concludes. */
const stage *check_last_stage(const check_run *run);
/* The number of results, contiguous, that a stage has for a step. */
size_t check_samples(const check_run *run, const stage *s);

/* ---- the three closed lists ------------------------------------------------------------------ */

typedef struct request_writer {
    /* Fills in the request (not id, key, stage, sample). RDV_NONE with n->why set: the request
     * cannot be made. */
    int (*write)(const step_result *r, node *n, rdv_arena *arena, rdv_request *request,
                 rdv_error *err);
    bool once; /* a reply that cannot be read is not asked for again */
} request_writer;

extern const request_writer request_writers[N_REQUEST_FORMS];

typedef struct reader {
    /* Reads the reply into *r and keeps copies in `arena`. RDV_NONE: it cannot be read. */
    int (*read)(step_result *r, const rdv_reply *reply, rdv_arena *arena, rdv_error *err);
    /* Adds the data that was read to the evidence under that name. NULL: adds the text. */
    bool (*note)(const step_result *r, rdv_arena *arena, rdv_evidence *map, rdv_str name);
    /* The value that a later prompt about `step` is given; p == NULL: out of memory. NULL: the
     * text. */
    rdv_str (*value)(const step_result *r, size_t step, rdv_arena *arena);
    bool one_token, numbers; /* see node_kind */
} reader;

extern const reader readers[N_READERS];

/* Whether reading the stage's replies leaves more than a verdict or a number, which reader_assume()
 * cannot make: items, claims, definitions, log-probabilities, rewards. */
bool reader_keeps_data(const stage *s);
/* Sets what an estimate assumes instead of a reply: that the step or the chain is right. The text
 * of the example is kept, with the items that it names if it was read (`is_read`). RDV_OK or
 * RDV_E_NOMEM. */
int reader_assume(step_result *r, bool is_read, rdv_arena *arena, rdv_error *err);

/* True if the example of a stage can be read as its table says; always true for readers that need a
 * chain. False with RDV_OK in *code, or RDV_E_NOMEM. */
bool reader_takes_example(const stage *s, rdv_arena *arena, rdv_str *why, int *code);
/* The reminder in a second question at temperature 0 when the prompt lists no answers. p == NULL
 * with RDV_OK in *code: none. */
rdv_str reader_reminder(const stage *s, rdv_arena *arena, int *code);

/* The items that READER_ITEMS found; NULL: none could be read, and all earlier items count. */
const prompt_citations *reader_citations(const step_result *r);

/* The result of READER_CLAIMS: result->data. */
typedef struct listed_claims {
    struct reply_claim *claims;
    size_t n;
} listed_claims;

/* Adds the results of the stages for a step (RDV_WHOLE_CHAIN: for the chain) to `evidence`,
 * including replies that could not be read. False: out of memory. */
bool check_note_stages(const check_run *run, size_t step, rdv_evidence *evidence);

typedef struct conclusion {
    /* Fills run->check, except calls and tokens. */
    int (*conclude)(check_run *run, rdv_error *err);
    /* A search that extends a chain keeps the verdicts of the steps already checked. */
    bool keeps_steps;
    /* The following members are for a conclusion that can be reached without asking. True if it
     * needs a model with these options. */
    bool (*needs_model)(const rdv_check_options *options);
    /* True if that chain of a plan is computed, too. NULL: chains are computed if no model is
     * needed. */
    bool (*computes)(const rdv_chain *chain);
    int (*compute)(const method_entry *self, const rdv_chain *chain,
                   const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                   rdv_error *err);
} conclusion;

extern const conclusion conclusions[N_CONCLUSIONS];

int conclude_mean(check_run *run, rdv_error *err);
int perplexity_conclude(check_run *run, rdv_error *err);

bool conclude_calculations_need_model(const rdv_check_options *options);
int conclude_calculations_compute(const method_entry *self, const rdv_chain *chain,
                                  const rdv_check_options *options, rdv_arena *arena,
                                  rdv_check *check, rdv_error *err);
bool perplexity_needs_model(const rdv_check_options *options);
bool perplexity_is_known(const rdv_chain *chain);
int perplexity_compute(const method_entry *self, const rdv_chain *chain,
                       const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                       rdv_error *err);
