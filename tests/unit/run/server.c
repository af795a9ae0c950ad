/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"
#include "base/arena.h"
#include "base/str.h"
#include "run/server.h"
#include "run/survey/survey_call.h"

#include <stdlib.h>

static char key[] = "sk-proj/secret+0123";
static const server with_key = {.key = key};

static void check_hidden(const char *sent, const char *kept)
{
    char *bytes = strdup(sent);
    server_hide_key(&with_key, bytes, strlen(sent));
    assert_int_equal(strlen(bytes), strlen(sent)); /* JSON stays JSON */
    if (kept && strcmp(bytes, kept) != 0)
        fail_msg("%s became %s", sent, bytes);
    free(bytes);
}

static void test_bytes__however_they_are_escaped(void **state)
{
    check_hidden("a sk-proj/secret+0123 b", "a ******************* b");
    check_hidden("sk-proj/secret+0123sk-proj/secret+0123",
                 "**************************************");
    check_hidden("\"sk\\u002dproj/secret+0123\"", "\"************************\"");
    check_hidden("\"sk\\u002Dproj\\/secret\\u002b0123\"", "\"******************************\"");
    check_hidden("\"\\u0073k-proj/secret+0123\"", "\"************************\"");
    check_hidden("{\"e\":\"{\\\"k\\\":\\\"sk\\\\u002dproj\\\\/secret+0123\\\"}\"}",
                 "{\"e\":\"{\\\"k\\\":\\\"***************************\\\"}\"}");
}

static void test_bytes__what_is_no_key_stays(void **state)
{
    static const char *const others[] = {
        "",
        "sk-proj/secret+012",
        "sk\\u002eproj/secret+0123",
        "sk\\u002",
        "sku002dproj/secret+0123",
        "sk-proj/secret+012\\",
        "sk-proj/secret+012\\u003",
        "sk-proj/secret+012\\u+033",
        "ssk-proj/secre\\\\\\\\",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        check_hidden(others[i], others[i]);
    char word[] = "short", text[] = "a short key";
    server s = {.key = word};
    server_hide_key(&s, text, strlen(text));
    assert_string_equal(text, "a short key");
    server_hide_key(&(server){0}, text, strlen(text));
    server_hide_key(&with_key, NULL, 0);
}

/* Backslashes without end take no longer than their number. */
static void test_bytes__many_escapes(void **state)
{
    size_t n = (size_t)4 << 20;
    char *bytes = malloc(n);
    assert_non_null(bytes);
    memset(bytes, '\\', n);
    server_hide_key(&with_key, bytes, n);
    assert_int_equal(bytes[n - 1], '\\');
    free(bytes);
}

/* used: bytes of the arena that are taken before. */
static void check_every_place(size_t used)
{
    rdv_arena *arena = rdv_arena_new(0);
    assert_non_null(rdv_alloc(arena, used));
    rdv_alternative others[] = {{RDV_STR("-proj/sec"), -1}, {RDV_STR("x"), -2}};
    rdv_alternative whole[] = {{rdv_str_of(key), -1}};
    rdv_token tokens[] = {{.text = RDV_STR("is")},
                          {.text = RDV_STR(" sk"), .other = whole, .n_other = 1},
                          {.text = RDV_STR("")},
                          {.text = RDV_STR("-proj/sec"), .other = others, .n_other = 2},
                          {.text = RDV_STR("ret+0123.")},
                          {.text = RDV_STR("end")}};
    rdv_reply reply = {.text = RDV_STR("is sk-proj/secret+0123.end"),
                       .adapted = RDV_STR("no sk-proj/secret+0123"),
                       .tokens = tokens,
                       .n_tokens = 6};
    assert_int_equal(server_hide_key_in(&with_key, &reply, arena, NULL), RDV_OK);
    assert_text(reply.text, "is *******************.end");
    assert_text(reply.adapted, "no *******************");
    static const char *const texts[] = {"is", " **", "", "*********", "********.", "end"};
    for (size_t i = 0; i < 6; i++)
        assert_true(rdv_str_eq(reply.tokens[i].text, rdv_str_of(texts[i])));
    assert_text(reply.tokens[1].other[0].text, "*******************");
    assert_text(reply.tokens[3].other[0].text, "*********");
    assert_text(reply.tokens[3].other[1].text, "x");
    rdv_arena_free(&arena);
}

/* Also where a copy begins a block of the arena, so that nothing but the block's head is before it.
 */
static void test_reply__in_every_place(void **state)
{
    (void)state;
    for (size_t used = 16; used < 4096; used += 16)
        check_every_place(used);
}

static void test_reply__without_the_key_is_left_alone(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_token token = {.text = RDV_STR("x")};
    rdv_reply reply = {.text = RDV_STR("x"), .tokens = &token, .n_tokens = 1}, was = reply;
    assert_int_equal(server_hide_key_in(&with_key, &reply, arena, NULL), RDV_OK);
    assert_ptr_equal(reply.text.p, was.text.p);
    assert_ptr_equal(reply.tokens, was.tokens);
    assert_null(reply.adapted.p);
    rdv_arena_free(&arena);
}

/* ---- its headers ----------------------------------------------------------------------------- */

/* Where no key is given, one may be wanted; a 403 after an answer is about one request only. */
static void test_blames_key(void **state)
{
    host h = {0};
    server s = {.base.host = &h}, keyed = {.base.host = &h, .key = key};
    assert_string_equal(server_blames_key(&s, 401), "wants an API key");
    assert_string_equal(server_blames_key(&keyed, 401), "refuses the API key");
    assert_string_equal(server_blames_key(&keyed, 403), "refuses the API key");
    assert_null(server_blames_key(&keyed, 404));
    h.answers = 1;
    assert_null(server_blames_key(&keyed, 403));
    assert_non_null(server_blames_key(&keyed, 401));
}

static void test_init__addresses(void **state)
{
    static const rdv_endpoint with = {.spec.url = {"http://h/v1", 11},
                                      .api_key = {" key-0123 ", 10}},
                              without = {.spec.url = {"http://h/api", 12}};
    server s;
    host h = {0};
    assert_int_equal(server_init(&s, &with, &h, NULL), RDV_OK);
    assert_string_equal(server_url(&s, "/models"), "http://h/v1/models");
    assert_string_equal(server_url(&s, "/tokenize"), "http://h/tokenize");
    assert_string_equal(s.key, "key-0123");
    assert_false(server_lacks_version(&s));
    server_deinit(&s);
    assert_int_equal(server_init(&s, &without, &h, NULL), RDV_OK);
    assert_string_equal(server_url(&s, "/tokenize"), "http://h/api/tokenize");
    assert_null(s.key);
    assert_true(server_lacks_version(&s));
    server_deinit(&s);
}

static void test_init__a_byte_that_no_key_has(void **state)
{
    static const char *const keys[] = {"sk 1", "sk\x7f", "sk\n1", "sk\xc3\xa9"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        rdv_endpoint with = {.spec.url = RDV_STR("http://h/v1"), .api_key = rdv_str_of(keys[i])};
        server s;
        host h = {0};
        assert_int_equal(server_init(&s, &with, &h, NULL), RDV_E_ARGUMENT);
        server_deinit(&s);
    }
}

/* Either the key is hidden everywhere, or the reply is not given out. */
static bool hides(void)
{
    static const char first[] = "sk-proj/sec", second[] = "ret+0123";
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena)
        return false;
    rdv_alternative others[] = {{rdv_str_of(first), -1}, {rdv_str_of(key), -2}};
    rdv_token tokens[] = {{.text = rdv_str_of(first), .other = others, .n_other = 2},
                          {.text = rdv_str_of(second)}};
    rdv_reply reply = {.text = rdv_str_of(key),
                       .adapted = rdv_str_of(key),
                       .finish_said = rdv_str_of(key),
                       .tokens = tokens,
                       .n_tokens = 2};
    int rc = server_hide_key_in(&with_key, &reply, arena, NULL);
    assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
    if (rc == RDV_OK) {
        const rdv_str all[] = {reply.text,     reply.adapted,  reply.finish_said, tokens[0].text,
                               tokens[1].text, others[0].text, others[1].text};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            for (size_t k = 0; k < all[i].len; k++)
                assert_int_equal(all[i].p[k], '*');
    }
    rdv_arena_free(&arena);
    return rc == RDV_OK;
}

