/* SPDX-License-Identifier: Apache-2.0 */
#include "disk.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 512
#define MAX_FILES 8
#define NAME_BYTES 64

/* A file: its bytes now, and those that are certain to survive a loss of power. */
typedef struct image {
    char name[NAME_BYTES]; /* empty: unused */
    unsigned char *data, *safe;
    size_t size, safe_size, cap, safe_cap;
    size_t readers;              /* handles with a lock, the writer's included */
    const struct handle *writer; /* has more than a shared lock; NULL: none has */
} image;

typedef struct handle {
    sqlite3_file base;
    image *of;
    image own; /* of a file without a name, which is gone when it is closed */
    int lock;  /* SQLITE_LOCK_NONE to SQLITE_LOCK_EXCLUSIVE */
} handle;

static struct {
    image files[MAX_FILES];
    rdv_rng *rng;
    bool lies, crashed, power;
    uint64_t crash_in, full_in, full_n, changes;
} disk;

/* ---- images ---------------------------------------------------------------------------------- */

static void grow(unsigned char **data, size_t *cap, size_t size)
{
    if (size <= *cap)
        return;
    size_t more = *cap ? *cap : 4096;
    while (more < size)
        more *= 2;
    *data = realloc(*data, more);
    if (!*data)
        abort();
    memset(*data + *cap, 0, more - *cap);
    *cap = more;
}

static void set_size(image *f, size_t size)
{
    grow(&f->data, &f->cap, size);
    if (size < f->size)
        memset(f->data + size, 0, f->size - size);
    f->size = size;
}

static void put(image *f, const unsigned char *bytes, size_t n, size_t at)
{
    if (n == 0)
        return;
    if (at + n > f->size)
        set_size(f, at + n);
    memcpy(f->data + at, bytes, n);
}

static void make_safe(image *f)
{
    grow(&f->safe, &f->safe_cap, f->size);
    if (f->size)
        memcpy(f->safe, f->data, f->size);
    if (f->safe_cap > f->size)
        memset(f->safe + f->size, 0, f->safe_cap - f->size);
    f->safe_size = f->size;
}

/* Each sector that was written since the file was synchronised is kept or lost. Behind the end of a
 * file that was cut off nothing was written: where its new size is lost, the old bytes are there.
 */
static void lose_power(image *f)
{
    size_t most = f->size > f->safe_size ? f->size : f->safe_size;
    grow(&f->data, &f->cap, most);
    grow(&f->safe, &f->safe_cap, most);
    for (size_t at = 0; at < most; at += SECTOR) {
        size_t n = most - at < SECTOR ? most - at : SECTOR;
        bool lost = rdv_rng_below(disk.rng, 2);
        if (lost || at >= f->size)
            memcpy(f->data + at, f->safe + at, n);
    }
    if (rdv_rng_below(disk.rng, 2))
        set_size(f, f->safe_size);
    else
        f->size = f->size > f->safe_size ? f->size : f->safe_size;
    make_safe(f);
}

static image *find(const char *name)
{
    for (size_t i = 0; i < MAX_FILES; i++)
        if (disk.files[i].name[0] && strcmp(disk.files[i].name, name) == 0)
            return &disk.files[i];
    return NULL;
}

