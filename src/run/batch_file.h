/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A file of requests while it is written: it has another name until it is complete, and replaces no
 * existing file. */
#include <rederive/base.h>

#include <stdio.h>

typedef struct batch_file {
    FILE *file;    /* NULL: none is open */
    char *path;    /* the name it is to have */
    char *writing; /* the name it has */
    uint64_t number, requests, bytes;
} batch_file;

/* Begin file number `number` of those that `name` stands for: "dir/requests.jsonl" is the name of
 * "dir/requests-001.jsonl" and so on. Faults: RDV_E_IO: it exists, or cannot be written;
 * RDV_E_NOMEM. */
int batch_file_begin(batch_file *f, const char *name, uint64_t number, rdv_error *err);
/* Its name from the root of the file system, released with free(). NULL: out of memory. */
char *batch_file_absolute(const batch_file *f);
/* Append the line of a request. Faults: RDV_E_IO. */
int batch_file_add(batch_file *f, rdv_str line, rdv_error *err);
/* Bring all of it to the disk. Faults: RDV_E_IO. */
int batch_file_close(batch_file *f, rdv_error *err);
/* Give it its name, after batch_file_close(). Faults: RDV_E_IO. */
int batch_file_name(batch_file *f, rdv_error *err);
/* Release everything; a file without its name is removed. */
void batch_file_release(batch_file *f);
