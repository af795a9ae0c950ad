/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The output of records: standard output, or a file that appears only when it is complete. Until
 * then it is named PATH.writing. If the program is killed, PATH.writing remains, and the next run
 * removes it. */
#include <rederive/base.h>

#include <stdio.h>

struct output {
    FILE *file;
    const char *path;    /* as given; NULL: standard output */
    const char *writing; /* temporary name until the end; NULL: `path` itself (a device) */
    bool nobody_reads;
};

/* path: NULL or "-" for standard output. Names are allocated in `arena`. Removes PATH.writing if a
 * killed run left it. RDV_E_IO: it cannot be written, or another run is writing it; RDV_E_NOMEM. */
int output_open(struct output *output, const char *path, rdv_arena *arena, rdv_error *err);
/* RDV_NONE: the reader closed the pipe; no error is set. RDV_E_IO: it cannot be written (for
 * example, disk full). */
int output_write(struct output *output, rdv_str text, rdv_error *err);
/* Flush what was written so far. Returns as output_write(). */
int output_flush(struct output *output, rdv_error *err);
/* Finish. complete: the file gets its final name; else what was written is left in
 * "PATH.partial". */
int output_finish(struct output *output, bool complete, rdv_error *err);
/* Finish after a write error: no file is left. */
void output_drop(struct output *output);
/* Whether both paths lead to one file that exists. */
bool output_same_file(const char *a, const char *b);
