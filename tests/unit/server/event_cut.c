/* SPDX-License-Identifier: Apache-2.0 */
/* Events that are cut into two: the texts are the two parts, and nothing else is lost or doubled;
 * what cannot be cut is left alone. */
#include "server/event_cut.h"

#include "../test.h"

#define CHAT(delta, more) "{\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":" delta more "}]}"

static const struct {
    reply_protocol protocol;
    const char *data, *first, *second; /* cut at byte 2 of the text */
} cuts[] = {
    {REPLY_CHAT, CHAT("{\"content\":\"abc\"}", ""), CHAT("{\"content\":\"ab\"}", ""),
     CHAT("{\"content\":\"c\"}", "")},
    {REPLY_CHAT,
     "{\"x\":1.50,\"choices\":[{\"index\":1,\"delta\":{\"role\":\"assistant\",\"content\":\"abc\"},"
     "\"logprobs\":{\"content\":[1.0]},\"finish_reason\":\"stop\"}],\"usage\":{\"n\":1}}",
     "{\"x\":1.50,\"choices\":[{\"index\":1,\"delta\":{\"role\":\"assistant\",\"content\":\"ab\"},"
     "\"logprobs\":null,\"finish_reason\":null}]}",
     "{\"x\":1.50,\"choices\":[{\"index\":1,\"delta\":{\"content\":\"c\"},"
     "\"logprobs\":{\"content\":[1.0]},\"finish_reason\":\"stop\"}],\"usage\":{\"n\":1}}"},
    {REPLY_TEXT, "{\"choices\":[{\"text\":\"abc\",\"finish_reason\":\"stop\"}]}",
     "{\"choices\":[{\"text\":\"ab\",\"finish_reason\":null}]}",
     "{\"choices\":[{\"text\":\"c\",\"finish_reason\":\"stop\"}]}"},
    {REPLY_RESPONSES,
     "{\"type\":\"response.output_text.delta\",\"delta\":\"abc\",\"logprobs\":[1]}",
     "{\"type\":\"response.output_text.delta\",\"delta\":\"ab\",\"logprobs\":[]}",
     "{\"type\":\"response.output_text.delta\",\"delta\":\"c\",\"logprobs\":[1]}"},
    {REPLY_MESSAGES,
     "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"abc\"}}",
     "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"ab\"}}",
     "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"c\"}}"},
    {REPLY_CHAT, CHAT("{\"content\":\"\\u00e9\\\"\\n\",\"tool_calls\":null}", ""),
     CHAT("{\"content\":\"\xc3\xa9\",\"tool_calls\":null}", ""),
     CHAT("{\"content\":\"\\\"\\n\",\"tool_calls\":null}", "")},
};

static void test_cuts(void **state)
{
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str data = rdv_str_of(cuts[i].data), text, first, second;
        assert_int_equal(event_cut_text(cuts[i].protocol, data, arena, &text), RDV_OK);
        assert_int_equal(event_cut_at(cuts[i].protocol, data, text, 2, arena, &first, &second),
                         RDV_OK);
        if (!rdv_str_eq(first, rdv_str_of(cuts[i].first)) ||
            !rdv_str_eq(second, rdv_str_of(cuts[i].second)))
            fail_msg("%s\nis cut into %.*s\nand %.*s", cuts[i].data, RDV_FMT(first),
                     RDV_FMT(second));
        rdv_arena_free(&arena);
    }
}

static void test_what_cannot_be_cut(void **state)
{
    static const struct {
        reply_protocol protocol;
        const char *data;
    } whole[] = {
        {REPLY_CHAT, "{}"},
        {REPLY_CHAT, "{\"choices\":[]}"},
        {REPLY_CHAT,
         "{\"choices\":[{\"delta\":{\"content\":\"a\"}},{\"delta\":{\"content\":\"b\"}}]}"},
        {REPLY_CHAT, CHAT("{\"content\":null}", "")},
        {REPLY_CHAT, CHAT("{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}", "")},
        {REPLY_CHAT, CHAT("{\"content\":\"a\",\"reasoning_content\":\"b\"}", "")},
        {REPLY_CHAT, CHAT("{\"content\":\"a\",\"tool_calls\":[{}]}", "")},
        {REPLY_RESPONSES, "{\"type\":\"response.output_text.done\",\"delta\":\"a\"}"},
        {REPLY_MESSAGES, "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"thinking_delta\","
                         "\"text\":\"a\"}}"},
        {REPLY_MESSAGES, "{\"type\":\"content_block_start\",\"content_block\":{\"text\":\"a\"}}"},
    };
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str text;
        if (event_cut_text(whole[i].protocol, rdv_str_of(whole[i].data), arena, &text) != RDV_NONE)
            fail_msg("%s can be cut", whole[i].data);
        rdv_arena_free(&arena);
    }
}

static void test_a_name_that_stands_twice(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str first, second, data = RDV_STR(CHAT("{\"content\":\"abc\",\"content\":\"xyz\"}", ""));
    assert_int_equal(event_cut_at(REPLY_CHAT, data, RDV_STR("abc"), 2, arena, &first, &second),
                     RDV_E_INPUT);
    rdv_arena_free(&arena);
}

static void test_renumber(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str out;
    rdv_str data = RDV_STR("{\"type\":\"t\",\"sequence_number\":7,\"n\":1.0}");
    assert_int_equal(event_renumber(data, 0, arena, &out), RDV_OK);
    assert_ptr_equal(out.p, data.p);
    assert_int_equal(event_renumber(data, 3, arena, &out), RDV_OK);
    assert_text(out, "{\"type\":\"t\",\"sequence_number\":10,\"n\":1.0}");
    assert_int_equal(event_renumber(RDV_STR("{\"type\":\"t\"}"), 3, arena, &out), RDV_OK);
    assert_text(out, "{\"type\":\"t\"}");
    rdv_arena_free(&arena);
}

static bool cuts_without_memory(size_t i)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str data = rdv_str_of(cuts[i].data), text, first, second;
    int rc = arena ? event_cut_text(cuts[i].protocol, data, arena, &text) : RDV_E_NOMEM;
    if (rc == RDV_OK)
        rc = event_cut_at(cuts[i].protocol, data, text, 2, arena, &first, &second);
    rdv_arena_free(&arena);
    assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
    return rc == RDV_OK;
}

static void test_no_memory(void **state)
{
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
        assert_survives_no_memory(cuts_without_memory(i), );
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_what_cannot_be_cut),
        cmocka_unit_test(test_a_name_that_stands_twice),
        cmocka_unit_test(test_renumber),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
