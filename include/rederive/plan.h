/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/plan.h - a plan: the requests that one question needs, growing as the replies come in.
 *
 * A plan does no I/O and uses no clock. Its driver takes the requests that are ready, gets the
 * replies from a backend or a journal, and returns them in any order. The result is a pure function
 * of the input and the replies: neither the order of arrival nor the lookahead changes a byte of
 * it.
 *
 *     while (!rdv_plan_done(plan)) {
 *         while (room && rdv_plan_next(plan, &request, err) == RDV_OK)
 *             start(&request);
 *         while (rdv_plan_cancelled(plan, &id) == RDV_OK)
 *             stop(id);
 *         wait for one reply;
 *         rdv_plan_reply(plan, id, &reply, err);        or rdv_plan_fail(plan, id, why, err);
 *     }
 *
 * After RDV_E_NOMEM a plan can only be freed. Thread rule: one plan, one thread at a time. */
#include <rederive/chain.h>
#include <rederive/method.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- requests -------------------------------------------------------------------------------- */

typedef enum rdv_request_kind {
    RDV_REQUEST_CHAT,     /* a reply to `messages` */
    RDV_REQUEST_CONTINUE, /* the continuation of the last message, which is the assistant's, or
                             of `text` */
    RDV_REQUEST_SCORE,    /* the log-probabilities of the tokens of `text` after `messages` */
    RDV_REQUEST_REWARD    /* one score for each of `steps`, a solution to `text` */
} rdv_request_kind;

/* "chat", "continue", "score", "reward": a static string. */
RDV_API const char *rdv_request_kind_name(rdv_request_kind is);

typedef enum rdv_role { RDV_SYSTEM, RDV_USER, RDV_ASSISTANT } rdv_role;

/* "system", "user", "assistant": a static string. */
RDV_API const char *rdv_role_name(rdv_role role);

/* The protocol in which a server of a process reward model is asked for a reward
 * (docs/reward-models.md). */
typedef enum rdv_prm_form {
    RDV_PRM_PAIRS_QWEN = 0, /* a pair of probabilities (wrong, right) at each <extra_0> */
    RDV_PRM_PAIRS_SHEPHERD, /* a pair (right, wrong) at each step's tag */
    RDV_PRM_TOKEN_VALUES    /* a value at each token; the value at the last token of a step
                               counts */
} rdv_prm_form;

/* "qwen", "shepherd", "values": a static string. */
RDV_API const char *rdv_prm_form_name(rdv_prm_form form);

typedef struct rdv_message {
    rdv_role role;
    rdv_str text;
} rdv_message;

/* The model that is asked, one of the run's two. They may be the same. */
typedef enum rdv_model_role { RDV_GENERATOR, RDV_CHECKER } rdv_model_role;

typedef struct rdv_sampling {
    double temperature;  /* >= 0; NaN: the server's default */
    double top_p;        /* in (0,1]; NaN: the server's default */
    uint32_t max_tokens; /* of the reply; 0: the server's default */
    const rdv_str *stop; /* the reply ends before any of these */
    size_t n_stop;
    bool logprobs;         /* request the log-probability of each token of the reply */
    uint32_t top_logprobs; /* and of this many alternatives for each token */
} rdv_sampling;

typedef struct rdv_request {
    uint64_t id; /* within its plan, from 0 */
    rdv_request_kind kind;
    rdv_model_role party;
    rdv_str model;  /* the model's name in the options of the plan; part of the key */
    rdv_str stage;  /* "selfcheck/target": for usage and progress reports */
    rdv_str prompt; /* id of the prompt that was rendered; p == NULL: none */
    const rdv_message *messages;
    size_t n_messages;
    rdv_str text;         /* continue, score, reward; p == NULL: none */
    const rdv_str *steps; /* reward */
    size_t n_steps;
    rdv_prm_form prm; /* reward */
    rdv_sampling sampling;
    /* The allowed conclusions of the reply, for a server with structured output; n_answers == 0:
     * not restricted. `reasoned`: the reply is JSON and reasons before its conclusion. `bare`: the
     * reply is the conclusion itself, because its log-probabilities are used. At most one of the
     * two is set. `offered`: a server that is known to hold replies to a form may be asked to;
     * then none of the four is part of the key, and the reply may be free text as well. */
    const rdv_str *answers;
    size_t n_answers;
    bool reasoned, bare, offered;
    rdv_str reminder; /* states the required form when a request is repeated; p == NULL: none */
    rdv_str sample;   /* the sample id: "chain 3, sample 0, round 0, try 0" */
    unsigned char key[32]; /* SHA-256 of all members above except id, stage, prompt, reminder and
                              what is only offered; identifies the request in journals */
} rdv_request;

