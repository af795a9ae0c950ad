/* SPDX-License-Identifier: Apache-2.0 */
/* How much of a computer the driver takes: CPU time and memory a call, and calls a second.
 *
 *   bench_load URL CALLS IN_FLIGHT [JOURNAL]
 *
 * Each call is a chat of a kilobyte. Prints one line of JSON. Memory a call is what the resident
 * set grew by from before the run to its highest, for each call in flight. */
#include "harness.h"
#include "run/job_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define WORKS 1000 /* that the calls are spread over */

typedef struct asking {
    size_t number, given, answered, asks;
} asking;

static char text[1024];
static rdv_message message = {RDV_USER, {text, sizeof text}};
static asking works[WORKS];
static size_t made, failed;

static int next(void *work, rdv_request *request, rdv_error *err)
{
    asking *a = work;
    if (a->given == a->asks)
        return RDV_NONE;
    *request = (rdv_request){.id = a->given++,
                             .model = RDV_STR("canned"),
                             .stage = RDV_STR("bench"),
                             .messages = &message,
                             .n_messages = 1,
                             .sampling = {.temperature = NAN, .top_p = NAN, .max_tokens = 300},
                             .sample = RDV_STR("sample 0")};
    memcpy(request->key, &a->number, sizeof a->number);
    memcpy(request->key + 8, &request->id, sizeof request->id);
    request->key[0] ^= (unsigned char)(request->id * 37); /* spread as a hash is */
    request->key[1] ^= (unsigned char)(request->id >> 3);
    return RDV_OK;
}

static int reply(void *work, uint64_t id, const rdv_reply *r, rdv_error *err)
{
    ((asking *)work)->answered++;
    return RDV_OK;
}

static int fail(void *work, uint64_t id, rdv_failure failure, rdv_str why, rdv_error *err)
{
    if (failed++ == 0)
        fprintf(stderr, "bench_load: %.*s\n", RDV_FMT(why));
    return reply(work, id, NULL, err);
}

static int cancelled(void *work, uint64_t *id)
{
    return RDV_NONE;
}

static bool done(const void *work)
{
    const asking *a = work;
    return a->answered == a->asks;
}

static int close_work(void *work, rdv_failure failure, rdv_error *err)
{
    asking *a = work;
    failed += a->asks - a->answered;
    a->answered = a->asks;
    return RDV_OK;
}

static int next_work(void *payload, void **work, rdv_error *err)
{
    if (made == WORKS)
        return RDV_NONE;
    *work = &works[made++];
    return RDV_OK;
}

static int work_done(void *payload, void *work, rdv_error *err)
{
    return RDV_OK;
}

static double wall_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Kilobytes: the line of /proc/self/status that begins with `name`. */
static double resident(const char *name)
{
    char line[256];
    double kilobytes = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, name, strlen(name)) == 0)
            kilobytes = strtod(line + strlen(name) + 1, NULL);
    if (f)
        fclose(f);
    return kilobytes;
}

static int check(int rc, const rdv_error *err)
{
    if (rc < 0) {
        fprintf(stderr, "bench_load: %s\n", err->msg);
        exit(1);
    }
    return rc;
}

static void raise_file_limit(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void spread(size_t calls)
{
    memset(text, 'x', sizeof text);
    for (size_t i = 0; i < WORKS; i++)
        works[i] = (asking){.number = i + 1, .asks = calls / WORKS + (i < calls % WORKS)};
}

int main(int argc, char **argv)
{
    static const job_source_ops ops = {next, reply, fail, cancelled, done, close_work};
    if (argc < 4) {
        fprintf(stderr, "usage: bench_load URL CALLS IN_FLIGHT [JOURNAL]\n");
        return 2;
    }
    rdv_error err = {0};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_run_options options;
    rdv_run *run;
    size_t calls = strtoul(argv[2], NULL, 10);
    rdv_run_options_default(&options, sizeof options);
    options.jobs = strtoul(argv[3], NULL, 10);
    check(
        rdv_model_parse((rdv_str){argv[1], strlen(argv[1])}, arena, &options.generator.spec, &err),
        &err);
    if (argc > 4)
        check(rdv_journal_open(argv[4], RDV_JOURNAL_WRITE, &options.journal, &err), &err);
    spread(calls);
    raise_file_limit();
    check(rdv_run_new(&options, &run, &err), &err);
    double cpu = bench_now(), wall = wall_now(), memory = resident("VmRSS:");
    job_stream jobs = {&ops, next_work, work_done, NULL};
    check(run_job_sources(run, &jobs, &err), &err);
    cpu = bench_now() - cpu;
    wall = wall_now() - wall;
    printf("{\"calls\":%zu,\"in_flight\":%zu,\"failed\":%zu,\"seconds\":%.3f,\"calls_per_s\":%.0f,"
           "\"cpu_us_per_call\":%.1f,\"kb_per_call_in_flight\":%.1f}\n",
           calls, options.jobs, failed, wall, (double)calls / wall, cpu / (double)calls * 1e6,
           (resident("VmHWM:") - memory) / (double)options.jobs);
    rdv_run_free(&run);
    rdv_journal_close(&options.journal);
    rdv_arena_free(&arena);
    return failed ? 1 : 0;
}
