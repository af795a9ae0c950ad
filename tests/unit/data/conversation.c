/* SPDX-License-Identifier: Apache-2.0 */
/* Requests and replies in the forms of APIs and logs: what tests/golden/formats does not show. */
#include "base/str.h"
#include "data/nonfinite.h"
#include "reading.h"
#include "text/think.h"

#include "../test.h"

#define NOTES_ROOM 2048

/* ---- thinking -------------------------------------------------------------------------------- */

static void test_thinking__taken_apart(void **state)
{
    static const struct {
        const char *text, *rest, *thought;
    } cases[] = {
        {"1 + 1 = 2", "1 + 1 = 2", ""},
        {"<think>a</think>b", "b", "a"},
        {"<THINK>\na\n</Think>\n\nb\n", "b", "a"},
        {"a</think>b", "b", "a"},
        {"<think>a", "", "a"},
        {"b<think>a", "b", "a"},
        {"<think>a</think>b<thinking>c</thinking>d", "bd", "a\n\nc"},
        {"<think></think>b", "b", ""},
        {"a</think>b<think>c</think>d", "bd", "a\n\nc"},
        {"a < b and b > c", "a < b and b > c", ""},
        {"", "", ""},
    };
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_str rest, thought;
        assert_int_equal(
            think_split(rdv_str_of(cases[i].text), false, arena, &rest, &thought, NULL), RDV_OK);
        assert_true(rdv_str_eq(rest, rdv_str_of(cases[i].rest)));
        assert_true(rdv_str_eq(thought, rdv_str_of(cases[i].thought)));
    }
    rdv_arena_free(&arena);
}

/* ---- NaN ------------------------------------------------------------------------------------- */

static void test_nonfinite__outside_of_strings(void **state)
{
    static const struct {
        const char *text, *out;
        size_t n;
    } cases[] = {
        {"{\"a\":NaN}", "{\"a\":null}", 1},
        {"[NaN,-Infinity,Infinity,-1]", "[null,null,null,-1]", 3},
        {"{\"NaN\":\"Infinity \\\" NaN\"}", "{\"NaN\":\"Infinity \\\" NaN\"}", 0},
        {"{\"a\\\\\":NaN}", "{\"a\\\\\":null}", 1},
        {"\"NaN", "\"NaN", 0},
        {"", "", 0},
    };
    rdv_arena *arena = rdv_arena_new(0);
    rdv_buf room;
    rdv_buf_init(&room, arena, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_str out;
        assert_int_equal(rdv_nonfinite_to_null(rdv_str_of(cases[i].text), &room, &out), cases[i].n);
        assert_true(rdv_str_eq(out, rdv_str_of(cases[i].out)));
    }
    rdv_arena_free(&arena);
}

/* ---- notes ----------------------------------------------------------------------------------- */

static void keep_note(void *payload, const char *message)
{
    char *notes = payload;
    size_t used = strlen(notes);
    snprintf(notes + used, NOTES_ROOM - used, "%s\n", message);
}

static void test_notes__once_a_file(void **state)
{
    static char out[4096];
    char notes[NOTES_ROOM] = "";
    static const char text[] = "{\"choices\":[{\"message\":{\"content\":\"1\"}}],\"x\":NaN}\n"
                               "{\"choices\":[{\"message\":{\"content\":\"2\"}}],\"x\":NaN}\n";
    const rdv_read_options options = {
        .size = sizeof options, .note = keep_note, .note_payload = notes};
    read_all(text, sizeof text - 1, 0, &options, out, sizeof out);
    assert_string_equal(notes,
                        "in.jsonl:1: NaN and Infinity are no JSON; each is read as null\n"
                        "in.jsonl:1: a reply without its question: checks that need the question "
                        "cannot run; --join FILE adds a batch's requests, or questions, by their "
                        "ids\n");
}

/* Of each file the samples of its own first filter are read, whatever a file before it had. */
static void test_filters__of_each_file(void **state)
{
    static const char *const filters[] = {"strict", "flexible"};
    for (size_t i = 0; i < 2; i++) {
        char text[2][512], notes[NOTES_ROOM] = "", both[1024];
        static char out[4096];
        const rdv_read_options options = {
            .size = sizeof options, .name = "in", .note = keep_note, .note_payload = notes};
        for (size_t k = 0; k < 2; k++)
            snprintf(text[k], sizeof text[k],
                     "{\"doc_id\":1,\"doc\":{\"question\":\"Q\"},\"target\":\"2\","
                     "\"arguments\":[],\"resps\":[[\"1+1=2\"]],\"filter\":\"%s\"}\n",
                     filters[(i + k) % 2]);
        snprintf(both, sizeof both, "%s%s", text[0], text[1]);
        read_all(both, strlen(both), 0, &options, out, sizeof out);
        assert_non_null(strstr(out, filters[i]));
        assert_null(strstr(out, filters[1 - i]));
        assert_string_equal(notes, "in.jsonl:2: the samples stand in the file once for each "
                                   "filter; those of the first filter are read\n");
    }
}

