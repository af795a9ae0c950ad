/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Process reward models as methods (docs/reward-models.md): each asks in its own way, and leaves a
 * score a step, or the step where it sees the first mistake. */
#include "method/stage.h"

/* One at work on one chain. */
typedef struct prm {
    check_run run;             /* first: what the caller holds */
    node **nodes;              /* one, or one a step */
    double *score;             /* per step: the chance that it is right; NaN: not to be had */
    rdv_message *turns;        /* of prm:chat-plus-minus: the whole conversation */
    bool located, whole_right; /* of prm:generative-critic */
    size_t first;              /* where `located` */
    rdv_str reply;             /* what the critic wrote */
    size_t n_nodes, n_steps;
} prm;

/* What a node knows of itself. */
typedef struct prm_place {
    prm *prm;
    size_t step;
} prm_place;

/* Ways of asking. */
extern const node_kind prm_rewards;    /* all steps in one request for rewards */
extern const node_kind prm_plus_minus; /* a step in one chat */
extern const node_kind prm_critic;     /* the whole chain in one chat */

/* The turns of prm:chat-plus-minus, of which node i asks the first 2 i + 1. RDV_E_NOMEM. */
int prm_write_turns(prm *p, rdv_error *err);
