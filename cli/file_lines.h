/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The lines of a file, one at a time. */
#include "base/str.h"

#include <rederive/base.h>

#define FILE_LINE_BYTES ((size_t)64 << 20) /* the longest line that is read */

struct file_line {
    const char *path; /* as it is shown */
    size_t number;    /* from 1 */
    rdv_str text;     /* trimmed, never empty; borrowed until `take` returns */
    bool too_long;    /* and therefore without its text */
};

/* Give every line that is not blank to `take`, which returns RDV_OK or a fault. "-" is standard
 * input, and gzip is unpacked. An interrupt ends it without a fault. Faults: those of `take`;
 * RDV_E_IO, RDV_E_INPUT (damaged gzip), RDV_E_NOMEM. */
int file_lines_read(const char *path,
                    int (*take)(void *payload, const struct file_line *line, rdv_error *err),
                    void *payload, rdv_error *err);
