/* SPDX-License-Identifier: Apache-2.0 */
#include "data/layout/lines.h"

#include "base/arena.h"

/* The next byte into *c. RDV_NONE at the end. */
static int take(rdv_lines *lines, char *c, rdv_error *err)
{
    if (lines->begin == lines->end && !lines->ended) {
        lines->begin = 0;
        int rc = rdv_bytes_read(lines->bytes, lines->block, sizeof lines->block, &lines->end, err);
        if (rc != RDV_OK)
            return rc;
        lines->ended = lines->end == 0;
    }
    if (lines->ended)
        return RDV_NONE;
    *c = lines->block[lines->begin++];
    lines->here.line += *c == '\n';
    lines->here.offset++;
    if (lines->raw && lines->raw->len < lines->most)
        rdv_buf_add_char(lines->raw, *c);
    return RDV_OK;
}

int rdv_lines_take(rdv_lines *lines, rdv_buf *text, bool *too_long, rdv_error *err)
{
    char c = 0;
    int rc;
    while ((rc = take(lines, &c, err)) == RDV_OK && c != '\n') {
        if (text->len < lines->most)
            rdv_buf_add_char(text, c);
        else
            *too_long = true;
    }
    if (text->len && text->p[text->len - 1] == '\r')
        text->len--;
    return rdv_buf_ok(text) ? rc : rdv_no_memory(err);
}