/* ---- replies --------------------------------------------------------------------------------- */

typedef struct rdv_alternative {
    rdv_str text;
    double logprob; /* natural */
} rdv_alternative;

typedef struct rdv_token {
    rdv_str text;
    double logprob;               /* natural; NaN: not given (the first token of a scored text) */
    const rdv_alternative *other; /* n_other of them */
    size_t n_other;
} rdv_token;

typedef enum rdv_finish {
    RDV_FINISH_STOP,   /* complete: the model ended it, or a stop text was reached */
    RDV_FINISH_LENGTH, /* cut off at max_tokens: read only if a single token was requested */
    RDV_FINISH_OTHER,  /* failed: an error, a filter, a tool call, or an empty reply; never read */
    RDV_FINISH_UNSAID  /* the server gives no reply a reason, so that this one may be whole; never
                          read either */
} rdv_finish;

typedef struct rdv_reply {
    rdv_str text;            /* valid UTF-8 */
    const rdv_token *tokens; /* of the reply (chat, continue) or the text (score); n_tokens == 0:
                                not available, and never guessed */
    size_t n_tokens;
    const double *rewards; /* reward: one per step; NaN: missing */
    size_t n_rewards;
    rdv_finish finish;
    rdv_str finish_said; /* the server's word for RDV_FINISH_OTHER ("content_filter"), or its member
                            and value ("status: failed"); of an empty reply, where its text is;
                            p == NULL: not given */
    bool usage;          /* the server reported the counts below */
    uint64_t prompt_tokens, completion_tokens;
    rdv_str adapted; /* what was changed in the request or the reply ("temperature left out; n
                        asked one by one"); p == NULL: nothing */
    bool dry;        /* made by rdv_plan_dry_reply(): it counts as answered, whatever its text */
} rdv_reply;

/* The reason why a request gets no reply. */
typedef enum rdv_failure {
    RDV_FAIL_REFUSED,     /* the server refused the request and would refuse it again (wrong key,
                             bad request) */
    RDV_FAIL_UNREACHABLE, /* every allowed try failed */
    RDV_FAIL_UNREADABLE,  /* the response was not a reply */
    RDV_FAIL_TIMEOUT,
    RDV_FAIL_BUDGET,      /* a budget of the run is used up */
    RDV_FAIL_UNAVAILABLE, /* the server does not support such a request (score, reward) */
    RDV_FAIL_CANCELLED,   /* the run ends early */
    RDV_FAIL_MISSING      /* replay: the transcript has no such reply */
} rdv_failure;

/* "refused", "unreachable", ...: a static string; it is the `why` of an unknown verdict. */
RDV_API const char *rdv_failure_name(rdv_failure failure);

/* ---- options of a plan ----------------------------------------------------------------------- */

typedef enum rdv_profile {
    RDV_ROBUST = 0, /* the default: readers guarded against what models write, see
                       docs/selfcheck.md */
    RDV_PAPER       /* the paper's prompts and rules to the letter */
} rdv_profile;

/* How solutions are generated (solve). */
typedef enum rdv_generate_kind {
    RDV_GENERATE_STEPS = 0, /* in one reply, which is cut into steps (SelfCheck, appendix A) */
    RDV_GENERATE_THOUGHTS,  /* one thought per call, after three exemplars, until a thought
                               states the answer (BIG-Bench Mistake, appendix A.1); the prompt's
                               temperature is 0 */
    RDV_GENERATE_ZERO_SHOT  /* "Let's think step by step"; each line is a step (general-purpose
                               verification, section 3.2) */
} rdv_generate_kind;

/* The estimate that a plan driven with rdv_plan_dry_reply() gives. */
typedef enum rdv_bound {
    RDV_BOUND_NONE = 0, /* every reply is readable at the first try, checks find no error, and
                           votes agree */
    RDV_BOUND_LEAST,    /* the same, and each decision is made as early as any replies allow */
    RDV_BOUND_MOST      /* each decision is made as late as possible, and each request is repeated
                           as often as unreadable replies allow */
} rdv_bound;

