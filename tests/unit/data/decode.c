/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and lists of texts are decoded as jansson decodes them. */
#include "../test.h"

#include "base/buf.h"
#include "base/arena.h"
#include "base/rng.h"
#include "base/str.h"
#include "data/members.h"

static const size_t flags =
    JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL;

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

static void test_decode__drawn(void **state)
{
    (void)state;
    rdv_rng rng;
    rdv_rng_seed(&rng, 46);
    for (int draw = 0; draw < SHARE(30000); draw++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_buf b;
        rdv_buf_init(&b, arena, 0);
        bool list = rdv_rng_below(&rng, 2);
        if (!list)
            add_text(&b, &rng);
        else
            rdv_buf_add_char(&b, '[');
        for (size_t n = list ? rdv_rng_below(&rng, 5) : 0; n-- > 0;) {
            add_text(&b, &rng);
            if (n)
                rdv_buf_add(&b, rdv_rng_below(&rng, 2) ? RDV_STR(",") : RDV_STR(" ,\n "));
        }
        if (list)
            rdv_buf_add_char(&b, ']');
        decodes_as_jansson(rdv_buf_str(&b));
        rdv_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode__texts),
        cmocka_unit_test(test_decode__drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
