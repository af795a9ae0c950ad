/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include "base/str.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed(const char *what, const char *path, rdv_error *err)
{
    int code = errno;
    return rdv_fail(err, RDV_E_IO, "%s: %s: %s", path ? path : "standard output", what,
                    strerror(code));
}

/* Devices and pipes are written as they are; a link's target is replaced, not the link. */
static int choose_temporary(struct output *output, const char *path, rdv_arena *arena)
{
    struct stat info;
    output->path = path;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return RDV_OK;
    char *real = realpath(path, NULL);
    rdv_str target = rdv_str_copy(arena, rdv_str_of(real ? real : path));
    rdv_str temporary = rdv_str_printf(arena, "%.*s.XXXXXX", RDV_FMT(target));
    free(real);
    output->path = target.p;
    output->temporary = (char *)temporary.p;
    return target.p && temporary.p ? RDV_OK : RDV_E_NOMEM;
}

/* A new file beside the one to be, with the permissions that an ordinary new file gets. */
static int open_temporary(struct output *output, rdv_error *err)
{
    int fd = mkstemp(output->temporary);
    if (fd < 0)
        return failed("cannot be written", output->path, err);
    mode_t mask = umask(0);
    umask(mask);
    output->file = fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "w") : NULL;
    if (output->file)
        return RDV_OK;
    int code = failed("cannot be written", output->path, err);
    close(fd);
    unlink(output->temporary);
    return code;
}

int output_open(struct output *output, const char *path, rdv_arena *arena, rdv_error *err)
{
    *output = (struct output){0};
    if (!path || strcmp(path, "-") == 0) {
        output->file = stdout;
        return RDV_OK;
    }
    if (choose_temporary(output, path, arena) != RDV_OK)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    if (output->temporary)
        return open_temporary(output, err);
    output->file = fopen(path, "w");
    return output->file ? RDV_OK : failed("cannot be written", path, err);
}

static int write_failed(struct output *output, rdv_error *err)
{
    if (errno == EPIPE) {
        output->nobody_reads = true;
        return RDV_NONE;
    }
    return failed("cannot be written", output->path, err);
}

int output_write(struct output *output, rdv_str text, rdv_error *err)
{
    if (output->nobody_reads)
        return RDV_NONE;
    if (text.len && fwrite(text.p, 1, text.len, output->file) != text.len)
        return write_failed(output, err);
    return RDV_OK;
}

int output_flush(struct output *output, rdv_error *err)
{
    if (output->nobody_reads)
        return RDV_NONE;
    return fflush(output->file) == 0 ? RDV_OK : write_failed(output, err);
}

/* What was written keeps its temporary name when it cannot get the one it should have. */
static int give_name(struct output *output, bool complete, rdv_error *err)
{
    char partial[4096];
    int n = snprintf(partial, sizeof partial, "%s.partial", output->path);
    if (n < 0 || (size_t)n >= sizeof partial)
        errno = ENAMETOOLONG;
    else if (rename(output->temporary, complete ? output->path : partial) == 0)
        return RDV_OK;
    return rdv_fail(err, RDV_E_IO, "%s: cannot be put in place: %s; what was done is in %s",
                    output->path, strerror(errno), output->temporary);
}

/* The bytes are with the system, and for a file on the disk. */
static bool close_file(struct output *output)
{
    FILE *file = output->file;
    if (fflush(file) != 0)
        return false;
    if (file == stdout)
        return true;
    if (output->temporary && fsync(fileno(file)) != 0)
        return false;
    output->file = NULL;
    return fclose(file) == 0;
}

int output_finish(struct output *output, bool complete, rdv_error *err)
{
    if (!close_file(output)) {
        int code = write_failed(output, err);
        output_drop(output);
        return code;
    }
    return output->temporary ? give_name(output, complete, err) : RDV_OK;
}

void output_drop(struct output *output)
{
    if (output->file && output->file != stdout)
        fclose(output->file);
    output->file = NULL;
    if (output->temporary)
        unlink(output->temporary);
}
