/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"
#include "base/buf.h"
#include "server/completion_request.h"

static rdv_arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = rdv_arena_new(0);
    return arena ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    rdv_arena_free(&arena);
    return 0;
}

#define HELLO "\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]"

static completion_request read_good(completion_form form, const char *body)
{
    completion_request a;
    api_error f = {0};
    if (!completion_request_read(form, rdv_str_of(body), arena, &a, &f))
        fail_msg("%s: %s", body, f.message);
    return a;
}

static api_error read_bad(completion_form form, const char *body)
{
    completion_request a;
    api_error f = {0};
    if (completion_request_read(form, rdv_str_of(body), arena, &a, &f))
        fail_msg("%s: taken", body);
    assert_int_equal(f.status, 400);
    assert_true(f.message[0]);
    return f;
}

static void test_chat__defaults(void **state)
{
    completion_request a = read_good(COMPLETION_CHAT, "{" HELLO "}");
    assert_int_equal(a.request.n_messages, 1);
    assert_int_equal(a.request.messages[0].role, RDV_USER);
    assert_text(a.request.messages[0].text, "Hello");
    assert_true(a.request.sampling.temperature == 1 && a.request.sampling.top_p == 1);
    assert_int_equal(a.request.sampling.max_tokens, 0);
    assert_false(a.no_reply || a.stream || a.request.sampling.logprobs || a.seeded);
    assert_int_equal(a.request.kind, RDV_REQUEST_CHAT);
    assert_int_equal(a.n, 1);
    assert_null(a.model.p);
}

static void test_chat__every_member(void **state)
{
    completion_request a = read_good(
        COMPLETION_CHAT,
        "{\"model\":\"m\",\"n\":3,\"seed\":-7,\"temperature\":0,\"top_p\":0.5,\"stop\":[\"a\","
        "\"b\"],\"max_tokens\":9,\"max_completion_tokens\":12,\"logprobs\":true,\"top_logprobs\":2,"
        "\"stream\":true,\"stream_options\":{\"include_usage\":true},\"user\":\"x\",\"store\":null,"
        "\"messages\":[{\"role\":\"developer\",\"content\":\"Be brief.\"},{\"role\":\"user\","
        "\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}]}]}");
    assert_text(a.model, "m");
    assert_int_equal(a.n, 3);
    assert_true(a.seeded && a.seed == (uint64_t)-7);
    assert_true(a.request.sampling.temperature == 0 && a.request.sampling.top_p == 0.5);
    assert_int_equal(a.request.sampling.n_stop, 2);
    assert_text(a.request.sampling.stop[1], "b");
    assert_int_equal(a.request.sampling.max_tokens, 12);
    assert_true(a.request.sampling.logprobs && a.request.sampling.top_logprobs == 2);
    assert_true(a.stream && a.stream_usage);
    assert_int_equal(a.request.messages[0].role, RDV_SYSTEM);
    assert_text(a.request.messages[1].text, "ab");
}

static void test_chat__nulls_are_not_said(void **state)
{
    completion_request a = read_good(
        COMPLETION_CHAT, "{" HELLO ",\"n\":null,\"stop\":null,\"seed\":null,\"tools\":null,"
                         "\"temperature\":null,\"stream\":null,\"logprobs\":null,"
                         "\"max_tokens\":null,\"response_format\":null}");
    assert_int_equal(a.n, 1);
    assert_int_equal(a.request.sampling.n_stop, 0);
    assert_false(a.seeded || a.no_reply);
}

static void test_chat__neutral_values_of_what_is_not_supported(void **state)
{
    read_good(COMPLETION_CHAT,
              "{" HELLO ",\"tools\":[],\"presence_penalty\":0,\"frequency_penalty\":0.0,"
              "\"logit_bias\":{},\"response_format\":{\"type\":\"text\"},\"top_k\":-1,"
              "\"repetition_penalty\":1,\"tool_choice\":\"none\"}");
}

static void test_chat__continues_the_assistants_turn(void **state)
{
    completion_request a =
        read_good(COMPLETION_CHAT, "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":"
                                   "\"assistant\",\"content\":\"The\"}],\"add_generation_prompt\":"
                                   "false,\"continue_final_message\":true,\"prompt_logprobs\":1}");
    assert_int_equal(a.request.kind, RDV_REQUEST_CONTINUE);
    assert_true(a.prompt_logprobs);
    assert_int_equal(a.top_prompt, 1);
}

