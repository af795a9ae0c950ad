/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The program's interface to a person: messages, colours, widths, Ctrl-C. */
#include "report/report.h"
#include "settings.h"

#include <stdio.h>

struct terminal {
    bool out, err;         /* standard output (error) is a terminal */
    rdv_view_options view; /* for standard output */
};

struct terminal terminal_look(const struct settings *settings);
/* One line on standard error, "rederive: ..."; control characters are shown escaped. */
void say(const char *fmt, ...) RDV_PRINTF(1, 2);

/* The exit status of a command that is done, by what it printed with stdio to standard output: DONE
 * if all of that was written, else NOTHING_DONE after a line, or NOBODY_READS. */
int print_status(void);

/* Where a command writes its summary as one line of JSON: standard error, or a message of the host.
 * NULL: out of memory. */
struct summary {
    FILE *file;
    char *text;
    size_t length;
};
FILE *summary_begin(struct summary *summary);
void summary_end(struct summary *summary);

/* The plural ending of a noun after the number `n`: "1 chain", "2 chains". */
const char *plural(uint64_t n);

/* From now on SIGINT, SIGTERM and SIGHUP are noted instead of ending the program, and writing to a
 * closed pipe is an error instead of a signal. A second signal ends the program at once, unless it
 * arrives within half a second of the first; then it counts as the same one. */
void catch_signals(void);
bool interrupted(void);
/* Call `stop` with `payload` when a signal arrives, from its handler, or now if one has arrived;
 * NULL: stop calling. */
void when_interrupted(void (*stop)(void *), void *payload);
