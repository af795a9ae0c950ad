/* SPDX-License-Identifier: Apache-2.0 */
/* Rewards of steps: how chains are laid out for servers, and what servers send, as their
 * documentation has it (src/model/reward_pairs.c and reward_values.c name it). */
#include "../test.h"
#include "base/str.h"
#include "model/wire.h"

#include <math.h>

static const rdv_str steps[] = {{"3 + 4 = 7.", 10}, {"Twice\nthat\xc2\xa0is <extra_0>15.", 27}};

static rdv_request request_of(rdv_prm_form form)
{
    return (rdv_request){.kind = RDV_REQUEST_REWARD,
                         .text = RDV_STR("What is 2(3 + 4)?"),
                         .steps = steps,
                         .n_steps = 2,
                         .prm = form};
}

static void check_written(rdv_prm_form form, const char *path, const char *body)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_request r = request_of(form);
    rdv_abilities none = {0};
    wire w;
    assert_int_equal(wire_write(&r, RDV_STR("m"), &none, arena, &w, NULL), RDV_OK);
    assert_string_equal(w.path, path);
    assert_string_equal(rdv_cstring(arena, w.body), body);
    rdv_arena_free(&arena);
}

static void test_write__qwen(void **state)
{
    check_written(
        RDV_PRM_PAIRS_QWEN, "/pooling",
        "{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\"Please reason "
        "step by step, and put your final answer within \\\\boxed{}.\"},{\"role\":\"user\","
        "\"content\":\"What is 2(3 + 4)?\"},{\"role\":\"assistant\",\"content\":\"3 + 4 = "
        "7.<extra_0>Twice\\nthat\xc2\xa0is 15.<extra_0>\"}]}");
}

/* A pair comes for each tag, wherever it stands: there is one for each step, and no other. */
static void test_write__no_tag_but_those_of_steps(void **state)
{
    const rdv_str tagged[] = {RDV_STR("<extra_<extra_0>0>a")};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_request r = {.kind = RDV_REQUEST_REWARD,
                     .text = RDV_STR("Why<extra_0>?"),
                     .steps = tagged,
                     .n_steps = 1,
                     .prm = RDV_PRM_PAIRS_QWEN};
    rdv_abilities none = {0};
    wire w;
    assert_int_equal(wire_write(&r, RDV_STR("m"), &none, arena, &w, NULL), RDV_OK);
    assert_non_null(strstr(rdv_cstring(arena, w.body), "\"Why?\""));
    assert_non_null(strstr(rdv_cstring(arena, w.body), "\"a<extra_0>\""));
    rdv_arena_free(&arena);
}

static void test_write__shepherd(void **state)
{
    check_written(
        RDV_PRM_PAIRS_SHEPHERD, "/pooling",
        "{\"model\":\"m\",\"input\":\"What is 2(3 + 4)? Step 1: 3 + 4 = 7. \xd0\xba\xd0\xb8"
        "\\nStep 2: Twice\\nthat\xc2\xa0is <extra_0>15. \xd0\xba\xd0\xb8\"}");
}

static void test_write__values(void **state)
{
    check_written(
        RDV_PRM_TOKEN_VALUES, "/embeddings",
        "{\"model\":\"m\",\"encoding_format\":\"float\",\"input\":[\"What is 2(3 + 4)?\\n3 "
        "+ 4 = 7.\\n\",\"What is 2(3 + 4)?\\n3 + 4 = 7.\\nTwice that\xc2\xa0is "
        "<extra_0>15.\\n\"]}");
}

static void test_write__too_long_a_chain_is_refused(void **state)
{
    enum { STEPS = 9000 };
    static rdv_str many[STEPS];
    rdv_arena *arena = rdv_arena_new(0);
    rdv_abilities none = {0};
    rdv_error err = {0};
    wire w;
    for (size_t i = 0; i < STEPS; i++)
        many[i] = RDV_STR("a step");
    rdv_request r = request_of(RDV_PRM_TOKEN_VALUES);
    r.steps = many;
    r.n_steps = STEPS;
    assert_int_equal(wire_write(&r, RDV_STR("m"), &none, arena, &w, &err), RDV_NONE);
    assert_non_null(strstr(err.msg, "too long"));
    r.prm = RDV_PRM_PAIRS_QWEN;
    assert_int_equal(wire_write(&r, RDV_STR("m"), &none, arena, &w, &err), RDV_OK);
    rdv_arena_free(&arena);
}

/* ---- reading --------------------------------------------------------------------------------- */

#define POOLED(data)                                                                               \
    "{\"id\":\"pool-1\",\"object\":\"list\",\"created\":1,\"model\":\"m\",\"data\":[{\"index\":0," \
    "\"object\":\"pooling\",\"data\":" data                                                        \
    "}],\"usage\":{\"prompt_tokens\":31,\"total_tokens\":31,\"completion_tokens\":0}}"
#define EMBEDDED(data) "{\"object\":\"list\",\"model\":\"m\",\"data\":[" data "]}"

