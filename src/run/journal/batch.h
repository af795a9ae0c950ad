/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The requests that a journal's runs have written to files of a batch and that have no reply yet:
 * tables of their own in the journal's file, which other commands pass over.
 *
 * A request is there from the round in which it is written until its reply is in the journal, or
 * for good if it got none. All writes belong to the journal's transaction: journal_commit() ends
 * it. */
#include "run/journal/journal.h"

typedef enum batch_state {
    BATCH_EXPECTED, /* written; no result yet */
    BATCH_LOST, /* results of its file came, and its own was not among them: to be written again */
    BATCH_FAILED, /* its result says that it failed, and another try may succeed */
    BATCH_REFUSED /* ... and no other try will */
} batch_state;

/* What is known of a request. */
typedef struct batch_row {
    batch_state state;
    uint64_t file;       /* to which it was written last */
    uint64_t times;      /* how often it was written: in as many files */
    uint64_t run;        /* the last one that asked for it; see journal_batch_run() */
    uint32_t failures;   /* results that failed, since it was written first */
    rdv_failure failure; /* the last of them; why: in one line */
    rdv_str why;
} batch_row;

/* A request as it was written, with what is needed to read its reply. */
typedef struct batch_pending {
    batch_row row;
    record_line line;  /* without a response and a time */
    rdv_str reading;   /* of batch_write_reading() */
    rdv_str result_id; /* of the result that failed last; p == NULL: none */
} batch_pending;

/* Create the tables if they are missing, and settle files whose run was killed before they got
 * their name: their requests are to be written again. Before any other function here. */
int journal_batch_open(rdv_journal *j, rdv_error *err);
/* Release its statements. */
void journal_batch_close(rdv_journal *j);

/* The number of requests that were written and wait for their results. Of any journal: this one may
 * be open to be read only, and journal_batch_open() is not needed. */
int journal_batch_waiting(rdv_journal *j, uint64_t *n, rdv_error *err);

/* What a journal's runs wrote to files of batches. */
typedef struct batch_counts {
    uint64_t files, rounds;
    uint64_t by_state[BATCH_REFUSED + 1]; /* requests without a reply */
} batch_counts;

/* As journal_batch_waiting(). All 0: nothing was written. */
int journal_batch_count(rdv_journal *j, batch_counts *out, rdv_error *err);

/* The number of the next round: 1 if nothing was written yet. A run that writes nothing is none. */
int journal_batch_round(rdv_journal *j, uint64_t *round, rdv_error *err);
/* A number that no request has as its `run`: requests that this run asks for are known by it. */
int journal_batch_run(rdv_journal *j, uint64_t *run, rdv_error *err);
/* Begin a file of a round. *number: counts the files of this journal, from 1. */
int journal_batch_begin_file(rdv_journal *j, uint64_t round, uint64_t *number, rdv_error *err);
/* The name that the file gets. named: whether it has it. */
int journal_batch_name_file(rdv_journal *j, uint64_t number, const char *path, bool named,
                            rdv_error *err);

/* *out: in `arena`. RDV_NONE: this request was not written, or has its reply. */
int journal_batch_find(rdv_journal *j, const unsigned char key[32], rdv_arena *arena,
                       batch_row *out, rdv_error *err);
/* Note that a request was written. Failures are kept, unless `afresh`. */
int journal_batch_put(rdv_journal *j, const rdv_request *request, rdv_str reading, uint64_t file,
                      uint64_t run, bool afresh, rdv_error *err);
/* Note that this run asks for the request. RDV_NONE: it was noted before. */
int journal_batch_need(rdv_journal *j, const unsigned char key[32], uint64_t run, rdv_error *err);

/* ---- for results ----------------------------------------------------------------------------- */

/* The same with everything that is kept of the request. RDV_E_INPUT: the row is damaged. */
int journal_batch_pending(rdv_journal *j, const unsigned char key[32], rdv_arena *arena,
                          batch_pending *out, rdv_error *err);
/* Whether the journal has a reply to the request: RDV_OK, or RDV_NONE. */
int journal_batch_answered(rdv_journal *j, const unsigned char key[32], rdv_error *err);
/* The request has its reply: nothing more is kept of it. */
int journal_batch_remove(rdv_journal *j, const unsigned char key[32], rdv_error *err);
/* Note a result that failed, and how often there were any. */
int journal_batch_fail(rdv_journal *j, const unsigned char key[32], const batch_row *row,
                       rdv_str result_id, rdv_error *err);
/* The results of a file are complete: its requests that are still expected are lost. *n: their
 * number. sure: a result of a request that no other file has shows it; without it, the file is left
 * alone as long as such a request is expected, because the results may be those of an earlier file.
 */
int journal_batch_lose(rdv_journal *j, uint64_t file, bool sure, uint64_t *n, rdv_error *err);

/* ---- abilities ------------------------------------------------------------------------------- */

/* Note that the model cannot do this; `lacks`: its name in rdv_abilities_entry(). */
int journal_batch_learn(rdv_journal *j, rdv_str model, rdv_str lacks, rdv_error *err);
/* Set what was learned of the model in *abilities. */
int journal_batch_learned(rdv_journal *j, rdv_str model, rdv_abilities *abilities, rdv_error *err);
