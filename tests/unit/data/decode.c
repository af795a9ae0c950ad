/* SPDX-License-Identifier: Apache-2.0 */
/* Values are decoded as jansson decodes them, and scanned as the scanner of single bytes scans
 * them. */
#include "../test.h"

#include "base/buf.h"
#include "base/arena.h"
#include "base/rng.h"
#include "base/str.h"
#include "base/utf8.h"
#include "data/evidence.h"
#include "data/members.h"
#include "data/scan.h"

static const size_t flags =
    JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL;

/* Does the tree of evidence say what the value says? */
static bool is_same(const rdv_evidence *note, const json_t *value)
{
    static const rdv_evidence_type types[] = {
        [JSON_OBJECT] = RDV_EVIDENCE_MAP,  [JSON_ARRAY] = RDV_EVIDENCE_LIST,
        [JSON_STRING] = RDV_EVIDENCE_TEXT, [JSON_REAL] = RDV_EVIDENCE_NUMBER,
        [JSON_TRUE] = RDV_EVIDENCE_FLAG,   [JSON_FALSE] = RDV_EVIDENCE_FLAG,
        [JSON_NULL] = RDV_EVIDENCE_NULL};
    if (note->type != types[json_typeof(value)])
        return false;
    if (note->type == RDV_EVIDENCE_TEXT)
        return rdv_str_eq(note->text, rdv_string_of(value));
    if (note->type == RDV_EVIDENCE_NUMBER)
        return note->number == json_real_value(value);
    if (note->type == RDV_EVIDENCE_FLAG)
        return (note->number != 0) == json_is_true(value);
    size_t n = 0;
    for (const rdv_evidence *child = rdv_evidence_first(note); child; child = child->next, n++) {
        const json_t *item = child->name.p ? json_object_getn(value, child->name.p, child->name.len)
                                           : json_array_get(value, n);
        if (!item || !is_same(child, item))
            return false;
    }
    return n == json_object_size(value) + json_array_size(value);
}

static void is_evidence(rdv_str text, const json_t *expected)
{
    rdv_evidence *found;
    if (rdv_utf8_valid(text) < text.len)
        return;
    rdv_arena *arena = rdv_arena_new(0);
    int rc = rdv_evidence_read(text, false, arena, &found, NULL);
    assert_int_equal(rc, expected ? RDV_OK : RDV_E_INPUT);
    if (expected && !is_same(found, expected))
        fail_msg("%.*s", RDV_FMT(text));
    rdv_arena_free(&arena);
}

static void decodes_as_jansson(rdv_str text)
{
    json_t *found = NULL;
    rdv_error err = {0};
    json_error_t why;
    json_t *expected = json_loadb(text.p, text.len, flags, &why);
    int rc = rdv_decode(text, &found, &err);
    if (!expected)
        assert_int_equal(rc, RDV_E_INPUT);
    else
        assert_int_equal(rc, RDV_OK);
    if (expected && !json_equal(found, expected))
        fail_msg("%.*s", RDV_FMT(text));
    is_evidence(text, expected);
    json_decref(found);
    json_decref(expected);
}

static void test_decode__texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "\"\"",
        "\"a\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u0000\\u001f\\u007f\\u0080\\u07ff\\u0800\\uFFFF\"",
        "\"\\ud83d\\ude00 \\uD83D\\uDE00\"",
        "\"\xf0\x9f\x98\x80 \xc3\xa9\"",
        "[]",
        "[ ]",
        "[\"a\" , \"b\\n\",\n\t\"\"]",
        "[\"a\",1]",
        "[\"a\",[\"b\"]]",
        "{\"a\":\"b\"}",
        "1",
        "-0.5e3",
        "0",
        "-0",
        "0.1",
        "-0.30",
        "100.000000000000",
        "123456789012345",
        "1234567890123456",
        "0.5378828427399902",
        "0.000000000000001",
        "1e400",
        "true",
        "false",
        "{\"a\":{\"b\":[1,2.5,{}]},\"c\":null}",
        "{\"a\":{\"b\":1,\"b\":2}}",
        "{\"\\u0061\":1}",
        "{\"a\\u0000\":1}",
        "{\"\":0}",
        "null",
        "\"\\ud83d\"",        /* half a character */
        "\"\\ude00\"",        /* the other half */
        "\"\\ud83d\\u0041\"", /* half a character, and another one */
        "\"\\ud83d\\n\"",
        "[\"a\",\"\\ud83d\"]",
        "{\"a\":1,\"a\":2}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        decodes_as_jansson(rdv_str_of(texts[i]));
}

