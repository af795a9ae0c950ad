/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Results of a batch into the journal that its requests were written from. */
#include <rederive/run.h>

/* Lines of one import. */
typedef struct batch_imported {
    uint64_t added;   /* replies that were not in the journal */
    uint64_t known;   /* results that were there already */
    uint64_t failed;  /* requests that failed, to be written again while tries are left */
    uint64_t refused; /* requests that failed for good */
    uint64_t foreign; /* results of requests that this journal did not write */
    uint64_t bad;     /* lines that are no results */
    uint64_t lost;    /* requests of the same files without a result, to be written again */
} batch_imported;

/* A file that results came from. */
typedef struct batch_import_file {
    uint64_t number;
    bool sure; /* a result is of a request that no other file has */
} batch_import_file;

typedef struct batch_import {
    rdv_journal *journal; /* open to be written */
    batch_imported counts;
    rdv_arena *arena;   /* lives as long as the import */
    rdv_arena *scratch; /* for one line */
    batch_import_file *files;
    size_t n_files, cap_files;
} batch_import;

/* Prepare the import; `arena` and `scratch` are borrowed. Faults: RDV_E_IO, RDV_E_INPUT,
 * RDV_E_NOMEM. */
int batch_import_begin(batch_import *import, rdv_journal *journal, rdv_arena *arena,
                       rdv_arena *scratch, rdv_error *err);
/* Take one line. RDV_NONE: it is no result, or one of no request of this journal, or its request
 * failed: `err` says which and why. Faults: RDV_E_IO, RDV_E_INPUT (the journal is damaged),
 * RDV_E_NOMEM. */
int batch_import_line(batch_import *import, rdv_str line, rdv_error *err);
/* After the last line: the requests of files whose results came, and that have none, are lost; then
 * commit. Faults: RDV_E_IO, RDV_E_NOMEM. */
int batch_import_end(batch_import *import, rdv_error *err);
