/* SPDX-License-Identifier: Apache-2.0 */
/* A sample for annotators: its size and share by task, and what memory it does without. */
#include "../test.h"

#include "study/trace_sample.h"

#include "base/str.h"

#define N 40

/* Trace i of a task: every fourth answer is right. */
static rdv_chain trace_at(size_t i, rdv_arena *arena)
{
    rdv_str task = i % 2 ? RDV_STR("one") : RDV_STR("two");
    return (rdv_chain){.id = rdv_str_printf(arena, "%.*s/%zu", RDV_FMT(task), i),
                       .question = {.text = RDV_STR("Why?"), .gold = RDV_STR("yes")},
                       .answer = i / 2 % 4 ? RDV_STR("no") : RDV_STR(" yes ")};
}

static int draw_all(rdv_arena *arena, const trace_sample_options *options, trace_sample **out,
                    size_t **drawn, size_t *n, rdv_error *err)
{
    trace_sample *s = trace_sample_new(options, arena);
    int code = s ? RDV_OK : rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t i = 0; i < N && code == RDV_OK; i++) {
        rdv_chain chain = trace_at(i, arena);
        code = chain.id.p ? trace_sample_add(s, &chain, i, arena, err) : RDV_E_NOMEM;
    }
    *out = s;
    return code == RDV_OK ? trace_sample_draw(s, drawn, n, err) : code;
}

static void test_sample__counts_by_task(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    trace_sample_options options = {.size = 10, .right = 0.3, .seed = 1};
    trace_sample *s;
    size_t *drawn, n, n_tasks;
    assert_int_equal(draw_all(arena, &options, &s, &drawn, &n, NULL), RDV_OK);
    const trace_sample_task *tasks = trace_sample_tasks(s, &n_tasks);
    assert_int_equal(n_tasks, 2);
    assert_int_equal(n, 20);
    for (size_t t = 0; t < n_tasks; t++) {
        assert_int_equal(tasks[t].right, 5);
        assert_int_equal(tasks[t].drawn_right, 3);
        assert_int_equal(tasks[t].drawn_wrong, 7);
    }
    for (size_t i = 1; i < n; i++)
        assert_true(drawn[i - 1] < drawn[i]);
    rdv_arena_free(&arena);
}

/* True on success; a failure is the lack of memory and nothing else. */
static bool samples(void)
{
    trace_sample_options options = {.size = 10, .right = 0.3};
    rdv_arena *arena = rdv_arena_new(0);
    trace_sample *s;
    size_t *drawn, n = 0;
    int code = arena ? draw_all(arena, &options, &s, &drawn, &n, NULL) : RDV_E_NOMEM;
    assert_true(code == RDV_OK ? n == 20 : code == RDV_E_NOMEM);
    rdv_arena_free(&arena);
    return code == RDV_OK;
}

static void test_sample__without_memory(void **state)
{
    (void)state;
    assert_survives_no_memory(samples(), (void)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample__counts_by_task),
        cmocka_unit_test(test_sample__without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
