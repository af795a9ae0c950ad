/* SPDX-License-Identifier: Apache-2.0 */
/* Method files taken apart, and held to the prompts that they name. */
#include "method/table.h"

#include "../arena.h"
#include "../test.h"
#include "../text/golden.h"
#include "base/buf.h"

#include <rederive/method.h>
#include <rederive/plan.h>

#include <stdio.h>

#define HEAD "---\nmethod: t\nsource: ours\nsummary: a test\nconclude: verdict\n---\n"

/* ---- what is wrong with a file --------------------------------------------------------------- */

static void check_case(const golden_case *c, bool crlf, rdv_arena *arena)
{
    const golden_section *text = golden_find(c, "text"), *fault = golden_find(c, "fault");
    rdv_error err = {0};
    method_table table = {0};
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < text->text.len; i++) {
        if (crlf && text->text.p[i] == '\n')
            rdv_buf_add_char(&b, '\r');
        rdv_buf_add_char(&b, text->text.p[i]);
    }
    rdv_str made = b.len ? rdv_buf_str(&b) : RDV_STR("");
    int rc = method_table_read(&table, made, arena, &err);
    rdv_str expected = fault ? fault->rest : RDV_STR("");
    size_t space = rdv_find_char(expected, ' ', 0);
    if (fault)
        expected = rdv_str_printf(arena, "%.*s:%.*s", (int)space, expected.p,
                                  RDV_FMT(rdv_slice(expected, space, expected.len)));
    if (!rdv_str_eq(rdv_str_of(err.msg), expected))
        fail_msg("%.*s: \"%s\" is not \"%.*s\"", RDV_FMT(c->name), err.msg, RDV_FMT(expected));
    assert_int_equal(rc, fault ? RDV_E_INPUT : RDV_OK);
    assert_int_equal(table.n_stages > 0, !fault); /* untouched on failure */
}

static void test_read__faults_and_their_lines(void **state)
{
    size_t n, faults = 0;
    const golden_case *cases = golden_read("method-faults.txt", *state, &n);
    for (size_t i = 0; i < n; i++) {
        check_case(&cases[i], false, *state);
        check_case(&cases[i], true, *state); /* lines may end as on Windows */
        faults += golden_find(&cases[i], "fault") != NULL;
    }
    assert_true(faults > 200 && n - faults > 30);
}

static void fault_is(rdv_str text, int code, const char *msg, rdv_arena *arena)
{
    rdv_error err = {0};
    method_table table = {0};
    assert_int_equal(method_table_read(&table, text, arena, &err), code);
    assert_string_equal(err.msg, msg);
    assert_int_equal(table.n_stages, 0);
}

static void test_read__bytes(void **state)
{
    static char text[TABLE_MAX_BYTES + 1];
    rdv_str too_long = {text, sizeof text};
    memset(text, 'x', sizeof text);
    fault_is(too_long, RDV_E_LIMIT, "1: a method has at most 65536 bytes", *state);
    fault_is((rdv_str){0}, RDV_E_INPUT, "1: a method begins with a line \"---\"", *state);
    fault_is(RDV_STR("---\nmethod: \xff\n"), RDV_E_INPUT, "1: a method is UTF-8", *state);
    fault_is(RDV_STR("---\nmethod: t\0\n"), RDV_E_INPUT, "2: a method has no control characters",
             *state);
    fault_is(RDV_STR("---\n\nsummary: \x1b[31m\n"), RDV_E_INPUT,
             "3: a method has no control characters", *state);
    fault_is(RDV_STR("---\nmethod: t\rsource: u\n"), RDV_E_INPUT,
             "2: a method has no control characters", *state);
    fault_is(RDV_STR("---\nmethod: t\x7f\n"), RDV_E_INPUT, "2: a method has no control characters",
             *state);
    fault_is(RDV_STR("\xef\xbb\xbf---\nmethod: t\n"), RDV_E_INPUT,
             "1: a method begins with a line \"---\"", *state);
}

/* A text of `head`, so many times `part`, and `tail`. */
static rdv_str made_of(const char *head, const char *part, size_t times, const char *tail,
                       rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, rdv_str_of(head));
    for (size_t i = 0; i < times; i++)
        rdv_buf_add(&b, rdv_str_of(part));
    rdv_buf_add(&b, rdv_str_of(tail));
    return rdv_buf_str(&b);
}