/* `wanted` has `n` rewards, or the body is no reply (n == -1). */
static void check_read(rdv_prm_form form, const char *body, const double *wanted, int n)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_request r = request_of(form);
    rdv_abilities none = {0};
    rdv_reply reply;
    wire w;
    assert_int_equal(wire_write(&r, RDV_STR("m"), &none, arena, &w, NULL), RDV_OK);
    int rc = wire_read(&w, &r, rdv_str_of(body), arena, &reply, NULL);
    assert_int_equal(rc, n < 0 ? RDV_E_INPUT : RDV_OK);
    if (n >= 0)
        assert_int_equal(reply.n_rewards, n);
    for (int i = 0; i < n; i++) {
        if (isnan(wanted[i]))
            assert_true(isnan(reply.rewards[i]));
        else
            assert_true(fabs(reply.rewards[i] - wanted[i]) < 1e-6);
    }
    rdv_arena_free(&arena);
}

static void test_read__pairs(void **state)
{
    const double wanted[] = {0.75, 0.125}, swapped[] = {0.25, 0.875};
    const char *body = POOLED("[[0.25,0.75],[0.875,0.125]]");
    check_read(RDV_PRM_PAIRS_QWEN, body, wanted, 2);
    check_read(RDV_PRM_PAIRS_SHEPHERD, body, swapped, 2);
}

static void test_read__logits(void **state)
{
    const double wanted[] = {1 / (1 + exp(-3)), 1 / (1 + exp(0.5))};
    check_read(RDV_PRM_PAIRS_QWEN, POOLED("[[-1,2],[3.5,3]]"), wanted, 2);
}

/* What one pair shows holds for all of a reply. */
static void test_read__logits_that_add_up_to_1(void **state)
{
    const double wanted[] = {1 / (1 + exp(-0.5)), 1 / (1 + exp(-3))};
    check_read(RDV_PRM_PAIRS_QWEN, POOLED("[[0.25,0.75],[-1,2]]"), wanted, 2);
}

static void test_read__pairs_that_are_none(void **state)
{
    const double wanted[] = {NAN, NAN, NAN, NAN, 0.5};
    check_read(RDV_PRM_PAIRS_QWEN, POOLED("[[1],null,[1,2,3],[\"a\",\"b\"],[0.5,0.5]]"), wanted, 5);
    check_read(RDV_PRM_PAIRS_QWEN, POOLED("[]"), NULL, 0);
    check_read(RDV_PRM_PAIRS_QWEN, POOLED("\"AAAA\""), NULL, -1);
    check_read(RDV_PRM_PAIRS_QWEN, "{\"data\":[]}", NULL, -1);
    check_read(RDV_PRM_PAIRS_QWEN, "{\"error\":{\"message\":\"no\"}}", NULL, -1);
    check_read(RDV_PRM_PAIRS_QWEN, "[]", NULL, -1);
    check_read(RDV_PRM_PAIRS_QWEN, "1", NULL, -1);
    check_read(RDV_PRM_PAIRS_QWEN, "", NULL, -1);
}

static void test_read__values(void **state)
{
    const double wanted[] = {1 / (1 + exp(-2)), 0.5};
    check_read(RDV_PRM_TOKEN_VALUES,
               EMBEDDED("{\"object\":\"embedding\",\"index\":1,\"embedding\":[-4,9,0]},"
                        "{\"object\":\"embedding\",\"index\":0,\"embedding\":[0.5,-1,2]}"),
               wanted, 2);
}

static void test_read__values_that_are_none(void **state)
{
    const double wanted[] = {NAN, NAN};
    check_read(RDV_PRM_TOKEN_VALUES, EMBEDDED("{\"embedding\":[]},{\"embedding\":[1,null]}"),
               wanted, 2);
    check_read(RDV_PRM_TOKEN_VALUES,
               EMBEDDED("{\"index\":7,\"embedding\":[1]},{\"index\":1e300,\"embedding\":[]}"),
               wanted, 2);
    check_read(RDV_PRM_TOKEN_VALUES, EMBEDDED(""), NULL, 0);
    check_read(RDV_PRM_TOKEN_VALUES, EMBEDDED("{\"embedding\":\"AAAA\"}"), NULL, -1);
    check_read(RDV_PRM_TOKEN_VALUES, EMBEDDED("7"), NULL, -1);
    check_read(RDV_PRM_TOKEN_VALUES, "{\"error\":\"no such model\"}", NULL, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write__qwen),
        cmocka_unit_test(test_write__no_tag_but_those_of_steps),
        cmocka_unit_test(test_write__shepherd),
        cmocka_unit_test(test_write__values),
        cmocka_unit_test(test_write__too_long_a_chain_is_refused),
        cmocka_unit_test(test_read__pairs),
        cmocka_unit_test(test_read__logits),
        cmocka_unit_test(test_read__logits_that_add_up_to_1),
        cmocka_unit_test(test_read__pairs_that_are_none),
        cmocka_unit_test(test_read__values),
        cmocka_unit_test(test_read__values_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
