/* SPDX-License-Identifier: Apache-2.0 */
#include "run/journal/compact.h"
#include "base/str.h"
#include "run/journal/lines.h"
#include "run/journal/merge.h"
#include "run/journal/parts.h"

#include <errno.h>
#include <sys/stat.h>

/* ---- rows of a statement --------------------------------------------------------------------- */

/* What is done with each row of a statement. */
typedef int row_function(rdv_journal *j, sqlite3_stmt *row, void *payload, rdv_error *err);

static int each_row(rdv_journal *j, const char *text, row_function *act, void *payload,
                    bool (*stopped)(void), rdv_error *err)
{
    sqlite3_stmt *s = NULL;
    int step = SQLITE_DONE, rc = RDV_OK;
    if (sqlite3_prepare_v2(j->db, text, -1, &s, NULL) != SQLITE_OK)
        return journal_fail(j, err);
    while (rc == RDV_OK && (step = sqlite3_step(s)) == SQLITE_ROW)
        rc =
            stopped && stopped() ? rdv_fail(err, RDV_E_IO, "interrupted") : act(j, s, payload, err);
    if (rc == RDV_OK && step != SQLITE_DONE)
        rc = journal_fail(j, err);
    sqlite3_finalize(s);
    return rc;
}

/* ---- a journal of version 3 ------------------------------------------------------------------ */

static int add_again(rdv_journal *j, sqlite3_stmt *row, void *unused, rdv_error *err)
{
    record_line line;
    (void)unused;
    int rc = journal_read_row(j, row, &line, err);
    return rc == RDV_OK ? journal_add_line(j, &line, err) : rc;
}

/* Write all rows anew, with the parts of their requests. */
static int convert(rdv_journal *j, bool (*stopped)(void), rdv_error *err)
{
    static const char rows[] = "SELECT " JOURNAL_COLUMNS ", " JOURNAL_ROW_IS_GOOD " FROM whole"
                               " ORDER BY rowid";
    int rc = journal_run(j, "ALTER TABLE responses RENAME TO whole", err);
    if (rc == RDV_OK)
        rc = journal_make_tables(j, err);
    if (rc == RDV_OK)
        rc = each_row(j, rows, add_again, NULL, stopped, err);
    return rc == RDV_OK ? journal_run(j, "DROP TABLE whole", err) : rc;
}

/* ---- parts that no row names ----------------------------------------------------------------- */

static int note_names(rdv_journal *j, sqlite3_stmt *row, void *payload, rdv_error *err)
{
    sqlite3_stmt *s = payload;
    rdv_str names = journal_column(row, 0);
    int rc = RDV_OK;
    for (size_t i = 0; rc == RDV_OK && i + JOURNAL_NAME_BYTES <= names.len;
         i += JOURNAL_NAME_BYTES) {
        journal_bind_number(j, s, 1, (uint64_t)journal_part_name(names.p + i));
        if (journal_step(j, s) != SQLITE_DONE)
            rc = journal_fail(j, err);
        sqlite3_reset(s);
    }
    return rc;
}

static int drop_parts(rdv_journal *j, bool (*stopped)(void), uint64_t *n, rdv_error *err)
{
    static const char rows[] = "SELECT request FROM responses WHERE typeof(request) = 'blob'";
    sqlite3_stmt *s = NULL;
    int rc = journal_run(j, "CREATE TEMP TABLE named (name INTEGER PRIMARY KEY)", err);
    if (rc == RDV_OK && sqlite3_prepare_v2(j->db, "INSERT OR IGNORE INTO named VALUES (?1)", -1, &s,
                                           NULL) != SQLITE_OK)
        rc = journal_fail(j, err);
    if (rc == RDV_OK)
        rc = each_row(j, rows, note_names, s, stopped, err);
    sqlite3_finalize(s);
    if (rc == RDV_OK)
        rc = journal_run(j, "DELETE FROM parts WHERE name NOT IN (SELECT name FROM named)", err);
    if (rc == RDV_OK)
        *n = (uint64_t)sqlite3_changes64(j->db);
    return rc == RDV_OK ? journal_run(j, "DROP TABLE named", err) : rc;
}

/* ---- the file -------------------------------------------------------------------------------- */

static int size_of(const rdv_journal *j, uint64_t *bytes, rdv_error *err)
{
    struct stat is;
    if (stat(j->path, &is) != 0)
        return rdv_fail(err, RDV_E_IO, "journal %s: %s", j->path, strerror(errno));
    *bytes = (uint64_t)is.st_size;
    return RDV_OK;
}

/* Give unused pages back, without a log, so that the file has its size afterwards. */
static int shrink(rdv_journal *j, rdv_error *err)
{
    int rc = rdv_journal_settle(j, err);
    if (rc == RDV_OK)
        rc = journal_run(j, "VACUUM", err);
    j->file.seen = false; /* it may have become shorter */
    return rc;
}

int rdv_journal_compact(rdv_journal *journal, bool (*stopped)(void), rdv_journal_compacted *counts,
                        rdv_error *err)
{
    *counts = (rdv_journal_compacted){0};
    int rc = size_of(journal, &counts->bytes_before, err);
    if (rc == RDV_OK)
        rc = journal_begin(journal, err);
    if (rc == RDV_OK)
        rc = journal->version < JOURNAL_VERSION ? convert(journal, stopped, err)
                                                : drop_parts(journal, stopped, &counts->parts, err);
    if (rc == RDV_OK)
        rc = journal_commit(journal, err);
    if (rc == RDV_OK)
        rc = shrink(journal, err);
    if (rc == RDV_OK)
        rc = rdv_journal_count(journal, &counts->replies, err);
    return rc == RDV_OK ? size_of(journal, &counts->bytes_after, err) : rc;
}
