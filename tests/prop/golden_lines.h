/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A golden file of tests/golden with a line for each seed. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define LINE_BYTES 4096 /* of the longest line that may be made, with its end */

typedef struct golden_lines {
    const char *file;  /* its name in tests/golden */
    const char *head;  /* its first line; NULL: it has none */
    uint64_t first, n; /* the seeds of its lines */
    void (*make)(uint64_t seed, bool tell, char *line); /* tell: print what the line is over, too */
} golden_lines;

/* A file of tests/golden; the test fails if it cannot be opened. */
FILE *golden_open(const char *file, const char *mode);

/* The test fails unless each line of the file is what is made of its seed; it shows the first five
 * that are not. */
void golden_compare(const golden_lines *g);

/* What a test program does that is given this argument: "--write" writes the file, a seed prints
 * its line and what that is over. The exit status: 0, or 2 if the file cannot be written. */
int golden_answer(const golden_lines *g, const char *argument);
