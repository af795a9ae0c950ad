/* SPDX-License-Identifier: Apache-2.0 */
#include "data/layout/zip.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define END_SIZE 22 /* of the record that ends a zip file, without its comment */
#define END64_SIZE 56
#define LOCATOR_SIZE 20
#define ENTRY_SIZE 46 /* of an entry of the directory, without its texts */
#define HEADER_SIZE 30
#define MAX_COMMENT 65535
#define BLOCK ((size_t)64 * 1024)
#define ENCRYPTED 1 /* bit of `flags` */
#define STORED 0    /* methods */
#define DEFLATED 8
#define ZSTD 93
#define ZSTD_OLD 20
#define MAX_ZSTD_WINDOW 26 /* as a power of two: what one frame may ask to be held */

/* ---- bytes ----------------------------------------------------------------------------------- */

static uint64_t number(const unsigned char *p, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = bytes; i-- > 0;)
        value = value << 8 | p[i];
    return value;
}

/* `size` bytes from place `at`. RDV_NONE: the file ends before. */
static int read_at(int file, uint64_t at, void *to, size_t size, rdv_error *err)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = pread(file, (char *)to + done, size - done, (off_t)(at + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return rdv_fail(err, RDV_E_IO, "reading failed: %s", strerror(errno));
        if (n == 0)
            return RDV_NONE;
        done += (size_t)n;
    }
    return RDV_OK;
}

static int damaged(rdv_error *err)
{
    return rdv_fail(err, RDV_E_FORMAT, "a zip file whose directory is damaged; is it whole?");
}

/* The same for what ends inside the file. */
static int read_inside(const rdv_zip *zip, uint64_t at, void *to, size_t size, rdv_error *err)
{
    if (at > zip->size || size > zip->size - at)
        return damaged(err);
    int rc = read_at(zip->file, at, to, size, err);
    return rc == RDV_NONE ? damaged(err) : rc;
}

/* ---- the directory --------------------------------------------------------------------------- */

typedef struct directory {
    uint64_t at, size, n;
} directory;

/* Where the last record of the file begins. */
static int find_end(const rdv_zip *zip, rdv_arena *arena, uint64_t *at, rdv_error *err)
{
    size_t size = zip->size < END_SIZE + MAX_COMMENT ? (size_t)zip->size : END_SIZE + MAX_COMMENT;
    unsigned char *tail = rdv_alloc(arena, size);
    if (!tail)
        return rdv_no_memory(err);
    int rc = read_inside(zip, zip->size - size, tail, size, err);
    if (rc != RDV_OK)
        return rc;
    for (size_t i = size >= END_SIZE ? size - END_SIZE + 1 : 0; i-- > 0;) {
        if (memcmp(tail + i, "PK\5\6", 4) == 0 && number(tail + i + 20, 2) == size - i - END_SIZE) {
            *at = zip->size - size + i;
            return RDV_OK;
        }
    }
    return rdv_fail(err, RDV_E_FORMAT, "a zip file that ends without its directory; is it whole?");
}

/* The same record for files of more than 4 GiB or 65,535 members; RDV_NONE: there is none. */
static int read_end64(const rdv_zip *zip, uint64_t end, directory *d, rdv_error *err)
{
    unsigned char locator[LOCATOR_SIZE], e[END64_SIZE];
    if (end < LOCATOR_SIZE)
        return RDV_NONE;
    int rc = read_inside(zip, end - LOCATOR_SIZE, locator, sizeof locator, err);
    if (rc != RDV_OK || memcmp(locator, "PK\6\7", 4) != 0)
        return rc == RDV_OK ? RDV_NONE : rc;
    rc = read_inside(zip, number(locator + 8, 8), e, sizeof e, err);
    if (rc == RDV_OK && memcmp(e, "PK\6\6", 4) != 0)
        rc = damaged(err);
    *d = (directory){number(e + 48, 8), number(e + 40, 8), number(e + 32, 8)};
    return rc;
}

