/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of OpenAI's Batch format: requests, and what is kept of them; results. */
#include "../test.h"
#include "model/batch.h"
#include "model/record.h"

#include <math.h>

static const unsigned char key[32] = {0x0a, 0xff, [31] = 0x01};
#define KEY "0aff000000000000000000000000000000000000000000000000000000000001"

static rdv_arena *arena;

static int set_up(void **state)
{
    arena = rdv_arena_new(0);
    return !arena;
}

static int tear_down(void **state)
{
    rdv_arena_free(&arena);
    return 0;
}

static void test_request__has_the_documented_members(void **state)
{
    const wire w = {.path = "/chat/completions", .body = RDV_STR("{\"model\":\"m\"}")};
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    assert_true(batch_takes(&w));
    batch_write_request(&b, key, &w);
    assert_text(rdv_buf_str(&b), "{\"custom_id\":\"" KEY "\",\"method\":\"POST\","
                                 "\"url\":\"/v1/chat/completions\",\"body\":{\"model\":\"m\"}}\n");
    assert_false(batch_takes(&(wire){.path = "/pooling"}));
}

static void test_reading__is_what_was_written(void **state)
{
    static const rdv_message turns[] = {{RDV_USER, {"q", 1}}, {RDV_ASSISTANT, {"so ", 3}}};
    static const rdv_str stops[] = {{"\n", 1}}, answers[] = {{"yes", 3}, {"no", 2}};
    const rdv_request request = {.kind = RDV_REQUEST_CONTINUE,
                                 .messages = turns,
                                 .n_messages = 2,
                                 .sampling = {NAN, NAN, 9, stops, 1, true, 3},
                                 .answers = answers,
                                 .n_answers = 2};
    const wire w = {.form = WIRE_CHAT,
                    .path = "/chat/completions",
                    .uses = ABILITY_BIT(ABILITY_PREFIX) | ABILITY_BIT(ABILITY_TOP_K),
                    .adapted = RDV_STR("top_p left out"),
                    .continues = RDV_STR("so "),
                    .gives_back = RDV_CANNOT};
    rdv_buf asked, reading;
    batch_reading read;
    rdv_buf_init(&asked, arena, 0);
    rdv_buf_init(&reading, arena, 0);
    record_write_request(&asked, &request);
    batch_write_reading(&reading, &request, &w);
    assert_int_equal(batch_read_reading(RDV_STR("continue"), rdv_buf_str(&asked),
                                        rdv_buf_str(&reading), arena, &read, NULL),
                     RDV_OK);
    assert_int_equal(read.request.kind, RDV_REQUEST_CONTINUE);
    assert_int_equal(read.request.n_messages, 1);
    assert_text(read.request.messages[0].text, "so ");
    assert_int_equal(read.request.sampling.n_stop, 1);
    assert_text(read.request.sampling.stop[0], "\n");
    assert_true(read.request.sampling.logprobs && read.request.sampling.top_logprobs == 3);
    assert_int_equal(read.request.n_answers, 2);
    assert_text(read.request.answers[1], "no");
    assert_int_equal(read.wire.form, WIRE_CHAT);
    assert_int_equal(read.wire.uses, w.uses);
    assert_text(read.wire.adapted, "top_p left out");
    assert_text(read.wire.continues, "so ");
    assert_int_equal(read.wire.gives_back, RDV_CANNOT);
}

static void test_reading__needs_json(void **state)
{
    batch_reading read;
    assert_int_equal(
        batch_read_reading(RDV_STR("chat"), RDV_STR("{"), RDV_STR("{}"), arena, &read, NULL),
        RDV_E_INPUT);
    assert_int_equal(
        batch_read_reading(RDV_STR("chat"), RDV_STR("{}"), RDV_STR(""), arena, &read, NULL),
        RDV_E_INPUT);
}

