/* SPDX-License-Identifier: Apache-2.0 */
/* What servers say of themselves: the forms of llama.cpp, vLLM, Ollama and others. */
#include "model/wire.h"

#include "../arena.h"
#include "../test.h"

#include "base/str.h"

static const struct {
    const char *body, *names;
    rdv_software software;
} lists[] = {
    {"{\"object\":\"list\",\"data\":[]}", "", RDV_SOFTWARE_UNKNOWN},
    {"{\"data\":[{\"id\":\"m.gguf\",\"aliases\":[\"m.gguf\",\"small\"],\"owned_by\":\"llamacpp\"}]"
     "}",
     "m.gguf small ", RDV_SOFTWARE_LLAMA_CPP},
    {"{\"data\":[{\"id\":\"a\",\"owned_by\":\"vllm\"},{\"id\":\"b\"}]}", "a b ", RDV_SOFTWARE_VLLM},
    {"{\"data\":[{\"id\":\"a\",\"owned_by\":\"library\"}]}", "a ", RDV_SOFTWARE_OLLAMA},
    {"{\"data\":[{\"id\":\"a\",\"owned_by\":\"sglang\"}]}", "a ", RDV_SOFTWARE_SGLANG},
    {"{\"data\":[{\"id\":1},{\"id\":\"a\",\"owned_by\":\"openai\"},[],null]}", "a ",
     RDV_SOFTWARE_UNKNOWN},
};

static void test_models__names_and_software(void **state)
{
    rdv_arena *arena = *state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        wire_about about;
        rdv_str names = RDV_STR("");
        assert_int_equal(wire_read_models(rdv_str_of(lists[i].body), arena, &about, NULL), RDV_OK);
        for (size_t k = 0; k < about.n_models; k++)
            names = rdv_str_printf(arena, "%.*s%.*s ", RDV_FMT(names), RDV_FMT(about.models[k]));
        assert_true(rdv_str_eq(names, rdv_str_of(lists[i].names)));
        assert_int_equal(about.software, lists[i].software);
    }
}

static void test_models__no_list(void **state)
{
    static const char *const bodies[] = {
        "", "[]", "{}", "{\"data\":{}}", "<html>", "{\"data\":\"a\"}"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        wire_about about;
        rdv_error err = {0};
        assert_int_equal(wire_read_models(rdv_str_of(bodies[i]), *state, &about, &err),
                         RDV_E_INPUT);
        assert_int_equal(about.n_models, 0);
    }
}

static void test_props__slots_and_template(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        size_t slots;
        bool no_template;
    } all[] = {
        {"{\"total_slots\":4,\"chat_template\":\"{% for m in messages %}{{ m }}{% endfor %}\"}", 4,
         false},
        {"{\"total_slots\":1,\"chat_template\":\"\"}", 1, true},
        {"{\"total_slots\":1,\"chat_template\":\"{%- for message in messages -%}\\n  "
         "{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}\\n"
         "{%- endfor -%}\"}",
         1, true},
        {"{}", 0, false},
        {"[]", 0, false},
        {"{\"total_slots\":-1}", 0, false},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        wire_props props;
        assert_int_equal(wire_read_props(rdv_str_of(all[i].body), &props, NULL), RDV_OK);
        assert_int_equal(props.slots, all[i].slots);
        assert_int_equal(props.no_template, all[i].no_template);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models__names_and_software),
        cmocka_unit_test(test_models__no_list),
        cmocka_unit_test(test_props__slots_and_template),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
