/* SPDX-License-Identifier: Apache-2.0 */
/* The step head: its logits, the jobs that want them, and files with a head that cannot be used. */
#include "tiny.h"

#include <math.h>
#include <string.h>

#define N_PROMPT 40

static void fill(uint32_t *prompt)
{
    for (uint32_t i = 0; i < N_PROMPT; i++)
        prompt[i] = i ? 300 + i * 7 % 60 : 1;
}

/* The logits of a job that runs together with another. */
static void judge(rdv_lm_engine *engine, const rdv_lm_job *job, double *logits)
{
    rdv_lm_event event;
    rdv_lm_job other = {.prompt = job->prompt, .n_prompt = 20, .score = true, .max_tokens = 5};
    tiny_submit(engine, &other);
    uint64_t id = tiny_submit(engine, job);
    while (tiny_event(engine, &event)) {
        if (event.id != id)
            continue;
        assert_int_equal(event.n_step_logits, job->n_step_ends);
        assert_int_equal(event.n_tokens + event.n_scored, 0);
        assert_int_equal(event.prompt_tokens, job->n_prompt);
        memcpy(logits, event.step_logits, job->n_step_ends * sizeof *logits);
    }
}

/* The same bits whatever is computed together, and with what was computed before. */
static void test_steps__the_same_in_any_batch(void **state)
{
    rdv_lm *lm = tiny_open("steps");
    uint32_t prompt[N_PROMPT];
    const size_t ends[] = {3, 17, 18, 39};
    double first[4] = {0}, logits[4];
    fill(prompt);
    rdv_lm_job job = {.prompt = prompt, .n_prompt = N_PROMPT, .step_ends = ends, .n_step_ends = 4};
    for (uint32_t chunk = 16; chunk <= 64; chunk += 16) {
        rdv_lm_engine *engine = tiny_engine(lm, (rdv_lm_options){.threads = 2, .chunk = chunk});
        for (int again = 0; again < 2; again++) {
            judge(engine, &job, logits);
            if (chunk == 16 && !again)
                memcpy(first, logits, sizeof first);
            assert_memory_equal(logits, first, sizeof first);
        }
        rdv_lm_engine_free(&engine);
    }
    assert_true(first[0] != first[1] && first[1] != first[2] && isfinite(first[3]));
    rdv_lm_close(&lm);
}

/* A step depends on what is before it only. */
static void test_steps__later_steps_change_nothing(void **state)
{
    rdv_lm *lm = tiny_open("steps");
    uint32_t prompt[N_PROMPT];
    const size_t ends[] = {9, 39};
    double both[2], alone[1];
    fill(prompt);
    rdv_lm_engine *engine = tiny_engine(lm, (rdv_lm_options){.threads = 1});
    rdv_lm_job job = {.prompt = prompt, .n_prompt = N_PROMPT, .step_ends = ends, .n_step_ends = 2};
    judge(engine, &job, both);
    job.n_prompt = 20;
    job.n_step_ends = 1;
    judge(engine, &job, alone);
    assert_memory_equal(both, alone, sizeof alone);
    rdv_lm_engine_free(&engine);
    rdv_lm_close(&lm);
}

static void refuse(rdv_lm_engine *engine, rdv_lm_job job, const char *why)
{
    rdv_error err = {0};
    uint64_t id;
    assert_int_equal(rdv_lm_submit(engine, &job, &id, &err), RDV_E_ARGUMENT);
    assert_non_null(strstr(err.msg, why));
}

static void test_steps__jobs_that_are_refused(void **state)
{
    rdv_lm *lm = tiny_open("steps"), *without = tiny_open("f32");
    rdv_lm_engine *engine = tiny_engine(lm, (rdv_lm_options){.threads = 1});
    rdv_lm_engine *other = tiny_engine(without, (rdv_lm_options){.threads = 1});
    uint32_t prompt[N_PROMPT];
    const size_t same[] = {3, 3}, beyond[] = {10};
    fill(prompt);
    rdv_lm_job job = {.prompt = prompt, .n_prompt = 10, .step_ends = same, .n_step_ends = 2};
    refuse(engine, job, "not in order");
    job.n_step_ends = 1;
    refuse(other, job, "no step head");
    job.max_tokens = 1;
    refuse(engine, job, "neither scores nor generates");
    job.max_tokens = 0;
    job.step_ends = beyond;
    refuse(engine, job, "not in order");
    rdv_lm_engine_free(&engine);
    rdv_lm_engine_free(&other);
    rdv_lm_close(&lm);
    rdv_lm_close(&without);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Overwrite `n` bytes at `offset` behind the first `text` of the file, expect `why`, undo. */
static void damage(char *bytes, size_t size, const char *text, size_t offset, const void *with,
                   size_t n, const char *why)
{
    char was[16];
    rdv_lm *lm;
    rdv_error err = {0};
    char *at = memmem(bytes, size, text, strlen(text));
    assert_non_null(at);
    at += strlen(text) + offset;
    memcpy(was, at, n);
    memcpy(at, with, n);
    assert_int_equal(rdv_lm_read(&lm, (rdv_str){bytes, size}, &err), RDV_E_INPUT);
    if (!strstr(err.msg, why))
        fail_msg("\"%s\" does not say \"%s\"", err.msg, why);
    memcpy(at, was, n);
}

static void test_steps__heads_that_cannot_be_used(void **state)
{
    size_t size;
    char *bytes = tiny_bytes("steps", &size);
    const float nan = NAN;
    const uint64_t wide = 32;
    rdv_lm *lm;
    rdv_lm_info info;
    assert_int_equal(rdv_lm_read(&lm, (rdv_str){bytes, size}, NULL), RDV_OK);
    rdv_lm_about(lm, &info);
    assert_true(info.step_head);
    rdv_lm_close(&lm);
    damage(bytes, size, "rederive.step_head.layout", 12, "TURN", 4, "layout is not \"turn\"");
    damage(bytes, size, "rederive.step_head.layou", 0, "T", 1, "layout is not \"turn\"");
    damage(bytes, size, "rederive.step_head.bias", 4, &nan, 4, "bias is missing");
    damage(bytes, size, "rederive.step_head.bia", 0, "S", 1, "bias is missing");
    damage(bytes, size, "step_head.weight", 4, &wide, 8, "is of 32 x 1, not 64 x 1");
    damage(bytes, size, "step_head.weigh", 0, "T", 1, "'step_head.weight' is missing");
    memcpy(bytes + size - 32, &nan, 4);
    rdv_error err = {0};
    assert_int_equal(rdv_lm_read(&lm, (rdv_str){bytes, size}, &err), RDV_E_INPUT);
    assert_non_null(strstr(err.msg, "no number"));
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps__the_same_in_any_batch),
        cmocka_unit_test(test_steps__later_steps_change_nothing),
        cmocka_unit_test(test_steps__jobs_that_are_refused),
        cmocka_unit_test(test_steps__heads_that_cannot_be_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
