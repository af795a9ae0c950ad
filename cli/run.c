/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"
#include "host.h"
#include "html_output.h"
#include "input_size.h"

#include "base/arena.h"
#include "base/str.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#define STANDARD_INPUT "standard input" /* in messages */
#define MOST_TOLD 100                   /* faults of a file */

struct open_input {
    rdv_reader *reader;
    size_t users; /* the run as long as it reads, and each record that was cut */
};

/* A note, or why an input or a record (`fault`) could not be read. */
struct held_line {
    rdv_error message;
    bool fault;
    struct held_line *next;
};

/* ---- beginning ------------------------------------------------------------------------------- */

static bool known_format(const char *name)
{
    const char *format;
    for (size_t i = 0; (format = rdv_format_name(i, NULL)); i++)
        if (strcmp(format, name) == 0)
            return true;
    return false;
}

static int check_settings(struct run *run)
{
    const struct settings *s = run->settings;
    if (s->format && !known_format(s->format)) {
        say("--format %s: unknown format; 'rederive formats' lists them", s->format);
        return run->status = USAGE;
    }
    if (s->in.n == 0 && !s->no_input && !host && isatty(STDIN_FILENO)) {
        say("no input; name a file, or pipe records in (see --help)");
        return run->status = USAGE;
    }
    return DONE;
}

int run_begin(struct run *run, const struct settings *settings)
{
    rdv_error err = {0};
    *run = (struct run){.settings = settings, .terminal = terminal_look(settings)};
    clock_gettime(CLOCK_MONOTONIC, &run->began);
    run->told = run->began;
    if (check_settings(run) != DONE)
        return run->status;
    run->arena = rdv_arena_new(0);
    run->keep = rdv_arena_new(0);
    if (!run->arena || !run->keep) {
        say("out of memory");
        return run->status = NOTHING_DONE;
    }
    if (inputs_sort(&run->inputs, settings, run->keep, &err) != RDV_OK) {
        run_stop(run, NOTHING_DONE, &err);
        return run->status;
    }
    if (run->inputs.walked && !settings->quiet)
        say("%zu file%s in folders%s", run->inputs.n_in + run->inputs.n_join,
            plural(run->inputs.n_in + run->inputs.n_join),
            run->inputs.n_passed_over ? "; others are passed over, by their names" : "");
    run->bytes = run_progress_ms(run) ? input_bytes_of(run) : 0;
    const char *out = settings->dry_run ? NULL : settings->out; /* an estimate is for people */
    if (output_open(&run->output, out, run->keep, &err) != RDV_OK)
        run_stop(run, NOTHING_DONE, &err);
    return run->status;
}

/* ---- progress ------------------------------------------------------------------------------- */

void run_tell_records(struct run *run)
{
    struct progress_line line = {0};
    uint32_t every = run_progress_ms(run);
    double seconds = run_seconds(run);
    /* Where records or views come to the terminal, they show it themselves. */
    bool shown = run->terminal.out && !run->settings->out && !run->settings->progress;
    if (!every || shown)
        return;
    double done =
        run->input ? (double)(run->bytes_before + rdv_reader_taken(run->input->reader)) : 0;
    progress_note(&run->progress, seconds, done);
    if (run_seconds_since(&run->told) * 1000 < every)
        return;
    clock_gettime(CLOCK_MONOTONIC, &run->told);
    progress_add(&line, "%" PRIu64 " record%s", run->records, plural(run->records));
    if (run->bytes && done > 0) {
        double share = fmin(done / (double)run->bytes, 1);
        double left = progress_left(&run->progress, seconds, (1 - share) * (double)run->bytes);
        progress_add(&line, " (%.0f %%)", floor(100 * share));
        if (!isnan(left)) {
            progress_add(&line, ", ");
            progress_add_time(&line, left);
            progress_add(&line, " left");
        }
    }
    if (run->failed)
        progress_add(&line, ", %" PRIu64 " failed", run->failed);
    progress_add(&line, ", %.0f s", seconds);
    run_progress(run, line.text);
}

/* ---- records --------------------------------------------------------------------------------- */

static uint64_t newlines_in(rdv_str text)
{
    uint64_t lines = 0;
    for (size_t at = 0; (at = rdv_find_char(text, '\n', at)) != RDV_NOT_FOUND; at++)
        lines++;
    return lines;
}

