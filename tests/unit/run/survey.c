/* SPDX-License-Identifier: Apache-2.0 */
/* What a server can do, from its responses: each test request gets one of the server's making. */
#include "../test.h"
#include "run/survey/survey.h"

#include <math.h>
#include <stdio.h>

/* A server: what it says to each kind of request; NULL: status 404. */
typedef struct fake {
    const char *models, *props, *chat, *text, *tokens;
    const char *no_chat; /* why it refuses a chat, with status 400 */
} fake;

#define REPLY(content)                                                                             \
    "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"" content        \
    "\"},\"finish_reason\":\"stop\"}]}"
#define TEXT "{\"choices\":[{\"index\":0,\"text\":\" 5\",\"finish_reason\":\"stop\"}]}"

static const char *response_to(const fake *f, const char *path)
{
    return strcmp(path, "/models") == 0             ? f->models
           : strcmp(path, "/props") == 0            ? f->props
           : strcmp(path, "/chat/completions") == 0 ? f->chat
           : strcmp(path, "/tokenize") == 0         ? f->tokens
                                                    : f->text;
}

/* Survey it. Returns a fault, or RDV_OK. */
static int survey_it(const fake *f, unsigned items, rdv_arena *arena, survey *s, rdv_abilities *can,
                     rdv_error *err)
{
    const char *path;
    rdv_str body;
    int rc;
    *can = (rdv_abilities){0};
    *s = (survey){0};
    survey_begin(s, RDV_STR("m"), can, items, arena);
    for (size_t n = 0; (rc = survey_next(s, &path, &body, err)) == RDV_OK; n++) {
        const char *response = response_to(f, path);
        long status = response ? 200 : 404;
        assert_true(n < 100); /* it comes to an end, whatever the server says */
        if (f->no_chat && strcmp(path, "/chat/completions") == 0) {
            response = f->no_chat;
            status = 400;
        }
        rc = survey_took(s, status, rdv_str_of(response ? response : "{}"), err);
        if (rc != RDV_OK)
            return rc;
    }
    return rc == RDV_NONE ? RDV_OK : rc;
}

static void test_survey__of_a_server_that_says_nothing(void **state)
{
    fake f = {0};
    survey s;
    rdv_abilities can;
    rdv_arena *arena = rdv_arena_new(0);
    assert_int_equal(survey_it(&f, SURVEY_ALL, arena, &s, &can, NULL), RDV_OK);
    assert_int_equal(can.chat, RDV_CANNOT);
    assert_int_equal(can.completions, RDV_CANNOT);
    assert_false(survey_can_score(&can));
    assert_int_equal(can.prefix, RDV_CAN_UNKNOWN); /* nothing of a chat is asked without one */
    assert_text(s.refused, "HTTP 404: {}");
    rdv_arena_free(&arena);
}

/* The replies do not show what was asked for: the ability is not taken for granted. */
static void test_survey__of_a_server_that_ignores_what_it_is_asked(void **state)
{
    fake f = {.models = "{\"data\":[]}", .chat = REPLY("OK"), .text = TEXT};
    survey s;
    rdv_abilities can;
    rdv_arena *arena = rdv_arena_new(0);
    assert_int_equal(survey_it(&f, SURVEY_ALL, arena, &s, &can, NULL), RDV_OK);
    assert_int_equal(can.chat, RDV_CAN);
    assert_int_equal(can.logprobs, RDV_CANNOT);
    assert_int_equal(can.prefix, RDV_CANNOT);
    assert_int_equal(can.schema, RDV_CANNOT);
    assert_int_equal(can.choice, RDV_CANNOT);
    assert_int_equal(can.many, RDV_CANNOT);
    assert_int_equal(can.stream, RDV_CANNOT);
    assert_false(survey_can_score(&can));
    assert_null(s.refused.p);
    rdv_arena_free(&arena);
}

/* A server that completes texts and has no chat: it says so, or has no path for it. */
static void test_survey__of_a_server_without_a_chat(void **state)
{
    fake f = {.text = TEXT};
    survey s;
    rdv_abilities can;
    rdv_arena *arena = rdv_arena_new(0);
    assert_int_equal(survey_it(&f, SURVEY_ALL, arena, &s, &can, NULL), RDV_OK);
    assert_int_equal(can.chat, RDV_CANNOT);
    assert_int_equal(can.completions, RDV_CAN);
    assert_int_equal(can.schema, RDV_CAN_UNKNOWN);
    f.no_chat = "{\"error\":{\"message\":\"the model does not define a chat template\"}}";
    assert_int_equal(survey_it(&f, SURVEY_ALL, arena, &s, &can, NULL), RDV_OK);
    assert_int_equal(can.chat, RDV_CANNOT);
    assert_int_equal(can.completions, RDV_CAN);
    rdv_arena_free(&arena);
}

