/* SPDX-License-Identifier: Apache-2.0 */
#include "reading.h"

#include "../test.h"

#include "base/str.h"
#include "base/arena.h"
#include "base/buf.h"
#include "chain/evidence.h"
#include "method/method.h"

#include <math.h>

static rdv_str steps[] = {{"3 + 4 = 8", 9}, {"So 8.", 5}};

static rdv_chain a_chain(void)
{
    return (rdv_chain){.id = RDV_STR("c/0"),
                       .question = {.id = RDV_STR("q"),
                                    .text = RDV_STR("3 + 4?"),
                                    .kind = RDV_KIND_NUMBER,
                                    .gold = RDV_STR("7")},
                       .steps = steps,
                       .n_steps = 2,
                       .answer = RDV_STR("8"),
                       .correct = 0,
                       .label = {RDV_LABEL_AT, 0}};
}

static void writes(const rdv_chain *chain, const rdv_write_options *options, const char *expected)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    for (int twice = 0; twice < 2; twice++) {
        rdv_str line;
        char text[4096];
        assert_int_equal(rdv_record_write(chain, options, arena, &line, &err), RDV_OK);
        snprintf(text, sizeof text, "{%.*s", RDV_FMT(behind_version(line)));
        assert_string_equal(text, expected);
    }
    rdv_arena_free(&arena);
}

#define MADE                                                                                       \
    "{\"id\":\"c/0\",\"question_id\":\"q\",\"question\":\"3 + 4?\",\"answer_type\":\"number\","    \
    "\"gold\":\"7\",\"steps\":[\"3 + 4 = 8\",\"So 8.\"],\"answer\":\"8\",\"correct\":false,"       \
    "\"label\":0"

static void test_write__made_by_the_program(void **state)
{
    (void)state;
    rdv_chain chain = a_chain();
    writes(&chain, NULL, MADE "}\n");
}

static void test_write__original_bytes_first(void **state)
{
    (void)state;
    rdv_chain chain = a_chain();
    chain.raw = RDV_STR("{ \"zz\" : 1.50e+00 ,\r\n \"steps\":[ \"3 + 4 = 8\",\n\"So 8.\" ],"
                        "\"question\":\"3 + 4?\",\"method\":\"old\",\"verdicts\":7,\"error\":\"e\","
                        "\"label\":0,\"gold\":7,\"\\u0061\":[1e400]}");
    writes(&chain, NULL,
           "{\"zz\":1.50e+00,\"steps\":[ \"3 + 4 = 8\", \"So 8.\" ],\"question\":\"3 + 4?\","
           "\"label\":0,\"gold\":7,\"a\":[1e400],\"id\":\"c/0\",\"question_id\":\"q\","
           "\"answer_type\":\"number\",\"answer\":\"8\",\"correct\":false}\n");
}

static void test_write__changed_and_extra_and_error(void **state)
{
    (void)state;
    rdv_chain chain = a_chain();
    chain.raw = RDV_STR("{\"question\":\"3 + 4?\",\"x\":1,\"solution\":\"old\",\"steps\":[\"old\"],"
                        "\"answer\":\"9\",\"label\":0,\"scores\":{\"p\":[1]},\"repairs\":0}");
    chain.label = (rdv_label){0};
    chain.correct = -1;
    rdv_write_options options = {.size = sizeof options,
                                 .changed = true,
                                 .extra = RDV_STR("\"repairs\":[1],\"steps_were\":[\"old\"]"),
                                 .error = RDV_STR("call failed")};
    writes(&chain, &options,
           "{\"question\":\"3 + 4?\",\"x\":1,\"id\":\"c/0\",\"question_id\":\"q\","
           "\"answer_type\":\"number\",\"gold\":\"7\",\"steps\":[\"3 + 4 = 8\",\"So "
           "8.\"],\"answer\":\"8\","
           "\"repairs\":[1],\"steps_were\":[\"old\"],\"error\":\"call failed\"}\n");
}

