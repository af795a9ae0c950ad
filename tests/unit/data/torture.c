/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation fails once: of the arenas by their own hook, of jansson by counting functions.
 * What comes out is "out of memory" or the whole truth, and nothing leaks (AddressSanitizer). */
#include "answer/announcement.h"
#include "base/arena.h"
#include "reading.h"

#include <jansson.h>

static size_t json_fail_at; /* as rdv_alloc_fail_at() */

static void *json_malloc(size_t size)
{
    if (json_fail_at == 1)
        return NULL;
    if (json_fail_at)
        json_fail_at--;
    return malloc(size);
}

static const char own_record[] =
    "{\"question\":\"q\",\"question_id\":\"i\",\"options\":[\"a\",\"b\"],\"gold\":1.5,"
    "\"steps\":[\"x\",\"y\"],\"label\":0,"
    "\"step_labels\":[{\"annotator\":\"a\",\"criterion\":\"c\",\"labels\":[true,false]}],"
    "\"scores\":{\"p\":[1,2]},\"logprobs\":[[1],[2]],\"\\u0061\":1,\"method\":\"m\","
    "\"verdicts\":[{\"step\":0,\"verdict\":\"support\",\"score\":1,\"evidence\":{\"a\":[1,\"b\"]}}]"
    ","
    "\"checks\":{\"n\":{\"verdicts\":[]}}}";
static const char own_solution[] =
    "{\"question\":\"q\",\"solution\":\"Step 1: a\\nStep 2: The answer is 4.\"}";
static const char parc[] = "{\"question\":\"q\",\"steps\":[\"Step 1: "
                           "a\"],\"ground_truth_answer\":\"7\",\"model_answer\":8,"
                           "\"premise_annotation\":{\"steps\":[{},{\"premises\":[[0,\"q\"]]}]},"
                           "\"error_annotation\":{\"error_annotations\":{\"step_level\":"
                           "[{\"has_error\":true,\"errors\":[{\"error_type\":\"E\"}]}]}}}";
static const char verify_cot[] =
    "{\"question\":\"q\",\"final_answer\":\"7\","
    "\"model_outputs\":[\"#1. A.\\n#2. (by #1) Step 1: b\"],\"pred_answers\":[\"7\"],"
    "\"sample_idx_need_verify\":[0],\"verify_model_results\":[[1]],\"verify_correct\":[true]}";
static const char mathqa[] = "{\"Problem\":\"p\",\"options\":\"a ) 1 , b ) 2\",\"correct\":\"b\"}";
static const char result[] =
    "{\"question_id\":\"q\",\"answer\":\"5\",\"answers\":{\"5\":{\"weight\":1,\"n_chains\":1}},"
    "\"tied_answers\":[\"5\"],\"n_chains\":1}";
static const char inspect[] =
    "{\"eval\":{},\"samples\":[{\"id\":1,\"epoch\":2,\"input\":[{\"role\":\"user\",\"content\":"
    "\"q\"}],"
    "\"target\":[\"4\",\"four\"],\"scores\":{\"s\":{\"value\":\"C\"}},\"output\":{\"model\":\"m\","
    "\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"reasoning\","
    "\"reasoning\":\"r\"},{\"type\":\"text\",\"text\":\"2 + 2 = "
    "4\"}]},\"stop_reason\":\"stop\"}]}}]}";
static const char table[] = "question,solution,gold\nq,\"a\n\nb\",4\n";
static const char plain[] = "Step 1: a\n---\nb\n";
static const char unknown[] = "{\"a\":{\"b\":\"x\"},\"c\":1}";
static const rdv_read_options no_options = {.size = sizeof no_options};
static const rdv_read_options separated = {.size = sizeof separated, .separator = "---"};
static const rdv_read_options mapped = {.size = sizeof mapped,
                                        .question_from = "/a/b",
                                        .steps_from = "a.b",
                                        .gold_from = "c",
                                        .id_from = "c"};
static const struct {
    const char *name, *text;
    const rdv_read_options *options;
} texts[] = {{"in.jsonl", own_record, &no_options}, {"in.jsonl", own_solution, &no_options},
             {"in.jsonl", parc, &no_options},       {"in.jsonl", verify_cot, &no_options},
             {"in.jsonl", mathqa, &no_options},     {"in.jsonl", result, &no_options},
             {"in.json", inspect, &no_options},     {"in.csv", table, &no_options},
             {"in.txt", plain, &separated},         {"in.jsonl", unknown, &mapped}};

/* Read and write the first record of texts[i]. */
static int once(size_t i)
{
    const char *text = texts[i].text;
    text_source s = {text, strlen(text), 0};
    rdv_reader *reader;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    rdv_record record;
    rdv_str line;
    int rc = rdv_reader_open_source((rdv_source){&s, read_text_source}, texts[i].name,
                                    texts[i].options, &reader, &err);
    if (rc == RDV_OK)
        rc = rdv_reader_next(reader, arena, &record, &err);
    if (rc == RDV_OK)
        rc = rdv_record_write(&record.chain, NULL, arena, &line, &err);
    if (rc == RDV_OK && record.kind == RDV_RECORD_RESULT)
        rc = rdv_result_write(&record.result, (rdv_str){0}, arena, &line, &err);
    if (rc != RDV_OK)
        assert_true(strlen(err.msg) > 0);
    rdv_reader_close(&reader);
    rdv_arena_free(&arena);
    return rc;
}

static void test_torture__arena(void **state)
{
    (void)state;
    assert_non_null(announcement_rows()); /* read once */
    assert_non_null(rule_set_built_in());
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int rc;
        size_t n = 1;
        do {
            rdv_alloc_fail_at(n++);
            rc = once(i);
            rdv_alloc_fail_at(0);
            assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
        } while (rc != RDV_OK);
        assert_true(n > 4 && n < 1000);
    }
}

static void test_torture__jansson(void **state)
{
    (void)state;
    size_t tries = 0;
    json_set_alloc_funcs(json_malloc, free);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int rc;
        size_t n = 1;
        do {
            json_fail_at = n++;
            rc = once(i);
            json_fail_at = 0;
            assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
        } while (rc != RDV_OK);
        assert_true(n < 1000);
        tries += n;
    }
    assert_true(tries > 10 * sizeof texts / sizeof *texts); /* most ask for lists */
    json_set_alloc_funcs(malloc, free);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torture__arena),
        cmocka_unit_test(test_torture__jansson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
