/* SPDX-License-Identifier: Apache-2.0 */
/* Compares formulas for tests in another language: reads lines of two formulas with a tab between
 * them; for each prints "same", "different", "unknown" or "none", the reason's word, the
 * milliseconds it took, and both keys, with tabs between them. */
#include "algebra/same.h"

#include <rederive/math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static rdv_str key_of(rdv_str text, rdv_arena *arena)
{
    rdv_str key = {0};
    if (rdv_math_key(text, arena, &key, NULL) != RDV_OK)
        return (rdv_str){"", 0};
    return key;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void answer(char *line, rdv_arena *arena)
{
    static const char *const names[] = {"different", "same", "unknown"};
    char *tab = strchr(line, '\t');
    if (!tab)
        return;
    rdv_str a = {line, (size_t)(tab - line)}, b = {tab + 1, strlen(tab + 1)};
    math_sameness same = {.why = ""};
    double start = now();
    int rc = math_same(a, b, NULL, &same, NULL);
    double took = now() - start;
    rdv_str keys[] = {key_of(a, arena), key_of(b, arena)};
    printf("%s\t%s\t%.3f\t%.*s\t%.*s\n", rc == RDV_OK ? names[same.is] : "none", same.why, took,
           RDV_FMT(keys[0]), RDV_FMT(keys[1]));
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    rdv_arena *arena = rdv_arena_new(0);
    while (arena && getline(&line, &size, stdin) > 0) {
        line[strcspn(line, "\n")] = '\0';
        answer(line, arena);
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
    free(line);
    return 0;
}
