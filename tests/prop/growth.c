/* SPDX-License-Identifier: Apache-2.0 */
/* Read, check, write and grade long texts that repeat a pattern, for growth.py to count what each
 * takes.
 *
 *   growth SIZE...
 *
 * Each pattern stands in each place of a record in turn: its step, its solution, its question and
 * its answer. Each piece of work has a process of its own, a fork of this one, of which valgrind
 * says at its end how many instructions it and this one before it executed. There is a line on
 * standard output for each: its process, what was done, the place, the number of the pattern, its
 * size in characters. "nothing" is a process without work, "read" one that reads the record; that
 * of a method reads, checks and writes it. */
#include "../repeated_patterns.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"

#include <rederive/answer.h>
#include <rederive/data.h>
#include <rederive/math.h>
#include <rederive/method.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum place { IN_STEP, IN_SOLUTION, IN_QUESTION, IN_ANSWER, N_PLACES } place;
static const char *const place_names[] = {"step", "solution", "question", "answer"};

static size_t characters_of(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80; /* a byte that goes on is counted already */
    return n;
}

static rdv_str repeated(const char *pattern, size_t characters, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    size_t each = characters_of(pattern);
    for (size_t n = 0; n < characters; n += each)
        rdv_buf_add(&b, rdv_str_of(pattern));
    return rdv_buf_str(&b);
}

static rdv_str record_with(place where, rdv_str text, rdv_arena *arena)
{
    rdv_buf b;
    rdv_str question = where == IN_QUESTION ? text : RDV_STR("How many are there?");
    rdv_str answer = where == IN_ANSWER ? text : RDV_STR("2");
    rdv_str step = where == IN_STEP ? text : RDV_STR("1 + 1 = 2");
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "{");
    rdv_json_put_text(&b, "question", question);
    if (where == IN_SOLUTION) {
        rdv_json_put_text(&b, "solution", text);
    } else {
        rdv_json_name(&b, RDV_STR("steps"));
        rdv_json_texts(&b, &step, 1);
        rdv_json_put_text(&b, "answer", answer);
    }
    rdv_buf_lit(&b, "}");
    return rdv_buf_str(&b);
}

typedef struct work {
    const char *name;
    const rdv_method *method; /* NULL: nothing is checked */
} work;

static const work nothing = {"nothing", NULL}, reading = {"read", NULL}, grading = {"grade", NULL};

static int read_and_check(const rdv_method *method, rdv_str bytes, rdv_arena *arena)
{
    rdv_error err = {0};
    rdv_check check;
    rdv_str line;
    rdv_record *record = NULL;
    size_t n = 0;
    int r = rdv_record_read(bytes, NULL, arena, &record, &n, &err);
    if (r != RDV_OK || !method)
        return r;
    r = rdv_check_chain(method, &record->chain, NULL, arena, &check, &err);
    rdv_chain checked = record->chain;
    checked.checks = &check;
    checked.n_checks = 1;
    return r == RDV_OK ? rdv_record_write(&checked, NULL, arena, &line, &err) : r;
}

static int grade(rdv_str text, rdv_arena *arena)
{
    rdv_error err = {0};
    rdv_text_grade is;
    return rdv_grade_text(text, RDV_STR("2"), NULL, NULL, arena, &is, &err);
}

static int do_work(const work *w, place where, const char *pattern, size_t size)
{
    if (w == &nothing)
        return RDV_OK;
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena)
        return RDV_E_NOMEM;
    rdv_str text = repeated(pattern, size, arena);
    int r = w == &grading ? grade(text, arena)
                          : read_and_check(w->method, record_with(where, text, arena), arena);
    rdv_arena_free(&arena);
    return r;
}

/* In a process of its own; it ends this one where the work has a fault. */
static void count(const work *w, place where, size_t pattern, size_t size)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(do_work(w, where, repeated_patterns[pattern], size) != RDV_OK);
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) {
        fprintf(stderr, "growth: %s failed with pattern %zu as %s\n", w->name, pattern,
                place_names[where]);
        exit(1);
    }
    printf("%d\t%s\t%s\t%zu\t%zu\n", child, w->name, place_names[where], pattern, size);
    fflush(stdout);
}

static void count_methods(place where, size_t pattern, size_t size)
{
    count(&nothing, where, pattern, size);
    count(&reading, where, pattern, size);
    if (where == IN_ANSWER)
        count(&grading, where, pattern, size);
    for (size_t i = 0; rdv_method_at(i); i++) {
        work w = {rdv_method_at(i)->name, rdv_method_at(i)};
        if (!rdv_method_needs_model(w.method, NULL))
            count(&w, where, pattern, size);
    }
}

/* Tables are made at first use: before anything is counted. */
static void make_tables(void)
{
    for (int where = 0; where < N_PLACES; where++)
        for (size_t i = 0; rdv_method_at(i); i++) {
            work w = {"", rdv_method_at(i)};
            if (!rdv_method_needs_model(w.method, NULL))
                do_work(&w, where, "1 + 1 = 3. ", 100);
        }
    do_work(&grading, IN_ANSWER, "1 + 1 = 3. ", 100);
}

int main(int argc, char **argv)
{
    make_tables();
    for (size_t i = 0; i < N_REPEATED_PATTERNS; i++)
        for (int where = 0; where < N_PLACES; where++)
            for (int k = 1; k < argc; k++)
                count_methods(where, i, strtoul(argv[k], NULL, 10));
    rdv_math_thread_end();
    return 0;
}
