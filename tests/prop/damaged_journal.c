/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever byte of a journal is changed, and wherever it is cut off: what is read from it is what
 * was written, or it is refused. Of the log that a killed run leaves, which has checksums of its
 * own, the last replies may be missing; none may be another.
 *
 *     prop_damaged_journal [N]     changes every N-th of the bytes (1) */
#include "../unit/test.h"
#include "base/arena.h"
#include "base/buf.h"
#include "run/journal/journal.h"
#include "run/journal/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_REPLIES 9

#define SPARSE (SANITIZED ? 13u : 3u) /* of so many changes and cuts one is tried */

static char path[64], log_path[80];

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct bytes {
    char *p;
    size_t n;
} bytes;

static bytes read_file(const char *name)
{
    bytes b = {NULL, 0};
    FILE *f = fopen(name, "rb");
    if (!f)
        return b;
    fseek(f, 0, SEEK_END);
    b.n = (size_t)ftell(f);
    b.p = malloc(b.n + 1);
    assert_non_null(b.p);
    rewind(f);
    assert_int_equal(fread(b.p, 1, b.n, f), b.n);
    fclose(f);
    return b;
}

static void write_file(const char *name, const char *p, size_t n)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void remove_files(void)
{
    char memory[80];
    snprintf(memory, sizeof memory, "%s-shm", path);
    unlink(path);
    unlink(log_path);
    unlink(memory);
}

static int set_up(void **state)
{
    /* Nothing here has to reach a disk, and tens of thousands of files are written. */
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(path, sizeof path, "%s/rdv-damaged-%ld", folder, (long)getpid());
    snprintf(log_path, sizeof log_path, "%s-wal", path);
    remove_files();
    return 0;
}

static int tear_down(void **state)
{
    remove_files();
    return 0;
}

/* ---- a journal ------------------------------------------------------------------------------- */

static rdv_request request_of(unsigned number)
{
    /* Of several parts, which the requests share. */
    static const char text[] =
        "The following are 2 solutions to a part of a problem. Solution 1: 2 + 3 = 5 apples, which "
        "Ann has in the end.\nSolution 2: Ann has 5 apples, since she had 2 of them and was given "
        "3 "
        "more by the neighbour on her way home.\nDoes Solution 1 support Solution 2?";
    static const rdv_message message = {RDV_USER, {text, sizeof text - 1}};
    rdv_request r = {.model = number % 3 ? RDV_STR("m") : RDV_STR("other"),
                     .stage = RDV_STR("selfcheck/compare"),
                     .messages = &message,
                     .n_messages = 1,
                     .sampling = {.temperature = 0.7, .top_p = NAN, .max_tokens = 300},
                     .sample = RDV_STR("sample 0")};
    for (size_t i = 0; i < sizeof r.key; i++)
        r.key[i] = (unsigned char)(number * 37 + i * i * 11);
    return r;
}

/* Short ones, one that takes several pages, and one with tokens. */
static void add(rdv_journal *j, unsigned number)
{
    static char text[9000];
    static const rdv_alternative other = {{" supports", 9}, -1.5};
    static const rdv_token token = {
        .text = {" denies", 7}, .logprob = -0.25, .other = &other, .n_other = 1};
    snprintf(text, sizeof text, "%u: Solution 1 does not support Solution 2.%*s", number,
             number == 4 ? 8800 : (int)number * 20, "");
    rdv_request request = request_of(number);
    rdv_reply reply = {.text = rdv_str_of(text),
                       .usage = true,
                       .prompt_tokens = 94,
                       .completion_tokens = 8,
                       .tokens = &token,
                       .n_tokens = number == 5};
    assert_int_equal(journal_add(j, &request, true, &reply, 1700000000000 + number, NULL), RDV_OK);
    assert_int_equal(journal_commit(j, NULL), RDV_OK);
}

