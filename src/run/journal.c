/* SPDX-License-Identifier: Apache-2.0 */
#include "run/journal.h"
#include "base/arena.h"
#include "base/str.h"
#include "run/journal_lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define APPLICATION_ID 0x52647631 /* "Rdv1", in the head of the file */

static const char schema[] = "CREATE TABLE responses ("
                             " key BLOB UNIQUE NOT NULL," /* SHA-256 of what was asked */
                             " operation TEXT, stage TEXT, model TEXT, sample_id TEXT,"
                             " request TEXT,"           /* JSON, or NULL where it was not kept */
                             " response TEXT NOT NULL," /* JSON */
                             " created_ms INTEGER NOT NULL," /* milliseconds since 1970 */
                             " sha256 BLOB"                  /* of the others: row_sha256() */
                             ") STRICT";

static const char *const texts[N_JOURNAL_STATEMENTS] = {
    [JOURNAL_FIND] = "SELECT response, " JOURNAL_ROW_IS_GOOD " FROM responses WHERE key = ?1",
    [JOURNAL_ADD] = ("INSERT OR IGNORE INTO responses VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
                     " row_sha256(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8))"),
    [JOURNAL_BEGIN] = "BEGIN",
    [JOURNAL_COMMIT] = "COMMIT",
    [JOURNAL_COUNT] = "SELECT count(*) FROM responses",
    [JOURNAL_MODELS] = ("SELECT model, min(" JOURNAL_ROW_IS_GOOD ") FROM responses"
                        " GROUP BY model ORDER BY model"),
    [JOURNAL_ALL] = ("SELECT " JOURNAL_COLUMNS ", " JOURNAL_ROW_IS_GOOD " FROM responses"
                     " ORDER BY model, sample_id, key")};

/* ---- faults ---------------------------------------------------------------------------------- */

int journal_fail(rdv_journal *j, rdv_error *err)
{
    int code = sqlite3_errcode(j->db);
    if (code == SQLITE_NOMEM)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    if (journal_watch(j, err) != RDV_OK)
        return RDV_E_IO;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return rdv_fail(err, RDV_E_IO, "journal %s is in use by another process", j->path);
    if (code == SQLITE_CANTOPEN && sqlite3_system_errno(j->db))
        return rdv_fail(err, RDV_E_IO, "journal %s: %s", j->path,
                        strerror(sqlite3_system_errno(j->db)));
    if (code == SQLITE_NOTADB)
        return rdv_fail(err, RDV_E_INPUT, "%s is not a journal", j->path);
    if (code == SQLITE_CORRUPT)
        return journal_damaged(j, "its pages do not fit together", err);
    return rdv_fail(err, RDV_E_IO, "journal %s: %s", j->path, sqlite3_errmsg(j->db));
}

/* ---- statements ------------------------------------------------------------------------------ */

static int run_text(rdv_journal *j, const char *text, rdv_error *err)
{
    return sqlite3_exec(j->db, text, NULL, NULL, NULL) == SQLITE_OK ? RDV_OK : journal_fail(j, err);
}

static int prepare_all(rdv_journal *j, rdv_error *err)
{
    for (int i = 0; i < N_JOURNAL_STATEMENTS; i++) {
        if (sqlite3_prepare_v3(j->db, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &j->statements[i],
                               NULL) == SQLITE_OK)
            continue;
        bool unlike = sqlite3_errcode(j->db) == SQLITE_ERROR; /* another table than we made */
        return unlike ? journal_damaged(j, sqlite3_errmsg(j->db), err) : journal_fail(j, err);
    }
    return RDV_OK;
}

/* Run one that gives no rows. */
static int run_prepared(rdv_journal *j, enum journal_statement which, rdv_error *err)
{
    sqlite3_stmt *s = j->statements[which];
    int rc = sqlite3_step(s) == SQLITE_DONE ? RDV_OK : journal_fail(j, err);
    sqlite3_reset(s);
    return rc;
}

/* The whole number that a pragma gives. */
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

/* ---- opening --------------------------------------------------------------------------------- */

static int make_schema(rdv_journal *j, rdv_error *err)
{
    char pragmas[128];
    snprintf(pragmas, sizeof pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION_ID, RECORD_JOURNAL_VERSION);
    int rc = run_text(j, "BEGIN", err);
    if (rc == RDV_OK)
        rc = run_text(j, schema, err);
    if (rc == RDV_OK)
        rc = run_text(j, pragmas, err);
    return rc == RDV_OK ? run_text(j, "COMMIT", err) : rc;
}

