/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Where records go: standard output, or a file that appears only when it is complete. Until then
 * it is PATH.writing, and stays that where the program is killed; the next run takes it away. */
#include <rederive/base.h>

#include <stdio.h>

struct output {
    FILE *file;
    const char *path;    /* as given; NULL: standard output */
    const char *writing; /* what is written to until the end; NULL: `path` itself (a device) */
    bool nobody_reads;
};

/* path: NULL or "-" for standard output. Names live in `arena`. What a killed run left in
 * PATH.writing is gone then. RDV_E_IO: it cannot be written, or another run is writing it;
 * RDV_E_NOMEM. */
int output_open(struct output *output, const char *path, rdv_arena *arena, rdv_error *err);
/* RDV_NONE: the reader went away, quietly. RDV_E_IO: it cannot be written (disk full, say). */
int output_write(struct output *output, rdv_str text, rdv_error *err);
/* Let the reader have what was written so far. Returns as output_write(). */
int output_flush(struct output *output, rdv_error *err);
/* The end. complete: the file takes its name; else what was written is left in "PATH.partial". */
int output_finish(struct output *output, bool complete, rdv_error *err);
/* The end after a fault of writing: nothing is left. */
void output_drop(struct output *output);
