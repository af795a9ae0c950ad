/* SPDX-License-Identifier: Apache-2.0 */
/* Which replies a server calls whole, which cut off and which failed; and what it says it used,
 * which counts in each case. */
#include "../test.h"
#include "base/str.h"
#include "model/wire.h"

#include <math.h>
#include <stdio.h>

#define UNSET                                                                                      \
    {                                                                                              \
        .temperature = NAN, .top_p = NAN                                                           \
    }
#define SAYS(rest) "{\"choices\":[{\"message\":{\"content\":\"yes\"}" rest "}]}"
#define ENDS(word) SAYS(",\"finish_reason\":" word)
#define STOPS ",\"finish_reason\":\"stop\""
#define PARTS(parts) "{\"choices\":[{\"message\":{\"content\":[" parts "]}" STOPS "}]}"

static const rdv_message question[] = {{RDV_USER, {"Is it?", 6}}};

/* Reads `body` as the reply to a chat (or, `score`, as log-probabilities of "1 2"). */
static int read(const char *body, bool score, rdv_arena *arena, rdv_reply *out, rdv_error *err)
{
    const rdv_request chat = {.messages = question, .n_messages = 1, .sampling = UNSET};
    const rdv_request text = {.kind = RDV_REQUEST_SCORE, .text = RDV_STR("1 2"), .sampling = UNSET};
    const rdv_request *request = score ? &text : &chat;
    const rdv_abilities all = {0};
    wire w;
    assert_int_equal(wire_write(request, RDV_STR("m"), &all, arena, &w, err), RDV_OK);
    return wire_read(&w, request, rdv_str_of(body), arena, out, err);
}

static const struct ending {
    const char *body;
    rdv_finish finish;
    const char *said; /* of RDV_FINISH_OTHER */
} endings[] = {
    {ENDS("\"stop\""), RDV_FINISH_STOP, NULL},
    {ENDS("\"STOP\""), RDV_FINISH_STOP, NULL},
    {ENDS("\"eos\""), RDV_FINISH_STOP, NULL},
    {ENDS("\"eos_token\""), RDV_FINISH_STOP, NULL},
    {ENDS("\"stop_sequence\""), RDV_FINISH_STOP, NULL},
    {ENDS("\"end_turn\""), RDV_FINISH_STOP, NULL},
    {ENDS("\"COMPLETE\""), RDV_FINISH_STOP, NULL},
    {ENDS("\"length\""), RDV_FINISH_LENGTH, NULL},
    {ENDS("\"max_tokens\""), RDV_FINISH_LENGTH, NULL},
    {ENDS("\"MAX_TOKENS\""), RDV_FINISH_LENGTH, NULL},
    {ENDS("\"model_length\""), RDV_FINISH_LENGTH, NULL},
    {ENDS("\"model_context_window_exceeded\""), RDV_FINISH_LENGTH, NULL},
    {ENDS("\"error\""), RDV_FINISH_OTHER, "error"},
    {ENDS("\"content_filter\""), RDV_FINISH_OTHER, "content_filter"},
    {ENDS("\"tool_calls\""), RDV_FINISH_OTHER, "tool_calls"},
    {ENDS("\"function_call\""), RDV_FINISH_OTHER, "function_call"},
    {ENDS("\"abort\""), RDV_FINISH_OTHER, "abort"},
    {ENDS("\"insufficient_system_resource\""), RDV_FINISH_OTHER, "insufficient_system_resource"},
    {ENDS("\"SAFETY\""), RDV_FINISH_OTHER, "SAFETY"},
    {ENDS("\"stopped\""), RDV_FINISH_OTHER, "stopped"},
    {ENDS("\"\""), RDV_FINISH_UNSAID, "no finish_reason"},
    {ENDS("null"), RDV_FINISH_UNSAID, "no finish_reason"},
    {ENDS("true"), RDV_FINISH_OTHER, "no finish_reason"},
    {ENDS("0"), RDV_FINISH_OTHER, "no finish_reason"},
    {ENDS("[\"stop\"]"), RDV_FINISH_OTHER, "no finish_reason"},
    {SAYS(""), RDV_FINISH_UNSAID, "no finish_reason"},
    {"{\"choices\":[{\"message\":{\"content\":\"yes\",\"refusal\":\"I cannot.\"}" STOPS "}]}",
     RDV_FINISH_OTHER, "refusal"},
    {"{\"choices\":[{\"message\":{\"content\":\"yes\",\"refusal\":null}" STOPS "}]}",
     RDV_FINISH_STOP, NULL},
    {PARTS("{\"type\":\"text\",\"text\":\"yes\"}"), RDV_FINISH_STOP, NULL},
    {PARTS("{\"type\":\"refusal\",\"refusal\":\"No.\"},{\"type\":\"text\",\"text\":\"yes\"}"),
     RDV_FINISH_OTHER, "refusal"},
};