/* What an earlier check concluded is not left beside the verdicts of a new one. */
static void test_write__conclusions_of_an_earlier_check(void **state)
{
    (void)state;
    rdv_check check = {
        .method = RDV_STR("m"), .confidence = 0.2, .first_error = RDV_NO_STEP, .skipped = true};
    rdv_chain chain = {.raw = RDV_STR("{\"x\":1,\"accepted\":true,\"acceptance\":{\"rule\":\"r\"},"
                                      "\"certificate\":{\"certified\":true}}"),
                       .correct = -1,
                       .checks = &check,
                       .n_checks = 1};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_write_options options = {.size = sizeof options, .checked = true};
    rdv_str line;
    assert_int_equal(rdv_record_write(&chain, &options, arena, &line, NULL), RDV_OK);
    assert_int_not_equal(rdv_find(line, RDV_STR("\"x\":1"), 0), RDV_NOT_FOUND);
    assert_int_equal(rdv_find(line, RDV_STR("accept"), 0), RDV_NOT_FOUND);
    assert_int_equal(rdv_find(line, RDV_STR("certif"), 0), RDV_NOT_FOUND);
    options.checked = false; /* its own check is written again */
    assert_int_equal(rdv_record_write(&chain, &options, arena, &line, NULL), RDV_OK);
    assert_int_not_equal(rdv_find(line, RDV_STR("\"accepted\":true"), 0), RDV_NOT_FOUND);
    assert_int_not_equal(rdv_find(line, RDV_STR("\"certified\":true"), 0), RDV_NOT_FOUND);
    options = (rdv_write_options){
        .size = sizeof options, .checked = true, .extra = RDV_STR("\"accepted\":null")};
    assert_int_equal(rdv_record_write(&chain, &options, arena, &line, NULL), RDV_OK);
    assert_int_not_equal(rdv_find(line, RDV_STR("\"accepted\":null"), 0), RDV_NOT_FOUND);
    rdv_arena_free(&arena);
}

static void test_write__checks(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_evidence *evidence = rdv_evidence_map(arena, NULL, (rdv_str){0});
    rdv_evidence_number(arena, evidence, RDV_STR("n_samples"), 5);
    rdv_evidence *list = rdv_evidence_list(arena, evidence, RDV_STR("replies"));
    rdv_evidence_text(arena, list, (rdv_str){0}, RDV_STR("no"));
    rdv_evidence_flag(arena, list, (rdv_str){0}, true);
    rdv_evidence_null(arena, list, (rdv_str){0});
    rdv_verdict one[] = {{0, RDV_CONTRADICT, 0.1, RDV_STR("it is 7"), evidence},
                         {1, RDV_UNKNOWN, NAN, {0}, NULL}};
    rdv_verdict whole[] = {{RDV_WHOLE_CHAIN, RDV_SUPPORT, 1, {0}, NULL}};
    rdv_check checks[] = {
        {.method = RDV_STR("global"), .confidence = 0.2, .first_error = 0},
        {.method = RDV_STR("calculations"),
         .verdicts = one,
         .n_verdicts = 2,
         .confidence = 1.0 / 3,
         .first_error = 0,
         .n_unknown = 1},
        {.method = RDV_STR("global"),
         .verdicts = whole,
         .n_verdicts = 1,
         .confidence = NAN,
         .first_error = RDV_NO_STEP,
         .calls = 2,
         .prompt_tokens = 3,
         .completion_tokens = 4,
         .skipped = true},
    };
    rdv_chain chain = a_chain();
    chain.checks = checks;
    chain.n_checks = 2;
    chain.checks++; /* one method only: nothing under "checks" */
    chain.n_checks = 1;
#define CALCULATIONS                                                                               \
    "\"verdicts\":[{\"step\":0,\"verdict\":\"contradict\",\"score\":0.1,\"explanation\":\"it is "  \
    "7\","                                                                                         \
    "\"n_samples\":5,\"evidence\":{\"replies\":[\"no\",true,null]}},"                              \
    "{\"step\":1,\"verdict\":\"unknown\",\"score\":null}],\"confidence\":0.3333333333333333,"      \
    "\"first_error\":0,\"n_unknown\":1,\"n_calls\":0,\"prompt_tokens\":0,\"completion_tokens\":0"
    writes(&chain, NULL, MADE ",\"method\":\"calculations\"," CALCULATIONS "}\n");
#define GLOBAL                                                                                     \
    "\"verdicts\":[{\"step\":null,\"verdict\":\"support\",\"score\":1}],\"confidence\":null,"      \
    "\"first_error\":null,\"n_unknown\":0,\"n_calls\":2,\"prompt_tokens\":3,\"completion_"         \
    "tokens\":4,"                                                                                  \
    "\"skipped\":true"
    chain.checks = checks;
    chain.n_checks = 3;
    writes(&chain, NULL,
           MADE ",\"method\":\"global\"," GLOBAL ",\"checks\":{\"calculations\":{" CALCULATIONS
                "},\"global\":{" GLOBAL "}}}\n");
    rdv_arena_free(&arena);
}

