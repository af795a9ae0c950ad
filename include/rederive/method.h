/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/method.h - ways to check a chain. A method gives each step a verdict; integration
 * (score.h) makes them a confidence. Methods that need a model come with the planner. */
#include <rederive/chain.h>
#include <rederive/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A method. Static: never freed. */
typedef struct rdv_method {
    const char *name;    /* as in --method and in records */
    const char *summary; /* one line for --help */
    double l1, l0;       /* this method's default weights in the integration */
    bool asks_model;     /* rdv_plan_check() runs it; rdv_check_chain() cannot */
} rdv_method;

/* All methods in a fixed order, *n of them. The first is the default. Static. */
RDV_API const rdv_method *const *rdv_methods(size_t *n);
/* The method of that name, or NULL. Static. */
RDV_API const rdv_method *rdv_method_named(rdv_str name);

typedef struct rdv_check_options {
    double l1, l0; /* weights of the integration; NaN: the method's own (default) */
    rdv_unknown_as unknown;
} rdv_check_options;

/* The defaults. */
RDV_API rdv_check_options rdv_check_options_default(void);

/* Check one chain. `chain` and its texts must live as long as `arena`, in which everything in *out
 * is made; *out is untouched on failure. A chain without steps gives no verdicts and a null
 * confidence. Pure: the same chain gives the same check. Faults: RDV_E_NOMEM; RDV_E_ARGUMENT when
 * the weights are not l1 > l0 >= 0, or the method asks a model. */
RDV_API int rdv_check_chain(const rdv_method *method, const rdv_chain *chain,
                            const rdv_check_options *options, rdv_arena *arena, rdv_check *out,
                            rdv_error *err);

#ifdef __cplusplus
}
#endif
