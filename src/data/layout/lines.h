/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Bytes line by line, with the place of each line in its file. */
#include "base/buf.h"
#include "data/places.h"
#include "data/source.h"

typedef struct rdv_lines {
    rdv_bytes *bytes; /* borrowed */
    size_t most;      /* bytes that are kept of what is added to one text */
    rdv_buf *raw; /* gets the bytes as they stand in the file, at most `most`; NULL: nobody asks */
    rdv_place here; /* of the next byte; its column is not counted */
    /* private */
    char block[16 * 1024];
    size_t begin, end; /* what of the block is not used yet */
    bool ended;
} rdv_lines;

/* Add the next line to `text`, without its end; what would make the text longer than `most` is
 * passed over, with *too_long. RDV_OK; RDV_NONE: the bytes have ended, perhaps with a last line;
 * RDV_E_IO, RDV_E_NOMEM. */
int rdv_lines_take(rdv_lines *lines, rdv_buf *text, bool *too_long, rdv_error *err);