static void make(void)
{
    rdv_journal *j;
    rdv_error err = {0};
    remove_files();
    if (rdv_journal_open(path, RDV_JOURNAL_WRITE, &j, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    for (unsigned i = 0; i < N_REPLIES; i++)
        add(j, i);
    rdv_journal_close(&j);
}

/* By a process that ends without closing it. */
static void make_and_die(void)
{
    remove_files();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        rdv_journal *j;
        if (rdv_journal_open(path, RDV_JOURNAL_WRITE, &j, NULL) == RDV_OK)
            for (unsigned i = 0; i < N_REPLIES; i++)
                add(j, i);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
}

/* ---- everything that is read from it --------------------------------------------------------- */

typedef struct contents {
    rdv_str found[N_REPLIES]; /* the replies, by number; p == NULL: there is none */
    rdv_str models, lines;
} contents;

static int add_line(void *payload, rdv_str line, rdv_error *err)
{
    rdv_buf_add(payload, line);
    return RDV_OK;
}

static int read_found(rdv_journal *j, rdv_arena *arena, contents *out, rdv_error *err)
{
    for (unsigned i = 0; i < N_REPLIES; i++) {
        rdv_reply reply;
        rdv_buf b;
        rdv_request request = request_of(i);
        int rc = journal_find(j, request.key, arena, &reply, err);
        if (rc < 0)
            return rc;
        rdv_buf_init(&b, arena, 0);
        if (rc == RDV_OK)
            record_write_reply(&b, &reply);
        out->found[i] = rc == RDV_OK ? rdv_buf_str(&b) : (rdv_str){0};
    }
    return RDV_OK;
}

static int read_all(rdv_journal_mode mode, rdv_arena *arena, contents *out, rdv_error *err)
{
    rdv_journal *j;
    rdv_str *names;
    size_t n = 0;
    rdv_buf models, lines;
    rdv_buf_init(&models, arena, 0);
    rdv_buf_init(&lines, arena, 0);
    int rc = rdv_journal_open(path, mode, &j, err);
    if (rc != RDV_OK)
        return rc;
    rc = read_found(j, arena, out, err);
    if (rc == RDV_OK)
        rc = rdv_journal_models(j, arena, &names, &n, err);
    for (size_t i = 0; i < n; i++)
        rdv_buf_printf(&models, "%.*s,", RDV_FMT(names[i]));
    if (rc == RDV_OK)
        rc = rdv_journal_export(j, add_line, &lines, err);
    out->models = rdv_buf_str(&models);
    out->lines = rdv_buf_str(&lines);
    rdv_journal_close(&j);
    return rc;
}

static contents whole;
static rdv_arena *whole_arena;

static void read_whole(rdv_journal_mode mode)
{
    rdv_error err = {0};
    rdv_arena_free(&whole_arena);
    whole_arena = rdv_arena_new(0);
    if (read_all(mode, whole_arena, &whole, &err) != RDV_OK)
        fail_msg("%s", err.msg);
}

static bool same(rdv_str a, rdv_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

/* 1: it was refused. */
static int check_read(rdv_journal_mode mode, bool may_lack, const char *what, size_t at)
{
    contents c = {0};
    rdv_error err = {0};
    rdv_arena *arena = rdv_arena_new(0);
    int rc = read_all(mode, arena, &c, &err);
    if (rc != RDV_OK && (!err.msg[0] || strchr(err.msg, '\n')))
        fail_msg("%s %zu: refused without a line", what, at);
    for (size_t i = 0; rc == RDV_OK && i < N_REPLIES; i++)
        if (!same(c.found[i], whole.found[i]) && !(may_lack && !c.found[i].p))
            fail_msg("%s %zu: reply %zu became: %.*s", what, at, i, RDV_FMT(c.found[i]));
    if (rc == RDV_OK && !may_lack && !(same(c.models, whole.models) && same(c.lines, whole.lines)))
        fail_msg("%s %zu: the lines became: %.*s", what, at, RDV_FMT(c.lines));
    rdv_arena_free(&arena);
    return rc != RDV_OK;
}

/* ---- damage ---------------------------------------------------------------------------------- */

#define HEAD 4096 /* bytes of SQLite's first page, where the schema is */

typedef struct damage {
    const char *file; /* which of the two is damaged */
    rdv_journal_mode mode;
    bool may_lack;
    size_t step; /* between the bytes that are changed, behind the head */
} damage;

static void put_back(const bytes *main, const bytes *log)
{
    remove_files();
    write_file(path, main->p, main->n);
    if (log->p)
        write_file(log_path, log->p, log->n);
}

static void check_damage(const damage *d)
{
    bytes main = read_file(path), log = read_file(log_path);
    bytes *b = strcmp(d->file, path) == 0 ? &main : &log;
    static const unsigned char patterns[] = {0x01, 0x80, 0x20, 0xff, 0x04, 0x2a, 0x08};
    size_t refused = 0, n = 0;
    for (size_t at = 0; at < b->n; at += SPARSE * (at < HEAD ? 1 : d->step)) {
        char kept = b->p[at];
        b->p[at] = (char)(kept ^ patterns[n++ % sizeof patterns]);
        put_back(&main, &log);
        b->p[at] = kept;
        refused += (size_t)check_read(d->mode, d->may_lack, "byte", at);
    }
    print_message("%zu changes, %zu refused\n", n, refused);
    assert_true(d->may_lack || refused > n / 10); /* else nothing was looked at */
    free(main.p);
    free(log.p);
}

static void check_cuts(bool may_lack)
{
    bytes main = read_file(path), none = {NULL, 0};
    size_t step = main.n / 200 + 1, refused = 0;
    for (size_t n = 1; n < main.n; n += step) {
        bytes cut = {main.p, n};
        put_back(&cut, &none);
        refused += (size_t)check_read(RDV_JOURNAL_READ, may_lack, "cut at", n);
    }
    assert_true(refused > 100);
    free(main.p);
}

static void test_at_rest__read(void **state)
{
    make();
    read_whole(RDV_JOURNAL_READ);
    check_damage(&(damage){path, RDV_JOURNAL_READ, false, 1});
}

static void test_at_rest__write(void **state)
{
    make();
    read_whole(RDV_JOURNAL_WRITE);
    check_damage(&(damage){path, RDV_JOURNAL_WRITE, false, 47});
}

static void test_at_rest__cut_off(void **state)
{
    make();
    read_whole(RDV_JOURNAL_READ);
    check_cuts(false);
}

static void test_after_a_kill(void **state)
{
    make_and_die();
    bytes main = read_file(path), log = read_file(log_path);
    assert_true(log.n > 0);
    read_whole(RDV_JOURNAL_READ);
    put_back(&main, &log);
    check_damage(&(damage){log_path, RDV_JOURNAL_READ, true, 83});
    put_back(&main, &log);
    check_damage(&(damage){path, RDV_JOURNAL_READ, true, 79});
    free(main.p);
    free(log.p);
}

static void test_lines(void **state)
{
    make();
    read_whole(RDV_JOURNAL_READ);
    remove_files();
    write_file(path, whole.lines.p, whole.lines.len);
    read_whole(RDV_JOURNAL_READ);
    check_damage(&(damage){path, RDV_JOURNAL_READ, false, 1});
    write_file(path, whole.lines.p, whole.lines.len);
    check_cuts(true);
}

static int tear_down_all(void **state)
{
    rdv_arena_free(&whole_arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_at_rest__read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_at_rest__write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_at_rest__cut_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_after_a_kill, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down_all);
}
