/* SPDX-License-Identifier: Apache-2.0 */
/* Messages in, answers out; tests/integration/mcp_server.py has the whole server. */
#include "mcp/answer.h"

#include "../test.h"
#include "mcp/tools.h"

#define NEWEST                                                                                     \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                       \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define REQUEST(method, params)                                                                    \
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" method "\",\"params\":{" params "}}"
#define CALL(name, arguments)                                                                      \
    REQUEST("tools/call", "\"name\":\"" name "\",\"arguments\":{" arguments "}")

/* A message, and a part of its answer; NULL: there is none. */
static const struct {
    const char *message, *part;
} rows[] = {
    {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", NULL},
    {"{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}", NULL},
    {"{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{}}", NULL},
    {"nonsense", "\"id\":null,\"error\":{\"code\":-32700"},
    {"[]", "\"id\":null,\"error\":{\"code\":-32600"},
    {"{}", "\"id\":null,\"error\":{\"code\":-32600"},
    {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", "\"id\":1,\"error\":{\"code\":-32600"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", "\"id\":null,\"error\""},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}", "\"code\":-32600"},
    {"{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\",\"method\":\"ping\"}",
     "\"id\":\"a\\\"b\",\"result\":{}}"},
    {"{\"jsonrpc\":\"2.0\",\"id\":-9007199254740993,\"method\":\"ping\"}",
     "\"id\":-9007199254740993,"},
    {REQUEST("prompts/list", ""), "\"code\":-32601"},
    {REQUEST("server/discover", ""), "\"code\":-32601"},
    {REQUEST("server/discover", NEWEST), "\"supportedVersions\":[\"2026-07-28\"]"},
    {REQUEST("initialize", "\"protocolVersion\":\"2025-11-25\""),
     "\"protocolVersion\":\"2025-11-25\""},
    {REQUEST("initialize", "\"protocolVersion\":\"2024-11-05\""),
     "\"protocolVersion\":\"2024-11-05\""},
    {REQUEST("initialize", "\"protocolVersion\":\"2099-01-01\""),
     "\"protocolVersion\":\"2025-11-25\""},
    {REQUEST("initialize", ""), "\"protocolVersion\":\"2025-11-25\""},
    {REQUEST("tools/list", "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2027-01-01\","
                           "\"io.modelcontextprotocol/clientCapabilities\":{}}"),
     "\"code\":-32022,\"message\":\"Unsupported protocol version\",\"data\":{\"supported\":"
     "[\"2026-07-28\"],\"requested\":\"2027-01-01\"}}}"},
    {REQUEST("tools/list",
             "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}"),
     "\"code\":-32602"},
    {REQUEST("tools/list", "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":7}"),
     "\"code\":-32602"},
    {REQUEST("tools/list", NEWEST), "\"resultType\":\"complete\""},
    {REQUEST("tools/list", NEWEST), "\"cacheScope\":\"public\"}}"},
    {REQUEST("tools/call", "\"name\":\"run\""), "\"code\":-32602"},
    {REQUEST("tools/call", ""), "\"code\":-32602"},
    {REQUEST("tools/call", "\"name\":\"check\",\"arguments\":7"), "\"isError\":true"},
    /* Arguments. */
    {CALL("check", ""), "'text' is required.\"}],\"isError\":true"},
    {CALL("check", "\"text\":null"), "'text' is required."},
    {CALL("check", "\"text\":1"), "'text' must be a text."},
    {CALL("check", "\"text\":\"\",\"depth\":\"1\""), "There is no argument 'depth'."},
    {CALL("grade", "\"gold\":\"1\""), "One of 'answer' and 'reply' is required."},
    {CALL("grade", "\"gold\":\"1\",\"answer\":\"1\",\"reply\":\"1\""),
     "One of 'answer' and 'reply'"},
    {CALL("grade", "\"gold\":\"1\",\"answer\":\"1\",\"options\":\"A\""),
     "'options' must be a list"},
    {CALL("grade", "\"gold\":\"\",\"answer\":\"1\""), "\"isError\":true"},
    /* Outcomes: what is undecided, and what was not read, never reads as right. */
    {CALL("check", "\"text\":\"3 * 4 = 12\""), "\"outcome\":\"calculations_right\""},
    {CALL("check", "\"text\":\"3 * 4 = 13\""), "WRONG: 1 of 1 calculations"},
    {CALL("check", "\"text\":\"3 * 4 = 13\""), "\"right\":\"12\""},
    {CALL("check", "\"text\":\"Sure.\""), "\"outcome\":\"undecided\""},
    {CALL("check", "\"text\":\"\""), "UNDECIDED: no calculation was found"},
    {CALL("check", "\"text\":\"3 * 4 = 12. 8 / 1/4 = 2.\""), "\"outcome\":\"undecided\""},
    {CALL("check", "\"text\":\"3 * 4 = 12. Then 100 -6 60 = 40.\""), "\"outcome\":\"not_read\""},
    {CALL("check", "\"text\":\"3 * 4 = 12. Then 100 -6 60 = 40.\""),
     "UNDECIDED: 1 of 2 calculations were not checked"},
    {CALL("check", "\"text\":\"<think>3 * 4 = 13</think>So 1 + 1 = 2.\""), "\"outcome\":\"wrong\""},
    {CALL("check", "\"text\":\"Step 1: 1 + 1 = 2.\\nStep 2: 3 * 4 = 13.\""),
     "\"line\":2,\"column\":9"},
    {CALL("grade", "\"gold\":\"0.5\",\"answer\":\"1/2\""),
     "\"outcome\":\"same\",\"why\":\"exact\""},
    {CALL("grade", "\"gold\":\"0.5\",\"answer\":\"1/3\""), "\"outcome\":\"different\""},
    {CALL("grade", "\"gold\":\"x+1\",\"answer\":\"foo bar baz\""), "\"outcome\":\"cannot-tell\""},
    {CALL("grade", "\"gold\":\"x+1\",\"answer\":\"foo bar baz\""), "neither right nor wrong"},
    {CALL("grade", "\"gold\":\"5\",\"reply\":\"The answer is unknown. We have 5 apples.\""),
     "\"outcome\":\"different\",\"why\":\"unread\",\"answer\":null"},
    {CALL("grade", "\"gold\":\"B\",\"answer\":\"7\",\"options\":[\"5\",\"7\"]"),
     "\"outcome\":\"same\""},
    {CALL("grade", "\"gold\":\"5\",\"reply\":\"So the answer is 5.\""), "\"found\":\"announced\""},
    {CALL("calculate", "\"expression\":\"17 * 24\""), "\"outcome\":\"exact\",\"value\":\"408\""},
    {CALL("calculate", "\"expression\":\"sqrt(2)\""), "\"outcome\":\"rounded\""},
    {CALL("calculate", "\"expression\":\"10/3\""), "\"decimal\":\"3.33333333333...\""},
    {CALL("calculate", "\"expression\":\"8 / 1/4\""), "\"outcome\":\"cannot-tell\",\"note\""},
};

