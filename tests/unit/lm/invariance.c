/* SPDX-License-Identifier: Apache-2.0 */
/* Same job, same bits: whatever else is in the batch, and however the engine is set up. */
#include "tiny.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

#define JOBS 32
#define MOST 64

/* What a job ended with. */
typedef struct outcome {
    size_t n_tokens, n_scored;
    uint32_t tokens[MOST];
    double logprobs[MOST], scored[MOST];
    double top[MOST][3];
    char text[512];
    size_t len;
    rdv_lm_finish finish;
} outcome;

typedef struct questions {
    uint32_t tokens[JOBS][MOST];
    rdv_lm_job jobs[JOBS];
} questions;

static const rdv_str stops[] = {{"ap", 2}, {"e\n", 2}};

/* Prompts of every length, in families with one beginning; greedy and drawn, scored and not. */
static void ask(questions *q, uint32_t vocab)
{
    rdv_rng rng;
    rdv_rng_seed(&rng, 11);
    for (size_t i = 0; i < JOBS; i++) {
        size_t n = 1 + rdv_rng_below(&rng, MOST - 1);
        for (size_t k = 0; k < n; k++)
            q->tokens[i][k] =
                (uint32_t)(k < 40 ? (k * 31 + i % 3) % vocab : rdv_rng_below(&rng, vocab));
        q->jobs[i] = (rdv_lm_job){.prompt = q->tokens[i],
                                  .n_prompt = n,
                                  .score = i % 3 == 0,
                                  .score_from = i % 2 ? n / 2 : 0,
                                  .max_tokens = (uint32_t)(i % 5 ? 10 + i : 0),
                                  .temperature = i % 4 ? 0.8 : 0,
                                  .top_p = i % 4 == 2 ? 0.9 : 1,
                                  .seed = i / 2,
                                  .stop = stops,
                                  .n_stop = i % 7 == 0 ? 2 : 0,
                                  .top_logprobs = i % 2 ? 3 : 0,
                                  .stream = i % 3 == 1};
    }
}

static void record(outcome *o, const rdv_lm_event *event)
{
    o->n_tokens = event->n_tokens;
    o->n_scored = event->n_scored;
    o->finish = event->finish;
    assert_true(event->n_tokens < MOST && event->n_scored < MOST && event->text.len < 512);
    for (size_t i = 0; i < event->n_tokens; i++) {
        o->tokens[i] = event->tokens[i].token;
        o->logprobs[i] = event->tokens[i].logprob;
        for (size_t k = 0; k < event->tokens[i].n_top; k++)
            o->top[i][k] = event->tokens[i].top[k].logprob;
    }
    for (size_t i = 0; i < event->n_scored; i++)
        o->scored[i] = event->scored[i].logprob;
    memcpy(o->text, event->text.p, event->text.len);
    o->len = event->text.len;
}

/* All jobs at once, in this order; `order` 0: one after another. */
static void run(const rdv_lm *lm, const questions *q, rdv_lm_options options, size_t order,
                outcome *outcomes)
{
    rdv_lm_engine *engine = tiny_engine(lm, options);
    rdv_lm_event event;
    memset(outcomes, 0, JOBS * sizeof *outcomes);
    for (size_t i = 0; i < JOBS; i++) {
        size_t which = order ? i * order % JOBS : i;
        rdv_lm_job job = q->jobs[which];
        job.user = &outcomes[which];
        tiny_submit(engine, &job);
        while (!order && tiny_event(engine, &event))
            if (event.kind == RDV_LM_DONE)
                record(event.user, &event);
    }
    while (tiny_event(engine, &event))
        if (event.kind == RDV_LM_DONE)
            record(event.user, &event);
    rdv_lm_engine_free(&engine);
}

static void compare(const outcome *a, const outcome *b, const char *what)
{
    for (size_t i = 0; i < JOBS; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0)
            fail_msg("%s: job %zu ended differently: %zu and %zu tokens, \"%.*s\" and \"%.*s\"",
                     what, i, a[i].n_tokens, b[i].n_tokens, (int)a[i].len, a[i].text, (int)b[i].len,
                     b[i].text);
}