static void test_whole__by_what_the_server_says(void **state)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const struct ending *e = &endings[i];
        rdv_arena *arena = rdv_arena_new(0);
        rdv_reply reply;
        print_message("%s\n", e->body);
        assert_int_equal(read(e->body, false, arena, &reply, NULL), RDV_OK);
        assert_text(reply.text, "yes");
        assert_int_equal(reply.finish, e->finish);
        if (e->said)
            assert_string_equal(rdv_cstring(arena, reply.finish_said), e->said);
        else
            assert_null(reply.finish_said.p);
        rdv_arena_free(&arena);
    }
}

/* A word of any length is kept as a short one. */
static void test_whole__a_long_word_is_cut(void **state)
{
    char body[2000];
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply reply;
    snprintf(body, sizeof body, SAYS(",\"finish_reason\":\"%01000d\""), 0);
    assert_int_equal(read(body, false, arena, &reply, NULL), RDV_OK);
    assert_int_equal(reply.finish_said.len, 64);
    rdv_arena_free(&arena);
}

/* What was cut off by the server's limit or failed stays so, whatever stop text stands in it. */
static void test_whole__a_stop_text_mends_only_what_was_cut_off(void **state)
{
    static const rdv_str stop = {"END", 3};
    const struct {
        const char *reason;
        rdv_finish finish;
    } cases[] = {{"length", RDV_FINISH_STOP}, {"content_filter", RDV_FINISH_OTHER}};
    for (size_t i = 0; i < 2; i++) {
        char body[200];
        rdv_arena *arena = rdv_arena_new(0);
        rdv_request r = {.messages = question, .n_messages = 1, .sampling = UNSET};
        const rdv_abilities all = {0};
        rdv_reply reply;
        wire w;
        r.sampling.stop = &stop;
        r.sampling.n_stop = 1;
        snprintf(body, sizeof body,
                 "{\"choices\":[{\"message\":{\"content\":\"aENDb\"},\"finish_reason\":\"%s\"}]}",
                 cases[i].reason);
        assert_int_equal(wire_write(&r, RDV_STR("m"), &all, arena, &w, NULL), RDV_OK);
        assert_int_equal(wire_read(&w, &r, rdv_str_of(body), arena, &reply, NULL), RDV_OK);
        assert_text(reply.text, "a");
        assert_int_equal(reply.finish, cases[i].finish);
        rdv_arena_free(&arena);
    }
}

static const char *const refused[] = {
    "{\"error\":{\"message\":\"busy\"}}",
    "{\"error\":{\"message\":\"busy\"},\"choices\":[{\"message\":{\"content\":\"yes\"}" STOPS "}]}",
    "{\"error\":\"busy\",\"choices\":[{\"message\":{\"content\":\"yes\"}" STOPS "}]}",
    SAYS(STOPS ",\"error\":{\"code\":502,\"message\":\"busy\"}"),
};

static void test_whole__an_error_anywhere_is_no_reply(void **state)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_error err = {0};
        rdv_reply reply;
        assert_int_equal(read(refused[i], false, arena, &reply, &err), RDV_E_INPUT);
        assert_string_equal(err.msg, "an error in place of a reply: busy");
        rdv_arena_free(&arena);
    }
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply reply;
    const char *none = "{\"error\":null,\"choices\":[{\"message\":{\"content\":\"yes\"}" STOPS
                       ",\"error\":\"\"}]}";
    assert_int_equal(read(none, false, arena, &reply, NULL), RDV_OK);
    rdv_arena_free(&arena);
}

