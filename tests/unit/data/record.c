/* SPDX-License-Identifier: Apache-2.0 */
/* One record from and to bytes in memory: the same as from a file, and in how many words a fault is
 * told. */
#include "reading.h"

#include "../test.h"

static const char a_chain[] =
    "{\"id\":\"q7/3\",\"question\":\"What is 12 boxes of 48?\",\"steps\":[\"12 * 48 = 586.\","
    "\"The answer is 586.\"],\"gold\":\"576\",\"mine\":1.50}";

/* Two candidates of one question, in a form of its own. */
static const char a_pool[] =
    "{\"problem_id\":\"p\",\"candidates\":["
    "{\"problem\":{\"question\":\"1+1?\",\"ground_truth\":\"2\"},\"extracted_answer\":\"2\","
    "\"steps\":[{\"text\":\"1 + 1 = 2\"}]},"
    "{\"problem\":{\"question\":\"1+1?\",\"ground_truth\":\"2\"},\"extracted_answer\":\"3\","
    "\"steps\":[{\"text\":\"1 + 1\"},{\"text\":\"= 3\"}]}]}";

static void test_read__a_chain_and_its_line_again(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    rdv_record *r;
    size_t n;
    rdv_str line;
    assert_int_equal(rdv_record_read(rdv_str_of(a_chain), NULL, arena, &r, &n, &err), RDV_OK);
    assert_int_equal(n, 1);
    assert_int_equal(r->kind, RDV_RECORD_CHAIN);
    assert_string_equal(r->format, "rederive-chain");
    assert_text(r->chain.id, "q7/3");
    assert_text(r->chain.answer, "586");
    assert_int_equal(r->chain.n_steps, 2);
    assert_int_equal(rdv_record_write(&r->chain, NULL, arena, &line, &err), RDV_OK);
    assert_int_equal(line.p[line.len - 1], '\n');
    /* What is written is read again, and written the same; unknown members keep their bytes. */
    rdv_str again;
    assert_true(rdv_find(line, RDV_STR("\"mine\":1.50"), 0) < line.len);
    assert_int_equal(rdv_record_read(line, NULL, arena, &r, &n, &err), RDV_OK);
    assert_int_equal(rdv_record_write(&r->chain, NULL, arena, &again, &err), RDV_OK);
    assert_true(rdv_str_eq(line, again));
    rdv_arena_free(&arena);
}

static void test_read__needs_the_bytes_no_longer(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    rdv_record *r;
    size_t n;
    char bytes[sizeof a_chain];
    memcpy(bytes, a_chain, sizeof bytes);
    assert_int_equal(rdv_record_read(rdv_str_of(bytes), NULL, arena, &r, &n, &err), RDV_OK);
    memset(bytes, '!', sizeof bytes);
    assert_text(r->chain.question.text, "What is 12 boxes of 48?");
    assert_true(rdv_str_eq(r->chain.raw, rdv_str_of(a_chain)));
    rdv_arena_free(&arena);
}

static void test_read__an_id_only_where_there_is_a_name(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    const rdv_str bytes = RDV_STR(" \r\n{\"question\":\"Q?\",\"steps\":[\"s\"]}\n\n");
    const rdv_read_options named = {.size = sizeof named, .name = "set"};
    rdv_record *r;
    size_t n;
    assert_int_equal(rdv_record_read(bytes, NULL, arena, &r, &n, &err), RDV_OK);
    assert_null(r->chain.id.p);
    assert_int_equal(r->line, 2);
    assert_int_equal(rdv_record_read(bytes, &named, arena, &r, &n, &err), RDV_OK);
    assert_text(r->chain.id, "set/0");
    rdv_arena_free(&arena);
}

