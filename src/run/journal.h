/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The private side of journals: SQLite, one row a reply. Rows are written in a transaction that
 * journal_commit() ends; before that no plan may see the replies. The write-ahead log makes a
 * commit safe from the end of this process without waiting for the disk. */
#include "model/record.h"
#include <rederive/run.h>

#include <sqlite3.h>

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

struct rdv_journal {
    sqlite3 *db;
    sqlite3_stmt *statements[N_JOURNAL_STATEMENTS];
    bool in_transaction;
    bool taken; /* kept for this process, to write to */
    rdv_arena *scratch; /* of one row */
    char *path;         /* for messages */
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
/* What was written is safe. */
int journal_commit(rdv_journal *j, rdv_error *err);

/* For journal_lines.c */
int journal_fail(const rdv_journal *j, rdv_error *err);
rdv_str journal_column(sqlite3_stmt *row, int column);
/* Fill an empty in-memory journal with the lines of the file. */
int journal_load_lines(rdv_journal *j, const char *path, rdv_error *err);