static int find_directory(const rdv_zip *zip, rdv_arena *arena, directory *d, rdv_error *err)
{
    uint64_t end = 0;
    unsigned char e[END_SIZE];
    int rc = find_end(zip, arena, &end, err);
    if (rc == RDV_OK)
        rc = read_inside(zip, end, e, sizeof e, err);
    if (rc == RDV_OK)
        rc = read_end64(zip, end, d, err);
    if (rc != RDV_NONE)
        return rc;
    if (number(e + 4, 2) != 0 || number(e + 8, 2) != number(e + 10, 2))
        return rdv_fail(err, RDV_E_FORMAT, "a part of a zip file; join its parts first");
    *d = (directory){number(e + 16, 4), number(e + 12, 4), number(e + 10, 2)};
    return RDV_OK;
}

/* Sizes and places that do not fit 32 bits stand in an extra field, those alone. */
static bool take_zip64(rdv_zip_member *m, const unsigned char *extra, size_t size)
{
    uint64_t *wide[] = {&m->unpacked, &m->packed, &m->header};
    while (size >= 4) {
        size_t id = (size_t)number(extra, 2), len = (size_t)number(extra + 2, 2);
        if (len > size - 4)
            return false;
        for (size_t i = 0, at = 0; id == 1 && i < 3; i++) {
            if (*wide[i] != UINT32_MAX)
                continue;
            if (at + 8 > len)
                return false;
            *wide[i] = number(extra + 4 + at, 8);
            at += 8;
        }
        extra += 4 + len;
        size -= 4 + len;
    }
    return true;
}

/* The entry at `p`, of at most `size` bytes; its own size, or 0 when it is damaged. */
static size_t read_entry(const unsigned char *p, size_t size, rdv_zip_member *m)
{
    if (size < ENTRY_SIZE || memcmp(p, "PK\1\2", 4) != 0)
        return 0;
    size_t name = (size_t)number(p + 28, 2), extra = (size_t)number(p + 30, 2);
    size_t whole = ENTRY_SIZE + name + extra + (size_t)number(p + 32, 2);
    if (whole > size)
        return 0;
    *m = (rdv_zip_member){.name = {(const char *)p + ENTRY_SIZE, name},
                          .header = number(p + 42, 4),
                          .packed = number(p + 20, 4),
                          .unpacked = number(p + 24, 4),
                          .crc = (uint32_t)number(p + 16, 4),
                          .method = (uint16_t)number(p + 10, 2),
                          .flags = (uint16_t)number(p + 8, 2)};
    return take_zip64(m, p + ENTRY_SIZE + name, extra) ? whole : 0;
}

static int by_place(const void *a, const void *b)
{
    const rdv_zip_member *x = a, *y = b;
    return (x->header > y->header) - (x->header < y->header);
}

/* Members that share bytes let a small file unpack to a huge one. */
static int check_places(const rdv_zip *zip, rdv_arena *arena, rdv_error *err)
{
    rdv_zip_member *sorted = RDV_NEW_ARRAY(arena, rdv_zip_member, zip->n);
    if (!sorted)
        return rdv_no_memory(err);
    if (zip->n)
        memcpy(sorted, zip->members, zip->n * sizeof *sorted);
    qsort(sorted, zip->n, sizeof *sorted, by_place);
    for (size_t i = 0; i < zip->n; i++) {
        const rdv_zip_member *m = &sorted[i];
        uint64_t end = i + 1 < zip->n ? sorted[i + 1].header : zip->size;
        if (m->header > zip->size || end - m->header < HEADER_SIZE ||
            m->packed > end - m->header - HEADER_SIZE)
            return rdv_fail(err, RDV_E_FORMAT,
                            "a zip file whose members overlap; it is refused, as a zip bomb is");
    }
    return RDV_OK;
}

