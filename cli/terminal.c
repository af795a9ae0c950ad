/* SPDX-License-Identifier: Apache-2.0 */
#include "terminal.h"
#include "host.h"

#include "base/str.h"
#include "report/paint.h"

#include <errno.h>
#include <langinfo.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

_Thread_local const struct host *host;

static size_t width_of(int fd)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col)
        return size.ws_col;
    long n = columns ? strtol(columns, NULL, 10) : 0;
    return n > 0 && n < 10000 ? (size_t)n : 0;
}

static bool wants_colour(const struct settings *settings, bool is_terminal)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (strcmp(settings->color, "auto") != 0)
        return strcmp(settings->color, "always") == 0;
    return is_terminal && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

struct terminal terminal_look(const struct settings *settings)
{
    struct terminal t = {.out = !host && isatty(STDOUT_FILENO),
                         .err = !host && isatty(STDERR_FILENO)};
    t.view.colour = wants_colour(settings, t.out && !settings->out);
    t.view.width = width_of(STDOUT_FILENO);
    t.view.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    return t;
}

void say(const char *fmt, ...)
{
    char words[2 * RDV_ERROR_MAX], line[16 * sizeof words];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(words, sizeof words, fmt, ap);
    va_end(ap);
    rdv_str text = rdv_str_of(words);
    size_t len, n = 0;
    for (size_t i = 0; i < text.len; i += len) {
        char shown[16];
        size_t bytes = rdv_shown(text, i, &len, shown);
        memcpy(line + n, shown, bytes);
        n += bytes;
    }
    line[n] = '\0';
    if (host)
        host->say(host->payload, line);
    else
        fprintf(stderr, "rederive: %s\n", line);
}

/* A write that failed before leaves its mark on the stream, but not its reason. */
int print_status(void)
{
    bool failed = ferror(stdout);
    errno = 0;
    if (fflush(stdout) == 0 && !failed)
        return DONE;
    if (errno == EPIPE)
        return NOBODY_READS;
    say("standard output cannot be written%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
    return NOTHING_DONE;
}

FILE *summary_begin(struct summary *summary)
{
    *summary = (struct summary){.file = stderr};
    if (host)
        summary->file = open_memstream(&summary->text, &summary->length);
    return summary->file;
}

void summary_end(struct summary *summary)
{
    if (!host || !summary->file)
        return;
    if (fclose(summary->file) == 0) {
        summary->text[strcspn(summary->text, "\n")] = '\0';
        host->say(host->payload, summary->text);
    }
    free(summary->text);
}

const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* ---- signals --------------------------------------------------------------------------------- */

/* `timeout` and some shells send one signal both to the program and to its group, so a signal this
 * soon after the first is not taken as a second request. */
#define SECOND_AFTER 0.5 /* seconds */

static volatile sig_atomic_t caught;
static struct timespec caught_at; /* time of the first signal; written once, by the handler */
static void (*volatile stop_work)(void *);
static void *volatile work;

static double seconds_between(const struct timespec *a, const struct timespec *b)
{
    return (double)(b->tv_sec - a->tv_sec) + (double)(b->tv_nsec - a->tv_nsec) / 1e9;
}

/* End the program as the signal would by default; the system's handler runs once this one
 * returns. */
static void end_at_once(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

static void on_signal(int number)
{
    int code = errno;
    struct timespec now;
    void (*stop)(void *) = stop_work;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (caught && seconds_between(&caught_at, &now) >= SECOND_AFTER)
        end_at_once(number);
    if (!caught) {
        caught_at = now;
        caught = 1;
        if (stop)
            stop(work);
    }
    errno = code;
}

/* Respect a signal that the parent set to be ignored (nohup, a shell's background job). */
static void catch_unless_ignored(int number, const struct sigaction *action)
{
    struct sigaction old;
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(number, action, NULL);
}

void catch_signals(void)
{
    /* No SA_RESTART: a read that waits for input returns, so that Ctrl-C works there too. */
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaddset(&action.sa_mask, SIGHUP);
    catch_unless_ignored(SIGINT, &action);
    catch_unless_ignored(SIGTERM, &action);
    catch_unless_ignored(SIGHUP, &action);
    signal(SIGPIPE, SIG_IGN);
}

bool interrupted(void)
{
    return host ? host->interrupted(host->payload) : caught != 0;
}

void when_interrupted(void (*stop)(void *), void *payload)
{
    if (host) {
        host->when_interrupted(host->payload, stop, payload);
        return;
    }
    stop_work = NULL; /* the handler never sees only one of the two set */
    work = payload;
    stop_work = stop;
    if (stop && interrupted())
        stop(payload);
}
