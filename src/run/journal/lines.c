/* SPDX-License-Identifier: Apache-2.0 */
/* Export and import of journals as lines of JSON. */
#include "run/journal/lines.h"
#include "base/arena.h"
#include "base/str.h"
#include "run/journal/journal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int export_row(rdv_journal *j, sqlite3_stmt *row,
                      int (*write)(void *payload, rdv_str line, rdv_error *err), void *payload,
                      rdv_error *err)
{
    record_line line;
    rdv_buf b;
    int rc = journal_read_row(j, row, &line, err);
    if (rc != RDV_OK)
        return rc;
    rdv_arena_reset(j->scratch);
    rdv_buf_init(&b, j->scratch, 0);
    record_write_line(&b, &line);
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    return write(payload, rdv_buf_str(&b), err);
}

int rdv_journal_export(rdv_journal *journal,
                       int (*write)(void *payload, rdv_str line, rdv_error *err), void *payload,
                       rdv_error *err)
{
    sqlite3_stmt *s = journal->statements[JOURNAL_ALL];
    int step = SQLITE_DONE, rc = RDV_OK;
    while (rc == RDV_OK && (step = sqlite3_step(s)) == SQLITE_ROW)
        rc = export_row(journal, s, write, payload, err);
    if (rc == RDV_OK && step != SQLITE_DONE)
        rc = journal_fail(journal, err);
    sqlite3_reset(s);
    return rc;
}

int rdv_journal_import(rdv_journal *journal, rdv_str text, rdv_journal_imported *counts,
                       rdv_error *err)
{
    record_line line;
    rdv_arena_reset(journal->scratch);
    int rc = record_read_line(text, journal->scratch, &line, err);
    if (rc == RDV_E_INPUT) {
        counts->bad++;
        return RDV_NONE;
    }
    if (rc == RDV_OK)
        rc = journal_add_line(journal, &line, err);
    if (rc == RDV_OK)
        counts->added++;
    if (rc == RDV_NONE)
        counts->known++;
    return rc == RDV_NONE ? RDV_OK : rc;
}

int journal_load_lines(rdv_journal *j, const char *path, rdv_error *err)
{
    FILE *f = fopen(path, "rbe");
    if (!f)
        return rdv_fail(err, RDV_E_IO, "%s: %s", path, strerror(errno));
    rdv_journal_imported counts = {0};
    char *text = NULL;
    size_t cap = 0, number = 0;
    ssize_t len;
    int rc = RDV_OK;
    while (rc == RDV_OK && (len = getline(&text, &cap, f)) >= 0) {
        number++;
        rdv_str line = rdv_trim((rdv_str){text, (size_t)len});
        if (line.len)
            rc = rdv_journal_import(j, line, &counts, err);
        if (rc == RDV_NONE) /* a transcript with a missing reply would replay a different run */
            rc = rdv_wrap(err, RDV_E_INPUT, "%s line %zu", path, number);
    }
    if (rc == RDV_OK && !feof(f))
        rc = rdv_fail(err, RDV_E_IO, "%s: %s", path, strerror(errno));
    free(text);
    fclose(f);
    return rc == RDV_OK ? journal_commit(j, err) : rc;
}
