/* SPDX-License-Identifier: Apache-2.0 */
#include "server/convert/json_view.h"
#include "base/arena.h"
#include "data/members.h"
#include "data/scan.h"

#include <stdarg.h>
#include <stdio.h>

#define NESTED RDV_MAX_DEPTH

/* ---- values ---------------------------------------------------------------------------------- */

/* Set *value to that at byte *at, and *at behind it and the comma after it. */
static bool take_value(rdv_str of, size_t *at, rdv_str *value)
{
    size_t end = rdv_scan_value(of, *at, NESTED);
    if (end == RDV_NOT_FOUND)
        return false;
    *value = rdv_slice(of, *at, end);
    *at = rdv_skip_blanks(of, end);
    if (rdv_char_at(of, *at) == ',')
        ++*at;
    return true;
}

bool json_view_next(rdv_str of, size_t *at, rdv_str *name, rdv_str *value)
{
    bool object = rdv_char_at(of, 0) == '{';
    if (!object && rdv_char_at(of, 0) != '[')
        return false;
    *name = (rdv_str){0};
    *at = rdv_skip_blanks(of, *at ? *at : 1);
    if (*at + 1 >= of.len)
        return false;
    if (object) {
        size_t end = rdv_scan_text(of, *at);
        if (end == RDV_NOT_FOUND || end < *at + 2)
            return false;
        *name = rdv_slice(of, *at + 1, end - 1);
        *at = rdv_skip_blanks(of, rdv_skip_blanks(of, end) + 1); /* the colon */
    }
    return take_value(of, at, value);
}

static bool is_null(rdv_str value)
{
    return !value.p || rdv_str_eq(value, RDV_STR("null"));
}

rdv_str json_view_member(rdv_str object, const char *name)
{
    rdv_str is, value;
    if (rdv_char_at(object, 0) != '{')
        return (rdv_str){0};
    for (size_t at = 0; json_view_next(object, &at, &is, &value);)
        if (rdv_str_eq(is, rdv_str_of(name)))
            return is_null(value) ? (rdv_str){0} : value;
    return (rdv_str){0};
}

rdv_str json_view_inner(rdv_str text)
{
    return rdv_char_at(text, 0) == '"' ? rdv_slice(text, 1, text.len - 1) : RDV_STR("");
}

bool json_view_is(rdv_str value, const char *text)
{
    return rdv_char_at(value, 0) == '"' && rdv_str_eq(json_view_inner(value), rdv_str_of(text));
}

static bool is_number(rdv_str value)
{
    return rdv_is_digit(rdv_char_at(value, 0)) || rdv_char_at(value, 0) == '-';
}

/* 0, 0.0, -0e5 */
static bool is_zero(rdv_str number)
{
    for (size_t i = 0; i < number.len && rdv_lower(number.p[i]) != 'e'; i++)
        if (number.p[i] >= '1' && number.p[i] <= '9')
            return false;
    return true;
}

bool json_view_is_nothing(rdv_str value)
{
    rdv_str name, item;
    size_t at = 0;
    char c = rdv_char_at(value, 0);
    if (c == '{' || c == '[')
        return !json_view_next(value, &at, &name, &item);
    if (is_number(value))
        return is_zero(value);
    return is_null(value) || c == 'f' || rdv_str_eq(value, RDV_STR("\"\""));
}

uint64_t json_view_count(rdv_str number)
{
    uint64_t n = 0;
    size_t end = rdv_skip_digits(number, 0);
    if (end == 0 || end != number.len || end > 18)
        return 0;
    for (size_t i = 0; i < end; i++)
        n = n * 10 + (uint64_t)(number.p[i] - '0');
    return n;
}

