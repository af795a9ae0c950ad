/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"
#include "base/str.h"
#include "model/wire.h"

static void test_read_error__forms(void **state)
{
    static const struct {
        const char *body, *message, *param, *code;
    } cases[] = {
        {"{\"error\":{\"message\":\"No\\nway\",\"param\":\"stop\",\"code\":\"c\"}}", "No way",
         "stop", "c"},
        {"{\"error\":\"model is loading\"}", "model is loading", "", ""},
        {"{\"object\":\"error\",\"message\":\"bad\",\"param\":null,\"code\":400}", "bad", "", ""},
        {"{\"detail\":\"Not Found\"}", "Not Found", "", ""},
        {"{\"detail\":[{\"loc\":[\"body\",\"stop\"],\"msg\":\"extra\"}]}", "extra", "stop", ""},
        {"<html>\r\n\t<p>502</p>", "a web page", "", ""},
        {"\n<!DOCTYPE HTML>\n<title>Error</title>", "a web page", "", ""},
        {"<Error>\r\n\t<Code>502</Code>", "<Error> <Code>502</Code>", "", ""},
        {"", "", "", ""},
        {"a\x01\xff\x02z", "a z", "", ""},
        {"[1]", "[1]", "", ""},
        {"{}", "{}", "", ""}};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wire_error e;
        assert_int_equal(wire_read_error(rdv_str_of(cases[i].body), arena, &e, NULL), RDV_OK);
        assert_string_equal(rdv_cstring(arena, e.message), cases[i].message);
        assert_string_equal(rdv_cstring(arena, e.param), cases[i].param);
        assert_string_equal(rdv_cstring(arena, e.code), cases[i].code);
    }
    rdv_arena_free(&arena);
}

static void test_read_error__long_ones_are_cut(void **state)
{
    static char body[100000];
    for (size_t i = 0; i < sizeof body; i++)
        body[i] = "\xc3\xa9"[i % 2];
    rdv_arena *arena = rdv_arena_new(0);
    wire_error e;
    assert_int_equal(wire_read_error((rdv_str){body, sizeof body}, arena, &e, NULL), RDV_OK);
    assert_int_equal(e.message.len, 300);
    rdv_arena_free(&arena);
}

/* An error that cannot be kept for want of memory is not taken for another one. */
static void test_read_error__without_memory(void **state)
{
    static const char *const bodies[] = {
        "{\"error\":{\"message\":\"No\",\"param\":\"stop\",\"code\":\"insufficient_quota\"}}",
        "{\"detail\":[{\"loc\":[\"body\",\"stop\"],\"msg\":\"extra\"}]}", "Bad gateway"};
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        rdv_arena *enough = rdv_arena_new(0);
        wire_error whole, e = {0};
        int rc = wire_read_error(rdv_str_of(bodies[i]), enough, &whole, NULL);
        assert_int_equal(rc, RDV_OK);
        rc = RDV_E_NOMEM;
        for (size_t max = 1; rc != RDV_OK; max++) {
            rdv_arena *little = rdv_arena_new(max);
            rc = wire_read_error(rdv_str_of(bodies[i]), little, &e, NULL);
            assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
            if (rc == RDV_OK)
                assert_true(rdv_str_eq(e.message, whole.message) &&
                            rdv_str_eq(e.param, whole.param) && rdv_str_eq(e.code, whole.code));
            rdv_arena_free(&little);
        }
        rdv_arena_free(&enough);
    }
}

/* What servers say, and what it teaches. */
static void test_refused(void **state)
{
    static const unsigned all = ~0u;
    static const struct {
        int status;
        const char *param, *message;
        unsigned uses;
        ability about; /* N_ABILITIES: nothing */
    } cases[] = {
        {400, "max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.",
         all, ABILITY_MAX_TOKENS},
        {400, "max_tokens", "max_tokens is too large: 99999", ABILITY_BIT(ABILITY_MAX_TOKENS),
         N_ABILITIES},
        {400, "max_tokens", "max_tokens must be at least 1, got 0",
         ABILITY_BIT(ABILITY_NO_TOKENS) | ABILITY_BIT(ABILITY_ECHO), ABILITY_NO_TOKENS},
        {400, "temperature", "Unsupported value", ABILITY_BIT(ABILITY_TEMPERATURE),
         ABILITY_TEMPERATURE},
        {400, "temperature", "Unsupported value", ABILITY_BIT(ABILITY_STOP), N_ABILITIES},
        {422, "stop", "extra fields not permitted", ABILITY_BIT(ABILITY_STOP), ABILITY_STOP},
        {400, "", "Unsupported parameter: 'stop' is not supported with this model.",
         ABILITY_BIT(ABILITY_STOP), ABILITY_STOP},
        {400, "", "This model does not support logprobs", ABILITY_BIT(ABILITY_LOGPROBS),
         ABILITY_LOGPROBS},
        {400, "", "System role not supported", ABILITY_BIT(ABILITY_SYSTEM), ABILITY_SYSTEM},
        {400, "", "Developer instruction is not enabled for models/gemma",
         ABILITY_BIT(ABILITY_SYSTEM), ABILITY_SYSTEM},
        {500, "", "Conversation roles must alternate user/assistant/user/assistant/...",
         ABILITY_BIT(ABILITY_FREE_TURNS), ABILITY_FREE_TURNS},
        {400, "", "Unrecognized request argument supplied: continue_final_message",
         ABILITY_BIT(ABILITY_PREFIX), ABILITY_PREFIX},
        {400, "", "Expected last role User or Tool for serving but got assistant",
         ABILITY_BIT(ABILITY_PREFIX), ABILITY_PREFIX},
        {404, "", "This is a chat model and not supported in the v1/completions endpoint",
         ABILITY_BIT(ABILITY_COMPLETIONS), ABILITY_COMPLETIONS},
        {404, "", "Not Found", ABILITY_BIT(ABILITY_COMPLETIONS), ABILITY_COMPLETIONS},
        {405, "", "Method Not Allowed", ABILITY_BIT(ABILITY_COMPLETIONS), ABILITY_COMPLETIONS},
        {404, "", "The model `x` does not exist", ABILITY_BIT(ABILITY_COMPLETIONS), N_ABILITIES},
        {404, "", "Not Found", ABILITY_BIT(ABILITY_CHAT), N_ABILITIES},
        {400, "", "This is not a chat model", ABILITY_BIT(ABILITY_CHAT), ABILITY_CHAT},
        {500, "", "out of memory", all, N_ABILITIES},
        {503, "temperature", "temperature", all, N_ABILITIES},
        {400, "", "I do not like this", all, N_ABILITIES}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_abilities a = {0}, wanted = {0};
        wire w = {.uses = cases[i].uses};
        wire_error e = {rdv_str_of(cases[i].message), rdv_str_of(cases[i].param), RDV_STR("")};
        print_message("%s\n", cases[i].message);
        assert_int_equal(wire_refused(&w, cases[i].status, &e, &a), cases[i].about != N_ABILITIES);
        if (cases[i].about != N_ABILITIES)
            ability_set(&wanted, cases[i].about, RDV_CANNOT);
        assert_memory_equal(&a, &wanted, sizeof a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_error__forms),
        cmocka_unit_test(test_read_error__long_ones_are_cut),
        cmocka_unit_test(test_read_error__without_memory),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
