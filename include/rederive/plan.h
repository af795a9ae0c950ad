/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/plan.h - a plan: the requests that one question needs, growing as the replies come in.
 *
 * A plan does no I/O and knows no clock and no disk. Whoever drives it takes the requests that are
 * ready, gets replies from wherever (a server, the built-in model, a journal), and gives them back
 * in any order. What it concludes is a pure function of its input and the replies: neither the
 * order of arrival nor what ran ahead changes a byte of it.
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

/* ---- what is asked --------------------------------------------------------------------------- */

typedef enum rdv_request_kind {
    RDV_REQUEST_CHAT,     /* a reply to `messages` */
    RDV_REQUEST_CONTINUE, /* more of the last message, which is the assistant's; or of `text` */
    RDV_REQUEST_SCORE,    /* the log-probabilities of the tokens of `text` after `messages` */
    RDV_REQUEST_REWARD    /* one score for each of `steps`, a solution to `text` */
} rdv_request_kind;

/* "chat", "continue", "score", "reward": a static string. */
RDV_API const char *rdv_request_kind_name(rdv_request_kind is);

typedef enum rdv_role { RDV_SYSTEM, RDV_USER, RDV_ASSISTANT } rdv_role;

/* "system", "user", "assistant": a static string. */
RDV_API const char *rdv_role_name(rdv_role role);

/* How a server of a process reward model is asked for a reward (docs/reward-models.md). */
typedef enum rdv_prm_form {
    RDV_PRM_PAIRS_QWEN = 0, /* a pair of chances (wrong, right) at each <extra_0> */
    RDV_PRM_PAIRS_SHEPHERD, /* a pair (right, wrong) at each step's tag */
    RDV_PRM_TOKEN_VALUES    /* a value at each token; that of a step's last one counts */
} rdv_prm_form;

/* "qwen", "shepherd", "values": a static string. */
RDV_API const char *rdv_prm_form_name(rdv_prm_form form);

typedef struct rdv_message {
    rdv_role role;
    rdv_str text;
} rdv_message;

/* Which of the run's two models is asked. They may be the same. */
typedef enum rdv_model_role { RDV_GENERATOR, RDV_CHECKER } rdv_model_role;

typedef struct rdv_sampling {
    double temperature;  /* >= 0; NaN: the server's own */
    double top_p;        /* in (0,1]; NaN: the server's own */
    uint32_t max_tokens; /* of the reply; 0: the server's own */
    const rdv_str *stop; /* the reply ends before any of these */
    size_t n_stop;
    bool logprobs;         /* the log-probability of each token of the reply is wanted */
    uint32_t top_logprobs; /* and of so many alternatives at each place */
} rdv_sampling;

typedef struct rdv_request {
    uint64_t id; /* within its plan, from 0 */
    rdv_request_kind kind;
    rdv_model_role party;
    rdv_str model;  /* the model's name as the plan was told; part of the key */
    rdv_str stage;  /* "selfcheck/target": for accounts and progress */
    rdv_str prompt; /* id of the prompt that was filled in; p == NULL: none was */
    const rdv_message *messages;
    size_t n_messages;
    rdv_str text;         /* continue, score, reward; p == NULL: none */
    const rdv_str *steps; /* reward */
    size_t n_steps;
    rdv_prm_form prm; /* reward */
    rdv_sampling sampling;
    /* What the conclusion of the reply may be, for a server that can hold replies to a form;
     * n_answers == 0: not to be held. As JSON: `reasoned`: the reply reasons before it. As it is,
     * since its log-probabilities count: `bare`. Not both. */
    const rdv_str *answers;
    size_t n_answers;
    bool reasoned, bare;
    rdv_str reminder; /* of the form of the reply, where it is asked for once more; p == NULL */
    rdv_str sample;   /* which of several draws this is: "chain 3, sample 0, round 0, try 0" */
    unsigned char key[32]; /* SHA-256 of all above but id, stage, prompt, reminder; names it in
                              journals */
} rdv_request;

/* ---- what comes back ------------------------------------------------------------------------- */

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
    RDV_FINISH_STOP,   /* by itself or at a stop text: whole */
    RDV_FINISH_LENGTH, /* cut off at max_tokens: read only where one token was all that was asked */
    RDV_FINISH_OTHER   /* failed: an error, a filter, a tool call, or nothing said; never read */
} rdv_finish;

typedef struct rdv_reply {
    rdv_str text;            /* valid UTF-8 */
    const rdv_token *tokens; /* of the reply (chat, continue) or the text (score); n_tokens == 0:
                                not to be had, and never to be guessed */
    size_t n_tokens;
    const double *rewards; /* reward: one a step; NaN: missing */
    size_t n_rewards;
    rdv_finish finish;
    rdv_str finish_said; /* the server's word for RDV_FINISH_OTHER ("content_filter"); p == NULL */
    bool usage;          /* the counts below were given by the server */
    uint64_t prompt_tokens, completion_tokens;
    rdv_str adapted; /* what was changed in asking or reading ("temperature left out; n asked one by
                        one"); p == NULL: nothing */
    bool dry;        /* made by rdv_plan_dry_reply(): it counts as answered, whatever it says */
} rdv_reply;

