/* SPDX-License-Identifier: Apache-2.0 */
/* Every public format, on the records of tests/golden/formats: NAME.jsonl (or NAME.json) must give
 * NAME.out, a line a record, "! message" for a fault. What comes out is Rederive's own form, so it
 * is read again and must come out as it is. To add a case, add the two files. */
#include "reading.h"

#include <dirent.h>

#define ROOM ((size_t)1 << 16)

/* The whole file, terminated; NULL when it cannot be read. The caller frees it. */
static char *slurp(const char *folder, const char *name, size_t *len)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(ROOM) : NULL;
    if (text) {
        *len = fread(text, 1, ROOM - 1, file);
        text[*len] = '\0';
    }
    if (file)
        fclose(file);
    return text;
}

/* As read_all(), but under the file's own name, and with only the records that came out well where
 * `good` is set. */
static void read_named(const char *name, const char *text, size_t len,
                       const rdv_read_options *options, bool good, char *out)
{
    text_source s = {text, len, 0};
    rdv_reader *reader;
    rdv_error err = {0};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_record record;
    rdv_str line;
    int rc;
    size_t used = 0;
    assert_int_equal(
        rdv_reader_open_source((rdv_source){&s, read_text_source}, name, options, &reader, &err),
        RDV_OK);
    out[0] = '\0';
    while ((rc = rdv_reader_next(reader, arena, &record, &err)) != RDV_NONE) {
        assert_true(rc == RDV_OK || rc == RDV_E_INPUT);
        if (rc == RDV_OK) {
            const rdv_write_options as = {.size = sizeof as, .error = record.error};
            assert_int_equal(rdv_record_write(&record.chain, &as, arena, &line, &err), RDV_OK);
            used += (size_t)snprintf(out + used, ROOM - used, "%.*s", RDV_FMT(line));
        } else if (!good)
            used += (size_t)snprintf(out + used, ROOM - used, "! %s\n", err.msg);
        assert_true(used < ROOM);
    }
    rdv_arena_free(&arena);
    rdv_reader_close(&reader);
}

static void check_file(const char *folder, const char *name, const rdv_read_options *options,
                       const char *expected_name)
{
    static char out[ROOM], again[ROOM];
    size_t len, expected_len;
    char *text = slurp(folder, name, &len);
    char *expected = slurp(folder, expected_name, &expected_len);
    if (!text || !expected)
        fail_msg("%s or %s is missing", name, expected_name);
    read_named(name, text, len, options, false, out);
    if (strcmp(out, expected) != 0)
        fail_msg("%s gives\n%s\nnot\n%s", name, out, expected);
    read_named(name, text, len, options, true, out);
    read_named("again.jsonl", out, strlen(out), NULL, false, again);
    if (strcmp(out, again) != 0)
        fail_msg("%s: what was written\n%s\nis read as\n%s", name, out, again);
    free(text);
    free(expected);
}

static const char *folder_of_golden(char *room, size_t size)
{
    const char *source = getenv("RDV_SOURCE");
    assert_non_null(source);
    snprintf(room, size, "%s/tests/golden/formats", source);
    return room;
}

static void test_formats__golden(void **state)
{
    (void)state;
    char room[512];
    const char *folder = folder_of_golden(room, sizeof room);
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    size_t n = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        char expected[300];
        const char *dot = strstr(entry->d_name, ".json");
        if (!dot)
            continue;
        snprintf(expected, sizeof expected, "%.*s.out", (int)(dot - entry->d_name), entry->d_name);
        check_file(folder, entry->d_name, NULL, expected);
        n++;
    }
    closedir(dir);
    assert_true(n >= 37);
}

/* A file that is called as a format has only records of it: a new format takes none of an old
 * one's.
 */
static void test_formats__keep_their_records(void **state)
{
    (void)state;
    char room[512], path[1024];
    const char *folder = folder_of_golden(room, sizeof room), *name;
    size_t n = 0;
    for (size_t i = 0; (name = rdv_format_name(i, NULL)); i++) {
        rdv_reader *reader;
        rdv_record record;
        rdv_error err = {0};
        snprintf(path, sizeof path, "%s/%s.jsonl", folder, name);
        if (rdv_reader_open(path, NULL, &reader, &err) != RDV_OK)
            continue;
        rdv_arena *arena = rdv_arena_new(0);
        int rc;
        while ((rc = rdv_reader_next(reader, arena, &record, &err)) != RDV_NONE)
            if (rc == RDV_OK)
                assert_string_equal(record.format, name);
        rdv_arena_free(&arena);
        rdv_reader_close(&reader);
        n++;
    }
    assert_true(n >= 30);
}

/* Scores, questions and puzzles that stand in other files. */
static void test_formats__joined(void **state)
{
    (void)state;
    char room[512], scores[600], questions[600], puzzles[600];
    const char *folder = folder_of_golden(room, sizeof room);
    snprintf(scores, sizeof scores, "%s/join/scores.txt", folder);
    snprintf(questions, sizeof questions, "%s/join/questions.txt", folder);
    snprintf(puzzles, sizeof puzzles, "%s/join/puzzles.txt", folder);
    const char *const join[] = {scores, questions, puzzles};
    rdv_read_options options = {.size = sizeof options, .join = join, .n_join = 3};
    check_file(folder, "pool.jsonl", &options, "join/pool.out");
    check_file(folder, "faithful-cot.jsonl", &options, "join/faithful-cot.out");
    check_file(folder, "tree-of-thoughts.jsonl", &options, "join/tree-of-thoughts.out");
    const char *const bad[] = {"/nowhere"};
    options.join = bad;
    options.n_join = 1;
    rdv_reader *reader;
    rdv_error err = {0};
    text_source none = {"", 0, 0};
    assert_int_equal(
        rdv_reader_open_source((rdv_source){&none, read_text_source}, "x", &options, &reader, &err),
        RDV_E_IO);
    assert_null(reader);
}

