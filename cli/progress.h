/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How fast work is done, and the parts of a line of progress. */
#include <rederive/base.h>

/* Enough for any line of progress. */
#define PROGRESS_LINE 256

#define PROGRESS_SAMPLES 60 /* the latest ones, from which the rate follows */

struct progress_sample {
    double seconds, done;
};

/* Zero-initialised: nothing is known. */
struct progress {
    struct progress_sample samples[PROGRESS_SAMPLES]; /* a ring; `n` of them, the next at `next` */
    size_t n, next;
};

/* Note how much is done after so many seconds. Changes within a second count as one. */
void progress_note(struct progress *progress, double seconds, double done);
/* Seconds that `rest` more will take at the rate of the latest changes; NaN until there were some
 * changes over some seconds. What was done before the first note, such as by an earlier run, is no
 * part of the rate. */
double progress_left(const struct progress *progress, double seconds, double rest);

/* A line that is written piece by piece; what does not fit is cut off. */
struct progress_line {
    char text[PROGRESS_LINE];
    size_t len;
};

void progress_add(struct progress_line *line, const char *fmt, ...) RDV_PRINTF(2, 3);
/* A time as 0:07, 12:34 or 1:02:03. */
void progress_add_time(struct progress_line *line, double seconds);
