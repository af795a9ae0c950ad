/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of a run wherever it is: how long it takes, whether it goes on, how it reads, its
 * line of progress, and how its outputs end. */
#include "run.h"

#include <sched.h>
#include <string.h>

#define MOST_THREADS 256

#define TELL_EVERY_TERMINAL 0.2 /* seconds */
#define TELL_EVERY_FILE 10.0

double run_seconds_since(const struct timespec *begin)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) / 1e9;
}

double run_seconds(const struct run *run)
{
    return run_seconds_since(&run->began);
}

/* Whether progress is shown: on a terminal, as one line that is overwritten, and removed where
 * records or views come there too; or with --progress. */
static bool tells_progress(const struct run *run)
{
    const struct settings *s = run->settings;
    return !s->quiet && (s->progress || run->terminal.err);
}

/* Columns for a line of progress; a longer one would wrap and could not be overwritten. */
static int columns(const struct run *run)
{
    size_t width = run->terminal.view.width;
    return width > 1 && width < 1000 ? (int)width - 1 : 999;
}

uint32_t run_progress_ms(const struct run *run)
{
    double seconds = run->terminal.err ? TELL_EVERY_TERMINAL : TELL_EVERY_FILE;
    return tells_progress(run) ? (uint32_t)(seconds * 1000) : 0;
}

void run_progress(struct run *run, const char *line)
{
    if (!tells_progress(run) || (!line && !run->line_shown))
        return;
    if (run->terminal.err)
        fprintf(stderr, "\r%.*s\x1b[K", columns(run), line ? line : "");
    else if (line)
        fprintf(stderr, "%s\n", line);
    run->line_shown = line && run->terminal.err;
}

bool run_cannot_write(const struct run *run)
{
    return run->status == NOTHING_DONE || run->output.nobody_reads;
}

bool run_stopped(const struct run *run)
{
    return run->status != DONE || run->output.nobody_reads || interrupted();
}

void run_stop(struct run *run, int status, const rdv_error *err)
{
    run_progress(run, NULL);
    say("%s", err->msg);
    run->status = status;
}

bool run_keeps(const struct run *run)
{
    return run->settings->no_input || run->failed < run->records + run->unread;
}

void run_finish_output(struct run *run, struct output *output)
{
    rdv_error err = {0};
    bool complete = run->status == DONE && !interrupted() && !run->waiting;
    if (!output->file)
        return;
    if (output->writing && !run_keeps(run))
        output_drop(output);
    else if (output_finish(output, complete, &err) < 0)
        run_stop(run, NOTHING_DONE, &err);
    else if (output->writing && !complete && (output != &run->output || !interrupted()))
        say("what was done is in %s.partial", output->path); /* else say_interrupted() does */
}

rdv_read_options run_read_options(const struct run *run)
{
    const struct settings *s = run->settings;
    return (rdv_read_options){.size = sizeof(rdv_read_options),
                              .format = s->format,
                              .join = run->inputs.join,
                              .n_join = run->inputs.n_join,
                              .check_reasoning = s->check_reasoning,
                              .notes_left_out = strcmp(s->command, "check") == 0,
                              .question_from = s->question_from,
                              .steps_from = s->steps_from,
                              .gold_from = s->gold_from,
                              .id_from = s->id_from,
                              .question = s->question,
                              .separator = s->separator,
                              .pairs = run->pairs,
                              .texts_ask = run->texts_ask,
                              .evidence_numbers = run->counts_evidence && !s->html,
                              .places = run->places,
                              .answer_from = s->grade.answer_from,
                              .text_from = s->grade.text_from};
}

/* The processors that this process may use. */
static size_t processors(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    return n > 0 ? (size_t)n : 1;
}

size_t run_threads(const struct settings *s)
{
    size_t n = s->threads ? (size_t)s->threads : processors();
    return n < MOST_THREADS ? n : MOST_THREADS;
}