/* The version of an earlier command's record makes place for the one that is written. */
static void test_write__one_version(void **state)
{
    (void)state;
    const char *record = "\"question\":\"q\",\"steps\":[\"a\"],\"id\":\"i\",\"answer\":null}";
    char with[200], without[200];
    snprintf(with, sizeof with, "{\"zz\":2,\"rederive_schema\":1,%s\n", record);
    snprintf(without, sizeof without, "{\"zz\":2,%s\n", record);
    reads(with, without);
}

/* What is written is read as it was, and written the same. */
static void test_write__round_trip(void **state)
{
    (void)state;
    const char *line =
        MADE ",\"note\":[1.0,2E5],\"step_labels\":[{\"annotator\":\"a\",\"criterion\":\"correct\","
             "\"labels\":[false,"
             "null]}],"
             "\"method\":\"global\"," GLOBAL ",\"checks\":{\"calculations\":{" CALCULATIONS
             "},\"global\":{" GLOBAL "}}}\n";
    reads(line, line);
}

static void test_result__written_and_read(void **state)
{
    (void)state;
    rdv_answer_count answers[] = {{RDV_STR("42"), 3.1, 4}, {RDV_STR("4\"1"), 0.5, 1}};
    rdv_str tied[] = {RDV_STR("42")};
    rdv_result result = {.question_id = RDV_STR("q"),
                         .answer = RDV_STR("42"),
                         .weight_share = 0.86,
                         .answers = answers,
                         .n_answers = 2,
                         .tied = tied,
                         .n_tied = 1,
                         .correct = 1,
                         .expected_correct = 0.5,
                         .unread = 2,
                         .chains = 10,
                         .chains_used = 7,
                         .calls = 9};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str line;
    assert_int_equal(rdv_result_write(&result, RDV_STR("\"stopped\":true"), arena, &line, NULL),
                     RDV_OK);
    const char *expected =
        VERSION "\"question_id\":\"q\",\"answer\":\"42\",\"weight_share\":0.86,\"answers\":{\"42\":"
                "{\"weight\":3.1,\"n_chains\":4},\"4\\\"1\":{\"weight\":0.5,\"n_chains\":1}},"
                "\"tied_answers\":[\"42\"],"
                "\"correct\":true,\"expected_correct\":0.5,\"n_unparsed\":2,\"n_chains\":10,\"n_"
                "chains_used\":7,"
                "\"n_calls\":9,\"stopped\":true}\n";
    assert_int_equal(line.len, strlen(expected));
    assert_memory_equal(line.p, expected, line.len);
    result = (rdv_result){
        .question_id = RDV_STR("q"), .weight_share = NAN, .correct = -1, .expected_correct = NAN};
    assert_int_equal(rdv_result_write(&result, (rdv_str){0}, arena, &line, NULL), RDV_OK);
    assert_non_null(
        strstr(rdv_record_member(line, RDV_STR("answer"), &line) == RDV_OK ? line.p : "", "null"));
    rdv_arena_free(&arena);
}

static void test_errors(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    rdv_str line;
    rdv_chain chain = a_chain();
    chain.raw = RDV_STR("[]");
    assert_int_equal(rdv_record_write(&chain, NULL, arena, &line, &err), RDV_E_INPUT);
    assert_string_equal(err.msg,
                        "the record to be written, byte 0: a record must be a JSON object");
    assert_int_equal(rdv_error_write(RDV_STR("f:1: \xff\"x\""), arena, &line, &err), RDV_OK);
    assert_memory_equal(line.p, VERSION "\"error\":\"f:1: \xef\xbf\xbd\\\"x\\\"\"}\n", line.len);
    rdv_arena_free(&arena);
}

static void test_members(void **state)
{
    (void)state;
    const rdv_str raw = RDV_STR("{\"n\":1.50,\"t\":\"a\\n\",\"z\":null,\"l\":[ 1 ],\"w\":true }");
    static const struct {
        const char *name, *bytes, *text;
    } cases[] = {{"n", "1.50", "1.50"}, {"t", "\"a\\n\"", "a\n"}, {"z", "null", NULL},
                 {"l", "[ 1 ]", NULL},  {"w", "true", "true"},    {"x", NULL, NULL}};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_str name = {cases[i].name, strlen(cases[i].name)}, value, text;
        assert_int_equal(rdv_record_member(raw, name, &value), cases[i].bytes ? RDV_OK : RDV_NONE);
        if (cases[i].bytes)
            assert_memory_equal(value.p, cases[i].bytes, strlen(cases[i].bytes));
        assert_int_equal(rdv_record_text(raw, name, arena, &text),
                         cases[i].text ? RDV_OK : RDV_NONE);
        if (cases[i].text)
            assert_memory_equal(text.p, cases[i].text, strlen(cases[i].text) + 1);
    }
    rdv_arena_free(&arena);
}

