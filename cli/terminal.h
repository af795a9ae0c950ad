/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What stands between the program and a person: messages, colours, widths, Ctrl-C. */
#include "report/report.h"
#include "settings.h"

struct terminal {
    bool out, err;         /* standard output (error) is a terminal */
    rdv_view_options view; /* for standard output */
};

struct terminal terminal_look(const struct settings *settings);
/* One line on standard error, "rederive: ..."; control characters are shown escaped. */
void say(const char *fmt, ...) RDV_PRINTF(1, 2);

/* What a noun ends in behind the number: "1 chain", "2 chains". */
const char *plural(uint64_t n);

/* From now on SIGINT and SIGTERM are noted instead of ending the program, and writing where nobody
 * reads is an error instead of a signal. A second one ends it at once, unless it comes within half
 * a second of the first: then it is taken for the same. */
void catch_signals(void);
bool interrupted(void);
/* Have `stop` called with `payload` when a signal comes, from its handler, or now if one came;
 * NULL: no longer. */
void when_interrupted(void (*stop)(void *), void *payload);
