/* SPDX-License-Identifier: Apache-2.0 */
/* What both parts of the parser share: lines, names, and error messages with line numbers. */
#include "prompt/parse.h"

#include "base/str.h"

#include <stdio.h>

bool prompt_next_line(prompt_parser *parser, rdv_str *line)
{
    rdv_str rest = parser->rest;
    if (rest.len == 0)
        return false;
    size_t end = rdv_find_char(rest, '\n', 0);
    *line = rdv_slice(rest, 0, end);
    parser->rest = end == RDV_NOT_FOUND ? rdv_slice(rest, rest.len, rest.len)
                                        : rdv_slice(rest, end + 1, rest.len);
    parser->line++;
    return true;
}

int prompt_fault(const prompt_parser *parser, int code, size_t line, const char *fmt, ...)
{
    char message[RDV_ERROR_MAX];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    return rdv_fail(parser->err, code, "line %zu: %s", line, message);
}

bool prompt_is_name(rdv_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        bool small = c >= 'a' && c <= 'z';
        if (!small && (i == 0 || (!rdv_is_digit(c) && c != '_')))
            return false;
    }
    return text.len > 0;
}

bool prompt_is_built_in(rdv_str name)
{
    return rdv_str_eq(name, RDV_STR("index")) || rdv_str_eq(name, RDV_STR("letter"));
}
