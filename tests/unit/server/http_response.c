/* SPDX-License-Identifier: Apache-2.0 */
/* The head of a response. */
#include "../test.h"
#include "base/arena.h"
#include "server/http_response.h"

static rdv_str head_of(const http_response *r, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    http_response_write(&b, r);
    assert_true(rdv_buf_ok(&b));
    return rdv_buf_str(&b);
}

/* Each status that the server sends has its name of RFC 9110; of another, it says that it is not
 * known, so that the status line is whole. */
static void test_http_response__status_line(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    http_response r = {.status = 417, .type = "text/plain"};
    assert_true(rdv_starts(head_of(&r, arena), RDV_STR("HTTP/1.1 417 Expectation Failed\r\n")));
    r.status = 418;
    assert_true(rdv_starts(head_of(&r, arena), RDV_STR("HTTP/1.1 418 Unknown\r\n")));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_http_response__status_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