/* A file of the greatest length is read in little memory, whatever its lines are. */
static void test_read__long_files(void **state)
{
    static const char *const parts[] = {" x\n", "\n", "x", "\xc3\xa9", " \"\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        rdv_arena *arena = rdv_arena_new((size_t)4 << 20);
        method_table table;
        rdv_str text =
            made_of("---\nmethod: t\nsource: ours\nsummary: a test\nconclude: verdict\n---\n"
                    "## a\nread: choice yes-no\nexample: \"",
                    parts[i], (TABLE_MAX_BYTES - 200) / strlen(parts[i]), " \"\n", *state);
        int rc = method_table_read(&table, text, arena, NULL);
        assert_int_equal(rc, i == 1 || i == 4 ? RDV_E_INPUT : RDV_OK);
        rdv_arena_free(&arena);
    }
}

/* Each fault quotes no more than a line's worth of the file. */
static void test_read__long_names(void **state)
{
    static const char *const forms[] = {"---\nmethod: ",
                                        "---\n",
                                        HEAD "## ",
                                        HEAD "## a\nread: ",
                                        HEAD "## a\nafter: ",
                                        HEAD "## a\nread: choice \"",
                                        HEAD "## a\nprompt: ",
                                        HEAD "## a\nas: "};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        rdv_error err = {0};
        method_table table;
        rdv_str text = made_of(forms[i], "x", 60000, "\n", *state);
        assert_int_equal(method_table_read(&table, text, *state, &err), RDV_E_INPUT);
        assert_true(strlen(err.msg) < 220 && strlen(err.msg) > 10);
    }
}

/* ---- what is read ---------------------------------------------------------------------------- */

static void test_read__every_member(void **state)
{
    method_table t;
    rdv_str text = RDV_STR("---\nmethod: t\nsource: ours\nsummary: one,\n  two\nconclude: mean\n"
                           "---\n## first\nper: chain\nprompt: p/\nas: found\n"
                           "example: \"a \\\"b\\\"\\n\\\\\"\n"
                           "## t\nper: later step\nafter: first?\nsamples: option\n"
                           "read: choice \"Yes\" = support, \"No\" = contradict,\n"
                           "  \"So so\" = unrelated, \"?\" = unknown\n");
    assert_int_equal(method_table_read(&t, text, *state, NULL), RDV_OK);
    assert_text(t.name, "t");
    assert_text(t.summary, "one, two");
    assert_int_equal(t.conclude, CONCLUDE_MEAN);
    assert_int_equal(t.n_stages, 2);
    const stage *a = &t.stages[0], *b = &t.stages[1];
    assert_text(a->label, "t/first");
    assert_text(a->prompt, "p/");
    assert_text(a->as, "found");
    assert_text(a->example, "a \"b\"\n\\");
    assert_int_equal(a->line, 8);
    assert_int_equal(a->per, PER_CHAIN);
    assert_int_equal(a->read, READER_TEXT);
    assert_int_equal(a->request, REQUEST_CHAT);
    assert_int_equal(a->samples, 1);
    assert_text(b->label, "t"); /* the namesake of the method */
    assert_text(b->prompt, "t/t");
    assert_text(b->as, "t");
    assert_null(b->example.p);
    assert_int_equal(b->line, 13);
    assert_int_equal(b->per, PER_LATER_STEP);
    assert_int_equal(b->samples, 0);
    assert_int_equal(b->n_after, 1);
    assert_int_equal(b->after[0], 0);
    assert_false(b->needs[0]);
    assert_int_equal(b->n_choices, 4);
    assert_text(b->choices[2].word, "So so");
    assert_int_equal(b->choices[0].verdict, RDV_SUPPORT);
    assert_int_equal(b->choices[1].verdict, RDV_CONTRADICT);
    assert_int_equal(b->choices[2].verdict, RDV_UNRELATED);
    assert_int_equal(b->choices[3].verdict, RDV_UNKNOWN);
}

static void test_read__ranges(void **state)
{
    static const struct {
        const char *range;
        double low, high;
    } ranges[] = {{"0 to 10", 0, 10},
                  {"-1 to 1", -1, 1},
                  {"-0.5 to -0.25", -0.5, -0.25},
                  {"1 to 999999999", 1, 999999999}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        method_table t;
        rdv_str text = rdv_str_printf(*state,
                                      "---\nmethod: t\nsource: ours\nsummary: s\nconclude: "
                                      "threshold\n---\n## a\nread: number %s\n",
                                      ranges[i].range);
        assert_int_equal(method_table_read(&t, text, *state, NULL), RDV_OK);
        assert_int_equal(t.stages[0].read, READER_NUMBER);
        assert_true(t.stages[0].low == ranges[i].low && t.stages[0].high == ranges[i].high);
    }
}