/* A piece of a text in quotes, of all that its grammar allows. */
static void add_piece(rdv_buf *b, rdv_rng *rng)
{
    static const char *const pieces[] = {"a",
                                         "the answer is 42, ",
                                         "\\n",
                                         "\\\\",
                                         "\\\"",
                                         "\\/",
                                         "\\t",
                                         "\\u00e9",
                                         "\\u20AC",
                                         "\\ud83d",
                                         "\\ude00",
                                         "\\ud83d\\ude00",
                                         "\\uffff",
                                         "\xc3\xa9",
                                         "\xe2\x82\xac",
                                         "\xf0\x9f\x98\x80",
                                         "\\u0000",
                                         "[",
                                         "]",
                                         ",",
                                         "{"};
    rdv_buf_add(b, rdv_str_of(pieces[rdv_rng_below(rng, sizeof pieces / sizeof *pieces)]));
}

static void add_text(rdv_buf *b, rdv_rng *rng)
{
    rdv_buf_add_char(b, '"');
    for (size_t n = rdv_rng_below(rng, 12); n-- > 0;)
        add_piece(b, rng);
    rdv_buf_add_char(b, '"');
}

static void add_value(rdv_buf *b, rdv_rng *rng, size_t depth);

static void add_items(rdv_buf *b, rdv_rng *rng, size_t depth, bool object)
{
    rdv_buf_add_char(b, object ? '{' : '[');
    for (size_t n = rdv_rng_below(rng, 4); n-- > 0;) {
        if (object) {
            rdv_buf_printf(b, "\"%c\"", (char)('a' + rdv_rng_below(rng, 5)));
            rdv_buf_add(b, rdv_rng_below(rng, 2) ? RDV_STR(":") : RDV_STR(" :\t"));
        }
        add_value(b, rng, depth - 1);
        if (n)
            rdv_buf_add(b, rdv_rng_below(rng, 2) ? RDV_STR(",") : RDV_STR(" ,\n "));
    }
    rdv_buf_add_char(b, object ? '}' : ']');
}

static void add_value(rdv_buf *b, rdv_rng *rng, size_t depth)
{
    static const char *const plain[] = {
        "0", "-7", "12.50", "-0.001", "1e3", "null", "true", "false", "0.12345678901234567"};
    size_t kind = rdv_rng_below(rng, depth > 0 ? 5 : 3);
    if (kind == 0)
        rdv_buf_add(b, rdv_str_of(plain[rdv_rng_below(rng, sizeof plain / sizeof *plain)]));
    else if (kind < 3)
        add_text(b, rng);
    else
        add_items(b, rng, depth, kind == 4);
}

static void test_decode__drawn(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 46);
    for (int draw = 0; draw < SHARE(30000); draw++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_buf b;
        rdv_buf_init(&b, arena, 0);
        add_value(&b, &rng, 4);
        decodes_as_jansson(rdv_buf_str(&b));
        rdv_arena_free(&arena);
    }
}

/* Whether rdv_scan_byte() takes the bytes as one object. */
static bool is_object(rdv_str s)
{
    rdv_scan scan;
    int rc = RDV_OK;
    size_t i = 0;
    rdv_scan_init(&scan, RDV_MAX_DEPTH);
    while (i < s.len && rc == RDV_OK)
        rc = rdv_scan_byte(&scan, s.p[i++]);
    return rc == RDV_NONE && i == s.len;
}

/* A third of the values are damaged in a byte or cut off. */
static void test_scan_value__as_bytes(void **state)
{
    (void)state;
    static const char marks[] = "\"\\{}[]:,0.e-tn \x01";
    size_t well_formed = 0;
    rdv_rng rng;
    rdv_rng_seed(&rng, 47);
    for (int draw = 0; draw < SHARE(30000); draw++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_buf b;
        rdv_buf_init(&b, arena, 0);
        add_items(&b, &rng, 4, true);
        char *bytes = rdv_cstring(arena, rdv_buf_str(&b));
        rdv_str s = {bytes, b.len};
        uint64_t damage = rdv_rng_below(&rng, 6);
        if (damage == 0)
            bytes[rdv_rng_below(&rng, s.len)] = marks[rdv_rng_below(&rng, sizeof marks - 1)];
        else if (damage == 1)
            s.len = 1 + rdv_rng_below(&rng, s.len);
        bool is = is_object(s);
        well_formed += is;
        if ((rdv_scan_value(s, 0, 64) == s.len) != is)
            fail_msg("%.*s", RDV_FMT(s));
        rdv_arena_free(&arena);
    }
    assert_true(well_formed > 0);
}

