/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Which of the files of a command are read, and which are joined to them. */
#include <rederive/data.h>

struct settings;

struct inputs {
    const char **in; /* read, in their order */
    size_t n_in;
    const char **join; /* joined: those of --join, then the requests of batches */
    size_t n_join;
    bool walked;          /* one of the inputs is a folder */
    size_t n_passed_over; /* files of folders that hold no records, by their names */
};

/* Sort the input files of `settings`. The requests of a batch that stand beside other files are
 * joined, so that the results of a batch and its requests may be named in any order. Everything is
 * in `arena`. A folder stands for the files in it (folder.h). Faults: RDV_E_NOMEM, or as
 * folder_add(). */
int inputs_sort(struct inputs *inputs, const struct settings *settings, rdv_arena *arena,
                rdv_error *err);