/* The text of a prompt that replaces the compiled-in prompt of the same id or adds a new prompt. */
typedef struct rdv_prompt_text {
    rdv_str id;
    rdv_str text; /* the whole prompt file, including its head */
    bool added;   /* a user-defined method needs it; no compiled-in prompt has this id */
} rdv_prompt_text;

/* The prompts of a run, read once and used by all its plans. It is immutable, so any number of
 * threads may use it. */
typedef struct rdv_prompts rdv_prompts;

/* The compiled-in prompts, with replacements and additions from `texts`. A replacement declares the
 * same variables as the compiled-in prompt. *out: owned by the caller, released with
 * rdv_prompts_free() after every plan that uses it; it borrows the texts until then; NULL on
 * failure. Faults: RDV_E_NOMEM; RDV_E_INPUT (not a prompt, an unknown id, different variables, a
 * duplicate id, or an addition whose id exists), with id and line; RDV_E_LIMIT (longer or deeper
 * than docs/prompts.md states). */
RDV_API int rdv_prompts_new(const rdv_prompt_text *texts, size_t n, rdv_prompts **out,
                            rdv_error *err);
/* Release it; *prompts may be NULL and becomes NULL. */
RDV_API void rdv_prompts_free(rdv_prompts **prompts);

/* Fill with rdv_plan_options_default(), then set members. Everything it points to is borrowed until
 * the plan is freed, except `check`, which is copied. */
typedef struct rdv_plan_options {
    size_t size;                      /* sizeof(rdv_plan_options) */
    rdv_str generator, checker;       /* model names, for the keys; checker p == NULL: the
                                         generator's */
    const rdv_method *const *methods; /* checks, in this order; the confidence of the last one
                                         counts in the vote */
    size_t n_methods;
    const rdv_check_options *check; /* NULL: rdv_check_options_default() (default) */
    rdv_profile profile;
    double temperature;         /* NaN: the temperature of each prompt */
    uint64_t seed;              /* part of sample ids unless 0; another seed gives other draws */
    size_t chains;              /* solve: solutions to generate; default 10 */
    rdv_generate_kind generate; /* solve: how; default RDV_GENERATE_STEPS */
    size_t max_steps;           /* limit for stepwise generation, 0: 200; for beam search, 0: 30 */
    /* solve: beam search over partial chains while solutions are written (docs/general.md).
     * `chains`, `generate` and `stop` are then ignored. */
    bool beam_search;
    size_t beam_width;         /* partial chains kept, and solutions at the end; default 4 */
    size_t expansions;         /* draws of the next step for each partial chain; default 4 */
    uint64_t generated_tokens; /* no further round after this many generated tokens; 0: no limit */
    rdv_stop_kind stop;        /* solve: none, certain (default), posterior */
    double posterior;          /* solve: P of posterior:P */
    rdv_select_kind select;    /* solve: how the answer is chosen; default weighted */
    size_t lookahead;          /* lookahead of methods that ask step by step; default 1 */
    rdv_prm_form prm_pairs;    /* the form for prm:pooling-pairs; default RDV_PRM_PAIRS_QWEN */
    bool structured;      /* structured output for replies with few possible conclusions, if the
                             server supports it (docs/prompts.md); part of the request and its
                             key. Without it the same is offered in the robust profile, with the
                             compiled-in prompts, and is no part of the key */
    rdv_bound bound;      /* for estimates only; default RDV_BOUND_NONE */
    double prm_threshold; /* a step with a smaller reward is wrong (prm:...); default 0.5 */
    const rdv_prompts *prompts; /* borrowed until the plan is freed; NULL: the compiled-in
                                   prompts, which the plan then parses itself (half of the time
                                   of a short plan) */
    bool keep_exchanges; /* keep the text of every request and reply until the plan is freed, to be
                            shown to people; default false */
    rdv_str question_type; /* the type of question that SelfCheck's prompts state (section 3.1),
                              after "a": "physics"; part of the request and its key. p == NULL
                              (default): of tasks that are recognised by the question's form, the
                              task's ("word sorting"), else "math" */
    bool no_structured;    /* nothing is offered either; ignored with `structured` */
    const rdv_str *criteria; /* the criteria of a rubric (docs/methods.md), borrowed until the plan
                                is freed; part of the request. A method whose prompts use them
                                needs at least one */
    size_t n_criteria;
} rdv_plan_options;