/* Take up the entries of the directory `bytes`; the last of a name counts. */
static int take_entries(rdv_zip *zip, const unsigned char *bytes, const directory *d,
                        rdv_arena *arena, rdv_error *err)
{
    rdv_map places;
    rdv_map_init(&places, arena);
    zip->members = RDV_NEW_ARRAY(arena, rdv_zip_member, d->n);
    if (!zip->members)
        return rdv_no_memory(err);
    size_t at = 0;
    for (uint64_t i = 0; i < d->n; i++) {
        rdv_zip_member m;
        size_t size = read_entry(bytes + at, (size_t)d->size - at, &m);
        if (!size)
            return damaged(err);
        at += size;
        size_t place = rdv_map_get(&places, m.name);
        if (place != RDV_MAP_MISSING) {
            zip->members[place] = m;
            continue;
        }
        if (rdv_map_put(&places, m.name, zip->n) != RDV_OK)
            return rdv_no_memory(err);
        zip->members[zip->n++] = m;
    }
    return check_places(zip, arena, err);
}

int rdv_zip_open(rdv_zip *zip, int file, rdv_arena *arena, rdv_error *err)
{
    struct stat info;
    directory d = {0};
    *zip = (rdv_zip){.file = file};
    if (fstat(file, &info) != 0)
        return rdv_fail(err, RDV_E_IO, "reading failed: %s", strerror(errno));
    zip->size = (uint64_t)info.st_size;
    int rc = find_directory(zip, arena, &d, err);
    if (rc != RDV_OK)
        return rc;
    if (d.n > RDV_MAX_ZIP_MEMBERS)
        return rdv_fail(err, RDV_E_FORMAT, "a zip file of more than %zu members",
                        RDV_MAX_ZIP_MEMBERS);
    if (d.size > zip->size || d.n > d.size / ENTRY_SIZE)
        return damaged(err);
    unsigned char *bytes = rdv_alloc(arena, (size_t)d.size);
    if (!bytes)
        return rdv_no_memory(err);
    rc = read_inside(zip, d.at, bytes, (size_t)d.size, err);
    return rc == RDV_OK ? take_entries(zip, bytes, &d, arena, err) : rc;
}

/* ---- unpacking ------------------------------------------------------------------------------- */

typedef struct unpacking {
    const rdv_zip_member *member;
    uint64_t at, left; /* packed bytes that were not read yet */
    int file;
    size_t max;
    rdv_buf *out;
    size_t made; /* unpacked bytes */
    uint32_t crc;
    unsigned char in[BLOCK], part[BLOCK];
} unpacking;

static int bad_member(rdv_error *err)
{
    return rdv_fail(err, RDV_E_INPUT, "the packed data is damaged");
}

/* The next packed bytes into u->in; 0 at their end. */
static int next_block(unpacking *u, size_t *size, rdv_error *err)
{
    *size = u->left < BLOCK ? (size_t)u->left : BLOCK;
    int rc = read_at(u->file, u->at, u->in, *size, err);
    u->at += *size;
    u->left -= *size;
    return rc == RDV_NONE ? bad_member(err) : rc;
}

static int add_part(unpacking *u, const unsigned char *part, size_t size, rdv_error *err)
{
    u->made += size;
    if (u->made > RDV_ZIP_BOMB_BYTES && u->made / RDV_ZIP_BOMB_RATIO > u->member->packed)
        return rdv_fail(err, RDV_E_FORMAT,
                        "it unpacks to more than %d times its size; the file is refused, as a zip "
                        "bomb is",
                        RDV_ZIP_BOMB_RATIO);
    if (u->made > u->max)
        return rdv_fail(err, RDV_E_LIMIT, "more than %zu bytes; it was passed over", u->max);
    u->crc = (uint32_t)crc32(u->crc, part, (uInt)size);
    rdv_buf_add(u->out, (rdv_str){(const char *)part, size});
    return rdv_buf_ok(u->out) ? RDV_OK : rdv_no_memory(err);
}

static int copy_stored(unpacking *u, rdv_error *err)
{
    size_t size;
    int rc;
    while ((rc = next_block(u, &size, err)) == RDV_OK && size)
        if ((rc = add_part(u, u->in, size, err)) != RDV_OK)
            break;
    return rc;
}