/* Why no reply will come. */
typedef enum rdv_failure {
    RDV_FAIL_REFUSED,     /* the server said no, and will again (wrong key, bad request) */
    RDV_FAIL_UNREACHABLE, /* tried as often as allowed */
    RDV_FAIL_UNREADABLE,  /* what came was not a reply */
    RDV_FAIL_TIMEOUT,
    RDV_FAIL_BUDGET,      /* the run may not spend more */
    RDV_FAIL_UNAVAILABLE, /* this server cannot do such a request (score, reward) */
    RDV_FAIL_CANCELLED,   /* the run is ending */
    RDV_FAIL_MISSING      /* replay: the transcript has no such reply */
} rdv_failure;

/* "refused", "unreachable", ... : a static string; what stands in an unknown verdict's `why`. */
RDV_API const char *rdv_failure_name(rdv_failure failure);

/* ---- what a plan is to do -------------------------------------------------------------------- */

typedef enum rdv_profile {
    RDV_ROBUST = 0, /* the default: our readers, see docs/selfcheck.md */
    RDV_PAPER       /* the paper's prompts and rules to the letter */
} rdv_profile;

/* How solutions are generated (solve). */
typedef enum rdv_generate_kind {
    RDV_GENERATE_STEPS = 0, /* in one reply that is cut into steps (SelfCheck, appendix A) */
    RDV_GENERATE_THOUGHTS,  /* a thought a call, after three exemplars, until the answer is said
                               (BIG-Bench Mistake, appendix A.1); the prompt's temperature is 0 */
    RDV_GENERATE_ZERO_SHOT  /* "Let's think step by step"; a step is a line (general-purpose
                               verification, section 3.2) */
} rdv_generate_kind;

/* What a plan that is answered by rdv_plan_dry_reply() estimates. */
typedef enum rdv_bound {
    RDV_BOUND_NONE = 0, /* every reply can be read at once, checks find no error, and votes agree */
    RDV_BOUND_LEAST, /* the same, and each decision falls as early as any replies could make it */
    RDV_BOUND_MOST   /* each decision falls as late as it can, and each request is repeated as
                        often as an unreadable reply could make it */
} rdv_bound;

/* The text of a prompt that replaces the compiled-in one of the same id, or is added to them. */
typedef struct rdv_prompt_text {
    rdv_str id;
    rdv_str text; /* a whole prompt file, head included */
    bool added;   /* a method of the user's own needs it: there is none of that id yet */
} rdv_prompt_text;

/* The prompts of a run, read once and used by all its plans. It never changes, so that any number
 * of threads may use one. */
typedef struct rdv_prompts rdv_prompts;

/* The compiled-in prompts, each replaced by the text of the same id where `texts` has one, and
 * those that are added. A replacement declares the variables that the compiled-in one declares.
 * *out: the caller's, released with rdv_prompts_free() after every plan that uses it; it borrows
 * the texts until then; NULL on failure. Faults: RDV_E_NOMEM; RDV_E_INPUT (not a
 * prompt, an unknown id, other variables, one id twice, an added one that is there), with id and
 * line; RDV_E_LIMIT (longer or deeper than docs/prompts.md states). */
RDV_API int rdv_prompts_new(const rdv_prompt_text *texts, size_t n, rdv_prompts **out,
                            rdv_error *err);
/* Release it; *prompts becomes NULL, and may be so before. */
RDV_API void rdv_prompts_free(rdv_prompts **prompts);

/* Fill with rdv_plan_options_default(), then set. What it points to is borrowed until the plan is
 * freed, but for `check`, which is copied. */
typedef struct rdv_plan_options {
    size_t size;                      /* sizeof(rdv_plan_options) */
    rdv_str generator, checker;       /* models, for the keys; checker p == NULL: generator */
    const rdv_method *const *methods; /* checks in this order; the last one's confidence votes */
    size_t n_methods;
    const rdv_check_options *check; /* NULL: rdv_check_options_default() (default) */
    rdv_profile profile;
    double temperature;         /* NaN: each prompt's own */
    uint64_t seed;              /* part of sample names when not 0: another seed, other draws */
    size_t chains;              /* solve: solutions to generate; default 10 */
    rdv_generate_kind generate; /* solve: how; default RDV_GENERATE_STEPS */
    size_t max_steps;           /* of a stepwise solution; 0: 200; of a beam search; 0: 30 */
    /* solve: search while solutions are written, a beam over partial chains (docs/general.md).
     * `chains`, `generate` and `stop` do not matter then. */
    bool beam_search;
    size_t beam_width;         /* places, and solutions at the end; default 4 */
    size_t expansions;         /* draws of the next step, for each place; default 4 */
    uint64_t generated_tokens; /* no further round once so many were generated; 0: no limit */
    rdv_stop_kind stop;        /* solve: none, certain (default), posterior */
    double posterior;          /* solve: P of posterior:P */
    rdv_select_kind select;    /* solve: how the answer is chosen; default weighted */
    size_t lookahead;          /* steps asked ahead where a method asks in turn; default 1 */
    rdv_prm_form prm_pairs;    /* what prm:pooling-pairs asks for; default RDV_PRM_PAIRS_QWEN */
    bool structured; /* have replies whose conclusion is one of a few held to them, where the server
                        can (docs/prompts.md); part of what is asked, and so of the keys */
    rdv_bound bound; /* for estimates alone; default RDV_BOUND_NONE */
    double prm_threshold;       /* a step with a smaller reward is wrong (prm:...); default 0.5 */
    const rdv_prompts *prompts; /* borrowed until the plan is freed; NULL: those compiled in, which
                                   the plan then reads itself (half of the time of a short one) */
} rdv_plan_options;

