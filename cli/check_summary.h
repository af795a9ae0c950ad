/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What `check` found, in words for people: the sentence that a summary begins with, the steps by
 * word, what was not checked and what would change that. */
#include "methods.h"

#include "report/word_counts.h"

#include <rederive/model.h>

/* Why steps are undecided although a model was asked. */
struct reply_trouble {
    uint64_t asked;      /* steps that a method with a model judged, or should have */
    uint64_t cut_off;    /* of these: undecided since the reply was cut off */
    uint64_t unreadable; /* or since the reply could not be read */
};

struct check_found {
    word_counts by[MAX_METHODS]; /* for each method of the run */
    struct reply_trouble trouble;
};

/* Count the checks of the chain from `first` on, which are the run's, in the methods' order. */
void check_found_add(struct check_found *found, const struct methods *methods,
                     const rdv_chain *chain, size_t first);
/* The lines on standard error, the first without a newline at the end of the counted steps: the
 * caller adds what it knows. */
void check_found_tell(const struct check_found *found, const struct methods *methods,
                      const struct settings *settings);
/* The remedies, if most replies of a model could not be read; and the option that makes the exit
 * status tell of what is wrong. schema: whether the model's server takes a JSON schema. */
void check_found_advise(const struct check_found *found, const struct methods *methods,
                        const struct settings *settings, rdv_can schema);
