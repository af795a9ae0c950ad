/* SPDX-License-Identifier: Apache-2.0 */
/* Rederive's own records: what is read into a chain, and what is refused with which words. */
#include "reading.h"

#include <math.h>

/* Read the one record in `text` into *record. */
static int read_one(const char *text, rdv_arena *arena, rdv_record *record, rdv_error *err)
{
    text_source s = {text, strlen(text), 0};
    rdv_reader *reader;
    assert_int_equal(
        rdv_reader_open_source((rdv_source){&s, read_text_source}, "in.jsonl", NULL, &reader, err),
        RDV_OK);
    int rc = rdv_reader_next(reader, arena, record, err);
    rdv_reader_close(&reader);
    return rc;
}

static void assert_text(rdv_str s, const char *expected)
{
    assert_non_null(s.p);
    assert_int_equal(s.len, strlen(expected));
    assert_memory_equal(s.p, expected, s.len);
}

static void test_chain__all_members(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_record r;
    rdv_error err = {0};
    assert_int_equal(
        read_one(
            "{\"id\":7,\"question_id\":\"q\",\"question\":\"Q\\u00e9?\",\"options\":[\"x\",\"y\"],"
            "\"answer_type\":\"option\",\"gold\":1.50,\"steps\":[\"a\",\"b\\u0000c\"],\"answer\":"
            "\"(A)\","
            "\"correct\":true,\"label\":1,"
            "\"step_labels\":[{\"annotator\":\"j\",\"criterion\":\"correct\",\"labels\":[true,null]"
            "}],"
            "\"scores\":{\"p\":[0.5,null],\"whole\":3},\"logprobs\":[[-1,-2],[]]}",
            arena, &r, &err),
        RDV_OK);
    const rdv_chain *c = &r.chain;
    assert_int_equal(r.kind, RDV_RECORD_CHAIN);
    assert_string_equal(r.format, "rederive-chain");
    assert_text(c->id, "7");
    assert_text(c->question.id, "q");
    assert_text(c->question.text, "Q\xc3\xa9?");
    assert_int_equal(c->question.n_options, 2);
    assert_text(c->question.options[1], "y");
    assert_int_equal(c->question.kind, RDV_KIND_OPTION);
    assert_text(c->question.gold, "1.50"); /* as it is written */
    assert_int_equal(c->n_steps, 2);
    assert_int_equal(c->steps[1].len, 3); /* a NUL is a character like others */
    assert_text(c->answer, "(A)");
    assert_int_equal(c->correct, 1);
    assert_int_equal(c->label.kind, RDV_LABEL_AT);
    assert_int_equal(c->label.step, 1);
    assert_int_equal(c->n_step_labels, 1);
    assert_int_equal(c->step_labels[0].is[0], 1);
    assert_int_equal(c->step_labels[0].is[1], -1);
    assert_int_equal(c->n_scores, 2);
    assert_true(isnan(rdv_chain_scores(c, RDV_STR("p"))->step[1]));
    assert_int_equal(rdv_chain_scores(c, RDV_STR("whole"))->n, 1);
    assert_int_equal(c->logprobs[0].n, 2);
    assert_int_equal(c->logprobs[1].n, 0);
    rdv_arena_free(&arena);
}

static void test_chain__listed_steps_are_never_joined(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_record r;
    rdv_error err = {0};
    assert_int_equal(read_one("{\"question\":\"Q?\",\"steps\":[\"It is $1 -\",\"2 = 3$:\","
                              "\"\\\\[x\",\"=\\\\]\",\"so\"]}",
                              arena, &r, &err),
                     RDV_OK);
    assert_int_equal(r.chain.n_steps, 5);
    assert_text(r.chain.steps[1], "2 = 3$:");
    assert_text(r.chain.steps[3], "=\\]");
    rdv_arena_free(&arena);
}

