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
        {"<html>\r\n\t<p>502</p>", "<html> <p>502</p>", "", ""},
        {"", "", "", ""},
        {"a\x01\xff\x02z", "a z", "", ""},
        {"[1]", "[1]", "", ""},
        {"{}", "{}", "", ""}};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wire_error e;
        wire_read_error(rdv_str_of(cases[i].body), arena, &e);
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
    wire_read_error((rdv_str){body, sizeof body}, arena, &e);
    assert_int_equal(e.message.len, 300);
    rdv_arena_free(&arena);
}

/* What servers say, and what it teaches. */
static void test_refused(void **state)
{
    static const unsigned all = ~0u;
    static const struct {
        int status;
        const char *param, *message;
        unsigned uses;
        able about; /* N_ABLE: nothing */
    } cases[] = {
        {400, "max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.",
         all, ABLE_MAX_TOKENS},
        {400, "max_tokens", "max_tokens is too large: 99999", ABLE_BIT(ABLE_MAX_TOKENS), N_ABLE},
        {400, "max_tokens", "max_tokens must be at least 1, got 0",
         ABLE_BIT(ABLE_NO_TOKENS) | ABLE_BIT(ABLE_ECHO), ABLE_NO_TOKENS},
        {400, "temperature", "Unsupported value", ABLE_BIT(ABLE_TEMPERATURE), ABLE_TEMPERATURE},
        {400, "temperature", "Unsupported value", ABLE_BIT(ABLE_STOP), N_ABLE},
        {422, "stop", "extra fields not permitted", ABLE_BIT(ABLE_STOP), ABLE_STOP},
        {400, "", "Unsupported parameter: 'stop' is not supported with this model.",
         ABLE_BIT(ABLE_STOP), ABLE_STOP},
        {400, "", "This model does not support logprobs", ABLE_BIT(ABLE_LOGPROBS), ABLE_LOGPROBS},
        {400, "", "System role not supported", ABLE_BIT(ABLE_SYSTEM), ABLE_SYSTEM},
        {400, "", "Developer instruction is not enabled for models/gemma", ABLE_BIT(ABLE_SYSTEM),
         ABLE_SYSTEM},
        {500, "", "Conversation roles must alternate user/assistant/user/assistant/...",
         ABLE_BIT(ABLE_FREE_TURNS), ABLE_FREE_TURNS},
        {400, "", "Unrecognized request argument supplied: continue_final_message",
         ABLE_BIT(ABLE_PREFIX), ABLE_PREFIX},
        {400, "", "Expected last role User or Tool for serving but got assistant",
         ABLE_BIT(ABLE_PREFIX), ABLE_PREFIX},
        {404, "", "This is a chat model and not supported in the v1/completions endpoint",
         ABLE_BIT(ABLE_COMPLETIONS), ABLE_COMPLETIONS},
        {404, "", "Not Found", ABLE_BIT(ABLE_COMPLETIONS), ABLE_COMPLETIONS},
        {405, "", "Method Not Allowed", ABLE_BIT(ABLE_COMPLETIONS), ABLE_COMPLETIONS},
        {404, "", "The model `x` does not exist", ABLE_BIT(ABLE_COMPLETIONS), N_ABLE},
        {404, "", "Not Found", ABLE_BIT(ABLE_CHAT), N_ABLE},
        {400, "", "This is not a chat model", ABLE_BIT(ABLE_CHAT), ABLE_CHAT},
        {500, "", "out of memory", all, N_ABLE},
        {503, "temperature", "temperature", all, N_ABLE},
        {400, "", "I do not like this", all, N_ABLE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_abilities a = {0}, wanted = {0};
        wire w = {.uses = cases[i].uses};
        wire_error e = {rdv_str_of(cases[i].message), rdv_str_of(cases[i].param), RDV_STR("")};
        print_message("%s\n", cases[i].message);
        assert_int_equal(wire_refused(&w, cases[i].status, &e, &a), cases[i].about != N_ABLE);
        if (cases[i].about != N_ABLE)
            able_set(&wanted, cases[i].about, RDV_CANNOT);
        assert_memory_equal(&a, &wanted, sizeof a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_error__forms),
        cmocka_unit_test(test_read_error__long_ones_are_cut),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