static void test_lines__survive_no_memory(void **state)
{
    static const char line[] = "{\"id\":\"i\",\"custom_id\":\"" KEY
                               "\",\"response\":{\"status_code\":400,\"body\":{\"error\":{"
                               "\"message\":\"m\"}}}}";
    rdv_str request = RDV_STR("{\"messages\":[{\"content\":\"q\"}],\"stop\":[\"s\"]}");
    rdv_str how = RDV_STR("{\"form\":\"score\",\"adapted\":\"a\",\"answers\":[\"yes\"]}");
    batch_reading read;
    batch_result r;
    assert_survives_no_memory(
        batch_read_reading(RDV_STR("score"), request, how, arena, &read, NULL) == RDV_OK, (void)0);
    assert_int_equal(read.wire.form, WIRE_SCORE_CHAT);
    assert_survives_no_memory(batch_read_result(rdv_str_of(line), arena, &r, NULL) == RDV_OK,
                              batch_result_release(&r));
    assert_int_equal(r.status, 400); /* an error without its words is an error */
    batch_result_release(&r);
}

static void test_result__of_each_form(void **state)
{
    static const struct {
        const char *line;
        int status;
        const char *message, *code;
    } cases[] = {
        {"{\"custom_id\":\"" KEY "\",\"response\":{\"status_code\":200,\"body\":{}}}", 200, "", ""},
        {"{\"custom_id\":\"" KEY "\",\"response\":{\"status_code\":\"429\",\"body\":{\"error\":"
         "{\"message\":\"slow down\",\"code\":\"rate\"}}}}",
         429, "slow down", "rate"},
        {"{\"custom_id\":\"" KEY "\",\"response\":null,\"error\":{\"code\":\"batch_expired\","
         "\"message\":\"late\"}}",
         0, "late", "batch_expired"},
        {"{\"custom_id\":\"" KEY "\",\"response\":{\"status_code\":404},\"error\":{\"error\":"
         "{\"message\":\"none\"}}}",
         404, "none", ""},
        {"{\"custom_id\":\"" KEY "\",\"response\":{\"status_code\":7000},\"error\":\"x\"}", 0, "x",
         ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        batch_result r;
        assert_int_equal(batch_read_result(rdv_str_of(cases[i].line), arena, &r, NULL), RDV_OK);
        assert_true(r.ours && memcmp(r.key, key, sizeof key) == 0);
        assert_int_equal(r.status, cases[i].status);
        assert_true(rdv_str_eq(r.error.message, rdv_str_of(cases[i].message)));
        assert_true(rdv_str_eq(r.error.code, rdv_str_of(cases[i].code)));
        batch_result_release(&r);
    }
}

static void test_result__of_another_run(void **state)
{
    batch_result r;
    rdv_str line = RDV_STR("{\"custom_id\":\"request-1\",\"response\":{\"status_code\":200}}");
    assert_int_equal(batch_read_result(line, arena, &r, NULL), RDV_OK);
    assert_false(r.ours);
    assert_text(r.custom_id, "request-1");
    batch_result_release(&r);
}

static void test_no_result__says_why(void **state)
{
    static const char *const lines[][2] = {
        {"[]", "it is not an object"},
        {"{\"response\":{}}", "it has no custom_id"},
        {"{\"custom_id\":5,\"response\":{}}", "it has no custom_id"},
        {"{\"custom_id\":\"" KEY "\"}", "neither a response nor an error"},
        {"{\"custom_id\":\"" KEY "\",\"response\":7,\"error\":null}",
         "neither a response nor an error"},
        {"{\"custom_id\":\"" KEY, "cut off"}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        batch_result r;
        rdv_error err = {0};
        assert_int_equal(batch_read_result(rdv_str_of(lines[i][0]), arena, &r, &err), RDV_E_INPUT);
        assert_non_null(strstr(err.msg, lines[i][1]));
        batch_result_release(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_request__has_the_documented_members, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_reading__is_what_was_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reading__needs_json, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lines__survive_no_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_result__of_each_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_result__of_another_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_result__says_why, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
