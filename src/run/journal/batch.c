/* SPDX-License-Identifier: Apache-2.0 */
#include "run/journal/batch.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "model/abilities.h"

#include <unistd.h>

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS batch_files ("
    " number INTEGER PRIMARY KEY,"
    " round INTEGER NOT NULL,"
    " path TEXT,"             /* NULL: its run was killed before it was complete */
    " named INTEGER NOT NULL" /* whether the file got this name */
    ") STRICT;"
    "CREATE TABLE IF NOT EXISTS batch_requests ("
    " key BLOB PRIMARY KEY,"
    " operation TEXT, stage TEXT, model TEXT, sample_id TEXT," /* as in responses */
    " request TEXT NOT NULL,"
    " reading TEXT NOT NULL,"  /* how the reply is read: batch_write_reading() */
    " sha256 BLOB NOT NULL,"   /* of the columns before */
    " file INTEGER NOT NULL,"  /* to which it was written last */
    " times INTEGER NOT NULL," /* how often it was written */
    " run INTEGER NOT NULL,"   /* the last one that asked for it, counted from 1 */
    " state INTEGER NOT NULL, failures INTEGER NOT NULL,"
    " failure INTEGER NOT NULL, why TEXT, result_id TEXT"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS batch_requests_by_file ON batch_requests (file);"
    "CREATE TABLE IF NOT EXISTS batch_abilities ("
    " model TEXT NOT NULL, ability TEXT NOT NULL, PRIMARY KEY (model, ability)"
    ") STRICT, WITHOUT ROWID";

#define WRITTEN "key, operation, stage, model, sample_id, request, reading"
#define SUM "row_sha256(?1, ?2, ?3, ?4, ?5, ?6, ?7)"

static const char *const texts[N_JOURNAL_BATCH_STATEMENTS] = {
    [JOURNAL_BATCH_ROUND] = "SELECT coalesce(max(round), 0) + 1 FROM batch_files",
    [JOURNAL_BATCH_RUN] = "SELECT coalesce(max(run), 0) + 1 FROM batch_requests",
    [JOURNAL_BATCH_BEGIN_FILE] =
        "INSERT INTO batch_files SELECT coalesce(max(number), 0) + 1, ?1, NULL, 0 FROM batch_files",
    [JOURNAL_BATCH_NAME_FILE] = "UPDATE batch_files SET path = ?2, named = ?3 WHERE number = ?1",
    [JOURNAL_BATCH_FIND] = "SELECT state, run, file, failures, failure, why, times, " WRITTEN
                           ", result_id, sha256 IS row_sha256(" WRITTEN ")"
                           " FROM batch_requests WHERE key = ?1",
    [JOURNAL_BATCH_PUT] =
        "INSERT INTO batch_requests VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, " SUM
        ", ?8, 1, ?9, 0, 0, 0, NULL, NULL)"
        " ON CONFLICT (key) DO UPDATE SET request = ?6, reading = ?7, sha256 = " SUM
        ", file = ?8, times = times + 1, run = ?9, state = 0, failures = iif(?10, "
        "0, failures)",
    [JOURNAL_BATCH_NEED] = "UPDATE batch_requests SET run = ?2 WHERE key = ?1 AND run <> ?2",
    [JOURNAL_BATCH_ANSWERED] = "SELECT 1 FROM responses WHERE key = ?1",
    [JOURNAL_BATCH_REMOVE] = "DELETE FROM batch_requests WHERE key = ?1",
    [JOURNAL_BATCH_FAIL] =
        ("UPDATE batch_requests SET state = ?2, failures = ?3, failure = ?4, why = ?5,"
         " result_id = ?6 WHERE key = ?1"),
    [JOURNAL_BATCH_LOSE] =
        "UPDATE batch_requests SET state = 1 WHERE file = ?1 AND state = 0 AND (?2 OR NOT EXISTS"
        " (SELECT 1 FROM batch_requests AS own"
        " WHERE own.file = ?1 AND own.state = 0 AND own.times = 1))",
    [JOURNAL_BATCH_LEARN] = "INSERT OR IGNORE INTO batch_abilities VALUES (?1, ?2)",
    [JOURNAL_BATCH_LEARNED] = "SELECT ability FROM batch_abilities WHERE model = ?1"};

_Static_assert(BATCH_EXPECTED == 0 && BATCH_LOST == 1, "the statements write these numbers");

/* ---- statements ------------------------------------------------------------------------------ */

/* Run a statement that changes rows. *n: their number; NULL: not wanted. */
static int change(rdv_journal *j, sqlite3_stmt *s, uint64_t *n, rdv_error *err)
{
    /* A parameter that could not be bound is told before anything else is asked of SQLite. */
    int rc = j->unbound == SQLITE_OK ? journal_begin(j, err) : RDV_OK;
    if (rc == RDV_OK && journal_step(j, s) != SQLITE_DONE)
        rc = journal_fail(j, err);
    if (rc == RDV_OK && n)
        *n = (uint64_t)sqlite3_changes64(j->db);
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    return rc;
}

static int prepare(rdv_journal *j, rdv_error *err)
{
    for (int i = 0; i < N_JOURNAL_BATCH_STATEMENTS; i++)
        if (sqlite3_prepare_v3(j->db, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &j->batch[i],
                               NULL) != SQLITE_OK)
            return sqlite3_errcode(j->db) == SQLITE_ERROR
                       ? journal_damaged(j, sqlite3_errmsg(j->db), err)
                       : journal_fail(j, err);
    return RDV_OK;
}

/* A file without its name was not seen by anybody: its requests are written again. One that got its
 * name just before its run was killed is there. */
static int settle_files(rdv_journal *j, rdv_error *err)
{
    sqlite3_stmt *s = NULL;
    int step = SQLITE_DONE, rc = RDV_OK;
    if (sqlite3_prepare_v2(j->db, "SELECT number, path FROM batch_files WHERE named = 0", -1, &s,
                           NULL) != SQLITE_OK)
        return journal_fail(j, err);
    while (rc == RDV_OK && (step = sqlite3_step(s)) == SQLITE_ROW) {
        uint64_t number = (uint64_t)sqlite3_column_int64(s, 0), lost;
        const char *path = (const char *)sqlite3_column_text(s, 1);
        if (!path && sqlite3_column_type(s, 1) != SQLITE_NULL)
            rc = rdv_no_memory(err);
        else if (!path || access(path, F_OK) != 0)
            rc = journal_batch_lose(j, number, true, &lost, err);
    }
    if (rc == RDV_OK && step != SQLITE_DONE)
        rc = journal_fail(j, err);
    sqlite3_finalize(s);
    if (rc == RDV_OK)
        rc = journal_begin(j, err);
    if (rc == RDV_OK)
        rc = journal_run(j, "UPDATE batch_files SET named = 1 WHERE named = 0", err);
    return rc == RDV_OK ? journal_commit(j, err) : rc;
}

int journal_batch_open(rdv_journal *j, rdv_error *err)
{
    if (j->batch[0])
        return RDV_OK;
    int rc = journal_run(j, schema, err);
    if (rc == RDV_OK)
        rc = prepare(j, err);
    return rc == RDV_OK ? settle_files(j, err) : rc;
}

void journal_batch_close(rdv_journal *j)
{
    for (int i = 0; i < N_JOURNAL_BATCH_STATEMENTS; i++) {
        sqlite3_finalize(j->batch[i]);
        j->batch[i] = NULL;
    }
}

/* ---- any journal ----------------------------------------------------------------------------- */

static int count_rows(rdv_journal *j, const char *text, uint64_t *n, rdv_error *err)
{
    sqlite3_stmt *s = NULL;
    bool ok =
        sqlite3_prepare_v2(j->db, text, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW;
    *n = ok ? (uint64_t)sqlite3_column_int64(s, 0) : 0;
    int rc = ok ? RDV_OK : journal_fail(j, err);
    sqlite3_finalize(s);
    return rc;
}

#define OPEN_REQUESTS                                                                              \
    "SELECT count(*) FROM batch_requests WHERE key NOT IN (SELECT key FROM responses) AND state "  \
    "= "

/* *tables: 0 after a fault, too. */
static int has_tables(rdv_journal *j, uint64_t *tables, rdv_error *err)
{
    return count_rows(j, "SELECT count(*) FROM sqlite_schema WHERE name = 'batch_requests'", tables,
                      err);
}

int journal_batch_waiting(rdv_journal *j, uint64_t *n, rdv_error *err)
{
    uint64_t tables;
    int rc = has_tables(j, &tables, err);
    *n = 0;
    return tables ? count_rows(j, OPEN_REQUESTS "0", n, err) : rc;
}

int journal_batch_count(rdv_journal *j, batch_counts *out, rdv_error *err)
{
    static const char *const open[] = {
        [BATCH_EXPECTED] = OPEN_REQUESTS "0",
        [BATCH_LOST] = OPEN_REQUESTS "1",
        [BATCH_FAILED] = OPEN_REQUESTS "2",
        [BATCH_REFUSED] = OPEN_REQUESTS "3",
    };
    uint64_t tables;
    int rc = has_tables(j, &tables, err);
    *out = (batch_counts){0};
    if (!tables)
        return rc;
    rc = count_rows(j, "SELECT count(*) FROM batch_files", &out->files, err);
    if (rc == RDV_OK)
        rc = count_rows(j, "SELECT count(DISTINCT round) FROM batch_files", &out->rounds, err);
    for (size_t i = 0; i < sizeof open / sizeof *open && rc == RDV_OK; i++)
        rc = count_rows(j, open[i], &out->by_state[i], err);
    return rc;
}

/* ---- rounds and files ------------------------------------------------------------------------ */

static int read_number(rdv_journal *j, enum journal_batch_statement which, uint64_t *out,
                       rdv_error *err)
{
    sqlite3_stmt *s = j->batch[which];
    int rc = sqlite3_step(s) == SQLITE_ROW ? RDV_OK : journal_fail(j, err);
    *out = rc == RDV_OK ? (uint64_t)sqlite3_column_int64(s, 0) : 0;
    sqlite3_reset(s);
    return rc;
}

int journal_batch_round(rdv_journal *j, uint64_t *round, rdv_error *err)
{
    return read_number(j, JOURNAL_BATCH_ROUND, round, err);
}

int journal_batch_run(rdv_journal *j, uint64_t *run, rdv_error *err)
{
    return read_number(j, JOURNAL_BATCH_RUN, run, err);
}

int journal_batch_begin_file(rdv_journal *j, uint64_t round, uint64_t *number, rdv_error *err)
{
    sqlite3_stmt *s = j->batch[JOURNAL_BATCH_BEGIN_FILE];
    journal_bind_number(j, s, 1, round);
    int rc = change(j, s, NULL, err);
    *number = (uint64_t)sqlite3_last_insert_rowid(j->db);
    return rc;
}

int journal_batch_name_file(rdv_journal *j, uint64_t number, const char *path, bool named,
                            rdv_error *err)
{
    sqlite3_stmt *s = j->batch[JOURNAL_BATCH_NAME_FILE];
    journal_bind_number(j, s, 1, number);
    journal_bind_text(j, s, 2, rdv_str_of(path));
    journal_bind_number(j, s, 3, named);
    return change(j, s, NULL, err);
}

/* ---- requests -------------------------------------------------------------------------------- */

/* The text of a column, in `arena`; a NULL stays absent. */
static int column(sqlite3_stmt *s, int which, rdv_arena *arena, rdv_str *out)
{
    rdv_str text = journal_column(s, which);
    *out = text.p ? rdv_str_copy(arena, text) : text;
    return text.p && !out->p ? RDV_E_NOMEM : RDV_OK;
}

static int read_row(sqlite3_stmt *s, rdv_arena *arena, batch_row *out)
{
    int failure = sqlite3_column_int(s, 4), state = sqlite3_column_int(s, 0);
    bool known = failure >= 0 && failure <= RDV_FAIL_MISSING;
    bool stated = state >= 0 && state <= BATCH_REFUSED;
    *out = (batch_row){.state = stated ? (batch_state)state : BATCH_LOST,
                       .run = (uint64_t)sqlite3_column_int64(s, 1),
                       .file = (uint64_t)sqlite3_column_int64(s, 2),
                       .times = (uint64_t)sqlite3_column_int64(s, 6),
                       .failures = (uint32_t)sqlite3_column_int(s, 3),
                       .failure = known ? (rdv_failure)failure : RDV_FAIL_REFUSED};
    return column(s, 5, arena, &out->why);
}

static int read_pending(sqlite3_stmt *s, rdv_arena *arena, batch_pending *out)
{
    rdv_str *to[] = {&out->line.operation, &out->line.stage, &out->line.model, &out->line.sample_id,
                     &out->line.request,   &out->reading,    &out->result_id};
    int rc = read_row(s, arena, &out->row);
    for (size_t i = 0; i < sizeof to / sizeof *to && rc == RDV_OK; i++)
        rc = column(s, 8 + (int)i, arena, to[i]);
    return rc;
}

/* Look a request up; `sound`: its checksum must match. */
static int look_up(rdv_journal *j, const unsigned char key[32], bool sound, rdv_arena *arena,
                   batch_pending *out, rdv_error *err)
{
    sqlite3_stmt *s = j->batch[JOURNAL_BATCH_FIND];
    *out = (batch_pending){0};
    journal_bind_key(j, s, 1, key);
    int step = journal_step(j, s), rc = RDV_NONE;
    if (step == SQLITE_ROW && sound && !sqlite3_column_int(s, 15))
        rc = journal_damaged(j, "a request of a batch does not match its checksum", err);
    else if (step == SQLITE_ROW)
        rc = (sound ? read_pending(s, arena, out) : read_row(s, arena, &out->row)) == RDV_OK
                 ? RDV_OK
                 : rdv_no_memory(err);
    else if (step != SQLITE_DONE)
        rc = journal_fail(j, err);
    sqlite3_reset(s);
    memcpy(out->line.key, key, sizeof out->line.key);
    return rc;
}

int journal_batch_find(rdv_journal *j, const unsigned char key[32], rdv_arena *arena,
                       batch_row *out, rdv_error *err)
{
    batch_pending found;
    int rc = look_up(j, key, false, arena, &found, err);
    *out = found.row;
    return rc;
}

int journal_batch_pending(rdv_journal *j, const unsigned char key[32], rdv_arena *arena,
                          batch_pending *out, rdv_error *err)
{
    return look_up(j, key, true, arena, out, err);
}

int journal_batch_put(rdv_journal *j, const rdv_request *request, rdv_str reading, uint64_t file,
                      uint64_t run, bool afresh, rdv_error *err)
{
    sqlite3_stmt *s = j->batch[JOURNAL_BATCH_PUT];
    rdv_buf asked;
    rdv_arena_reset(j->scratch);
    rdv_buf_init(&asked, j->scratch, 0);
    record_write_request(&asked, request);
    if (!rdv_buf_ok(&asked))
        return rdv_no_memory(err);
    journal_bind_key(j, s, 1, request->key);
    journal_bind_text(j, s, 2, rdv_str_of(rdv_request_kind_name(request->kind)));
    journal_bind_text(j, s, 3, request->stage);
    journal_bind_text(j, s, 4, request->model);
    journal_bind_text(j, s, 5, request->sample);
    journal_bind_text(j, s, 6, rdv_buf_str(&asked));
    journal_bind_text(j, s, 7, reading);
    journal_bind_number(j, s, 8, file);
    journal_bind_number(j, s, 9, run);
    journal_bind_number(j, s, 10, afresh);
    return change(j, s, NULL, err);
}

int journal_batch_need(rdv_journal *j, const unsigned char key[32], uint64_t run, rdv_error *err)
{
    sqlite3_stmt *s = j->batch[JOURNAL_BATCH_NEED];
    uint64_t n = 0;
    journal_bind_key(j, s, 1, key);
    journal_bind_number(j, s, 2, run);
    int rc = change(j, s, &n, err);
    return rc == RDV_OK && n == 0 ? RDV_NONE : rc;
}

/* ---- results --------------------------------------------------------------------------------- */

int journal_batch_answered(rdv_journal *j, const unsigned char key[32], rdv_error *err)
{
    sqlite3_stmt *s = j->batch[JOURNAL_BATCH_ANSWERED];
    journal_bind_key(j, s, 1, key);
    int step = journal_step(j, s);
    int rc = step == SQLITE_ROW ? RDV_OK : step == SQLITE_DONE ? RDV_NONE : journal_fail(j, err);
    sqlite3_reset(s);
    return rc;
}

int journal_batch_remove(rdv_journal *j, const unsigned char key[32], rdv_error *err)
{
    sqlite3_stmt *s = j->batch[JOURNAL_BATCH_REMOVE];
    journal_bind_key(j, s, 1, key);
    return change(j, s, NULL, err);
}

int journal_batch_fail(rdv_journal *j, const unsigned char key[32], const batch_row *row,
                       rdv_str result_id, rdv_error *err)
{
    sqlite3_stmt *s = j->batch[JOURNAL_BATCH_FAIL];
    journal_bind_key(j, s, 1, key);
    journal_bind_number(j, s, 2, row->state);
    journal_bind_number(j, s, 3, row->failures);
    journal_bind_number(j, s, 4, row->failure);
    journal_bind_text(j, s, 5, row->why);
    journal_bind_text(j, s, 6, result_id);
    return change(j, s, NULL, err);
}

int journal_batch_lose(rdv_journal *j, uint64_t file, bool sure, uint64_t *n, rdv_error *err)
{
    sqlite3_stmt *s = j->batch[JOURNAL_BATCH_LOSE];
    journal_bind_number(j, s, 1, file);
    journal_bind_number(j, s, 2, sure);
    return change(j, s, n, err);
}

/* ---- abilities ------------------------------------------------------------------------------- */

int journal_batch_learn(rdv_journal *j, rdv_str model, rdv_str lacks, rdv_error *err)
{
    sqlite3_stmt *s = j->batch[JOURNAL_BATCH_LEARN];
    journal_bind_text(j, s, 1, model);
    journal_bind_text(j, s, 2, lacks);
    return change(j, s, NULL, err);
}

static void set_lacking(rdv_str lacks, rdv_abilities *abilities)
{
    const char *name, *meaning;
    rdv_can can;
    for (size_t i = 0; rdv_abilities_entry(abilities, i, &name, &meaning, &can) == RDV_OK; i++)
        if (rdv_str_eq(lacks, rdv_str_of(name)))
            ability_set(abilities, (enum ability)i, RDV_CANNOT);
}

int journal_batch_learned(rdv_journal *j, rdv_str model, rdv_abilities *abilities, rdv_error *err)
{
    sqlite3_stmt *s = j->batch[JOURNAL_BATCH_LEARNED];
    int step;
    journal_bind_text(j, s, 1, model);
    while ((step = journal_step(j, s)) == SQLITE_ROW)
        set_lacking(journal_column(s, 0), abilities);
    int rc = step == SQLITE_DONE ? RDV_OK : journal_fail(j, err);
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    return rc;
}
