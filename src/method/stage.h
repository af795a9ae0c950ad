/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Methods as tables of stages. A stage is one prompt, asked once a chain or once a step, that waits
 * for other stages; its reader says what the reply says. The last one gives the verdict, of each
 * step or of the whole chain. check.c turns a table into nodes of a plan and what the stages said
 * into verdicts. */
#include "method/method.h"
#include "method/read.h"
#include "plan/plan.h"
#include "prompt/prompt.h"

typedef enum stage_per { STAGE_PER_STEP, STAGE_PER_CHAIN } stage_per;

/* What the reply of one stage said. Only what its reader sets counts. */
typedef struct said {
    const node *node; /* its state tells whether there is anything */
    rdv_str text;     /* the reply, trimmed */
    rdv_verdict_is verdict;
    rdv_str why; /* the sentence of `text` that the verdict was read from */
    read_ids ids;
    bool all_items; /* no id could be read: all earlier items were taken */
    rdv_str *lines;
    size_t *first_named; /* of each line: see stage_first_named() */
    size_t n_lines;
} said;

#define MAX_STAGES 6
#define MAX_AFTER 4

typedef struct check_run check_run;

/* One stage at one step while it is asked or read. */
typedef struct stage_view {
    check_run *run;
    size_t stage;
    size_t step;   /* the step checked; RDV_WHOLE_CHAIN for a stage of the chain */
    bool earlier;  /* asking: as in its stage */
    bool last_try; /* reading: it will not be asked again */
} stage_view;

typedef struct stage {
    const char *name;    /* "target"; the node's stage is "METHOD/target" */
    const char *prompt;  /* the id of its prompt */
    const char *said_as; /* its name in the evidence */
    stage_per per;
    const char *after[MAX_AFTER]; /* stages it waits for: of its step, or of the chain */
    bool optional;                /* what waits for it goes on without it */
    bool earlier;                 /* the prompt's `steps` are those before the step, not up to it */
    /* Read `reply` into *out, keeping copies in `arena`. RDV_NONE: it cannot be read. */
    int (*read)(const stage_view *v, rdv_str reply, rdv_arena *arena, said *out);
    const char *dry; /* a plausible reply of ordinary length */
} stage;

/* A method at work on one chain. */
struct check_run {
    rdv_plan *plan;
    const method_entry *method;
    const rdv_chain *chain;
    size_t place;       /* of the chain in the plan */
    rdv_str *sentences; /* of the question: "Information j" */
    size_t n_sentences;
    size_t n_stages;        /* at work: none when the chain has no step */
    said *said[MAX_STAGES]; /* per stage: one, or one a step */
    node_group *group;
    rdv_check check;       /* the result, once `finished` is called */
    const rdv_check *also; /* other checks that it made, which stand before it; usually none */
    size_t n_also;
    /* Called once when all stages are settled; not when the run was dropped. */
    int (*finished)(check_run *run, rdv_error *err);
    void *data;
    int (*drop)(check_run *run, rdv_error *err); /* of a method that asks in its own way, or NULL */
    bool dropped;
};

/* What stage `name`, which stands before this one, said at this view's step or for the chain.
 * NULL: there is no such stage. */
const said *stage_said(const stage_view *v, const char *name);
/* The values that every prompt of a method may use; steps[0..step], previous and information are
 * narrowed by the ids of the stage "collect" where `selected`. In `arena`. */
int stage_values(const stage_view *v, bool selected, rdv_arena *arena, prompt_value **values,
                 size_t *n);

/* Before which step the variable that a line defines is known: 0 when the question names it or the
 * line defines none, i + 1 when step i is the first to name it; behind the last when none does. */
size_t stage_first_named(const check_run *run, rdv_str line);
/* What is said in asking: the prompt of that id with the view's values, how to sample, everything
 * in `arena`. RDV_NONE with n->why set: such a prompt would be too large (docs/prompts.md). */
int stage_ask(const stage_view *v, const char *prompt_id, bool selected, node *n, rdv_arena *arena,
              rdv_request *request, rdv_error *err);

/* Every method of the plan on one of its chains. `done` is called once when all have concluded; the
 * checks then stand in the chain, in the order of the methods. */
typedef struct chain_checks chain_checks;
/* Can the methods check as the options say? A plan is refused before anything is spent on it. */
int chain_checks_possible(const rdv_plan_options *options, rdv_error *err);
int chain_checks_start(chain_checks **out, rdv_plan *plan, size_t place,
                       int (*done)(rdv_plan *, size_t place, void *data, rdv_error *), void *data,
                       rdv_error *err);
/* The calls that all methods made, when they have concluded: those of `general` once, and not again
 * as those of its verifiers. */
uint64_t chain_checks_calls(const chain_checks *checks);
/* None of it is needed any more: requests are cancelled and `done` is never called. */
int chain_checks_drop(chain_checks *checks, rdv_error *err);

/* Begin to check plan->chains[place] with `method`. The chain's steps must not change any more. */
int check_start(check_run **out, rdv_plan *plan, size_t place, const method_entry *method,
                int (*finished)(check_run *, rdv_error *), void *data, rdv_error *err);
/* It is no longer needed: its requests are cancelled and `finished` is never called. */
int check_drop(check_run *run, rdv_error *err);

/* The part of a chain of the plan that is to be checked; NULL: out of memory. */
const rdv_chain *check_part(rdv_plan *plan, size_t place);
/* The name of one draw for one step of the run's chain, or for the chain. RDV_OK or RDV_E_NOMEM. */
int check_name_sample(const check_run *run, size_t step, size_t sample, rdv_arena *arena,
                      rdv_str *out);

/* Readers that several methods share. */
int stage_keep_text(const stage_view *v, rdv_str reply, rdv_arena *arena, said *out);
int stage_keep_collected(const stage_view *v, rdv_str reply, rdv_arena *arena, said *out);
int stage_keep_conclusion(const stage_view *v, rdv_str reply, rdv_arena *arena, said *out);
