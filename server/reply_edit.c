/* SPDX-License-Identifier: Apache-2.0 */
#include "server/reply_edit.h"
#include "base/str.h"
#include "server/json_edit.h"

#define MEMBER "rederive"

#define ITS_V 6 /* the letter of MEMBER that is rare */

/* A name may be written with escapes. */
static bool may_hold_member(rdv_str json)
{
    return rdv_find_by(json, RDV_STR(MEMBER), ITS_V) != RDV_NOT_FOUND ||
           rdv_find_by(json, RDV_STR("\\u"), 0) != RDV_NOT_FOUND;
}

static int clean_within(rdv_str *json, const char *name, rdv_arena *arena, rdv_error *err)
{
    rdv_members m;
    rdv_str inner = {0}, cleaned;
    int rc = json_edit_cut(*json, arena, &m, err);
    const rdv_member *which = rc == RDV_OK ? json_edit_find(&m, name) : NULL;
    if (which && which->raw.p[0] == '{')
        inner = which->raw;
    rdv_members_free(&m);
    if (!inner.p || !may_hold_member(inner))
        return rc;
    rc = json_edit_remove(inner, MEMBER, arena, &cleaned, err);
    return rc == RDV_OK ? json_edit_set(*json, name, cleaned, arena, json, err) : rc;
}

int reply_edit_clean(rdv_str json, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    static const char *const places[] = {"response", "message", "delta", "usage"};
    *out = json;
    if (!may_hold_member(json))
        return RDV_OK;
    int rc = json_edit_remove(json, MEMBER, arena, out, err);
    for (size_t i = 0; i < sizeof places / sizeof *places && rc == RDV_OK; i++)
        rc = clean_within(out, places[i], arena, err);
    return rc;
}

int reply_edit_put(reply_protocol protocol, bool event, rdv_str json, rdv_str value,
                   rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    rdv_members m;
    rdv_str response = {0};
    if (protocol != REPLY_RESPONSES || !event)
        return json_edit_set(json, MEMBER, value, arena, out, err);
    int rc = json_edit_cut(json, arena, &m, err);
    const rdv_member *which = rc == RDV_OK ? json_edit_find(&m, "response") : NULL;
    if (which)
        response = which->raw;
    rdv_members_free(&m);
    if (rc == RDV_OK && !response.p)
        return rdv_fail(err, RDV_E_INPUT, "a last event without a response");
    if (rc == RDV_OK)
        rc = json_edit_set(response, MEMBER, value, arena, &response, err);
    return rc == RDV_OK ? json_edit_set(json, "response", response, arena, out, err) : rc;
}

void reply_edit_event(rdv_buf *b, const stream_event *event, rdv_str data)
{
    rdv_str line;
    for (size_t at = 0; events_line(event->bytes, &at, &line);) {
        if (line.len == 0 || events_field(line, "data").p)
            continue;
        rdv_buf_add(b, line);
        rdv_buf_add_char(b, '\n');
    }
    for (size_t at = 0; events_line(data, &at, &line);) {
        rdv_buf_lit(b, "data: ");
        rdv_buf_add(b, line);
        rdv_buf_add_char(b, '\n');
    }
    rdv_buf_add_char(b, '\n');
}
