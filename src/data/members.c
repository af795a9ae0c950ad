/* SPDX-License-Identifier: Apache-2.0 */
#include "data/members.h"
#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "data/scan.h"
#include "model/json_load.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- decoding texts -------------------------------------------------------------------------- */

/* The code unit of the four digits behind "\u" at byte `i`. */
static uint32_t unit_at(rdv_str s, size_t i)
{
    uint32_t unit = 0;
    for (size_t k = i + 2; k < i + 6; k++) {
        char c = rdv_lower(rdv_char_at(s, k));
        unit = unit << 4 | (uint32_t)(rdv_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return unit;
}

/* The character of the escape at byte *i, which becomes the byte after it; false: half a
 * character. */
static bool take_escape(rdv_str s, size_t *i, uint32_t *character)
{
    static const char escapes[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    char c = rdv_char_at(s, *i + 1);
    if (c != 'u') {
        const char *e = escapes;
        while (*e && *e != c)
            e += 2;
        *character = *e ? (unsigned char)e[1] : 0;
        *i += 2;
        return true;
    }
    *character = unit_at(s, *i);
    *i += 6;
    if (*character < 0xd800 || *character > 0xdfff)
        return true;
    bool pair = *character < 0xdc00 && rdv_char_at(s, *i) == '\\' && rdv_char_at(s, *i + 1) == 'u';
    uint32_t low = pair ? unit_at(s, *i) : 0;
    *character = 0x10000 + ((*character - 0xd800) << 10) + (low - 0xdc00);
    *i += 6;
    return low >= 0xdc00 && low <= 0xdfff;
}

/* What `s`, of which `out` has the length, stands for; false: half a character. */
static bool unescape(rdv_str s, char *out, size_t *len)
{
    *len = 0;
    for (size_t i = 0; i < s.len;) {
        size_t plain = rdv_scan_plain(s, i);
        memcpy(out + *len, s.p + i, plain - i);
        *len += plain - i;
        i = plain;
        uint32_t character = 0;
        if (i < s.len && (s.p[i] != '\\' || !take_escape(s, &i, &character)))
            return false;
        if (i > plain)
            *len += rdv_utf8_put(character, out + *len);
    }
    return true;
}

int rdv_decode_escapes(rdv_str escaped, rdv_arena *arena, rdv_str *out)
{
    char *text = rdv_alloc(arena, escaped.len); /* no escape is shorter than what it stands for */
    *out = (rdv_str){text, 0};
    if (!text)
        return RDV_E_NOMEM;
    return unescape(escaped, text, &out->len) ? RDV_OK : RDV_NONE;
}

/* As rdv_decode(), of a text in quotes; RDV_NONE: it is not valid Unicode. */
static int decode_text(rdv_str quoted, json_t **out)
{
    rdv_str s = rdv_slice(quoted, 1, quoted.len - 1);
    if (rdv_utf8_valid(s) < s.len)
        return RDV_NONE;
    if (rdv_find_char(s, '\\', 0) == RDV_NOT_FOUND) {
        *out = json_stringn_nocheck(s.p, s.len);
        return *out ? RDV_OK : RDV_E_NOMEM;
    }
    char *text = malloc(s.len); /* no escape is shorter than what it stands for */
    if (!text)
        return RDV_E_NOMEM;
    size_t len;
    bool valid = unescape(s, text, &len);
    *out = valid ? json_stringn_nocheck(text, len) : NULL;
    free(text);
    return !valid ? RDV_NONE : *out ? RDV_OK : RDV_E_NOMEM;
}

/* ---- decoding everything else ---------------------------------------------------------------- */

/* jansson's reason, which may end in an excerpt of the text: only what stands before it. */
static int reason_len(const json_error_t *why)
{
    const char *near = strstr(why->text, " near ");
    return near ? (int)(near - why->text) : (int)strlen(why->text);
}

/* When it runs out of memory, jansson usually reports an error of grammar (or nothing), although
 * the grammar is known to be valid. A lone surrogate is the only real fault that it reports in the
 * same way. */
static bool is_out_of_memory(const json_error_t *why)
{
    enum json_error_code code = json_error_code(why);
    bool grammar = code == json_error_invalid_syntax || code == json_error_unknown;
    return code == json_error_out_of_memory ||
           (grammar && !rdv_starts(rdv_str_of(why->text), RDV_STR("invalid Unicode")));
}

/* What jansson says of it. */
static int decode_by_jansson(rdv_str text, json_t **out, rdv_error *err)
{
    static const size_t flags =
        JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL;
    json_error_t why = {0}; /* jansson does not always fill it in */
    bool no_memory;
    *out = json_load(text, flags, &why, &no_memory);
    if (*out)
        return RDV_OK;
    if (no_memory || is_out_of_memory(&why))
        return rdv_no_memory(err);
    return rdv_fail(err, RDV_E_INPUT, "%.*s", reason_len(&why), why.text);
}

/* Whole numbers of so many digits are doubles exactly, and so are these powers of ten: their
 * quotient is the nearest double. */
#define EXACT_DIGITS 15
#define DIGITS_MOST 19 /* of a number in 64 bits */

/* The double that is nearest to number / power, neither of them 0: the 64 leading bits of the
 * quotient, whose lowest one stands for all that follow, are rounded once. */
static double nearest_quotient(uint64_t number, uint64_t power)
{
    int zeros = __builtin_clzll(number);
    unsigned __int128 shifted = (unsigned __int128)(number << zeros) << 64;
    unsigned __int128 quotient = shifted / power;
    bool below = shifted % power != 0;
    uint64_t high = (uint64_t)(quotient >> 64), word = (uint64_t)quotient;
    int further = high ? 64 - __builtin_clzll(high) : 0;
    if (further) {
        below = below || word << (64 - further) != 0;
        word = (uint64_t)(quotient >> further);
    }
    return ldexp((double)(word | below), further - 64 - zeros);
}

int rdv_decode_number(rdv_str text, double *out)
{
    static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    size_t i = rdv_char_at(text, 0) == '-', digits = 0, behind = 0;
    uint64_t number = 0, power = 1;
    for (bool point = false; i < text.len && digits <= DIGITS_MOST; i++) {
        if (text.p[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (!rdv_is_digit(text.p[i]))
            return RDV_NONE;
        number = 10 * number + (uint64_t)(text.p[i] - '0');
        digits++;
        behind += point;
    }
    if (i < text.len || digits == 0 || digits > DIGITS_MOST)
        return RDV_NONE;
    double size = (double)number;
    if (digits <= EXACT_DIGITS)
        size /= powers[behind];
    else if (number > 0) {
        while (behind--)
            power *= 10;
        size = nearest_quotient(number, power);
    }
    *out = text.p[0] == '-' ? -size : size;
    return RDV_OK;
}

/* All are real, as jansson is asked to make them. */
static int decode_number(rdv_str text, json_t **out)
{
    double number;
    if (rdv_decode_number(text, &number) != RDV_OK)
        return decode_by_jansson(text, out, NULL);
    *out = json_real(number);
    return *out ? RDV_OK : RDV_E_NOMEM;
}

static int decode_word(rdv_str text, json_t **out)
{
    *out = rdv_char_at(text, 0) == 't'   ? json_true()
           : rdv_char_at(text, 0) == 'f' ? json_false()
                                         : json_null();
    return RDV_OK;
}

static int decode_value(rdv_str s, size_t *i, json_t **out);

/* The first byte from `i` on that is neither white space nor the sign between two parts. */
static size_t skip_to_next(rdv_str s, size_t i, char sign)
{
    while (i < s.len &&
           (s.p[i] == sign || s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '\r' || s.p[i] == '\n'))
        i++;
    return i;
}

/* The name at byte *i of an object, which becomes the byte of its value. RDV_NONE: it is none as
 * most are. */
static int decode_key(rdv_str s, size_t *i, rdv_str *name)
{
    size_t end = rdv_scan_text(s, *i);
    *name = rdv_slice(s, *i + 1, end - 1);
    if (end == RDV_NOT_FOUND || rdv_find_char(*name, '\\', 0) != RDV_NOT_FOUND ||
        rdv_utf8_valid(*name) < name->len)
        return RDV_NONE;
    *i = skip_to_next(s, end, ':');
    return RDV_OK;
}

/* The member at byte *i of an object, of which it must be the first of that name. */
static int decode_member(rdv_str s, size_t *i, json_t *object)
{
    size_t before = json_object_size(object);
    rdv_str name;
    json_t *value;
    int rc = decode_key(s, i, &name);
    if (rc == RDV_OK)
        rc = decode_value(s, i, &value);
    if (rc != RDV_OK)
        return rc;
    if (json_object_setn_new_nocheck(object, name.p, name.len, value) != 0)
        return RDV_E_NOMEM;
    return json_object_size(object) > before ? RDV_OK : RDV_NONE;
}

static int decode_item(rdv_str s, size_t *i, json_t *list)
{
    json_t *value;
    int rc = decode_value(s, i, &value);
    if (rc != RDV_OK)
        return rc;
    return json_array_append_new(list, value) == 0 ? RDV_OK : RDV_E_NOMEM;
}

/* The list or object at byte *i, which becomes the byte after it. */
static int decode_items(rdv_str s, size_t *i, json_t **out)
{
    bool object = s.p[*i] == '{';
    json_t *all = object ? json_object() : json_array();
    int rc = all ? RDV_OK : RDV_E_NOMEM;
    for (++*i; rc == RDV_OK;) {
        *i = skip_to_next(s, *i, ',');
        char c = rdv_char_at(s, *i);
        if (c == ']' || c == '}')
            break;
        rc = object ? decode_member(s, i, all) : decode_item(s, i, all);
    }
    ++*i;
    if (rc != RDV_OK)
        json_decref(all);
    else
        *out = all;
    return rc;
}

/* The value at byte *i, which becomes the byte after it. RDV_NONE: jansson has to decode it, or say
 * what is wrong. */
static int decode_value(rdv_str s, size_t *i, json_t **out)
{
    char c = rdv_char_at(s, *i);
    if (c == '{' || c == '[')
        return decode_items(s, i, out);
    size_t end = rdv_scan_value(s, *i, 0);
    rdv_str value = rdv_slice(s, *i, end);
    *i = end;
    if (end == RDV_NOT_FOUND)
        return RDV_NONE;
    if (c == '"')
        return decode_text(value, out);
    if (rdv_is_alpha(c))
        return decode_word(value, out);
    return decode_number(value, out);
}

int rdv_decode(rdv_str text, json_t **out, rdv_error *err)
{
    size_t i = 0;
    int rc = decode_value(text, &i, out);
    if (rc == RDV_OK && i < text.len) { /* it is not one value */
        json_decref(*out);
        rc = RDV_NONE;
    }
    if (rc == RDV_E_NOMEM)
        return rdv_no_memory(err);
    return rc == RDV_OK ? RDV_OK : decode_by_jansson(text, out, err);
}

/* ---- members by name ------------------------------------------------------------------------- */

size_t rdv_member_from(const rdv_member *items, size_t first, rdv_str name)
{
    while (first && !rdv_str_eq(items[first - 1].name, name))
        first = items[first - 1].next;
    return first ? first - 1 : RDV_MAP_MISSING;
}

size_t rdv_members_at(const rdv_members *m, rdv_str name)
{
    return m->n > RDV_FEW_MEMBERS ? rdv_map_get(&m->index, name)
                                  : rdv_member_from(m->items, m->first[rdv_mark_of(name)], name);
}

/* ---- cutting --------------------------------------------------------------------------------- */

#define FAST_DEPTH 64 /* of records that are cut fast */

typedef struct cutter {
    rdv_members *m;
    rdv_str text;
    const rdv_limits *limits;
    rdv_scan scan;
    size_t name_at, name_end; /* the latest name at the top level, with its quotes */
    bool plain;               /* it is known to have no escape */
    size_t value_at;
    bool in_value; /* a value of the top level has begun and not ended */
} cutter;

/* A name as it reads: most hold no escape and are a slice of the text. */
static int decode_name(cutter *c, rdv_str *name)
{
    rdv_str quoted = rdv_slice(c->text, c->name_at, c->name_end);
    *name = rdv_slice(quoted, 1, quoted.len - 1);
    if (c->plain || rdv_find_char(*name, '\\', 0) == RDV_NOT_FOUND)
        return RDV_OK;
    json_t *value;
    int rc = rdv_decode(quoted, &value, NULL);
    if (rc != RDV_OK)
        return rc;
    *name = rdv_str_copy(c->m->arena, rdv_string_of(value));
    json_decref(value);
    return name->p ? RDV_OK : RDV_E_NOMEM;
}

/* Put the last member where it is found, and of many those before it. */
static bool index_last(rdv_members *m)
{
    rdv_member *last = &m->items[m->n - 1];
    if (m->n <= RDV_FEW_MEMBERS) {
        uint8_t *first = &m->first[rdv_mark_of(last->name)];
        last->next = *first;
        *first = (uint8_t)m->n;
        return true;
    }
    for (size_t i = m->n == RDV_FEW_MEMBERS + 1 ? 0 : m->n - 1; i < m->n; i++)
        if (rdv_map_put(&m->index, m->items[i].name, i) != RDV_OK)
            return false;
    return true;
}

static int add_member(cutter *c, size_t value_end, rdv_error *err)
{
    rdv_members *m = c->m;
    rdv_str name;
    int rc = decode_name(c, &name);
    if (rc == RDV_E_INPUT)
        return rdv_fail(err, rc, "a member's name is not valid Unicode");
    if (rc != RDV_OK)
        return rdv_fail(err, rc, "out of memory");
    if (m->n == c->limits->members)
        return rdv_fail(err, RDV_E_LIMIT, "more than %zu members", c->limits->members);
    if (rdv_members_at(m, name) != RDV_MAP_MISSING)
        return rdv_fail(err, RDV_E_INPUT, "member \"%.*s\" stands twice; which one is meant?",
                        RDV_FMT(rdv_str_head(name, 60)));
    if (!RDV_PUSH_ROOM(m->arena, m->items, m->n, m->cap))
        return rdv_no_memory(err);
    rdv_str raw = rdv_slice(c->text, c->value_at, value_end);
    m->items[m->n++] = (rdv_member){.name = name, .raw = raw};
    return index_last(m) ? RDV_OK : rdv_no_memory(err);
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

/* As cut(), at a fraction of its cost, of a record that is as it should be. RDV_NONE: it is not, or
 * nested deeply; what was cut has no meaning then. RDV_E_NOMEM. */
static int cut_well_formed(cutter *c, size_t *at)
{
    rdv_str s = c->text;
    size_t depth = c->limits->depth < FAST_DEPTH ? c->limits->depth : FAST_DEPTH;
    size_t i = rdv_skip_blanks(s, 1);
    while (rdv_char_at(s, i) == '"' && depth > 0) {
        c->name_at = i;
        i = rdv_scan_plain(s, i + 1);
        c->plain = rdv_char_at(s, i) == '"';
        c->name_end = c->plain ? i + 1 : rdv_scan_text(s, c->name_at);
        if (c->name_end == RDV_NOT_FOUND)
            return RDV_NONE;
        i = rdv_skip_blanks(s, c->name_end);
        if (rdv_char_at(s, i) != ':')
            return RDV_NONE;
        c->value_at = rdv_skip_blanks(s, i + 1);
        size_t end = rdv_scan_value(s, c->value_at, depth - 1);
        int rc = end == RDV_NOT_FOUND ? RDV_NONE : add_member(c, end, NULL);
        if (rc != RDV_OK)
            return rc == RDV_E_NOMEM ? rc : RDV_NONE;
        i = rdv_skip_blanks(s, end);
        if (rdv_char_at(s, i) == '}') {
            *at = i;
            return RDV_OK;
        }
        if (rdv_char_at(s, i) != ',')
            return RDV_NONE;
        i = rdv_skip_blanks(s, i + 1);
    }
    return RDV_NONE;
}

/* What is wrong with a record, and where, cut() finds. */
static int cut_members(cutter *c, size_t *at, rdv_error *err)
{
    int rc = cut_well_formed(c, at);
    if (rc == RDV_E_NOMEM)
        return rdv_no_memory(err);
    if (rc == RDV_OK)
        return rc;
    c->m->n = 0;
    c->plain = false;
    memset(c->m->first, 0, sizeof c->m->first);
    rdv_map_init(&c->m->index, c->m->arena);
    return cut(c, at, err);
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
    int rc = cut_members(&c, at, err);
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
    size_t i = name ? rdv_members_named(m, name) : RDV_MAP_MISSING;
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
    static const char *const names[] = {"verdicts", "confidence", "first_error", "skipped"};
    size_t i = 0;
    while (i < 4 && !rdv_members_have(m, names[i]))
        i++;
    return i < 4;
}
