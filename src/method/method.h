/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The private side of a method. It computes, or it asks as its table says, or it combines what
 * other methods find. */
#include "method/table.h"

#include <rederive/method.h>

typedef struct rdv_method_entry method_entry;
struct rdv_method_entry {
    rdv_method method;
    /* Asks: see check.h. NULL: it does not. */
    const method_table *table;
    /* Computes: fill all of *check, which is zero. NULL: it cannot without asking. */
    int (*compute)(const method_entry *self, const rdv_chain *chain,
                   const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                   rdv_error *err);
    /* Combines: the names of which methods, at most METHOD_MAX_PARTS, for that question (NULL: for
     * any); and what their checks (n of them, in that order) come to. NULL: it does not. */
    size_t (*parts)(const rdv_check_options *options, const rdv_question *question,
                    rdv_arena *arena, const char **names);
    int (*combine)(const rdv_check *checks, size_t n, const rdv_chain *chain,
                   const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                   rdv_error *err);
    const void *data; /* of `compute` */
};

#define METHOD_MAX_PARTS 8

/* Every method of the library in the order of rdv_method_at(); method_list.c is made of the list in
 * src/method/meson.build. */
extern const method_entry *const method_list[];
extern const size_t method_list_n;

/* The entry of a public method. NULL: it is none of this library's. */
const method_entry *method_entry_of(const rdv_method *method);
/* The methods that it combines; returns how many. */
size_t method_parts(const method_entry *entry, const rdv_check_options *options,
                    const rdv_question *question, rdv_arena *arena, const method_entry **parts);
/* Does it ask nobody, with these options, about that chain of a plan? */
bool method_computes(const method_entry *entry, const rdv_chain *chain,
                     const rdv_check_options *options);
/* Its own check without a model: of a method that computes, or whose conclusion can. */
int method_compute(const method_entry *entry, const rdv_chain *chain,
                   const rdv_check_options *options, rdv_arena *arena, rdv_check *check,
                   rdv_error *err);
/* Can it check as the options say? RDV_OK or RDV_E_ARGUMENT. */
int method_options_check(const rdv_method *method, const rdv_check_options *options,
                         rdv_error *err);
/* The integration that the options ask of a method. RDV_OK or RDV_E_ARGUMENT. */
int method_integration(const rdv_method *method, const rdv_check_options *options,
                       rdv_integration *out, rdv_error *err);
/* Put the verdicts into *check with their first error and counts, but no confidence. */
void method_put(const rdv_method *method, rdv_verdict *verdicts, size_t n, rdv_check *check);
/* Put the verdicts into *check with their confidence, first error and counts. */
int method_integrate(const rdv_method *method, const rdv_check_options *options,
                     rdv_verdict *verdicts, size_t n, rdv_check *check, rdv_error *err);