/* What several files say of one question is put together: the prompt of a batch's request and the
 * gold answer of a table, in whatever order they are joined. */
static void test_formats__joined_from_several_files(void **state)
{
    (void)state;
    char room[512], requests[600], questions[600];
    static char out[ROOM];
    const char *folder = folder_of_golden(room, sizeof room);
    snprintf(requests, sizeof requests, "%s/join/requests.txt", folder);
    snprintf(questions, sizeof questions, "%s/join/questions.txt", folder);
    static const char text[] =
        "{\"custom_id\":\"f1\",\"response\":{\"status_code\":200,\"body\":{\"object\":"
        "\"chat.completion\",\"choices\":[{\"message\":{\"content\":\"3 + 4 = 7\"},"
        "\"finish_reason\":\"stop\"}]}},\"error\":null}";
    for (size_t i = 0; i < 2; i++) {
        const char *const join[] = {i ? questions : requests, i ? requests : questions};
        const rdv_read_options options = {.size = sizeof options, .join = join, .n_join = 2};
        read_named("x", text, strlen(text), &options, false, out);
        assert_non_null(strstr(out, "\"system_prompt\":\"Be brief.\""));
        assert_non_null(strstr(out, "\"question\":\"Ann has 3 pens"));
        assert_non_null(strstr(out, "#### 7"));
    }
}

static void test_formats__by_name(void **state)
{
    (void)state;
    rdv_read_options options = {
        .size = sizeof options, .format = "rederive-question", .name = "set"};
    static char out[ROOM];
    const char *text = "{\"question\":\"q\",\"answer\":\"7\",\"flag\":1,\"final_answer\":7}";
    read_named("x", text, strlen(text), &options, false, out);
    assert_string_equal(out,
                        VERSION "\"question\":\"q\",\"answer\":\"7\",\"flag\":1,\"final_answer\":7,"
                                "\"id\":\"set/0\"}\n");
    options.format = "gsm8k";
    text = "{\"problem\":1}";
    read_named("x", text, strlen(text), &options, false, out);
    assert_string_equal(out, "! x:1: member \"question\" is missing or null\n");
    options.format = "none such";
    rdv_reader *reader;
    rdv_error err = {0};
    assert_int_equal(
        rdv_reader_open_source((rdv_source){NULL, read_text_source}, "x", &options, &reader, &err),
        RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "there is no format \"none such\"");
}

/* Every format that can be named has a line about it, and reads {} and odd types without harm. */
static void test_formats__hostile(void **state)
{
    (void)state;
    static const char *const values[] = {"null",
                                         "1",
                                         "-1.5",
                                         "\"x\"",
                                         "true",
                                         "[]",
                                         "{}",
                                         "[1,\"a\",null,[],{}]",
                                         "{\"a\":[{\"b\":null}]}"};
    static const char *const members[] = {"question",
                                          "steps",
                                          "input",
                                          "target",
                                          "answer",
                                          "problem",
                                          "label",
                                          "mistake_index",
                                          "solution",
                                          "candidates",
                                          "problem_id",
                                          "ys",
                                          "idx",
                                          "claims",
                                          "options",
                                          "completions",
                                          "id",
                                          "output",
                                          "error_steps",
                                          "modified_process",
                                          "model_outputs",
                                          "pred_answers",
                                          "final_answer",
                                          "generated",
                                          "results",
                                          "lSolutions",
                                          "sQuestion",
                                          "target_scores",
                                          "Model_Solution_Steps",
                                          "Options",
                                          "Question",
                                          "Body",
                                          "code",
                                          "pred_score",
                                          "tags",
                                          "premise_annotation",
                                          "error_annotation",
                                          "scores",
                                          "verdicts",
                                          "method",
                                          "checks",
                                          "answers",
                                          "step_labels",
                                          "logprobs",
                                          "llm response",
                                          "6b_finetuning",
                                          "answerKey",
                                          "model_output_step_format",
                                          "reference_steps",
                                          "hypothesis_steps",
                                          "ground_truth",
                                          "prediction",
                                          "infos",
                                          "verify_model_results",
                                          "sample_idx_need_verify",
                                          "choices",
                                          "messages",
                                          "conversations",
                                          "prompt",
                                          "completion",
                                          "response",
                                          "responses",
                                          "instruction",
                                          "labels",
                                          "custom_id",
                                          "result",
                                          "body",
                                          "request",
                                          "content",
                                          "doc",
                                          "resps",
                                          "arguments",
                                          "resourceSpans",
                                          "error",
                                          "reasoning"};
    static char out[ROOM];
    const char *about, *name;
    for (size_t i = 0; (name = rdv_format_name(i, &about)); i++) {
        assert_true(strlen(about) > 0);
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            char text[4096];
            size_t len = 0;
            for (size_t k = 0; k < sizeof members / sizeof *members; k++)
                len += (size_t)snprintf(text + len, sizeof text - len, "%s\"%s\":%s", k ? "," : "{",
                                        members[k], values[v]);
            len += (size_t)snprintf(text + len, sizeof text - len, "}\n{}");
            assert_true(len < sizeof text);
            rdv_read_options options = {.size = sizeof options, .format = name};
            read_named("x", text, len, &options, false, out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats__golden),
        cmocka_unit_test(test_formats__keep_their_records),
        cmocka_unit_test(test_formats__joined),
        cmocka_unit_test(test_formats__joined_from_several_files),
        cmocka_unit_test(test_formats__by_name),
        cmocka_unit_test(test_formats__hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
