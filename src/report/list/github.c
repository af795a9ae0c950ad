/* SPDX-License-Identifier: Apache-2.0 */
#include "report/list/github.h"

#include "base/str.h"

/* Text in a workflow command; in a `property`, what separates properties is escaped too. */
static void put(rdv_buf *b, rdv_str text, bool property)
{
    const char *escaped = property ? "%\r\n:," : "%\r\n";
    for (size_t i = 0; i < text.len; i++)
        if (text.p[i] && strchr(escaped, text.p[i]))
            rdv_buf_printf(b, "%%%02X", (unsigned char)text.p[i]);
        else
            rdv_buf_add_char(b, text.p[i]);
}

void github_put(const finding *f, rdv_buf *b)
{
    static const char *const levels[] = {"error", "warning", "notice"};
    rdv_buf_printf(b, "::%s file=", levels[f->level]);
    put(b, rdv_str_of(f->place->file), true);
    if (f->place->places && f->place->places->part.p) {
        rdv_buf_add_char(b, '!');
        put(b, f->place->places->part, true);
    }
    rdv_buf_printf(b, ",line=%zu,col=%zu,title=", f->from.line, f->from.column);
    put(b, f->rule, true);
    rdv_buf_lit(b, "::");
    put(b, f->message, false);
    rdv_buf_add_char(b, '\n');
}
