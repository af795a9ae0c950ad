/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over the text. What is not as most is (a name that stands twice, many members) is
 * decoded by jansson, and its tree copied. */
#include "data/evidence.h"
#include "base/arena.h"
#include "base/str.h"
#include "chain/evidence.h"
#include "data/scan.h"

#define MANY_MEMBERS 32 /* more are compared by hash */

typedef struct reader {
    rdv_str s;
    size_t at; /* the byte that is read next */
    bool numbers;
    rdv_arena *arena;
} reader;

/* ---- from jansson's tree --------------------------------------------------------------------- */

/* A value goes into a list or map, under a name in a map; the top has no parent. */
static int copy_value(const json_t *value, rdv_evidence *parent, rdv_str name, rdv_arena *arena,
                      rdv_evidence **out);

static int copy_items(const json_t *value, rdv_evidence *note, rdv_arena *arena)
{
    int rc = RDV_OK;
    rdv_evidence *item;
    for (size_t i = 0; rc == RDV_OK && i < json_array_size(value); i++)
        rc = copy_value(json_array_get(value, i), note, (rdv_str){0}, arena, &item);
    const char *key;
    json_t *child;
    json_object_foreach((json_t *)value, key, child)
    {
        rdv_str name = rdv_str_copy(arena, rdv_str_of(key));
        if (rc == RDV_OK)
            rc = name.p ? copy_value(child, note, name, arena, &item) : RDV_E_NOMEM;
    }
    return rc;
}

static int copy_value(const json_t *value, rdv_evidence *parent, rdv_str name, rdv_arena *arena,
                      rdv_evidence **out)
{
    rdv_str text = {0};
    if (json_is_string(value) && !(text = rdv_str_copy(arena, rdv_string_of(value))).p)
        return RDV_E_NOMEM;
    *out = json_is_object(value)   ? rdv_evidence_map(arena, parent, name)
           : json_is_array(value)  ? rdv_evidence_list(arena, parent, name)
           : json_is_string(value) ? rdv_evidence_text(arena, parent, name, text)
           : json_is_number(value)
               ? rdv_evidence_number(arena, parent, name, json_number_value(value))
           : json_is_boolean(value) ? rdv_evidence_flag(arena, parent, name, json_is_true(value))
                                    : rdv_evidence_null(arena, parent, name);
    return *out ? copy_items(value, *out, arena) : RDV_E_NOMEM;
}

static int read_by_jansson(rdv_str text, rdv_evidence *parent, rdv_str name, rdv_arena *arena,
                           rdv_evidence **out, rdv_error *err)
{
    json_t *value;
    int rc = rdv_decode(text, &value, err);
    if (rc != RDV_OK)
        return rc;
    rc = copy_value(value, parent, name, arena, out);
    json_decref(value);
    return rc;
}

/* ---- from the text --------------------------------------------------------------------------- */

static int read_value(reader *r, rdv_evidence *parent, rdv_str name, rdv_evidence **out);

/* The string at the next byte, which is moved behind it. RDV_NONE: it is not well formed. */
static int read_string(reader *r, rdv_str *out)
{
    size_t begin = r->at + 1, end = rdv_scan_plain(r->s, begin);
    bool plain = rdv_char_at(r->s, end) == '"';
    r->at = plain ? end + 1 : rdv_scan_text(r->s, begin - 1);
    if (r->at == RDV_NOT_FOUND)
        return RDV_NONE;
    *out = rdv_slice(r->s, begin, r->at - 1);
    return plain ? RDV_OK : rdv_decode_escapes(*out, r->arena, out);
}

/* The name at the next byte. RDV_NONE: it has a NUL, or stands in the map already. */
static int read_name(reader *r, const rdv_evidence *map, rdv_str *name)
{
    size_t n = 0;
    int rc = read_string(r, name);
    bool escaped = rc == RDV_OK && !rdv_lies_in(*name, r->s); /* else it can have no NUL */
    if (rc != RDV_OK || (escaped && rdv_find_char(*name, '\0', 0) != RDV_NOT_FOUND))
        return rc == RDV_OK ? RDV_NONE : rc;
    for (const rdv_evidence *other = map->children.first; other; other = other->next)
        if (++n == MANY_MEMBERS || rdv_str_eq(other->name, *name))
            return RDV_NONE;
    r->at = rdv_skip_blanks(r->s, rdv_skip_blanks(r->s, r->at) + 1);
    return RDV_OK;
}

/* Pass over the value at the next byte, which is no number. RDV_NONE: it has no end. */
static int skip_value(reader *r)
{
    size_t depth = 0;
    do {
        char c = rdv_char_at(r->s, r->at);
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        r->at = c == '"' ? rdv_scan_text(r->s, r->at) : r->at + 1;
        if (r->at > r->s.len)
            return RDV_NONE;
    } while (depth || rdv_is_alpha(rdv_char_at(r->s, r->at)));
    return RDV_OK;
}