/* ---- the prompts that a table names ---------------------------------------------------------- */

static rdv_str prompt_with(const char *id, const char *variables, const char *body,
                           rdv_arena *arena)
{
    return rdv_str_printf(
        arena, "---\nid: %s\nsource: ours\nprofile: both\nvariables: %s\n---\n## user\n%s\n", id,
        variables, body);
}

/* The message of reading the method with one prompt "t/a" (or another id) of these variables. */
static void prompts_fault(const char *stages, const char *id, const char *variables,
                          const char *body, const char *msg, rdv_arena *arena)
{
    rdv_prompt_text file = {
        .id = rdv_str_of(id), .text = prompt_with(id, variables, body, arena), .added = true};
    rdv_prompts *prompts;
    const rdv_method *method = NULL;
    rdv_error err = {0};
    assert_int_equal(rdv_prompts_new(&file, 1, &prompts, &err), RDV_OK);
    rdv_str text = rdv_str_printf(arena, "%s%s", HEAD, stages);
    int rc = rdv_method_read(text, prompts, arena, &method, &err);
    assert_string_equal(err.msg, msg);
    assert_int_equal(rc, *msg ? RDV_E_INPUT : RDV_OK);
    assert_int_equal(method != NULL, !*msg);
    rdv_prompts_free(&prompts);
}

#define LAST "read: choice yes-no\n"
#define FIRST "## b\nprompt: selfcheck/target\n"

static void test_method__prompts(void **state)
{
    const char *one = "## a\n" LAST;
    prompts_fault(one, "t/a", "question", "{{question}}", "", *state);
    prompts_fault(one, "t/b", "question", "{{question}}",
                  "7: there is no file t/a.md in the folder, and no built-in prompt t/a", *state);
    prompts_fault("## a\nprompt: t/\n" LAST, "t/a", "question", "{{question}}",
                  "7: there is no file t/other.md in the folder, and no built-in prompt t/other",
                  *state);
    prompts_fault("## a\nprompt: t/\n" LAST, "t/other", "question", "{{question}}", "", *state);
    prompts_fault(one, "t/a", "steps", "{{steps}}",
                  "t/a.md:5: steps is a list: declare steps[text]", *state);
    prompts_fault(one, "t/a", "step[text]", "{{#step}}\n{{text}}\n{{/step}}",
                  "t/a.md:5: step is one text: declare step", *state);
    prompts_fault(one, "t/a", "ste", "{{ste}}",
                  "t/a.md:5: ste is neither a variable of docs/methods.md nor the name of a "
                  "stage in `after` (none)",
                  *state);
    prompts_fault(
        one, "t/a",
        "question, kind, answer, step, number, next, steps[number, text], previous[text], "
        "information[text], options[text]",
        "{{question}}{{kind}}{{answer}}{{step}}{{number}}{{next}}\n{{#steps}}\n{{number}}{{text}}\n"
        "{{/steps}}\n{{#previous}}\n{{text}}\n{{/previous}}\n{{#information}}\n{{text}}\n"
        "{{/information}}\n{{#options}}\n{{text}}\n{{/options}}",
        "", *state);
}

/* Whether the method is read though allocation n, and those after it, fail; memory is all it may
 * lack. */
static bool reads_without(rdv_str text, const rdv_prompts *prompts, size_t n, rdv_arena *arena)
{
    const rdv_method *method;
    rdv_error err = {0};
    rdv_alloc_fail_at(n);
    int rc = rdv_method_read(text, prompts, arena, &method, &err);
    rdv_alloc_fail_at(0);
    if (rc != RDV_OK && rc != RDV_E_NOMEM)
        fail_msg("%.*s, allocation %zu: %s", RDV_FMT(text), n, err.msg);
    return rc == RDV_OK;
}

/* An example that cannot be read for want of memory is not said to be wrong. */
static void test_method__example_without_memory(void **state)
{
    static const char *const reads[] = {"number 0 to 10\nexample: \"7\"",
                                        "choice yes-no\nexample: \"Yes\""};
    rdv_prompts *prompts;
    assert_int_equal(rdv_prompts_new(NULL, 0, &prompts, NULL), RDV_OK);
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        rdv_str text = rdv_str_printf(*state,
                                      "---\nmethod: t\nsource: ours\nsummary: s\nconclude: "
                                      "mean\n---\n## a\nprompt: selfcheck/target\nread: %s\n",
                                      reads[i]);
        /* First in steps: an example's words are read by the rules of language, which are made
         * once, in some thousand allocations (unit/language/rules lets each of them fail). */
        size_t n = 1;
        while (!reads_without(text, prompts, n, *state))
            n *= 2;
        for (n = 1; !reads_without(text, prompts, n, *state); n++)
            ;
        assert_true(n > 2);
    }
    rdv_prompts_free(&prompts);
}

