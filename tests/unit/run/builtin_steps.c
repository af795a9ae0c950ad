/* SPDX-License-Identifier: Apache-2.0 */
/* Rewards of steps by a model's step head: the job that is asked of the engine, and what is read of
 * its logits. */
#include "../lm/tiny.h"

#include "base/str.h"
#include "run/builtin_steps.h"

#include <math.h>

static rdv_str steps[] = {{"Two and two are 4.", 18}, {"So 5.", 5}};
static const rdv_request asked = {
    .kind = RDV_REQUEST_REWARD, .text = {"What is 2 + 2?", 14}, .steps = steps, .n_steps = 2};

static bool asks(const rdv_lm *lm)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_lm_job job;
    int rc = arena ? builtin_steps_job(lm, &asked, arena, &job, NULL) : RDV_E_NOMEM;
    assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
    if (rc == RDV_OK) {
        const uint32_t end = rdv_lm_control(lm, RDV_STR("<|end|>"));
        assert_int_equal(job.n_step_ends, 2);
        assert_int_equal(job.n_prompt, job.step_ends[1] + 1);
        for (size_t i = 0; i < 2; i++)
            assert_int_equal(job.prompt[job.step_ends[i]], end);
    }
    rdv_arena_free(&arena);
    return rc == RDV_OK;
}

/* Each step ends in a control token, and the last of them ends the prompt. */
static void test_steps_job__with_and_without_memory(void **state)
{
    rdv_lm *lm = tiny_open("steps");
    (void)state;
    assert_survives_no_memory(asks(lm), (void)0);
    rdv_lm_close(&lm);
}

static void test_steps_job__needs_a_step_head(void **state)
{
    rdv_lm *lm = tiny_open("f32");
    rdv_arena *arena = rdv_arena_new(0);
    rdv_lm_job job;
    rdv_error err = {0};
    (void)state;
    assert_int_equal(builtin_steps_job(lm, &asked, arena, &job, &err), RDV_NONE);
    assert_string_equal(err.msg, "this model has no step head");
    rdv_arena_free(&arena);
    rdv_lm_close(&lm);
}

/* A step's reward is P(right): one less the logistic of "this step is wrong"; a step that was left
 * out has none, and a reply ends by itself. */
static void test_steps_reply__a_reward_for_each_step(void **state)
{
    static const double logits[] = {0, 1.5, -1.5, 40, -40, 0.25};
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t n = 0; n <= 6; n++)
        for (size_t m = 0; m <= n; m++) {
            rdv_request request = {.n_steps = n};
            rdv_lm_event from = {.step_logits = logits, .n_step_logits = m};
            rdv_reply reply = {0};
            assert_int_equal(builtin_steps_reply(&request, &from, arena, &reply), RDV_OK);
            assert_int_equal(reply.n_rewards, n);
            assert_int_equal(reply.finish, RDV_FINISH_STOP);
            for (size_t i = 0; i < n; i++) {
                assert_int_equal(isnan(reply.rewards[i]), i >= m);
                if (i < m)
                    assert_true(fabs(reply.rewards[i] + 1 / (1 + exp(-logits[i])) - 1) < 1e-15);
            }
        }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_job__with_and_without_memory),
        cmocka_unit_test(test_steps_job__needs_a_step_head),
        cmocka_unit_test(test_steps_reply__a_reward_for_each_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
