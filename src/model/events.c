/* SPDX-License-Identifier: Apache-2.0 */
#include "model/events.h"
#include "base/buf.h"
#include "base/str.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* some clients skip it */

#define WINDOW                                                                                     \
    ((size_t)512) /* bytes in which a line's end is looked for: a stream's lines may all           \
                    end with the same of the two characters */

/* The next CR or LF from `from` on; bytes.len: there is none. */
static size_t next_break(rdv_str bytes, size_t from)
{
    for (; from < bytes.len; from += WINDOW) {
        size_t n = bytes.len - from < WINDOW ? bytes.len - from : WINDOW;
        const char *lf = memchr(bytes.p + from, '\n', n);
        const char *cr = memchr(bytes.p + from, '\r', lf ? (size_t)(lf - bytes.p) - from : n);
        if (cr || lf)
            return (size_t)((cr ? cr : lf) - bytes.p);
    }
    return bytes.len;
}

bool events_line(rdv_str bytes, size_t *at, rdv_str *line)
{
    size_t from = *at;
    if (from >= bytes.len)
        return false;
    size_t to = next_break(bytes, from);
    *line = rdv_slice(bytes, from, to);
    bool both = to + 1 < bytes.len && bytes.p[to] == '\r' && bytes.p[to + 1] == '\n';
    *at = to + 1 + both;
    return true;
}

rdv_str events_field(rdv_str line, const char *name)
{
    size_t n = strlen(name);
    if (!rdv_starts(line, rdv_str_of(name)) || (line.len > n && line.p[n] != ':'))
        return (rdv_str){0};
    if (line.len == n)
        return RDV_STR("");
    size_t space = rdv_char_at(line, n + 1) == ' ';
    return rdv_slice(line, n + 1 + space, line.len);
}

/* The byte after the empty line that ends the event; 0: it has not come. A CR at the end of the
 * bytes may have its LF still to come. */
static size_t end_of(event_cutter *c, rdv_str bytes, bool ended)
{
    for (size_t i = next_break(bytes, c->looked); i < bytes.len; i = next_break(bytes, i + 1)) {
        char now = bytes.p[i], before = i ? bytes.p[i - 1] : 0;
        bool crlf = now == '\r' && i + 1 < bytes.len && bytes.p[i + 1] == '\n';
        if (now == '\r' && i + 1 == bytes.len && !ended) {
            c->looked = i;
            return 0;
        }
        bool within = now == '\n' && before == '\r'; /* it ends the line that the CR ended */
        if (!within && (before == '\n' || before == '\r' || i == 0))
            return i + 1 + crlf;
    }
    c->looked = bytes.len;
    return 0;
}

static int read_event(stream_event *out, rdv_arena *arena)
{
    rdv_str line;
    rdv_buf joined;
    size_t n = 0;
    rdv_buf_init(&joined, arena, 0);
    for (size_t at = 0; events_line(out->bytes, &at, &line);) {
        if (rdv_starts(line, RDV_STR(BYTE_ORDER_MARK)))
            line = rdv_slice(line, sizeof BYTE_ORDER_MARK - 1, line.len);
        rdv_str name = events_field(line, "event"), data = events_field(line, "data");
        if (name.p)
            out->name = name;
        if (!data.p)
            continue;
        if (n++ == 0) {
            out->data = data;
            continue;
        }
        if (n == 2)
            rdv_buf_add(&joined, out->data);
        rdv_buf_add_char(&joined, '\n');
        rdv_buf_add(&joined, data);
    }
    if (n > 1)
        out->data = rdv_buf_str(&joined);
    return rdv_buf_ok(&joined) ? RDV_OK : RDV_E_NOMEM;
}

int event_cut(event_cutter *c, rdv_str bytes, bool ended, rdv_arena *arena, stream_event *out)
{
    *out = (stream_event){0};
    size_t end = end_of(c, bytes, ended);
    if (!end && (!ended || bytes.len == 0))
        return RDV_NONE;
    c->looked = 0;
    out->bytes = rdv_slice(bytes, 0, end ? end : bytes.len);
    return read_event(out, arena);
}
