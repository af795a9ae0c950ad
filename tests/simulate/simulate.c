/* SPDX-License-Identifier: Apache-2.0 */
/* The simulator of the driver.
 *
 *     simulate [--seeds N | --seconds S] [--from SEED]    many worlds; the first failing one is
 *                                                         shrunk, and the command that repeats it
 *                                                         is printed
 *     simulate --seed SEED [name=value ...] [--tell]      one world, with other settings
 *     simulate --seed SEED --each-write                   one small world, which crashes at its
 *                                                         first write, then at its second, ...
 *     simulate --settings                                 what can be set
 *     simulate --facts FILE [--write]                     compare what worlds are with a file,
 * which is tests/golden/worlds.tsv, or write it
 *
 * Exit status: 0: every promise held; 1: one was broken; 2: usage. */
#include "disk.h"
#include "simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FACTS 300 /* worlds of which facts are kept */

/* ---- shrinking ------------------------------------------------------------------------------- */

/* Lower each setting as long as the same promise is broken. */
static void shrink(uint64_t seed, const char *promise, settings *set)
{
    bool smaller = true;
    for (size_t round = 0; smaller && round < 8; round++) {
        smaller = false;
        for (size_t i = 0; i < settings_count(); i++) {
            uint32_t *at = settings_at(set, i, NULL, NULL), was = *at;
            const uint32_t tries[] = {0, 1, was / 2, was - 1};
            for (size_t k = 0; k < 4 && *at == was; k++) {
                if (tries[k] >= was)
                    continue;
                *at = tries[k];
                summary out;
                simulate_and_count(seed, set, false, &out);
                if (out.promise != promise)
                    *at = was;
            }
            smaller |= *at != was;
        }
    }
}

static void print_command(uint64_t seed, const settings *set)
{
    settings drawn, own = *set;
    settings_draw(&drawn, seed);
    printf("simulate --seed %llu", (unsigned long long)seed);
    for (size_t i = 0; i < settings_count(); i++) {
        const char *name;
        uint32_t value = *settings_at(&own, i, &name, NULL);
        if (value != *settings_at(&drawn, i, NULL, NULL))
            printf(" %s=%u", name, value);
    }
    printf(" --tell\n");
}

/* ---- the command ----------------------------------------------------------------------------- */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int many(uint64_t from, uint64_t seeds, double most)
{
    double began = seconds();
    clock_t began_cpu = clock();
    summary all = {0};
    uint64_t n = 0, *sizes = NULL;
    for (; seeds ? n < seeds : seconds() - began < most; n++) {
        settings set;
        summary one;
        settings_draw(&set, from + n);
        simulate_and_count(from + n, &set, false, &one);
        if (one.fault[0]) {
            printf("seed %llu: %s\nshrinking\n", (unsigned long long)(from + n), one.fault);
            shrink(from + n, one.promise, &set);
            simulate_and_count(from + n, &set, false, &one);
            printf("%s\n", one.fault);
            print_command(from + n, &set);
            free(sizes);
            return 1;
        }
        sizes = realloc(sizes, (n + 1) * sizeof *sizes);
        if (!sizes)
            abort();
        sizes[n] = one.calls;
        all.calls += one.calls;
        all.faults += one.faults;
        all.crashes += one.crashes;
        all.sessions += one.sessions;
        all.changes = one.changes;
        all.simulated_ms += one.simulated_ms;
    }
    double took = seconds() - began, cpu = (double)(clock() - began_cpu) / CLOCKS_PER_SEC;
    if (n)
        qsort(sizes, n, sizeof *sizes, by_size);
    printf("| worlds from seed | worlds | calls | a world (median) | faults | sessions | crashes | "
           "writes | simulated hours | seconds | calls a second of processor time |\n"
           "| %llu | %llu | %llu | %llu | %llu | %llu | %llu | %llu | %.1f | %.1f | %.0f |\n"
           "every promise held\n",
           (unsigned long long)from, (unsigned long long)n, (unsigned long long)all.calls,
           (unsigned long long)(n ? sizes[n / 2] : 0), (unsigned long long)all.faults,
           (unsigned long long)all.sessions, (unsigned long long)all.crashes,
           (unsigned long long)all.changes, (double)all.simulated_ms / 3.6e6, took,
           (double)all.calls / cpu);
    free(sizes);
    return 0;
}

/* What the version of SQLite decides is left out: at which write a process dies, and what is lost.
 * The work is small, so that there can be many worlds. */
static void be_repeatable(settings *set)
{
    set->kills = set->powers = set->lies = set->full = set->rivals = 0;
    set->plans = 1 + set->plans % 4;
    set->chains = 1 + set->chains % 3;
    set->budget += set->budget ? 20 : 0;
}

static void make_facts(uint64_t seed, char *line, size_t size)
{
    settings set;
    summary out;
    settings_draw(&set, seed);
    be_repeatable(&set);
    simulate(seed, &set, false, &out);
    if (out.fault[0])
        snprintf(line, size, "%llu\t%.900s\n", (unsigned long long)seed, out.fault);
    else
        facts_write(&out.facts, seed, line, size);
}

static void tell_repeat(uint64_t seed)
{
    settings set;
    settings_draw(&set, seed);
    be_repeatable(&set);
    print_command(seed, &set);
}

static int write_facts(const char *path)
{
    char line[FACTS_LINE];
    FILE *to = fopen(path, "w");
    if (!to)
        return 2;
    fputs(facts_head(), to);
    for (uint64_t seed = 1; seed <= FACTS; seed++) {
        make_facts(seed, line, sizeof line);
        fputs(line, to);
    }
    return fclose(to) ? 2 : 0;
}

