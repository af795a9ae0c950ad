/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a format of another tool is made of, and what the formats share: the verdicts and the texts
 * of a chain. */
#include "base/buf.h"
#include "base/map.h"
#include <rederive/data.h>

/* What a step that is `unrelated` becomes in a format that has only right and wrong. */
typedef enum rdv_export_unrelated {
    RDV_UNRELATED_CUT, /* the steps before it are kept */
    RDV_UNRELATED_WRONG,
    RDV_UNRELATED_RIGHT
} rdv_export_unrelated;

typedef struct rdv_export_options {
    rdv_str method;  /* the check by this method counts, and a chain without it is refused; p ==
                        NULL: the last check */
    bool from_label; /* verdicts come from the record's labels, not from its check */
    rdv_export_unrelated unrelated; /* trl */
    const char *span_member;        /* phoenix: the member that names the span */
    int64_t created;                /* inspect: seconds since 1970 */
    bool no_target;                 /* label-studio: without the right answer */
} rdv_export_options;

typedef struct rdv_export rdv_export;

typedef struct rdv_export_format {
    const char *name, *about;
    void (*head)(const rdv_export *exporter, rdv_buf *b); /* NULL: none */
    /* Append the item of one chain. RDV_OK; RDV_NONE: nothing can be said of it, so it is left out;
     * RDV_E_INPUT: the format needs something that the record lacks; RDV_E_FORMAT: the same, and
     * the other records of its file probably lack it too; RDV_E_NOMEM. */
    int (*item)(rdv_export *exporter, const rdv_chain *chain, rdv_arena *arena, rdv_buf *b,
                rdv_error *err);
    const char *between, *tail;
    bool in_order; /* an item depends on the chains before it */
} rdv_export_format;

/* The item of a chain. */
typedef struct rdv_exported {
    int code; /* RDV_OK, RDV_NONE */
    rdv_str text;
    size_t cut; /* 1: without its last steps */
} rdv_exported;

struct rdv_export {
    const rdv_export_format *format;
    rdv_export_options options;
    rdv_arena *keep;  /* lives as long as the export */
    const char *file; /* the input that the next chain came from, as csv writes it */
    rdv_map epochs;   /* inspect: how many chains each question has so far */
    size_t written;   /* chains with an item */
    size_t cut;       /* of these, without their last steps, whose verdicts are not known */
    size_t left_out;
};

extern const rdv_export_format rdv_export_csv, rdv_export_inspect, rdv_export_jsonl,
    rdv_export_label_studio, rdv_export_phoenix, rdv_export_prm800k, rdv_export_trl;
/* The labelling configuration for the tasks of label-studio, with the right answer or without: a
 * static string. */
const char *rdv_export_labelling_config(bool target);

/* The check whose verdicts are exported; NULL: there is none, or labels count. */
const rdv_check *rdv_export_check(const rdv_export *exporter, const rdv_chain *chain);
/* The verdict on each step (n_steps of them): from that check, or else from the labels. A step that
 * nothing was said of is unknown. RDV_OK or RDV_E_NOMEM. */
int rdv_export_verdicts(const rdv_export *exporter, const rdv_chain *chain, rdv_arena *arena,
                        rdv_verdict_kind **verdicts, rdv_error *err);
/* The check's verdict on each step (n_steps of them), NULL where there is none. `check` may be
 * NULL. The list itself is NULL when out of memory. */
const rdv_verdict **rdv_export_by_step(const rdv_check *check, const rdv_chain *chain,
                                       rdv_arena *arena);
/* The question with its options, one a line, as a model is shown it. p == NULL: out of memory. */
rdv_str rdv_export_question(const rdv_chain *chain, rdv_arena *arena);
/* The steps, one after the other. p == NULL: out of memory. */
rdv_str rdv_export_solution(const rdv_chain *chain, rdv_arena *arena);
/* One line on what the check found: its wrong steps with their reasons, or why nothing is known.
 * p == NULL: out of memory. */
rdv_str rdv_export_explanation(const rdv_check *check, rdv_arena *arena);