/* The list or map at the next byte, of which `numbers` alone are read. */
static int read_items(reader *r, rdv_evidence *parent, rdv_str name, bool numbers,
                      rdv_evidence **out)
{
    bool map = r->s.p[r->at] == '{';
    *out =
        map ? rdv_evidence_map(r->arena, parent, name) : rdv_evidence_list(r->arena, parent, name);
    int rc = *out ? RDV_OK : RDV_E_NOMEM;
    r->at = rdv_skip_blanks(r->s, r->at + 1);
    while (rc == RDV_OK && rdv_char_at(r->s, r->at) != (map ? '}' : ']')) {
        rdv_str item = {0};
        rdv_evidence *note;
        if (map)
            rc = read_name(r, *out, &item);
        char first = rdv_char_at(r->s, r->at);
        if (rc == RDV_OK && numbers && !rdv_is_digit(first) && first != '-')
            rc = skip_value(r);
        else if (rc == RDV_OK)
            rc = read_value(r, *out, item, &note);
        if (rc != RDV_OK)
            return rc;
        r->at = rdv_skip_blanks(r->s, r->at);
        if (rdv_char_at(r->s, r->at) == ',')
            r->at = rdv_skip_blanks(r->s, r->at + 1);
    }
    r->at++;
    return rc;
}

static bool is_of_number(char c)
{
    return rdv_is_digit(c) || c == '-' || c == '.' || c == 'e' || c == 'E' || c == '+';
}

/* A number of another form than most: jansson decodes it. */
static int read_unusual(reader *r, rdv_evidence *parent, rdv_str name, rdv_evidence **out)
{
    size_t begin = r->at;
    r->at = rdv_scan_value(r->s, begin, 0);
    if (r->at == RDV_NOT_FOUND)
        return RDV_NONE;
    int rc = read_by_jansson(rdv_slice(r->s, begin, r->at), parent, name, r->arena, out, NULL);
    return rc == RDV_E_INPUT ? RDV_NONE : rc;
}

/* A value of one part. */
static int read_scalar(reader *r, rdv_evidence *parent, rdv_str name, rdv_evidence **out)
{
    char c = rdv_char_at(r->s, r->at);
    rdv_str text;
    double number;
    if (c == '"') {
        int rc = read_string(r, &text);
        if (rc != RDV_OK)
            return rc;
        *out = rdv_evidence_text(r->arena, parent, name, text);
    } else if (c == 't' || c == 'f' || c == 'n') {
        r->at += c == 'f' ? 5 : 4;
        *out = c == 'n' ? rdv_evidence_null(r->arena, parent, name)
                        : rdv_evidence_flag(r->arena, parent, name, c == 't');
    } else {
        size_t end = r->at + 1;
        number = c - '0';
        while (end < r->s.len && is_of_number(r->s.p[end]))
            end++;
        bool digit = rdv_is_digit(c) && end == r->at + 1; /* as most counts are */
        if (!digit && rdv_decode_number(rdv_slice(r->s, r->at, end), &number) != RDV_OK)
            return read_unusual(r, parent, name, out);
        r->at = end;
        *out = rdv_evidence_number(r->arena, parent, name, number);
    }
    return *out ? RDV_OK : RDV_E_NOMEM;
}

/* The value at the next byte. RDV_NONE: jansson has to decode all of it, or say what is wrong. */
static int read_value(reader *r, rdv_evidence *parent, rdv_str name, rdv_evidence **out)
{
    char c = rdv_char_at(r->s, r->at);
    if (c == '{' || c == '[') {
        bool numbers = r->numbers && c == '{' && rdv_str_eq(name, RDV_STR("evidence"));
        return read_items(r, parent, name, numbers, out);
    }
    return read_scalar(r, parent, name, out);
}

int rdv_evidence_read(rdv_str text, bool numbers, rdv_arena *arena, rdv_evidence **out,
                      rdv_error *err)
{
    reader r = {.s = text, .numbers = numbers, .arena = arena};
    int rc = read_value(&r, NULL, (rdv_str){0}, out);
    if (rc == RDV_NONE || (rc == RDV_OK && r.at != text.len)) /* it is not one value */
        rc = read_by_jansson(text, NULL, (rdv_str){0}, arena, out, err);
    return rc == RDV_E_NOMEM ? rdv_no_memory(err) : rc;
}

const rdv_evidence *rdv_evidence_member(rdv_members *m, const char *name, bool numbers,
                                        rdv_arena *arena)
{
    rdv_str raw = rdv_members_raw(m, name);
    rdv_evidence *value;
    rdv_error why; /* set where it is needed: all of it would take longer than a number */
    if (!raw.p)
        return NULL;
    bool keeps = raw.p[0] == '{' || raw.p[0] == '[' || raw.p[0] == '"'; /* of others nothing */
    if (keeps && !m->lasting)
        raw = rdv_str_copy(arena, raw);
    int rc = raw.p ? rdv_evidence_read(raw, numbers, arena, &value, &why) : RDV_E_NOMEM;
    if (rc == RDV_OK)
        return value;
    if (rc == RDV_E_NOMEM)
        rdv_members_fail(m, rc, "out of memory");
    else
        rdv_members_fail(m, rc, "member \"%s\": %s", name, why.msg);
    return NULL;
}
