/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/method.h - ways to check a chain. A method gives each step a verdict; integration
 * (score.h) makes them a confidence. Methods that need a model come with the planner. */
#include <rederive/chain.h>
#include <rederive/combine.h>
#include <rederive/reward.h>
#include <rederive/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a method checks: only named here. */
typedef struct rdv_method_entry rdv_method_entry;

/* A method. Static, never freed; but one made of a model lives as its maker says. */
typedef struct rdv_method {
    const char *name;             /* as in --method and in records */
    const char *summary;          /* one line for --help */
    double l1, l0;                /* this method's default weights in the integration */
    bool asks_model;              /* it may ask a model: see rdv_method_needs_model() */
    const rdv_method_entry *made; /* what rdv_method_read() or rdv_reward_method() made it of;
                                     NULL: one of rdv_method_at() */
} rdv_method;

/* The i-th method in a fixed order, of which the first is the default; NULL: there are fewer.
 * Static.
 */
RDV_API const rdv_method *rdv_method_at(size_t i);
/* The method of that name, or NULL. Static. */
RDV_API const rdv_method *rdv_method_named(rdv_str name);

struct rdv_prompts;

/* A method from the text of its table, NAME.method (docs/methods.md), held to the prompts that it
 * names, which the plans that use it must be given too. *out, in `arena`, lives as long as that;
 * untouched on failure. Faults: RDV_E_NOMEM; RDV_E_INPUT, RDV_E_LIMIT: a mistake in the table, an
 * example that cannot be read, or a prompt that is missing, has a variable that nothing gives or
 * other answers than the table; the message begins with the table's line, "12: ", or with the file
 * and the line of a prompt that was added, "ID.md:5: ". */
RDV_API int rdv_method_read(rdv_str text, const struct rdv_prompts *prompts, rdv_arena *arena,
                            const rdv_method **out, rdv_error *err);

/* A step classifier (reward.h) as a method of that name ("reward:FILE", say), which
 * computes. The first error is where the model's rule says; a step contradicts there, and with the
 * rule "threshold" wherever P(wrong) reaches it; after the first error of "hazard" it is unrelated.
 * The score is P(right). The confidence is the chance that no step is wrong: where the steps after
 * a mistake were left out in training the product of P(right), else the least of them; the weights
 * of the integration play no part. *out, in `arena`, lives as long as the arena and `reward`, which
 * stays the caller's. RDV_E_NOMEM. */
RDV_API int rdv_reward_method(const rdv_reward *reward, rdv_str name, rdv_arena *arena,
                              const rdv_method **out, rdv_error *err);

/* Who finds the calculations of a step for the verifier `math`. */
typedef enum rdv_math_by {
    RDV_MATH_MODEL = 0, /* a model lists them, as in the paper (default) */
    RDV_MATH_NATIVE,    /* we do, without a model */
    RDV_MATH_BOTH       /* a step holds when neither finds a wrong one */
} rdv_math_by;

/* Whether the verifier `math` takes part in `general`. */
typedef enum rdv_mathematical {
    RDV_MATHEMATICAL_AUTO = 0, /* where the question is: see rdv_is_mathematical() (default) */
    RDV_MATHEMATICAL_YES,
    RDV_MATHEMATICAL_NO
} rdv_mathematical;

/* Fill with rdv_check_options_default(), then set. Where options are asked for, NULL is the
 * defaults. */
typedef struct rdv_check_options {
    size_t size;   /* sizeof(rdv_check_options) */
    double l1, l0; /* weights of the integration; NaN: the method's own (default) */
    rdv_unknown_as unknown;
    rdv_step_range extent; /* only so much of each chain is checked; zero: all of it (default) */
    /* General-purpose verification (docs/general.md): */
    rdv_combination verifiers; /* rdv_combination_default(); its `unknown` is the one above */
    double power;              /* of rdv_perplexity_score(); 0: 1 (default) */
    size_t samples; /* of each step by relevance, math and consistency: 1 to 100, default 5 */
    rdv_math_by math;
    rdv_mathematical mathematical;
} rdv_check_options;

/* Sets every member: what stands above, otherwise zero. `size`: sizeof *options. */
RDV_API void rdv_check_options_default(rdv_check_options *options, size_t size);

/* Does the method need a model, so checked? `math` and `general` may do without one, and
 * `perplexity` always does: without log-probabilities in the chain it is unavailable then. Where
 * this is false rdv_check_chain() runs the method. True where the options have no size. */
RDV_API bool rdv_method_needs_model(const rdv_method *method, const rdv_check_options *options);

/* Check one chain. `chain` and its texts must live as long as `arena`, in which everything in *out
 * is made; *out is untouched on failure. A chain without steps gives no verdicts and a null
 * confidence. Pure: the same chain gives the same check. Faults: RDV_E_NOMEM; RDV_E_ARGUMENT when
 * the weights are not l1 > l0 >= 0, another option is unusable, or the method needs a model. */
RDV_API int rdv_check_chain(const rdv_method *method, const rdv_chain *chain,
                            const rdv_check_options *options, rdv_arena *arena, rdv_check *out,
                            rdv_error *err);
/* The same with all checks that the method makes, *n of them, its own the last: `general` makes one
 * by each of its verifiers besides. */
RDV_API int rdv_check_chain_all(const rdv_method *method, const rdv_chain *chain,
                                const rdv_check_options *options, rdv_arena *arena, rdv_check **out,
                                size_t *n, rdv_error *err);

#ifdef __cplusplus
}
#endif
