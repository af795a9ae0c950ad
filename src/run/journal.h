/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The private side of journals: SQLite, one row a reply. Rows are written in a transaction that
 * journal_commit() ends; before that no plan may see the replies. The write-ahead log makes a
 * commit safe from the end of this process without waiting for the disk. */
#include "model/record.h"
#include <rederive/run.h>

#include <sqlite3.h>
#include <sys/types.h>

enum journal_statement {
    JOURNAL_FIND,
    JOURNAL_ADD,
    JOURNAL_BEGIN,
    JOURNAL_COMMIT,
    JOURNAL_COUNT,
    JOURNAL_MODELS,
    JOURNAL_ALL,
    N_JOURNAL_STATEMENTS
};

/* A file as it was when it was last looked at. */
typedef struct journal_file {
    bool seen;
    dev_t device;
    ino_t number;
    off_t size; /* bytes */
} journal_file;

struct rdv_journal {
    sqlite3 *db;
    sqlite3_stmt *statements[N_JOURNAL_STATEMENTS];
    bool in_transaction;
    bool taken;         /* kept for this process, to write to */
    rdv_arena *scratch; /* of one row */
    char *path;
    char *log_path;         /* SQLite's log beside it */
    journal_file file, log; /* taken: to see that they are still there */
};

/* The reply to the request of that key. *out: in `arena`. RDV_NONE: there is none.
 * Faults: RDV_E_IO, RDV_E_INPUT (a damaged row), RDV_E_NOMEM. */
int journal_find(rdv_journal *j, const unsigned char key[32], rdv_arena *arena, rdv_reply *out,
                 rdv_error *err);
/* Write a reply down; one that is there already stays. `at`: milliseconds since 1970. */
int journal_add(rdv_journal *j, const rdv_request *request, bool keep_request,
                const rdv_reply *reply, uint64_t at, rdv_error *err);
/* Write a row down. RDV_NONE: its key is there already. */
int journal_add_line(rdv_journal *j, const record_line *line, rdv_error *err);
/* What was written is safe, and the journal is still where it was: RDV_E_IO otherwise. */
int journal_commit(rdv_journal *j, rdv_error *err);

/* See that nobody has removed, replaced or cut off the files of a journal that is written to:
 * RDV_E_IO otherwise. */
int journal_watch(rdv_journal *j, rdv_error *err);

/* ---- for journal_lines.c and journal_open.c -------------------------------------------------- */

#define JOURNAL_BAD_ROW "a reply does not match its checksum"

/* The fault of SQLite's latest error. */
int journal_fail(rdv_journal *j, rdv_error *err);
/* RDV_E_INPUT: the journal is not what was written; `how`: what shows it. */
int journal_damaged(const rdv_journal *j, const char *how, rdv_error *err);
/* Run statements that give no rows. */
int journal_run(rdv_journal *j, const char *text, rdv_error *err);
/* The bytes of a column; p == NULL: it is NULL. */
rdv_str journal_column(sqlite3_stmt *row, int column);
/* Let statements use row_sha256(), the checksum of a row, before they are prepared. */
int journal_add_functions(rdv_journal *j, rdv_error *err);
int journal_prepare(rdv_journal *j, rdv_error *err);
/* Read the whole file and see that every row that was written is there as it was.
 * Faults: RDV_E_INPUT: it is not; RDV_E_IO, RDV_E_NOMEM. */
int journal_verify(rdv_journal *j, rdv_error *err);
/* Fill an empty in-memory journal with the lines of the file. */
int journal_load_lines(rdv_journal *j, const char *path, rdv_error *err);
