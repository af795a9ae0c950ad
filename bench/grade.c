/* SPDX-License-Identifier: Apache-2.0 */
/* How many pairs a second the library grades: bench_grade FILE THREADS ROUNDS. FILE has lines of
 * JSON with "gold" and "answer" or "text". Prints seconds of the clock and of all processors for
 * ROUNDS times all pairs, each thread a share of them. */
#include "base/arena.h"

#include <rederive/answer.h>
#include <rederive/data.h>
#include <rederive/math.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS_MAX 64

struct pairs {
    rdv_record *items;
    size_t n, cap;
    size_t threads, rounds;
};

struct share {
    const struct pairs *pairs;
    size_t first;
    size_t n_same;
    bool failed;
    pthread_t thread;
};

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int read_pairs(const char *path, rdv_arena *arena, struct pairs *pairs, rdv_error *err)
{
    rdv_read_options options = {.size = sizeof options, .pairs = true};
    rdv_reader *reader;
    int code = rdv_reader_open(path, &options, &reader, err);
    if (code != RDV_OK)
        return code;
    do {
        if (!RDV_PUSH_ROOM(arena, pairs->items, pairs->n, pairs->cap)) {
            code = rdv_no_memory(err);
            break;
        }
        code = rdv_reader_next(reader, arena, &pairs->items[pairs->n], err);
        pairs->n += code == RDV_OK;
    } while (code == RDV_OK);
    rdv_reader_close(&reader);
    return code == RDV_NONE ? RDV_OK : code;
}

static int grade(const rdv_record *r, rdv_arena *arena, rdv_same *is)
{
    rdv_text_grade graded = {0};
    rdv_answer_form form = rdv_answer_form_of(&r->chain.question);
    int code = r->pair.answer.p ? rdv_answer_compare(r->pair.answer, r->pair.golds[0], &form, NULL,
                                                     arena, &graded.comparison, NULL)
                                : rdv_grade_text(r->pair.text, r->pair.golds[0], &form, NULL, arena,
                                                 &graded, NULL);
    *is = graded.comparison.is;
    return code;
}

static void *work(void *payload)
{
    struct share *s = payload;
    rdv_arena *arena = rdv_arena_new(0);
    s->failed = arena == NULL;
    for (size_t round = 0; round < s->pairs->rounds && !s->failed; round++)
        for (size_t i = s->first; i < s->pairs->n; i += s->pairs->threads) {
            rdv_same is = RDV_DIFFERENT;
            s->failed = s->failed || grade(&s->pairs->items[i], arena, &is) < 0;
            s->n_same += is == RDV_SAME;
            rdv_arena_reset(arena);
        }
    rdv_arena_free(&arena);
    rdv_math_thread_end();
    return NULL;
}

static bool run(const struct pairs *pairs, size_t *n_same)
{
    struct share shares[THREADS_MAX];
    size_t made = 0;
    for (; made < pairs->threads; made++) {
        shares[made] = (struct share){.pairs = pairs, .first = made};
        if (pthread_create(&shares[made].thread, NULL, work, &shares[made]) != 0)
            break;
    }
    bool ok = made == pairs->threads;
    for (size_t i = 0; i < made; i++) {
        pthread_join(shares[i].thread, NULL);
        ok = ok && !shares[i].failed;
        *n_same += shares[i].n_same;
    }
    return ok;
}

int main(int argc, char **argv)
{
    rdv_error err = {0};
    struct pairs pairs = {.threads = argc > 2 ? strtoul(argv[2], NULL, 10) : 1,
                          .rounds = argc > 3 ? strtoul(argv[3], NULL, 10) : 1};
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena || argc < 2 || pairs.threads < 1 || pairs.threads > THREADS_MAX ||
        read_pairs(argv[1], arena, &pairs, &err) != RDV_OK) {
        fprintf(stderr, "bench_grade FILE [THREADS [ROUNDS]]: %s\n", err.msg);
        return 2;
    }
    size_t n_same = 0;
    double clock = now(CLOCK_MONOTONIC), processor = now(CLOCK_PROCESS_CPUTIME_ID);
    bool ok = run(&pairs, &n_same);
    printf("{\"n_pairs\":%zu,\"n_same\":%zu,\"seconds\":%.6f,\"processor_seconds\":%.6f}\n",
           pairs.n * pairs.rounds, n_same, now(CLOCK_MONOTONIC) - clock,
           now(CLOCK_PROCESS_CPUTIME_ID) - processor);
    rdv_arena_free(&arena);
    return !ok;
}
