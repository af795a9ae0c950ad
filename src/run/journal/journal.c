/* SPDX-License-Identifier: Apache-2.0 */
#include "run/journal/journal.h"
#include "base/arena.h"
#include "base/str.h"
#include "run/journal/lines.h"
#include "run/journal/merge.h"
#include "run/journal/parts.h"

#include <nettle/sha2.h>

/* ---- statements ------------------------------------------------------------------------------ */

static const char *const texts[N_JOURNAL_STATEMENTS] = {
    [JOURNAL_FIND] =
        "SELECT response, " JOURNAL_ROW_IS_GOOD ", created_ms FROM responses WHERE key = ?1",
    [JOURNAL_ADD] = ("INSERT OR IGNORE INTO responses VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
                     " row_sha256(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8))"),
    [JOURNAL_BEGIN] = "BEGIN",
    [JOURNAL_COMMIT] = "COMMIT",
    [JOURNAL_COUNT] = "SELECT count(*) FROM responses",
    [JOURNAL_MODELS] = ("SELECT model, min(" JOURNAL_ROW_IS_GOOD ") FROM responses"
                        " GROUP BY model ORDER BY model"),
    [JOURNAL_ALL] = ("SELECT " JOURNAL_COLUMNS ", " JOURNAL_ROW_IS_GOOD " FROM responses"
                     " ORDER BY model, sample_id, key")};

int journal_prepare(rdv_journal *j, rdv_error *err)
{
    for (int i = 0; i < N_JOURNAL_STATEMENTS; i++) {
        if (sqlite3_prepare_v3(j->db, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &j->statements[i],
                               NULL) == SQLITE_OK)
            continue;
        bool unlike = sqlite3_errcode(j->db) == SQLITE_ERROR; /* not our table */
        return unlike ? journal_damaged(j, sqlite3_errmsg(j->db), err) : journal_fail(j, err);
    }
    return RDV_OK;
}

/* Run a statement that returns no rows. */
static int run_prepared(rdv_journal *j, enum journal_statement which, rdv_error *err)
{
    sqlite3_stmt *s = j->statements[which];
    int rc = journal_step(j, s) == SQLITE_DONE ? RDV_OK : journal_fail(j, err);
    sqlite3_reset(s);
    return rc;
}

/* ---- the checksum of a row ------------------------------------------------------------------- */

static void hash_number(struct sha256_ctx *h, uint64_t n)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(n >> 8 * i);
    sha256_update(h, sizeof bytes, bytes);
}

/* Hash the value's type and length, then its bytes: two different rows never give the same
 * bytes. */
static void hash_value(struct sha256_ctx *h, sqlite3_value *value)
{
    uint8_t type = (uint8_t)sqlite3_value_type(value);
    sha256_update(h, sizeof type, &type);
    if (type == SQLITE_INTEGER)
        hash_number(h, (uint64_t)sqlite3_value_int64(value));
    if (type != SQLITE_TEXT && type != SQLITE_BLOB)
        return;
    const uint8_t *bytes = sqlite3_value_blob(value);
    size_t n = (size_t)sqlite3_value_bytes(value);
    hash_number(h, n);
    sha256_update(h, bytes ? n : 0, bytes);
}

/* The SQL function row_sha256(key, ...). */
static void row_sha256(sqlite3_context *context, int n, sqlite3_value **values)
{
    struct sha256_ctx h;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&h);
    for (int i = 0; i < n; i++)
        hash_value(&h, values[i]);
    sha256_digest(&h, sizeof digest, digest);
    sqlite3_result_blob(context, digest, sizeof digest, SQLITE_TRANSIENT);
}

int journal_add_functions(rdv_journal *j, rdv_error *err)
{
    int rc = sqlite3_create_function(j->db, "row_sha256", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                     NULL, row_sha256, NULL, NULL);
    return rc == SQLITE_OK ? journal_add_part_function(j, err) : journal_fail(j, err);
}

/* ---- the whole file -------------------------------------------------------------------------- */

/* SQLite's own check finds missing rows: it compares the index of keys with the table in both
 * directions. */

/* *ok: whether the first row of the statement is the expected word. */
static int run_check(rdv_journal *j, const char *text, const char *wanted, bool *ok, rdv_error *err)
{
    sqlite3_stmt *s = NULL;
    int rc = RDV_OK;
    if (sqlite3_prepare_v2(j->db, text, -1, &s, NULL) != SQLITE_OK || sqlite3_step(s) != SQLITE_ROW)
        rc = journal_fail(j, err);
    else
        *ok = rdv_str_eq(journal_column(s, 0), rdv_str_of(wanted));
    sqlite3_finalize(s);
    return rc;
}

static int check_structure(rdv_journal *j, rdv_error *err)
{
    bool ok = false;
    int rc = run_check(j, "PRAGMA integrity_check(1)", "ok", &ok, err);
    return rc == RDV_OK && !ok ? journal_damaged(j, "its pages do not fit together", err) : rc;
}

int journal_verify(rdv_journal *j, rdv_error *err)
{
    static const char bad_rows[] =
        "SELECT CAST(count(*) AS TEXT) FROM responses WHERE NOT (" JOURNAL_ROW_IS_GOOD ")";
    static const char bad_parts[] =
        "SELECT CAST(count(*) AS TEXT) FROM parts WHERE name IS NOT part_name(text)";
    bool ok = false;
    int rc = check_structure(j, err);
    if (rc == RDV_OK)
        rc = run_check(j, bad_rows, "0", &ok, err);
    if (rc == RDV_OK && !ok)
        return journal_damaged(j, JOURNAL_BAD_ROW, err);
    if (rc == RDV_OK && j->version >= JOURNAL_VERSION)
        rc = run_check(j, bad_parts, "0", &ok, err);
    return rc == RDV_OK && !ok ? journal_damaged(j, JOURNAL_BAD_PART, err) : rc;
}

