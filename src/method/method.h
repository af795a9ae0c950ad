/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The private side of a method. It either computes, or it is a table of stages that ask a model. */
#include <rederive/method.h>

typedef struct stage_table {
    const struct stage *stages; /* see stage.h; NULL for a method that computes */
    size_t n;
} stage_table;

struct check_run;
struct rdv_plan;

typedef struct method_entry {
    rdv_method method;
    /* Computes: fill check->verdicts and n_verdicts; the caller integrates. NULL for one that asks.
     */
    int (*check)(const rdv_chain *chain, rdv_arena *arena, rdv_check *check, rdv_error *err);
    stage_table stages;
    /* Asks in its own way: as check_start() (stage.h), of a method without stages. NULL: it does
     * not. */
    int (*start)(struct check_run **out, struct rdv_plan *plan, size_t place,
                 const struct method_entry *method,
                 int (*finished)(struct check_run *, rdv_error *), void *data, rdv_error *err);
    /* Has a confidence of its own: makes all its checks, its own the last, without a model. NULL:
     * it has none, or cannot. */
    int (*compute)(const rdv_chain *chain, const rdv_check_options *options, rdv_arena *arena,
                   rdv_check **checks, size_t *n, rdv_error *err);
    /* The same for a method that is made of something (`data`) and no line of the table. */
    int (*judge)(const struct method_entry *self, const rdv_chain *chain,
                 const rdv_check_options *options, rdv_arena *arena, rdv_check **checks, size_t *n,
                 rdv_error *err);
    const void *data;
} method_entry;

extern const method_entry method_calculations;
/* programs.c */
extern const method_entry method_dyck, method_sorting, method_shuffled, method_arithmetic,
    method_deduction;
extern const method_entry method_selfcheck;
extern const method_entry method_global;
extern const method_entry method_single_stage;
extern const method_entry method_error_check;
extern const method_entry method_error_check_1shot;
extern const method_entry method_relevance;
extern const method_entry method_math;
extern const method_entry method_consistency;
extern const method_entry method_perplexity;
extern const method_entry method_general;
extern const method_entry method_prm_pairs;
extern const method_entry method_prm_values;
extern const method_entry method_prm_plus_minus;
extern const method_entry method_prm_critic;
/* find_mistake.c */
extern const method_entry method_direct_trace, method_direct_step, method_cot_step;

/* The entry of a public method. NULL: it is none of this library's. */
const method_entry *method_entry_of(const rdv_method *method);
/* The integration that the options ask of a method. RDV_E_ARGUMENT: it is none. */
int method_integration(const rdv_method *method, const rdv_check_options *options,
                       rdv_integration *out, rdv_error *err);
/* Put the verdicts into *check with their first error and counts, but no confidence. */
void method_put(const rdv_method *method, rdv_verdict *verdicts, size_t n, rdv_check *check);
/* Put the verdicts into *check with their confidence, first error and counts. */
int method_integrate(const rdv_method *method, const rdv_check_options *options,
                     rdv_verdict *verdicts, size_t n, rdv_check *check, rdv_error *err);
