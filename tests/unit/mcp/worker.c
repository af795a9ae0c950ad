/* SPDX-License-Identifier: Apache-2.0 */
/* The process that answers: what takes too long, or fails, ends alone. */
#include "mcp/worker.h"

#include "../test.h"
#include "mcp/answer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define PONG "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"

static rdv_str answer(mcp_worker *worker, rdv_str message, rdv_arena *arena)
{
    rdv_str out = RDV_STR("?");
    assert_int_equal(mcp_worker_answer(worker, message, arena, &out, NULL), RDV_OK);
    return out;
}

/* The only child of this process. */
static pid_t child(void)
{
    char path[64];
    int pid = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(path, "r");
    if (!file)
        skip();
    assert_int_equal(fscanf(file, "%d", &pid), 1);
    fclose(file);
    return pid;
}

static void test_answers(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    mcp_worker *worker = mcp_worker_new(NULL);
    assert_non_null(worker);
    assert_text(answer(worker, RDV_STR(PING), arena), PONG);
    assert_null(
        answer(worker, RDV_STR("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}"), arena).p);
    assert_text(answer(worker, RDV_STR(PING), arena), PONG);
    mcp_worker_free(&worker);
    assert_null(worker);
    mcp_worker_free(&worker);
    rdv_arena_free(&arena);
}

static void test_a_process_that_ends_is_replaced(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    mcp_worker *worker = mcp_worker_new(NULL);
    kill(child(), SIGKILL);
    rdv_str failed = answer(worker, RDV_STR(PING), arena);
    assert_true(rdv_find(failed, RDV_STR("Undecided: it failed"), 0) != RDV_NOT_FOUND);
    assert_true(rdv_find(failed, RDV_STR("\"isError\":true"), 0) != RDV_NOT_FOUND);
    assert_text(answer(worker, RDV_STR(PING), arena), PONG);
    mcp_worker_free(&worker);
    rdv_arena_free(&arena);
}

static void test_a_process_that_hangs_is_replaced(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    mcp_worker *worker = mcp_worker_new(NULL);
    kill(child(), SIGSTOP);
    rdv_str failed = answer(worker, RDV_STR(PING), arena);
    assert_true(rdv_find(failed, RDV_STR("longer than 1 s"), 0) != RDV_NOT_FOUND);
    assert_text(answer(worker, RDV_STR(PING), arena), PONG);
    mcp_worker_free(&worker);
    rdv_arena_free(&arena);
}

static void test_it_can_open_nothing(void **state)
{
    (void)state;
    char path[64], line[256];
    mcp_worker *worker = mcp_worker_new(NULL);
    rdv_arena *arena = rdv_arena_new(0);
    answer(worker, RDV_STR(PING), arena); /* it has begun */
    snprintf(path, sizeof path, "/proc/%d/limits", (int)child());
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    bool none = false;
    while (fgets(line, sizeof line, file))
        none |= strncmp(line, "Max open files            0                    0 ", 48) == 0;
    fclose(file);
    assert_true(none);
    rdv_arena_free(&arena);
    mcp_worker_free(&worker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_a_process_that_ends_is_replaced),
        cmocka_unit_test(test_a_process_that_hangs_is_replaced),
        cmocka_unit_test(test_it_can_open_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