static void test_reply__without_memory(void **state)
{
    assert_survives_no_memory(hides(), (void)0);
}

/* What a server was found to be able to do, in a line for people: it scores a text by one way, and
 * nothing is streamed where it does not stream. */
static void test_described(void **state)
{
    char line[400];
    host slow = {.slow = true};
    server s = {.base.host = &slow, .surveyed = SURVEY_ALL};
    s.base.abilities.prompt_logprobs = RDV_CAN;
    s.base.abilities.stream = RDV_CANNOT;
    s.base.abilities.choice = RDV_CAN;
    assert_true(survey_call_describe(&s, line, sizeof line));
    assert_string_equal(line, "holds replies to one of a few texts");
    s.base.abilities.prompt_logprobs = RDV_CANNOT;
    s.base.abilities.stream = RDV_CAN;
    assert_true(survey_call_describe(&s, line, sizeof line));
    assert_string_equal(line, "does not score a given text; takes long, so replies are streamed; "
                              "holds replies to one of a few texts");
}

/* A server is asked at once where all is known of it that the request needs, and not while it is
 * surveyed, nor once its run has ended. */
static void test_surveyed(void **state)
{
    static const rdv_message turns[] = {{RDV_USER, {"a", 1}}, {RDV_ASSISTANT, {"b", 1}}};
    run_context run = {.end = RDV_END_BUDGET};
    server s = {.surveyed = SURVEY_SERVER, .run = &run};
    rdv_request turn = {.kind = RDV_REQUEST_CONTINUE, .messages = turns, .n_messages = 1};
    rdv_str answer = RDV_STR("5");
    assert_int_equal(survey_call_ready(&s, &turn, false, NULL),
                     RDV_OK); /* no turn comes before it */
    s.surveyed = SURVEY_ALL;
    s.base.abilities.chat = RDV_CANNOT;
    turn.n_messages = 2;
    assert_int_equal(survey_call_ready(&s, &turn, false, NULL), RDV_OK);
    turn.answers = &answer;
    turn.n_answers = 1;
    assert_int_equal(survey_call_ready(&s, &turn, false, NULL), RDV_OK);
    s.surveying = SURVEY_BIT(SURVEY_PREFIX);
    assert_int_equal(survey_call_ready(&s, &turn, false, NULL), RDV_LATER);
    assert_int_equal(survey_call_due(&s, NULL), RDV_OK);
    assert_false(s.out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_described),
        cmocka_unit_test(test_surveyed),
        cmocka_unit_test(test_bytes__however_they_are_escaped),
        cmocka_unit_test(test_bytes__what_is_no_key_stays),
        cmocka_unit_test(test_bytes__many_escapes),
        cmocka_unit_test(test_reply__in_every_place),
        cmocka_unit_test(test_reply__without_the_key_is_left_alone),
        cmocka_unit_test(test_reply__without_memory),
        cmocka_unit_test(test_blames_key),
        cmocka_unit_test(test_init__addresses),
        cmocka_unit_test(test_init__a_byte_that_no_key_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
