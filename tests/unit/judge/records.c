/* SPDX-License-Identifier: Apache-2.0 */
/* Records in, records out; whatever cannot be used is a line with its reason. */
#include "../arena.h"
#include "../test.h"
#include "judge/records.h"

static int records(const char *text, rdv_arena *arena, rdv_buf *out, rdv_error *err)
{
    rdv_buf_init(out, arena, 0);
    return judge_records(JUDGE_CHECK, NULL, rdv_str_of(text), arena, out, err);
}

static void test_lines(void **state)
{
    static const struct {
        const char *text, *holds;
    } cases[] = {{"{\"question\":\"q\",\"steps\":[\"3 + 4 = 8\"]}\n", "\"verdict\":\"contradict\""},
                 {"\n{\"question\":\"q\",\"steps\":[\"3 + 4 = 7\"],\"odd\":1.50}", "\"odd\":1.50"},
                 {"{\"question\":\"q\"}", "\"error\":\"line 1: the record is no chain"},
                 {"nonsense", "\"error\":"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_buf out;
        rdv_error err;
        assert_int_equal(records(cases[i].text, *state, &out, &err), RDV_OK);
        if (rdv_find(rdv_buf_str(&out), rdv_str_of(cases[i].holds), 0) == RDV_NOT_FOUND)
            fail_msg("%s: %.*s", cases[i].text, RDV_FMT(rdv_buf_str(&out)));
    }
}

#define CHAIN(id, solution)                                                                        \
    "{\"id\":\"" id "\",\"question\":\"q\",\"gold\":\"7\",\"solution\":\"" solution "\"}\n"

static void assert_out(judge_work work, const char *text, const char *holds, rdv_arena *arena)
{
    rdv_buf out;
    rdv_error err;
    rdv_buf_init(&out, arena, 0);
    assert_int_equal(judge_records(work, NULL, rdv_str_of(text), arena, &out, &err), RDV_OK);
    if (rdv_find(rdv_buf_str(&out), rdv_str_of(holds), 0) == RDV_NOT_FOUND)
        fail_msg("%s: %.*s", text, RDV_FMT(rdv_buf_str(&out)));
}

static void test_grades(void **state)
{
    assert_out(JUDGE_GRADE, CHAIN("a", "The answer is 7."), "\"correct\":true", *state);
    assert_out(JUDGE_GRADE, CHAIN("a", "The answer is 8."), "\"correct\":false", *state);
    assert_out(JUDGE_GRADE, "{\"gold\":\"1/2\",\"answer\":\"0.5\"}", "\"correct\":true", *state);
    /* the question says of what the number is */
    assert_out(JUDGE_GRADE, "{\"gold\":\"5\",\"answer\":\"5 pears\"}", "\"correct\":true", *state);
    assert_out(JUDGE_GRADE,
               "{\"question\":\"How many apples are red?\",\"gold\":\"5\",\"answer\":\"5 pears\"}",
               "\"correct\":null", *state);
    assert_out(JUDGE_GRADE, "\n{\"question\":\"q\",\"steps\":[\"7\"]}", "line 2: no gold answer",
               *state);
    assert_out(JUDGE_GRADE, "\n\nx", "line 3, column 1: ", *state);
}

/* A chain that cannot be used is an error and no vote. */
static void test_votes(void **state)
{
    assert_out(JUDGE_VOTE,
               CHAIN("a", "The answer is 7.") "x\n" CHAIN("b", "The answer is 7.")
                   CHAIN("c", "The answer is 8."),
               "{\"rederive_schema\":1,\"question_id\":\"q\",\"answer\":\"7\"", *state);
    assert_out(JUDGE_VOTE, CHAIN("a", "The answer is 7.") "x\n", "\"n_chains\":1", *state);
    assert_out(JUDGE_VOTE, "x\n", "\"error\":\"line 1, column 1", *state);
}

static void test_nobody_votes_twice(void **state)
{
    rdv_buf out;
    rdv_error err;
    rdv_buf_init(&out, *state, 0);
    rdv_str text = RDV_STR(CHAIN("a", "It is 7.") CHAIN("b", "It is 7.") CHAIN("a", "It is 7."));
    assert_int_equal(judge_records(JUDGE_VOTE, NULL, text, *state, &out, &err), RDV_E_INPUT);
    assert_non_null(strstr(err.msg, "line 3: chain \"a\""));
}

static void test_none_and_too_many(void **state)
{
    rdv_buf out, many;
    rdv_error err;
    assert_int_equal(records("", *state, &out, &err), RDV_E_INPUT);
    assert_int_equal(records("\n \n", *state, &out, &err), RDV_E_INPUT);
    rdv_buf_init(&many, *state, 0);
    for (int i = 0; i <= JUDGE_MOST_RECORDS; i++)
        rdv_buf_lit(&many, "{}\n");
    rdv_buf_add_char(&many, '\0');
    assert_int_equal(records(many.p, *state, &out, &err), RDV_E_INPUT);
}

static bool with_little_memory(judge_work work, rdv_arena *arena)
{
    rdv_buf out;
    rdv_error err;
    rdv_buf_init(&out, arena, 0);
    int rc = judge_records(work, NULL, RDV_STR(CHAIN("a", "3 + 4 = 7. The answer is 7.") "x\n"),
                           arena, &out, &err);
    assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
    return rc == RDV_OK;
}

static void test_no_memory(void **state)
{
    assert_survives_no_memory(with_little_memory(JUDGE_CHECK, *state), (void)0);
    assert_survives_no_memory(with_little_memory(JUDGE_GRADE, *state), (void)0);
    assert_survives_no_memory(with_little_memory(JUDGE_VOTE, *state), (void)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lines, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_grades, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_votes, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_nobody_votes_twice, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_none_and_too_many, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_no_memory, arena_set_up, arena_tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
