/* SPDX-License-Identifier: Apache-2.0 */
#include "server/json_edit.h"
#include "base/arena.h"
#include "base/str.h"

#define MOST_MEMBERS 10000

int json_edit_cut(rdv_str object, rdv_arena *arena, rdv_members *m, rdv_error *err)
{
    const rdv_limits limits = {.record_bytes = RDV_MAX_RECORD_BYTES,
                               .depth = RDV_MAX_DEPTH,
                               .steps = RDV_MAX_STEPS,
                               .members = MOST_MEMBERS};
    size_t at;
    return rdv_members_read(m, object, &limits, arena, &at, err);
}

int json_edit_check_names(rdv_str object, int depth, rdv_arena *arena, rdv_error *err)
{
    rdv_members m;
    int rc = json_edit_cut(object, arena, &m, err);
    for (size_t i = 0; i < m.n && rc == RDV_OK && depth > 0; i++)
        if (m.items[i].raw.p[0] == '{')
            rc = json_edit_check_names(m.items[i].raw, depth - 1, arena, err);
    rdv_members_free(&m);
    return rc;
}

const rdv_member *json_edit_find(const rdv_members *m, const char *name)
{
    for (size_t i = 0; i < m->n; i++)
        if (rdv_str_eq(m->items[i].name, rdv_str_of(name)))
            return &m->items[i];
    return NULL;
}

/* The object without the bytes from `begin` to `end`, and `instead` in their place. */
static int splice(rdv_str object, size_t begin, size_t end, rdv_str instead, rdv_arena *arena,
                  rdv_str *out, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, rdv_slice(object, 0, begin));
    rdv_buf_add(&b, instead);
    rdv_buf_add(&b, rdv_slice(object, end, object.len));
    *out = rdv_buf_str(&b);
    return rdv_buf_ok(&b) ? RDV_OK : rdv_no_memory(err);
}

static size_t begin_of(rdv_str object, const rdv_member *m)
{
    return (size_t)(m->raw.p - object.p);
}

static size_t end_of(rdv_str object, const rdv_member *m)
{
    return begin_of(object, m) + m->raw.len;
}

/* A member goes with the comma before it, or the first with the one behind it. */
static int remove_member(rdv_str object, const rdv_members *m, const rdv_member *which,
                         rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    size_t end = end_of(object, which), begin;
    if (which > m->items)
        begin = end_of(object, which - 1);
    else
        begin = rdv_find_char(object, '{', 0) + 1;
    if (which == m->items && m->n > 1)
        end = rdv_find_char(object, ',', end) + 1;
    return splice(object, begin, end, RDV_STR(""), arena, out, err);
}

int json_edit_remove(rdv_str object, const char *name, rdv_arena *arena, rdv_str *out,
                     rdv_error *err)
{
    rdv_members m;
    int rc = json_edit_cut(object, arena, &m, err);
    const rdv_member *which = rc == RDV_OK ? json_edit_find(&m, name) : NULL;
    *out = object;
    if (which)
        rc = remove_member(object, &m, which, arena, out, err);
    rdv_members_free(&m);
    return rc;
}

static int set_member(rdv_str object, const rdv_members *m, const char *name, rdv_str value,
                      rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    const rdv_member *which = json_edit_find(m, name);
    size_t close = object.len;
    if (which)
        return splice(object, begin_of(object, which), end_of(object, which), value, arena, out,
                      err);
    while (close > 0 && object.p[close - 1] != '}')
        close--;
    rdv_str member = rdv_str_printf(arena, "%s\"%s\":%.*s", m->n ? "," : "", name, RDV_FMT(value));
    return member.p ? splice(object, close - 1, close - 1, member, arena, out, err)
                    : rdv_no_memory(err);
}

int json_edit_set(rdv_str object, const char *name, rdv_str value, rdv_arena *arena, rdv_str *out,
                  rdv_error *err)
{
    rdv_members m;
    int rc = json_edit_cut(object, arena, &m, err);
    if (rc == RDV_OK)
        rc = set_member(object, &m, name, value, arena, out, err);
    rdv_members_free(&m);
    return rc;
}

int json_edit_swap(rdv_str object, const char *removed, const char *name, rdv_str value,
                   rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    rdv_members m;
    int rc = json_edit_cut(object, arena, &m, err);
    const rdv_member *which = rc == RDV_OK ? json_edit_find(&m, removed) : NULL;
    if (which)
        rc = remove_member(object, &m, which, arena, &object, err);
    if (rc == RDV_OK)
        rc = which ? json_edit_set(object, name, value, arena, out, err)
                   : set_member(object, &m, name, value, arena, out, err);
    rdv_members_free(&m);
    return rc;
}
