/* SPDX-License-Identifier: Apache-2.0 */
/* Prompt files taken apart, and the set with its replacements. */
#include "prompt/parse.h"

#include "../arena.h"
#include "../test.h"
#include "../text/golden.h"
#include "prompt/embedded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what is wrong with a file --------------------------------------------------------------- */

static void test_parse__faults_and_their_lines(void **state)
{
    rdv_arena *arena = *state;
    size_t n, faults = 0;
    const golden_case *cases = golden_read("prompt-faults.txt", arena, &n);
    for (size_t i = 0; i < n; i++) {
        const golden_section *text = golden_find(&cases[i], "text");
        const golden_section *fault = golden_find(&cases[i], "fault");
        rdv_error err = {0};
        prompt p;
        int rc = prompt_parse(&p, text->text, arena, &err);
        rdv_str expected =
            fault ? rdv_str_printf(arena, "line %.*s", RDV_FMT(fault->rest)) : RDV_STR("");
        size_t space = rdv_find_char(expected, ' ', 5);
        if (fault)
            expected = rdv_str_printf(arena, "%.*s:%.*s", (int)space, expected.p,
                                      RDV_FMT(rdv_slice(expected, space, expected.len)));
        if (!rdv_str_eq(rdv_str_of(err.msg), expected))
            fail_msg("%.*s: \"%s\" is not \"%.*s\"", RDV_FMT(cases[i].name), err.msg,
                     RDV_FMT(expected));
        assert_int_equal(rc, fault ? RDV_E_INPUT : RDV_OK);
        faults += fault != NULL;
    }
    assert_true(faults > 70);
}

static void test_parse__limits(void **state)
{
    rdv_arena *arena = *state;
    static char text[PROMPT_MAX_BYTES + 1];
    memset(text, 'x', sizeof text);
    rdv_error err = {0};
    prompt p;
    assert_int_equal(prompt_parse(&p, (rdv_str){text, sizeof text}, arena, &err), RDV_E_LIMIT);
    assert_string_equal(err.msg, "line 1: a prompt has at most 65536 bytes");
    assert_int_equal(prompt_parse(&p, RDV_STR("---\n\xff\n"), arena, &err), RDV_E_INPUT);
    assert_string_equal(err.msg, "line 1: a prompt is UTF-8");
    assert_int_equal(prompt_parse(&p, RDV_STR("---\r\nid: t\r\n---\r\n"), arena, &err),
                     RDV_E_INPUT);
    assert_string_equal(err.msg, "line 1: a prompt begins with a line \"---\"");
}

static void test_parse__sampling(void **state)
{
    rdv_arena *arena = *state;
    prompt p;
    rdv_str text = RDV_STR("---\nid: t\nsource: s\nprofile: paper\nvariables: a\n"
                           "temperature: 0.25\nmax_tokens: 1234\nstop: \"a\\n\", \"\\\"\\\\,\"\n"
                           "---\n## user\n{{a}}");
    assert_int_equal(prompt_parse(&p, text, arena, NULL), RDV_OK);
    const rdv_sampling *s = prompt_sampling(&p);
    assert_true(s->temperature == 0.25);
    assert_true(isnan(s->top_p));
    assert_int_equal(s->max_tokens, 1234);
    assert_int_equal(s->n_stop, 2);
    assert_text(s->stop[0], "a\n");
    assert_text(s->stop[1], "\"\\,");
    assert_false(s->logprobs);
}

static void test_parse__sampling_left_to_the_server(void **state)
{
    rdv_arena *arena = *state;
    prompt p;
    rdv_str text =
        RDV_STR("---\nid: t\nsource: s\nprofile: both\nvariables: a\n---\n## user\n{{a}}");
    assert_int_equal(prompt_parse(&p, text, arena, NULL), RDV_OK);
    assert_true(isnan(prompt_sampling(&p)->temperature));
    assert_int_equal(prompt_sampling(&p)->max_tokens, 0);
    assert_int_equal(prompt_sampling(&p)->n_stop, 0);
}

/* ---- the compiled-in prompts ----------------------------------------------------------------- */

static const struct {
    const char *id;
    double temperature;
    uint32_t max_tokens;
} settings[] = {
    {"generate", 1, 1000},
    {"selfcheck/variables", 0, 1000},
    {"selfcheck/target", 1, 300},
    {"selfcheck/collect", 1, 300},
    {"selfcheck/regenerate", 1, 1000},
    {"selfcheck/compare", 1, 300},
    {"global", 1, 1000},
    {"single-stage", 1, 1000},
    {"error-check", 1, 1000},
    {"error-check-1shot", 1, 1000},
};

static void test_set__all_prompts_with_their_settings(void **state)
{
    rdv_arena *arena = *state;
    rdv_prompts *set;
    assert_int_equal(prompts_new(NULL, 0, arena, &set, NULL), RDV_OK);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const prompt *p = prompt_named(set, rdv_str_of(settings[i].id));
        assert_non_null(p);
        assert_true(prompt_sampling(p)->temperature == settings[i].temperature);
        assert_int_equal(prompt_sampling(p)->max_tokens, settings[i].max_tokens);
        assert_int_equal(prompt_sampling(p)->n_stop, 0);
    }
    assert_null(prompt_named(set, RDV_STR("selfcheck")));
    assert_null(prompt_named(set, (rdv_str){0}));
}

