/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"
#include "host.h"

#include "base/arena.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed(const char *what, const char *path, rdv_error *err)
{
    int code = errno;
    return rdv_fail(err, RDV_E_IO, "%s: %s: %s", path ? path : "standard output", what,
                    strerror(code));
}

/* ---- streams --------------------------------------------------------------------------------- */

/* Write all bytes, even if a signal interrupts the wait on a full pipe; a stream of the C library
 * would lose its buffer. */
static ssize_t write_all(void *of, const char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = write((int)(intptr_t)of, bytes + done, size - done);
        if (n < 0 && errno != EINTR)
            break;
        done += n > 0 ? (size_t)n : 0;
    }
    return (ssize_t)done;
}

static int close_unless_standard(void *of)
{
    int fd = (int)(intptr_t)of;
    return fd == STDOUT_FILENO ? 0 : close(fd);
}

/* Open a device or a pipe as a stream, which takes over `fd`. NULL: errno is set. */
static FILE *stream_of(int fd)
{
    FILE *file = NULL;
    if (fd >= 0)
        file = fopencookie(
            (void *)(intptr_t)fd, "w",
            (cookie_io_functions_t){.write = write_all, .close = close_unless_standard});
    if (file && isatty(fd))
        setvbuf(file, NULL, _IOLBF, 0);
    return file;
}

static ssize_t write_to_host(void *of, const char *bytes, size_t size)
{
    const struct host *to = of;
    if (to->write(to->payload, bytes, size))
        return (ssize_t)size;
    errno = EPIPE;
    return 0;
}

/* Standard output, or what takes its place. NULL: errno is set. */
static FILE *stream_of_output(void)
{
    if (!host)
        return stream_of(STDOUT_FILENO);
    return fopencookie((void *)(uintptr_t)host, "w",
                       (cookie_io_functions_t){.write = write_to_host});
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Devices and pipes are written directly; for a link, its target is replaced, not the link. */
static int choose_name(struct output *output, const char *path, rdv_arena *arena)
{
    struct stat info;
    output->path = path;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return RDV_OK;
    char *real = realpath(path, NULL);
    rdv_str target = rdv_str_copy(arena, rdv_str_of(real ? real : path));
    rdv_str writing = rdv_str_printf(arena, "%.*s.writing", RDV_FMT(target));
    free(real);
    output->path = target.p;
    output->writing = writing.p;
    return target.p && writing.p ? RDV_OK : RDV_E_NOMEM;
}

/* Lock `fd` for this process. True also where the file system does not support locks. */
static bool lock(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/* Remove the file that an earlier run left. RDV_NONE: another process is writing it. */
static int remove_left(const char *writing)
{
    int fd = open(writing, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool free_to_go = fd < 0 || lock(fd);
    bool gone = free_to_go && (unlink(writing) == 0 || errno == ENOENT);
    int code = errno;
    if (fd >= 0)
        close(fd);
    errno = code;
    return gone ? RDV_OK : free_to_go ? RDV_E_IO : RDV_NONE;
}

/* Always create a new file: an existing one may be a link or belong to someone else. */
static int open_new(const char *writing, int *fd)
{
    int code = RDV_OK;
    for (int tries = 0; tries < 3 && code == RDV_OK; tries++) {
        *fd = open(writing, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (*fd >= 0)
            return lock(*fd) ? RDV_OK : RDV_NONE;
        code = errno == EEXIST ? remove_left(writing) : RDV_E_IO;
    }
    return code == RDV_OK ? RDV_NONE : code; /* others recreate it as fast as it is removed */
}

static int open_file(struct output *output, rdv_error *err)
{
    int fd = -1, code = open_new(output->writing, &fd);
    if (code == RDV_E_IO)
        return failed("cannot be written", output->writing, err);
    if (code == RDV_OK)
        output->file = fdopen(fd, "w");
    if (output->file)
        return RDV_OK;
    if (fd >= 0)
        close(fd);
    return code == RDV_OK
               ? rdv_no_memory(err)
               : rdv_fail(err, RDV_E_IO, "%s: another run is writing to it", output->path);
}

int output_open(struct output *output, const char *path, rdv_arena *arena, rdv_error *err)
{
    *output = (struct output){0};
    if (!path || strcmp(path, "-") == 0) {
        output->file = stream_of_output();
        return output->file ? RDV_OK : failed("cannot be written", NULL, err);
    }
    if (choose_name(output, path, arena) != RDV_OK)
        return rdv_no_memory(err);
    if (output->writing)
        return open_file(output, err);
    output->file = stream_of(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    return output->file ? RDV_OK : failed("cannot be written", path, err);
}

/* ---- writing --------------------------------------------------------------------------------- */

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

/* Rename the finished file. If that fails, it keeps its temporary name. */
/* Complete output replaces what an interrupted run left in PATH.partial. */
static int give_name(const struct output *output, bool complete, rdv_error *err)
{
    char partial[4096];
    int n = snprintf(partial, sizeof partial, "%s.partial", output->path);
    if (n < 0 || (size_t)n >= sizeof partial)
        errno = ENAMETOOLONG;
    else if (rename(output->writing, complete ? output->path : partial) == 0) {
        if (complete)
            unlink(partial);
        return RDV_OK;
    }
    return rdv_fail(err, RDV_E_IO, "%s: cannot be put in place: %s; what was done is in %s",
                    output->path, strerror(errno), output->writing);
}

/* Flush the bytes to the system, and a file to the disk. */
static bool bring_home(const struct output *output)
{
    return fflush(output->file) == 0 && (!output->writing || fsync(fileno(output->file)) == 0);
}

/* Call only after the rename: closing the file lets another run take the temporary name. */
static bool close_file(struct output *output)
{
    FILE *file = output->file;
    output->file = NULL;
    return fclose(file) == 0;
}

int output_finish(struct output *output, bool complete, rdv_error *err)
{
    if (!bring_home(output)) {
        int code = write_failed(output, err);
        output_drop(output);
        return code;
    }
    int code = output->writing ? give_name(output, complete, err) : RDV_OK;
    bool closed = close_file(output);
    return code == RDV_OK && !closed ? write_failed(output, err) : code;
}

void output_drop(struct output *output)
{
    if (output->writing)
        unlink(output->writing);
    if (output->file)
        (void)close_file(output);
}

bool output_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}
