/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and closing journals. */
#include "run/journal/batch.h"
#include "run/journal/parts.h"
#include "base/arena.h"
#include "base/str.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define APPLICATION_ID 0x52647631 /* "Rdv1", in the header of the file */

static const char schema[] =
    JOURNAL_PARTS_SCHEMA "CREATE TABLE responses ("
                         " key BLOB UNIQUE NOT NULL," /* SHA-256 of the request */
                         " operation TEXT, stage TEXT, model TEXT, sample_id TEXT,"
                         " request ANY," /* the names of its parts (parts.h), or TEXT: JSON,
                                            or NULL if not stored */
                         " response TEXT NOT NULL,"      /* JSON */
                         " created_ms INTEGER NOT NULL," /* milliseconds since 1970 */
                         " sha256 BLOB"                  /* of the other columns:
                                                            row_sha256() */
                         ") STRICT";

/* ---- the schema ------------------------------------------------------------------------------ */

/* Read the whole number that a pragma returns. */
static int read_pragma(rdv_journal *j, const char *text, int64_t *out, rdv_error *err)
{
    sqlite3_stmt *s = NULL;
    bool ok =
        sqlite3_prepare_v2(j->db, text, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW;
    if (ok)
        *out = sqlite3_column_int64(s, 0);
    int rc = ok ? RDV_OK : journal_fail(j, err);
    sqlite3_finalize(s);
    return rc;
}

int journal_make_tables(rdv_journal *j, rdv_error *err)
{
    char pragmas[128];
    snprintf(pragmas, sizeof pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION_ID, JOURNAL_VERSION);
    int rc = journal_run(j, schema, err);
    if (rc == RDV_OK)
        rc = journal_run(j, pragmas, err);
    if (rc == RDV_OK)
        j->version = JOURNAL_VERSION;
    return rc;
}

static int make_schema(rdv_journal *j, rdv_error *err)
{
    int rc = journal_run(j, "BEGIN", err);
    if (rc == RDV_OK)
        rc = journal_make_tables(j, err);
    return rc == RDV_OK ? journal_run(j, "COMMIT", err) : rc;
}

/* Check that the file is a journal, and its version. RDV_NONE: it is empty, as a run leaves it that
 * is killed early. */
static int check_schema(rdv_journal *j, rdv_error *err)
{
    int64_t application = 0, version = 0, tables = 0;
    int rc = read_pragma(j, "PRAGMA application_id", &application, err);
    if (rc == RDV_OK)
        rc = read_pragma(j, "PRAGMA user_version", &version, err);
    if (rc == RDV_OK)
        rc = read_pragma(j, "SELECT count(*) FROM sqlite_schema", &tables, err);
    if (rc != RDV_OK)
        return rc;
    if (tables == 0 && application == 0 && version == 0)
        return RDV_NONE;
    if (application != APPLICATION_ID)
        return rdv_fail(err, RDV_E_INPUT, "%s is a database of another program, not a journal",
                        j->path);
    j->version = (int)version;
    if (version >= JOURNAL_VERSION_WHOLE && version <= JOURNAL_VERSION)
        return RDV_OK;
    return rdv_fail(err, RDV_E_INPUT,
                    "journal %s is of version %lld, and this program reads versions %d and %d: %s",
                    j->path, (long long)version, JOURNAL_VERSION_WHOLE, JOURNAL_VERSION,
                    version > JOURNAL_VERSION
                        ? "use the program that wrote it, or a newer one"
                        : "use the program that wrote it, or delete it and ask again");
}

/* ---- opening ----------------------------------------------------------------------------------
 */

/* Lock the file for this process: two runs would send the same requests twice, unaware of each
 * other. The log may grow to 16 MB before SQLite moves its pages into the file: keys are in random
 * order, so most of these pages are soon written again. */
static int take(rdv_journal *j, bool empty, rdv_error *err)
{
    int rc = journal_run(j,
                         "PRAGMA journal_mode = WAL;"
                         "PRAGMA synchronous = NORMAL;"
                         "PRAGMA wal_autocheckpoint = 4000;"
                         "BEGIN IMMEDIATE; COMMIT",
                         err);
    j->taken = rc == RDV_OK;
    if (rc != RDV_OK)
        return rc;
    return empty ? make_schema(j, err) : journal_verify(j, err);
}

/* Leave the file without a log beside it, because a replay may not be able to write there. A
 * failure does no harm. */
static void leave(rdv_journal *j)
{
    if (j->in_transaction)
        (void)journal_run(j, "ROLLBACK", NULL);
    (void)journal_run(j, "PRAGMA journal_mode = DELETE", NULL);
}

static int open_database(rdv_journal *j, const char *path, int flags, rdv_error *err)
{
    if (sqlite3_open_v2(path, &j->db, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK)
        return journal_add_functions(j, err);
    return j->db ? journal_fail(j, err) : rdv_no_memory(err);
}

static int open_to_write(rdv_journal *j, const char *path, rdv_error *err)
{
    int rc = open_database(j, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    if (rc == RDV_OK)
        rc = journal_run(j, "PRAGMA locking_mode = EXCLUSIVE", err);
    if (rc == RDV_OK)
        rc = check_schema(j, err); /* before any change of the file */
    return rc >= 0 ? take(j, rc == RDV_NONE, err) : rc;
}

/* Whether the file begins as SQLite's files do. Any other file is read as lines of JSON. */
static int is_database(const char *path, bool *is, rdv_error *err)
{
    char head[16];
    FILE *f = fopen(path, "rbe");
    if (!f)
        return rdv_fail(err, RDV_E_IO, "%s: %s", path, strerror(errno));
    *is = fread(head, 1, sizeof head, f) == sizeof head &&
          memcmp(head, "SQLite format 3", sizeof head) == 0;
    fclose(f);
    return RDV_OK;
}

static int open_to_read(rdv_journal *j, const char *path, rdv_error *err)
{
    bool database = false;
    int rc = is_database(path, &database, err);
    if (rc != RDV_OK)
        return rc;
    if (database) {
        /* Opened for writing if possible: the remains of a killed run are cleaned up first. */
        rc = open_database(j, path, SQLITE_OPEN_READWRITE, err);
        rc = rc == RDV_OK ? check_schema(j, err) : rc;
        if (rc == RDV_OK)
            rc = journal_verify(j, err);
        return rc == RDV_NONE ? make_schema(j, err) : rc;
    }
    rc = open_database(j, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    return rc == RDV_OK ? make_schema(j, err) : rc;
}

static int open_mode(rdv_journal *j, const char *path, rdv_journal_mode mode, rdv_error *err)
{
    int rc = mode == RDV_JOURNAL_WRITE ? open_to_write(j, path, err) : open_to_read(j, path, err);
    if (rc == RDV_OK)
        rc = journal_prepare(j, err);
    bool in_memory = rc == RDV_OK && sqlite3_db_filename(j->db, "main")[0] == '\0';
    return in_memory && mode == RDV_JOURNAL_READ ? journal_load_lines(j, path, err) : rc;
}

int rdv_journal_open(const char *path, rdv_journal_mode mode, rdv_journal **journal, rdv_error *err)
{
    *journal = NULL;
    rdv_journal *j = calloc(1, sizeof *j);
    if (!j)
        return rdv_no_memory(err);
    j->path = strdup(path);
    if (asprintf(&j->log_path, "%s-wal", path) < 0)
        j->log_path = NULL;
    j->scratch = rdv_arena_new(0);
    j->request = rdv_arena_new(0);
    bool ready = j->path && j->log_path && j->scratch && j->request;
    int rc = ready ? open_mode(j, path, mode, err) : rdv_no_memory(err);
    if (rc == RDV_OK)
        rc = journal_watch(j, err);
    if (rc == RDV_OK)
        *journal = j;
    else
        rdv_journal_close(&j);
    return rc;
}

void rdv_journal_close(rdv_journal **journal)
{
    rdv_journal *j = journal ? *journal : NULL;
    if (!j)
        return;
    *journal = NULL;
    for (int i = 0; i < N_JOURNAL_STATEMENTS; i++)
        sqlite3_finalize(j->statements[i]);
    journal_batch_close(j);
    journal_parts_close(j);
    if (j->taken)
        leave(j);
    sqlite3_close(j->db);
    rdv_arena_free(&j->scratch);
    rdv_arena_free(&j->request);
    free(j->path);
    free(j->log_path);
    free(j);
}
