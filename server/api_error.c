/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api_error.h"
#include "base/json.h"
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>

bool api_error_set(api_error *e, unsigned status, const char *param, const char *fmt, ...)
{
    va_list ap;
    *e = (api_error){.status = status, .param = param};
    va_start(ap, fmt);
    vsnprintf(e->message, sizeof e->message, fmt, ap);
    va_end(ap);
    return false;
}

static const char *type_of(unsigned status)
{
    if (status == 429)
        return "rate_limit_error";
    return status >= 500 ? "server_error" : "invalid_request_error";
}

/* Anthropic's types. */
static const char *message_type_of(unsigned status)
{
    static const struct {
        unsigned status;
        const char *type;
    } types[] = {{401, "authentication_error"}, {403, "permission_error"},
                 {404, "not_found_error"},      {413, "request_too_large"},
                 {429, "rate_limit_error"},     {503, "overloaded_error"},
                 {504, "timeout_error"},        {529, "overloaded_error"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].status == status)
            return types[i].type;
    return status >= 500 ? "api_error" : "invalid_request_error";
}

static void write_members(rdv_buf *b, const api_error *e, const char *type)
{
    const char *const members[][2] = {
        {"message", e->message}, {"type", type}, {"param", e->param}, {"code", e->code}};
    for (size_t i = 0; i < 4; i++)
        rdv_json_put_text(b, members[i][0], rdv_str_of(members[i][1]));
}

static void write_more(rdv_buf *b, rdv_str more)
{
    if (more.len)
        rdv_buf_add_char(b, ',');
    rdv_buf_add(b, more);
}

static void write_message_error(rdv_buf *b, const api_error *e, rdv_str more)
{
    rdv_buf_lit(b, "{\"type\":\"error\",\"error\":{");
    rdv_json_put_text(b, "type", rdv_str_of(message_type_of(e->status)));
    rdv_json_put_text(b, "message", rdv_str_of(e->message));
    rdv_buf_add_char(b, '}');
    write_more(b, more);
    rdv_buf_add_char(b, '}');
}

void api_error_write_as(rdv_buf *b, reply_protocol protocol, const api_error *e, rdv_str more)
{
    if (protocol == REPLY_MESSAGES) {
        write_message_error(b, e, more);
        return;
    }
    rdv_buf_lit(b, "{\"error\":{");
    write_members(b, e, type_of(e->status));
    rdv_buf_add_char(b, '}');
    write_more(b, more);
    rdv_buf_add_char(b, '}');
}

void api_error_write(rdv_buf *b, const api_error *e)
{
    api_error_write_as(b, REPLY_CHAT, e, (rdv_str){0});
}

void api_error_write_event(rdv_buf *b, reply_protocol protocol, const api_error *e, rdv_str more)
{
    if (protocol == REPLY_RESPONSES) {
        rdv_buf_lit(b, "event: error\ndata: {");
        write_members(b, e, "error");
        write_more(b, more);
        rdv_buf_add_char(b, '}');
    } else {
        if (protocol == REPLY_MESSAGES)
            rdv_buf_lit(b, "event: error\n");
        rdv_buf_lit(b, "data: ");
        api_error_write_as(b, protocol, e, more);
    }
    rdv_buf_lit(b, "\n\n");
}
