/* SPDX-License-Identifier: Apache-2.0 */
#include "world.h"

#include "base/str.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings -------------------------------------------------------------------------------- */

static const struct {
    const char *name, *what;
    size_t at;
} fields[] = {
#define X(name, what) {#name, what, offsetof(settings, name)},
    WORLD_SETTINGS(X)
#undef X
};

size_t settings_count(void)
{
    return sizeof fields / sizeof *fields;
}

uint32_t *settings_at(settings *s, size_t i, const char **name, const char **what)
{
    if (name)
        *name = fields[i].name;
    if (what)
        *what = fields[i].what;
    return (uint32_t *)(void *)((char *)s + fields[i].at);
}

static uint32_t between(rdv_rng *r, uint32_t least, uint32_t most)
{
    return least + (uint32_t)rdv_rng_below(r, (uint64_t)most - least + 1);
}

/* A weight: half of the faults do not occur in a world, so that each is also seen alone. */
static uint32_t weight(rdv_rng *r)
{
    return rdv_rng_below(r, 2) ? between(r, 1, 10) : 0;
}

static uint32_t sometimes(rdv_rng *r, uint32_t one_in, uint32_t most)
{
    return rdv_rng_below(r, one_in) == 0 ? between(r, 1, most) : 0;
}

void settings_draw(settings *s, uint64_t seed)
{
    rdv_rng r;
    rdv_rng_seed(&r, seed);
    *s = (settings){.work = between(&r, 0, 3),
                    .plans = between(&r, 1, 8),
                    .chains = between(&r, 1, 6),
                    .method = between(&r, 0, 999),
                    .methods = sometimes(&r, 3, 3) + 1,
                    .paper = between(&r, 0, 1),
                    .jobs = between(&r, 1, 32),
                    .open = sometimes(&r, 2, 5),
                    .servers = sometimes(&r, 3, 2) + 1,
                    .able = between(&r, 0, 1),
                    .latency = between(&r, 1, 3000),
                    .retries = between(&r, 0, 4),
                    .faults = between(&r, 0, 60),
                    .often = between(&r, 1, 600),
                    .unreachable = weight(&r),
                    .broken = weight(&r),
                    .silent = weight(&r),
                    .stalled = weight(&r),
                    .cut = weight(&r),
                    .garbage = weight(&r),
                    .busy = weight(&r),
                    .down = weight(&r),
                    .odd = weight(&r),
                    .refuses = weight(&r),
                    .kills = sometimes(&r, 2, 5),
                    .powers = sometimes(&r, 3, 3),
                    .lies = between(&r, 0, 3) == 0,
                    .full = sometimes(&r, 4, 2),
                    .stops = sometimes(&r, 4, 2),
                    .budget = sometimes(&r, 4, 40),
                    .rivals = sometimes(&r, 2, 5)};
    s->rpm = sometimes(&r, 4, 600);
    s->tpm = sometimes(&r, 4, 100000);
    s->tokens = sometimes(&r, 6, 20000);
    s->cost = sometimes(&r, 6, 60000);
    s->seconds = sometimes(&r, 8, 300);
    s->seconds += s->seconds ? 60 : 0;
    s->checker = sometimes(&r, 3, 2);
    s->software = sometimes(&r, 2, 5);
    s->lacks = sometimes(&r, 3, 1023);
    s->able_to = sometimes(&r, 2, 15);
    s->untold = sometimes(&r, 4, 100);
    s->late = weight(&r);
    s->twice = weight(&r);
    s->dense = between(&r, 2, 16);
    s->choices = sometimes(&r, 2, 9);
    s->choosy = between(&r, 0, 1);
    s->gaps = sometimes(&r, 3, 50);
}

bool world_counts_first(const settings *s)
{
    return s->able && s->software == 1 && s->choices > 1;
}

void settings_raise(settings *s)
{
    uint32_t *least_one[] = {&s->plans, &s->chains,  &s->methods,
                             &s->jobs,  &s->servers, &s->latency};
    for (size_t i = 0; i < sizeof least_one / sizeof *least_one; i++)
        if (*least_one[i] == 0)
            *least_one[i] = 1;
}

/* ---- what is seen ---------------------------------------------------------------------------- */

void world_broken(world *w, const char *fmt, ...)
{
    if (w->fault[0])
        return;
    w->promise = fmt;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(w->fault, sizeof w->fault, fmt, ap);
    va_end(ap);
}

void world_note(world *w, theme about, const char *fmt, ...)
{
    static const char *const names[N_THEMES] = {"call", "wait", "said", "totals", "record"};
    char *line = NULL, *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n < 0 || asprintf(&line, "%llu ms %s", (unsigned long long)w->now, text) < 0)
        abort();
    w->notes[about] = rdv_hash(rdv_str_of(line), w->notes[about]);
    if (w->tell)
        printf("    %s %s\n", names[about], line);
    free(line);
    free(text);
}

bool world_chance(world *w, uint32_t of)
{
    return rdv_rng_below(&w->rng, 1000) < of;
}

/* ---- sets of keys ---------------------------------------------------------------------------- */

bool keys_have(const key_set *s, const unsigned char key[32])
{
    for (size_t i = 0; i < s->n; i++)
        if (memcmp(s->keys[i], key, 32) == 0)
            return true;
    return false;
}

void keys_add(key_set *s, const unsigned char key[32])
{
    if (keys_have(s, key))
        return;
    if (s->n == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 64;
        s->keys = realloc(s->keys, s->cap * sizeof *s->keys);
        if (!s->keys)
            abort();
    }
    memcpy(s->keys[s->n++], key, 32);
}

void keys_clear(key_set *s)
{
    s->n = 0;
}

void keys_free(key_set *s)
{
    free(s->keys);
    *s = (key_set){0};
}