/* ---- calculations that are listed when they are written -------------------------------------- */

#define LONG_STEP 2500 /* calculations */

typedef int check_all(const rdv_method *method, const rdv_chain *chain,
                      const rdv_check_options *options, rdv_arena *arena, rdv_check **out,
                      size_t *n, rdv_error *err);

/* A chain of that one step, checked by `by`. */
static rdv_chain checked_by(check_all *by, rdv_str *step, rdv_arena *arena)
{
    rdv_chain chain = a_chain();
    rdv_check_options options;
    rdv_error err;
    chain.steps = step;
    chain.n_steps = 1;
    rdv_check_options_default(&options, sizeof options);
    assert_int_equal(by(rdv_method_named(RDV_STR("calculations")), &chain, &options, arena,
                        &chain.checks, &chain.n_checks, &err),
                     RDV_OK);
    return chain;
}

/* p == NULL: out of memory. */
static rdv_str record_of(const rdv_chain *chain, rdv_arena *arena)
{
    rdv_str line;
    rdv_error err;
    int r = rdv_record_write(chain, NULL, arena, &line, &err);
    assert_true(r == RDV_OK || r == RDV_E_NOMEM);
    return r == RDV_OK ? line : (rdv_str){0};
}

static rdv_str long_step(const char *last, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (int i = 0; i < LONG_STEP; i++)
        rdv_buf_printf(&b, "%d + 1 = %d, ", i % 9, i % 9 + 1);
    rdv_buf_add(&b, rdv_str_of(last));
    return rdv_buf_str(&b);
}

static void test_write__long_step(void **state)
{
    static const char *const last[] = {"", "3 * 4 = 13 and 10/3 = 3.3", "7 is prime, 2^9 = ?",
                                       "1/0 = 4, <<2+2=5>>"};
    rdv_arena *arena = rdv_arena_new(0);
    (void)state;
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        rdv_str step = long_step(last[i], arena);
        rdv_chain listed = checked_by(rdv_check_chain_all, &step, arena);
        rdv_chain unlisted = checked_by(method_check_all, &step, arena);
        const rdv_verdict *tree = listed.checks->verdicts, *none = unlisted.checks->verdicts;
        rdv_str record = record_of(&listed, arena);
        assert_true(record.len > 50 * LONG_STEP);
        assert_true(rdv_str_eq(record, record_of(&unlisted, arena)));
        assert_non_null(verdict_first(tree, RDV_STR("calculations")));
        assert_null(verdict_first(none, RDV_STR("calculations")));
        static const char *const outcomes[] = {"right", "rounded", "wrong", "undecided", "unused"};
        for (size_t k = 0; k < sizeof outcomes / sizeof *outcomes; k++)
            assert_int_equal(verdict_has_outcome(tree, rdv_str_of(outcomes[k])),
                             verdict_has_outcome(none, rdv_str_of(outcomes[k])));
    }
    rdv_arena_free(&arena);
}

static void test_write__long_step_no_memory(void **state)
{
    rdv_arena *kept = rdv_arena_new(0), *arena = rdv_arena_new(0);
    rdv_str step = long_step("3 * 4 = 13", kept);
    rdv_chain chain = checked_by(method_check_all, &step, kept);
    (void)state;
    assert_survives_no_memory(record_of(&chain, arena).p != NULL, rdv_arena_reset(arena));
    rdv_arena_free(&arena);
    rdv_arena_free(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write__made_by_the_program),
        cmocka_unit_test(test_write__original_bytes_first),
        cmocka_unit_test(test_write__changed_and_extra_and_error),
        cmocka_unit_test(test_write__conclusions_of_an_earlier_check),
        cmocka_unit_test(test_write__checks),
        cmocka_unit_test(test_write__one_version),
        cmocka_unit_test(test_write__round_trip),
        cmocka_unit_test(test_result__written_and_read),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_write__long_step),
        cmocka_unit_test(test_write__long_step_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
