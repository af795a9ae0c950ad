/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include "base/utf8.h"

/* The encoding of a code point as RFC 3629 defines it, surrogates and beyond included. */
static size_t encode(uint32_t point, char out[4])
{
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    size_t n = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char head[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 1;) {
        out[i] = (char)(0x80 | (point & 0x3f));
        point >>= 6;
    }
    out[0] = (char)(head[n] | point);
    return n;
}

static void test_at__every_code_point(void **state)
{
    (void)state;
    for (uint32_t point = 0; point < 0x120000; point++) {
        char bytes[4];
        rdv_str s = {bytes, encode(point, bytes)};
        bool valid = point < 0xd800 || (point > 0xdfff && point < 0x110000);
        size_t len;
        uint32_t got = rdv_utf8_at(s, 0, &len);
        if (got != (valid ? point : 0xfffd) || len != (valid ? s.len : 1))
            fail_msg("U+%04X was read as U+%04X, length %zu", point, got, len);
        if (rdv_utf8_valid(s) != (valid ? s.len : 0))
            fail_msg("U+%04X: wrong validity", point);
    }
}

static void test_valid__stops_at_the_first_bad_byte(void **state)
{
    (void)state;
    static const struct {
        rdv_str text;
        size_t good;
    } cases[] = {
        {{NULL, 0}, 0},
        {{"abc", 3}, 3},
        {{"a\xc3\xa9z", 4}, 4},
        {{"a\x80", 2}, 1},            /* a continuation alone */
        {{"a\xc3", 2}, 1},            /* cut short */
        {{"\xe2\x82", 2}, 0},         /* cut short */
        {{"\xf0\x9f\x98", 3}, 0},     /* cut short */
        {{"\xc0\x80", 2}, 0},         /* NUL, overlong */
        {{"\xc1\xbf", 2}, 0},         /* overlong */
        {{"\xe0\x9f\xbf", 3}, 0},     /* overlong */
        {{"\xf0\x8f\xbf\xbf", 4}, 0}, /* overlong */
        {{"\xf4\x90\x80\x80", 4}, 0}, /* beyond U+10FFFF */
        {{"\xf5\x80\x80\x80", 4}, 0}, /* never a first byte */
        {{"\xe2\x28\xa1", 3}, 0},     /* second byte is not a continuation */
        {{"\xe2\x82\x28", 3}, 0},     /* third byte is not one */
        {{"\xf0\x9f\x98\x28", 4}, 0}, /* fourth byte is not one */
        {{"ok\xfe\xff", 4}, 2},
        {{"\0x", 2}, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(rdv_utf8_valid(cases[i].text), cases[i].good);
}

static void test_at__in_the_middle(void **state)
{
    (void)state;
    rdv_str s = RDV_STR("a\xe2\x82\xac"
                        "b");
    size_t len;
    assert_int_equal(rdv_utf8_at(s, 1, &len), 0x20ac);
    assert_int_equal(len, 3);
    assert_int_equal(rdv_utf8_at(s, 2, &len), 0xfffd);
    assert_int_equal(len, 1);
    assert_int_equal(rdv_utf8_at(s, 4, &len), 'b');
    assert_int_equal(rdv_utf8_len(s, 1), 3);
    assert_int_equal(rdv_utf8_len(s, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_at__every_code_point),
        cmocka_unit_test(test_valid__stops_at_the_first_bad_byte),
        cmocka_unit_test(test_at__in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
