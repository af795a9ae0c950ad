/* SPDX-License-Identifier: Apache-2.0 */
#include "data/members.h"
#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "data/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- cutting --------------------------------------------------------------------------------- */

typedef struct cutter {
    rdv_members *m;
    rdv_str text;
    const rdv_limits *limits;
    rdv_scan scan;
    size_t name_at, name_end; /* the latest name at the top level, with its quotes */
    size_t value_at;
    bool in_value; /* a value of the top level has begun and not ended */
} cutter;

/* A name as it reads: most hold no escape and are a slice of the text. */
static int decode_name(cutter *c, rdv_str *name)
{
    rdv_str quoted = rdv_slice(c->text, c->name_at, c->name_end);
    *name = rdv_slice(quoted, 1, quoted.len - 1);
    if (rdv_find_char(*name, '\\', 0) == RDV_NOT_FOUND)
        return RDV_OK;
    json_t *value;
    int rc = rdv_decode(quoted, &value, NULL);
    if (rc != RDV_OK)
        return rc;
    *name = rdv_str_copy(c->m->arena, rdv_string_of(value));
    json_decref(value);
    return name->p ? RDV_OK : RDV_E_NOMEM;
}

static int add_member(cutter *c, size_t value_end, rdv_error *err)
{
    rdv_members *m = c->m;
    rdv_member item = {.raw = rdv_slice(c->text, c->value_at, value_end)};
    int rc = decode_name(c, &item.name);
    if (rc == RDV_E_INPUT)
        return rdv_fail(err, rc, "a member's name is not valid Unicode");
    if (rc != RDV_OK)
        return rdv_fail(err, rc, "out of memory");
    if (m->n == c->limits->members)
        return rdv_fail(err, RDV_E_LIMIT, "more than %zu members", c->limits->members);
    if (rdv_map_get(&m->index, item.name) != RDV_MAP_MISSING)
        return rdv_fail(err, RDV_E_INPUT, "member \"%.*s\" stands twice; which one is meant?",
                        RDV_FMT(rdv_str_head(item.name, 60)));
    if (!RDV_PUSH_ROOM(m->arena, m->items, m->n, m->cap))
        return rdv_no_memory(err);
    m->items[m->n] = item;
    if (rdv_map_put(&m->index, item.name, m->n) != RDV_OK)
        return rdv_no_memory(err);
    m->n++;
    return RDV_OK;
}

/* What the byte at `i`, just taken by the scan in state `was`, means for the top level. */
static int note_byte(cutter *c, rdv_scan_at was, bool was_number, size_t i, rdv_error *err)
{
    const rdv_scan *s = &c->scan;
    if ((was == RDV_AT_KEY || was == RDV_AT_KEY_OR_END) && s->at == RDV_AT_STRING && s->depth == 1)
        c->name_at = i;
    else if (was == RDV_AT_STRING && s->at == RDV_AT_COLON && s->depth == 1)
        c->name_end = i + 1;
    else if (i > 0 && was == RDV_AT_VALUE && s->at != RDV_AT_VALUE && !c->in_value) {
        c->value_at = i;
        c->in_value = true;
    }
    if (!c->in_value)
        return RDV_OK;
    /* A number ends before this byte, everything else with it. */
    bool number_ended = was_number && !rdv_scan_in_number(s) && s->depth <= 1;
    bool ended = number_ended || (s->depth == 1 && s->at == RDV_AT_AFTER);
    if (!ended)
        return RDV_OK;
    c->in_value = false;
    return add_member(c, number_ended ? i : i + 1, err);
}

