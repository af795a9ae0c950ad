/* SPDX-License-Identifier: Apache-2.0 */
/* The engine of the built-in model, for programs in another language: lines in, lines out.
 *
 *   lm_asker MODEL [THREADS]
 *
 *   A                                          "A context vocab threads kernels"
 *   T HEX                                      the tokens of these bytes: "T 12 34"
 *   J SCORE MAX TEMPERATURE TOP_P SEED N IDS   a job with a prompt of N tokens
 *   R                                          runs the jobs given so far, a line each in their
 * order: "D stopped | token logprob ... | token logprob ... | HEX": the prompt's tokens where SCORE
 *         is 1, those generated, and the text. Log-probabilities are C's %a. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "lm/lm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_JOBS 4096

typedef struct asker {
    rdv_lm *lm;
    rdv_lm_engine *engine;
    rdv_arena *arena; /* of the jobs given, and their results */
    rdv_str results[MOST_JOBS];
    size_t n_jobs;
} asker;

_Noreturn static void die(const char *why)
{
    fprintf(stderr, "lm_asker: %s\n", why);
    exit(1);
}

static void need(int rc, const rdv_error *err)
{
    if (rc != RDV_OK)
        die(err->msg);
}

static rdv_str unhex(rdv_arena *arena, const char *hex)
{
    size_t n = strspn(hex, "0123456789abcdef") / 2;
    char *out = rdv_alloc(arena, n);
    for (size_t i = 0; i < n; i++) {
        unsigned byte;
        if (!out || sscanf(hex + 2 * i, "%2x", &byte) != 1)
            die("no hexadecimal text");
        out[i] = (char)byte;
    }
    return (rdv_str){out, n};
}

static void print_tokens(asker *a, const char *hex)
{
    uint32_t *tokens;
    size_t n;
    rdv_error err = {0};
    need(rdv_lm_tokens(a->lm, unhex(a->arena, hex), false, a->arena, &tokens, &n, &err), &err);
    putchar('T');
    for (size_t i = 0; i < n; i++)
        printf(" %u", tokens[i]);
    putchar('\n');
}

static void submit(asker *a, char *line)
{
    rdv_error err = {0};
    rdv_lm_job job = {0};
    int score, used;
    if (a->n_jobs == MOST_JOBS ||
        sscanf(line, "%d %u %lf %lf %lu %zu%n", &score, &job.max_tokens, &job.temperature,
               &job.top_p, (unsigned long *)&job.seed, &job.n_prompt, &used) != 6)
        die("a job that cannot be read");
    job.score = score;
    job.user = &a->results[a->n_jobs++];
    uint32_t *prompt = RDV_NEW_ARRAY(a->arena, uint32_t, job.n_prompt);
    char *at = line + used;
    for (size_t i = 0; prompt && i < job.n_prompt; i++)
        prompt[i] = (uint32_t)strtoul(at, &at, 10);
    job.prompt = prompt;
    uint64_t id;
    need(rdv_lm_submit(a->engine, &job, &id, &err), &err);
}

static void add_tokens(rdv_buf *b, const rdv_lm_token *tokens, size_t n)
{
    rdv_buf_lit(b, " |");
    for (size_t i = 0; i < n; i++)
        rdv_buf_printf(b, " %u %a", tokens[i].token, tokens[i].logprob);
}

static rdv_str result(rdv_arena *arena, const rdv_lm_event *event)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_printf(&b, "D %d", event->finish == RDV_LM_STOP);
    add_tokens(&b, event->scored, event->n_scored);
    add_tokens(&b, event->tokens, event->n_tokens);
    rdv_buf_lit(&b, " | ");
    for (size_t i = 0; i < event->text.len; i++)
        rdv_buf_printf(&b, "%02x", (unsigned char)event->text.p[i]);
    return rdv_buf_str(&b);
}

static void run(asker *a)
{
    rdv_lm_event event;
    rdv_error err = {0};
    int rc;
    do {
        rc = rdv_lm_step(a->engine, &err);
        while (rdv_lm_poll(a->engine, &event) == RDV_OK)
            *(rdv_str *)event.user = result(a->arena, &event);
    } while (rc == RDV_OK);
    if (rc < 0)
        die(err.msg);
    for (size_t i = 0; i < a->n_jobs; i++)
        printf("%.*s\n", RDV_FMT(a->results[i]));
    a->n_jobs = 0;
    rdv_arena_reset(a->arena);
}

static void about(const asker *a)
{
    rdv_lm_info info;
    rdv_lm_stats stats;
    rdv_lm_about(a->lm, &info);
    rdv_lm_engine_stats(a->engine, &stats);
    printf("A %u %u %u %s\n", info.context, info.vocab, stats.threads, stats.kernels);
}

int main(int argc, char **argv)
{
    static asker a;
    rdv_error err = {0};
    if (argc < 2)
        die("usage: lm_asker MODEL [THREADS]");
    rdv_lm_options options = {.threads = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0};
    need(rdv_lm_open(&a.lm, argv[1], &err), &err);
    need(rdv_lm_engine_new(&a.engine, a.lm, &options, &err), &err);
    a.arena = rdv_arena_new(0);
    char *line = NULL;
    size_t cap = 0;
    while (getline(&line, &cap, stdin) > 0) {
        if (line[0] == 'A')
            about(&a);
        else if (line[0] == 'T')
            print_tokens(&a, line + 1 + strspn(line + 1, " "));
        else if (line[0] == 'J')
            submit(&a, line + 1);
        else if (line[0] == 'R')
            run(&a);
        fflush(stdout);
    }
    free(line);
    rdv_arena_free(&a.arena);
    rdv_lm_engine_free(&a.engine);
    rdv_lm_close(&a.lm);
    return 0;
}