/* See that the file is a journal, and of which version. RDV_NONE: it is empty, such as a run leaves
 * that is killed early. */
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
    if (version == RECORD_JOURNAL_VERSION)
        return RDV_OK;
    return rdv_fail(err, RDV_E_INPUT,
                    "journal %s is of version %lld, and this program reads version %d: %s", j->path,
                    (long long)version, RECORD_JOURNAL_VERSION,
                    version > RECORD_JOURNAL_VERSION
                        ? "use the program that wrote it, or a newer one"
                        : "use the program that wrote it, or delete it and ask again");
}

/* Keep the file for this process: two runs would ask the same twice, and neither would see it. */
static int take(rdv_journal *j, bool empty, rdv_error *err)
{
    int rc = run_text(j,
                      "PRAGMA journal_mode = WAL;"
                      "PRAGMA synchronous = NORMAL;"
                      "BEGIN IMMEDIATE; COMMIT",
                      err);
    j->taken = rc == RDV_OK;
    if (rc != RDV_OK)
        return rc;
    return empty ? make_schema(j, err) : journal_verify(j, err);
}

/* Leave a file that needs no log beside it: who plays it again may not be able to write there. That
 * it cannot be done does no harm. */
static void leave(rdv_journal *j)
{
    if (j->in_transaction)
        (void)run_text(j, "ROLLBACK", NULL);
    (void)run_text(j, "PRAGMA journal_mode = DELETE", NULL);
}