static int cut(cutter *c, size_t *at, rdv_error *err)
{
    rdv_scan_init(&c->scan, c->limits->depth);
    int rc = RDV_OK;
    for (size_t i = 0; i < c->text.len; i++) {
        if (c->scan.at == RDV_AT_STRING && (i = rdv_scan_plain(c->text, i)) == c->text.len)
            break;
        rdv_scan_at was = c->scan.at;
        bool was_number = c->scan.depth == 1 && rdv_scan_in_number(&c->scan);
        *at = i;
        rc = rdv_scan_byte(&c->scan, c->text.p[i]);
        if (rc < 0)
            return rdv_fail(err, rc, "%s", c->scan.wrong);
        int noted = note_byte(c, was, was_number, i, err);
        if (noted != RDV_OK) {
            *at = c->name_at;
            return noted;
        }
        if (rc == RDV_NONE)
            return RDV_OK;
    }
    *at = c->text.len;
    return rdv_fail(err, RDV_E_INPUT, "the record ends too early");
}

int rdv_members_read(rdv_members *m, rdv_str text, const rdv_limits *limits, rdv_arena *arena,
                     size_t *at, rdv_error *err)
{
    *m = (rdv_members){.arena = arena};
    rdv_map_init(&m->index, arena);
    text = rdv_trim_end(text);
    *at = 0;
    if (!text.len || text.p[0] != '{')
        return rdv_fail(err, RDV_E_INPUT, "a record must be a JSON object");
    cutter c = {.m = m, .text = text, .limits = limits};
    int rc = cut(&c, at, err);
    if (rc != RDV_OK)
        return rc;
    if (*at + 1 < text.len) {
        ++*at;
        return rdv_fail(err, RDV_E_INPUT, "something follows the record");
    }
    *at = rdv_utf8_valid(text);
    if (*at < text.len)
        return rdv_fail(err, RDV_E_INPUT, "byte 0x%02x is not UTF-8; convert the file first",
                        (unsigned char)text.p[*at]);
    return RDV_OK;
}

void rdv_members_free(rdv_members *m)
{
    for (size_t i = 0; i < m->n; i++)
        json_decref(m->items[i].value);
    json_decref(m->decoded);
    m->decoded = NULL;
    m->n = 0;
}

/* ---- asking ---------------------------------------------------------------------------------- */

void rdv_members_fail(rdv_members *m, int code, const char *fmt, ...)
{
    if (m->fault != RDV_OK)
        return;
    m->fault = code;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->reason, sizeof m->reason, fmt, ap);
    va_end(ap);
}

rdv_str rdv_members_raw(const rdv_members *m, const char *name)
{
    size_t i = rdv_map_get(&m->index, rdv_str_of(name));
    return i == RDV_MAP_MISSING ? (rdv_str){0} : m->items[i].raw;
}

#define TEXT_OF(number) #number
#define AS_TEXT(macro) TEXT_OF(macro)

int rdv_members_version(const rdv_members *m, rdv_error *err)
{
    rdv_str version = rdv_members_raw(m, RDV_VERSION_MEMBER);
    if (!version.p || rdv_str_eq(version, RDV_STR(AS_TEXT(RDV_RECORD_VERSION))))
        return RDV_OK;
    return rdv_fail(err, RDV_E_INPUT,
                    "\"" RDV_VERSION_MEMBER "\" is %.*s, and this program reads version %d: "
                    "another version of the program is needed",
                    RDV_FMT(rdv_str_head(version, 20)), RDV_RECORD_VERSION);
}

json_t *rdv_members_get(rdv_members *m, const char *name)
{
    size_t i = rdv_map_get(&m->index, rdv_str_of(name));
    if (i == RDV_MAP_MISSING)
        return NULL;
    rdv_member *item = &m->items[i];
    if (item->value)
        return item->value;
    rdv_error why = {0};
    int rc = rdv_decode(item->raw, &item->value, &why);
    if (rc == RDV_E_NOMEM)
        rdv_members_fail(m, rc, "out of memory");
    else if (rc != RDV_OK)
        rdv_members_fail(m, rc, "member \"%s\": %s", name, why.msg);
    return item->value;
}

bool rdv_members_say_check(const rdv_members *m)
{
    return rdv_members_have(m, "verdicts") || rdv_members_have(m, "confidence") ||
           rdv_members_have(m, "first_error") || rdv_members_have(m, "skipped");
}
