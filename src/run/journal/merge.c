/* SPDX-License-Identifier: Apache-2.0 */
#include "run/journal/merge.h"
#include "base/arena.h"
#include "base/str.h"
#include "run/journal/journal.h"

#define ROWS_A_COMMIT 4096

/* A reply to a key that is there already: is it the same reply? Only the journal of the process
 * that received it has its time, so an equal reply of another time was received, and paid, again.
 */
static int compare(rdv_journal *into, const record_line *line, bool *copy, bool *conflict,
                   rdv_error *err)
{
    sqlite3_stmt *s = into->statements[JOURNAL_FIND];
    int rc = RDV_OK;
    journal_bind_key(into, s, 1, line->key);
    if (journal_step(into, s) == SQLITE_ROW) {
        *conflict = !rdv_str_eq(journal_column(s, 0), line->response);
        *copy = !*conflict && (uint64_t)sqlite3_column_int64(s, 2) == line->created_ms;
    } else {
        rc = journal_fail(into, err);
    }
    sqlite3_reset(s);
    return rc;
}

static int count_tokens(rdv_journal *into, const record_line *line, rdv_journal_merged *counts,
                        rdv_error *err)
{
    rdv_reply reply;
    rdv_arena_reset(into->scratch);
    int rc = record_read_reply(line->response, into->scratch, &reply, err);
    if (rc != RDV_OK)
        return rc;
    counts->prompt_tokens += reply.prompt_tokens;
    counts->completion_tokens += reply.completion_tokens;
    return RDV_OK;
}

static int merge_row(rdv_journal *into, const record_line *line, rdv_journal_merged *counts,
                     rdv_error *err)
{
    bool copy = false, conflict = false;
    int rc = journal_add_line(into, line, err);
    if (rc == RDV_NONE) {
        rc = compare(into, line, &copy, &conflict, err);
        counts->copies += copy;
        counts->repeated += !copy;
        counts->conflicts += conflict;
    } else {
        counts->added += rc == RDV_OK;
    }
    return rc == RDV_OK && !copy ? count_tokens(into, line, counts, err) : rc;
}

int rdv_journal_merge(rdv_journal *into, rdv_journal *from, bool (*stopped)(void),
                      rdv_journal_merged *counts, rdv_error *err)
{
    sqlite3_stmt *s = from->statements[JOURNAL_ALL];
    record_line line;
    int step = SQLITE_DONE, rc = RDV_OK;
    for (size_t n = 1; rc == RDV_OK && (step = sqlite3_step(s)) == SQLITE_ROW; n++) {
        rc = journal_read_row(from, s, &line, err);
        if (rc == RDV_OK)
            rc = merge_row(into, &line, counts, err);
        if (rc == RDV_OK && n % ROWS_A_COMMIT == 0)
            rc = journal_commit(into, err);
        if (rc == RDV_OK && stopped && stopped())
            rc = rdv_fail(err, RDV_E_IO, "interrupted");
    }
    if (rc == RDV_OK && step != SQLITE_DONE)
        rc = journal_fail(from, err);
    sqlite3_reset(s);
    return rc == RDV_OK ? journal_commit(into, err) : rc;
}

int rdv_journal_empty(rdv_journal *journal, rdv_error *err)
{
    int rc = journal_begin(journal, err);
    if (rc == RDV_OK)
        rc = journal_run(journal, "DROP TABLE responses; DROP TABLE IF EXISTS parts", err);
    if (rc == RDV_OK)
        rc = journal_make_tables(journal, err);
    return rc == RDV_OK ? journal_commit(journal, err) : rc;
}
