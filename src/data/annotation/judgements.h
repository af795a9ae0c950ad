/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How annotations are held: judgements by one annotator on one criterion, listed by chain. */
#include "data/annotation/annotations.h"
#include <rederive/data.h>

#include "base/map.h"

#define RDV_NO_ANNOTATION ((size_t)-1)
#define RDV_MAX_JUDGEMENTS ((size_t)1000) /* of one chain: they are compared one by one */

typedef enum rdv_annotation_what {
    RDV_ANNOTATION_FIRST_WRONG,
    RDV_ANNOTATION_STEPS, /* all of them */
    RDV_ANNOTATION_STEP   /* one of them; others come in records of their own */
} rdv_annotation_what;

/* A record that was read. */
typedef struct rdv_annotation {
    rdv_str id, by, of; /* in the arena of the annotations */
    const char *path;
    size_t line;
    rdv_annotation_what is_what;
    rdv_label first_wrong; /* FIRST_WRONG; STEP: its `step` is the one that is marked */
    int8_t mark;           /* STEP: 1, 0, -1 */
    int8_t *is;            /* STEPS */
    size_t n;
} rdv_annotation;

typedef struct rdv_judgement {
    rdv_str by, of;
    const char *path; /* where it stands, or begins */
    size_t line;
    rdv_annotation_what is_what;
    rdv_label first_wrong;
    int8_t *is; /* of steps 0 to n - 1 */
    size_t n, cap;
    size_t next; /* of the same chain, or RDV_NO_ANNOTATION */
} rdv_judgement;

typedef struct rdv_annotated {
    rdv_str id;
    size_t first, last; /* judgements */
    bool used;
} rdv_annotated;

struct rdv_annotations {
    rdv_arena *arena;
    rdv_annotation_options options;
    rdv_map by_id, by_all;
    rdv_annotated *chains;
    size_t n_chains, cap_chains;
    rdv_judgement *judgements;
    size_t n_judgements, cap_judgements;
};

/* Take one in. RDV_E_INPUT: it stands twice; RDV_E_LIMIT: a step beyond RDV_MAX_STEPS;
 * RDV_E_NOMEM. */
int rdv_annotations_add(rdv_annotations *annotations, const rdv_annotation *one, rdv_error *err);
