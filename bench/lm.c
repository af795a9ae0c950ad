/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the built-in model's engine is, and what it holds in memory.
 *
 *   bench_lm MODEL THREADS SEQUENCES PROMPT STEPS
 *
 * Reads SEQUENCES different prompts of PROMPT tokens, then generates STEPS tokens after each, all
 * together; a sequence that ends by itself is begun again. One line of JSON: milliseconds until the
 * engine can take a job, tokens a second (of time, and of processor time) of the
 * prompts and of generation, megabytes. */
#include "base/arena.h"
#include "base/str.h"
#include "lm/lm.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct bench {
    rdv_lm *lm;
    rdv_lm_engine *engine;
    rdv_lm_info info;
    uint32_t *prompt;
    rdv_lm_job job;
} bench;

/* Seconds, on the wall and of processor time: the first is what counts on a quiet machine, the
 * second what can be compared on a busy one. */
typedef struct moment {
    double wall, cpu;
} moment;

static double read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static moment now(void)
{
    return (moment){read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_PROCESS_CPUTIME_ID)};
}

/* The most memory that the process ever held at once: getrusage() would count its parent's. */
static double peak_megabytes(void)
{
    char line[256];
    unsigned long kilobytes = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmHWM: %lu", &kilobytes) == 1)
            break;
    if (f)
        fclose(f);
    return (double)kilobytes * 1.024e-3;
}

static void need(int rc, const rdv_error *err)
{
    if (rc == RDV_OK)
        return;
    fprintf(stderr, "bench_lm: %s\n", err->msg);
    exit(1);
}

static size_t number(const char *text)
{
    return (size_t)strtoul(text, NULL, 10);
}

/* Tokens of arithmetic, over and over, with a first one that is each sequence's own. */
static void make_prompt(bench *b, size_t n)
{
    rdv_error err = {0};
    rdv_arena *arena = rdv_arena_new(0);
    static const char sentence[] = "Tom has 12 apples and buys 30 more, so 12 + 30 = 42. ";
    uint32_t *tokens;
    size_t n_tokens;
    need(rdv_lm_tokens(b->lm, rdv_str_of(sentence), false, arena, &tokens, &n_tokens, &err), &err);
    b->prompt = calloc(n, sizeof *b->prompt);
    if (!b->prompt)
        exit(1);
    for (size_t i = 0; i < n; i++)
        b->prompt[i] = tokens[i % n_tokens];
    rdv_arena_free(&arena);
}

static void submit(bench *b, size_t sequence)
{
    uint64_t id;
    rdv_error err = {0};
    b->prompt[0] = (uint32_t)(b->info.vocab - 1 - sequence);
    b->job.user = (void *)(uintptr_t)sequence;
    b->job.seed++;
    need(rdv_lm_submit(b->engine, &b->job, &id, &err), &err);
}

/* A step; sequences that have ended begin again. */
static void step(bench *b)
{
    rdv_error err = {0};
    rdv_lm_event event;
    size_t ended[1024], n = 0;
    need(rdv_lm_step(b->engine, &err), &err);
    while (rdv_lm_poll(b->engine, &event) == RDV_OK)
        ended[n++] = (uintptr_t)event.user;
    while (n > 0)
        submit(b, ended[--n]);
}

static rdv_lm_stats stats_of(const bench *b)
{
    rdv_lm_stats stats;
    rdv_lm_engine_stats(b->engine, &stats);
    return stats;
}

static void print_rates(const char *what, double tokens, moment begin, moment end)
{
    printf("\"%s_per_s\": %.0f, \"%s_per_cpu_s\": %.0f, ", what, tokens / (end.wall - begin.wall),
           what, tokens / (end.cpu - begin.cpu));
}

static void measure(bench *b, size_t sequences, size_t prompt, size_t steps)
{
    moment begin = now();
    for (size_t i = 0; i < sequences; i++)
        submit(b, i);
    while (stats_of(b).prompt_tokens < sequences * prompt)
        step(b);
    moment read = now();
    uint64_t before = stats_of(b).generated_tokens;
    for (size_t i = 0; i < steps; i++)
        step(b);
    moment end = now();
    rdv_lm_stats stats = stats_of(b);
    print_rates("prompt", (double)(sequences * prompt), begin, read);
    print_rates("generated", (double)(stats.generated_tokens - before), read, end);
    printf("\"kernels\": \"%s\", \"file_mb\": %.2f, \"packed_mb\": %.2f, \"work_mb\": %.2f, "
           "\"cache_mb\": %.2f, \"peak_mb\": %.1f}\n",
           stats.kernels, (double)b->info.file_bytes * 1e-6, (double)b->info.packed_bytes * 1e-6,
           (double)stats.work_bytes * 1e-6, (double)(stats.used_bytes + stats.kept_bytes) * 1e-6,
           peak_megabytes());
}

int main(int argc, char **argv)
{
    bench b = {0};
    rdv_error err = {0};
    if (argc != 6) {
        fprintf(stderr, "usage: bench_lm MODEL THREADS SEQUENCES PROMPT STEPS\n");
        return 2;
    }
    size_t sequences = number(argv[3]), prompt = number(argv[4]), steps = number(argv[5]);
    rdv_lm_options options = {.threads = (uint32_t)number(argv[2]),
                              .sequences = (uint32_t)sequences};
    moment begin = now();
    need(rdv_lm_open(&b.lm, argv[1], &err), &err);
    need(rdv_lm_engine_new(&b.engine, b.lm, &options, &err), &err);
    moment ready = now();
    printf("{\"start_up_ms\": %.2f, \"start_up_cpu_ms\": %.2f, ", (ready.wall - begin.wall) * 1e3,
           (ready.cpu - begin.cpu) * 1e3);
    rdv_lm_about(b.lm, &b.info);
    make_prompt(&b, prompt);
    b.job = (rdv_lm_job){
        .prompt = b.prompt, .n_prompt = prompt, .max_tokens = RDV_LM_TO_THE_END, .temperature = 1};
    measure(&b, sequences, prompt, steps);
    free(b.prompt);
    rdv_lm_engine_free(&b.engine);
    rdv_lm_close(&b.lm);
    return 0;
}