/* Every world is what the file says: nothing that the driver asks, waits for, charges, says or
 * hands over changes unseen. */
static int compare_facts(const char *path)
{
    char wanted[FACTS_LINE], line[FACTS_LINE];
    size_t differ = 0;
    uint64_t seed = 0;
    FILE *from = fopen(path, "r");
    bool whole = from && fgets(wanted, sizeof wanted, from) && strcmp(wanted, facts_head()) == 0;
    while (whole && differ < 5 && fgets(wanted, sizeof wanted, from)) {
        make_facts(++seed, line, sizeof line);
        if (strcmp(line, wanted) == 0)
            continue;
        printf("%s- %s+ %s", differ++ ? "" : facts_head(), wanted, line);
        tell_repeat(seed);
    }
    if (from)
        fclose(from);
    if (!whole || (seed != FACTS && !differ))
        printf(
            "%s has no facts of %d worlds; --facts tests/golden/worlds.tsv --write writes them\n",
            path, FACTS);
    return !whole || differ || seed != FACTS;
}

static bool set_named(settings *set, const char *text)
{
    const char *equals = strchr(text, '=');
    for (size_t i = 0; equals && i < settings_count(); i++) {
        const char *name;
        uint32_t *at = settings_at(set, i, &name, NULL);
        if (strlen(name) == (size_t)(equals - text) && strncmp(name, text, strlen(name)) == 0) {
            *at = (uint32_t)strtoul(equals + 1, NULL, 10);
            return true;
        }
    }
    return false;
}

static int one(uint64_t seed, int n, char **settings_given, bool tell)
{
    settings set;
    summary out;
    settings_draw(&set, seed);
    for (int i = 0; i < n; i++) {
        if (!set_named(&set, settings_given[i])) {
            fprintf(stderr, "simulate: there is no setting '%s'; see --settings\n",
                    settings_given[i]);
            return 2;
        }
    }
    simulate_and_count(seed, &set, tell, &out);
    printf("%s; %llu calls, %llu faults, %llu sessions\n",
           out.fault[0] ? out.fault : "every promise held", (unsigned long long)out.calls,
           (unsigned long long)out.faults, (unsigned long long)out.sessions);
    return out.fault[0] != '\0';
}

/* A world of which nothing but one crash ends a session. */
static void be_small(settings *set)
{
    be_repeatable(set);
    set->stops = set->budget = set->tokens = set->cost = set->seconds = 0;
    set->plans = set->chains = 1;
    set->faults = set->faults % 6;
}

/* Crash at each write of the first session in turn, with and without a loss of power, until it has
 * no such write. */
static int at_each_write(uint64_t seed)
{
    summary out;
    uint64_t crashes = 0, calls = 0;
    for (uint32_t at = 1, n = 2; n; at++) {
        n = 0;
        for (uint32_t power = 0; power < 2; power++) {
            settings set;
            settings_draw(&set, seed);
            be_small(&set);
            set.at = at;
            (power ? &set.powers : &set.kills)[0] = 1;
            simulate(seed, &set, false, &out);
            if (out.fault[0]) {
                printf("seed %llu: %s\n", (unsigned long long)seed, out.fault);
                print_command(seed, &set);
                return 1;
            }
            n += out.crashes > 0;
            calls += out.calls;
        }
        crashes += n;
    }
    printf("seed %llu: %llu crashes, at each write; %llu calls; every promise held\n",
           (unsigned long long)seed, (unsigned long long)crashes, (unsigned long long)calls);
    return crashes ? 0 : 1;
}

static int list_settings(void)
{
    settings set;
    for (size_t i = 0; i < settings_count(); i++) {
        const char *name, *what;
        settings_at(&set, i, &name, &what);
        printf("%-12s %s\n", name, what);
    }
    return 0;
}

/* The C library counts what it keeps for a thread as in use. Without that, what is in use is what
 * was not freed. */
static void count_memory_exactly(char **argv)
{
    if (!COUNTS_MEMORY || getenv("GLIBC_TUNABLES"))
        return;
    setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0", 1);
    execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
    uint64_t seeds = 100, from = 1, seed = 0;
    double most = 0;
    const char *golden = NULL;
    bool tell = false, alone = false, write = false, each = false;
    int n = 0;
    count_memory_exactly(argv);
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--settings") == 0)
            return list_settings();
        if (strcmp(argv[i], "--tell") == 0) {
            tell = true;
        } else if (strcmp(argv[i], "--write") == 0) {
            write = true;
        } else if (strcmp(argv[i], "--each-write") == 0) {
            each = true;
        } else if (strcmp(argv[i], "--facts") == 0) {
            golden = value;
            i++;
        } else if (strcmp(argv[i], "--seeds") == 0) {
            seeds = strtoull(value, NULL, 10);
            i++;
        } else if (strcmp(argv[i], "--seconds") == 0) {
            most = strtod(value, NULL);
            seeds = 0;
            i++;
        } else if (strcmp(argv[i], "--from") == 0) {
            from = strtoull(value, NULL, 10);
            i++;
        } else if (strcmp(argv[i], "--seed") == 0) {
            seed = strtoull(value, NULL, 10);
            alone = true;
            i++;
        } else if (strchr(argv[i], '=')) {
            argv[n++] = argv[i];
        } else {
            fprintf(stderr, "simulate: '%s' is no option\n", argv[i]);
            return 2;
        }
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    disk_install();
    if (golden)
        return write ? write_facts(golden) : compare_facts(golden);
    if (each)
        return at_each_write(seed);
    return alone ? one(seed, n, argv, tell) : many(from, seeds, most);
}