/* One model named "model", no method, the robust profile, each prompt's own temperature, 10 chains,
 * stopping by `certain`, weighted; the rest zero. `size`: sizeof *options. */
RDV_API void rdv_plan_options_default(rdv_plan_options *options, size_t size);

typedef struct rdv_plan rdv_plan;

/* A plan that checks `n` chains of one question with every method of the options, in order. The
 * chains are borrowed until rdv_plan_free(). options == NULL: the defaults. On failure *plan is
 * NULL. Faults: RDV_E_NOMEM; RDV_E_ARGUMENT (an option). */
RDV_API int rdv_plan_check(const rdv_chain *chains, size_t n, const rdv_plan_options *options,
                           rdv_plan **plan, rdv_error *err);
/* A plan that generates solutions to `question`, checks them, and votes; with no method it only
 * generates and votes by majority. As above. */
RDV_API int rdv_plan_solve(const rdv_question *question, const rdv_plan_options *options,
                           rdv_plan **plan, rdv_error *err);
/* NULL and *NULL are accepted; *plan becomes NULL. */
RDV_API void rdv_plan_free(rdv_plan **plan);

/* ---- driving --------------------------------------------------------------------------------- */

/* The next request that is ready, rendered now; borrowed until it is answered. RDV_NONE: none is
 * ready (until a reply comes, or for good: see rdv_plan_done). Faults: RDV_E_NOMEM. */
RDV_API int rdv_plan_next(rdv_plan *plan, rdv_request *request, rdv_error *err);
/* The reply to request `id`, copied. A reply to a cancelled request is ignored. Faults:
 * RDV_E_NOMEM; RDV_E_ARGUMENT: `id` was not handed out, or was answered before. */
RDV_API int rdv_plan_reply(rdv_plan *plan, uint64_t id, const rdv_reply *reply, rdv_error *err);
/* No reply will come to request `id`: what rests on it is unknown, as `why` (one line, copied)
 * says. */
RDV_API int rdv_plan_fail(rdv_plan *plan, uint64_t id, rdv_failure failure, rdv_str why,
                          rdv_error *err);
/* A request that was handed out and is no longer needed, each once. RDV_NONE: no further one. */
RDV_API int rdv_plan_cancelled(rdv_plan *plan, uint64_t *id);
/* Nothing is ready or out any more: the result is complete. */
RDV_API bool rdv_plan_done(const rdv_plan *plan);
/* End here (a budget, a deadline, Ctrl-C): what is not answered becomes unknown, with `failure` as
 * the reason, and the result is marked partial. Outstanding requests come out as cancelled. */
RDV_API int rdv_plan_close(rdv_plan *plan, rdv_failure failure, rdv_error *err);

/* ---- the result ------------------------------------------------------------------------------ */

/* Valid once rdv_plan_done(): the chains with their checks, in order; those generated by a solve
 * plan have ids "QUESTION/0" and on. Borrowed from the plan. */
RDV_API const rdv_chain *rdv_plan_chains(const rdv_plan *plan, size_t *n);
/* A solve plan's vote; NULL for a check plan. Borrowed from the plan. */
RDV_API const rdv_result *rdv_plan_result(const rdv_plan *plan);
/* The tokens that came in reply to what the generator and the checker were asked, as far as servers
 * said: what the result needed, so speculation that was cancelled is left out. */
RDV_API void rdv_plan_tokens(const rdv_plan *plan, uint64_t *generated, uint64_t *checked);
/* Was it closed before its end? */
RDV_API bool rdv_plan_partial(const rdv_plan *plan);

/* A plausible reply to a request, for estimating what a plan will cost before anything is asked: a
 * reply that counts as answered, of ordinary length; with RDV_BOUND_MOST an empty one first,
 * where that is asked for again. In `arena`. */
RDV_API int rdv_plan_dry_reply(const rdv_plan *plan, const rdv_request *request, rdv_arena *arena,
                               rdv_reply *reply, rdv_error *err);

#ifdef __cplusplus
}
#endif
