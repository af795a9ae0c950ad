/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The files of rules/, compiled in by tools/embed_rules.py, sorted by name. */
#include <rederive/base.h>

typedef struct rules_file {
    const char *name; /* "context.rules", "rare/verbal.rules" */
    const char *text;
} rules_file;

extern const rules_file rules_embedded[];
extern const size_t rules_n_embedded;

/* The files about the words around a claim, those that read claims in words, and those that explain
 * a mismatch, in their order. */
#define RULES_CONTEXT 2
extern const char *const rules_context[RULES_CONTEXT];
#define RULES_VERBAL 3
extern const char *const rules_verbal[RULES_VERBAL];
#define RULES_EXPLAIN 2
extern const char *const rules_explain[RULES_EXPLAIN];

/* The text of the file of that name. */
rdv_str rules_embedded_text(const char *name);
