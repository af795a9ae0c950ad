/* SPDX-License-Identifier: Apache-2.0 */
/* Seeing that a journal holds what was written into it. Each row has the SHA-256 of its other
 * columns in `sha256`; that every row is still there is seen by SQLite's own check, which finds in
 * the index of keys what the table has lost, and the other way round. */
#include "run/journal.h"
#include "base/str.h"

#include <nettle/sha2.h>

int journal_damaged(const rdv_journal *j, const char *how, rdv_error *err)
{
    return rdv_fail(err, RDV_E_INPUT,
                    "journal %s is damaged: %s; restore it from a copy, or delete it and ask again",
                    j->path, how);
}

/* ---- the checksum of a row ------------------------------------------------------------------- */

static void hash_number(struct sha256_ctx *h, uint64_t n)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(n >> 8 * i);
    sha256_update(h, sizeof bytes, bytes);
}

/* Its type, and its bytes after their number: two different rows never give the same bytes. */
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

/* row_sha256(key, ..., at), for the statements. */
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
    int rc = sqlite3_create_function(j->db, "row_sha256", 8, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                     NULL, row_sha256, NULL, NULL);
    return rc == SQLITE_OK ? RDV_OK : journal_fail(j, err);
}

/* ---- the whole file -------------------------------------------------------------------------- */

/* *ok: whether the statement's first row is the word that is wanted. */
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
    bool ok = false;
    int rc = check_structure(j, err);
    if (rc == RDV_OK)
        rc = run_check(j, bad_rows, "0", &ok, err);
    return rc == RDV_OK && !ok ? journal_damaged(j, JOURNAL_BAD_ROW, err) : rc;
}