void run_write(struct run *run, rdv_str text)
{
    rdv_error err = {0};
    if (run->status == NOTHING_DONE)
        return;
    run->lines_out += newlines_in(text);
    if (run->terminal.out && text.len)
        run_progress(run, NULL);
    if (output_write(&run->output, text, &err) < 0)
        run_stop(run, NOTHING_DONE, &err);
}

static const char *input_at(const struct run *run, size_t i)
{
    if (run->settings->in.n == 0)
        return i == 0 ? "-" : NULL;
    return i < run->inputs.n_in ? run->inputs.in[i] : NULL;
}

/* How many faults of the latest file were not told, and the lines of the first of those that have
 * a reason that was told. */
static void tell_untold(struct run *run)
{
    const struct untold *of = &run->untold;
    char places[64 * REPEATED_PLACES] = "";
    size_t len = 0;
    for (size_t i = 0; i < REPEATED_PLACES && i < of->repeated; i++)
        len += (size_t)snprintf(places + len, sizeof places - len, "%s%zu", i ? ", " : "",
                                of->lines[i]);
    if (of->repeated)
        say("%s: %" PRIu64 " more record%s failed for the same reason%s: line%s %s%s",
            run->told_path, of->repeated, plural(of->repeated), plural(of->reasons),
            plural(of->repeated), places, of->repeated > REPEATED_PLACES ? " and so on" : "");
    if (of->n)
        say("%s: %" PRIu64 " more record%s failed, which %s not told one by one", run->told_path,
            of->n, plural(of->n), of->n == 1 ? "is" : "are");
    run->untold = (struct untold){0};
}

/* Whether the reason was told of another record of the file; if not, it is noted. */
static bool is_repeated(struct untold *of, const char *reason)
{
    uint64_t hash = rdv_hash(rdv_str_of(reason), 0);
    for (size_t i = 0; i < of->reasons; i++)
        if (of->hashes[i] == hash)
            return true;
    if (of->reasons < KEPT_REASONS)
        of->hashes[of->reasons++] = hash;
    return false;
}

/* Whether a fault of the current file is told, not only counted. record: of which only the reason
 * tells it from others; or NULL. */
static bool tells_fault(struct run *run, const rdv_record *record, const char *reason)
{
    struct untold *of = &run->untold;
    if (!run->told_path || !run->path || strcmp(run->told_path, run->path) != 0) {
        tell_untold(run);
        run->told_path = run->path;
    }
    if (record && is_repeated(of, reason)) {
        if (of->repeated < REPEATED_PLACES)
            of->lines[of->repeated] = record->line;
        of->repeated++;
        return false;
    }
    bool tells = of->told < MOST_TOLD;
    of->told += tells;
    of->n += !tells;
    return tells;
}

void run_fail(struct run *run, const rdv_record *record, const rdv_error *err)
{
    char what[RDV_ERROR_MAX + 4096];
    run->failed++;
    run_progress(run, NULL);
    if (record)
        snprintf(what, sizeof what, "%s:%zu: %s", run->path, record->line, err->msg);
    else
        snprintf(what, sizeof what, "%s", err->msg);
    if (tells_fault(run, record, err->msg))
        say("%s", what);
    html_add_failure(run, what, !record);
    if (run->settings->strict)
        run->status = SOME_FAILED;
}

void run_fail_unread(struct run *run, const rdv_error *err)
{
    run->unread++;
    run_fail(run, NULL, err);
}

/* Without memory the line is told at once, out of its turn. */
static bool hold(struct run *run, const char *message, bool fault)
{
    struct held *held = run->held;
    struct held_line *line = held ? RDV_NEW(held->arena, struct held_line) : NULL;
    if (!line)
        return false;
    line->fault = fault;
    rdv_fail(&line->message, RDV_E_INPUT, "%s", message);
    if (held->last)
        held->last->next = line;
    else
        held->first = line;
    held->last = line;
    return true;
}

static const char *input_name(void)
{
    return host ? host->input : STANDARD_INPUT;
}

static bool stdin_is_quiet(void)
{
    if (host)
        return host->would_wait(host->payload);
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, 0) == 0;
}

