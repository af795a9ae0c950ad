/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs from submission to their last event: ends, stops, streams, cancelling, sharing, limits. */
#include "tiny.h"

#include <math.h>
#include <string.h>

typedef struct fixture {
    rdv_lm *lm;
    rdv_lm_engine *engine;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    f.lm = tiny_open("q8_0");
    f.engine = tiny_engine(f.lm, (rdv_lm_options){.threads = 2});
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    rdv_lm_engine_free(&f->engine);
    rdv_lm_close(&f->lm);
    assert_null(f->engine);
    return 0;
}

static const uint32_t prompt[40] = {1,   300, 310, 320, 330, 340, 350, 360, 370, 380,
                                    300, 301, 302, 303, 304, 305, 306, 307, 308, 309,
                                    310, 311, 312, 313, 314, 315, 316, 317, 318, 319,
                                    320, 321, 322, 323, 324, 325, 326, 327, 328, 329};

/* A job that generates 40 tokens and does not end by itself before. */
static rdv_lm_job endless(fixture *f)
{
    rdv_lm_event event;
    rdv_lm_job job = {.prompt = prompt, .n_prompt = 10, .max_tokens = 40, .temperature = 1};
    for (;; job.seed++) {
        tiny_submit(f->engine, &job);
        assert_true(tiny_event(f->engine, &event));
        if (event.n_tokens == 40)
            return job;
        assert_true(job.seed < 1000);
    }
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void test_end__length(void **state)
{
    fixture *f = *state;
    rdv_lm_event event;
    rdv_lm_job job = endless(f);
    job.max_tokens = 7;
    int here;
    job.user = &here;
    uint64_t id = tiny_submit(f->engine, &job);
    assert_true(tiny_event(f->engine, &event));
    assert_int_equal(event.kind, RDV_LM_DONE);
    assert_int_equal(event.id, id);
    assert_ptr_equal(event.user, &here);
    assert_int_equal(event.finish, RDV_LM_LENGTH);
    assert_int_equal(event.n_tokens, 7);
    assert_int_equal(event.completion_tokens, 7);
    assert_int_equal(event.prompt_tokens, 10);
    assert_null(event.stopped_by.p);
    assert_int_equal(rdv_lm_poll(f->engine, &event), RDV_NONE);
    assert_int_equal(rdv_lm_step(f->engine, NULL), RDV_NONE);
}

/* Seeds until one ends by itself: the tokens are then followed by one that has no text. */
static void test_end__by_itself(void **state)
{
    fixture *f = *state;
    rdv_lm_event event = {0};
    rdv_lm_job job = {.prompt = prompt, .n_prompt = 5, .max_tokens = 100, .temperature = 3};
    do {
        job.seed++;
        tiny_submit(f->engine, &job);
        assert_true(tiny_event(f->engine, &event));
    } while (event.finish != RDV_LM_STOP && job.seed < 1000);
    assert_int_equal(event.finish, RDV_LM_STOP);
    assert_null(event.stopped_by.p);
    assert_int_equal(event.completion_tokens, event.n_tokens + 1);
}

static void test_end__context_is_full(void **state)
{
    fixture *f = *state;
    rdv_lm_event event;
    uint32_t long_prompt[160];
    for (size_t i = 0; i < 160; i++)
        long_prompt[i] = prompt[i % 40];
    rdv_lm_job job = {.prompt = long_prompt, .n_prompt = 157, .max_tokens = RDV_LM_TO_THE_END};
    tiny_submit(f->engine, &job);
    assert_true(tiny_event(f->engine, &event));
    assert_true(event.finish == RDV_LM_STOP || event.n_tokens == 3);
    job.n_prompt = 160;
    tiny_submit(f->engine, &job);
    assert_true(tiny_event(f->engine, &event));
    assert_int_equal(event.finish, RDV_LM_LENGTH);
    assert_int_equal(event.n_tokens, 0);
    assert_text(event.text, "");
}

static void test_end__nothing_asked(void **state)
{
    fixture *f = *state;
    rdv_lm_event event;
    tiny_submit(f->engine, &(rdv_lm_job){.prompt = prompt, .n_prompt = 10});
    assert_true(tiny_event(f->engine, &event));
    assert_int_equal(event.n_tokens + event.n_scored, 0);
    tiny_submit(f->engine, &(rdv_lm_job){.prompt = prompt, .n_prompt = 1, .score = true});
    assert_true(tiny_event(f->engine, &event));
    assert_int_equal(event.n_scored, 1);
    assert_true(isnan(event.scored[0].logprob));
}

/* ---- stops and streams ----------------------------------------------------------------------- */

static void test_stop__cuts_text_and_tokens(void **state)
{
    fixture *f = *state;
    rdv_lm_event event;
    rdv_lm_job job = endless(f);
    tiny_submit(f->engine, &job);
    assert_true(tiny_event(f->engine, &event));
    char text[1024];
    size_t len = event.text.len;
    memcpy(text, event.text.p, len);
    for (size_t at = 1; at + 6 < len; at += 3) {
        rdv_str stop = {text + at, 5};
        size_t first = rdv_find((rdv_str){text, len}, stop, 0), begins = 0, n = 0;
        if (memchr(stop.p, '\xbf', stop.len) || memchr(stop.p, '\xef', stop.len))
            continue; /* stands for bytes that are no UTF-8 */
        job.stop = &stop;
        job.n_stop = 1;
        tiny_submit(f->engine, &job);
        assert_true(tiny_event(f->engine, &event));
        assert_true(rdv_str_eq(event.text, (rdv_str){text, first}));
        assert_int_equal(event.finish, RDV_LM_STOP);
        assert_true(rdv_str_eq(event.stopped_by, stop));
        if (memchr(text, '\xef', first))
            continue;
        for (; n < event.n_tokens; n++) { /* each token begins before the stop */
            assert_true(begins < first);
            begins += rdv_lm_piece(f->lm, event.tokens[n].token).len;
        }
        assert_true(begins >= first);
    }
}

static void test_stream__pieces_make_the_text(void **state)
{
    fixture *f = *state;
    static const rdv_str stop = {"\x01never", 6};
    rdv_lm_event event;
    rdv_lm_job job = endless(f);
    job.stream = true;
    job.stop = &stop;
    job.n_stop = 1;
    tiny_submit(f->engine, &job);
    char text[1024];
    size_t len = 0, tokens = 0, pieces = 0;
    for (;;) {
        assert_true(tiny_event(f->engine, &event));
        if (event.kind == RDV_LM_DONE)
            break;
        assert_true(event.text.len > 0 && len + event.text.len < sizeof text);
        memcpy(text + len, event.text.p, event.text.len);
        len += event.text.len;
        tokens += event.n_tokens;
        pieces++;
    }
    assert_true(rdv_str_eq(event.text, (rdv_str){text, len}));
    assert_int_equal(tokens, event.n_tokens);
    assert_true(pieces > 10);
}

/* ---- scores ---------------------------------------------------------------------------------- */

static void test_score__all_and_some(void **state)
{
    fixture *f = *state;
    rdv_lm_event event;
    double all[40];
    rdv_lm_job job = {.prompt = prompt, .n_prompt = 40, .score = true, .top_logprobs = 5};
    tiny_submit(f->engine, &job);
    assert_true(tiny_event(f->engine, &event));
    assert_int_equal(event.n_scored, 40);
    assert_true(isnan(event.scored[0].logprob) && event.scored[0].n_top == 0);
    for (size_t i = 0; i < 40; i++) {
        assert_int_equal(event.scored[i].token, prompt[i]);
        all[i] = event.scored[i].logprob;
        if (i > 0)
            assert_true(all[i] < 0 && event.scored[i].n_top == 5 &&
                        event.scored[i].top[0].logprob >= all[i]);
    }
    job.score_from = 33;
    tiny_submit(f->engine, &job);
    assert_true(tiny_event(f->engine, &event));
    assert_int_equal(event.n_scored, 7);
    assert_int_equal(event.cached_tokens, 32);
    for (size_t i = 0; i < 7; i++)
        assert_true(event.scored[i].logprob == all[33 + i]);
    job.score_from = 40;
    tiny_submit(f->engine, &job);
    assert_true(tiny_event(f->engine, &event));
    assert_int_equal(event.n_scored, 0);
}

/* ---- sharing --------------------------------------------------------------------------------- */

static void test_cache__twins_compute_their_prompt_once(void **state)
{
    fixture *f = *state;
    rdv_lm_stats stats;
    rdv_lm_event event;
    rdv_lm_engine *engine = tiny_engine(f->lm, (rdv_lm_options){.threads = 1, .chunk = 16});
    rdv_lm_job job = {.prompt = prompt, .n_prompt = 40, .max_tokens = 5, .temperature = 1};
    for (size_t i = 0; i < 10; i++, job.seed++)
        tiny_submit(engine, &job);
    while (tiny_event(engine, &event))
        ;
    rdv_lm_engine_stats(engine, &stats);
    assert_int_equal(stats.prompt_tokens, 40 + 9 * 8); /* two blocks are shared */
    assert_int_equal(stats.cached_tokens, 9 * 32);
    assert_int_equal(stats.used_bytes, 0);
    assert_true(stats.kept_bytes > 0);
    rdv_lm_engine_free(&engine);
}

static void test_cache__too_small_for_all(void **state)
{
    fixture *f = *state;
    rdv_lm_stats stats;
    rdv_lm_event event;
    size_t done = 0;
    rdv_lm_engine *engine = tiny_engine(f->lm, (rdv_lm_options){.threads = 1, .cache_bytes = 1});
    rdv_lm_job job = {.prompt = prompt, .n_prompt = 10, .max_tokens = 100, .temperature = 1};
    for (size_t i = 0; i < 10; i++, job.seed++)
        tiny_submit(engine, &job);
    while (tiny_event(engine, &event)) {
        rdv_lm_engine_stats(engine, &stats);
        assert_true(stats.used_bytes + stats.kept_bytes <= stats.cache_bytes);
        done++;
    }
    assert_int_equal(done, 10);
    assert_true(stats.recomputed_tokens > 0);
    rdv_lm_engine_free(&engine);
}

/* ---- cancelling ------------------------------------------------------------------------------ */

static void test_cancel__wherever_it_is(void **state)
{
    fixture *f = *state;
    rdv_lm_event event;
    rdv_lm_job job = endless(f);
    rdv_lm_engine *engine = tiny_engine(f->lm, (rdv_lm_options){.threads = 1, .sequences = 2});
    uint64_t ids[6];
    job.stream = true;
    for (size_t i = 0; i < 6; i++) {
        ids[i] = tiny_submit(engine, &job);
        assert_int_equal(ids[i], i + 1);
    }
    for (size_t i = 0; i < 10; i++)
        assert_int_equal(rdv_lm_step(engine, NULL), RDV_OK);
    assert_int_equal(rdv_lm_cancel(engine, ids[0]), RDV_OK); /* running, with pieces to tell */
    assert_int_equal(rdv_lm_cancel(engine, ids[0]), RDV_NONE);
    assert_int_equal(rdv_lm_cancel(engine, ids[5]), RDV_OK); /* waiting */
    assert_int_equal(rdv_lm_cancel(engine, 99), RDV_NONE);
    while (rdv_lm_step(engine, NULL) == RDV_OK)
        ;
    assert_int_equal(rdv_lm_cancel(engine, ids[3]), RDV_OK); /* ended, not told */
    size_t done = 0;
    while (rdv_lm_poll(engine, &event) == RDV_OK) {
        assert_true(event.id == ids[1] || event.id == ids[2] || event.id == ids[4]);
        done += event.kind == RDV_LM_DONE;
    }
    assert_int_equal(done, 3);
    rdv_lm_stats stats;
    rdv_lm_engine_stats(engine, &stats);
    assert_int_equal(stats.used_bytes, 0);
    tiny_submit(engine, &job);
    rdv_lm_step(engine, NULL);
    rdv_lm_engine_free(&engine); /* with a job running, and one told */
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void expect(fixture *f, rdv_lm_job job, int code)
{
    uint64_t id;
    rdv_error err = {0};
    assert_int_equal(rdv_lm_submit(f->engine, &job, &id, &err), code);
    assert_int_equal(err.code, code);
    assert_true(strlen(err.msg) > 0);
}

static void test_submit__refuses(void **state)
{
    fixture *f = *state;
    static const uint32_t stranger[] = {1, 100000};
    static uint32_t too_long[161];
    rdv_str stops[RDV_LM_MAX_STOPS + 1] = {{"", 0}};
    rdv_lm_job job = {.prompt = prompt, .n_prompt = 10, .max_tokens = 1}, bad = job;
    bad.n_prompt = 0;
    expect(f, bad, RDV_E_ARGUMENT);
    bad = (rdv_lm_job){.prompt = stranger, .n_prompt = 2};
    expect(f, bad, RDV_E_ARGUMENT);
    bad = (rdv_lm_job){.prompt = too_long, .n_prompt = 161};
    expect(f, bad, RDV_E_LIMIT);
    for (int i = 0; i < 4; i++) {
        bad = job;
        bad.temperature = i == 0 ? -1 : i == 1 ? NAN : i == 2 ? INFINITY : 1;
        bad.top_p = i == 3 ? 1.5 : 1;
        expect(f, bad, RDV_E_ARGUMENT);
    }
    bad = job;
    bad.top_logprobs = RDV_LM_MAX_TOP + 1;
    expect(f, bad, RDV_E_ARGUMENT);
    bad = job;
    bad.stop = stops;
    bad.n_stop = 1;
    expect(f, bad, RDV_E_ARGUMENT);
    bad.n_stop = RDV_LM_MAX_STOPS + 1;
    expect(f, bad, RDV_E_ARGUMENT);
    rdv_lm_engine *engine;
    assert_int_equal(rdv_lm_engine_new(&engine, f->lm, &(rdv_lm_options){.threads = 65}, NULL),
                     RDV_E_ARGUMENT);
    assert_null(engine);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Two jobs, of which the first generates `first` tokens. */
static bool one_run(const rdv_lm *lm, uint32_t first, bool stream)
{
    rdv_lm_engine *engine = NULL;
    rdv_lm_event event;
    uint64_t id;
    rdv_lm_options options = {.threads = 1, .chunk = 16, .sequences = 2, .cache_bytes = 1};
    rdv_lm_job job = {.prompt = prompt,
                      .n_prompt = 20,
                      .score = true,
                      .max_tokens = first,
                      .temperature = 1,
                      .stop = &RDV_STR("\x01"),
                      .n_stop = 1,
                      .top_logprobs = 2,
                      .stream = stream};
    bool ok = rdv_lm_engine_new(&engine, lm, &options, NULL) == RDV_OK;
    ok = ok && rdv_lm_submit(engine, &job, &id, NULL) == RDV_OK;
    job.max_tokens = 20;
    ok = ok && rdv_lm_submit(engine, &job, &id, NULL) == RDV_OK;
    int rc = RDV_OK;
    while (ok && rc == RDV_OK) {
        rc = rdv_lm_step(engine, NULL);
        while (rdv_lm_poll(engine, &event) == RDV_OK) /* what ended before is told all the same */
            ;
    }
    if (ok && rc < 0) /* it stays failed */
        assert_int_equal(rdv_lm_step(engine, NULL), RDV_E_NOMEM);
    ok = ok && rc == RDV_NONE;
    rdv_lm_engine_free(&engine);
    return ok;
}

static void test_engine__no_memory(void **state)
{
    fixture *f = *state;
    assert_survives_no_memory(one_run(f->lm, 20, false), (void)0);
}

/* The first job ends in a step that finds no memory for the second one, which begins to write. */
static void test_engine__no_memory_beside_an_end(void **state)
{
    fixture *f = *state;
    for (uint32_t first = 1; first <= 5; first++) {
        assert_survives_no_memory(one_run(f->lm, first, false), (void)0);
        assert_survives_no_memory(one_run(f->lm, first, true), (void)0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_end__length),
        cmocka_unit_test(test_end__by_itself),
        cmocka_unit_test(test_end__context_is_full),
        cmocka_unit_test(test_end__nothing_asked),
        cmocka_unit_test(test_stop__cuts_text_and_tokens),
        cmocka_unit_test(test_stream__pieces_make_the_text),
        cmocka_unit_test(test_score__all_and_some),
        cmocka_unit_test(test_cache__twins_compute_their_prompt_once),
        cmocka_unit_test(test_cache__too_small_for_all),
        cmocka_unit_test(test_cancel__wherever_it_is),
        cmocka_unit_test(test_submit__refuses),
        cmocka_unit_test(test_engine__no_memory),
        cmocka_unit_test(test_engine__no_memory_beside_an_end),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
