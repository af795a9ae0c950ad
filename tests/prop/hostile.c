/* SPDX-License-Identifier: Apache-2.0 */
/* Grade hostile pairs of which the truth is known, and say how long each family took at most.
 *
 *   hostile [N [SEED]]
 *
 * Fails where a pair that is different is called the same, or one that is the same is called
 * different, where a family of 50 pairs or more has fewer that are decided than it should, and
 * where a pair or the process takes more than the ceilings below; the test suite runs a few
 * thousand pairs, `make hostile` a million. */
#include "../sanitized.h"
#include "hostile_pairs.h"

#include "base/arena.h"

#include <rederive/answer.h>
#include <rederive/math.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FAMILIES_MAX 64
#define MANY 50 /* pairs of a family, from which its share of decided ones means something */
/* Twice what is measured (docs/measured/answers.md), and low enough to be missed where a limit
 * or the bound of work is taken away (docs/adr/0068). Sanitizers take much more. */
#define LONGEST_S (SANITIZED ? 10.0 : 0.4)
#define PEAK_MIB (SANITIZED ? 2048 : 40)
#define SHOWN 300       /* bytes of a text in a message */
#define LONG_ONE_IN 500 /* pairs: about 1 MB */

struct figures {
    const char *family;
    uint64_t n, is[3], n_wrong;
    double longest, total; /* seconds of processor time */
    size_t longest_bytes;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* That of this program alone: getrusage() counts what the one that started it had before exec. */
static long peak_kib(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long kib = -1;
    while (file && kib < 0 && fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %ld kB", &kib) != 1)
            kib = -1;
    if (file)
        fclose(file);
    return kib;
}

/* From 1 to `most`, any order of magnitude alike. */
static size_t draw_size(rdv_rng *rng, double most)
{
    return (size_t)exp(rdv_rng_unit(rng) * log(most));
}

static int grade(const hostile_pair *pair, rdv_arena *arena, rdv_comparison *out)
{
    rdv_error err = {0};
    rdv_text_grade grade;
    rdv_question question = {.gold = pair->gold};
    rdv_answer_form form = rdv_answer_form_of(&question);
    if (!pair->whole)
        return rdv_answer_compare(pair->answer, pair->gold, &form, NULL, arena, out, &err);
    int code = rdv_grade_text(pair->answer, pair->gold, NULL, NULL, arena, &grade, &err);
    if (code == RDV_OK)
        *out = grade.comparison;
    return code;
}

static void show_wrong(const hostile_pair *pair, const rdv_comparison *is)
{
    rdv_str a = pair->answer, g = pair->gold;
    fprintf(
        stderr, "WRONG: %s: called %s (%s)\n  answer (%zu bytes) %.*s\n  gold (%zu bytes) %.*s\n",
        pair->family, rdv_same_name(is->is), is->why, a.len, (int)(a.len < SHOWN ? a.len : SHOWN),
        a.p, g.len, (int)(g.len < SHOWN ? g.len : SHOWN), g.p);
}

static bool is_wrong(const hostile_pair *pair, rdv_same is)
{
    return (pair->truth == HOSTILE_DIFFERENT && is == RDV_SAME) ||
           (pair->truth == HOSTILE_SAME && is == RDV_DIFFERENT);
}

static int try_pair(const hostile_pair *pair, rdv_arena *arena, struct figures *f)
{
    rdv_comparison is = {0};
    double began = now();
    int code = grade(pair, arena, &is);
    double took = now() - began;
    f->family = pair->family;
    f->n++;
    f->total += took;
    if (took > f->longest) {
        f->longest = took;
        f->longest_bytes = pair->answer.len + pair->gold.len;
    }
    if (code < 0)
        return code;
    if (code == RDV_NONE) /* gold is nothing that can be read */
        return RDV_OK;
    f->is[is.is]++;
    if (is_wrong(pair, is.is) && f->n_wrong++ < 3)
        show_wrong(pair, &is);
    return RDV_OK;
}

static void show(const struct figures *all, size_t families, uint64_t n)
{
    struct figures sum = {0};
    printf("| pairs | n | same | different | cannot tell | longest, ms | of bytes | mean, us |\n"
           "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i <= families; i++) {
        const struct figures *f = i < families ? &all[i] : &sum;
        printf("| %s | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64
               " | %.2f | %zu | %.1f |\n",
               i < families ? f->family : "all", f->n, f->is[RDV_SAME], f->is[RDV_DIFFERENT],
               f->is[RDV_CANNOT_TELL], f->longest * 1e3, f->longest_bytes,
               f->n ? f->total / (double)f->n * 1e6 : 0);
        if (i == families)
            break;
        for (int k = 0; k < 3; k++)
            sum.is[k] += f->is[k];
        sum.n += f->n;
        sum.n_wrong += f->n_wrong;
        sum.total += f->total;
        if (f->longest > sum.longest) {
            sum.longest = f->longest;
            sum.longest_bytes = f->longest_bytes;
        }
    }
    printf("\n%" PRIu64 " pairs, %" PRIu64 " decided wrongly; peak memory %ld MiB\n", n,
           sum.n_wrong, peak_kib() / 1024);
}

/* Is a floor or a ceiling missed? */
static bool is_out_of_bounds(const struct figures *all, size_t families)
{
    bool out = peak_kib() / 1024 > PEAK_MIB;
    if (out)
        fprintf(stderr, "hostile: more than %d MiB\n", PEAK_MIB);
    for (size_t i = 0; i < families; i++) {
        const struct figures *f = &all[i];
        uint64_t decided = f->is[RDV_SAME] + f->is[RDV_DIFFERENT];
        bool few = f->n >= MANY && decided * 100 < f->n * hostile_decided(i);
        bool slow = f->longest > LONGEST_S;
        if (few)
            fprintf(stderr, "hostile: %s: fewer than %u %% are decided\n", f->family,
                    hostile_decided(i));
        if (slow)
            fprintf(stderr, "hostile: %s: a pair took more than %g s\n", f->family, LONGEST_S);
        out = out || few || slow;
    }
    return out;
}

int main(int argc, char **argv)
{
    uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 3000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, n_wrong = 0;
    static struct figures all[FAMILIES_MAX];
    size_t families = hostile_families();
    rdv_arena *made = rdv_arena_new(0), *graded = rdv_arena_new(0);
    int code = made && graded ? RDV_OK : RDV_E_NOMEM;
    for (uint64_t i = 0; i < n && code == RDV_OK; i++) {
        hostile_pair pair;
        rdv_rng rng;
        rdv_rng_seed(&rng, rdv_mix(seed + i));
        size_t size = draw_size(&rng, rdv_rng_below(&rng, LONG_ONE_IN) ? 2000 : 1e9);
        code = hostile_make((size_t)(i % families), size, &rng, made, &pair) ? RDV_OK : RDV_E_NOMEM;
        if (code == RDV_OK)
            code = try_pair(&pair, graded, &all[i % families]);
        rdv_arena_reset(made);
        rdv_arena_reset(graded);
    }
    if (code != RDV_OK)
        fprintf(stderr, "hostile: fault %d\n", code);
    show(all, families, n);
    for (size_t i = 0; i < families; i++)
        n_wrong += all[i].n_wrong;
    rdv_arena_free(&made);
    rdv_arena_free(&graded);
    rdv_math_thread_end();
    return code != RDV_OK || n_wrong > 0 || is_out_of_bounds(all, families);
}
