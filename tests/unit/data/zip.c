/* SPDX-License-Identifier: Apache-2.0 */
/* Zip files that are written here, so that each byte is known; tests/integration/your_data.py has
 * those that Python and inspect_ai write. */
#include "data/layout/zip.h"
#include "base/arena.h"
#include "base/str.h"

#include "../test.h"
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* A zip file in the making: its members, then its directory. */
typedef struct writer {
    char bytes[4096], directory[4096];
    size_t len, directory_len, n;
} writer;

static void put(char *to, size_t *len, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[(*len)++] = (char)(i < sizeof value ? value >> (8 * i) : 0);
}

static void put_text(char *to, size_t *len, const char *text)
{
    memcpy(to + *len, text, strlen(text));
    *len += strlen(text);
}

/* What both headers of a member have: version, flags, method, time, date, checksum, sizes. */
static void put_common(char *to, size_t *len, const char *text)
{
    put(to, len, 20, 2);
    put(to, len, 0, 8);
    put(to, len, crc32(0, (const unsigned char *)text, (uInt)strlen(text)), 4);
    put(to, len, strlen(text), 4);
    put(to, len, strlen(text), 4);
}

static void add_member(writer *w, const char *name, const char *text)
{
    size_t header = w->len;
    put_text(w->bytes, &w->len, "PK\3\4");
    put_common(w->bytes, &w->len, text);
    put(w->bytes, &w->len, strlen(name), 4);
    put_text(w->bytes, &w->len, name);
    put_text(w->bytes, &w->len, text);
    put_text(w->directory, &w->directory_len, "PK\1\2");
    put(w->directory, &w->directory_len, 20, 2);
    put_common(w->directory, &w->directory_len, text);
    put(w->directory, &w->directory_len, strlen(name), 2);
    put(w->directory, &w->directory_len, 0, 12);
    put(w->directory, &w->directory_len, header, 4);
    put_text(w->directory, &w->directory_len, name);
    w->n++;
}

/* A file whose directory says that it has `said` members. */
static int saying(writer *w, uint64_t said)
{
    size_t at = w->len;
    memcpy(w->bytes + w->len, w->directory, w->directory_len);
    w->len += w->directory_len;
    put_text(w->bytes, &w->len, "PK\5\6");
    put(w->bytes, &w->len, 0, 4);
    put(w->bytes, &w->len, said, 2);
    put(w->bytes, &w->len, said, 2);
    put(w->bytes, &w->len, w->directory_len, 4);
    put(w->bytes, &w->len, at, 4);
    put(w->bytes, &w->len, 0, 2);
    int file = memfd_create("zip", MFD_CLOEXEC);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, w->bytes, w->len, 0), (ssize_t)w->len);
    return file;
}

static int finished(writer *w)
{
    return saying(w, w->n);
}

static int small_file(void)
{
    writer w = {0};
    add_member(&w, "a", "one");
    add_member(&w, "../b", "two");
    add_member(&w, "a", "three");
    return finished(&w);
}

static void test_read__the_last_of_a_name(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    int file = small_file();
    rdv_error err = {0};
    rdv_zip zip;
    rdv_buf out;
    assert_int_equal(rdv_zip_open(&zip, file, arena, &err), RDV_OK);
    assert_int_equal(zip.n, 2);
    assert_text(zip.members[0].name, "a");
    assert_text(zip.members[1].name, "../b");
    rdv_buf_init(&out, arena, 0);
    assert_int_equal(rdv_zip_read(&zip, &zip.members[0], 5, &out, &err), RDV_OK);
    assert_text(rdv_buf_str(&out), "three");
    rdv_buf_init(&out, arena, 0);
    assert_int_equal(rdv_zip_read(&zip, &zip.members[0], 4, &out, &err), RDV_E_LIMIT);
    close(file);
    rdv_arena_free(&arena);
}

static void test_open__cut_short_anywhere(void **state)
{
    writer w = {0};
    add_member(&w, "a", "one");
    add_member(&w, "b", "two");
    int file = finished(&w);
    for (size_t size = 0; size < w.len; size++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_zip zip;
        assert_int_equal(ftruncate(file, (off_t)(w.len - size - 1)), 0);
        assert_int_equal(rdv_zip_open(&zip, file, arena, NULL), RDV_E_FORMAT);
        rdv_arena_free(&arena);
    }
    close(file);
}

/* A directory that has fewer members than it says is damaged; no room is made for what it says. */
static void test_open__of_a_wrong_count(void **state)
{
    for (uint64_t said = 2; said <= 65535; said = said < 100 ? said + 1 : said * 2 - 1) {
        writer w = {0};
        rdv_arena *arena = rdv_arena_new(0);
        rdv_zip zip;
        rdv_error err = {0};
        add_member(&w, "a", "one");
        int file = saying(&w, said);
        size_t before = mallinfo2().uordblks;
        assert_int_equal(rdv_zip_open(&zip, file, arena, &err), RDV_E_FORMAT);
        assert_in_range(mallinfo2().uordblks - before, 0, 100 * 1000);
        close(file);
        rdv_arena_free(&arena);
    }
}

/* A file that says it has `n` members, in a directory of zeros with that many entries: a hole in
 * the file, so nothing is written. */