/* The answers that a prompt names are the words that its stage reads. */
static void test_method__answers(void **state)
{
    static const char *const others[] = {"\"yes\"", "\"yes\", \"nay\"", "\"yes\", \"no\", \"so\""};
    const char *one = "## a\nread: choice \"Yes\" = support, \"No\" = contradict\n";
    for (size_t i = 0; i < 3; i++) {
        rdv_str more = rdv_str_printf(*state, "question\nanswers: %s", others[i]);
        prompts_fault(one, "t/a", more.p, "{{question}}",
                      "7: the answers of the prompt t/a are not the words of \"read: choice\"",
                      *state);
    }
    prompts_fault(one, "t/a", "question\nanswers: \"No\", \"yes\"", "{{question}}", "", *state);
}

/* What a stage found is there for those that wait for it, by the name that it gives. */
static void test_method__what_stages_found(void **state)
{
    prompts_fault(FIRST "## a\nafter: b\n" LAST, "t/a", "b", "{{b}}", "", *state);
    prompts_fault(FIRST "## c\nprompt: selfcheck/target\n## a\nafter: b, c\n" LAST, "t/a", "d",
                  "{{d}}",
                  "t/a.md:5: d is neither a variable of docs/methods.md nor the name of a stage in "
                  "`after` (b, c)",
                  *state);
    prompts_fault(FIRST "as: c\n## a\nafter: b\n" LAST, "t/a", "c", "{{c}}", "", *state);
    prompts_fault(FIRST "## a\nafter: b\n" LAST, "t/a", "b[text]", "{{#b}}\n{{text}}\n{{/b}}",
                  "t/a.md:5: b is one text: declare b", *state);
    prompts_fault(FIRST "## a\n" LAST, "t/a", "b", "{{b}}",
                  "t/a.md:5: b is neither a variable of docs/methods.md nor the name of a "
                  "stage in `after` (none)",
                  *state);
    prompts_fault(
        FIRST "as: answer\n## a\nafter: b\n" LAST, "t/a", "answer", "{{answer}}",
        "t/a.md:5: answer is a variable of docs/methods.md and the name of a stage: give what the "
        "stage found another name (as)",
        *state);
    prompts_fault(FIRST "as: answer\n## a\nafter: b\n" LAST, "t/a", "step", "{{step}}", "", *state);
    prompts_fault(FIRST "as: c\n## a\nafter: b\n" LAST, "t/a", "b", "{{b}}",
                  "t/a.md:5: b is neither a variable of docs/methods.md nor the name of a stage in "
                  "`after` (c)",
                  *state);
    prompts_fault(
        "## b\nprompt: selfcheck/target\nas: steps\n## c\nprompt: selfcheck/target\nafter: "
        "b\n## a\n" LAST,
        "t/a", "step", "{{step}}",
        "10: prompt selfcheck/target: steps is a variable of docs/methods.md and the name of "
        "a stage: give what the stage found another name (as)",
        *state);
}

/* Each prompt of a folder is held to what the stage gives, not only the one for the rest. */
static void test_method__folders(void **state)
{
    rdv_prompt_text files[] = {
        {.id = RDV_STR("t/other"), .text = prompt_with("t/other", "step", "{{step}}", *state)},
        {.id = RDV_STR("t/word_sorting"),
         .text = prompt_with("t/word_sorting", "nobody", "{{nobody}}", *state)}};
    rdv_prompts *prompts;
    const rdv_method *method;
    rdv_error err = {0};
    files[0].added = files[1].added = true;
    assert_int_equal(rdv_prompts_new(files, 2, &prompts, NULL), RDV_OK);
    int rc =
        rdv_method_read(RDV_STR(HEAD "## a\nprompt: t/\n" LAST), prompts, *state, &method, &err);
    assert_int_equal(rc, RDV_E_INPUT);
    assert_string_equal(err.msg,
                        "t/word_sorting.md:5: nobody is neither a variable of docs/methods.md nor "
                        "the name of a stage in `after` (none)");
    rdv_prompts_free(&prompts);
}