static void release(image *f)
{
    free(f->data);
    free(f->safe);
    *f = (image){.size = 0};
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

static void crash(void)
{
    disk.crashed = true;
    for (size_t i = 0; disk.power && i < MAX_FILES; i++)
        if (disk.files[i].name[0])
            lose_power(&disk.files[i]);
}

/* A change of the disk begins. SQLITE_OK, SQLITE_FULL, SQLITE_IOERR: it does not arrive; *now: the
 * crash happens in the middle of it. */
static int begin_change(bool *now)
{
    *now = false;
    if (disk.crashed)
        return SQLITE_IOERR;
    disk.changes++;
    if (disk.crash_in && --disk.crash_in == 0) {
        *now = true;
        return SQLITE_OK;
    }
    if (disk.full_in && --disk.full_in == 0) {
        if (disk.full_n && --disk.full_n)
            disk.full_in = 1;
        return SQLITE_FULL;
    }
    return SQLITE_OK;
}

/* ---- locks ----------------------------------------------------------------------------------- */

/* Each open file is a process of its own, as each journal opens its files once. */
static int lock_file(sqlite3_file *file, int how)
{
    handle *h = (handle *)file;
    image *f = h->of;
    bool other = f->writer && f->writer != h;
    if (how <= h->lock)
        return SQLITE_OK;
    if (how == SQLITE_LOCK_SHARED) {
        if (other && f->writer->lock >= SQLITE_LOCK_PENDING)
            return SQLITE_BUSY;
        f->readers++;
        h->lock = how;
        return SQLITE_OK;
    }
    if (other)
        return SQLITE_BUSY;
    f->writer = h;
    bool waits = how == SQLITE_LOCK_EXCLUSIVE && f->readers > 1;
    h->lock = waits ? SQLITE_LOCK_PENDING : how;
    return waits ? SQLITE_BUSY : SQLITE_OK;
}

static int unlock_file(sqlite3_file *file, int how)
{
    handle *h = (handle *)file;
    if (how >= h->lock)
        return SQLITE_OK;
    if (h->of->writer == h)
        h->of->writer = NULL;
    if (how == SQLITE_LOCK_NONE && h->of->readers)
        h->of->readers--;
    h->lock = how;
    return SQLITE_OK;
}

static int check_lock(sqlite3_file *file, int *out)
{
    *out = ((handle *)file)->of->writer != NULL;
    return SQLITE_OK;
}

/* ---- methods of a file ----------------------------------------------------------------------- */

static int close_file(sqlite3_file *file)
{
    handle *h = (handle *)file;
    unlock_file(file, SQLITE_LOCK_NONE);
    if (h->of == &h->own)
        release(&h->own);
    return SQLITE_OK;
}

static int read_file(sqlite3_file *file, void *out, int n, sqlite3_int64 at)
{
    const image *f = ((handle *)file)->of;
    size_t from = (size_t)at, size = (size_t)n;
    if (disk.crashed)
        return SQLITE_IOERR_READ;
    size_t there = from < f->size ? f->size - from : 0;
    size_t take = there < size ? there : size;
    memset(out, 0, size);
    if (take)
        memcpy(out, f->data + from, take);
    return take == size ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int write_file(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 at)
{
    handle *h = (handle *)file;
    bool now = false;
    int rc = h->of == &h->own ? SQLITE_OK : begin_change(&now);
    if (rc != SQLITE_OK)
        return rc == SQLITE_FULL ? rc : SQLITE_IOERR_WRITE;
    size_t arrives = now ? (size_t)rdv_rng_below(disk.rng, (uint64_t)n + 1) : (size_t)n;
    put(h->of, bytes, arrives, (size_t)at);
    if (now)
        crash();
    return now ? SQLITE_IOERR_WRITE : SQLITE_OK;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
    handle *h = (handle *)file;
    bool now;
    int rc = begin_change(&now);
    if (rc != SQLITE_OK)
        return SQLITE_IOERR_TRUNCATE;
    if (!now || rdv_rng_below(disk.rng, 2))
        set_size(h->of, (size_t)size);
    if (now)
        crash();
    return now ? SQLITE_IOERR_TRUNCATE : SQLITE_OK;
}

static int sync_file(sqlite3_file *file, int flags)
{
    handle *h = (handle *)file;
    bool now;
    (void)flags;
    if (begin_change(&now) != SQLITE_OK)
        return SQLITE_IOERR_FSYNC;
    if (now)
        crash();
    else if (!disk.lies)
        make_safe(h->of);
    return now ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int size_of(sqlite3_file *file, sqlite3_int64 *out)
{
    *out = (sqlite3_int64)((handle *)file)->of->size;
    return disk.crashed ? SQLITE_IOERR_FSTAT : SQLITE_OK;
}

static int control(sqlite3_file *file, int op, void *arg)
{
    (void)file, (void)op, (void)arg;
    return SQLITE_NOTFOUND;
}

static int sector_size(sqlite3_file *file)
{
    (void)file;
    return SECTOR;
}

static int characteristics(sqlite3_file *file)
{
    (void)file;
    return 0;
}

static const sqlite3_io_methods methods = {.iVersion = 1,
                                           .xClose = close_file,
                                           .xRead = read_file,
                                           .xWrite = write_file,
                                           .xTruncate = truncate_file,
                                           .xSync = sync_file,
                                           .xFileSize = size_of,
                                           .xLock = lock_file,
                                           .xUnlock = unlock_file,
                                           .xCheckReservedLock = check_lock,
                                           .xFileControl = control,
                                           .xSectorSize = sector_size,
                                           .xDeviceCharacteristics = characteristics};

/* ---- methods of the file system -------------------------------------------------------------- */

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    handle *h = (handle *)file;
    (void)vfs;
    *h = (handle){.base.pMethods = NULL};
    if (disk.crashed)
        return SQLITE_CANTOPEN;
    h->of = name ? find(name) : &h->own;
    for (size_t i = 0; !h->of && (flags & SQLITE_OPEN_CREATE) && i < MAX_FILES; i++)
        if (!disk.files[i].name[0]) {
            h->of = &disk.files[i];
            snprintf(h->of->name, NAME_BYTES, "%s", name);
        }
    if (!h->of)
        return SQLITE_CANTOPEN;
    h->base.pMethods = &methods;
    if (out)
        *out = flags;
    return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int sync)
{
    bool now;
    (void)vfs, (void)sync;
    image *f = find(name);
    if (!f)
        return SQLITE_IOERR_DELETE_NOENT;
    if (begin_change(&now) != SQLITE_OK)
        return SQLITE_IOERR_DELETE;
    if (!now || rdv_rng_below(disk.rng, 2))
        release(f);
    if (now)
        crash();
    return now ? SQLITE_IOERR_DELETE : SQLITE_OK;
}

static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    (void)vfs, (void)flags;
    const image *f = find(name);
    *out = f && (f->size > 0 || flags != SQLITE_ACCESS_EXISTS);
    return SQLITE_OK;
}

static int full_name(sqlite3_vfs *vfs, const char *name, int n, char *out)
{
    (void)vfs;
    snprintf(out, (size_t)n, "%s", name);
    return SQLITE_OK;
}

static int randomness(sqlite3_vfs *vfs, int n, char *out)
{
    (void)vfs;
    for (int i = 0; i < n; i++)
        out[i] = (char)i;
    return n;
}

static int sleep_us(sqlite3_vfs *vfs, int us)
{
    (void)vfs;
    return us;
}

static int current_time(sqlite3_vfs *vfs, double *out)
{
    (void)vfs;
    *out = 2460000.5;
    return SQLITE_OK;
}

static int last_error(sqlite3_vfs *vfs, int n, char *out)
{
    (void)vfs, (void)n, (void)out;
    return 0;
}

void disk_install(void)
{
    static sqlite3_vfs vfs = {.iVersion = 1,
                              .szOsFile = (int)sizeof(handle),
                              .mxPathname = NAME_BYTES - 1,
                              .zName = "simulated",
                              .xOpen = open_file,
                              .xDelete = delete_file,
                              .xAccess = access_file,
                              .xFullPathname = full_name,
                              .xRandomness = randomness,
                              .xSleep = sleep_us,
                              .xCurrentTime = current_time,
                              .xGetLastError = last_error};
    if (sqlite3_vfs_register(&vfs, 1) != SQLITE_OK)
        abort();
}

/* ---- control --------------------------------------------------------------------------------- */

void disk_clear(rdv_rng *rng, bool lies)
{
    for (size_t i = 0; i < MAX_FILES; i++)
        release(&disk.files[i]);
    disk.rng = rng;
    disk.lies = lies;
    disk_restart();
}

void disk_crash_after(uint64_t after, bool power)
{
    disk.crash_in = after;
    disk.power = power;
}

void disk_full_after(uint64_t after, uint64_t n)
{
    disk.full_in = after;
    disk.full_n = n;
}

bool disk_crashed(void)
{
    return disk.crashed;
}

void disk_restart(void)
{
    disk.crashed = disk.power = false;
    disk.crash_in = disk.full_in = disk.full_n = 0;
}

bool disk_holds(const char *bytes, size_t n)
{
    for (size_t i = 0; i < MAX_FILES; i++)
        if (disk.files[i].size && memmem(disk.files[i].data, disk.files[i].size, bytes, n))
            return true;
    return false;
}

uint64_t disk_changes(void)
{
    return disk.changes;
}