/* One model named "model", no method, the robust profile, the temperature of each prompt, 10
 * chains, stopping by `certain`, weighted votes; the rest zero. `size`: sizeof *options. */
RDV_API void rdv_plan_options_default(rdv_plan_options *options, size_t size);

typedef struct rdv_plan rdv_plan;

/* A plan that checks `n` chains of one question with every method of the options, in order. The
 * chains are borrowed until rdv_plan_free(). options == NULL: the defaults. On failure *plan is
 * NULL. Faults: RDV_E_NOMEM; RDV_E_ARGUMENT (an option). */
RDV_API int rdv_plan_check(const rdv_chain *chains, size_t n, const rdv_plan_options *options,
                           rdv_plan **plan, rdv_error *err);
/* A plan that generates solutions to `question`, checks them, and votes. Without a method it only
 * generates and votes by majority. Ownership and faults as above. */
RDV_API int rdv_plan_solve(const rdv_question *question, const rdv_plan_options *options,
                           rdv_plan **plan, rdv_error *err);
/* NULL and *NULL are accepted; *plan becomes NULL. */
RDV_API void rdv_plan_free(rdv_plan **plan);

/* ---- driving --------------------------------------------------------------------------------- */

/* Render the next request that is ready; borrowed until it is answered. RDV_NONE: none is ready,
 * either until a reply arrives or for good (see rdv_plan_done()). Faults: RDV_E_NOMEM. */
RDV_API int rdv_plan_next(rdv_plan *plan, rdv_request *request, rdv_error *err);
/* Give the reply to request `id`, which is copied. A reply to a cancelled request is ignored.
 * Faults: RDV_E_NOMEM; RDV_E_ARGUMENT: `id` was not handed out, or is already answered. */
RDV_API int rdv_plan_reply(rdv_plan *plan, uint64_t id, const rdv_reply *reply, rdv_error *err);
/* Report that request `id` gets no reply. Everything that depends on it becomes unknown, with the
 * reason `why` (one line, copied). */
RDV_API int rdv_plan_fail(rdv_plan *plan, uint64_t id, rdv_failure failure, rdv_str why,
                          rdv_error *err);
/* A request that was handed out and is no longer needed; each is returned once. RDV_NONE: no
 * further one. */
RDV_API int rdv_plan_cancelled(rdv_plan *plan, uint64_t *id);
/* No request is ready or in flight: the result is complete. */
RDV_API bool rdv_plan_done(const rdv_plan *plan);
/* End the plan early (a budget, a deadline, Ctrl-C). Unanswered requests become unknown, with
 * `failure` as the reason, and the result is marked partial. Requests in flight are returned as
 * cancelled. */
RDV_API int rdv_plan_close(rdv_plan *plan, rdv_failure failure, rdv_error *err);

/* ---- the result ------------------------------------------------------------------------------ */

/* Valid once rdv_plan_done(): the chains with their checks, in order; chains generated by a solve
 * plan have the ids "QUESTION/0", "QUESTION/1", .... Borrowed from the plan. */
RDV_API const rdv_chain *rdv_plan_chains(const rdv_plan *plan, size_t *n);
/* A solve plan's vote; NULL for a check plan. Borrowed from the plan. */
RDV_API const rdv_result *rdv_plan_result(const rdv_plan *plan);
/* The completion tokens of the generator's and the checker's requests, as far as servers report
 * them. Only requests that the result needed count; cancelled speculation is left out. */
RDV_API void rdv_plan_tokens(const rdv_plan *plan, uint64_t *generated, uint64_t *checked);
/* Whether the plan was closed before its end. */
RDV_API bool rdv_plan_partial(const rdv_plan *plan);

/* A plausible reply to a request, for estimating the cost of a plan before anything is sent. It
 * counts as answered and has ordinary length; with RDV_BOUND_MOST, requests that may be repeated
 * first get an empty reply. In `arena`. */
RDV_API int rdv_plan_dry_reply(const rdv_plan *plan, const rdv_request *request, rdv_arena *arena,
                               rdv_reply *reply, rdv_error *err);

#ifdef __cplusplus
}
#endif
