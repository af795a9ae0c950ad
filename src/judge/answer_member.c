/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/answer_member.h"

#include "base/arena.h"
#include "base/str.h"

/* An answer is small: what goes beyond this is none. */
static const rdv_limits limits = {
    .record_bytes = (size_t)16 << 20, .depth = 64, .steps = 1, .members = 100000};

/* ---- the object in a text -------------------------------------------------------------------- */

/* What the last fence that holds an object holds; p == NULL: there is none. */
static rdv_str fenced(rdv_str text)
{
    rdv_str fence = RDV_STR("```");
    for (size_t end = text.len, at; end != RDV_NOT_FOUND; end = at) {
        at = rdv_find_last(rdv_slice(text, 0, end), fence);
        if (at == RDV_NOT_FOUND)
            break;
        size_t line = rdv_find_char(rdv_slice(text, 0, end), '\n', at);
        rdv_str inner = line == RDV_NOT_FOUND ? (rdv_str){0} : rdv_trim(rdv_slice(text, line, end));
        if (rdv_starts(inner, RDV_STR("{")))
            return inner;
    }
    return (rdv_str){0};
}

static rdv_str object_in(rdv_str text)
{
    text = rdv_trim(text);
    if (rdv_starts(text, RDV_STR("{")))
        return text;
    rdv_str inner = fenced(text);
    if (inner.p)
        return inner;
    size_t open = rdv_find_char(text, '{', 0), close = rdv_find_last(text, RDV_STR("}"));
    bool any = open != RDV_NOT_FOUND && close != RDV_NOT_FOUND && open < close;
    return any ? rdv_slice(text, open, close + 1) : (rdv_str){0};
}

/* ---- the value at a path --------------------------------------------------------------------- */

/* The byte after the JSON value at byte `i`, whose grammar is right. */
static size_t value_end(rdv_str s, size_t i)
{
    for (size_t depth = 0; i < s.len; i++) {
        char c = s.p[i];
        if (c == '"')
            for (i++; i < s.len && s.p[i] != '"'; i++)
                i += s.p[i] == '\\';
        else if (c == '{' || c == '[')
            depth++;
        else if (depth == 0 && (c == ',' || c == ']'))
            return i;
        else if (c == '}' || c == ']')
            depth--;
    }
    return s.len;
}

/* The bytes of the element of a list at an index; with `last`, "-1" is its last one. p == NULL:
 * there is none. */
static rdv_str element(rdv_str list, const char *index, bool last)
{
    bool of_end = last && strcmp(index, "-1") == 0;
    size_t wanted = 0, n = 0;
    for (const char *p = index; *p && !of_end; p++) {
        if (!rdv_is_digit(*p) || wanted > list.len)
            return (rdv_str){0};
        wanted = wanted * 10 + (size_t)(*p - '0');
    }
    rdv_str found = {0};
    for (size_t begin = 1, end; begin < list.len; begin = end + 1, n++) {
        end = value_end(list, begin);
        rdv_str item = rdv_trim(rdv_slice(list, begin, end));
        if (item.len && (of_end || n == wanted))
            found = item;
        if (n == wanted && !of_end)
            break;
    }
    return found;
}

/* The bytes of the value at the path in an object; p == NULL: there is none. */
static int raw_at(const rdv_member_path *path, rdv_str object, rdv_arena *arena, rdv_str *raw,
                  rdv_error *err)
{
    *raw = object;
    for (size_t i = 0; i < path->n && raw->p; i++) {
        if (rdv_starts(*raw, RDV_STR("["))) {
            *raw = element(*raw, path->parts[i], !path->pointer);
            continue;
        }
        rdv_members in = {0};
        size_t at;
        int rc = rdv_starts(*raw, RDV_STR("{"))
                     ? rdv_members_read(&in, *raw, &limits, arena, &at, err)
                     : RDV_NONE;
        bool whole = rc == RDV_OK && i == 0 && rdv_members_have(&in, path->text);
        rdv_str value = {0};
        if (rc == RDV_OK)
            value = rdv_members_raw(&in, whole ? path->text : path->parts[i]);
        rdv_members_free(&in);
        *raw = value;
        if (rc < 0)
            return rc;
        if (whole)
            break;
    }
    return RDV_OK;
}

static int text_of(rdv_str raw, rdv_arena *arena, rdv_str *value, rdv_error *err)
{
    json_t *text;
    *value = raw;
    if (!rdv_starts(raw, RDV_STR("\"")))
        return RDV_OK;
    int rc = rdv_decode(raw, &text, err);
    *value = (rdv_str){0};
    if (rc != RDV_OK)
        return rc;
    *value = rdv_str_copy(arena, rdv_string_of(text));
    json_decref(text);
    return value->p ? RDV_OK : rdv_no_memory(err);
}

int answer_member_take(const rdv_member_path *path, rdv_str text, rdv_arena *arena, rdv_str *value,
                       rdv_str *reason, rdv_error *err)
{
    rdv_error why = {0};
    rdv_str raw = {0}, object = object_in(text);
    int rc = object.p ? raw_at(path, object, arena, &raw, &why) : RDV_NONE;
    if (rc == RDV_OK && raw.p && !rdv_str_eq(raw, RDV_STR("null"))) {
        rc = text_of(raw, arena, value, &why);
        if (rc == RDV_OK)
            return RDV_OK;
    }
    if (rc == RDV_E_NOMEM)
        return rdv_no_memory(err);
    *reason = rc < 0     ? rdv_str_printf(arena, "its JSON is not read: %s", why.msg)
              : raw.p    ? rdv_str_printf(arena, "its member \"%.80s\" is null", path->text)
              : object.p ? rdv_str_printf(arena, "its JSON has no member \"%.80s\"", path->text)
                         : RDV_STR("it holds no JSON object");
    return reason->p ? RDV_NONE : rdv_no_memory(err);
}
