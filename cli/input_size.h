/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How much input a run has, for its progress. Only of regular files can that be known. */
#include <rederive/base.h>

struct run;

/* The size of the input `path` ("-": standard input, from where it stands) in bytes; 0: not known.
 */
uint64_t input_bytes(const char *path);
/* The sum over all inputs of the run; 0: that of one is not known. */
uint64_t input_bytes_of(const struct run *run);
/* The number of records, by reading all inputs once; 0: not known, or it would take longer than
 * about two seconds. Nothing is reported. */
uint64_t input_records_of(const struct run *run);
