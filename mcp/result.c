/* SPDX-License-Identifier: Apache-2.0 */
#include "mcp/result.h"

#include "base/json.h"
#include "base/str.h"
#include "report/paint.h"

#include <stdarg.h>
#include <stdio.h>

#define ROOM_FOR_LAST 160 /* bytes of the text that are kept for its last line */

void mcp_result_begin(mcp_result *result, rdv_arena *arena)
{
    result->arena = arena;
    result->failed = false;
    result->step_ms = result->check_ms = 0;
    rdv_buf_init(&result->text, arena, 0);
    rdv_buf_init(&result->structured, arena, 0);
    rdv_buf_lit(&result->text, "");
    rdv_buf_lit(&result->structured, "{");
}

static void add_line(mcp_result *result, rdv_str line)
{
    size_t len;
    if (result->text.len)
        rdv_buf_add_char(&result->text, '\n');
    for (size_t i = 0; i < line.len; i += len) {
        char shown[16];
        size_t n = rdv_shown(line, i, &len, shown);
        rdv_buf_add(&result->text, (rdv_str){shown, n});
    }
}

void mcp_result_fail(mcp_result *result, const char *fmt, ...)
{
    char line[512];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    mcp_result_begin(result, result->arena);
    result->failed = true;
    size_t len = n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1;
    add_line(result, (rdv_str){line, len});
}

bool mcp_result_line(mcp_result *result, rdv_str line)
{
    size_t before = result->text.len;
    add_line(result, line);
    if (result->text.len <= MCP_TEXT_MAX - ROOM_FOR_LAST)
        return true;
    result->text.len = before;
    return false;
}

rdv_str mcp_shown(rdv_str text, rdv_arena *arena)
{
    size_t end = MCP_SHOWN_MAX - 3;
    if (text.len <= MCP_SHOWN_MAX)
        return text;
    while (end > 0 && ((unsigned char)text.p[end] & 0xc0) == 0x80) /* within a character */
        end--;
    return rdv_str_printf(arena, "%.*s...", RDV_FMT(rdv_slice(text, 0, end)));
}

void mcp_result_put(mcp_result *result, const char *name, rdv_str text)
{
    if (!text.p)
        return;
    text = mcp_shown(text, result->arena);
    result->structured.failed |= !text.p;
    rdv_json_put_text(&result->structured, name, text);
}

void mcp_result_write(const mcp_result *result, rdv_buf *b)
{
    rdv_json_open(b, "content", '[');
    rdv_buf_lit(b, "{");
    rdv_json_put_text(b, "type", RDV_STR("text"));
    rdv_json_put_text(b, "text", rdv_buf_str(&result->text));
    rdv_buf_lit(b, "}]");
    if (result->failed) {
        rdv_json_put_flag(b, "isError", true);
        return;
    }
    rdv_json_name(b, RDV_STR("structuredContent"));
    rdv_buf_add(b, rdv_buf_str(&result->structured));
    rdv_buf_lit(b, "}");
    b->failed |= result->text.failed || result->structured.failed;
}
