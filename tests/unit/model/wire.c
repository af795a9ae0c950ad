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
        .kind = RDV_REQUEST_CONTINUE, .messages = open_turn, .n_messages = 2, .sampling = UNSET};
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
    rdv_request score = {.kind = RDV_REQUEST_SCORE, .text = RDV_STR("x"), .sampling = UNSET};
    rdv_request chat = {.messages = talk, .n_messages = 2, .sampling = UNSET};
    rdv_abilities a = {
        .echo = RDV_CANNOT, .prompt_logprobs = RDV_CANNOT, .token_grammar = RDV_CANNOT};
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
    rdv_request_kind kind;
    const char *body;
    int rc;
    const char *text, *tokens, *adapted; /* NULL: none */
    rdv_finish finish;
} readings[] = {
#define CONTENT(content, rest) "{\"choices\":[{\"message\":{\"content\":" content "}" rest "}]}"
#define WHOLE ",\"finish_reason\":\"stop\""
    {0, CONTENT("\"hello\"", WHOLE), 0, "hello", NULL, NULL, 0},
    {0, CONTENT("\" a b \"", ",\"finish_reason\":\"length\""), 0, " a b ", NULL, NULL,
     RDV_FINISH_LENGTH},
    {0, CONTENT("\"\"", ""), 0, "", NULL, NULL, RDV_FINISH_UNSAID},
    {0, CONTENT("null", ""), 0, "", NULL, "no content, read as an empty reply", RDV_FINISH_UNSAID},
    {0, CONTENT("[{\"text\":\"a\"},{\"image\":1},{\"text\":\"b\"}]", ""), 0, "ab", NULL, NULL,
     RDV_FINISH_UNSAID},
    {0, CONTENT("\"<think>no</think>yes\"", ""), 0, "yes", NULL, "thinking taken out",
     RDV_FINISH_UNSAID},
    {0, CONTENT("\"I think < so\"", ""), 0, "I think < so", NULL, NULL, RDV_FINISH_UNSAID},
    {0, CONTENT("\"<think>never closed\"", ",\"finish_reason\":\"length\""), 0, "", NULL,
     "thinking taken out", RDV_FINISH_LENGTH},
    {0, CONTENT("\"aENDb\"", WHOLE), 0, "a", NULL, "cut at a stop text that the server passed over",
     RDV_FINISH_STOP},
    {0, CONTENT("\"<think>xEND</think>aENDb\"", WHOLE), 0, "a", NULL,
     "thinking taken out; cut at a stop text that the server passed over", RDV_FINISH_STOP},
#define LOGPROBS                                                                                   \
    WHOLE ",\"logprobs\":{\"content\":[{\"token\":\"ab\",\"logprob\":-1},"                         \
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
    {RDV_REQUEST_CONTINUE, "{\"choices\":[{\"text\":\" more\"}]}", 0, " more", NULL, NULL,
     RDV_FINISH_UNSAID},
    {RDV_REQUEST_CONTINUE, "{\"choices\":[{\"text\":null}]}", RDV_E_INPUT},
#define ECHO(tokens, values)                                                                       \
    "{\"choices\":[{\"text\":\"\",\"logprobs\":{\"tokens\":" tokens ",\"token_logprobs\":" values  \
    "}" WHOLE "}]}"
    {RDV_REQUEST_SCORE, ECHO("[\"1\",\" 2\"]", "[null,-2]"), 0, "1 2", "1 nan; 2 -2;", NULL},
    {RDV_REQUEST_SCORE, ECHO("[\"1\",\" 2\",\" 3\"]", "[null,-2,-3]"), 0, "1 2", "1 nan; 2 -2;",
     NULL}, /* one that was written after it */
    {RDV_REQUEST_SCORE, ECHO("[\"<s>\",\"1\",\" 2\"]", "[null,-1,-2]"), 0, "1 2", "1 -1; 2 -2;",
     NULL},
    {RDV_REQUEST_SCORE, ECHO("[\"x 1\",\" 2\"]", "[-1,-2]"), 0, "1 2", "1 nan; 2 -2;", NULL},
    {RDV_REQUEST_SCORE, ECHO("[\"something\",\" else\"]", "[-1,-2]"), RDV_NONE},
    {RDV_REQUEST_SCORE, ECHO("[\"1\",\" 2\"]", "[-1]"), RDV_NONE},
    {RDV_REQUEST_SCORE, ECHO("[]", "[]"), RDV_NONE},
    {RDV_REQUEST_SCORE, "{\"choices\":[{\"text\":\"1 2\"}]}", RDV_NONE},
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
    rdv_request r = {.kind = c->kind,
                     .messages = talk,
                     .n_messages = c->kind == RDV_REQUEST_CHAT ? 2 : 0,
                     .text = c->kind == RDV_REQUEST_CHAT ? (rdv_str){0} : RDV_STR("1 2"),
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

/* Of several stop texts the one that stands first in the reply ends it, whatever their order. */
static void test_read__the_first_of_several_stop_texts(void **state)
{
    static const rdv_str stops[] = {{"Question:", 9}, {"", 0}, {"\n\n", 2}, {"Step", 4}};
    rdv_request r = {
        .messages = talk, .n_messages = 2, .sampling = {NAN, NAN, 0, stops, 4, false, 0}};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_abilities none = {0};
    rdv_reply reply;
    wire w;
    assert_int_equal(wire_write(&r, RDV_STR("m"), &none, arena, &w, NULL), RDV_OK);
    rdv_str body = RDV_STR(CONTENT("\"It is 7.\\n\\nStep 2 Question: x\"", WHOLE));
    assert_int_equal(wire_read(&w, &r, body, arena, &reply, NULL), RDV_OK);
    assert_text(reply.text, "It is 7.");
    rdv_arena_free(&arena);
}

/* ---- an assistant's turn that is given back ---------------------------------------------------
 */

static void check_continued(const char *reply, const char *logprobs, const rdv_abilities *abilities,
                            const char *wanted, rdv_finish finish, size_t n_tokens)
{
    rdv_request r = {.kind = RDV_REQUEST_CONTINUE, .messages = open_turn, .n_messages = 2};
    static const rdv_str stop = {"\n", 1};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply out;
    wire w;
    r.sampling = (rdv_sampling){NAN, NAN, 0, &stop, 1, true, 0};
    assert_int_equal(wire_write(&r, RDV_STR("m"), abilities, arena, &w, NULL), RDV_OK);
    rdv_str body =
        rdv_str_printf(arena,
                       "{\"choices\":[{\"index\":0,\"finish_reason\":\"stop\",\"message\":"
                       "{\"content\":\"%s\"},\"logprobs\":%s}]}",
                       reply, logprobs);
    assert_int_equal(wire_read(&w, &r, body, arena, &out, NULL), RDV_OK);
    assert_true(rdv_str_eq(out.text, rdv_str_of(wanted)));
    assert_int_equal(out.finish, finish);
    assert_int_equal(out.n_tokens, n_tokens);
    rdv_arena_free(&arena);
}

static void test_read__a_turn_given_back(void **state)
{
    static const char added[] = "{\"content\":[{\"token\":\" it\",\"logprob\":-1},"
                                "{\"token\":\" goes\",\"logprob\":-2}]}";
    rdv_abilities back = {.prefix = RDV_CAN, .prefix_back = RDV_CAN};
    rdv_abilities plain = {.prefix = RDV_CAN, .prefix_back = RDV_CANNOT};
    rdv_abilities unknown = {0};
    check_continued("So far it goes", added, &back, " it goes", RDV_FINISH_STOP, 2);
    check_continued(" it goes", added, &plain, " it goes", RDV_FINISH_STOP, 2);
    /* A stop text in what was given back ends nothing, one behind it does. */
    check_continued("So far it\\ngoes", "null", &back, " it", RDV_FINISH_STOP, 0);
    /* A server that gives turns back and did not this time answered something else. */
    check_continued("Let me begin again.", "null", &back, "Let me begin again.", RDV_FINISH_OTHER,
                    0);
    /* Whoever finds out what the server does sees what came. */
    check_continued("So far it goes", "null", &unknown, "So far it goes", RDV_FINISH_STOP, 0);
}

/* ---- scores -----------------------------------------------------------------------------------
 */

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
        .kind = RDV_REQUEST_SCORE, .messages = open_turn, .n_messages = 2, .sampling = UNSET};
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

/* As llama.cpp lists them: parts of a character are bytes. */
#define TOKENIZED(first, second)                                                                   \
    "{\"tokens\":[{\"id\":1,\"piece\":\"<s>\"},{\"id\":11,\"piece\":" first                        \
    "},{\"id\":12,\"piece\":" second "},{\"id\":13,\"piece\":\" x\"}]}"
#define PLAIN TOKENIZED("\"Say\"", "\" it\"")

static const rdv_abilities forces = {.token_grammar = RDV_CAN};

static int force(const char *text, const char *tokenized, rdv_arena *arena, wire *w)
{
    rdv_request r = {.kind = RDV_REQUEST_SCORE, .text = rdv_str_of(text), .sampling = UNSET};
    rdv_error err = {0};
    assert_int_equal(wire_write(&r, RDV_STR("m"), &forces, arena, w, NULL), RDV_OK);
    assert_int_equal(w->form, WIRE_TOKENIZE);
    assert_string_equal(w->path, "/tokenize");
    int rc = wire_write_grammar(&r, RDV_STR("m"), &forces, rdv_str_of(tokenized), arena, w, &err);
    assert_int_equal(rc == RDV_OK, err.msg[0] == '\0');
    return rc;
}

static void test_write__token_grammar(void **state)
{
    static const char body[] = "{\"model\":\"m\",\"prompt\":[1],\"logprobs\":1,\"grammar\":"
                               "\"root ::= <[11]> <[12]> <[13]>\",\"max_tokens\":3,"
                               "\"temperature\":0}";
    static const char came[] =
        "{\"choices\":[{\"index\":0,\"text\":\"\",\"finish_reason\":\"length\",\"logprobs\":"
        "{\"content\":[{\"token\":\"Say\",\"logprob\":-1},{\"token\":\" it\",\"logprob\":-2},"
        "{\"token\":\" x\",\"bytes\":[32,120],\"logprob\":-4}]}}]}";
    rdv_request r = {.kind = RDV_REQUEST_SCORE, .text = RDV_STR("Say it x"), .sampling = UNSET};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply reply;
    rdv_error err = {0};
    wire w;
    assert_int_equal(force("Say it x", PLAIN, arena, &w), RDV_OK);
    assert_true(rdv_str_eq(w.body, rdv_str_of(body)));
    assert_int_equal(wire_read(&w, &r, rdv_str_of(came), arena, &reply, &err), RDV_OK);
    assert_int_equal(reply.n_tokens, 3);
    assert_true(reply.tokens[0].logprob == -1 && reply.tokens[2].logprob == -4);
    /* A blank before the first word is the tokenizer's. */
    assert_int_equal(force("Say it x", TOKENIZED("\" Say\"", "\" it\""), arena, &w), RDV_OK);
    rdv_arena_free(&arena);
}

/* A score that is not of the given text is none. */
static void test_write__token_grammar_of_another_text(void **state)
{
    static const char other[] = "{\"choices\":[{\"index\":0,\"text\":\"no\",\"finish_reason\":"
                                "\"stop\",\"logprobs\":{\"content\":[{\"token\":\"no\","
                                "\"logprob\":-1}]}}]}";
    static const char *const tokenized[] = {
        PLAIN,
        "",
        "{}",
        "[]",
        "{\"tokens\":[{\"id\":1,\"piece\":\"Say so x\"}]}",
        TOKENIZED("\"Say so\"", "[]"),
        "{\"tokens\":[{\"id\":\"a\",\"piece\":\"Say \"},{\"piece\":\"so x\"}]}"};
    rdv_request r = {.kind = RDV_REQUEST_SCORE, .text = RDV_STR("Say it x"), .sampling = UNSET};
    rdv_abilities a = forces;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply reply;
    wire w;
    for (size_t i = 0; i < sizeof tokenized / sizeof *tokenized; i++)
        assert_int_equal(force("Say so x", tokenized[i], arena, &w), RDV_NONE);
    /* Parts of a character cannot be forced. */
    assert_int_equal(force("Say\xc3\xa9 x", TOKENIZED("\"Say\"", "[195,169]"), arena, &w),
                     RDV_NONE);
    assert_int_equal(force("Say it x", PLAIN, arena, &w), RDV_OK);
    assert_int_equal(wire_read(&w, &r, rdv_str_of(other), arena, &reply, NULL), RDV_NONE);
    wire_lacks(&w, &a);
    assert_int_equal(a.token_grammar, RDV_CANNOT);
    rdv_arena_free(&arena);
}

/* ---- tokens that are parts of characters ------------------------------------------------------
 */

static void test_read__parts_of_a_character(void **state)
{
    static const char body[] =
        "{\"choices\":[{\"index\":0,\"message\":{\"content\":\"a \xc3\xa9!\"},\"finish_reason\":"
        "\"stop\",\"logprobs\":{\"content\":[{\"token\":\"a\",\"bytes\":[97],\"logprob\":-1},"
        "{\"token\":\"?\",\"bytes\":[32,195],\"logprob\":-2},"
        "{\"token\":\"?\",\"bytes\":[169],\"logprob\":-3},"
        "{\"token\":\"!\",\"bytes\":[33],\"logprob\":-4}]}}]}";
    static const char *const texts[] = {"a", " \xc3\xa9", "", "!"};
    rdv_request r = {
        .messages = talk, .n_messages = 2, .sampling = {NAN, NAN, 0, NULL, 0, true, 0}};
    rdv_abilities none = {0};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply reply;
    wire w;
    assert_int_equal(wire_write(&r, RDV_STR("m"), &none, arena, &w, NULL), RDV_OK);
    assert_int_equal(wire_read(&w, &r, rdv_str_of(body), arena, &reply, NULL), RDV_OK);
    assert_int_equal(reply.n_tokens, 4);
    for (int i = 0; i < 4; i++) {
        assert_true(reply.tokens[i].logprob == -1 - i);
        assert_true(rdv_str_eq(reply.tokens[i].text, rdv_str_of(texts[i])));
    }
    rdv_arena_free(&arena);
}

/* ---- replies held to a schema -----------------------------------------------------------------
 */

static void check_held(const char *content, bool reasoned, const char *wanted, rdv_finish finish)
{
    static const rdv_str answers[] = {{"Yes", 3}, {"No", 2}};
    rdv_request r = {.messages = talk,
                     .n_messages = 2,
                     .sampling = UNSET,
                     .answers = answers,
                     .n_answers = 2,
                     .reasoned = reasoned};
    rdv_abilities none = {0};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply reply;
    wire w;
    assert_int_equal(wire_write(&r, RDV_STR("m"), &none, arena, &w, NULL), RDV_OK);
    assert_true(rdv_find(w.body, RDV_STR("\"enum\":[\"Yes\",\"No\"]"), 0) != RDV_NOT_FOUND);
    assert_int_equal(rdv_find(w.body, RDV_STR("\"reasoning\""), 0) != RDV_NOT_FOUND, reasoned);
    rdv_str body = rdv_str_printf(arena,
                                  "{\"choices\":[{\"index\":0,\"finish_reason\":\"stop\","
                                  "\"message\":{\"content\":\"%s\"}}]}",
                                  content);
    assert_int_equal(wire_read(&w, &r, body, arena, &reply, NULL), RDV_OK);
    assert_true(rdv_str_eq(reply.text, rdv_str_of(wanted)));
    assert_int_equal(reply.finish, finish);
    rdv_arena_free(&arena);
}

#define Q "\\\""
#define ANSWER(answer) Q "answer" Q ":" Q answer Q

static void test_read__held_to_a_schema(void **state)
{
    check_held("{" ANSWER("No") "}", false, "No", RDV_FINISH_STOP);
    check_held("{" Q "reasoning" Q ":" Q "2 + 2 is 4." Q "," ANSWER("Yes") "}", true,
               "2 + 2 is 4.\nYes", RDV_FINISH_STOP);
    /* Free text stays what it is, for the reader to take or leave; JSON of another form failed. */
    check_held("Yes", false, "Yes", RDV_FINISH_STOP);
    check_held("{" ANSWER("Perhaps") "}", false, "{\"answer\":\"Perhaps\"}", RDV_FINISH_OTHER);
    check_held("{" ANSWER("No") "," ANSWER("Yes") "}", false,
               "{\"answer\":\"No\",\"answer\":\"Yes\"}", RDV_FINISH_OTHER);
    check_held("{" Q "answer" Q ":", false, "{\"answer\":", RDV_FINISH_OTHER);
    check_held("[1]", false, "[1]", RDV_FINISH_OTHER);
}

/* What is only offered is asked of a server that is known to do it, and has room in the limit. */
static void test_write__what_is_offered(void **state)
{
    static const rdv_str answers[] = {{"Yes", 3}, {"No", 2}};
    static const struct {
        rdv_can schema, choice;
        bool reasoned;
        const char *has, *most;
    } cases[] = {
        {RDV_CAN, RDV_CAN_UNKNOWN, true, "\"reasoning\"", "\"max_tokens\":132"},
        {RDV_CAN, RDV_CAN, false, "\"response_format\"", "\"max_tokens\":132"},
        {RDV_CANNOT, RDV_CAN, false, "\"grammar\"", "\"max_tokens\":100"},
        {RDV_CANNOT, RDV_CAN, true, NULL, "\"max_tokens\":100"},
        {RDV_CAN_UNKNOWN, RDV_CAN_UNKNOWN, false, NULL, "\"max_tokens\":100"},
        {RDV_CANNOT, RDV_CANNOT, false, NULL, "\"max_tokens\":100"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const rdv_abilities can = {.schema = cases[i].schema, .choice = cases[i].choice};
        rdv_request r = {.messages = talk,
                         .n_messages = 2,
                         .sampling = {NAN, NAN, 100, NULL, 0, false, 0},
                         .answers = answers,
                         .n_answers = 2,
                         .reasoned = cases[i].reasoned,
                         .offered = true};
        rdv_arena *arena = rdv_arena_new(0);
        wire w;
        assert_int_equal(wire_write(&r, RDV_STR("m"), &can, arena, &w, NULL), RDV_OK);
        print_message("%.*s\n", RDV_FMT(w.body));
        bool held = rdv_find(w.body, RDV_STR("response_format"), 0) != RDV_NOT_FOUND ||
                    rdv_find(w.body, RDV_STR("grammar"), 0) != RDV_NOT_FOUND;
        assert_int_equal(held, cases[i].has != NULL);
        if (held)
            assert_true(rdv_find(w.body, rdv_str_of(cases[i].has), 0) != RDV_NOT_FOUND);
        assert_true(rdv_find(w.body, rdv_str_of(cases[i].most), 0) != RDV_NOT_FOUND);
        assert_null(
            w.adapted.p); /* the request was not changed: another server needs not be asked */
        rdv_arena_free(&arena);
    }
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
        cmocka_unit_test(test_read__the_first_of_several_stop_texts),
        cmocka_unit_test(test_read__a_turn_given_back),
        cmocka_unit_test(test_read__prompt_logprobs),
        cmocka_unit_test(test_write__token_grammar),
        cmocka_unit_test(test_write__token_grammar_of_another_text),
        cmocka_unit_test(test_read__parts_of_a_character),
        cmocka_unit_test(test_read__held_to_a_schema),
        cmocka_unit_test(test_write__what_is_offered),
        cmocka_unit_test(test_read__usage),
        cmocka_unit_test(test_read__memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
