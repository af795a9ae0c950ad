/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a row of the table of failures looks like in a response. */
#include "base/buf.h"
#include "base/str.h"
#include "model/failures.h"

/* "a":{"x":{"b":JSON}} for the path a.*.b. */
static void put_row_member(rdv_buf *b, const char *path, const char *json)
{
    const char *dot = strchr(path, '.');
    rdv_str name = {path, dot ? (size_t)(dot - path) : strlen(path)};
    if (rdv_str_eq(name, RDV_STR("*")))
        name = RDV_STR("x");
    rdv_buf_printf(b, "\"%.*s\":%s", RDV_FMT(name), dot ? "{" : json);
    if (!dot)
        return;
    put_row_member(b, dot + 1, json);
    rdv_buf_add_char(b, '}');
}

/* The member of a row that does not compare two choices, with a value of which it holds. */
static void put_row(rdv_buf *b, const failure_row *row)
{
    char json[64];
    bool any = row->value[0] == '(';
    bool bare = strcmp(row->value, "true") == 0 || strcmp(row->value, "false") == 0;
    snprintf(json, sizeof json, bare ? "%s" : "\"%s\"", any ? "odd" : row->value);
    put_row_member(b, row->member, json);
}

static bool compares_two(const failure_row *row)
{
    return strcmp(row->value, VALUE_TWO) == 0;
}

static bool is_finish(const failure_row *row)
{
    return strcmp(row->member, FINISH_MEMBER) == 0;
}
