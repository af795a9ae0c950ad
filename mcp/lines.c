/* SPDX-License-Identifier: Apache-2.0 */
#include "mcp/lines.h"

#include "base/arena.h"
#include "base/str.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE ((size_t)64 << 10)

void mcp_lines_init(mcp_lines *l, int fd, size_t most)
{
    *l = (mcp_lines){.fd = fd, .most = most};
}

void mcp_lines_free(mcp_lines *l)
{
    free(l->p);
    l->p = NULL;
}

/* Room for another piece behind what is held. */
static int make_room(mcp_lines *l, rdv_error *err)
{
    if (l->begin > 0) {
        memmove(l->p, l->p + l->begin, l->end - l->begin);
        l->end -= l->begin;
        l->begin = 0;
    }
    if (l->cap - l->end >= PIECE)
        return RDV_OK;
    size_t cap = 2 * l->cap + PIECE;
    char *p = realloc(l->p, cap);
    if (!p)
        return rdv_no_memory(err);
    l->p = p;
    l->cap = cap;
    return RDV_OK;
}

/* RDV_NONE: there is no more. */
static int read_more(mcp_lines *l, rdv_error *err)
{
    int code = make_room(l, err);
    if (code != RDV_OK)
        return code;
    ssize_t n = read(l->fd, l->p + l->end, l->cap - l->end);
    if (n < 0 && errno != EINTR)
        return rdv_fail(err, RDV_E_IO, "standard input cannot be read: %s", strerror(errno));
    if (n <= 0)
        return RDV_NONE;
    l->end += (size_t)n;
    return RDV_OK;
}

/* The next line that stands in what is held; `looked` bytes of it have no end of one. */
static bool take(mcp_lines *l, size_t looked, rdv_str *line)
{
    rdv_str held = l->p ? (rdv_str){l->p + l->begin, l->end - l->begin} : RDV_STR("");
    size_t end = rdv_find_char(held, '\n', looked);
    if (end == RDV_NOT_FOUND && !l->ended)
        return false;
    end = end == RDV_NOT_FOUND ? held.len : end;
    l->begin += end < held.len ? end + 1 : end;
    *line = rdv_trim(rdv_slice(held, 0, end));
    return true;
}

int mcp_lines_next(mcp_lines *l, rdv_str *line, rdv_error *err)
{
    size_t looked = 0;
    for (;;) {
        if (take(l, looked, line)) {
            bool passed = l->skipping;
            l->skipping = false;
            looked = 0;
            if (passed || line->len > l->most)
                return rdv_fail(err, RDV_E_LIMIT, "the message is longer than %zu bytes", l->most);
            if (line->len)
                return RDV_OK;
            if (l->ended && l->begin == l->end)
                return RDV_NONE;
            continue;
        }
        l->skipping |= l->end - l->begin > l->most;
        if (l->skipping)
            l->begin = l->end = 0;
        looked = l->end - l->begin;
        int code = read_more(l, err);
        if (code < 0)
            return code;
        l->ended = code == RDV_NONE;
    }
}
