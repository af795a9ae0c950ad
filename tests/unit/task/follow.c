/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of the five tasks and what is said of each step: tests/golden/traces.txt. */
#include "task/follow.h"

#include "../test.h"
#include "../text/golden.h"

#include <math.h>

#define MAX_STEPS 32

typedef struct reader {
    rdv_arena *arena;
    const follow_task *task;
    rdv_str question;
    rdv_str steps[MAX_STEPS];
    rdv_verdict_kind expected[MAX_STEPS];
    size_t n_steps, line, n_cases, n_wrong;
} reader;

static const struct {
    const char *name;
    const follow_task *task;
} tasks[] = {
    {"dyck", &follow_dyck},
    {"sorting", &follow_sorting},
    {"shuffled-objects", &follow_shuffled},
    {"arithmetic", &follow_arithmetic},
    {"deduction", &follow_deduction},
};

static const follow_task *task_named(rdv_str name)
{
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
        if (rdv_str_eq(name, rdv_str_of(tasks[i].name)))
            return tasks[i].task;
    fail_msg("there is no task %.*s", RDV_FMT(name));
    return NULL;
}

static void end_case(reader *r)
{
    rdv_verdict verdicts[MAX_STEPS];
    rdv_chain chain = {.question = {.text = r->question}, .steps = r->steps, .n_steps = r->n_steps};
    if (!r->n_steps)
        return;
    assert_int_equal(follow_chain(r->task, &chain, r->arena, verdicts, NULL), RDV_OK);
    for (size_t i = 0; i < r->n_steps; i++) {
        const rdv_verdict *v = &verdicts[i];
        assert_int_equal(v->step, i);
        assert_true(v->kind == RDV_UNKNOWN ? isnan(v->score)
                                           : v->score == (v->kind == RDV_CONTRADICT ? 0 : 1));
        assert_true((v->kind == RDV_UNKNOWN || v->kind == RDV_CONTRADICT) == (v->why.len > 0));
        if (v->kind == r->expected[i])
            continue;
        print_error("before line %zu: %.*s\n  is %s: %.*s\n", r->line, RDV_FMT(r->steps[i]),
                    rdv_verdict_name(v->kind), RDV_FMT(v->why));
        r->n_wrong++;
    }
    r->n_cases++;
    r->n_steps = 0;
    r->question = (rdv_str){0};
}

static rdv_verdict_kind verdict_of(char mark)
{
    switch (mark) {
    case '+':
        return RDV_SUPPORT;
    case '-':
        return RDV_CONTRADICT;
    case '0':
        return RDV_UNRELATED;
    default:
        assert_int_equal(mark, 'u');
        return RDV_UNKNOWN;
    }
}

static void read_line(reader *r, rdv_str line)
{
    rdv_str rest = rdv_slice(line, 2, line.len);
    if (line.len == 0) {
        end_case(r);
    } else if (line.p[0] == '@') {
        r->task = task_named(rest);
    } else if (line.p[0] == '?') {
        r->question = r->question.p ? rdv_str_printf(r->arena, "%.*s\n%.*s", RDV_FMT(r->question),
                                                     RDV_FMT(rest))
                                    : rest;
        assert_non_null(r->question.p);
    } else if (line.p[0] != '#') {
        assert_true(r->n_steps < MAX_STEPS);
        r->expected[r->n_steps] = verdict_of(line.p[0]);
        r->steps[r->n_steps++] = rest;
    }
}

static void test_follow__golden(void **state)
{
    reader r = {.arena = rdv_arena_new(0)};
    rdv_str rest = golden_text("traces.txt", r.arena), line;
    (void)state;
    while (rdv_next_line(&rest, &line)) {
        r.line++;
        read_line(&r, line);
    }
    end_case(&r);
    assert_true(r.n_cases > 60);
    if (r.n_wrong)
        fail_msg("%zu steps are not judged as expected", r.n_wrong);
    rdv_arena_free(&r.arena);
}

/* A question that is not known, no steps, a step longer than is read. */
static void test_follow__odd_chains(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    static char spaces[FOLLOW_MAX_TEXT + 1];
    memset(spaces, ' ', sizeof spaces);
    rdv_str steps[] = {{spaces, sizeof spaces}};
    rdv_verdict v;
    (void)state;
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        rdv_chain chain = {.steps = steps, .n_steps = 1};
        assert_int_equal(follow_chain(tasks[i].task, &chain, arena, &v, NULL), RDV_OK);
        assert_int_equal(v.kind, RDV_UNKNOWN);
        assert_text(v.why, "the question is not one of this task");
        chain.n_steps = 0;
        assert_int_equal(follow_chain(tasks[i].task, &chain, arena, NULL, NULL), RDV_OK);
    }
    rdv_chain dyck = {.question = {.text = RDV_STR("[ <")}, .steps = steps, .n_steps = 1};
    assert_int_equal(follow_chain(&follow_dyck, &dyck, arena, &v, NULL), RDV_OK);
    assert_text(v.why, "the step is too long to read");
    rdv_arena_free(&arena);
}

static rdv_str question_of(size_t task)
{
    static const char *const questions[] = {
        "[ <", "pear plum", "Ann has a cup and Ben has a jug. Ann and Ben swap. Ben has the",
        "(2 + 3) =", "- There were two: Ann and Ben.\n- Ann finished first."};
    return rdv_str_of(questions[task]);
}

/* Every allocation that fails is reported, and nothing is left behind. */
static void test_follow__no_memory(void **state)
{
    static const char *const said[] = {
        "[ ; stack: <", "We now have: \"plum\" < \"pear\".", "Ann: jug, Ben: cup.",
        "This can be written as \"A\", where A = (2 + 4).", "So Ann finished second."};
    (void)state;
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        rdv_str steps[] = {rdv_str_of(said[i])};
        rdv_chain chain = {.question = {.text = question_of(i)}, .steps = steps, .n_steps = 1};
        rdv_error err = {0};
        rdv_verdict v;
        bool done = false;
        for (size_t n = 1; !done; n++) {
            rdv_arena *arena = rdv_arena_new(0);
            rdv_alloc_fail_at(n);
            int r = follow_chain(tasks[i].task, &chain, arena, &v, &err);
            rdv_alloc_fail_at(0);
            assert_true(r == RDV_OK || r == RDV_E_NOMEM);
            done = r == RDV_OK;
            rdv_arena_free(&arena);
        }
        assert_int_equal(v.kind, RDV_CONTRADICT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follow__golden),
        cmocka_unit_test(test_follow__odd_chains),
        cmocka_unit_test(test_follow__no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