static void test_read__each_candidate_of_a_pool(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    rdv_record *r;
    size_t n;
    rdv_str line;
    if (rdv_record_read(rdv_str_of(a_pool), NULL, arena, &r, &n, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    assert_int_equal(n, 2);
    assert_text(r[0].chain.answer, "2");
    assert_text(r[1].chain.answer, "3");
    assert_int_equal(rdv_record_write(&r[1].chain, NULL, arena, &line, &err), RDV_OK);
    assert_int_equal(rdv_record_read(line, NULL, arena, &r, &n, &err), RDV_OK);
    assert_int_equal(n, 1);
    assert_string_equal(r->format, "rederive-chain");
    rdv_arena_free(&arena);
}

static void test_read__results_and_errors(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    rdv_record *r;
    size_t n;
    rdv_str line;
    rdv_result result = {.question_id = RDV_STR("q"),
                         .answer = RDV_STR("4"),
                         .weight_share = 1,
                         .correct = -1,
                         .expected_correct = 0.5,
                         .chains = 3};
    assert_int_equal(rdv_result_write(&result, (rdv_str){0}, arena, &line, &err), RDV_OK);
    assert_int_equal(rdv_record_read(line, NULL, arena, &r, &n, &err), RDV_OK);
    assert_int_equal(r->kind, RDV_RECORD_RESULT);
    assert_text(r->result.answer, "4");
    assert_int_equal(rdv_error_write(RDV_STR("no"), arena, &line, &err), RDV_OK);
    assert_int_equal(rdv_record_read(line, NULL, arena, &r, &n, &err), RDV_OK);
    assert_int_equal(r->kind, RDV_RECORD_ERROR);
    assert_text(r->error, "no");
    rdv_arena_free(&arena);
}

static void refuses(const char *bytes, const rdv_read_options *options, int code, const char *why)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    rdv_record *r = (rdv_record *)&err;
    size_t n = 7;
    assert_int_equal(rdv_record_read(rdv_str_of(bytes), options, arena, &r, &n, &err), code);
    assert_string_equal(err.msg, why);
    assert_int_equal(n, 7);
    assert_ptr_equal(r, &err);
    rdv_arena_free(&arena);
}

static void test_read__faults_in_one_line(void **state)
{
    refuses("", NULL, RDV_E_INPUT, "line 1, column 1: a record must be a JSON object");
    refuses("[1]", NULL, RDV_E_INPUT, "line 1, column 1: a record must be a JSON object");
    refuses("\n {\"question\":}", NULL, RDV_E_INPUT, "line 2, column 14: a value is missing");
    refuses("{} {}", NULL, RDV_E_INPUT, "line 1, column 3: something follows the record");
    refuses("{\"x\":1}", NULL, RDV_E_INPUT,
            "no known form of record (members: x); name its parts with --question-from and "
            "--steps-from, and --gold-from and --id-from if it has them "
            "(docs/your-data.md), or its format");
    refuses("{\"rederive_schema\":9,\"question\":\"Q\"}", NULL, RDV_E_INPUT,
            "\"rederive_schema\" is 9, and this program reads version 1: another version of the "
            "program "
            "is needed");
    refuses("{\"question\":\"Q\",\"steps\":3}", NULL, RDV_E_INPUT,
            "member \"steps\" must be a list");
    refuses("{}", &(rdv_read_options){.size = sizeof(rdv_read_options), .format = "none"},
            RDV_E_ARGUMENT, "there is no format \"none\"");
    refuses(a_chain, &(rdv_read_options){.size = sizeof(rdv_read_options), .max_record_bytes = 20},
            RDV_E_LIMIT, "a record of more than 20 bytes");
    refuses(a_chain, &(rdv_read_options){.size = sizeof(rdv_read_options), .max_members = 2},
            RDV_E_LIMIT, "line 1, column 51: more than 2 members");
    refuses(a_chain, &(rdv_read_options){.size = sizeof(rdv_read_options), .n_join = 1},
            RDV_E_ARGUMENT, "files are joined by a reader, not to a single record");
}

/* Read a pool and write its last candidate, all of it in `arena`. */
static bool goes_round(rdv_arena *arena)
{
    rdv_record *r;
    size_t n;
    rdv_str line;
    return rdv_record_read(rdv_str_of(a_pool), NULL, arena, &r, &n, NULL) == RDV_OK &&
           rdv_record_write(&r[n - 1].chain, NULL, arena, &line, NULL) == RDV_OK;
}

static void test_read__survives_no_memory(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    assert_survives_no_memory(goes_round(arena), rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read__a_chain_and_its_line_again),
        cmocka_unit_test(test_read__needs_the_bytes_no_longer),
        cmocka_unit_test(test_read__an_id_only_where_there_is_a_name),
        cmocka_unit_test(test_read__each_candidate_of_a_pool),
        cmocka_unit_test(test_read__results_and_errors),
        cmocka_unit_test(test_read__faults_in_one_line),
        cmocka_unit_test(test_read__survives_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
