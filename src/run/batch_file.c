/* SPDX-License-Identifier: Apache-2.0 */
#include "run/batch_file.h"
#include "base/arena.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int cannot(const batch_file *f, const char *what, rdv_error *err)
{
    int code = errno;
    return rdv_fail(err, RDV_E_IO, "%s: %s: %s", f->path, what, strerror(code));
}

/* Where the ending of the file's name begins: at its last point, if that is not its first byte. */
static size_t stem_of(const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    const char *point = strrchr(base, '.');
    return point && point > base ? (size_t)(point - name) : strlen(name);
}

static int name_file(batch_file *f, const char *name, uint64_t number)
{
    size_t stem = stem_of(name);
    if (asprintf(&f->path, "%.*s-%03" PRIu64 "%s", (int)stem, name, number, name + stem) < 0)
        f->path = NULL;
    if (!f->path || asprintf(&f->writing, "%s.writing", f->path) < 0)
        f->writing = NULL;
    return f->writing ? RDV_OK : RDV_E_NOMEM;
}

int batch_file_begin(batch_file *f, const char *name, uint64_t number, rdv_error *err)
{
    *f = (batch_file){.number = number};
    if (name_file(f, name, number) != RDV_OK)
        return rdv_no_memory(err);
    if (access(f->path, F_OK) == 0)
        return rdv_fail(err, RDV_E_IO,
                        "%s exists, and is not one that this journal knows: move it away, or give "
                        "--batch-out another name",
                        f->path);
    (void)unlink(f->writing); /* of a run that was killed */
    f->file = fopen(f->writing, "wxe");
    return f->file ? RDV_OK : cannot(f, "cannot be written", err);
}

int batch_file_add(batch_file *f, rdv_str line, rdv_error *err)
{
    if (fwrite(line.p, 1, line.len, f->file) != line.len)
        return cannot(f, "cannot be written", err);
    f->requests++;
    f->bytes += line.len;
    return RDV_OK;
}

int batch_file_close(batch_file *f, rdv_error *err)
{
    FILE *file = f->file;
    bool whole = fflush(file) == 0 && fsync(fileno(file)) == 0;
    int rc = whole ? RDV_OK : cannot(f, "cannot be written", err);
    f->file = NULL;
    if (fclose(file) != 0 && rc == RDV_OK)
        rc = cannot(f, "cannot be written", err);
    return rc;
}

char *batch_file_absolute(const batch_file *f)
{
    char *path = NULL, *folder = f->path[0] == '/' ? strdup("") : get_current_dir_name();
    if (folder && asprintf(&path, "%s%s%s", folder, *folder ? "/" : "", f->path) < 0)
        path = NULL;
    free(folder);
    return path;
}

/* A file system without this way of renaming gets the other, which replaces what is there. */
int batch_file_name(batch_file *f, rdv_error *err)
{
    int rc = renameat2(AT_FDCWD, f->writing, AT_FDCWD, f->path, RENAME_NOREPLACE);
    if (rc != 0 && (errno == EINVAL || errno == ENOSYS))
        rc = rename(f->writing, f->path);
    if (rc != 0)
        return cannot(f, "cannot be put in place", err);
    free(f->writing);
    f->writing = NULL;
    return RDV_OK;
}

void batch_file_release(batch_file *f)
{
    if (f->file)
        fclose(f->file);
    if (f->writing)
        unlink(f->writing);
    free(f->writing);
    free(f->path);
    *f = (batch_file){0};
}