static void test_chain__label_absent_null_index(void **state)
{
    (void)state;
    static const struct {
        const char *member;
        rdv_label_kind kind;
    } cases[] = {{"", RDV_LABEL_UNKNOWN},
                 {",\"label\":null", RDV_LABEL_NO_MISTAKE},
                 {",\"label\":0", RDV_LABEL_AT},
                 {",\"label\":0.0", RDV_LABEL_AT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        rdv_arena *arena = rdv_arena_new(0);
        rdv_record r;
        snprintf(text, sizeof text, "{\"question\":\"q\",\"steps\":[\"a\"]%s}", cases[i].member);
        assert_int_equal(read_one(text, arena, &r, NULL), RDV_OK);
        assert_int_equal(r.chain.label.kind, cases[i].kind);
        rdv_arena_free(&arena);
    }
}

/* Of another version, whatever else the record holds: nothing else of it is looked at. */
static void test_version__refused(void **state)
{
    (void)state;
    static const char *const versions[] = {"2", "0", "1.0", "\"1\"", "null", "[]", "true"};
    static const char *const records[] = {"\"question\":\"q\",\"steps\":[]", "\"new\":1",
                                          "\"error\":\"e\""};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        for (size_t k = 0; k < sizeof records / sizeof *records; k++) {
            char text[200], expected[200];
            snprintf(text, sizeof text, "{%s,\"rederive_schema\":%s}", records[k], versions[i]);
            snprintf(expected, sizeof expected,
                     "! in.jsonl:1: \"rederive_schema\" is %s, and this program reads version 1: "
                     "another version of the program is needed\n",
                     versions[i]);
            reads(text, expected);
        }
    }
}

static void test_chain__refused(void **state)
{
    (void)state;
    static const struct {
        const char *members, *reason;
    } cases[] = {
        {"\"label\":2", "label 2 is no step: there are 2, from 0"},
        {"\"label\":-1", "label -1 is no step: there are 2, from 0"},
        {"\"label\":0.5", "label must be the index of a step or null"},
        {"\"label\":\"1\"", "label must be the index of a step or null"},
        {"\"answer_type\":\"word\"",
         "answer_type \"word\" is none of number, option, yesno, yesno-maybe, text, phrase, latex, "
         "date, date-day-first, time, money"},
        {"\"options\":\"a\"", "member \"options\" must be a list"},
        {"\"options\":[null]", "\"options\" holds null at 0"},
        {"\"gold\":{}", "member \"gold\" must be a text"},
        {"\"step_labels\":[{\"labels\":[true]}]",
         "step_labels: \"labels\" needs 2 values, one a step"},
        {"\"step_labels\":{}", "member \"step_labels\" must be a list"},
        {"\"scores\":{\"p\":[1,2,3]}", "scores \"p\": 3 values for 2 steps"},
        {"\"scores\":{\"p\":[\"x\",1]}", "\"p\" must be a list of numbers"},
        {"\"scores\":[1]", "member \"scores\" must be an object"},
        {"\"logprobs\":[[1]]", "logprobs: 1 lists for 2 steps"},
        {"\"answer\":\"\\udc00\"", "member \"answer\": invalid Unicode '\\uDC00'"},
        {"\"gold\":{\"a\":1,\"a\":2}", "member \"gold\": duplicate object key"},
        {"\"scores\":{\"p\":1e999}", "member \"scores\": real number overflow"},
        {"\"method\":\"m\",\"verdicts\":[{\"step\":9,\"verdict\":\"support\"}]",
         "a verdict is on a step that the chain does not have"},
        {"\"method\":\"m\",\"verdicts\":[{\"step\":0,\"verdict\":\"fine\"}]",
         "a verdict is none of support, unrelated, contradict, unknown"},
        {"\"method\":\"m\",\"confidence\":2",
         "a score or confidence of a check is not between 0 and 1"},
        {"\"method\":\"\\u0000\",\"confidence\":1", "the name of a method has a NUL byte"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256], expected[256];
        snprintf(text, sizeof text, "{\"question\":\"q\",\"steps\":[\"a\",\"b\"],%s}",
                 cases[i].members);
        snprintf(expected, sizeof expected, "! in.jsonl:1: %s\n", cases[i].reason);
        reads(text, expected);
    }
    reads("{\"question\":null,\"steps\":[]}",
          "! in.jsonl:1: member \"question\" is missing or null\n");
    reads("{\"steps\":[\"1 + 1 = 3\"]}",
          "{\"steps\":[\"1 + 1 = 3\"],\"id\":\"in/0\",\"question_id\":\"in/0\","
          "\"answer\":\"3\"}\n");
    reads("{\"question\":\"q\",\"steps\":\"a\"}",
          "! in.jsonl:1: member \"steps\" must be a list\n");
    reads("{\"question\":\"q\",\"steps\":[\"a\",null]}",
          "! in.jsonl:1: \"steps\" holds null at 1\n");
    reads("{\"a\":1,\"b\":2}",
          "! in.jsonl:1: no known form of record (members: a, b); name its parts with "
          "--question-from and --steps-from, and --gold-from and --id-from if it has them "
          "(docs/your-data.md), or its format\n");
}

