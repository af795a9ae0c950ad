/* SPDX-License-Identifier: Apache-2.0 */
#include "file_lines.h"
#include "terminal.h"

#include "base/arena.h"
#include "data/source.h"

#include <stdlib.h>

struct reader {
    int (*take)(void *payload, const struct file_line *line, rdv_error *err);
    void *payload;
    rdv_bytes *bytes;
    struct file_line line;
    char *text; /* malloc()ed */
    size_t len, cap;
};

static int take_line(struct reader *r, rdv_error *err)
{
    struct file_line *line = &r->line;
    line->number++;
    line->text = rdv_trim((rdv_str){r->text ? r->text : "", line->too_long ? 0 : r->len});
    int code = line->text.len || line->too_long ? r->take(r->payload, line, err) : RDV_OK;
    r->len = 0;
    line->too_long = false; /* the rest of a line that is, is passed over */
    return code;
}

static int add_bytes(struct reader *r, const char *from, size_t n, rdv_error *err)
{
    r->line.too_long |= n > FILE_LINE_BYTES - r->len;
    if (r->line.too_long || n == 0) /* of an empty line at the beginning there is no text yet */
        return RDV_OK;
    if (r->len + n > r->cap) {
        size_t cap = r->cap ? r->cap : 65536;
        while (cap < r->len + n)
            cap *= 2;
        char *grown = realloc(r->text, cap);
        if (!grown)
            return rdv_no_memory(err);
        r->text = grown;
        r->cap = cap;
    }
    memcpy(r->text + r->len, from, n);
    r->len += n;
    return RDV_OK;
}

static int take_bytes(struct reader *r, rdv_str bytes, rdv_error *err)
{
    int code = RDV_OK;
    while (bytes.len && code == RDV_OK) {
        size_t end = rdv_find_char(bytes, '\n', 0);
        bool whole = end != RDV_NOT_FOUND;
        size_t n = whole ? end : bytes.len;
        code = add_bytes(r, bytes.p, n, err);
        if (code == RDV_OK && whole)
            code = take_line(r, err);
        bytes = rdv_slice(bytes, n + whole, bytes.len);
    }
    return code;
}

static int take_all(struct reader *r, rdv_error *err)
{
    char chunk[65536];
    size_t got = 1;
    rdv_error why = {0};
    int code = RDV_OK;
    while (code == RDV_OK && got && !interrupted()) {
        code = rdv_bytes_read(r->bytes, chunk, sizeof chunk, &got, &why);
        if (code != RDV_OK)
            return rdv_fail(err, code, "%s: %s", r->line.path, why.msg);
        code = take_bytes(r, (rdv_str){chunk, got}, err);
    }
    bool last = (r->len || r->line.too_long) && !interrupted(); /* one without a newline */
    return code == RDV_OK && last ? take_line(r, err) : code;
}

int file_lines_read(const char *path,
                    int (*take)(void *payload, const struct file_line *line, rdv_error *err),
                    void *payload, rdv_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    struct reader r = {
        .take = take, .payload = payload, .line.path = standard ? "standard input" : path};
    int code = rdv_bytes_open(&r.bytes, path, err);
    if (code == RDV_OK)
        code = take_all(&r, err);
    rdv_bytes_close(&r.bytes);
    free(r.text);
    return code;
}
