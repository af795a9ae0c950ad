/* SPDX-License-Identifier: Apache-2.0 */
/* Input is buffered in a block of INPUT_SIZE. Whether it is gzip is decided by its first two
 * bytes, so that a pipe and a file with any name are treated alike. A gzip file may consist of
 * several members one after the other (RFC 1952, section 2.2), as `cat a.gz b.gz` makes them. */
#include "data/source.h"

#include "base/arena.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define INPUT_SIZE ((size_t)64 * 1024)

struct rdv_bytes {
    rdv_source source;
    int file;   /* its descriptor; -1: a callback */
    int copy;   /* of all the bytes, for rdv_bytes_file(); -1: none */
    bool owned; /* to be closed: not standard input */
    bool started, ended, packed;
    bool inflating; /* zlib's state is held, in the middle of a gzip member */
    int fault;
    char reason[160];
    z_stream z;
    char *held; /* what rdv_bytes_peek() read and nobody took; NULL: nobody peeked */
    size_t held_begin, held_end;
    size_t begin, end; /* what of `input` is not used yet */
    uint64_t taken;    /* from the source */
    unsigned char input[INPUT_SIZE];
};

static ptrdiff_t read_text(void *cookie, void *bytes, size_t size)
{
    rdv_str *rest = cookie;
    size_t n = rest->len < size ? rest->len : size;
    if (n)
        memcpy(bytes, rest->p, n);
    *rest = rdv_slice(*rest, n, rest->len);
    return (ptrdiff_t)n;
}

rdv_source rdv_source_of(rdv_str *rest)
{
    return (rdv_source){rest, read_text};
}

/* What there is, without waiting for `size` bytes: a pipe is read as it is filled. */
static ptrdiff_t read_file(void *cookie, void *bytes, size_t size)
{
    const rdv_bytes *b = cookie;
    ssize_t n;
    do
        n = read(b->file, bytes, size);
    while (n < 0 && errno == EINTR);
    return n;
}

int rdv_bytes_open_source(rdv_bytes **out, rdv_source source, rdv_error *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return rdv_no_memory(err);
    (*out)->source = source;
    (*out)->file = (*out)->copy = -1;
    return RDV_OK;
}

