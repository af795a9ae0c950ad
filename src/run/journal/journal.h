/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The private interface of journals: SQLite, one row per reply, and the parts of the requests
 * (parts.h). Rows are written in a transaction
 * that journal_commit() ends; no plan may see the replies before. With the write-ahead log a commit
 * survives the end of this process without waiting for the disk. */
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

/* Those of batch.c, prepared when they are needed. */
enum journal_batch_statement {
    JOURNAL_BATCH_ROUND,
    JOURNAL_BATCH_RUN,
    JOURNAL_BATCH_BEGIN_FILE,
    JOURNAL_BATCH_NAME_FILE,
    JOURNAL_BATCH_FIND,
    JOURNAL_BATCH_PUT,
    JOURNAL_BATCH_NEED,
    JOURNAL_BATCH_ANSWERED,
    JOURNAL_BATCH_REMOVE,
    JOURNAL_BATCH_FAIL,
    JOURNAL_BATCH_LOSE,
    JOURNAL_BATCH_LEARN,
    JOURNAL_BATCH_LEARNED,
    N_JOURNAL_BATCH_STATEMENTS
};

/* Those of parts.c, prepared when they are needed. */
enum journal_parts_statement { JOURNAL_PARTS_FIND, JOURNAL_PARTS_ADD, N_JOURNAL_PARTS_STATEMENTS };

/* The version of the files that are made, and the oldest that is read and written: it keeps every
 * request whole. That of exported lines is RECORD_JOURNAL_VERSION. */
#define JOURNAL_VERSION 4
#define JOURNAL_VERSION_WHOLE 3

/* A file as it was at the latest check. */
typedef struct journal_file {
    bool seen;
    dev_t device;
    ino_t number;
    off_t size; /* bytes */
} journal_file;

struct rdv_journal {
    sqlite3 *db;
    sqlite3_stmt *statements[N_JOURNAL_STATEMENTS];
    sqlite3_stmt *batch[N_JOURNAL_BATCH_STATEMENTS]; /* NULL: not prepared */
    sqlite3_stmt *parts[N_JOURNAL_PARTS_STATEMENTS]; /* NULL: not prepared */
    int version;                                     /* of the file */
    int unbound; /* SQLite's code of a parameter that could not be bound; else SQLITE_OK */
    bool in_transaction;
    bool taken;         /* locked by this process, for writing */
    rdv_arena *scratch; /* reset for each row */
    rdv_arena *request; /* ... for the names of a request's parts, or the request of these parts */
    char *path;
    char *log_path;         /* SQLite's log beside it */
    journal_file file, log; /* when `taken`: checked to be still there */
};

/* Bind a parameter of a statement, to what stays where it is until the statement is reset. After a
 * fault the further ones are not bound; journal_step() returns its code then, and forgets it. */
void journal_bind_key(rdv_journal *j, sqlite3_stmt *s, int parameter, const unsigned char key[32]);
void journal_bind_blob(rdv_journal *j, sqlite3_stmt *s, int parameter, rdv_str bytes);
/* text.p NULL: NULL. */
void journal_bind_text(rdv_journal *j, sqlite3_stmt *s, int parameter, rdv_str text);
void journal_bind_number(rdv_journal *j, sqlite3_stmt *s, int parameter, uint64_t number);
/* sqlite3_step(). Whatever is neither SQLITE_ROW nor SQLITE_DONE is for journal_fail(). */
int journal_step(rdv_journal *j, sqlite3_stmt *s);

/* Find the reply to the request of that key. *out: in `arena`. RDV_NONE: there is none. Faults:
 * RDV_E_IO, RDV_E_INPUT (a damaged row), RDV_E_NOMEM. */
int journal_find(rdv_journal *j, const unsigned char key[32], rdv_arena *arena, rdv_reply *out,
                 rdv_error *err);
/* Add a reply; an existing one stays. `at`: milliseconds since 1970. */
int journal_add(rdv_journal *j, const rdv_request *request, bool keep_request,
                const rdv_reply *reply, uint64_t at, rdv_error *err);
/* Begin a transaction, unless one is open; journal_commit() ends it. */
int journal_begin(rdv_journal *j, rdv_error *err);
/* Add a row. RDV_NONE: its key exists. */
int journal_add_line(rdv_journal *j, const record_line *line, rdv_error *err);
/* Read a row of JOURNAL_COLUMNS and JOURNAL_ROW_IS_GOOD. *line: borrowed until the next row.
 * Faults: RDV_E_INPUT (damaged). */
int journal_read_row(rdv_journal *j, sqlite3_stmt *row, record_line *line, rdv_error *err);
/* Commit what was written and check that the journal's files are still in place: RDV_E_IO
 * otherwise. */
int journal_commit(rdv_journal *j, rdv_error *err);

/* Check that the files of a journal open for writing have not been removed, replaced or truncated:
 * RDV_E_IO otherwise. */
int journal_watch(rdv_journal *j, rdv_error *err);

/* ---- for the files of this folder
 * ------------------------------------------------------------------ */

#define JOURNAL_BAD_ROW "a reply does not match its checksum"
#define JOURNAL_BAD_PART "a part of a request does not match its name"

/* The columns of a reply's row, and whether it is as it was written. */
#define JOURNAL_COLUMNS "key, operation, stage, model, sample_id, request, response, created_ms"
#define JOURNAL_ROW_IS_GOOD "sha256 IS row_sha256(" JOURNAL_COLUMNS ")"

/* The fault of SQLite's latest error. */
int journal_fail(rdv_journal *j, rdv_error *err);
/* RDV_E_INPUT: the journal is damaged; `how`: the evidence. */
int journal_damaged(const rdv_journal *j, const char *how, rdv_error *err);
/* Run statements that return no rows. */
int journal_run(rdv_journal *j, const char *text, rdv_error *err);
/* The bytes of a column; p == NULL: it is NULL. */
rdv_str journal_column(sqlite3_stmt *row, int column);
/* Register row_sha256(), the checksum of its arguments, and part_name(), before statements are
 * prepared. */
int journal_add_functions(rdv_journal *j, rdv_error *err);
int journal_prepare(rdv_journal *j, rdv_error *err);
/* Make the tables, and say in the file that it is of JOURNAL_VERSION. */
int journal_make_tables(rdv_journal *j, rdv_error *err);
/* Read the whole file and check that every row that was written is there unchanged. Faults:
 * RDV_E_INPUT: it is not; RDV_E_IO, RDV_E_NOMEM. */
int journal_verify(rdv_journal *j, rdv_error *err);
/* Fill an empty in-memory journal with the lines of the file. */
int journal_load_lines(rdv_journal *j, const char *path, rdv_error *err);
