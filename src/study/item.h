/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A chain as an evaluation sees it. */
#include "method/acceptance.h"
#include "score/vote_weight.h"
#include "study/study.h"
#include "score/eval.h"

/* A label in four bytes. */
typedef struct item_label {
    unsigned kind : 2; /* an rdv_label_kind */
    unsigned step : 30;
} item_label;

#define ITEM_WHOLE_CHAIN ((1u << 30) - 1) /* the step of RDV_WHOLE_CHAIN */

static inline item_label item_label_of(rdv_label label)
{
    bool within = label.step < ITEM_WHOLE_CHAIN; /* steps are at most RDV_MAX_STEPS */
    return (item_label){label.kind, within ? (unsigned)label.step : ITEM_WHOLE_CHAIN};
}

static inline rdv_label item_label_is(item_label label)
{
    return (rdv_label){(rdv_label_kind)label.kind,
                       label.step == ITEM_WHOLE_CHAIN ? RDV_WHOLE_CHAIN : label.step};
}

typedef struct item_counts {
    uint32_t contradict, unrelated, support, unknown;
} item_counts;

static inline item_counts item_counts_of(rdv_verdict_counts counts)
{
    return (item_counts){(uint32_t)counts.contradict, (uint32_t)counts.unrelated,
                         (uint32_t)counts.support, (uint32_t)counts.unknown};
}

static inline rdv_verdict_counts item_counts_are(item_counts counts)
{
    return (rdv_verdict_counts){counts.contradict, counts.unrelated, counts.support,
                                counts.unknown};
}

/* What a chain's check and label say. Chains of which they say the same share it, unless `own`. */
typedef struct item_check {
    double threshold; /* with `rule` to `supported`: an acceptance */
    union {
        const double *aggregated; /* `by_scores`: its step scores under each aggregation, NaN: none
                                   */
        const int8_t *kinds;      /* else: of the verdicts on its steps, rdv_verdict_kind; NULL: not
                                     kept, or there are none */
    };
    item_label label;
    item_label found;
    item_counts counts; /* of its verdicts; all 0: it has none */
    uint32_t unknown;   /* verdicts, as the check says */
    uint32_t n_steps;
    uint32_t
        chain; /* the number of its chain, in all views the same; 0 where no baseline is compared */
    uint16_t source; /* the number of its source, below SOURCES_MAX */
    uint8_t rule;    /* an acceptance_rule */
    bool proves : 1, supported : 1;
    bool by_scores : 1; /* it is evaluated by step scores */
    bool checked : 1;   /* the record holds a check or an external confidence */
    bool skipped : 1;   /* its check was skipped; no verification figure includes it */
    bool own : 1;       /* it is of one chain alone */
} item_check;

/* Millions are held. */
typedef struct rdv_eval_item {
    study_vote vote; /* its weight is the confidence, NaN if there is none */
    item_check *check;
} rdv_eval_item;

_Static_assert(sizeof(rdv_eval_item) <= 32, "an item grew");

/* The distinct checks of items. */
typedef struct item_checks {
    rdv_arena *arena;
    item_check **of;
    size_t n, cap;
    rdv_map by_content;
    item_check *latest; /* that was found, which the next chain often has too */
} item_checks;

void item_checks_init(item_checks *checks, rdv_arena *arena);
/* A check that says the same and lives in the arena: one found there, or a copy. NULL when out of
 * memory. */
item_check *item_checks_find(item_checks *checks, const item_check *check);
/* Gives an item another rule of acceptance. RDV_OK or RDV_E_NOMEM. */
int item_accept_by(item_checks *checks, rdv_eval_item *item, acceptance how);

/* When it is accepted. */
static inline acceptance item_how(const rdv_eval_item *item)
{
    const item_check *is = item->check;
    return (acceptance){is->threshold, (acceptance_rule)is->rule, is->proves, is->supported};
}

static inline void item_check_accept_by(item_check *check, acceptance how)
{
    check->threshold = how.threshold;
    check->rule = (uint8_t)how.rule;
    check->proves = how.proves;
    check->supported = how.supported;
}

/* Its verdicts. */
static inline size_t item_verdicts(const rdv_eval_item *item)
{
    item_counts c = item->check->counts;
    return (size_t)c.contradict + c.unrelated + c.support + c.unknown;
}

/* Whether it is accepted: 1, 0, or -1 for undecided. */
static inline int item_accepted(const rdv_eval_item *item)
{
    acceptance how = item_how(item);
    return acceptance_decide(&how, item_counts_are(item->check->counts), item->vote.ballot.weight);
}

/* Checked, and not skipped. */
static inline bool item_is_checked(const rdv_eval_item *item)
{
    return item->check->checked && !item->check->skipped;
}
