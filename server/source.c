/* SPDX-License-Identifier: Apache-2.0 */
#include "server/source.h"
#include "base/buf.h"
#include "base/str.h"

#include <strings.h>

#define EVENTS "text/event-stream"

void source_free(source *s)
{
    completion_free(&s->completion);
    upstream_free(&s->call);
}

bool source_has_head(const source *s)
{
    return s->call ? upstream_has_head(s->call) : completion_is_ready(s->completion);
}

unsigned source_status(const source *s)
{
    return s->call ? upstream_status(s->call) : completion_status(s->completion);
}

bool source_streams(const source *s)
{
    if (!s->call)
        return completion_streams(s->completion);
    rdv_str type = upstream_header(s->call, "content-type");
    return source_status(s) == 200 && type.len >= sizeof EVENTS - 1 &&
           strncasecmp(type.p, EVENTS, sizeof EVENTS - 1) == 0;
}

bool source_is_over(const source *s)
{
    return s->call ? upstream_is_over(s->call)
                   : completion_is_over(s->completion) && !completion_bytes(s->completion).len;
}

bool source_read(source *s, bool (*take)(void *of, rdv_str bytes), void *of)
{
    rdv_str bytes = s->call ? upstream_bytes(s->call) : completion_bytes(s->completion);
    bool ok = bytes.len == 0 || take(of, bytes);
    if (s->call)
        upstream_took(s->call);
    else if (bytes.len)
        completion_sent(s->completion, bytes.len);
    return ok;
}

/* ---- faults ---------------------------------------------------------------------------------- */

static bool check_end(const upstream_call *call, api_error *e)
{
    const char *why = upstream_why(call);
    switch (upstream_end(call)) {
    case HTTP_DONE:
        return true;
    case HTTP_UNREACHABLE:
        api_error_set(e, 502, NULL, "The model's server cannot be reached: %.160s.", why);
        break;
    case HTTP_TIMEOUT:
        api_error_set(e, 504, NULL, "The model's server took too long: %.160s.", why);
        break;
    case HTTP_BROKEN:
    case HTTP_TOO_LONG:
        api_error_set(e, 502, NULL, "The reply of the model's server is not complete: %.160s.",
                      why);
        break;
    }
    e->code = "upstream_failed";
    return false;
}

static bool check_head(const upstream_call *call, api_error *e)
{
    unsigned status = upstream_status(call);
    rdv_str coding = upstream_header(call, "content-encoding");
    if (status < 200 || (status >= 300 && status < 400))
        api_error_set(e, 502, NULL,
                      "The model's server answered with status %u; redirections are not followed.",
                      status);
    else if (coding.len && !rdv_str_eq(coding, RDV_STR("identity")))
        api_error_set(e, 502, NULL,
                      "The model's server compressed its reply, which was not asked for.");
    else
        return true;
    e->code = "upstream_failed";
    return false;
}

bool source_check(const source *s, api_error *e)
{
    if (!s->call)
        return true;
    if (upstream_is_over(s->call) && !check_end(s->call, e))
        return false;
    return check_head(s->call, e);
}

bool source_refused(const source *s)
{
    if (!s->call)
        return false;
    bool unreachable = upstream_is_over(s->call) && upstream_end(s->call) == HTTP_UNREACHABLE;
    return unreachable || upstream_status(s->call) >= 300;
}

void source_hide_key(const source *s, char *bytes, size_t len)
{
    if (s->call)
        upstream_hide_key(s->call, bytes, len);
}

/* ---- headers --------------------------------------------------------------------------------- */

static bool is_passed_on(rdv_str name)
{
    static const char *const names[] = {"retry-after",  "retry-after-ms", "x-should-retry",
                                        "request-id",   "x-request-id",   "openai-processing-ms",
                                        "openai-model", "openai-version"};
    static const char *const beginnings[] = {"x-ratelimit-", "ratelimit-", "anthropic-ratelimit-"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name.len == strlen(names[i]) && strncasecmp(name.p, names[i], name.len) == 0)
            return true;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        size_t n = strlen(beginnings[i]);
        if (name.len > n && strncasecmp(name.p, beginnings[i], n) == 0)
            return true;
    }
    return false;
}

bool source_headers(const source *s, rdv_arena *arena, rdv_str *lines, rdv_str *type)
{
    rdv_buf b;
    rdv_str name, value;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "");
    *lines = (rdv_str){0};
    *type = RDV_STR("application/json");
    if (!s->call)
        return true;
    for (size_t at = 0; upstream_header_line(s->call, &at, &name, &value);)
        if (is_passed_on(name))
            rdv_buf_printf(&b, "%.*s: %.*s\r\n", RDV_FMT(name), RDV_FMT(value));
    value = upstream_header(s->call, "content-type");
    if (value.len)
        *type = rdv_str_copy(arena, value);
    *lines = rdv_buf_str(&b);
    return rdv_buf_ok(&b) && type->p;
}
