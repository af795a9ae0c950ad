/* SPDX-License-Identifier: Apache-2.0 */
/* Events are the same wherever the bytes of their stream are cut. */
#include "../arena.h"
#include "../test.h"
#include "model/events.h"

#define STREAM                                                                                     \
    "\xef\xbb\xbf"                                                                                 \
    "data: one\n\n: comment\r\n\r\nevent: named\rdata:two\rdata:  three\r\r"                       \
    "id: 7\n\ndata\n\n\ndata: last"

static const struct {
    const char *name, *data;
} wanted[] = {{NULL, "one"}, {NULL, NULL},  {"named", "two\n three"}, {NULL, NULL}, {NULL, ""},
              {NULL, NULL},  {NULL, "last"}};

static void assert_same(rdv_str s, const char *text)
{
    assert_int_equal(s.p != NULL, text != NULL);
    if (text)
        assert_true(rdv_str_eq(s, rdv_str_of(text)));
}

static void cut_at(size_t place, rdv_arena *arena)
{
    rdv_str all = RDV_STR(STREAM);
    event_cutter cutter = {0};
    size_t from = 0, n = 0;
    for (int k = 0; k < 2; k++) {
        stream_event e;
        bool ended = k == 1;
        rdv_str seen = rdv_slice(all, 0, ended ? all.len : place);
        while (event_cut(&cutter, rdv_slice(seen, from, seen.len), ended, arena, &e) == RDV_OK) {
            assert_in_range(n, 0, sizeof wanted / sizeof *wanted - 1);
            assert_same(e.name, wanted[n].name);
            assert_same(e.data, wanted[n++].data);
            from += e.bytes.len;
        }
    }
    assert_int_equal(n, sizeof wanted / sizeof *wanted);
    assert_int_equal(from, all.len);
}

static void test_cut__at_every_byte(void **state)
{
    for (size_t place = 0; place < sizeof STREAM; place++)
        cut_at(place, *state);
}

/* Bytes that come one by one are looked at once. */
static void test_cut__a_long_event(void **state)
{
    event_cutter cutter = {0};
    stream_event e;
    rdv_str all = RDV_STR("data: aaaaaaaaaaaaaaaaaaaaaaa");
    for (size_t n = 1; n <= all.len; n++) {
        assert_int_equal(event_cut(&cutter, rdv_slice(all, 0, n), false, *state, &e), RDV_NONE);
        assert_int_equal(cutter.looked, n);
    }
}

/* Lines of all lengths around the bytes that are looked at together, with each of their ends. */
static void test_cut__long_lines(void **state)
{
    static const char *const ends[] = {"\n\n", "\r\r", "\r\n\r\n"};
    static char bytes[2048];
    for (size_t len = 480; len < 1100; len++) {
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
            event_cutter cutter = {0};
            stream_event e;
            memset(bytes, 'a', sizeof bytes);
            memcpy(bytes, "data:", 5);
            memcpy(bytes + 5 + len, ends[i], strlen(ends[i]));
            rdv_str all = {bytes, 5 + len + strlen(ends[i]) + 3};
            assert_int_equal(event_cut(&cutter, all, false, *state, &e), RDV_OK);
            assert_int_equal(e.bytes.len, all.len - 3);
            assert_int_equal(e.data.len, len);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cut__at_every_byte, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_cut__a_long_event, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_cut__long_lines, arena_set_up, arena_tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
