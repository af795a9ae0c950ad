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

void api_error_write(rdv_buf *b, const api_error *e)
{
    const char *const members[][2] = {{"message", e->message},
                                      {"type", type_of(e->status)},
                                      {"param", e->param},
                                      {"code", e->code}};
    rdv_buf_lit(b, "{\"error\":{");
    for (size_t i = 0; i < 4; i++)
        rdv_json_put_text(b, members[i][0], rdv_str_of(members[i][1]));
    rdv_buf_lit(b, "}}");
}
