/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http_request.h"
#include "base/str.h"
#include "server/http_host.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FIRST_BYTES 64
#define MOST_KEPT 4000 /* bytes of the path, and of each header that is kept */
/* Chunked, a body of one-byte chunks has six times its bytes. */
#define MOST_FRAMING 8
#define SCHEME "http://"
#define PATH_CHARACTERS                                                                            \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@%/"

static const char *const field_names[HTTP_FIELDS] = {"host",
                                                     "authorization",
                                                     "content-type",
                                                     "content-encoding",
                                                     "expect",
                                                     "transfer-encoding",
                                                     "x-api-key",
                                                     "origin",
                                                     "mcp-protocol-version",
                                                     "mcp-method",
                                                     "mcp-name",
                                                     "rederive-method",
                                                     "rederive-model",
                                                     "anthropic-version",
                                                     "anthropic-beta",
                                                     "openai-beta",
                                                     "idempotency-key",
                                                     "x-request-id",
                                                     "x-client-request-id"};

/* ---- texts ----------------------------------------------------------------------------------- */

static bool append(http_text *t, const char *at, size_t n)
{
    if (t->cap - t->len <= n) {
        size_t cap = t->cap ? t->cap : FIRST_BYTES;
        while (cap <= t->len + n)
            cap *= 2;
        char *p = realloc(t->p, cap);
        if (!p)
            return false;
        t->p = p;
        t->cap = cap;
    }
    memcpy(t->p + t->len, at, n);
    t->len += n;
    t->p[t->len] = '\0';
    return true;
}

static int no_memory(http_request *r)
{
    api_error_set(&r->error, 500, NULL, "Out of memory.");
    return HPE_USER;
}

static int keep(http_request *r, http_text *t, const char *at, size_t n)
{
    return append(t, at, n) ? 0 : no_memory(r);
}

static int refuse(http_request *r, unsigned status, const char *why)
{
    api_error_set(&r->error, status, NULL, "%s", why);
    return HPE_USER;
}

static int keep_of_head(http_request *r, http_text *t, const char *at, size_t n)
{
    return n > MOST_KEPT - t->len ? refuse(r, 431, "A header is too long.") : keep(r, t, at, n);
}

/* ---- the request line ------------------------------------------------------------------------ */

