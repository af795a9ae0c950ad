/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/method.h - methods of checking a chain. A method gives each step a verdict; integration
 * (score.h) turns the verdicts into a confidence. Methods that need a model run in a plan
 * (plan.h). */
#include <rederive/chain.h>
#include <rederive/combine.h>
#include <rederive/math.h>
#include <rederive/reward.h>
#include <rederive/rules.h>
#include <rederive/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The implementation of a method. Opaque. */
typedef struct rdv_method_entry rdv_method_entry;

/* A method. Static and never freed, except that a method made by rdv_method_read() or
 * rdv_reward_method() lives as long as stated there. */
typedef struct rdv_method {
    const char *name;             /* as in --method and in records */
    const char *summary;          /* one line for --help */
    double l1, l0;                /* this method's default weights in the integration */
    bool asks_model;              /* the method may ask a model: see rdv_method_needs_model() */
    const rdv_method_entry *made; /* set by rdv_method_read() and rdv_reward_method(); NULL for the
                                     methods of rdv_method_at() */
} rdv_method;

/* The i-th method in a fixed order; the first is the default. NULL: there are fewer. Static. */
RDV_API const rdv_method *rdv_method_at(size_t i);
/* The method of that name, or NULL. Static. */
RDV_API const rdv_method *rdv_method_named(rdv_str name);

struct rdv_prompts;

/* Reads a method from the text of its table, NAME.method (docs/methods.md). The table is checked
 * against the prompts that it names; plans that use the method must be given the same prompts. *out
 * is allocated in `arena`, lives as long as the arena, and is untouched on failure. Errors:
 * RDV_E_NOMEM; RDV_E_INPUT or RDV_E_LIMIT for a mistake in the table, an example that cannot be
 * read, or a prompt that is missing, has a variable without a value, or has other answers than the
 * table. The message begins with the line in the table, "12: ", or with the file and line of an
 * added prompt, "ID.md:5: ". */
RDV_API int rdv_method_read(rdv_str text, const struct rdv_prompts *prompts, rdv_arena *arena,
                            const rdv_method **out, rdv_error *err);

/* Makes a method of that name (such as "reward:FILE") from a step classifier (reward.h). The method
 * computes and asks no model. The model's rule gives the first error, and that step contradicts.
 * With the rule "threshold", every step whose P(wrong) reaches the threshold contradicts; with
 * "hazard", the steps after the first error are unrelated. The score is P(right). The confidence is
 * the probability that no step is wrong: the product of P(right) if the steps after a mistake were
 * left out in training, otherwise the minimum of P(right). The integration weights are not used.
 * *out is allocated in `arena` and lives as long as the arena and `reward`, which stays the
 * caller's. Errors: RDV_E_NOMEM. */
RDV_API int rdv_reward_method(const rdv_reward *reward, rdv_str name, rdv_arena *arena,
                              const rdv_method **out, rdv_error *err);

/* Source of the calculations that the verifier `math` decides. */
typedef enum rdv_math_by {
    RDV_MATH_MODEL = 0, /* a model lists them, as in the paper (default) */
    RDV_MATH_NATIVE,    /* the library finds them, without a model */
    RDV_MATH_BOTH       /* both; a step holds when neither source finds a wrong one */
} rdv_math_by;

/* Whether the verifier `math` takes part in `general`. */
typedef enum rdv_mathematical {
    RDV_MATHEMATICAL_AUTO = 0, /* if mathematical: see rdv_is_mathematical() (default) */
    RDV_MATHEMATICAL_YES,
    RDV_MATHEMATICAL_NO
} rdv_mathematical;

/* A check that the chain has already, by whatever method: a further verifier of `general`. It
 * judges each step: a score in [0,1] counts as it is, else "support" is 1, "unrelated" 0.5 and
 * "contradict" 0. What it left unknown, or lacks, is unread. */
typedef struct rdv_recorded_verifier {
    rdv_str method; /* the name of the check; not that of one of the four verifiers */
    double weight;  /* >= 0 and finite */
} rdv_recorded_verifier;

#define RDV_MAX_RECORDED_VERIFIERS 8

/* Initialise with rdv_check_options_default(), then set members. Functions that take options use
 * the defaults for NULL. */
typedef struct rdv_check_options {
    size_t size;   /* sizeof(rdv_check_options) */
    double l1, l0; /* weights of the integration; NaN: the method's own (default) */
    rdv_unknown_as unknown;
    rdv_step_range extent; /* the part of each chain that is checked; zero: all of it (default) */
    /* General-purpose verification (docs/general.md): */
    rdv_combination verifiers; /* rdv_combination_default(); its `unknown` is the one above */
    double power;              /* of rdv_perplexity_score(); 0: 1 (default) */
    size_t samples; /* replies per step for relevance, math and consistency: 1 to 100, default 5 */
    rdv_math_by math;
    rdv_mathematical mathematical;
    rdv_perplexity_over perplexity_over; /* RDV_PERPLEXITY_TOKENS (default) */
    /* Further verifiers of `general`; then `verifiers` may have none of its own. Default: none. The
     * names must live as long as the options. */
    rdv_recorded_verifier recorded[RDV_MAX_RECORDED_VERIFIERS];
    size_t n_recorded;
    rdv_decimal decimal; /* of calculations; RDV_DECIMAL_FOUND: as the record has it (default) */
    const rdv_rules *rules; /* of language, for calculations; NULL: the built-in ones (default).
                               Must live as long as the plans and checks that use them */
    /* Processor time of the thread that a step and all steps of a chain may take, of methods that
     * read calculations: a step that takes longer, needs too much memory, has more than 64 KiB, or
     * comes after all the time is unknown, with that reason. 0: no limit (default), and a step that
     * needs too much memory is the fault RDV_E_LIMIT. */
    uint32_t step_ms, chain_ms;
} rdv_check_options;

/* Sets every member to the default stated above, or to zero. `size` is sizeof *options. */
RDV_API void rdv_check_options_default(rdv_check_options *options, size_t size);

/* True if the method needs a model with these options. `math` and `general` may do without one.
 * `perplexity` never needs one: without log-probabilities in the chain it is then unavailable. If
 * this is false, rdv_check_chain() can run the method. True if the options have no size. */
RDV_API bool rdv_method_needs_model(const rdv_method *method, const rdv_check_options *options);

/* Checks one chain. `chain` and its texts must live as long as `arena`, in which everything in *out
 * is allocated; *out is untouched on failure. A chain without steps gives no verdicts and a null
 * confidence. Pure: the same chain gives the same check. Errors: RDV_E_NOMEM; RDV_E_ARGUMENT if the
 * weights are not l1 > l0 >= 0, another option is unusable, or the method needs a model. */
RDV_API int rdv_check_chain(const rdv_method *method, const rdv_chain *chain,
                            const rdv_check_options *options, rdv_arena *arena, rdv_check *out,
                            rdv_error *err);
/* As rdv_check_chain(), with all *n checks that the method makes; its own check is the last.
 * `general` also makes one check for each of its verifiers. */
RDV_API int rdv_check_chain_all(const rdv_method *method, const rdv_chain *chain,
                                const rdv_check_options *options, rdv_arena *arena, rdv_check **out,
                                size_t *n, rdv_error *err);

#ifdef __cplusplus
}
#endif
