/* SPDX-License-Identifier: Apache-2.0 */
#include "mcp/lines.h"

#include "../test.h"

#include <unistd.h>

/* The lines of `text`, with "|" behind each; "!" for one that is too long. */
static rdv_str read_all(const char *text, size_t most, rdv_arena *arena)
{
    int ends[2];
    mcp_lines lines;
    rdv_str line;
    rdv_str out = RDV_STR("");
    int code;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    close(ends[1]);
    mcp_lines_init(&lines, ends[0], most);
    while ((code = mcp_lines_next(&lines, &line, NULL)) != RDV_NONE) {
        assert_true(code == RDV_OK || code == RDV_E_LIMIT);
        out = rdv_str_printf(arena, "%.*s%.*s|", RDV_FMT(out),
                             RDV_FMT(code == RDV_OK ? line : RDV_STR("!")));
    }
    assert_int_equal(mcp_lines_next(&lines, &line, NULL), RDV_NONE);
    mcp_lines_free(&lines);
    close(ends[0]);
    return out;
}

static void test_lines(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    assert_text(read_all("", 9, arena), "");
    assert_text(read_all("\n\r\n \n", 9, arena), "");
    assert_text(read_all("one\ntwo\r\n\nthree", 9, arena), "one|two|three|");
    assert_text(read_all("123456789\n1234567890\nlast\n", 9, arena), "123456789|!|last|");
    assert_text(read_all("1234567890", 9, arena), "!|");
    rdv_arena_free(&arena);
}

static void test_a_line_of_many_pieces_is_not_held(void **state)
{
    (void)state;
    mcp_lines lines;
    rdv_str line;
    char block[4096];
    int ends[2];
    memset(block, 'x', sizeof block);
    assert_int_equal(pipe(ends), 0);
    pid_t writer = fork();
    if (writer == 0) {
        for (size_t i = 0; i < 4096; i++) /* 16 MiB */
            if (write(ends[1], block, sizeof block) != (ssize_t)sizeof block)
                _exit(1);
        if (write(ends[1], "\nafter\n", 7) != 7)
            _exit(1);
        _exit(0);
    }
    close(ends[1]);
    mcp_lines_init(&lines, ends[0], 1 << 20);
    assert_int_equal(mcp_lines_next(&lines, &line, NULL), RDV_E_LIMIT);
    assert_true(lines.cap < 4u << 20);
    assert_int_equal(mcp_lines_next(&lines, &line, NULL), RDV_OK);
    assert_text(line, "after");
    assert_int_equal(mcp_lines_next(&lines, &line, NULL), RDV_NONE);
    mcp_lines_free(&lines);
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_a_line_of_many_pieces_is_not_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