static void check_model(const char *name)
{
    static questions q;
    static outcome alone[JOBS], other[JOBS];
    static const struct {
        const char *what;
        rdv_lm_options options;
        size_t order;
    } ways[] = {
        {"all at once", {.threads = 1}, 1},
        {"two threads", {.threads = 2}, 1},
        {"five threads, another order", {.threads = 5}, 7},
        {"small chunks", {.threads = 1, .chunk = 16}, 1},
        {"few at once", {.threads = 2, .sequences = 3, .chunk = 32}, 5},
        {"nothing kept", {.threads = 1, .forget = true}, 1},
        {"a cache that is too small", {.threads = 1, .cache_bytes = 1}, 3},
        {"too small, small chunks", {.threads = 2, .cache_bytes = 1, .chunk = 16}, 1},
    };
    rdv_lm *lm = tiny_open(name);
    rdv_lm_info info;
    rdv_lm_about(lm, &info);
    ask(&q, info.vocab);
    run(lm, &q, (rdv_lm_options){.threads = 1, .forget = true}, 0, alone);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        run(lm, &q, ways[i].options, ways[i].order, other);
        compare(alone, other, ways[i].what);
    }
    rdv_lm_close(&lm);
}

static void test_same_bits__f32(void **state)
{
    check_model("f32");
}

static void test_same_bits__f16(void **state)
{
    check_model("f16");
}

static void test_same_bits__q8_0(void **state)
{
    check_model("q8_0");
}

/* What was generated, scored as a prompt, has the log-probabilities it was generated with. */
static void test_same_bits__scored_as_generated(void **state)
{
    rdv_lm *lm = tiny_open("q8_0");
    rdv_lm_engine *engine = tiny_engine(lm, (rdv_lm_options){.threads = 1});
    uint32_t tokens[MOST] = {1, 300, 310, 320};
    double logprobs[MOST];
    rdv_lm_event event;
    tiny_submit(
        engine,
        &(rdv_lm_job){
            .prompt = tokens, .n_prompt = 4, .max_tokens = 40, .temperature = 1, .seed = 3});
    assert_true(tiny_event(engine, &event));
    size_t n = event.n_tokens;
    assert_true(n > 5);
    for (size_t i = 0; i < n; i++) {
        tokens[4 + i] = event.tokens[i].token;
        logprobs[i] = event.tokens[i].logprob;
    }
    tiny_submit(engine,
                &(rdv_lm_job){.prompt = tokens, .n_prompt = 4 + n, .score = true, .score_from = 4});
    assert_true(tiny_event(engine, &event));
    assert_int_equal(event.n_scored, n);
    for (size_t i = 0; i < n; i++)
        assert_true(event.scored[i].logprob == logprobs[i]);
    rdv_lm_engine_free(&engine);
    rdv_lm_close(&lm);
}

/* A prefix that a model wrote, given to be gone on with, is gone on with as before. */
static void test_same_bits__continued(void **state)
{
    rdv_lm *lm = tiny_open("f32");
    rdv_lm_engine *engine = tiny_engine(lm, (rdv_lm_options){.threads = 1});
    uint32_t tokens[MOST] = {1, 300, 310}, whole[MOST];
    rdv_lm_event event;
    rdv_lm_job job = {
        .prompt = tokens, .n_prompt = 3, .max_tokens = 30, .temperature = 0.9, .seed = 1};
    tiny_submit(engine, &job);
    assert_true(tiny_event(engine, &event));
    size_t n = event.n_tokens;
    assert_true(n > 10);
    for (size_t i = 0; i < n; i++)
        whole[i] = event.tokens[i].token;
    memcpy(tokens + 3, whole, 8 * sizeof *whole);
    job.n_prompt += 8;
    job.max_tokens -= 8;
    tiny_submit(engine, &job);
    assert_true(tiny_event(engine, &event));
    assert_int_equal(event.n_tokens, n - 8);
    for (size_t i = 0; i < event.n_tokens; i++)
        assert_int_equal(event.tokens[i].token, whole[8 + i]);
    rdv_lm_engine_free(&engine);
    rdv_lm_close(&lm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits__f32),
        cmocka_unit_test(test_same_bits__f16),
        cmocka_unit_test(test_same_bits__q8_0),
        cmocka_unit_test(test_same_bits__scored_as_generated),
        cmocka_unit_test(test_same_bits__continued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