/* ---- parts and choices ----------------------------------------------------------------------- */

#define NUMBERED(a, b)                                                                             \
    "{\"choices\":[{\"index\":" a ",\"message\":{\"content\":\"first\"}" STOPS "},{\"index\":" b   \
    ",\"message\":{\"content\":\"second\"}" STOPS "}]}"

static void check_text(const char *body, const char *text)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply reply;
    assert_int_equal(read(body, false, arena, &reply, NULL), text ? RDV_OK : RDV_E_INPUT);
    if (text)
        assert_string_equal(rdv_cstring(arena, reply.text), text);
    rdv_arena_free(&arena);
}

static void test_choice__goes_by_its_index(void **state)
{
    check_text(NUMBERED("0", "1"), "first");
    check_text(NUMBERED("1", "0"), "second");
    check_text(NUMBERED("1", "2"), NULL);
    check_text(NUMBERED("null", "\"0\""), NULL);
    check_text("{\"choices\":[{\"message\":{\"content\":\"a\"}" STOPS "},{\"message\":{\"content\":"
               "\"b\"}" STOPS "}]}",
               "a");
}

static void test_parts__only_text_is_read(void **state)
{
    check_text(PARTS("{\"type\":\"thinking\",\"thinking\":\"no\",\"text\":\"no\"},"
                     "{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"reasoning\",\"text\":\"no\"},"
                     "{\"type\":\"output_text\",\"text\":\"b\"},{\"type\":7,\"text\":\"no\"},"
                     "{\"text\":\"c\"},7"),
               "abc");
    check_text(PARTS("{\"type\":\"thinking\",\"text\":\"yes\"}"), "");
}

/* ---- what it used ---------------------------------------------------------------------------- */

static const struct using
{
    const char *body;
    int rc;
    uint64_t prompt, completion; /* both 0: nothing is said */
}
used[] = {
#define USED ",\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":5}"
    {"{\"choices\":[]" USED "}", RDV_E_INPUT, 12, 5},
    {"{\"choices\":[{\"index\":3}]" USED "}", RDV_E_INPUT, 12, 5},
    {"{\"error\":\"busy\"" USED "}", RDV_E_INPUT, 12, 5},
    {"{\"choices\":[{\"message\":7}]" USED "}", RDV_E_INPUT, 12, 5},
    {"{\"choices\":[{\"message\":{\"content\":\"x\"}}]" USED "}", RDV_OK, 12, 5},
    {"{\"usage\":{\"total_tokens\":12}}", RDV_E_INPUT, 12, 0},
    {"{\"usage\":{\"prompt_tokens\":12,\"total_tokens\":17}}", RDV_E_INPUT, 12, 5},
    {"{\"usage\":{\"completion_tokens\":5,\"total_tokens\":17}}", RDV_E_INPUT, 12, 5},
    {"{\"usage\":{\"completion_tokens\":5}}", RDV_E_INPUT, 0, 5},
    {"{\"usage\":{\"input_tokens\":12,\"output_tokens\":5}}", RDV_E_INPUT, 12, 5},
    {"{\"usage\":{\"prompt_tokens\":-3,\"completion_tokens\":5}}", RDV_E_INPUT, 0, 5},
    {"{\"usage\":{}}", RDV_E_INPUT, 0, 0},
    {"{\"usage\":[1000]}", RDV_E_INPUT, 0, 0},
    {"{\"usage\":{\"prompt_tokens\":\"12\"}}", RDV_E_INPUT, 0, 0},
    {"{\"usage\":{\"prompt_tokens\":12", RDV_E_INPUT, 0, 0}, /* cut off: nothing is known */
};

static void test_usage__counts_whether_or_not_the_reply_is_read(void **state)
{
    for (size_t i = 0; i < sizeof used / sizeof *used; i++) {
        const struct using *u = &used[i];
        rdv_arena *arena = rdv_arena_new(0);
        rdv_reply read_as, of_any = {.prompt_tokens = 1};
        print_message("%s\n", u->body);
        assert_int_equal(read(u->body, false, arena, &read_as, NULL), u->rc);
        wire_read_usage(rdv_str_of(u->body), arena, &of_any);
        assert_true(read_as.usage == of_any.usage && of_any.usage == (u->prompt || u->completion));
        assert_int_equal(read_as.prompt_tokens, u->prompt);
        assert_int_equal(read_as.completion_tokens, u->completion);
        assert_int_equal(of_any.prompt_tokens, u->prompt);
        assert_int_equal(of_any.completion_tokens, u->completion);
        rdv_arena_free(&arena);
    }
}