static void test_chat__continuation_needs_no_other_member(void **state)
{
    completion_request a =
        read_good(COMPLETION_CHAT, "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":"
                                   "\"assistant\",\"content\":\"The\"}],\"continue_final_message\":"
                                   "true}");
    assert_int_equal(a.request.kind, RDV_REQUEST_CONTINUE);
}

static void test_chat__the_prompt_alone_is_scored(void **state)
{
    completion_request a =
        read_good(COMPLETION_CHAT, "{" HELLO ",\"max_tokens\":0,\"prompt_logprobs\":0}");
    assert_true(a.no_reply && a.prompt_logprobs);
    assert_int_equal(a.top_prompt, 0);
}

static void test_text__defaults_and_lists(void **state)
{
    completion_request a = read_good(COMPLETION_TEXT, "{\"prompt\":\"1 2\"}");
    assert_int_equal(a.n_prompts, 1);
    assert_text(a.prompts[0], "1 2");
    assert_int_equal(a.request.sampling.max_tokens, 16);
    assert_false(a.request.sampling.logprobs || a.echo);
    a = read_good(COMPLETION_TEXT, "{\"prompt\":[\"a\",\"b\"],\"n\":2,\"best_of\":2,\"logprobs\":0,"
                                   "\"stop\":\"x\"}");
    assert_int_equal(a.n_prompts, 2);
    assert_true(a.request.sampling.logprobs && a.request.sampling.top_logprobs == 0);
    assert_int_equal(a.request.sampling.n_stop, 1);
}

static void test_text__scores_without_writing(void **state)
{
    completion_request a = read_good(
        COMPLETION_TEXT, "{\"prompt\":\"a\",\"echo\":true,\"logprobs\":1,\"max_tokens\":0}");
    assert_true(a.echo && a.no_reply && a.request.sampling.top_logprobs == 1);
}