static void test_embedded__is_the_file(void **state)
{
    rdv_arena *arena = *state;
    for (size_t i = 0; i < prompt_n_all; i++) {
        const prompt_embedded *e = &prompt_all[i];
        rdv_str path = rdv_str_printf(arena, "../../prompts/%s.md", e->id);
        rdv_str file = golden_text(path.p, arena);
        assert_true(rdv_str_eq(file, (rdv_str){e->text, e->len}));
        assert_int_equal(strlen(e->sha256), 64);
        assert_true(i == 0 || strcmp(prompt_all[i - 1].id, e->id) < 0);
    }
}

/* ---- replacements ---------------------------------------------------------------------------- */

#define HEAD(id, variables)                                                                        \
    "---\nid: " id "\nsource: mine\nprofile: both\nvariables: " variables "\n---\n## user\n"

static const struct {
    const char *id, *text, *fault;
} replacements[] = {
    {"selfcheck/compare",
     HEAD("selfcheck/compare", "kind, regenerated, step") "{{kind}}{{regenerated}}{{step}}", ""},
    {"selfcheck/compare",
     HEAD("selfcheck/compare", "step, kind, regenerated") "{{kind}}{{regenerated}}{{step}}", ""},
    {"compare", HEAD("compare", "kind") "{{kind}}",
     "prompt compare: there is no prompt of this id"},
    {"selfcheck/compare", HEAD("global", "kind") "{{kind}}",
     "prompt selfcheck/compare: its head says global"},
    {"selfcheck/compare", HEAD("selfcheck/compare", "kind, step") "{{kind}}{{step}}",
     "prompt selfcheck/compare: the variable regenerated of the prompt it replaces is missing"},
    {"selfcheck/compare",
     HEAD("selfcheck/compare",
          "kind, step, regenerated, number") "{{kind}}{{step}}{{regenerated}}{{number}}",
     "prompt selfcheck/compare: the prompt it replaces has no such variable number"},
    {"global", HEAD("global", "question, steps") "{{question}}{{steps}}",
     "prompt global: the variable steps of the prompt it replaces is missing"},
    {"global",
     HEAD("global",
          "question, steps[text, note]") "{{question}}{{#steps}}{{text}}{{note}}{{/steps}}",
     "prompt global: the variable steps of the prompt it replaces is missing"},
    {"global",
     HEAD("global", "input, options[text], steps[text]") //
     "{{input}}{{#options}}{{text}}{{/options}}{{#steps}}{{text}}{{/steps}}",
     ""},
    {"global",
     HEAD("global", "question, options, steps[text]") //
     "{{question}}{{options}}{{#steps}}{{text}}{{/steps}}",
     "prompt global: the prompt it replaces has no such variable options"},
    {"global", HEAD("global", "question, steps[text]") "{{question}}{{#steps}}{{text}}",
     "prompt global: line 8: the section steps is not closed"},
};

static void test_set__replacements(void **state)
{
    rdv_arena *arena = *state;
    for (size_t i = 0; i < sizeof replacements / sizeof *replacements; i++) {
        rdv_prompt_text text = {rdv_str_of(replacements[i].id), rdv_str_of(replacements[i].text)};
        rdv_error err = {0};
        rdv_prompts *set = NULL;
        bool good = !*replacements[i].fault;
        assert_int_equal(prompts_new(&text, 1, arena, &set, &err), good ? RDV_OK : RDV_E_INPUT);
        assert_string_equal(err.msg, replacements[i].fault);
        assert_int_equal(set != NULL, good);
    }
}

static void test_set__replaced_twice(void **state)
{
    rdv_arena *arena = *state;
    rdv_prompt_text text = {rdv_str_of(replacements[0].id), rdv_str_of(replacements[0].text)};
    rdv_prompt_text both[] = {text, text};
    rdv_error err = {0};
    rdv_prompts *set = NULL;
    assert_int_equal(prompts_new(both, 2, arena, &set, &err), RDV_E_INPUT);
    assert_string_equal(err.msg, "prompt selfcheck/compare: it is replaced twice");
}

static void test_set__memory_fails(void **state)
{
    rdv_prompt_text text = {rdv_str_of(replacements[0].id), rdv_str_of(replacements[0].text)};
    rdv_arena *arena = NULL;
    rdv_prompts *set = NULL;
    assert_survives_no_memory(
        (arena = rdv_arena_new(0)) && prompts_new(&text, 1, arena, &set, NULL) == RDV_OK, {
            assert_null(set);
            rdv_arena_free(&arena);
        });
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse__faults_and_their_lines),
        cmocka_unit_test(test_parse__limits),
        cmocka_unit_test(test_parse__sampling),
        cmocka_unit_test(test_parse__sampling_left_to_the_server),
        cmocka_unit_test(test_set__all_prompts_with_their_settings),
        cmocka_unit_test(test_embedded__is_the_file),
        cmocka_unit_test(test_set__replacements),
        cmocka_unit_test(test_set__replaced_twice),
        cmocka_unit_test(test_set__memory_fails),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
