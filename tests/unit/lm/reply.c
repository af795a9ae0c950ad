/* SPDX-License-Identifier: Apache-2.0 */
/* Stop strings and UTF-8 over the borders of tokens. */
#include "../test.h"

#include "base/rng.h"
#include "base/utf8.h"
#include "lm/reply.h"

typedef struct fixture {
    rdv_arena *arena;
    reply_text r;
} fixture;

static void begin(fixture *f, const rdv_str *stops, size_t n)
{
    f->arena = rdv_arena_new(0);
    assert_true(reply_init(&f->r, f->arena, stops, n));
}

/* Add a piece; what may be shown then. */
static rdv_str add(fixture *f, rdv_str piece)
{
    reply_add(&f->r, piece);
    reply_settle(&f->r, false);
    return rdv_buf_str(&f->r.text);
}

static rdv_str end(fixture *f)
{
    reply_settle(&f->r, true);
    return rdv_buf_str(&f->r.text);
}

static void test_stop__over_borders(void **state)
{
    fixture f;
    const rdv_str stop = RDV_STR("\n\nQ:");
    begin(&f, &stop, 1);
    assert_text(add(&f, RDV_STR("a\n")), "a");
    assert_text(add(&f, RDV_STR("b\n\n")), "a\nb");
    assert_text(add(&f, RDV_STR("\nQ")), "a\nb\n");
    assert_null(f.r.stopped_by.p);
    assert_text(add(&f, RDV_STR(": more")), "a\nb\n");
    assert_text(f.r.stopped_by, "\n\nQ:");
    assert_text(end(&f), "a\nb\n");
    rdv_arena_free(&f.arena);
}

static void test_stop__a_false_beginning_is_shown(void **state)
{
    fixture f;
    const rdv_str stop = RDV_STR("aab");
    begin(&f, &stop, 1);
    assert_text(add(&f, RDV_STR("aa")), "");
    assert_text(add(&f, RDV_STR("a")), "a");
    assert_text(add(&f, RDV_STR("c")), "aaac");
    assert_text(add(&f, RDV_STR("a")), "aaac");
    assert_text(end(&f), "aaaca"); /* the model ended there */
    rdv_arena_free(&f.arena);
}

static void test_stop__the_longest_of_those_complete(void **state)
{
    fixture f;
    const rdv_str stops[] = {RDV_STR("."), RDV_STR("end."), RDV_STR("zzz")};
    begin(&f, stops, 3);
    add(&f, RDV_STR("the end. more."));
    assert_text(end(&f), "the ");
    assert_text(f.r.stopped_by, "end.");
    rdv_arena_free(&f.arena);
}

static void test_utf8__whole_characters(void **state)
{
    fixture f;
    begin(&f, NULL, 0);
    assert_text(add(&f, RDV_STR("\xe2")), "");
    assert_text(add(&f, RDV_STR("\x82")), "");
    assert_text(add(&f, RDV_STR("\xac.")), "\xe2\x82\xac.");
    assert_text(add(&f, RDV_STR("\xe2(")), "\xe2\x82\xac.\xef\xbf\xbd(");
    assert_text(add(&f, RDV_STR("\xff")), "\xe2\x82\xac.\xef\xbf\xbd(\xef\xbf\xbd");
    add(&f, RDV_STR("\xf0\x9f"));
    assert_text(end(&f), "\xe2\x82\xac.\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    rdv_arena_free(&f.arena);
}

/* The stops are found, and the text is the same and valid, however the bytes come in pieces. */
static void test_reply__pieces_do_not_matter(void **state)
{
    static const char likely[] = "ab\n\xe2\x82\xac";
    rdv_rng rng;
    rdv_rng_seed(&rng, 4);
    for (int round = 0; round < 2000; round++) {
        char text[30];
        size_t len = rdv_rng_below(&rng, sizeof text), shown = 0;
        for (size_t i = 0; i < len; i++)
            text[i] = likely[rdv_rng_below(&rng, sizeof likely - 1)];
        const rdv_str stops[] = {RDV_STR("abab\n"), RDV_STR("b\nb"), RDV_STR("\xac\xe2")};
        fixture whole, parts;
        begin(&whole, stops, 3);
        begin(&parts, stops, 3);
        reply_add(&whole.r, (rdv_str){text, len});
        rdv_str all = end(&whole);
        for (size_t at = 0, n; at < len && !parts.r.stopped_by.p; at += n) {
            n = 1 + rdv_rng_below(&rng, 4);
            n = n > len - at ? len - at : n;
            rdv_str now = add(&parts, (rdv_str){text + at, n});
            assert_true(now.len >= shown && rdv_utf8_valid(now) == now.len);
            assert_true(rdv_starts(all, now)); /* nothing shown is taken back */
            shown = now.len;
        }
        assert_true(rdv_str_eq(end(&parts), all));
        assert_true(rdv_str_eq(parts.r.stopped_by, whole.r.stopped_by));
        rdv_arena_free(&whole.arena);
        rdv_arena_free(&parts.arena);
    }
}

static void test_reply__no_memory_within_a_stop(void **state)
{
    fixture f;
    const rdv_str stop = RDV_STR("abc");
    begin(&f, &stop, 1);
    rdv_alloc_fail_at(1);
    assert_int_equal(add(&f, RDV_STR("ab")).len, 0);
    rdv_alloc_fail_at(0);
    assert_false(reply_ok(&f.r));
    rdv_arena_free(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop__over_borders),
        cmocka_unit_test(test_stop__a_false_beginning_is_shown),
        cmocka_unit_test(test_stop__the_longest_of_those_complete),
        cmocka_unit_test(test_utf8__whole_characters),
        cmocka_unit_test(test_reply__pieces_do_not_matter),
        cmocka_unit_test(test_reply__no_memory_within_a_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