static void test_refused__with_the_member_at_fault(void **state)
{
    static const struct {
        const char *members, *param;
    } wrong[] = {
        {"\"n\":0", "n"},
        {"\"n\":1000000000", "n"},
        {"\"n\":1.5", "n"},
        {"\"n\":\"2\"", "n"},
        {"\"temperature\":-1", "temperature"},
        {"\"temperature\":2.5", "temperature"},
        {"\"temperature\":\"hot\"", "temperature"},
        {"\"top_p\":0", "top_p"},
        {"\"top_p\":1.1", "top_p"},
        {"\"max_tokens\":-1", "max_tokens"},
        {"\"max_tokens\":0", "max_tokens"},
        {"\"max_tokens\":1e300", "max_tokens"},
        {"\"stop\":5", "stop"},
        {"\"stop\":[\"a\",\"b\",\"c\",\"d\",\"e\"]", "stop"},
        {"\"stop\":[\"\"]", "stop"},
        {"\"stop\":[1]", "stop"},
        {"\"logprobs\":5", "logprobs"},
        {"\"top_logprobs\":2", "top_logprobs"},
        {"\"logprobs\":true,\"top_logprobs\":21", "top_logprobs"},
        {"\"seed\":1.5", "seed"},
        {"\"seed\":\"x\"", "seed"},
        {"\"stream\":1", "stream"},
        {"\"stream_options\":{\"include_usage\":true}", "stream_options"},
        {"\"stream\":true,\"stream_options\":5", "stream_options"},
        {"\"model\":5", "model"},
        {"\"tools\":[{\"type\":\"function\"}]", "tools"},
        {"\"response_format\":{\"type\":\"json_schema\"}", "response_format"},
        {"\"response_format\":\"json\"", "response_format"},
        {"\"audio\":{\"voice\":\"a\"}", "audio"},
        {"\"modalities\":[\"audio\"]", "modalities"},
        {"\"presence_penalty\":1", "presence_penalty"},
        {"\"logit_bias\":{\"5\":1}", "logit_bias"},
        {"\"top_k\":5", "top_k"},
        {"\"continue_final_message\":true", "continue_final_message"},
        {"\"add_generation_prompt\":false", "add_generation_prompt"},
        {"\"stream\":true,\"prompt_logprobs\":1", "stream"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rdv_str body = rdv_str_printf(arena, "{" HELLO ",%s}", wrong[i].members);
        api_error f = read_bad(COMPLETION_CHAT, body.p);
        assert_non_null(f.param);
        assert_string_equal(f.param, wrong[i].param);
    }
}

static void test_refused__messages(void **state)
{
    static const char *const wrong[] = {
        "{}",
        "{\"messages\":[]}",
        "{\"messages\":\"Hello\"}",
        "{\"messages\":[5]}",
        "{\"messages\":[{}]}",
        "{\"messages\":[{\"role\":\"user\"}]}",
        "{\"messages\":[{\"role\":\"tool\",\"content\":\"x\"}]}",
        "{\"messages\":[{\"role\":\"user\",\"content\":5}]}",
        "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"x\":{}}]}]}",
        "{\"messages\":[{\"role\":\"user\",\"content\":[\"x\"]}]}",
        "{\"messages\":[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{}]}]}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_string_equal(read_bad(COMPLETION_CHAT, wrong[i]).param, "messages");
}

static void test_refused__prompts(void **state)
{
    static const char *const wrong[] = {"{}", "{\"prompt\":5}", "{\"prompt\":[]}",
                                        "{\"prompt\":[1,2,3]}", "{\"prompt\":[[1,2]]}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_string_equal(read_bad(COMPLETION_TEXT, wrong[i]).param, "prompt");
    assert_string_equal(read_bad(COMPLETION_TEXT, "{\"prompt\":[\"a\",\"b\"],\"n\":33}").param,
                        "n");
    assert_string_equal(read_bad(COMPLETION_TEXT, "{\"prompt\":\"a\",\"n\":2,\"best_of\":5}").param,
                        "best_of");
    assert_string_equal(read_bad(COMPLETION_TEXT, "{\"prompt\":\"a\",\"suffix\":\"b\"}").param,
                        "suffix");
}

static void test_refused__what_is_no_object(void **state)
{
    static const char *const wrong[] = {"",     "{",        "[]",         "5",  "null",
                                        "\"\"", "{\"a\":}", "{" HELLO "", "nan"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        read_bad(COMPLETION_CHAT, wrong[i]);
    char deep[10001];
    memset(deep, '[', sizeof deep);
    deep[10000] = '\0';
    read_bad(COMPLETION_CHAT, deep);
}

static void test_refused__rare_members(void **state)
{
    static const struct {
        completion_form form;
        const char *body, *param;
    } cases[] = {
        {COMPLETION_CHAT, "{" HELLO ",\"tool_choice\":\"required\"}", "tool_choice"},
        {COMPLETION_CHAT, "{" HELLO ",\"tool_choice\":{\"type\":\"function\"}}", "tool_choice"},
        {COMPLETION_CHAT, "{" HELLO ",\"tools\":true}", "tools"},
        {COMPLETION_CHAT, "{" HELLO ",\"seed\":1e300}", "seed"},
        {COMPLETION_CHAT, "{" HELLO ",\"seed\":1.5}", "seed"},
        {COMPLETION_CHAT, "{" HELLO ",\"add_generation_prompt\":5}", "add_generation_prompt"},
        {COMPLETION_CHAT,
         "{\"messages\":[{\"role\":\"assistant\",\"content\":\"I\"}],"
         "\"continue_final_message\":true,\"add_generation_prompt\":true}",
         "add_generation_prompt"},
        {COMPLETION_CHAT, "{\"messages\":[{\"role\":\"user\",\"function_call\":{}}]}", "messages"},
        {COMPLETION_CHAT,
         "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":5}]}]}",
         "messages"},
        {COMPLETION_CHAT,
         "{" HELLO ",\"stream\":true,\"stream_options\":{\"include_usage\":\"yes\"}}",
         "include_usage"},
        {COMPLETION_TEXT, "{\"prompt\":\"a\",\"echo\":true,\"stream\":true}", "stream"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(read_bad(cases[i].form, cases[i].body).param, cases[i].param);
}

static void test_rare_members__without_effect(void **state)
{
    completion_request a =
        read_good(COMPLETION_CHAT,
                  "{" HELLO ",\"tools\":false,\"tool_choice\":\"auto\",\"seed\":7.0,\"top_k\":-1}");
    assert_true(a.seeded && a.seed == 7);
    a = read_good(COMPLETION_CHAT, "{" HELLO ",\"tool_choice\":\"none\"}");
    assert_false(a.seeded);
    a = read_good(COMPLETION_CHAT,
                  "{\"messages\":[{\"role\":\"assistant\",\"content\":\"I\"}],"
                  "\"continue_final_message\":true,\"add_generation_prompt\":false}");
    assert_int_equal(a.request.kind, RDV_REQUEST_CONTINUE);
}

/* A list of `n` items, then the end of the body. */
static const char *long_list(const char *begin, const char *item, size_t n, const char *end)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_printf(&b, "%s", begin);
    for (size_t i = 0; i < n; i++)
        rdv_buf_printf(&b, "%s%s", i ? "," : "", item);
    rdv_buf_printf(&b, "%s", end);
    return rdv_cstring(arena, rdv_buf_str(&b));
}

