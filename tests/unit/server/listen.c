/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"
#include "server/listen.h"

#include <unistd.h>

static void test_listen__a_free_port(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    static const char *const where[] = {"127.0.0.1:0", "localhost:0"};
    for (size_t i = 0; i < sizeof where / sizeof *where; i++) {
        rdv_str url;
        int s;
        assert_int_equal(listen_at(where[i], &s, arena, &url, NULL), RDV_OK);
        assert_true(rdv_starts(url, RDV_STR("http://127.0.0.1:")));
        assert_false(rdv_ends(url, RDV_STR(":0")));
        close(s);
    }
    rdv_arena_free(&arena);
}

static void test_listen__a_port_that_is_taken(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    rdv_str url;
    int first, second;
    assert_int_equal(listen_at("127.0.0.1:0", &first, arena, &url, NULL), RDV_OK);
    char *where = rdv_cstring(arena, rdv_slice(url, 7, url.len));
    assert_int_equal(listen_at(where, &second, arena, &url, &err), RDV_E_IO);
    assert_non_null(strstr(err.msg, where));
    close(first);
    rdv_arena_free(&arena);
}

static void test_listen__no_address(void **state)
{
    static const char *const wrong[] = {
        "",       "8080",       "127.0.0.1", "127.0.0.1:",    "1.2.3:80",      "[::1]",
        "::1:80", "[::1:80",    "a.b:80",    ":80",           "1.1.1.1:65536", "1.1.1.1:-1",
        "[x]:80", "1.1.1.1:8x", "[]:80",     "1.1.1.1:000080"};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rdv_str url;
        int s;
        assert_int_equal(listen_at(wrong[i], &s, arena, &url, NULL), RDV_E_ARGUMENT);
    }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_listen__a_free_port),
                                       cmocka_unit_test(test_listen__a_port_that_is_taken),
                                       cmocka_unit_test(test_listen__no_address)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
