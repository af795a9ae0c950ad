/* SPDX-License-Identifier: Apache-2.0 */
/* A journal as a database: whether its files are in place, what a fault of SQLite means, and
 * statements. */
#include "base/arena.h"
#include "base/str.h"
#include "run/journal/journal.h"

#include <stdio.h>
#include <sys/stat.h>

/* ---- checks that its files are in place ------------------------------------------------------ */

/* Writes to a file that was removed or replaced succeed, but the data is lost when it is closed. */

/* The change that happened to the file; NULL: none. It never becomes shorter while it is open
 * here. */
static const char *look_at(journal_file *f, const char *path)
{
    struct stat now;
    bool there = stat(path, &now) == 0;
    if (!f->seen && !there)
        return NULL; /* SQLite creates the log at the first write */
    if (!there)
        return "removed";
    if (f->seen && (f->device != now.st_dev || f->number != now.st_ino))
        return "replaced by another file";
    if (f->seen && f->size > now.st_size)
        return "cut off";
    *f = (journal_file){true, now.st_dev, now.st_ino, now.st_size};
    return NULL;
}

int journal_watch(rdv_journal *j, rdv_error *err)
{
    if (!j->taken)
        return RDV_OK;
    const char *what = look_at(&j->file, j->path);
    if (what)
        return rdv_fail(
            err, RDV_E_IO,
            "journal %s was %s while it was in use: replies kept in it are lost; put it "
            "back from a copy, or delete what is there and ask again",
            j->path, what);
    what = look_at(&j->log, j->log_path);
    if (what)
        return rdv_fail(
            err, RDV_E_IO,
            "%s, the log of a journal, was %s while it was in use: the last replies may "
            "be lost; run the same command again to ask for them",
            j->log_path, what);
    return RDV_OK;
}

/* ---- faults ---------------------------------------------------------------------------------- */

int journal_damaged(const rdv_journal *j, const char *how, rdv_error *err)
{
    return rdv_fail(err, RDV_E_INPUT,
                    "journal %s is damaged: %s; restore it from a copy, or delete it and ask again",
                    j->path, how);
}

int journal_fail(rdv_journal *j, rdv_error *err)
{
    int code = sqlite3_errcode(j->db);
    if (code == SQLITE_NOMEM)
        return rdv_no_memory(err);
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

int journal_run(rdv_journal *j, const char *text, rdv_error *err)
{
    return sqlite3_exec(j->db, text, NULL, NULL, NULL) == SQLITE_OK ? RDV_OK : journal_fail(j, err);
}

void journal_bind_key(rdv_journal *j, sqlite3_stmt *s, int parameter, const unsigned char key[32])
{
    journal_bind_blob(j, s, parameter, (rdv_str){(const char *)key, 32});
}

void journal_bind_blob(rdv_journal *j, sqlite3_stmt *s, int parameter, rdv_str bytes)
{
    if (j->unbound == SQLITE_OK)
        j->unbound = sqlite3_bind_blob64(s, parameter, bytes.p, bytes.len, SQLITE_STATIC);
}

void journal_bind_text(rdv_journal *j, sqlite3_stmt *s, int parameter, rdv_str text)
{
    if (j->unbound != SQLITE_OK)
        return;
    j->unbound =
        text.p ? sqlite3_bind_text64(s, parameter, text.p, text.len, SQLITE_STATIC, SQLITE_UTF8)
               : sqlite3_bind_null(s, parameter);
}

void journal_bind_number(rdv_journal *j, sqlite3_stmt *s, int parameter, uint64_t number)
{
    if (j->unbound == SQLITE_OK)
        j->unbound = sqlite3_bind_int64(s, parameter, (sqlite3_int64)number);
}

/* A parameter that is not bound is NULL, which would find nothing, or add nothing. */
int journal_step(rdv_journal *j, sqlite3_stmt *s)
{
    int code = j->unbound;
    j->unbound = SQLITE_OK;
    return code == SQLITE_OK ? sqlite3_step(s) : code;
}

rdv_str journal_column(sqlite3_stmt *row, int column)
{
    const char *p = sqlite3_column_blob(row, column);
    size_t n = (size_t)sqlite3_column_bytes(row, column);
    bool none = sqlite3_column_type(row, column) == SQLITE_NULL;
    return none ? (rdv_str){0} : p ? (rdv_str){p, n} : RDV_STR("");
}
