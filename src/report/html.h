/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A report of a run as one HTML file, which needs no network and no other file (docs/report.md).
 *
 * Chains, results of votes and failures are added in the order in which the run has them; the
 * chains of one question need not be adjacent. What they say goes to a temporary file at once; in
 * memory stay about 100 bytes of each chain, the figures' own data, and each question's id. At the
 * end the document is written from the temporary file. All text of records is hostile: see
 * report/html_text.h. */
#include <rederive/repair.h>
#include <rederive/study.h>

#include "plan/exchange.h"

#include <stdio.h>

typedef struct rdv_html rdv_html;

#define RDV_HTML_PLAIN_MAX 1000

/* Borrowed until the report is freed. */
typedef struct rdv_html_options {
    size_t plain_max;   /* more chains than this are packed, and shown by a script when they are
                           looked at; 0: RDV_HTML_PLAIN_MAX */
    FILE *spill;        /* an empty temporary file for reading and writing, closed by the caller */
    const char *weight; /* of the figures: see rdv_study_options */
    rdv_aggregate_kind aggregate;
    rdv_grading grading;
    size_t threads; /* that compress packed chains, the caller's included; 0: 1 */
} rdv_html_options;

/* A chain in a report. Borrowed for one call. */
typedef struct rdv_html_chain {
    const rdv_chain *chain;        /* its last check is shown in full, others in short */
    const rdv_grade *grade; /* of the chain, by the options' `grading`; NULL: it is graded here */
    rdv_str dataset;               /* p == NULL: none */
    double weight;                 /* in a vote; NaN: none */
    bool partial;                  /* the run ended before its check */
    const rdv_exchange *exchanges; /* requests and replies, by rising step; may be NULL */
    size_t n_exchanges;
    const rdv_chain *before; /* a repair: the chain before it, and the repair; NULL: none */
    const rdv_repaired *repaired;
    rdv_str locator;
} rdv_html_chain;

/* What is known at the end of a run. Borrowed for one call. */
typedef struct rdv_html_run {
    const char *name; /* of the command: "check" */
    rdv_str title;    /* such as the names of the input files */
    rdv_str command;  /* as it was typed; p == NULL: not known */
    rdv_str models;   /* in words; p == NULL: none was asked */
    const rdv_str *notes; /* about the input, such as what of it is not checked; n_notes of them */
    size_t n_notes;
    uint64_t n_calls; /* sent; n_cached more requests were answered by the journal, and n_failed
                         got no reply */
    uint64_t n_cached, n_failed, prompt_tokens, completion_tokens;
    double cost;     /* in dollars; NaN: not known */
    double seconds;  /* the run's time */
    bool incomplete; /* the run ended before its end */
} rdv_html_run;

/* Where the document goes. RDV_OK, or any other value, which ends the writing and is returned. */
typedef struct rdv_html_sink {
    void *payload;
    int (*write)(void *payload, rdv_str bytes, rdv_error *err);
} rdv_html_sink;

/* A new report, released with rdv_html_free(). RDV_E_NOMEM. */
int rdv_html_new(const rdv_html_options *options, rdv_html **out, rdv_error *err);
/* Add a chain. `scratch` is for temporary data. RDV_E_IO: the temporary file cannot be written;
 * RDV_E_LIMIT: more than 2^32 - 1 chains, or more than 4 GiB of one; RDV_E_NOMEM. */
int rdv_html_add_chain(rdv_html *html, const rdv_html_chain *chain, rdv_arena *scratch,
                       rdv_error *err);
/* Add the result of a vote on a question, after the chains that voted. Faults as above. */
int rdv_html_add_result(rdv_html *html, const rdv_result *result, rdv_arena *scratch,
                        rdv_error *err);
/* Add a record that could not be read (`unread`) or processed. Faults as above. */
int rdv_html_add_failure(rdv_html *html, rdv_str what, bool unread, rdv_arena *scratch,
                         rdv_error *err);
/* Set the tables of a study, whose contents are borrowed until the report is written. */
void rdv_html_add_tables(rdv_html *html, const rdv_study_tables *tables);
/* Write the document. RDV_E_IO: the temporary file cannot be read; RDV_E_NOMEM; or what the sink
 * returned. */
int rdv_html_write(rdv_html *html, const rdv_html_run *run, const rdv_html_sink *sink,
                   rdv_error *err);
/* Write only the questions with their votes and chains, as elements of a larger page (a notebook),
 * which has the rules of rdv_html_style(). Faults as above. */
int rdv_html_write_questions(rdv_html *html, const rdv_html_sink *sink, rdv_error *err);
/* The style sheet of a report: a static string. */
const char *rdv_html_style(void);
/* NULL and *NULL are accepted. */
void rdv_html_free(rdv_html **html);
