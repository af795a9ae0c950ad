/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Messages from a file descriptor, one a line. One that is too long is passed over without being
 * held. */
#include <rederive/base.h>

typedef struct mcp_lines {
    int fd;
    char *p; /* owned */
    size_t begin, end, cap;
    size_t most;   /* bytes of a line */
    bool skipping; /* the rest of a line that was too long comes */
    bool ended;
} mcp_lines;

void mcp_lines_init(mcp_lines *lines, int fd, size_t most);
void mcp_lines_free(mcp_lines *lines);
/* The next line without its end, borrowed until the next call; empty lines are passed over. RDV_OK;
 * RDV_NONE at the end, or where a signal interrupts; RDV_E_LIMIT: one is longer than `most`, and
 * the next call goes on after it; RDV_E_IO, RDV_E_NOMEM. */
int mcp_lines_next(mcp_lines *lines, rdv_str *line, rdv_error *err);