static void test_refused__one_more_than_is_taken(void **state)
{
    const char *message = "{\"role\":\"user\",\"content\":\"a\"}";
    read_good(COMPLETION_CHAT, long_list("{\"messages\":[", message, 1000, "]}"));
    api_error f = read_bad(COMPLETION_CHAT, long_list("{\"messages\":[", message, 1001, "]}"));
    assert_string_equal(f.message, "At most 1000 messages are taken.");
    read_good(COMPLETION_TEXT, long_list("{\"prompt\":[", "\"a\"", 64, "]}"));
    f = read_bad(COMPLETION_TEXT, long_list("{\"prompt\":[", "\"a\"", 65, "]}"));
    assert_string_equal(f.param, "prompt");
    const char *stop = "{" HELLO ",\"stop\":\"";
    char letters[258] = {0};
    memset(letters, 'x', 256);
    read_good(COMPLETION_CHAT, long_list(stop, letters, 1, "\"}"));
    letters[256] = 'x';
    f = read_bad(COMPLETION_CHAT, long_list(stop, letters, 1, "\"}"));
    assert_string_equal(f.message, "A stop text has 1 to 256 bytes.");
}

static void test_memory_runs_out__in_parts_and_prompts(void **state)
{
    completion_request a;
    api_error f = {0};
    static const struct {
        completion_form form;
        const char *body;
    } cases[] = {{COMPLETION_CHAT, "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":"
                                   "\"text\",\"text\":\"a\"}]}]}"},
                 {COMPLETION_TEXT, "{\"prompt\":[\"a\",\"b\"],\"stop\":\"c\"}"}};
    for (size_t i = 0; i < 2; i++)
        assert_survives_no_memory(
            completion_request_read(cases[i].form, rdv_str_of(cases[i].body), arena, &a, &f),
            assert_int_equal(f.status, 500));
}

static void test_memory_runs_out(void **state)
{
    completion_request a;
    api_error f = {0};
    rdv_str body = RDV_STR("{" HELLO ",\"stop\":[\"a\"],\"model\":\"m\"}");
    assert_survives_no_memory(completion_request_read(COMPLETION_CHAT, body, arena, &a, &f),
                              assert_int_equal(f.status, 500));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_chat__defaults),
        TEST(test_chat__every_member),
        TEST(test_chat__nulls_are_not_said),
        TEST(test_chat__neutral_values_of_what_is_not_supported),
        TEST(test_chat__continues_the_assistants_turn),
        TEST(test_chat__continuation_needs_no_other_member),
        TEST(test_chat__the_prompt_alone_is_scored),
        TEST(test_text__defaults_and_lists),
        TEST(test_text__scores_without_writing),
        TEST(test_refused__with_the_member_at_fault),
        TEST(test_refused__messages),
        TEST(test_refused__prompts),
        TEST(test_refused__what_is_no_object),
        TEST(test_refused__rare_members),
        TEST(test_rare_members__without_effect),
        TEST(test_refused__one_more_than_is_taken),
        TEST(test_memory_runs_out),
        TEST(test_memory_runs_out__in_parts_and_prompts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