/* ---- reasoning that is checked --------------------------------------------------------------- */

static size_t steps_of(const char *text, size_t *n_reasoning, rdv_arena *arena)
{
    const rdv_read_options options = {
        .size = sizeof options, .name = "in", .check_reasoning = true};
    rdv_record *all;
    size_t n;
    assert_int_equal(rdv_record_read(rdv_str_of(text), &options, arena, &all, &n, NULL), RDV_OK);
    assert_int_equal(n, 1);
    *n_reasoning = all->chain.n_reasoning_steps;
    return all->chain.n_steps;
}

/* A record that says how many of its steps are reasoning has it before its steps already. */
static void test_reasoning__is_put_before_the_steps_once(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    size_t n_reasoning;
    assert_int_equal(steps_of("{\"question\":\"Q\",\"steps\":[\"1+1=2\"],"
                              "\"reasoning\":\"2+2=4\"}",
                              &n_reasoning, arena),
                     2);
    assert_int_equal(n_reasoning, 1);
    assert_int_equal(steps_of("{\"question\":\"Q\",\"steps\":[\"2+2=4\",\"1+1=2\"],"
                              "\"n_reasoning_steps\":1,\"reasoning\":\"2+2=4\"}",
                              &n_reasoning, arena),
                     2);
    assert_int_equal(n_reasoning, 1);
    rdv_arena_free(&arena);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static const char *const records[] = {
    "{\"id\":\"c\",\"object\":\"chat.completion\",\"model\":\"m\",\"x\":NaN,\"choices\":["
    "{\"message\":{\"content\":\"<think>2+2=4</think>1+1=2\",\"reasoning_content\":\"r\"},"
    "\"finish_reason\":\"length\"},{\"message\":{\"content\":null,\"refusal\":\"no\"}}]}",
    "{\"custom_id\":\"q\",\"response\":{\"status_code\":429,\"body\":{\"error\":{\"message\":"
    "\"slow\"}}},\"error\":null}",
    "{\"request\":\"{\\\"messages\\\":[{\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"Q\\\"}]}\","
    "\"response\":{\"type\":\"message\",\"content\":[{\"type\":\"text\",\"text\":\"1+1=2\"}]}}",
    "{\"messages\":[{\"role\":\"system\",\"content\":\"S\"},{\"role\":\"user\",\"content\":\"Q\"},"
    "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"1+1=2\"}]}],\"mine\":[1]}",
    "{\"prompt\":\"Q\",\"completions\":[\"1+1=2\",\"x\"],\"labels\":[true,false]}",
    "{\"question\":{\"problem\":\"Q\"},\"label\":{\"steps\":[{\"completions\":[{\"text\":\"x\","
    "\"rating\":-1}],\"chosen_completion\":0}],\"finish_reason\":\"found_error\"}}",
    "{\"input\":\"Q Step 1: x \xd0\xba\xd0\xb8\",\"label\":\"Q Step 1: x +\",\"task\":\"t\"}",
    "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"attributes\":[{\"key\":"
    "\"gen_ai.output.messages\",\"value\":{\"stringValue\":\"[{\\\"parts\\\":[{\\\"content\\\":"
    "\\\"1+1=2\\\"}]}]\"}}]}]}]}]}",
    "{\"doc_id\":1,\"doc\":{\"question\":\"Q\"},\"target\":\"2\",\"arguments\":[],\"resps\":"
    "[[\"1+1=2\",\"1+1=3\"]],\"filter\":\"f\"}",
    "{\"question\":\"Q\",\"steps\":[\"1+1=2\"],\"reasoning\":\"2+2=4\",\"label\":0,\"scores\":"
    "{\"a\":[1]},\"logprobs\":[[-1]],\"step_labels\":[{\"annotator\":\"a\",\"criterion\":\"c\","
    "\"labels\":[true]}]}",
};

static bool is_read(const char *text, rdv_arena *arena)
{
    const rdv_read_options options = {
        .size = sizeof options, .name = "in", .check_reasoning = true};
    rdv_record *all;
    size_t n;
    rdv_error err = {0};
    int rc = rdv_record_read(rdv_str_of(text), &options, arena, &all, &n, &err);
    if (rc != RDV_OK)
        assert_int_equal(rc, RDV_E_NOMEM);
    return rc == RDV_OK;
}

static void test_read__survives_no_memory(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        assert_survives_no_memory(is_read(records[i], arena), rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thinking__taken_apart),
        cmocka_unit_test(test_nonfinite__outside_of_strings),
        cmocka_unit_test(test_notes__once_a_file),
        cmocka_unit_test(test_filters__of_each_file),
        cmocka_unit_test(test_reasoning__is_put_before_the_steps_once),
        cmocka_unit_test(test_read__survives_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