/* It cuts a text into tokens, and does not hold a reply to their grammar: it scores no text. */
static void test_survey__of_a_server_without_grammars(void **state)
{
    fake f = {.text = TEXT,
              .tokens =
                  "{\"tokens\":[{\"id\":5,\"piece\":\"1 2\"},{\"id\":6,\"piece\":\" 3 4\"}]}"};
    survey s;
    rdv_abilities can;
    rdv_arena *arena = rdv_arena_new(0);
    assert_int_equal(survey_it(&f, SURVEY_BIT(SURVEY_TOKEN_GRAMMAR), arena, &s, &can, NULL),
                     RDV_OK);
    assert_int_equal(can.token_grammar, RDV_CANNOT);
    assert_false(survey_can_score(&can));
    rdv_arena_free(&arena);
}

static void test_survey__of_a_server_that_is_held_to_one_text(void **state)
{
    fake f = {.chat = REPLY("Reykjavik")};
    survey s;
    rdv_abilities can;
    rdv_arena *arena = rdv_arena_new(0);
    assert_int_equal(survey_it(&f, SURVEY_ALL, arena, &s, &can, NULL), RDV_OK);
    assert_int_equal(can.schema, RDV_CAN);
    assert_int_equal(can.choice, RDV_CAN);
    rdv_arena_free(&arena);
}

static void test_survey__what_cannot_be_read_is_a_refusal(void **state)
{
    static const struct {
        const char *chat, *why;
    } cases[] = {
        {"<!DOCTYPE html><html></html>", WIRE_PAGE},
        {"{", NULL},
        {"{\"choices\":[]}", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fake f = {.chat = cases[i].chat};
        survey s;
        rdv_abilities can;
        rdv_error err;
        rdv_arena *arena = rdv_arena_new(0);
        assert_int_equal(survey_it(&f, SURVEY_ALL, arena, &s, &can, &err), RDV_OK);
        assert_int_equal(can.chat, RDV_CANNOT);
        assert_true(s.refused.len > 0);
        if (cases[i].why)
            assert_true(rdv_str_eq(s.refused, rdv_str_of(cases[i].why)));
        rdv_arena_free(&arena);
    }
}

/* Without memory nothing is concluded: no ability is known that the server did not show. */
static bool survives(const fake *f)
{
    survey s;
    rdv_abilities can;
    rdv_error err = {0};
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena)
        return false;
    int rc = survey_it(f, SURVEY_ALL, arena, &s, &can, &err);
    assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
    assert_true(f->chat || can.chat != RDV_CAN);
    assert_int_not_equal(can.schema, RDV_CAN);
    rdv_arena_free(&arena);
    return rc == RDV_OK;
}

static void test_survey__without_memory(void **state)
{
    static const fake fakes[] = {
        {0},
        {.models = "{\"object\":\"list\",\"data\":[{\"id\":\"m\",\"owned_by\":\"llamacpp\"}]}",
         .props = "{\"total_slots\":4}",
         .chat = REPLY("OK"),
         .text = TEXT,
         .tokens = "{\"tokens\":[1,2]}"},
        {.models = "{\"data\":[{\"id\":\"m\",\"owned_by\":\"vllm\"}]}",
         .chat = "<html>",
         .text = "{",
         .tokens = "{}"},
    };
    for (size_t i = 0; i < sizeof fakes / sizeof *fakes; i++)
        assert_survives_no_memory(survives(&fakes[i]), (void)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_survey__of_a_server_that_says_nothing),
        cmocka_unit_test(test_survey__of_a_server_that_ignores_what_it_is_asked),
        cmocka_unit_test(test_survey__of_a_server_without_a_chat),
        cmocka_unit_test(test_survey__of_a_server_without_grammars),
        cmocka_unit_test(test_survey__of_a_server_that_is_held_to_one_text),
        cmocka_unit_test(test_survey__what_cannot_be_read_is_a_refusal),
        cmocka_unit_test(test_survey__without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
