/* SPDX-License-Identifier: Apache-2.0 */
/* Requests as they are sent, and responses as they are read. */
#include "../test.h"
#include "base/str.h"
#include "model/wire.h"

#include <math.h>
#include <stdio.h>

#define UNSET                                                                                      \
    {                                                                                              \
        .temperature = NAN, .top_p = NAN                                                           \
    }

static const rdv_message talk[] = {{RDV_SYSTEM, {"S", 1}}, {RDV_USER, {"Q \"1\"\n", 6}}};
static const rdv_message open_turn[] = {{RDV_USER, {"Q", 1}}, {RDV_ASSISTANT, {"So far", 6}}};

/* ---- writing --------------------------------------------------------------------------------- */

static void check_body(const rdv_request *r, const rdv_abilities *abilities, const char *path,
                       const char *body, const char *adapted)
{
    rdv_arena *arena = rdv_arena_new(0);
    wire w;
    assert_int_equal(wire_write(r, RDV_STR("m"), abilities, arena, &w, NULL), RDV_OK);
    assert_string_equal(w.path, path);
    assert_string_equal(rdv_cstring(arena, w.body), body);
    if (adapted)
        assert_string_equal(rdv_cstring(arena, w.adapted), adapted);
    else
        assert_null(w.adapted.p);
    rdv_arena_free(&arena);
}

static void test_write__chat(void **state)
{
    rdv_request r = {.messages = talk, .n_messages = 2, .sampling = UNSET};
    rdv_abilities none = {0};
    check_body(&r, &none, "/chat/completions",
               "{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\"S\"},"
               "{\"role\":\"user\",\"content\":\"Q \\\"1\\\"\\n\"}]}",
               NULL);
}

static void test_write__settings(void **state)
{
    static const rdv_str stops[] = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}};
    rdv_request r = {
        .messages = talk + 1, .n_messages = 1, .sampling = {0.7, 0.9, 300, stops, 5, true, 3}};
    rdv_abilities a = {0};
    check_body(&r, &a, "/chat/completions",
               "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"Q \\\"1\\\"\\n\"}],"
               "\"max_tokens\":300,\"temperature\":0.7,\"top_p\":0.9,"
               "\"stop\":[\"a\",\"b\",\"c\",\"d\"],\"logprobs\":true,\"top_logprobs\":3}",
               NULL);
    a = (rdv_abilities){.max_tokens = RDV_CANNOT,
                        .temperature = RDV_CANNOT,
                        .top_p = RDV_CANNOT,
                        .stop = RDV_CANNOT,
                        .logprobs = RDV_CANNOT};
    check_body(&r, &a, "/chat/completions",
               "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"Q \\\"1\\\"\\n\"}],"
               "\"max_completion_tokens\":300}",
               "max_completion_tokens for max_tokens; temperature left out; top_p left out; "
               "stop left out and applied to the reply; logprobs left out");
}

static void test_write__system_alone_becomes_the_users(void **state)
{
    rdv_request r = {.messages = talk, .n_messages = 1, .sampling = UNSET};
    rdv_abilities a = {.system = RDV_CANNOT};
    check_body(&r, &a, "/chat/completions",
               "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"S\"}]}",
               "system turn put into the user's");
}

static void test_write__base_model(void **state)
{
    rdv_request r = {.messages = talk, .n_messages = 2, .sampling = UNSET};
    rdv_abilities a = {.chat = RDV_CANNOT};
    check_body(&r, &a, "/completions",
               "{\"model\":\"m\",\"prompt\":\"S\\n\\nQ \\\"1\\\"\\n\\n\\n\"}",
               "turns joined into one text");
}

static void test_write__continue(void **state)
{
    rdv_request r = {
        .is = RDV_ASK_CONTINUE, .messages = open_turn, .n_messages = 2, .sampling = UNSET};
    rdv_abilities a = {0};
    check_body(&r, &a, "/chat/completions",
               "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"Q\"},"
               "{\"role\":\"assistant\",\"content\":\"So far\"}],\"add_generation_prompt\":false,"
               "\"continue_final_message\":true}",
               NULL);
    a.prefix = RDV_CANNOT;
    check_body(&r, &a, "/chat/completions",
               "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"Q\\n\\n"
               "Continue the text below from exactly where it ends. Write only what comes next."
               "\\n\\nSo far\"}]}",
               "asked in a user's turn to continue");
}

