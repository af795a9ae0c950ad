/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Runs of the whole driver on the scripted network. Their job sources are independent questions,
 * and keep what they are told. */
#include "../test.h"
#include "run/job_source.h"
#include "scripted.h"

#define MOST 16
#define KEY "sk-0123456789abcdef"

typedef struct told {
    bool yes, reply;
    rdv_failure failure;
    char text[300]; /* of the reply, or why there is none */
} told;

/* A job source. */
typedef struct job {
    size_t n, next, n_told;
    rdv_request requests[MOST];
    rdv_message messages[MOST];
    told told[MOST];
    bool one_by_one;      /* it asks the next question only once the one before was answered */
    bool fails;           /* it takes no reply: that is a fault */
    bool first_is_enough; /* once it was told anything, it needs nothing else */
    size_t n_cancelled;
    bool is_closed;
    rdv_failure closed_by;
} job;

typedef struct world {
    network network;
    const response *script; /* of n_script; the last one goes on */
    size_t n_script;
    rdv_run_options options;
    job jobs[2];
    size_t n_jobs, next_job, n_handed_over;
    rdv_run_totals totals;
    rdv_run_end end;
    char why[RDV_ERROR_MAX], notices[2000];
    char found[300];  /* what the run found out about the first server */
    char journal[32]; /* its path; "": there is none */
    rdv_arena *arena;
} world;

/* The set-up and the teardown of a test: *state is a world with one job without questions. */
int driven_set_up(void **state);
int driven_tear_down(void **state);

/* Prepares a new run with the same options: no job has a question, and nothing was sent. */
void start_again(world *w);

/* Gives the runs a new journal. */
void add_journal(world *w);

/* Adds a chat request; equal questions have equal keys. `question` must outlive the run. */
void ask(job *j, const char *question);

/* Adds n different questions, at most MOST, to the first job. */
void ask_many(world *w, size_t n);

/* Drives the run to its end: RDV_OK, or a negative fault. Asserts that every job is handed over, in
 * order, and that no request is told anything twice. */
int drive(world *w, rdv_error *err);

/* The same with the script of responses that is given, without a fault. */
#define RUN(w, ...)                                                                                \
    do {                                                                                           \
        static const response script_[] = {__VA_ARGS__};                                           \
        (w)->script = script_;                                                                     \
        (w)->n_script = sizeof script_ / sizeof *script_;                                          \
        assert_int_equal(drive(w, NULL), RDV_OK);                                                  \
    } while (0)

/* What the first job was told of its request `id`. */
void assert_reply(const world *w, size_t id, const char *text);
void assert_failed(const world *w, size_t id, rdv_failure failure, const char *why);

#define TEST(name) cmocka_unit_test_setup_teardown(name, driven_set_up, driven_tear_down)