int rdv_bytes_open(rdv_bytes **out, const char *path, rdv_error *err)
{
    int rc = rdv_bytes_open_source(out, (rdv_source){.read = read_file}, err);
    if (rc != RDV_OK)
        return rdv_wrap(err, rc, "%s", path);
    rdv_bytes *b = *out;
    b->source.cookie = b;
    b->owned = strcmp(path, "-") != 0;
    b->file = b->owned ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (b->file >= 0)
        return RDV_OK;
    rc = rdv_fail(err, RDV_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
    rdv_bytes_close(out);
    return rc;
}

static int fail(rdv_bytes *b, const char *reason, const char *detail)
{
    b->fault = RDV_E_IO;
    snprintf(b->reason, sizeof b->reason, "%s%s%s", reason, detail ? ": " : "",
             detail ? detail : "");
    return RDV_E_IO;
}

/* More input after what is left of it. */
static int refill(rdv_bytes *b)
{
    memmove(b->input, b->input + b->begin, b->end - b->begin);
    b->end -= b->begin;
    b->begin = 0;
    errno = 0;
    ptrdiff_t n = b->source.read(b->source.cookie, b->input + b->end, INPUT_SIZE - b->end);
    if (n < 0 || (size_t)n > INPUT_SIZE - b->end)
        return fail(b, "reading failed", errno ? strerror(errno) : NULL);
    if (n == 0)
        b->ended = true;
    b->end += (size_t)n;
    b->taken += (uint64_t)n;
    return RDV_OK;
}

static int start(rdv_bytes *b)
{
    b->started = true;
    while (!b->ended && b->end < 2) {
        if (refill(b) != RDV_OK)
            return b->fault;
    }
    b->packed = b->end >= 2 && b->input[0] == 0x1f && b->input[1] == 0x8b;
    return RDV_OK;
}

static int begin_member(rdv_bytes *b)
{
    b->z = (z_stream){0};
    if (inflateInit2(&b->z, 16 + MAX_WBITS) != Z_OK)
        return fail(b, "out of memory for unpacking gzip", NULL);
    b->inflating = true;
    return RDV_OK;
}

/* Unpack what there is of the input into `to`. *got may stay 0 when more input is needed. */
static int unpack(rdv_bytes *b, char *to, size_t size, size_t *got)
{
    if (!b->inflating && begin_member(b) != RDV_OK)
        return b->fault;
    b->z.next_in = b->input + b->begin;
    b->z.avail_in = (uInt)(b->end - b->begin);
    b->z.next_out = (unsigned char *)to;
    b->z.avail_out = (uInt)size;
    int rc = inflate(&b->z, Z_NO_FLUSH);
    b->begin = b->end - b->z.avail_in;
    *got = size - b->z.avail_out;
    if (rc == Z_STREAM_END) {
        inflateEnd(&b->z);
        b->inflating = false;
        return RDV_OK;
    }
    if (rc != Z_OK && rc != Z_BUF_ERROR)
        return fail(b, "the gzip data is damaged", b->z.msg);
    return RDV_OK;
}

static int read_packed(rdv_bytes *b, char *to, size_t size, size_t *got)
{
    if (size > INPUT_SIZE)
        size = INPUT_SIZE; /* zlib counts in unsigned int */
    for (;;) {
        if (b->begin == b->end && !b->ended && refill(b) != RDV_OK)
            return b->fault;
        bool no_input = b->begin == b->end;
        if (no_input && !b->inflating)
            return RDV_OK;
        if (unpack(b, to, size, got) != RDV_OK)
            return b->fault;
        if (*got)
            return RDV_OK;
        if (no_input && b->inflating)
            return fail(b, "the gzip data ends too early; is the file whole?", NULL);
    }
}

static int read_plain(rdv_bytes *b, char *to, size_t size, size_t *got)
{
    if (b->begin == b->end && !b->ended && refill(b) != RDV_OK)
        return b->fault;
    *got = b->end - b->begin < size ? b->end - b->begin : size;
    memcpy(to, b->input + b->begin, *got);
    b->begin += *got;
    return RDV_OK;
}

/* Bytes that nobody has peeked at. */
static int read_further(rdv_bytes *b, char *to, size_t size, size_t *got, rdv_error *err)
{
    *got = 0;
    if (b->fault == RDV_OK && !b->started)
        start(b);
    if (b->fault == RDV_OK && b->packed)
        read_packed(b, to, size, got);
    else if (b->fault == RDV_OK)
        read_plain(b, to, size, got);
    /* The bytes that were unpacked before the damage are returned first. */
    return b->fault == RDV_OK || *got ? RDV_OK : rdv_fail(err, b->fault, "%s", b->reason);
}

int rdv_bytes_read(rdv_bytes *b, char *to, size_t size, size_t *got, rdv_error *err)
{
    size_t held = b->held_end - b->held_begin;
    if (held == 0)
        return read_further(b, to, size, got, err);
    *got = held < size ? held : size;
    memcpy(to, b->held + b->held_begin, *got);
    b->held_begin += *got;
    return RDV_OK;
}

int rdv_bytes_peek(rdv_bytes *b, size_t size, rdv_str *text, rdv_error *err)
{
    if (!b->held && !(b->held = malloc(RDV_PEEK_BYTES)))
        return rdv_no_memory(err);
    int rc = RDV_OK;
    size_t got = 1;
    while (rc == RDV_OK && got && b->held_end < size) {
        rc = read_further(b, b->held + b->held_end, RDV_PEEK_BYTES - b->held_end, &got, err);
        b->held_end += got;
    }
    *text = (rdv_str){b->held + b->held_begin, b->held_end - b->held_begin};
    return rc;
}

/* ---- every place of the file ----------------------------------------------------------------- */

static bool write_whole(int file, const char *bytes, size_t size)
{
    while (size) {
        ssize_t n = write(file, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

static int copy_all(rdv_bytes *b, rdv_error *err)
{
    char block[16 * 1024];
    uint64_t size = 0;
    for (;;) {
        size_t got;
        int rc = rdv_bytes_read(b, block, sizeof block, &got, err);
        if (rc != RDV_OK || got == 0)
            return rc;
        size += got;
        if (size > RDV_MAX_COPY_BYTES)
            return rdv_fail(err, RDV_E_LIMIT, "more than %" PRIu64 " GiB to unpack",
                            RDV_MAX_COPY_BYTES >> 30);
        if (!write_whole(b->copy, block, got))
            return rdv_fail(err, RDV_E_IO, "a temporary file cannot be written: %s",
                            strerror(errno));
    }
}

/* A temporary file that has no name, so that nothing is left behind. */
static int open_temporary(void)
{
    FILE *file = tmpfile();
    int copy = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1;
    if (file)
        fclose(file);
    return copy;
}

int rdv_bytes_file(rdv_bytes *b, int *file, rdv_error *err)
{
    struct stat info;
    *file = b->file;
    if (!b->packed && b->owned && fstat(b->file, &info) == 0 && S_ISREG(info.st_mode))
        return RDV_OK;
    b->copy = open_temporary();
    if (b->copy < 0)
        return rdv_fail(err, RDV_E_IO, "a temporary file cannot be made: %s", strerror(errno));
    *file = b->copy;
    return copy_all(b, err);
}

uint64_t rdv_bytes_taken(const rdv_bytes *b)
{
    return b->taken - (b->end - b->begin);
}

void rdv_bytes_close(rdv_bytes **b)
{
    if (!b || !*b)
        return;
    if ((*b)->inflating)
        inflateEnd(&(*b)->z);
    if ((*b)->owned && (*b)->file >= 0)
        close((*b)->file);
    if ((*b)->copy >= 0)
        close((*b)->copy);
    free((*b)->held);
    free(*b);
    *b = NULL;
}