static void check_none(const rdv_request *r, const rdv_abilities *abilities)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    wire w;
    assert_int_equal(wire_write(r, RDV_STR("m"), abilities, arena, &w, &err), RDV_NONE);
    assert_true(err.msg[0]);
    rdv_arena_free(&arena);
}

static void test_write__what_cannot_be_done(void **state)
{
    rdv_request score = {.is = RDV_ASK_SCORE, .text = RDV_STR("x"), .sampling = UNSET};
    rdv_request chat = {.messages = talk, .n_messages = 2, .sampling = UNSET};
    rdv_abilities a = {.echo = RDV_CANNOT, .prompt_logprobs = RDV_CANNOT};
    check_none(&score, &a);
    a = (rdv_abilities){.completions = RDV_CANNOT, .chat = RDV_CANNOT};
    check_none(&chat, &a);
    check_none(&score, &a);
}

static void test_write__memory_runs_out(void **state)
{
    static const rdv_str stop = {"a", 1};
    rdv_request r = {
        .messages = talk, .n_messages = 2, .sampling = {0.7, 0.9, 300, &stop, 1, true, 3}};
    rdv_abilities a = {.system = RDV_CANNOT, .temperature = RDV_CANNOT};
    rdv_arena *arena = rdv_arena_new(0);
    wire w;
    assert_survives_no_memory(wire_write(&r, RDV_STR("m"), &a, arena, &w, NULL) == RDV_OK,
                              rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const struct reading {
    rdv_ask_is is;
    const char *body;
    int rc;
    const char *text, *tokens, *adapted; /* NULL: none */
    rdv_finish finish;
} readings[] = {
#define CONTENT(content, rest) "{\"choices\":[{\"message\":{\"content\":" content "}" rest "}]}"
    {0, CONTENT("\"hello\"", ",\"finish_reason\":\"stop\""), 0, "hello", NULL, NULL, 0},
    {0, CONTENT("\" a b \"", ",\"finish_reason\":\"length\""), 0, " a b ", NULL, NULL,
     RDV_FINISH_LENGTH},
    {0, CONTENT("\"\"", ""), 0, "", NULL, NULL, RDV_FINISH_OTHER},
    {0, CONTENT("null", ""), 0, "", NULL, "no content, read as an empty reply", RDV_FINISH_OTHER},
    {0, CONTENT("[{\"text\":\"a\"},{\"image\":1},{\"text\":\"b\"}]", ""), 0, "ab", NULL, NULL,
     RDV_FINISH_OTHER},
    {0, CONTENT("\"<think>no</think>yes\"", ""), 0, "yes", NULL, "thinking taken out",
     RDV_FINISH_OTHER},
    {0, CONTENT("\"I think < so\"", ""), 0, "I think < so", NULL, NULL, RDV_FINISH_OTHER},
    {0, CONTENT("\"<think>never closed\"", ",\"finish_reason\":\"length\""), 0, "", NULL,
     "thinking taken out", RDV_FINISH_LENGTH},
    {0, CONTENT("\"aENDb\"", ""), 0, "a", NULL, "cut at a stop text that the server passed over",
     RDV_FINISH_STOP},
    {0, CONTENT("\"<think>xEND</think>aENDb\"", ""), 0, "a", NULL,
     "thinking taken out; cut at a stop text that the server passed over", RDV_FINISH_STOP},
#define LOGPROBS                                                                                   \
    ",\"logprobs\":{\"content\":[{\"token\":\"ab\",\"logprob\":-1},"                               \
    "{\"token\":\"END\",\"logprob\":-2},{\"token\":\"c\",\"logprob\":-3}]}"
    {0, CONTENT("\"abENDc\"", LOGPROBS), 0, "ab", "ab -1;",
     "cut at a stop text that the server passed over", RDV_FINISH_STOP},
    {0, CONTENT("\"other ENDc\"", LOGPROBS), 0, "other ", NULL, /* they spell something else */
     "cut at a stop text that the server passed over", RDV_FINISH_STOP},
    {0, "", RDV_E_INPUT},
    {0, "{}", RDV_E_INPUT},
    {0, "[]", RDV_E_INPUT},
    {0, "3", RDV_E_INPUT},
    {0, "{\"choices\":[]}", RDV_E_INPUT},
    {0, "{\"choices\":[7]}", RDV_E_INPUT},
    {0, "{\"choices\":[{}]}", RDV_E_INPUT},
    {0, "{\"choices\":{\"0\":1}}", RDV_E_INPUT},
    {0, "{\"choices\":[{\"message\":\"x\"}]}", RDV_E_INPUT},
    {0, CONTENT("\"a\xff\"", ""), RDV_E_INPUT},
    {0, CONTENT("\"a\"", "") "x", RDV_E_INPUT},
    {0, "{\"error\":\"busy\"}", RDV_E_INPUT},
    {RDV_ASK_CONTINUE, "{\"choices\":[{\"text\":\" more\"}]}", 0, " more", NULL, NULL,
     RDV_FINISH_OTHER},
    {RDV_ASK_CONTINUE, "{\"choices\":[{\"text\":null}]}", RDV_E_INPUT},
#define ECHO(tokens, values)                                                                       \
    "{\"choices\":[{\"text\":\"\",\"logprobs\":{\"tokens\":" tokens ",\"token_logprobs\":" values  \
    "}}]}"
    {RDV_ASK_SCORE, ECHO("[\"1\",\" 2\"]", "[null,-2]"), 0, "1 2", "1 nan; 2 -2;", NULL},
    {RDV_ASK_SCORE, ECHO("[\"1\",\" 2\",\" 3\"]", "[null,-2,-3]"), 0, "1 2", "1 nan; 2 -2;",
     NULL}, /* one that was written after it */
    {RDV_ASK_SCORE, ECHO("[\"<s>\",\"1\",\" 2\"]", "[null,-1,-2]"), 0, "1 2", "1 -1; 2 -2;", NULL},
    {RDV_ASK_SCORE, ECHO("[\"x 1\",\" 2\"]", "[-1,-2]"), 0, "1 2", "1 nan; 2 -2;", NULL},
    {RDV_ASK_SCORE, ECHO("[\"something\",\" else\"]", "[-1,-2]"), RDV_NONE},
    {RDV_ASK_SCORE, ECHO("[\"1\",\" 2\"]", "[-1]"), RDV_NONE},
    {RDV_ASK_SCORE, ECHO("[]", "[]"), RDV_NONE},
    {RDV_ASK_SCORE, "{\"choices\":[{\"text\":\"1 2\"}]}", RDV_NONE},
};

static void spell_tokens(const rdv_reply *r, char *out, size_t size)
{
    size_t at = 0;
    out[0] = '\0';
    for (size_t i = 0; i < r->n_tokens && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%.*s %g;", RDV_FMT(r->tokens[i].text),
                               r->tokens[i].logprob);
}

static void check_text(rdv_arena *arena, rdv_str is, const char *wanted)
{
    if (wanted)
        assert_string_equal(rdv_cstring(arena, is), wanted);
    else
        assert_null(is.p);
}

static void check_reading(const struct reading *c)
{
    static const rdv_str stop = {"END", 3};
    rdv_request r = {.is = c->is,
                     .messages = talk,
                     .n_messages = c->is == RDV_ASK_CHAT ? 2 : 0,
                     .text = c->is == RDV_ASK_CHAT ? (rdv_str){0} : RDV_STR("1 2"),
                     .sampling = {NAN, NAN, 0, &stop, 1, strstr(c->body, "logprobs") != NULL, 0}};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_abilities none = {0};
    rdv_error err = {0};
    rdv_reply reply;
    wire w;
    assert_int_equal(wire_write(&r, RDV_STR("m"), &none, arena, &w, NULL), RDV_OK);
    print_message("%s\n", c->body);
    assert_int_equal(wire_read(&w, &r, rdv_str_of(c->body), arena, &reply, &err), c->rc);
    if (c->rc == RDV_OK) {
        char tokens[256];
        spell_tokens(&reply, tokens, sizeof tokens);
        assert_string_equal(rdv_cstring(arena, reply.text), c->text);
        assert_string_equal(tokens, c->tokens ? c->tokens : "");
        check_text(arena, reply.adapted, c->adapted);
        assert_int_equal(reply.finish, c->finish);
    } else {
        assert_true(err.msg[0]);
    }
    rdv_arena_free(&arena);
}

static void test_read__responses(void **state)
{
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++)
        check_reading(&readings[i]);
}

/* Where the first token of a prompt has no text, it is what the others leave. */
static void test_read__prompt_logprobs(void **state)
{
    static const char body[] =
        "{\"choices\":[{\"message\":{\"content\":\"x\"}}],\"prompt_logprobs\":[null,"
        "{\"5\":{\"logprob\":-1,\"decoded_token\":\"user: Q\"}},"
        "{\"6\":{\"logprob\":-2,\"decoded_token\":\"So\"},"
        "\"7\":{\"logprob\":-0.5,\"decoded_token\":\"But\"}},"
        "{\"8\":{\"logprob\":-3,\"decoded_token\":\" far\"}}]}";
    rdv_request r = {
        .is = RDV_ASK_SCORE, .messages = open_turn, .n_messages = 2, .sampling = UNSET};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_abilities none = {0};
    rdv_reply reply;
    wire w;
    assert_int_equal(wire_write(&r, RDV_STR("m"), &none, arena, &w, NULL), RDV_OK);
    assert_int_equal(w.form, WIRE_SCORE_CHAT);
    assert_int_equal(wire_read(&w, &r, rdv_str_of(body), arena, &reply, NULL), RDV_OK);
    assert_int_equal(reply.n_tokens, 2);
    assert_true(reply.tokens[0].logprob == -2 && reply.tokens[1].logprob == -3);
    assert_int_equal(reply.tokens[0].n_other, 1);
    assert_true(reply.tokens[0].other[0].logprob == -0.5);
    rdv_arena_free(&arena);
}

static void test_read__usage(void **state)
{
    static const char body[] = "{\"choices\":[{\"message\":{\"content\":\"x\"}}],\"usage\":"
                               "{\"prompt_tokens\":12,\"completion_tokens\":1e300}}";
    rdv_request r = {.messages = talk, .n_messages = 2, .sampling = UNSET};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_abilities none = {0};
    rdv_reply reply;
    wire w;
    assert_int_equal(wire_write(&r, RDV_STR("m"), &none, arena, &w, NULL), RDV_OK);
    assert_int_equal(wire_read(&w, &r, rdv_str_of(body), arena, &reply, NULL), RDV_OK);
    assert_true(reply.usage);
    assert_int_equal(reply.prompt_tokens, 12);
    assert_int_equal(reply.completion_tokens, 0); /* nonsense counts nothing */
    rdv_arena_free(&arena);
}

static void test_read__memory_runs_out(void **state)
{
    const char *body = CONTENT("\"<think>x</think>abENDc\"", LOGPROBS);
    static const rdv_str stop = {"END", 3};
    rdv_request r = {
        .messages = talk, .n_messages = 2, .sampling = {NAN, NAN, 0, &stop, 1, true, 0}};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_abilities none = {0};
    wire w;
    assert_int_equal(wire_write(&r, RDV_STR("m"), &none, arena, &w, NULL), RDV_OK);
    rdv_reply reply;
    assert_survives_no_memory(wire_read(&w, &r, rdv_str_of(body), arena, &reply, NULL) == RDV_OK,
                              (void)0);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write__chat),
        cmocka_unit_test(test_write__settings),
        cmocka_unit_test(test_write__system_alone_becomes_the_users),
        cmocka_unit_test(test_write__base_model),
        cmocka_unit_test(test_write__continue),
        cmocka_unit_test(test_write__what_cannot_be_done),
        cmocka_unit_test(test_write__memory_runs_out),
        cmocka_unit_test(test_read__responses),
        cmocka_unit_test(test_read__prompt_logprobs),
        cmocka_unit_test(test_read__usage),
        cmocka_unit_test(test_read__memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
