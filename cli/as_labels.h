/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The findings of a method as labels (check --as-labels; BIG-Bench Mistake, 2.1.2). */
#include "run.h"

#include "base/buf.h"

#include <rederive/chain.h>

/* Counts of chains by what became of their label. */
struct as_labels {
    uint64_t set;       /* the check decided it, and it was written */
    uint64_t kept;      /* the chain had one, which stays */
    uint64_t conflicts; /* those of `kept` and `set` where the check decided otherwise */
    uint64_t undecided; /* the check decided none, and the chain had none */
};

/* Whether --as-labels and --replace-labels go with the other options; if not, it was said. */
bool as_labels_usable(const struct settings *settings);

/* Add the members "label" and "label_source" to `members` where `check`, made by this run, decided
 * the chain's label. A label that the chain has stays unless --replace-labels is given. asks,
 * checker: whether the method asks a model, and which. RDV_E_NOMEM shows in the buffer. */
void as_labels_put(const struct settings *settings, const rdv_chain *chain, const rdv_check *check,
                   bool asks, rdv_str checker, rdv_buf *members);
/* Count the same chain; a conflict with its label is told with the record's place, `line` of
 * `path`. */
void as_labels_count(struct as_labels *labels, struct run *run, const char *path, size_t line,
                     const rdv_chain *chain, const rdv_check *check);

/* Say how many conflicts were not listed one by one. */
void as_labels_conclude(const struct as_labels *labels);
