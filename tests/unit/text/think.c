/* SPDX-License-Identifier: Apache-2.0 */
/* What a model thought, apart from what it replied. */
#include "../test.h"
#include "base/str.h"
#include "text/think.h"

static const struct {
    const char *text;
    const char *reply;  /* without what was thought */
    const char *spoken; /* after all that was thought; NULL: the same */
    const char *thought;
} cases[] = {
    {"<think>a</think>b", "b", NULL, "a"},
    {"[THINK]a[/THINK]b", "b", NULL, "a"},
    {"\u25c1think\u25b7a\u25c1/think\u25b7b", "b", NULL, "a"},
    {"<seed:think>a</seed:think>b", "b", NULL, "a"},
    {"<thought>\na\n</thought>\n\nb", "b", NULL, "a"},
    {"<|channel>thought\na<channel|>b", "b", NULL, "a"},
    {"<|START_THINKING|>a<|END_THINKING|>b", "b", NULL, "a"},
    {"<|open|>think<|sep|>a<|close|>think<|sep|>b", "b", NULL, "a"},
    {"<unused94>thought\na<unused95>b", "b", NULL, "a"},
    /* gpt-oss: with every mark, without the turns, by a server that writes the marks only of what
     * was thought, and by a decoder that drops them all */
    {"<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b", "b",
     NULL, "a"},
    {"<|channel|>analysis<|message|>a<|channel|>final <|constrain|>json<|message|>b", "b", NULL,
     "a"},
    {"<|start|>assistant<|channel|>final<|message|>b", "b", NULL, ""},
    {"<|channel|>final<|message|>b", "b", NULL, ""},
    {"<|channel|>analysis<|message|>a<|end|>b", "b", NULL, "a"},
    {"<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}", "", NULL, "{}"},
    {"analysisWe need it.assistantfinalb", "b", NULL, "We need it."},
    {"analysisWe need it", "", NULL, "We need it"},
    /* no thinking */
    {"analysis of the step", "analysis of the step", NULL, ""},
    {"b<|end|>", "b<|end|>", NULL, ""},
    {"a < b, [T] and <thin", "a < b, [T] and <thin", NULL, ""},
    {"", "", NULL, ""},
    /* where it begins, and where it ends */
    {"a</seed:think>b", "b", NULL, "a"},
    {"[THINK]a", "", NULL, "a"},
    {"b[THINK]a", "b", NULL, "a"},
    {"<think>a</think>b<think>c</think>d", "bd", "d", "a\n\nc"},
    {"<reasoning>a</reasoning>b", "b", NULL, "a"},
    /* opened or closed twice: nothing that was thought is left out */
    {"<think><think>a</think>b</think>", "", NULL, "a\n\nb"},
    {"<think>a</think>b</think>c", "c", NULL, "a\n\nb"},
    {"<think>a<think>b</think>c", "c", NULL, "a\n\nb"},
};

static void test_think__of_a_reply(void **state)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str text = rdv_str_of(cases[i].text), reply, thought;
        const char *spoken = cases[i].spoken ? cases[i].spoken : cases[i].reply;
        print_message("%s\n", cases[i].text);
        assert_int_equal(think_split(text, true, arena, &reply, &thought, NULL), RDV_OK);
        assert_string_equal(rdv_cstring(arena, reply), cases[i].reply);
        assert_string_equal(rdv_cstring(arena, thought), cases[i].thought);
        assert_true(think_is_marked(text, true) || rdv_str_eq(reply, text));
        assert_string_equal(rdv_cstring(arena, think_spoken(text)), spoken);
        rdv_arena_free(&arena);
    }
}

/* In a record "<reasoning>" holds the solution, and a word is no mark. */
static void test_think__of_a_record(void **state)
{
    static const char *const kept[] = {"<reasoning>1 + 1 = 2</reasoning><answer>2</answer>",
                                       "analysisWe need it.assistantfinal2"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str reply, thought;
        assert_int_equal(think_split(rdv_str_of(kept[i]), false, arena, &reply, &thought, NULL),
                         RDV_OK);
        assert_string_equal(rdv_cstring(arena, reply), kept[i]);
        assert_false(think_is_marked(rdv_str_of(kept[i]), false));
        rdv_arena_free(&arena);
    }
}

static void test_think__marks_of_the_end(void **state)
{
    static const struct {
        const char *text, *rest;
    } ends[] = {
        {"Yes.<|im_end|>", "Yes."},
        {"Yes.<|eot_id|>\n", "Yes."},
        {"Yes.\n<|end|><|endoftext|>", "Yes.\n"},
        {"Yes.<\uff5cend\u2581of\u2581sentence\uff5c>", "Yes."},
        {"<end_of_turn>", ""},
        {"Yes.", "Yes."},
        {"Yes. ", "Yes. "},
        {"Yes.<|im_end|> No.", "Yes.<|im_end|> No."},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        assert_string_equal(rdv_cstring(arena, think_without_end(rdv_str_of(ends[i].text))),
                            ends[i].rest);
        rdv_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_think__of_a_reply),
        cmocka_unit_test(test_think__of_a_record),
        cmocka_unit_test(test_think__marks_of_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