static rdv_str answer(rdv_str message, rdv_arena *arena)
{
    rdv_str out = RDV_STR("?");
    assert_int_equal(mcp_answer(message, arena, &out, NULL), RDV_OK);
    return out;
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str out = answer(rdv_str_of(rows[i].message), arena);
        bool as_said =
            rows[i].part ? rdv_find(out, rdv_str_of(rows[i].part), 0) != RDV_NOT_FOUND : !out.p;
        if (!as_said)
            fail_msg("%s\nanswered by %.*s", rows[i].message, RDV_FMT(out));
        rdv_arena_free(&arena);
    }
}

static void test_a_failed_call_is_undecided(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str out;
    const rdv_str call = RDV_STR(CALL("check", "\"text\":\"3 * 4 = 12\""));
    assert_int_equal(mcp_answer_failed(call, "it took too long.", arena, &out, NULL), RDV_OK);
    assert_text(out, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[{\"type\":\"text\","
                     "\"text\":\"Undecided: it took too long.\"}],\"isError\":true}}\n");
    assert_int_equal(mcp_answer_too_long(arena, &out, NULL), RDV_OK);
    assert_true(rdv_starts(out, RDV_STR("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\"")));
    rdv_arena_free(&arena);
}

static void test_the_list_is_short(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    assert_true(answer(RDV_STR(REQUEST("tools/list", NEWEST)), arena).len <= 3600);
    rdv_arena_free(&arena);
}

/* A call of check with `n` times the text. */
static rdv_str repeated(const char *text, size_t n, rdv_arena *arena)
{
    rdv_str call = RDV_STR("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{"
                           "\"name\":\"check\",\"arguments\":{\"text\":\"");
    size_t len = strlen(text);
    char *p = rdv_alloc(arena, call.len + n * len + 8);
    memcpy(p, call.p, call.len);
    for (size_t i = 0; i < n; i++)
        memcpy(p + call.len + i * len, text, len);
    memcpy(p + call.len + n * len, "\"}}}", 4);
    return (rdv_str){p, call.len + n * len + 4};
}

static void test_results_are_bounded(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str many = answer(repeated("3 * 4 = 13. ", 500, arena), arena);
    assert_true(rdv_find(many, RDV_STR("\"n_wrong\":500"), 0) != RDV_NOT_FOUND);
    assert_true(rdv_find(many, RDV_STR("\"n_left_out\":450"), 0) != RDV_NOT_FOUND);
    size_t begin = rdv_find(many, RDV_STR("\"text\":\""), 0) + 8;
    size_t end = rdv_find(many, RDV_STR("\"}]"), begin);
    assert_true(end - begin <= MCP_TEXT_MAX);
    assert_true(rdv_find(rdv_slice(many, begin, end), RDV_STR("\\nand "), 0) != RDV_NOT_FOUND);
    assert_true(many.len < 16384);
    rdv_str long_one = answer(repeated("1 + ", 900, arena), arena);
    assert_true(long_one.len < 4096);
    rdv_str too_much = answer(repeated("3 * 4 = 12. ", 87382, arena), arena);
    assert_true(rdv_find(too_much, RDV_STR("at most 1048576"), 0) != RDV_NOT_FOUND);
    rdv_arena_free(&arena);
}

/* What is wrong is named, though fifty findings that are not come before it. */
static void test_wrong_comes_first(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str call = repeated("8 / 1/4 = 2. ", 60, arena);
    memcpy((char *)call.p + call.len - 17, "3 * 4 = 13.  ", 13);
    rdv_str out = answer(call, arena);
    assert_true(rdv_find(out, RDV_STR("\"findings\":[{\"outcome\":\"wrong\""), 0) != RDV_NOT_FOUND);
    assert_true(rdv_find(out, RDV_STR("\\nline 1, column 768: 3 * 4 = 13, right: 12"), 0) !=
                RDV_NOT_FOUND);
    rdv_arena_free(&arena);
}

static void test_survives_no_memory(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str out;
    assert_survives_no_memory(
        mcp_answer(RDV_STR(CALL("check", "\"text\":\"3 * 4 = 13\"")), arena, &out, NULL) == RDV_OK,
        rdv_arena_reset(arena));
    assert_true(rdv_find(out, RDV_STR("\"outcome\":\"wrong\""), 0) != RDV_NOT_FOUND);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_a_failed_call_is_undecided),
        cmocka_unit_test(test_the_list_is_short),
        cmocka_unit_test(test_results_are_bounded),
        cmocka_unit_test(test_wrong_comes_first),
        cmocka_unit_test(test_survives_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