/* Read bytes of standard input as they arrive. If none are ready, flush the finished records first,
 * so that the reader of a slow pipe need not wait for the next one. */
static ptrdiff_t read_stdin(void *cookie, void *bytes, size_t size)
{
    struct run *run = cookie;
    rdv_error err = {0};
    ssize_t n;
    bool quiet = stdin_is_quiet();
    if (quiet && run->before_wait)
        run->before_wait(run->payload);
    if (quiet && output_flush(&run->output, &err) < 0)
        run_stop(run, NOTHING_DONE, &err);
    if (run_stopped(run))
        return 0;
    do
        n = host ? host->read(host->payload, bytes, size) : read(STDIN_FILENO, bytes, size);
    while (n < 0 && errno == EINTR && !interrupted());
    run->lines += newlines_in((rdv_str){bytes, n > 0 ? (size_t)n : 0});
    return n;
}

bool run_reads_stdin(const struct run *run)
{
    return run->input && strcmp(run->path, input_name()) == 0;
}

bool run_would_wait(const struct run *run)
{
    /* A record is complete only when the next one begins, so the latest line does not count. */
    uint64_t read = run->records + run->unread;
    return run_reads_stdin(run) && run->lines < read + 2 && stdin_is_quiet();
}

/* For the report; without memory the note stands on standard error alone. */
static void keep_note(struct run *run, const char *message)
{
    if (!run->settings->html || run->n_notes == NOTES_KEPT ||
        !RDV_PUSH_ROOM(run->keep, run->notes, run->n_notes, run->cap_notes))
        return;
    rdv_str copy = rdv_str_copy(run->keep, rdv_str_of(message));
    if (copy.p)
        run->notes[run->n_notes++] = copy;
}

/* A note without its place, "FILE:LINE: ". */
static rdv_str text_of_note(const char *message)
{
    rdv_str text = rdv_str_of(message);
    for (size_t at = 0; (at = rdv_find_char(text, ':', at)) != RDV_NOT_FOUND; at++) {
        size_t end = at + 1;
        while (rdv_is_digit(rdv_char_at(text, end)))
            end++;
        if (end > at + 1 && rdv_starts(rdv_slice(text, end, text.len), RDV_STR(": ")))
            return rdv_slice(text, end + 2, text.len);
    }
    return text;
}

/* Whether the note is told, and not only counted: it is the same of many files. */
static bool tells_note(struct run *run, const char *message)
{
    rdv_str text = text_of_note(message);
    size_t i = 0;
    while (i < run->n_told_notes && !rdv_str_eq(run->told_notes[i].text, text))
        i++;
    if (i == sizeof run->told_notes / sizeof *run->told_notes)
        return true;
    if (i == run->n_told_notes) {
        rdv_str copy = rdv_str_copy(run->keep, text);
        if (!copy.p)
            return true;
        run->told_notes[run->n_told_notes++].text = copy;
    }
    return ++run->told_notes[i].files <= NOTES_TOLD;
}

static void tell_untold_notes(const struct run *run)
{
    for (size_t i = 0; i < run->n_told_notes; i++)
        if (run->told_notes[i].files > NOTES_TOLD) {
            uint64_t more = run->told_notes[i].files - NOTES_TOLD;
            say("%" PRIu64 " more file%s: %.*s", more, plural(more),
                RDV_FMT(run->told_notes[i].text));
        }
}

static void tell_note(void *payload, const char *message)
{
    struct run *run = payload;
    if (hold(run, message, false))
        return;
    keep_note(run, message);
    if (run->settings->quiet || !tells_note(run, message))
        return;
    run_progress(run, NULL);
    say("%s", message);
}

void run_tell_held(struct run *run, const struct held *held)
{
    for (const struct held_line *line = held->first; line && !run_stopped(run); line = line->next) {
        if (line->fault)
            run_fail_unread(run, &line->message);
        else
            tell_note(run, line->message.msg);
    }
}