static void test_scan_value__depth(void **state)
{
    (void)state;
    assert_int_equal(rdv_scan_value(RDV_STR("[[1]]"), 0, 2), 5);
    assert_int_equal(rdv_scan_value(RDV_STR("[[1]]"), 0, 1), RDV_NOT_FOUND);
    assert_int_equal(rdv_scan_value(RDV_STR("[NaN]"), 0, 2), RDV_NOT_FOUND);
}

/* Of as many digits as fit in 64 bits, also those that lie half way between two doubles. */
static void test_decode__digits(void **state)
{
    (void)state;
    static const char *const edges[] = {"9007199254740993",      "9007199254740992.5",
                                        "9007199254740993.000",  "0.0000000000000000001",
                                        "9999999999999999999",   "0.9999999999999999999",
                                        "1844674407370955161.5", "-0.000000000000000000",
                                        "4503599627370496.5",    "4503599627370497.500"};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        decodes_as_jansson(rdv_str_of(edges[i]));
    rdv_rng rng;
    rdv_rng_seed(&rng, 5);
    for (int i = 0; i < 20000; i++) {
        char digits[24];
        size_t n = 1 + rdv_rng_below(&rng, 20), point = rdv_rng_below(&rng, n + 1);
        for (size_t k = 0; k < n; k++)
            digits[k] = (char)('0' + rdv_rng_below(&rng, 10));
        rdv_str whole = {digits, point}, behind = {digits + point, n - point};
        while (whole.len > 1 && *whole.p == '0')
            whole = rdv_slice(whole, 1, whole.len);
        char text[28];
        if (!whole.len)
            whole = RDV_STR("0");
        int len = snprintf(text, sizeof text, "%.*s%s%.*s", RDV_FMT(whole), behind.len ? "." : "",
                           RDV_FMT(behind));
        decodes_as_jansson((rdv_str){text, (size_t)len});
    }
}

static void test_evidence__numbers(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    static const char *const pairs[][2] = {
        {"[{\"step\":0}]", "[{\"step\":0}]"},
        {"[{\"evidence\":{\"a\":\"x\",\"n\":-2.5,\"b\":[1],\"m\":1,\"c\":{\"d\":1}},\"s\":1}]",
         "[{\"evidence\":{\"n\":-2.5,\"m\":1},\"s\":1}]"},
        {"[{\"evidence\" : { } }, {\"evidence\":null}]", "[{\"evidence\":{}},{\"evidence\":null}]"},
        {"[\"evidence\",{\"x\":\"\\\"evidence\\\":{\"}]",
         "[\"evidence\",{\"x\":\"\\\"evidence\\\":{\"}]"},
        {"[{\"evidence\":{\"a\":1}},{\"evidence\":{\"b\":\"}\"}}]",
         "[{\"evidence\":{\"a\":1}},{\"evidence\":{}}]"},
        {"{\"evidence\":{\"a\":{\"evidence\":{\"b\":1}},\"c\":true}}", "{\"evidence\":{}}"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        rdv_evidence *numbers;
        json_t *expected;
        rdv_str text = rdv_str_of(pairs[i][0]);
        assert_int_equal(rdv_evidence_read(text, true, arena, &numbers, NULL), RDV_OK);
        assert_int_equal(rdv_decode(rdv_str_of(pairs[i][1]), &expected, NULL), RDV_OK);
        if (!is_same(numbers, expected))
            fail_msg("%s", pairs[i][0]);
        json_decref(expected);
    }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode__texts),        cmocka_unit_test(test_decode__drawn),
        cmocka_unit_test(test_scan_value__as_bytes), cmocka_unit_test(test_scan_value__depth),
        cmocka_unit_test(test_decode__digits),       cmocka_unit_test(test_evidence__numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
