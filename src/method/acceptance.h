/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* When a chain counts as accepted by a check (docs/adr/0036, docs/voting.md). What a method claims
 * decides the rule; the method is known by its name, as it stands in a record. */
#include <rederive/score.h>

typedef enum acceptance_rule {
    ACCEPT_NO_ERROR = 0, /* no step contradicts, none is unknown, at least one is supported */
    ACCEPT_CONFIDENCE,   /* the confidence is at least the threshold */
    ACCEPT_NEVER         /* the method weighs chains and claims nothing about their correctness */
} acceptance_rule;

typedef struct acceptance {
    double threshold; /* ACCEPT_CONFIDENCE */
    acceptance_rule rule;
    bool proves;    /* the method decides exactly: a contradicted step rejects, whatever the
                       threshold */
    bool supported; /* nothing is accepted without a supported step */
} acceptance;

/* "no_error", "confidence", "confidence_without_error" (the method proves, and a threshold was
 * given) or "none": a static string. */
const char *acceptance_name(const acceptance *how);
/* The rule for a check by the method of that name. A name that is not in the library is a method of
 * the user's own or a step classifier. `threshold`: the user's own; NaN: none was given. */
acceptance acceptance_of(rdv_str method, double threshold);
/* The rule for scores from another source, which have no verdicts. */
acceptance acceptance_of_scores(double threshold);
/* The rule for a check; one without verdicts counts as a score. */
acceptance acceptance_of_check(const rdv_check *check, double threshold);
/* 1: accepted; 0: rejected; -1: undecided, which counts for neither. */
int acceptance_decide(const acceptance *how, rdv_verdict_counts counts, double confidence);
/* The same for a chain, by its last check. A step that any of its checks proves wrong rejects it.
 */
int acceptance_of_chain(const rdv_chain *chain, double threshold);