static int open_reader(struct run *run, const char *path, rdv_reader **reader, rdv_error *err)
{
    rdv_read_options options = run_read_options(run);
    /* Where nobody hears a note, what it would say is not looked for. */
    options.note = run->settings->quiet && !run->settings->html ? NULL : tell_note;
    options.note_payload = run;
    run->path = path;
    run->bytes_before += run->bytes_open;
    run->bytes_open = input_bytes(path);
    if (strcmp(path, "-") != 0)
        return rdv_reader_open(path, &options, reader, err);
    rdv_source source = {run, read_stdin};
    options.name = "input";
    run->path = input_name();
    return rdv_reader_open_source(source, run->path, &options, reader, err);
}

static int open_input(struct run *run, const char *path, rdv_error *err)
{
    struct open_input *input = calloc(1, sizeof *input);
    int code = input ? open_reader(run, path, &input->reader, err) : rdv_no_memory(err);
    if (code != RDV_OK) {
        free(input);
        return code;
    }
    input->users = 1;
    run->input = input;
    return RDV_OK;
}

static void release(struct open_input **input)
{
    struct open_input *of = *input;
    *input = NULL;
    if (!of || --of->users > 0)
        return;
    rdv_reader_close(&of->reader);
    free(of);
}

/* Open the next input that can be opened. RDV_NONE: none is left. */
/* The text that an argument is where it names no file: what gives a text. */
static void tell_texts(const struct run *run, const char *path, rdv_error *err)
{
    bool grades = strcmp(run->settings->command, "grade") == 0;
    if (access(path, F_OK) == 0 || (!strpbrk(path, " =") && !grades))
        return;
    size_t len = strlen(err->msg);
    snprintf(err->msg + len, sizeof err->msg - len, "; %s",
             grades ? "an answer and its gold answer are given by --answer and --gold"
                    : "a text is given on standard input");
}

static int open_next(struct run *run)
{
    const char *path;
    while (!run_stopped(run) && (path = input_at(run, run->next_input))) {
        rdv_error err = {0};
        run->next_input++;
        int code = open_input(run, path, &err);
        if (code == RDV_OK) {
            run->opened++;
            return RDV_OK;
        }
        if (code == RDV_E_ARGUMENT) { /* an option, which all inputs share */
            run_stop(run, USAGE, &err);
            return RDV_NONE;
        }
        tell_texts(run, path, &err);
        if (!hold(run, err.msg, true))
            run_fail_unread(run, &err);
    }
    return RDV_NONE;
}

void run_fail_record(struct run *run, const rdv_record *record, const rdv_error *err,
                     rdv_arena *arena, rdv_str *line)
{
    /* A record that failed in an earlier command keeps its error, without "failed before". */
    bool before = record->kind == RDV_RECORD_ERROR ||
                  (record->error.p && rdv_starts(rdv_str_of(err->msg), RDV_STR("failed before: ")));
    rdv_write_options options = {.size = sizeof options,
                                 .error = before ? record->error : rdv_str_of(err->msg)};
    run_fail(run, record, err);
    *line = (rdv_str){0};
    if (run->errors_in_output && record->chain.raw.p &&
        rdv_record_write(&record->chain, &options, arena, line, NULL) != RDV_OK)
        *line = (rdv_str){0};
}

/* Read the next record, or cut it (`cut` may be NULL). Faults are told or held. */
static int read_record(struct run *run, rdv_arena *arena, rdv_record *record,
                       struct cut_record *cut, rdv_error *err)
{
    while (!run_stopped(run) && (run->input || open_next(run) == RDV_OK)) {
        struct open_input *input = run->input;
        bool cuts = cut && rdv_reader_may_cut(input->reader);
        int code = cuts ? rdv_reader_cut(input->reader, arena, &cut->cut, err)
                        : rdv_reader_next(input->reader, arena, record, err);
        if (run_stopped(run)) /* an interrupted read may give any result */
            return RDV_NONE;
        if (code == RDV_OK && cut) { /* a record that was read has texts of its reader, too */
            input->users++;
            cut->input = input;
            cut->is_cut = cuts;
        }
        if (code != RDV_OK && code != RDV_E_INPUT && code != RDV_E_LIMIT)
            release(&run->input);
        if (code == RDV_OK)
            return RDV_OK;
        if (code < 0 && !hold(run, err->msg, true))
            run_fail_unread(run, err);
        if (code < 0 && code != RDV_E_FORMAT) /* which is no record's, but the file's */
            return RDV_E_INPUT;
    }
    return RDV_NONE;
}

