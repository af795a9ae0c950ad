/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The private side of a method. A method computes, asks as its table says, or combines the results
 * of other methods. */
#include "method/table.h"

#include <rederive/method.h>

typedef struct rdv_method_entry method_entry;
struct rdv_method_entry {
    rdv_method method;
    /* For a method that asks: see check.h. NULL: it does not ask. */
    const method_table *table;
    /* For a method that computes: fills all of *check, which is zero. NULL: it cannot compute
     * without asking. */
    int (*compute)(const method_entry *self, const rdv_chain *chain,
                   const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                   rdv_error *err);
    /* For a method that combines: `parts` gives the names of the combined methods, at most
     * METHOD_MAX_PARTS, for that question (NULL: for any question), and `combine` combines their n
     * checks, in that order. NULL: it does not combine. */
    size_t (*parts)(const rdv_check_options *options, const rdv_question *question,
                    rdv_arena *arena, const char **names);
    int (*combine)(const rdv_check *checks, size_t n, const rdv_chain *chain,
                   const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                   rdv_error *err);
    const void *data; /* for `compute` */
    /* It reads the steps of its task in full: "unrelated" is a step that states nothing that could
     * be wrong, not one of which it can say nothing. */
    bool reads_in_full;
};

#define METHOD_MAX_PARTS 8

/* Every method of the library in the order of rdv_method_at(). method_list.c is generated from the
 * list in src/method/meson.build. */
extern const method_entry *const method_list[];
extern const size_t method_list_n;

/* The entry of a public method. NULL: the method is not from this library. */
const method_entry *method_entry_of(const rdv_method *method);
/* Gives the methods that it combines; returns their number. */
size_t method_parts(const method_entry *entry, const rdv_check_options *options,
                    const rdv_question *question, rdv_arena *arena, const method_entry **parts);
/* True if the method sends no requests, with these options, about that chain of a plan. */
bool method_computes(const method_entry *entry, const rdv_chain *chain,
                     const rdv_check_options *options);
/* The method's own check without a model: for a method that computes, or whose conclusion can. */
int method_compute(const method_entry *entry, const rdv_chain *chain,
                   const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                   rdv_error *err);
/* As rdv_check_chain_all(), but the calculations of a long step are not listed yet
 * (chain/evidence.h): for who writes them, and reads no list. */
int method_check_all(const rdv_method *method, const rdv_chain *chain,
                     const rdv_check_options *options, rdv_arena *arena, rdv_check **out, size_t *n,
                     rdv_error *err);
/* Checks that the method can run with the options. RDV_OK or RDV_E_ARGUMENT. */
int method_options_check(const rdv_method *method, const rdv_check_options *options,
                         rdv_error *err);
/* The integration of a method with the options. RDV_OK or RDV_E_ARGUMENT. */
int method_integration(const rdv_method *method, const rdv_check_options *options,
                       rdv_integration *out, rdv_error *err);
/* Puts the verdicts into *check with their first error and counts, but no confidence. */
void method_put(const rdv_method *method, rdv_verdict *verdicts, size_t n, rdv_check *check);
/* Puts the verdicts into *check with their confidence, first error and counts. Where the method
 * computes and none of them is support or contradict, the confidence is NaN. */
int method_integrate(const rdv_method *method, const rdv_check_options *options,
                     rdv_verdict *verdicts, size_t n, rdv_check *check, rdv_error *err);