int json_view_text(rdv_str value, rdv_arena *arena, rdv_str *text)
{
    json_t *decoded = NULL;
    int rc = rdv_char_at(value, 0) == '"' ? rdv_decode(value, &decoded, NULL) : RDV_E_INPUT;
    if (rc != RDV_OK)
        return rc;
    *text = rdv_str_copy(arena, rdv_string_of(decoded));
    json_decref(decoded);
    return text->p ? RDV_OK : RDV_E_NOMEM;
}

/* ---- objects --------------------------------------------------------------------------------- */

bool view_fail(view_fault *why, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why->text, sizeof why->text, fmt, ap);
    va_end(ap);
    return false;
}

int view_refuse(rdv_error *err, const view_fault *why)
{
    return rdv_fail(err, RDV_E_INPUT, "%s", why->text);
}

/* What a value of that kind is called; NULL: `value` is one. */
static const char *misses(view_kind kind, rdv_str value)
{
    char c = rdv_char_at(value, 0);
    switch (kind) {
    case VIEW_TEXT:
        return c == '"' ? NULL : "must be a text";
    case VIEW_NUMBER:
        return is_number(value) ? NULL : "must be a number";
    case VIEW_FLAG:
        return c == 't' || c == 'f' ? NULL : "must be true or false";
    case VIEW_OBJECT:
        return c == '{' ? NULL : "must be an object";
    case VIEW_LIST:
        return c == '[' ? NULL : "must be a list";
    case VIEW_NOTHING:
        return json_view_is_nothing(value) ? NULL : "cannot be converted";
    case VIEW_ANY:
    case VIEW_DROPPED:
        break;
    }
    return NULL;
}

static bool keep(const view_field *f, rdv_str value, void *into, view_fault *why)
{
    const char *wrong = misses(f->kind, value);
    rdv_str *place = (rdv_str *)(void *)((char *)into + f->at);
    if (wrong)
        return view_fail(why, "'%s' %s", f->name, wrong);
    if (f->kind == VIEW_DROPPED || f->kind == VIEW_NOTHING)
        return true;
    if (place->p)
        return view_fail(why, "'%s' stands twice", f->name);
    *place = value;
    return true;
}

static const view_field *find(const view_field *fields, size_t n, rdv_str name)
{
    for (size_t i = 0; i < n; i++)
        if (rdv_str_eq(name, rdv_str_of(fields[i].name)))
            return &fields[i];
    return NULL;
}

bool view_read(rdv_str object, const view_field *fields, size_t n, view_unknown unknown, void *into,
               view_fault *why)
{
    rdv_str name, value;
    if (rdv_char_at(object, 0) != '{')
        return view_fail(why, "it is no object");
    for (size_t at = 0; json_view_next(object, &at, &name, &value);) {
        const view_field *f = find(fields, n, name);
        if (is_null(value))
            continue;
        if (!f && (unknown == VIEW_IGNORE ||
                   (unknown == VIEW_REFUSE_FILLED && json_view_is_nothing(value))))
            continue;
        if (!f)
            return view_fail(why, "'%.*s' is not known here", VIEW_SHOWN(name));
        if (!keep(f, value, into, why))
            return false;
    }
    return true;
}

static bool is_listed(const char *names, rdv_str name)
{
    rdv_str all = rdv_str_of(names);
    for (size_t at = 0; at < all.len;) {
        size_t end = rdv_find_char(all, ' ', at);
        if (rdv_str_eq(rdv_slice(all, at, end), name))
            return true;
        at = end == RDV_NOT_FOUND ? all.len : end + 1;
    }
    return false;
}

bool view_has_only(const view_field *fields, size_t n, const void *of, const char *names,
                   view_fault *why)
{
    for (size_t i = 0; i < n; i++) {
        if (fields[i].kind == VIEW_DROPPED || fields[i].kind == VIEW_NOTHING)
            continue;
        const rdv_str *place = (const rdv_str *)(const void *)((const char *)of + fields[i].at);
        if (place->p && !is_listed(names, rdv_str_of(fields[i].name)))
            return view_fail(why, "'%s' is not known here", fields[i].name);
    }
    return true;
}