int run_read(struct run *run, rdv_arena *arena, rdv_record *record, rdv_error *err)
{
    int code = read_record(run, arena, record, NULL, err);
    run->records += code == RDV_OK;
    return code;
}

int run_cut(struct run *run, struct held *held, rdv_arena *arena, rdv_record *record,
            struct cut_record *cut, rdv_error *err)
{
    cut->input = NULL;
    cut->is_cut = false;
    run->held = held;
    int code = read_record(run, arena, record, cut, err);
    run->held = NULL;
    return code;
}

rdv_reader *run_reader_of(const struct cut_record *cut)
{
    return cut->input->reader;
}

void run_end_cut(struct cut_record *cut)
{
    release(&cut->input);
}

int run_next(struct run *run, rdv_record *record)
{
    for (;;) {
        rdv_error err = {0};
        rdv_str line;
        run_tell_records(run);
        rdv_arena_reset(run->arena);
        int code = run_read(run, run->arena, record, &err);
        if (code != RDV_E_INPUT)
            return code;
        if (run->errors_in_output &&
            rdv_error_write(rdv_str_of(err.msg), run->arena, &line, NULL) == RDV_OK)
            run_write(run, line);
    }
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool was_empty(const struct run *run)
{
    return !run_keeps(run) && run->opened > 0 && !run->records && !run->failed && !run_stopped(run);
}

/* Whether the run was to write a file. */
static bool has_output(const struct run *run)
{
    const struct settings *s = run->settings;
    for (size_t i = 0; i < s->n_given; i++)
        if (s->given[i]->writes && !s->dry_run)
            return true;
    return false;
}

static int exit_status_of(const struct run *run)
{
    if (run->output.nobody_reads)
        return NOBODY_READS;
    if (run->status != DONE)
        return run->status;
    if (interrupted())
        return INTERRUPTED;
    if (run->waiting)
        return WAITING;
    if (was_empty(run))
        return has_output(run) ? NOTHING_DONE : DONE;
    if (run->failed == 0)
        return run->undone ? SOME_FAILED : DONE;
    return run_keeps(run) ? SOME_FAILED : NOTHING_DONE;
}

/* Give the outputs their names; a file in which nothing was written is not left behind. */
static void finish_outputs(struct run *run)
{
    bool complete = run->status == DONE && !interrupted() && !run->waiting;
    if (run->output.file && !complete && run->output.writing && run->lines_out == 0)
        output_drop(&run->output);
    run_finish_output(run, &run->output);
    if (run->also)
        run_finish_output(run, run->also);
}

/* Say so if the input had no record; where a file was to be written, also with --quiet. */
static void tell_empty(const struct run *run)
{
    bool output = has_output(run);
    if (was_empty(run) && (output || !run->settings->quiet))
        say("%s: nothing was read: the input has no records%s", run->settings->command,
            output ? "; nothing was written" : "");
    else if (!run_keeps(run) && run->failed && output && run->status == DONE)
        say("%s: every record failed; nothing was written", run->settings->command);
}

/* Say what was read, and what of the output is left where. */
static void say_interrupted(const struct run *run)
{
    const char *read = plural(run->records), *written = plural(run->lines_out);
    if (!run->output.writing)
        say("interrupted after reading %" PRIu64 " record%s", run->records, read);
    else if (run->lines_out == 0)
        say("interrupted after reading %" PRIu64 " record%s; nothing was written", run->records,
            read);
    else
        say("interrupted after reading %" PRIu64 " record%s; %" PRIu64
            " line%s of output in %s.partial",
            run->records, read, run->lines_out, written, run->output.path);
}

int run_end(struct run *run)
{
    run_progress(run, NULL);
    tell_untold(run);
    tell_untold_notes(run);
    tell_empty(run);
    html_end(run);
    finish_outputs(run);
    if (interrupted() && run->status != NOTHING_DONE)
        say_interrupted(run);
    int status = exit_status_of(run);
    release(&run->input);
    rdv_arena_free(&run->arena);
    rdv_arena_free(&run->keep);
    return status;
}

bool run_tells(const struct run *run, int status)
{
    return !run->settings->quiet && status != USAGE && status != NOBODY_READS && run->opened > 0;
}