/* A wrapper: other members beside the one list of records. */
static void test_unknown__list_of_records(void **state)
{
    (void)state;
    reads(
        "{\"model\":\"x\",\"results\":[ {\"question\":\"q\",\"response\":\"1+1=3\"}]}",
        "! in.jsonl:1: no known form of record (members: model, results); if its list "
        "\"results\" holds the records, take them out: jq -c '.results[]' FILE | rederive check\n");
    static const char *const others[] = {"{\"a\":1,\"b\":[{}],\"c\":[{}]}",
                                         "{\"a\":1,\"b c\":[{}]}", "{\"a\":1,\"b\":[1]}",
                                         "{\"a\":1,\"2\":[{}]}"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char out[1024];
        read_all(others[i], strlen(others[i]), 0, NULL, out, sizeof out);
        assert_null(strstr(out, "jq"));
        assert_non_null(strstr(out, "--question-from"));
    }
}

static void test_solution__asked_for_by_name_has_to_be_there(void **state)
{
    (void)state;
    static const char text[] = "{\"question\":\"q\",\"answer\":\"5\"}\n"
                               "{\"question\":\"q\",\"solution\":\"So 5.\"}\n";
    const rdv_read_options options = {.size = sizeof options, .format = "rederive-solution"};
    char out[1024];
    read_all(text, strlen(text), 0, &options, out, sizeof out);
    assert_string_equal(
        out, "! in.jsonl:1: no member \"solution\", which this format needs\n"
             "{\"question\":\"q\",\"solution\":\"So 5.\",\"id\":\"in/1\",\"steps\":[\"So "
             "5.\"],\"answer\":\"5\"}\n");
}

static void test_chain__answer_is_read_unless_null(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_record r;
    read_one("{\"question\":\"q\",\"steps\":[\"The answer is 5.\"]}", arena, &r, NULL);
    assert_text(r.chain.answer, "5");
    read_one("{\"question\":\"q\",\"steps\":[\"The answer is 5.\"],\"answer\":null}", arena, &r,
             NULL);
    assert_null(r.chain.answer.p);
    rdv_arena_free(&arena);
}

static void test_question_and_result_and_error(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_record r;
    read_one("{\"question\":\"q\",\"gold\":\"5\"}", arena, &r, NULL);
    assert_int_equal(r.kind, RDV_RECORD_QUESTION);
    assert_text(r.chain.question.id, "q"); /* the text is the default */
    read_one("{\"question_id\":\"q\",\"answer\":\"5\",\"weight_share\":0.75,\"answers\":{\"5\":"
             "{\"weight\":3,\"n_chains\":4},\"6\":{\"weight\":1,\"n_chains\":1}},\"tied_answers\":["
             "\"5\",\"6\"],"
             "\"correct\":null,\"expected_correct\":0.5,\"n_unparsed\":1,\"n_chains\":6,\"n_chains_"
             "used\":5,"
             "\"n_calls\":12}",
             arena, &r, NULL);
    assert_int_equal(r.kind, RDV_RECORD_RESULT);
    assert_int_equal(r.result.n_answers, 2);
    assert_text(r.result.answers[1].answer, "6");
    assert_true(r.result.answers[0].weight == 3 && r.result.answers[0].chains == 4);
    assert_int_equal(r.result.n_tied, 2);
    assert_int_equal(r.result.correct, -1);
    assert_true(r.result.expected_correct == 0.5);
    assert_int_equal(r.result.chains_used, 5);
    assert_int_equal(r.result.calls, 12);
    read_one("{\"error\":\"x:1: bad\"}", arena, &r, NULL);
    assert_int_equal(r.kind, RDV_RECORD_ERROR);
    assert_text(r.error, "x:1: bad");
    rdv_arena_free(&arena);
}

