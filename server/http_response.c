/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http_response.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *reason_of(unsigned status)
{
    static const struct {
        unsigned status;
        const char *reason;
    } all[] = {{200, "OK"},
               {202, "Accepted"},
               {204, "No Content"},
               {400, "Bad Request"},
               {401, "Unauthorized"},
               {402, "Payment Required"},
               {403, "Forbidden"},
               {404, "Not Found"},
               {405, "Method Not Allowed"},
               {408, "Request Timeout"},
               {413, "Content Too Large"},
               {414, "URI Too Long"},
               {415, "Unsupported Media Type"},
               {417, "Expectation Failed"},
               {422, "Unprocessable Content"},
               {429, "Too Many Requests"},
               {431, "Request Header Fields Too Large"},
               {500, "Internal Server Error"},
               {501, "Not Implemented"},
               {502, "Bad Gateway"},
               {503, "Service Unavailable"},
               {504, "Gateway Timeout"},
               {505, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].status == status)
            return all[i].reason;
    return "Unknown";
}

/* RFC 9110, section 5.6.7; the names must not depend on the locale. */
static void write_date(rdv_buf *b)
{
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    time_t now = time(NULL);
    struct tm t;
    if (!gmtime_r(&now, &t))
        return;
    rdv_buf_printf(b, "Date: %.3s, %02d %.3s %04d %02d:%02d:%02d GMT\r\n", days + 3 * t.tm_wday,
                   t.tm_mday, months + 3 * t.tm_mon, t.tm_year + 1900, t.tm_hour, t.tm_min,
                   t.tm_sec);
}

void http_response_write(rdv_buf *b, const http_response *r)
{
    rdv_buf_printf(b, "HTTP/1.1 %u %s\r\n", r->status, reason_of(r->status));
    write_date(b);
    if (r->status != 204)
        rdv_buf_printf(b, "Content-Type: %s\r\n", r->type);
    if (r->length == HTTP_LENGTH_KNOWN && r->status != 204)
        rdv_buf_printf(b, "Content-Length: %zu\r\n", r->bytes);
    else if (r->status != 204)
        rdv_buf_lit(b, "Cache-Control: no-cache\r\n");
    if (r->length == HTTP_LENGTH_CHUNKED)
        rdv_buf_lit(b, "Transfer-Encoding: chunked\r\n");
    if (r->allow)
        rdv_buf_printf(b, "Allow: %s\r\n", r->allow);
    if (r->codings)
        rdv_buf_printf(b, "Accept-Encoding: %s\r\n", r->codings);
    if (r->status == 401)
        rdv_buf_lit(b, "WWW-Authenticate: Bearer\r\n");
    rdv_buf_add(b, r->more);
    if ((r->status == 429 || r->status == 503) && !r->more.p)
        rdv_buf_printf(b, "Retry-After: %u\r\n", r->retry_after ? r->retry_after : 1);
    if (r->origin)
        rdv_buf_printf(b,
                       "Access-Control-Allow-Origin: %s\r\nVary: Origin\r\n"
                       "Access-Control-Expose-Headers: *\r\n",
                       r->origin);
    if (r->status == 204)
        rdv_buf_lit(b, "Access-Control-Allow-Methods: GET, POST\r\n"
                       "Access-Control-Allow-Headers: Authorization, Content-Type, x-api-key, "
                       "anthropic-version, anthropic-beta, openai-beta, "
                       "mcp-protocol-version, mcp-method, mcp-name\r\n"
                       "Access-Control-Max-Age: 600\r\n");
    if (r->close)
        rdv_buf_lit(b, "Connection: close\r\n");
    rdv_buf_lit(b, "\r\n");
}

size_t http_response_frame(char *out, rdv_str bytes)
{
    if (bytes.len == 0) {
        memcpy(out, "0\r\n\r\n", 5);
        return 5;
    }
    size_t n = (size_t)snprintf(out, HTTP_FRAME, "%zx\r\n", bytes.len);
    memcpy(out + n, bytes.p, bytes.len);
    memcpy(out + n + bytes.len, "\r\n", 2);
    return n + bytes.len + 2;
}