static int saying_in_zip64(uint64_t n)
{
    char end[56 + 20 + 22];
    size_t len = 0;
    uint64_t size = n * 46;
    put_text(end, &len, "PK\6\6");
    put(end, &len, 44, 8);
    put(end, &len, 45, 2);
    put(end, &len, 45, 2);
    put(end, &len, 0, 8);
    put(end, &len, n, 8);
    put(end, &len, n, 8);
    put(end, &len, size, 8);
    put(end, &len, 0, 8);
    put_text(end, &len, "PK\6\7");
    put(end, &len, 0, 4);
    put(end, &len, size, 8);
    put(end, &len, 1, 4);
    put_text(end, &len, "PK\5\6");
    put(end, &len, 0, 4);
    put(end, &len, UINT64_MAX, 4);
    put(end, &len, UINT64_MAX, 8);
    put(end, &len, 0, 2);
    assert_int_equal(len, sizeof end);
    int file = memfd_create("zip", 0);
    assert_int_equal(ftruncate(file, (off_t)size), 0);
    assert_int_equal(pwrite(file, end, len, (off_t)size), (ssize_t)len);
    return file;
}

/* One member more than may be is refused before the directory is read. */
static void test_open__more_members_than_may_be(void **state)
{
    for (uint64_t more = 0; more < 2; more++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_zip zip;
        rdv_error err = {0};
        int file = saying_in_zip64(RDV_MAX_ZIP_MEMBERS + more);
        assert_int_equal(rdv_zip_open(&zip, file, arena, &err), RDV_E_FORMAT);
        assert_int_equal(strstr(err.msg, "more than 1000000 members") != NULL, more);
        close(file);
        rdv_arena_free(&arena);
    }
}

/* Members that share bytes, as those of zip bombs do. */
static void test_open__members_that_overlap(void **state)
{
    writer w = {0};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_zip zip;
    rdv_error err = {0};
    add_member(&w, "a", "one");
    add_member(&w, "b", "two");
    w.directory[w.directory_len - 1 - 4] = 1; /* b's place: within a */
    int file = finished(&w);
    assert_int_equal(rdv_zip_open(&zip, file, arena, &err), RDV_E_FORMAT);
    assert_non_null(strstr(err.msg, "overlap"));
    close(file);
    rdv_arena_free(&arena);
}

/* The first member says that it is as long as the whole file. */
static void test_open__a_member_that_covers_the_next(void **state)
{
    static const char text[] = "a text that is longer than the head of a member is";
    writer w = {0};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_zip zip;
    rdv_error err = {0};
    add_member(&w, "a", text);
    w.directory[20] += 2; /* the packed size: one byte of the next member, and the name has one */
    add_member(&w, "b", "two");
    int file = finished(&w);
    assert_int_equal(rdv_zip_open(&zip, file, arena, &err), RDV_E_FORMAT);
    assert_non_null(strstr(err.msg, "overlap"));
    close(file);
    rdv_arena_free(&arena);
}

/* 17 MiB of zeros are some hundred bytes. */
static void test_read__a_bomb(void **state)
{
    enum { SIZE = 17 << 20 };
    static char packed[4000], zeros[SIZE];
    size_t n = ZSTD_compress(packed, sizeof packed, zeros, SIZE, 3);
    writer w = {0};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_zip zip;
    rdv_error err = {0};
    rdv_buf out;
    assert_true(n < 3000);
    w.len = 0;
    add_member(&w, "a", "");
    memcpy(w.bytes + w.len, packed, n);
    w.len += n;
    size_t at = w.directory_len - 1 - (46 - 10);
    w.directory[at] = 93; /* zstd */
    at = w.directory_len - 1 - (46 - 20);
    put(w.directory, &at, n, 4);
    put(w.directory, &at, SIZE, 4);
    int file = finished(&w);
    assert_int_equal(rdv_zip_open(&zip, file, arena, &err), RDV_OK);
    rdv_buf_init(&out, arena, 0);
    assert_int_equal(rdv_zip_read(&zip, &zip.members[0], SIZE, &out, &err), RDV_E_FORMAT);
    assert_non_null(strstr(err.msg, "zip bomb"));
    close(file);
    rdv_arena_free(&arena);
}

/* A byte that was changed is seen by the checksum, whatever it is. */
static void test_read__damaged_anywhere(void **state)
{
    static const char text[] = "some text that is kept";
    for (size_t i = 0; i < sizeof text - 1; i++) {
        writer w = {0};
        rdv_arena *arena = rdv_arena_new(0);
        rdv_zip zip;
        rdv_error err = {0};
        rdv_buf out;
        add_member(&w, "a", text);
        w.bytes[w.len - 1 - i] ^= 1;
        int file = finished(&w);
        assert_int_equal(rdv_zip_open(&zip, file, arena, &err), RDV_OK);
        rdv_buf_init(&out, arena, 0);
        assert_int_equal(rdv_zip_read(&zip, &zip.members[0], 99, &out, &err), RDV_E_INPUT);
        close(file);
        rdv_arena_free(&arena);
    }
}

static void test_open__without_memory(void **state)
{
    int file = small_file(), rc;
    size_t n = 1;
    do {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_error err = {0};
        rdv_zip zip;
        rdv_buf out;
        rdv_alloc_fail_at(n++);
        rc = rdv_zip_open(&zip, file, arena, &err);
        rdv_buf_init(&out, arena, 0);
        if (rc == RDV_OK)
            rc = rdv_zip_read(&zip, &zip.members[0], 99, &out, &err);
        rdv_alloc_fail_at(0);
        assert_true(rc == RDV_OK || (rc == RDV_E_NOMEM && err.msg[0]));
        rdv_arena_free(&arena);
    } while (rc != RDV_OK);
    assert_true(n > 3);
    close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read__the_last_of_a_name),
        cmocka_unit_test(test_open__cut_short_anywhere),
        cmocka_unit_test(test_open__of_a_wrong_count),
        cmocka_unit_test(test_open__more_members_than_may_be),
        cmocka_unit_test(test_open__members_that_overlap),
        cmocka_unit_test(test_open__a_member_that_covers_the_next),
        cmocka_unit_test(test_read__a_bomb),
        cmocka_unit_test(test_read__damaged_anywhere),
        cmocka_unit_test(test_open__without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