static int inflate_all(unpacking *u, z_stream *z, rdv_error *err)
{
    int state = Z_OK;
    while (state != Z_STREAM_END) {
        if (z->avail_in == 0) {
            size_t size;
            int rc = next_block(u, &size, err);
            if (rc != RDV_OK || size == 0)
                return rc == RDV_OK ? bad_member(err) : rc;
            z->next_in = u->in;
            z->avail_in = (uInt)size;
        }
        z->next_out = u->part;
        z->avail_out = BLOCK;
        state = inflate(z, Z_NO_FLUSH);
        if (state == Z_MEM_ERROR)
            return rdv_no_memory(err);
        if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR)
            return bad_member(err);
        int rc = add_part(u, u->part, BLOCK - z->avail_out, err);
        if (rc != RDV_OK)
            return rc;
    }
    return RDV_OK;
}

static int read_deflated(unpacking *u, rdv_error *err)
{
    z_stream z = {0};
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK)
        return rdv_no_memory(err);
    int rc = inflate_all(u, &z, err);
    inflateEnd(&z);
    return rc;
}

/* inspect_ai writes several frames, one after the other. */
static int unpack_frames(unpacking *u, ZSTD_DStream *z, rdv_error *err)
{
    size_t size, state = 0;
    int rc;
    while ((rc = next_block(u, &size, err)) == RDV_OK && size) {
        ZSTD_inBuffer in = {u->in, size, 0};
        bool full = false; /* zstd may hold more than was asked for */
        while (in.pos < in.size || full) {
            ZSTD_outBuffer out = {u->part, BLOCK, 0};
            state = ZSTD_decompressStream(z, &out, &in);
            if (ZSTD_isError(state))
                return bad_member(err);
            rc = add_part(u, u->part, out.pos, err);
            if (rc != RDV_OK)
                return rc;
            full = out.pos == out.size;
        }
    }
    return rc == RDV_OK && state != 0 ? bad_member(err) : rc;
}

static int read_zstd(unpacking *u, rdv_error *err)
{
    ZSTD_DStream *z = ZSTD_createDStream();
    if (!z)
        return rdv_no_memory(err);
    ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, MAX_ZSTD_WINDOW);
    int rc = unpack_frames(u, z, err);
    ZSTD_freeDStream(z);
    return rc;
}

static int unpack(unpacking *u, rdv_error *err)
{
    switch (u->member->method) {
    case STORED:
        return copy_stored(u, err);
    case DEFLATED:
        return read_deflated(u, err);
    case ZSTD:
    case ZSTD_OLD:
        return read_zstd(u, err);
    default:
        return rdv_fail(err, RDV_E_INPUT,
                        "packed by method %d, which is not read; only deflate and zstd are",
                        u->member->method);
    }
}

int rdv_zip_read(const rdv_zip *zip, const rdv_zip_member *member, size_t max, rdv_buf *out,
                 rdv_error *err)
{
    unsigned char header[HEADER_SIZE];
    if (member->flags & ENCRYPTED)
        return rdv_fail(err, RDV_E_INPUT, "it is encrypted; unpack the file first");
    int rc = read_at(zip->file, member->header, header, sizeof header, err);
    if (rc < 0)
        return rc;
    uint64_t begin = member->header + HEADER_SIZE + number(header + 26, 2) + number(header + 28, 2);
    if (rc == RDV_NONE || memcmp(header, "PK\3\4", 4) != 0 || begin > zip->size ||
        member->packed > zip->size - begin)
        return bad_member(err);
    unpacking *u = malloc(sizeof *u);
    if (!u)
        return rdv_no_memory(err);
    u->member = member;
    u->at = begin;
    u->left = member->packed;
    u->file = zip->file;
    u->max = max;
    u->out = out;
    u->made = 0;
    u->crc = 0;
    rc = unpack(u, err);
    if (rc == RDV_OK && (u->made != member->unpacked || u->crc != member->crc))
        rc = rdv_fail(err, RDV_E_INPUT, "its size or checksum is not the one that it declares");
    free(u);
    return rc;
}