static void test_checks__read_back(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_record r;
    rdv_error err = {0};
    assert_int_equal(
        read_one(
            "{\"question\":\"q\",\"steps\":[\"a\",\"b\"],\"method\":\"two\",\"verdicts\":"
            "[{\"step\":null,\"verdict\":\"unknown\",\"score\":null,\"explanation\":\"w\"}],"
            "\"confidence\":null,\"first_error\":null,\"n_unknown\":1,\"n_calls\":3,"
            "\"prompt_tokens\":10,\"completion_tokens\":20,\"skipped\":true,"
            "\"checks\":{\"two\":{},\"one\":{\"verdicts\":[{\"step\":1,\"verdict\":\"contradict\","
            "\"score\":0.25,\"n_samples\":5,\"evidence\":{\"l\":[1,{\"m\":null}],\"t\":true}}],"
            "\"confidence\":0.5,\"first_error\":1}}}",
            arena, &r, &err),
        RDV_OK);
    assert_int_equal(r.chain.n_checks, 2);
    const rdv_check *one = &r.chain.checks[0], *two = &r.chain.checks[1];
    assert_text(one->method, "one");
    assert_text(two->method, "two");
    assert_int_equal(one->first_error, 1);
    assert_int_equal(one->verdicts[0].kind, RDV_CONTRADICT);
    assert_true(rdv_evidence_get(one->verdicts[0].evidence, RDV_STR("n_samples"))->number == 5);
    assert_int_equal(rdv_evidence_get(one->verdicts[0].evidence, RDV_STR("l"))->type,
                     RDV_EVIDENCE_LIST);
    assert_true(two->verdicts[0].step == RDV_WHOLE_CHAIN);
    assert_true(isnan(two->verdicts[0].score) && isnan(two->confidence));
    assert_true(two->first_error == RDV_NO_STEP);
    assert_true(two->skipped && two->calls == 3 && two->completion_tokens == 20);
    rdv_arena_free(&arena);
}

/* Without a method at the top, those under "checks" are read, and what is no check is not. */
static void test_checks__without_the_last_at_the_top(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_record r;
    rdv_error err = {0};
    assert_int_equal(
        read_one(
            "{\"question\":\"q\",\"steps\":[\"a\"],\"checks\":{\"one\":{\"verdicts\":[{\"step\":0,"
            "\"verdict\":\"support\"}],\"confidence\":1},\"two\":{\"confidence\":0.5},"
            "\"late\":{\"skipped\":true},\"mine\":{\"confidence\":85},\"list\":[1],"
            "\"flag\":true,\"people\":{\"verdicts\":[{\"is\":\"support\"}],\"confidence\":1}}}",
            arena, &r, &err),
        RDV_OK);
    assert_int_equal(r.chain.n_checks, 3);
    assert_text(r.chain.checks[0].method, "one");
    assert_int_equal(r.chain.checks[0].n_verdicts, 1);
    assert_text(r.chain.checks[1].method, "two");
    assert_true(r.chain.checks[2].skipped);
    rdv_arena_free(&arena);
}

/* A check that does not say where the first error is has not said that there is none. */
static void test_checks__without_a_first_error(void **state)
{
    static const char *const texts[] = {
        "\"method\":\"m\",\"confidence\":0.5",
        "\"method\":\"m\",\"verdicts\":[{\"step\":0,\"verdict\":\"support\",\"score\":1}]"};
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[256];
        rdv_record r;
        snprintf(text, sizeof text, "{\"question\":\"q\",\"steps\":[\"a\",\"b\"],%s}", texts[i]);
        assert_int_equal(read_one(text, arena, &r, NULL), RDV_OK);
        assert_int_equal(r.chain.n_checks, 1);
        assert_true(r.chain.checks[0].first_error == RDV_STEP_UNKNOWN);
    }
    rdv_record own; /* a member of the user's own */
    assert_int_equal(
        read_one("{\"question\":\"q\",\"steps\":[\"a\"],\"method\":\"cot\"}", arena, &own, NULL),
        RDV_OK);
    assert_int_equal(own.chain.n_checks, 0);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain__all_members),
        cmocka_unit_test(test_chain__listed_steps_are_never_joined),
        cmocka_unit_test(test_chain__label_absent_null_index),
        cmocka_unit_test(test_version__refused),
        cmocka_unit_test(test_chain__refused),
        cmocka_unit_test(test_unknown__list_of_records),
        cmocka_unit_test(test_solution__asked_for_by_name_has_to_be_there),
        cmocka_unit_test(test_chain__answer_is_read_unless_null),
        cmocka_unit_test(test_question_and_result_and_error),
        cmocka_unit_test(test_checks__read_back),
        cmocka_unit_test(test_checks__without_the_last_at_the_top),
        cmocka_unit_test(test_checks__without_a_first_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