static int open_database(rdv_journal *j, const char *path, int flags, rdv_error *err)
{
    if (sqlite3_open_v2(path, &j->db, flags | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK)
        return journal_add_functions(j, err);
    return j->db ? journal_fail(j, err) : rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

static int open_to_write(rdv_journal *j, const char *path, rdv_error *err)
{
    int rc = open_database(j, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    if (rc == RDV_OK)
        rc = run_text(j, "PRAGMA locking_mode = EXCLUSIVE", err);
    if (rc == RDV_OK)
        rc = check_schema(j, err); /* before anything is changed in the file */
    return rc >= 0 ? take(j, rc == RDV_NONE, err) : rc;
}

/* Does the file begin as SQLite's do? Any other is taken for lines of JSON. */
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
        /* Not only to read, where that is allowed: what a killed run left is put in order first. */
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
        rc = prepare_all(j, err);
    bool in_memory = rc == RDV_OK && sqlite3_db_filename(j->db, "main")[0] == '\0';
    return in_memory ? journal_load_lines(j, path, err) : rc;
}

int rdv_journal_open(const char *path, rdv_journal_mode mode, rdv_journal **journal, rdv_error *err)
{
    *journal = NULL;
    rdv_journal *j = calloc(1, sizeof *j);
    if (!j)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    j->path = strdup(path);
    if (asprintf(&j->log_path, "%s-wal", path) < 0)
        j->log_path = NULL;
    j->scratch = rdv_arena_new(0);
    bool ready = j->path && j->log_path && j->scratch;
    int rc = ready ? open_mode(j, path, mode, err) : rdv_fail(err, RDV_E_NOMEM, "out of memory");
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
    if (j->taken)
        leave(j);
    sqlite3_close(j->db);
    rdv_arena_free(&j->scratch);
    free(j->path);
    free(j->log_path);
    free(j);
}

/* ---- rows ------------------------------------------------------------------------------------ */

rdv_str journal_column(sqlite3_stmt *row, int column)
{
    const char *p = sqlite3_column_blob(row, column);
    size_t n = (size_t)sqlite3_column_bytes(row, column);
    bool none = sqlite3_column_type(row, column) == SQLITE_NULL;
    return none ? (rdv_str){0} : (rdv_str){p ? p : "", n};
}

static int read_reply(const rdv_journal *j, sqlite3_stmt *row, rdv_arena *arena, rdv_reply *out,
                      rdv_error *err)
{
    int rc = record_read_reply(journal_column(row, 0), arena, out, err);
    return rc < 0 ? rdv_wrap(err, rc, "journal %s", j->path) : rc;
}

int journal_find(rdv_journal *j, const unsigned char key[32], rdv_arena *arena, rdv_reply *out,
                 rdv_error *err)
{
    sqlite3_stmt *s = j->statements[JOURNAL_FIND];
    sqlite3_bind_blob(s, 1, key, 32, SQLITE_STATIC);
    int step = sqlite3_step(s), rc = RDV_NONE;
    if (step == SQLITE_ROW && !sqlite3_column_int(s, 1))
        rc = journal_damaged(j, JOURNAL_BAD_ROW, err);
    else if (step == SQLITE_ROW)
        rc = read_reply(j, s, arena, out, err);
    else if (step != SQLITE_DONE)
        rc = journal_fail(j, err);
    sqlite3_reset(s);
    return rc;
}

static void bind_text(sqlite3_stmt *s, int place, rdv_str text)
{
    if (text.p)
        sqlite3_bind_text64(s, place, text.p, text.len, SQLITE_STATIC, SQLITE_UTF8);
    else
        sqlite3_bind_null(s, place);
}

int journal_add_line(rdv_journal *j, const record_line *line, rdv_error *err)
{
    if (!j->in_transaction) {
        int rc = run_prepared(j, JOURNAL_BEGIN, err);
        if (rc != RDV_OK)
            return rc;
        j->in_transaction = true;
    }
    sqlite3_stmt *s = j->statements[JOURNAL_ADD];
    sqlite3_bind_blob(s, 1, line->key, sizeof line->key, SQLITE_STATIC);
    bind_text(s, 2, line->operation);
    bind_text(s, 3, line->stage);
    bind_text(s, 4, line->model);
    bind_text(s, 5, line->sample_id);
    bind_text(s, 6, line->request);
    bind_text(s, 7, line->response);
    sqlite3_bind_int64(s, 8, (sqlite3_int64)line->created_ms);
    int rc = run_prepared(j, JOURNAL_ADD, err);
    sqlite3_clear_bindings(s);
    return rc == RDV_OK && sqlite3_changes(j->db) == 0 ? RDV_NONE : rc;
}

int journal_add(rdv_journal *j, const rdv_request *request, bool keep_request,
                const rdv_reply *reply, uint64_t at, rdv_error *err)
{
    rdv_buf asked, said;
    rdv_arena_reset(j->scratch);
    rdv_buf_init(&asked, j->scratch, 0);
    rdv_buf_init(&said, j->scratch, 0);
    record_write_reply(&said, reply);
    if (keep_request)
        record_write_request(&asked, request);
    if (!rdv_buf_ok(&asked) || !rdv_buf_ok(&said))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory writing the journal");
    record_line line = {.operation = rdv_str_of(rdv_ask_name(request->is)),
                        .stage = request->stage,
                        .model = request->model,
                        .sample_id = request->sample,
                        .request = keep_request ? rdv_buf_str(&asked) : (rdv_str){0},
                        .response = rdv_buf_str(&said),
                        .created_ms = at};
    memcpy(line.key, request->key, sizeof line.key);
    int rc = journal_add_line(j, &line, err);
    return rc == RDV_NONE ? RDV_OK : rc;
}

int journal_commit(rdv_journal *j, rdv_error *err)
{
    int rc = journal_watch(j, err); /* before: writing makes a file long again that was cut off */
    if (rc != RDV_OK || !j->in_transaction)
        return rc;
    rc = run_prepared(j, JOURNAL_COMMIT, err);
    if (rc != RDV_OK)
        return rc;
    j->in_transaction = false;
    return journal_watch(j, err);
}

int rdv_journal_flush(rdv_journal *journal, rdv_error *err)
{
    return journal_commit(journal, err);
}

int rdv_journal_count(rdv_journal *journal, uint64_t *n, rdv_error *err)
{
    sqlite3_stmt *s = journal->statements[JOURNAL_COUNT];
    int rc = sqlite3_step(s) == SQLITE_ROW ? RDV_OK : journal_fail(journal, err);
    if (rc == RDV_OK)
        *n = (uint64_t)sqlite3_column_int64(s, 0);
    sqlite3_reset(s);
    return rc;
}

int rdv_journal_models(rdv_journal *journal, rdv_arena *arena, rdv_str **names, size_t *n,
                       rdv_error *err)
{
    sqlite3_stmt *s = journal->statements[JOURNAL_MODELS];
    size_t cap = 0;
    int step, rc = RDV_OK;
    *names = NULL;
    *n = 0;
    while (rc == RDV_OK && (step = sqlite3_step(s)) == SQLITE_ROW) {
        rdv_str name = journal_column(s, 0);
        bool none = !name.p; /* replies of nobody in particular */
        if (!sqlite3_column_int(s, 1))
            rc = journal_damaged(journal, JOURNAL_BAD_ROW, err);
        if (rc != RDV_OK || none)
            continue;
        name = rdv_str_copy(arena, name);
        if (!name.p || !RDV_PUSH_ROOM(arena, *names, *n, cap))
            rc = rdv_fail(err, RDV_E_NOMEM, "out of memory");
        else
            (*names)[(*n)++] = name;
    }
    if (rc == RDV_OK && step != SQLITE_DONE)
        rc = journal_fail(journal, err);
    sqlite3_reset(s);
    return rc;
}
