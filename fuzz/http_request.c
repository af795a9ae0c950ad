/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to `rederive serve` as bytes. They are read once as a whole and once in pieces, of the
 * size that the first byte gives: the same requests are found, ending at the same places, until one
 * is refused. What is read has no line end or control character where it could forge one. */
#include "server/http_host.h"
#include "server/http_request.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BODY 512
#define MOST 64 /* requests that are compared */

typedef struct found {
    http_step step;
    size_t end;      /* of the request, in the data */
    size_t body_len; /* HTTP_READ_WHOLE */
} found;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_text(const http_text *t)
{
    for (size_t i = 0; t->p && i < t->len; i++)
        require(((unsigned char)t->p[i] >= 0x20 || t->p[i] == '\t') && t->p[i] != 0x7f);
    require(!t->p || t->p[t->len] == '\0');
}

static void check_head(const http_request *r)
{
    const http_text *host = &r->fields[HTTP_HOST];
    require(r->method && r->path.p);
    require(r->path.p[0] == '/' || strcmp(r->path.p, "*") == 0);
    require(r->path.len == strlen(r->path.p) && r->plain <= r->path.len);
    require(r->old || host->p);
    require(!host->p || http_host_is_valid((rdv_str){host->p, host->len}));
    require(r->head_bytes <= HTTP_MAX_HEAD);
    check_text(&r->path);
    for (http_field f = 0; f < HTTP_FIELDS; f++)
        check_text(&r->fields[f]);
}

/* Read one request. */
static found read_one(const char *data, size_t size, size_t at, size_t piece)
{
    http_request r;
    found one = {.step = HTTP_READ_MORE, .end = at};
    http_request_init(&r, MAX_BODY);
    while (one.end < size && (one.step == HTTP_READ_MORE || one.step == HTTP_READ_HEAD)) {
        size_t used, n = size - one.end < piece ? size - one.end : piece;
        one.step = http_request_read(&r, data + one.end, n, &used);
        require(used <= n && (used == n || one.step != HTTP_READ_MORE));
        require(used > 0 || one.step == HTTP_READ_REFUSED);
        one.end += used;
        if (one.step == HTTP_READ_HEAD || one.step == HTTP_READ_WHOLE)
            check_head(&r);
    }
    require(r.body.len <= MAX_BODY);
    one.body_len = one.step == HTTP_READ_WHOLE ? r.body.len : 0;
    require((one.step == HTTP_READ_REFUSED) == (r.error.status >= 400 && r.error.message[0]));
    http_request_free(&r);
    return one;
}

static size_t read_all(const char *data, size_t size, size_t piece, found *all)
{
    size_t n = 0, at = 0;
    while (n < MOST && at < size) {
        all[n] = read_one(data, size, at, piece);
        at = all[n].end;
        if (all[n++].step != HTTP_READ_WHOLE)
            break;
    }
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    found whole[MOST], pieces[MOST];
    if (size < 2)
        return 0;
    const char *bytes = (const char *)data + 1;
    size_t n = read_all(bytes, size - 1, size, whole);
    require(read_all(bytes, size - 1, (size_t)data[0] % 16 + 1, pieces) == n);
    for (size_t i = 0; i < n; i++) {
        bool same = whole[i].step == pieces[i].step && whole[i].body_len == pieces[i].body_len;
        require(same && (whole[i].step == HTTP_READ_REFUSED || whole[i].end == pieces[i].end));
    }
    return 0;
}