static const char *method_of(const llhttp_t *parser)
{
    static const struct {
        int number;
        const char *name;
    } known[] = {{HTTP_GET, "GET"},    {HTTP_HEAD, "HEAD"},     {HTTP_POST, "POST"},
                 {HTTP_PUT, "PUT"},    {HTTP_DELETE, "DELETE"}, {HTTP_OPTIONS, "OPTIONS"},
                 {HTTP_PATCH, "PATCH"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (parser->method == known[i].number)
            return known[i].name;
    return "?";
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Remove the query and decode %XX. A decoded control character could forge a line of the log; "#"
 * and what is no character of an address (RFC 3986, section 3.3) others may read as an end or a
 * "/". */
static bool decode_path(http_request *r)
{
    size_t n = 0;
    http_text *path = &r->path;
    char *end = path->p + strspn(path->p, PATH_CHARACTERS);
    if ((*end && *end != '?') || strchr(end, '#'))
        return false;
    *end = '\0';
    r->plain = SIZE_MAX;
    for (const char *p = path->p; *p; p++) {
        int c = (unsigned char)*p;
        if (c == '%') {
            int high = hex_digit(p[1]), low = high < 0 ? -1 : hex_digit(p[2]);
            c = high * 16 + low;
            if (low < 0 || c < 0x20 || c == 0x7f)
                return false;
            if (c == '/' && r->plain > n)
                r->plain = n;
            p += 2;
        }
        path->p[n++] = (char)c;
    }
    path->p[n] = '\0';
    path->len = n;
    r->plain = r->plain < n ? r->plain : n;
    return true;
}

/* Of a whole address, as proxies are sent, the host counts, whatever the Host header says. */
static int take_authority(http_request *r)
{
    http_text *path = &r->path, *host = &r->fields[HTTP_HOST];
    char *authority = path->p + sizeof SCHEME - 1;
    size_t n = strcspn(authority, "/?");
    host->len = 0;
    if (keep(r, host, authority, n) != 0)
        return HPE_USER;
    if (n == 0 || authority[0] == ':' || !http_host_is_valid((rdv_str){host->p, host->len}))
        return refuse(r, 400, "The request's address has no host, or more than a host and a port.");
    char *rest = authority + n;
    if (*rest != '/')
        *--rest = '/';
    path->len -= (size_t)(rest - path->p);
    memmove(path->p, rest, path->len + 1);
    return 0;
}

static int read_target(http_request *r)
{
    const char *path = r->path.p;
    r->plain = r->path.len;
    if (r->parser.method == HTTP_CONNECT)
        return refuse(r, 405, "This server is no proxy.");
    if (r->parser.method == HTTP_OPTIONS && strcmp(path, "*") == 0)
        return 0;
    int rc = strncasecmp(path, SCHEME, sizeof SCHEME - 1) == 0 ? take_authority(r) : 0;
    if (rc == 0 && (path[0] != '/' || !decode_path(r)))
        rc = refuse(r, 400,
                    "The request's address must be a path, as /v1/models is, or begin with "
                    "http:// and this server's name.");
    return rc;
}

/* ---- the head -------------------------------------------------------------------------------- */

static int check_version(http_request *r)
{
    const llhttp_t *p = &r->parser;
    if (p->http_major != 1 || p->http_minor > 1)
        return refuse(r, 505, "Only HTTP/1.1 and HTTP/1.0 are spoken here.");
    if (memcmp(r->word, "HTTP/", sizeof r->word) != 0) /* llhttp reads RTSP/1.0 and ICE/1.0 too */
        return refuse(r, 400,
                      "The request is no valid HTTP: its first line must end with HTTP/1.1.");
    r->old = p->http_minor == 0;
    return 0;
}

static int check_host(http_request *r)
{
    const http_text *host = &r->fields[HTTP_HOST];
    if (!r->old && !host->p)
        return refuse(r, 400, "The request has no Host header.");
    if (host->p && !http_host_is_valid((rdv_str){host->p, host->len}))
        return refuse(r, 400, "The Host header must have a host and a port, and nothing else.");
    return 0;
}

static int check_coding(http_request *r)
{
    const char *coding = http_request_field(r, HTTP_TRANSFER_ENCODING);
    if (!coding)
        return 0;
    if (r->old)
        return refuse(r, 400, "HTTP/1.0 has no Transfer-Encoding.");
    if (strcasecmp(coding, "chunked") != 0)
        return refuse(r, 501, "The only Transfer-Encoding that is accepted is chunked.");
    return 0;
}

static int on_headers_complete(llhttp_t *parser)
{
    http_request *r = parser->data;
    int rc = check_version(r);
    r->method = method_of(parser);
    r->headed = true;
    r->keep_alive = !r->old && llhttp_should_keep_alive(parser);
    parser->upgrade = 0; /* a client that offers another protocol gets its answer in this one */
    if (rc == 0)
        rc = check_coding(r);
    if (rc == 0)
        rc = check_host(r);
    if (rc == 0)
        rc = read_target(r);
    if (rc == 0 && parser->content_length > r->max_body)
        rc = refuse(r, 413, "");
    return rc ? -1 : 0;
}

static int on_url(llhttp_t *parser, const char *at, size_t n)
{
    http_request *r = parser->data;
    r->method = method_of(parser);
    return n > MOST_KEPT - r->path.len ? refuse(r, 414, "The request's address is too long.")
                                       : keep(r, &r->path, at, n);
}

static int on_header_field(llhttp_t *parser, const char *at, size_t n)
{
    http_request *r = parser->data;
    if (r->headed)
        return refuse(r, 400, "Headers after the body are not accepted.");
    for (size_t i = 0; i < n; i++, r->name_len++)
        if (r->name_len < sizeof r->name)
            r->name[r->name_len] = at[i];
    return 0;
}

static int on_header_field_complete(llhttp_t *parser)
{
    http_request *r = parser->data;
    r->field = HTTP_FIELDS;
    for (http_field f = 0; f < HTTP_FIELDS; f++)
        if (strlen(field_names[f]) == r->name_len && /* all are shorter than r->name */
            strncasecmp(r->name, field_names[f], r->name_len) == 0)
            r->field = f;
    r->name_len = 0;
    if (r->field == HTTP_FIELDS)
        return 0;
    if (r->fields[r->field].p) {
        api_error_set(&r->error, 400, NULL, "The header %s is sent twice.", field_names[r->field]);
        return -1;
    }
    return keep(r, &r->fields[r->field], "", 0) ? -1 : 0;
}

static int on_header_value(llhttp_t *parser, const char *at, size_t n)
{
    http_request *r = parser->data;
    return r->field == HTTP_FIELDS ? 0 : keep_of_head(r, &r->fields[r->field], at, n);
}

/* Spaces before a value are skipped by llhttp, those after it are not part of it either. */
static int on_header_value_complete(llhttp_t *parser)
{
    http_request *r = parser->data;
    http_text *t = r->field == HTTP_FIELDS ? NULL : &r->fields[r->field];
    while (t && t->len && (t->p[t->len - 1] == ' ' || t->p[t->len - 1] == '\t'))
        t->p[--t->len] = '\0';
    return 0;
}

/* ---- the body -------------------------------------------------------------------------------- */

static int on_body(llhttp_t *parser, const char *at, size_t n)
{
    http_request *r = parser->data;
    return n > r->max_body - r->body.len ? refuse(r, 413, "") : keep(r, &r->body, at, n);
}

static int on_message_complete(llhttp_t *parser)
{
    http_request *r = parser->data;
    r->whole = true;
    return HPE_PAUSED;
}

/* ---- lines ----------------------------------------------------------------------------------- */

typedef enum line_state { LINE_GOES_ON, LINE_FAULTY, LINE_ENDS_HEAD } line_state;

static line_state read_request_line_byte(http_request *r, char c, char before)
{
    if (c == ' ')
        r->word_len = 0;
    else if (r->word_len < sizeof r->word)
        r->word[r->word_len++] = c;
    return c == ' ' && before == ' ' ? LINE_FAULTY : LINE_GOES_ON;
}

/* Lines end with CR LF and nothing else; none begins with a space, which once continued the line
 * before it, nor with the colon of a header without a name; the request line has single spaces. */
static line_state read_head_byte(http_request *r, char c)
{
    char before = r->last[3];
    bool after_cr = r->head_bytes && before == '\r';
    r->last[3] = c;
    r->head_bytes++;
    if (after_cr != (c == '\n'))
        return LINE_FAULTY;
    if (c == '\n') {
        bool empty = r->line_bytes == 0;
        r->line_bytes = 0;
        if (empty && r->lines)
            return LINE_ENDS_HEAD;
        r->lines += !empty;
        return LINE_GOES_ON;
    }
    if (c == '\r')
        return LINE_GOES_ON;
    if (((unsigned char)c < 0x20 && c != '\t') || c == 0x7f)
        return LINE_FAULTY;
    if (r->line_bytes++ == 0 && (c == ' ' || c == '\t' || c == ':'))
        return LINE_FAULTY;
    return r->lines == 0 ? read_request_line_byte(r, c, before) : LINE_GOES_ON;
}

/* How many of the bytes belong to the head. */
static size_t read_lines(http_request *r, const char *bytes, size_t n, line_state *state)
{
    size_t i = 0;
    *state = LINE_GOES_ON;
    while (i < n && *state == LINE_GOES_ON && r->head_bytes < HTTP_MAX_HEAD)
        *state = read_head_byte(r, bytes[i++]);
    return i;
}

static void note_last(http_request *r, const char *bytes, size_t n)
{
    size_t kept = n < sizeof r->last ? sizeof r->last - n : 0;
    memmove(r->last, r->last + sizeof r->last - kept, kept);
    memcpy(r->last + kept, bytes + n - (sizeof r->last - kept), sizeof r->last - kept);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const llhttp_settings_t *settings(void)
{
    static const llhttp_settings_t all = {.on_url = on_url,
                                          .on_header_field = on_header_field,
                                          .on_header_field_complete = on_header_field_complete,
                                          .on_header_value = on_header_value,
                                          .on_header_value_complete = on_header_value_complete,
                                          .on_headers_complete = on_headers_complete,
                                          .on_body = on_body,
                                          .on_message_complete = on_message_complete};
    return &all;
}

void http_request_init(http_request *r, size_t max_body)
{
    *r = (http_request){.method = "?", .max_body = max_body, .field = HTTP_FIELDS};
    llhttp_init(&r->parser, HTTP_REQUEST, settings());
    r->parser.data = r;
}

void http_request_free(http_request *r)
{
    free(r->path.p);
    free(r->body.p);
    for (http_field f = 0; f < HTTP_FIELDS; f++)
        free(r->fields[f].p);
    *r = (http_request){.method = "?"};
}

const char *http_field_name(http_field f)
{
    return field_names[f];
}

const char *http_request_field(const http_request *r, http_field f)
{
    return r->fields[f].p;
}

/* Set the error, unless a callback did. */
static http_step refused(http_request *r, llhttp_errno_t code)
{
    if (r->error.status == 413)
        api_error_set(&r->error, 413, NULL, "The body has more than %zu bytes.", r->max_body);
    if (r->error.status)
        return HTTP_READ_REFUSED;
    if (code == HPE_INVALID_VERSION || r->parser.method == HTTP_PRI) /* HTTP/2 begins with PRI */
        refuse(r, 505, "Only HTTP/1.1 and HTTP/1.0 are spoken here.");
    else
        api_error_set(&r->error, 400, NULL, "The request is no valid HTTP: %s.",
                      r->parser.reason && *r->parser.reason ? r->parser.reason
                                                            : llhttp_errno_name(code));
    return HTTP_READ_REFUSED;
}

static http_step read_head(http_request *r, const char *bytes, size_t n, size_t *used)
{
    line_state state;
    *used = read_lines(r, bytes, n, &state);
    size_t good = *used - (state == LINE_FAULTY);
    llhttp_errno_t code = llhttp_execute(&r->parser, bytes, good);
    bool ended = code == HPE_PAUSED; /* the request is whole */
    if (code != HPE_OK && !ended)
        return refused(r, code);
    if (state == LINE_FAULTY) {
        refuse(r, 400,
               "The request is no valid HTTP: its lines must end with CR LF, and none may begin "
               "with a space or a colon or contain a control character.");
        return HTTP_READ_REFUSED;
    }
    /* llhttp must see the same end as we do */
    if (r->headed != (state == LINE_ENDS_HEAD) ||
        (ended && llhttp_get_error_pos(&r->parser) != bytes + good))
        return refused(r, HPE_INTERNAL);
    if (state == LINE_ENDS_HEAD)
        return r->whole ? HTTP_READ_WHOLE : HTTP_READ_HEAD;
    if (r->head_bytes < HTTP_MAX_HEAD)
        return HTTP_READ_MORE;
    api_error_set(&r->error, 431, NULL, "The headers have more than %zu bytes.", HTTP_MAX_HEAD);
    return HTTP_READ_REFUSED;
}

static http_step read_body(http_request *r, const char *bytes, size_t n, size_t *used)
{
    bool chunked = http_request_field(r, HTTP_TRANSFER_ENCODING);
    llhttp_errno_t code = llhttp_execute(&r->parser, bytes, n);
    *used = code == HPE_OK ? n : (size_t)(llhttp_get_error_pos(&r->parser) - bytes);
    if (code != HPE_OK && code != HPE_PAUSED) /* paused: the request is whole */
        return refused(r, code);
    note_last(r, bytes, *used);
    r->body_bytes += *used;
    if (r->body_bytes > MOST_FRAMING * r->max_body) {
        refuse(r, 413, "");
        return refused(r, HPE_USER);
    }
    if (r->whole && chunked && memcmp(r->last, "\r\n\r\n", sizeof r->last) != 0)
        return refused(r, HPE_STRICT);
    return r->whole ? HTTP_READ_WHOLE : HTTP_READ_MORE;
}

http_step http_request_read(http_request *r, const char *bytes, size_t n, size_t *used)
{
    return r->headed ? read_body(r, bytes, n, used) : read_head(r, bytes, n, used);
}
