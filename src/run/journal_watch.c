/* SPDX-License-Identifier: Apache-2.0 */
/* Seeing that the journal's files are still those that are written to. A file that was removed or
 * replaced goes on to be written without a fault, and is gone when it is closed. */
#include "run/journal.h"

#include <stdio.h>
#include <sys/stat.h>

/* What happened to the file; NULL: nothing. It never becomes shorter while it is open here. */
static const char *look_at(journal_file *f, const char *path)
{
    struct stat now;
    bool there = stat(path, &now) == 0;
    if (!f->seen && !there)
        return NULL; /* SQLite makes the log when it has something to write */
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