/* A stream that is no whole reply has been paid for too. */
static void test_usage__counts_in_a_stream(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply used_by;
    wire_read_usage(RDV_STR("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n"
                            "data: {\"choices\":[]" USED "}\n\ndata: [DONE]\n\n"),
                    arena, &used_by);
    assert_true(used_by.usage);
    assert_int_equal(used_by.prompt_tokens, 12);
    assert_int_equal(used_by.completion_tokens, 5);
    rdv_arena_free(&arena);
}

/* A server that passes over what a score needs has worked all the same. */
static void test_usage__counts_where_a_score_is_lacking(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply reply;
    const char *body = "{\"choices\":[{\"text\":\"1 2\"" STOPS "}]" USED "}";
    assert_int_equal(read(body, true, arena, &reply, NULL), RDV_NONE);
    assert_true(reply.usage && reply.prompt_tokens == 12 && reply.completion_tokens == 5);
    rdv_arena_free(&arena);
}

/* Scores of a text do not depend on how a completion behind it ended; one that failed is none. */
static void test_score__is_whole_unless_it_failed(void **state)
{
    static const struct {
        const char *reason;
        rdv_finish finish;
    } cases[] = {
        {"stop", RDV_FINISH_STOP}, {"length", RDV_FINISH_STOP}, {"error", RDV_FINISH_OTHER}};
    for (size_t i = 0; i < 3; i++) {
        char body[300];
        rdv_arena *arena = rdv_arena_new(0);
        rdv_reply reply;
        snprintf(body, sizeof body,
                 "{\"choices\":[{\"text\":\"\",\"finish_reason\":\"%s\",\"logprobs\":{\"tokens\":"
                 "[\"1\",\" 2\"],\"token_logprobs\":[null,-2]}}]}",
                 cases[i].reason);
        assert_int_equal(read(body, true, arena, &reply, NULL), RDV_OK);
        assert_int_equal(reply.finish, cases[i].finish);
        rdv_arena_free(&arena);
    }
}

static void test_status__of_a_whole_response(void **state)
{
    for (long status = 0; status < 1000; status++)
        assert_int_equal(wire_is_whole(status), status == 200 || status == 201 || status == 203);
}

static void test_whole__memory_runs_out(void **state)
{
    const char *body = "{\"choices\":[{\"message\":{\"content\":[{\"type\":\"refusal\"}],"
                       "\"refusal\":\"No.\"},\"finish_reason\":\"content_filter\"}]}";
    const rdv_request r = {.messages = question, .n_messages = 1, .sampling = UNSET};
    rdv_arena *arena = rdv_arena_new(0);
    const rdv_abilities all = {0};
    rdv_reply reply;
    wire w;
    assert_int_equal(wire_write(&r, RDV_STR("m"), &all, arena, &w, NULL), RDV_OK);
    assert_survives_no_memory(wire_read(&w, &r, rdv_str_of(body), arena, &reply, NULL) == RDV_OK,
                              (void)0);
    assert_text(reply.finish_said, "refusal");
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole__by_what_the_server_says),
        cmocka_unit_test(test_whole__a_long_word_is_cut),
        cmocka_unit_test(test_whole__a_stop_text_mends_only_what_was_cut_off),
        cmocka_unit_test(test_whole__an_error_anywhere_is_no_reply),
        cmocka_unit_test(test_choice__goes_by_its_index),
        cmocka_unit_test(test_parts__only_text_is_read),
        cmocka_unit_test(test_usage__counts_in_a_stream),
        cmocka_unit_test(test_usage__counts_whether_or_not_the_reply_is_read),
        cmocka_unit_test(test_usage__counts_where_a_score_is_lacking),
        cmocka_unit_test(test_score__is_whole_unless_it_failed),
        cmocka_unit_test(test_status__of_a_whole_response),
        cmocka_unit_test(test_whole__memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