int rdv_journal_settle(rdv_journal *journal, rdv_error *err)
{
    bool ok = false;
    int rc = run_check(journal, "PRAGMA journal_mode = DELETE", "delete", &ok, err);
    if (rc == RDV_OK && !ok)
        return rdv_fail(err, RDV_E_IO, "journal %s: its log cannot be brought into it",
                        journal->path);
    journal->log.seen = false; /* the log is gone, as it should */
    return rc;
}

/* ---- rows ------------------------------------------------------------------------------------ */

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
    journal_bind_key(j, s, 1, key);
    int step = journal_step(j, s), rc = RDV_NONE;
    if (step == SQLITE_ROW && !sqlite3_column_int(s, 1))
        rc = journal_damaged(j, JOURNAL_BAD_ROW, err);
    else if (step == SQLITE_ROW)
        rc = read_reply(j, s, arena, out, err);
    else if (step != SQLITE_DONE)
        rc = journal_fail(j, err);
    sqlite3_reset(s);
    return rc;
}

int journal_read_row(rdv_journal *j, sqlite3_stmt *row, record_line *line, rdv_error *err)
{
    rdv_str key = journal_column(row, 0);
    if (key.len != sizeof line->key || !sqlite3_column_int(row, 8))
        return journal_damaged(j, JOURNAL_BAD_ROW, err);
    *line = (record_line){.operation = journal_column(row, 1),
                          .stage = journal_column(row, 2),
                          .model = journal_column(row, 3),
                          .sample_id = journal_column(row, 4),
                          .request = journal_column(row, 5),
                          .response = journal_column(row, 6),
                          .created_ms = (uint64_t)sqlite3_column_int64(row, 7)};
    memcpy(line->key, key.p, sizeof line->key);
    bool in_parts = sqlite3_column_type(row, 5) == SQLITE_BLOB;
    return in_parts ? journal_get_request(j, line->request, &line->request, err) : RDV_OK;
}

int journal_begin(rdv_journal *j, rdv_error *err)
{
    int rc = j->in_transaction ? RDV_OK : run_prepared(j, JOURNAL_BEGIN, err);
    j->in_transaction |= rc == RDV_OK;
    return rc;
}

int journal_add_line(rdv_journal *j, const record_line *line, rdv_error *err)
{
    rdv_str names;
    int rc = journal_begin(j, err);
    if (rc == RDV_OK)
        rc = journal_put_request(j, line->request, &names, err);
    if (rc < 0)
        return rc;
    sqlite3_stmt *s = j->statements[JOURNAL_ADD];
    journal_bind_key(j, s, 1, line->key);
    journal_bind_text(j, s, 2, line->operation);
    journal_bind_text(j, s, 3, line->stage);
    journal_bind_text(j, s, 4, line->model);
    journal_bind_text(j, s, 5, line->sample_id);
    if (rc == RDV_OK)
        journal_bind_blob(j, s, 6, names);
    else
        journal_bind_text(j, s, 6, line->request);
    journal_bind_text(j, s, 7, line->response);
    journal_bind_number(j, s, 8, line->created_ms);
    rc = run_prepared(j, JOURNAL_ADD, err);
    sqlite3_clear_bindings(s);
    return rc == RDV_OK && sqlite3_changes(j->db) == 0 ? RDV_NONE : rc;
}

int journal_add(rdv_journal *j, const rdv_request *request, bool keep_request,
                const rdv_reply *reply, uint64_t at, rdv_error *err)
{
    rdv_buf asked, response;
    rdv_arena_reset(j->scratch);
    rdv_buf_init(&asked, j->scratch, 0);
    rdv_buf_init(&response, j->scratch, 0);
    record_write_reply(&response, reply);
    if (keep_request)
        record_write_request(&asked, request);
    if (!rdv_buf_ok(&asked) || !rdv_buf_ok(&response))
        return rdv_no_memory(err);
    record_line line = {.operation = rdv_str_of(rdv_request_kind_name(request->kind)),
                        .stage = request->stage,
                        .model = request->model,
                        .sample_id = request->sample,
                        .request = keep_request ? rdv_buf_str(&asked) : (rdv_str){0},
                        .response = rdv_buf_str(&response),
                        .created_ms = at};
    memcpy(line.key, request->key, sizeof line.key);
    int rc = journal_add_line(j, &line, err);
    return rc == RDV_NONE ? RDV_OK : rc;
}

int journal_commit(rdv_journal *j, rdv_error *err)
{
    int rc = journal_watch(j, err); /* before the write, which would lengthen a truncated file
                                       again */
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
        bool none = !name.p; /* replies without a model's name */
        if (!sqlite3_column_int(s, 1))
            rc = journal_damaged(journal, JOURNAL_BAD_ROW, err);
        if (rc != RDV_OK || none)
            continue;
        name = rdv_str_copy(arena, name);
        if (!name.p || !RDV_PUSH_ROOM(arena, *names, *n, cap))
            rc = rdv_no_memory(err);
        else
            (*names)[(*n)++] = name;
    }
    if (rc == RDV_OK && step != SQLITE_DONE)
        rc = journal_fail(journal, err);
    sqlite3_reset(s);
    return rc;
}