/* What the first request about a question says. */
static rdv_str first_request(const rdv_method *method, const rdv_prompts *prompts,
                             const char *question, rdv_arena *arena)
{
    rdv_str step = RDV_STR("One.");
    rdv_chain chain = {.id = RDV_STR("q/0"),
                       .question = {.id = RDV_STR("q"), .text = rdv_str_of(question)},
                       .steps = &step,
                       .n_steps = 1,
                       .correct = -1};
    rdv_plan_options o;
    rdv_plan *plan;
    rdv_request request;
    rdv_plan_options_default(&o, sizeof o);
    o.methods = &method;
    o.n_methods = 1;
    o.prompts = prompts;
    assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
    assert_int_equal(rdv_plan_next(plan, &request, NULL), RDV_OK);
    rdv_str said = rdv_str_copy(arena, request.messages[request.n_messages - 1].text);
    rdv_plan_free(&plan);
    return said;
}

/* A folder's prompt is that of the question's task; for tasks without one, and questions of none,
 * it is "other". */
static void test_method__folder_of_a_task(void **state)
{
    const rdv_prompt_text files[] = {
        {.id = RDV_STR("t/other"),
         .text = prompt_with("t/other", "step", "Others: {{step}}", *state),
         .added = true},
        {.id = RDV_STR("t/word_sorting"),
         .text = prompt_with("t/word_sorting", "step", "Sorts: {{step}}", *state),
         .added = true}};
    rdv_prompts *prompts;
    const rdv_method *method;
    assert_int_equal(rdv_prompts_new(files, 2, &prompts, NULL), RDV_OK);
    assert_int_equal(
        rdv_method_read(RDV_STR(HEAD "## a\nprompt: t/\n" LAST), prompts, *state, &method, NULL),
        RDV_OK);
    assert_text(first_request(method, prompts, "Sort the following words alphabetically: List: b a",
                              *state),
                "Sorts: One.");
    assert_text(first_request(method, prompts, "Complete the rest of the sequence: ( [ <", *state),
                "Others: One.");
    assert_text(first_request(method, prompts, "What is 2 + 3?", *state), "Others: One.");
    rdv_prompts_free(&prompts);
}

/* The method is its own: the text may go. */
static void test_method__owns_its_text(void **state)
{
    rdv_prompts *prompts;
    const rdv_method *method;
    char text[] = HEAD "## a\nprompt: global\n" LAST;
    assert_int_equal(rdv_prompts_new(NULL, 0, &prompts, NULL), RDV_OK);
    assert_int_equal(rdv_method_read(rdv_str_of(text), prompts, *state, &method, NULL), RDV_OK);
    memset(text, 'x', sizeof text - 1);
    assert_string_equal(method->name, "t");
    assert_string_equal(method->summary, "a test");
    assert_true(method->asks_model && method->l1 == 1 && method->l0 == 0.3);
    rdv_check_options options;
    rdv_check_options_default(&options, sizeof options);
    assert_true(rdv_method_needs_model(method, &options));
    assert_null(rdv_method_named(RDV_STR("t")));
    rdv_prompts_free(&prompts);
}

static void test_method__no_memory(void **state)
{
    rdv_str text = RDV_STR(HEAD "## b\nprompt: selfcheck/target\nexample: \"x\"\n## a\n"
                                "prompt: mistakes/direct-step/\nafter: b?\n"
                                "read: choice \"yes\" = support,\n \"no\" = contradict\n");
    rdv_prompts *prompts;
    (void)state;
    assert_int_equal(rdv_prompts_new(NULL, 0, &prompts, NULL), RDV_OK);
    rdv_arena *arena = rdv_arena_new(0);
    const rdv_method *method = NULL;
    rdv_error err = {0};
    int rc;
    assert_survives_no_memory(
        (rc = rdv_method_read(text, prompts, arena, &method, &err)) == RDV_OK, {
            assert_int_equal(rc, RDV_E_NOMEM);
            assert_null(method);
            rdv_arena_free(&arena); /* whose room would hide the next allocation */
            arena = rdv_arena_new(0);
        });
    assert_non_null(method);
    rdv_arena_free(&arena);
    rdv_prompts_free(&prompts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read__faults_and_their_lines),
        cmocka_unit_test(test_read__bytes),
        cmocka_unit_test(test_read__long_files),
        cmocka_unit_test(test_read__long_names),
        cmocka_unit_test(test_read__every_member),
        cmocka_unit_test(test_read__ranges),
        cmocka_unit_test(test_method__prompts),
        cmocka_unit_test(test_method__answers),
        cmocka_unit_test(test_method__example_without_memory),
        cmocka_unit_test(test_method__what_stages_found),
        cmocka_unit_test(test_method__folders),
        cmocka_unit_test(test_method__folder_of_a_task),
        cmocka_unit_test(test_method__owns_its_text),
        cmocka_unit_test(test_method__no_memory),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
