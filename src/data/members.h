/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The members of one JSON object: their exact bytes, and their values, decoded when asked for.
 *
 * Only requested members are decoded (by jansson), so unknown members keep their bytes, whatever
 * numbers they contain. The first fault in decoding is sticky: read many members, then check
 * `fault` once. */
#include "base/map.h"
#include "base/str.h"
#include <jansson.h>
#include <rederive/data.h>

typedef struct rdv_member {
    rdv_str name;  /* decoded */
    rdv_str raw;   /* the value's bytes, without white space around */
    json_t *value; /* NULL until it is asked for */
    bool noted;    /* where its texts stand was noted (data/places.h) */
    uint8_t next;  /* another whose name has the same mark, from 1 on; 0: none */
} rdv_member;

#define RDV_MEMBER_MARKS 64

typedef struct rdv_members {
    rdv_arena *arena;
    rdv_member *items;
    size_t n, cap;
    uint8_t first[RDV_MEMBER_MARKS]; /* a member of each mark, from 1 on; 0: none; if few */
    rdv_map index;                   /* where there are many members */
    json_t *decoded; /* a list of further values that were decoded for the record; NULL: none */
    bool lasting;    /* the text and *arena live as long as what is made of them */
    int fault;       /* RDV_OK, or the first fault in decoding */
    char reason[RDV_ERROR_MAX];
} rdv_members;

/* The members of the object `of`, cut once for all who ask for some of them. */
typedef struct rdv_raw_members {
    rdv_str of;
    const rdv_member *items; /* n of them; without values */
    size_t n;
    uint8_t first[RDV_MEMBER_MARKS]; /* as above */
} rdv_raw_members;

typedef struct rdv_limits {
    size_t record_bytes, depth, steps, members;
} rdv_limits;

/* Cut the JSON object `text` into its members. `text` must live as long as *m; the rest is in
 * `arena`. Always leaves *m fit for rdv_members_free().
 * RDV_OK; RDV_E_INPUT (not one well-formed object, a name that stands twice, bytes that are not
 * UTF-8), RDV_E_LIMIT, RDV_E_NOMEM. *at is then the byte where it went wrong. */
int rdv_members_read(rdv_members *m, rdv_str text, const rdv_limits *limits, rdv_arena *arena,
                     size_t *at, rdv_error *err);
void rdv_members_free(rdv_members *m);

#define RDV_VERSION_MEMBER "rederive_schema"

/* Does the record have the supported version, or none? RDV_OK, RDV_E_INPUT. */
int rdv_members_version(const rdv_members *m, rdv_error *err);

/* The mark of a name, by its first two bytes: most names that are asked for have one that no member
 * has. */
static inline unsigned rdv_member_mark(char first, char second)
{
    return (5u * (unsigned char)first + (unsigned char)second) % RDV_MEMBER_MARKS;
}
static inline unsigned rdv_mark_of(rdv_str name)
{
    return rdv_member_mark(rdv_char_at(name, 0), rdv_char_at(name, 1));
}
#define RDV_FEW_MEMBERS 32 /* up to so many are found by their mark; more are hashed */
/* Which of a few items has that name, from the first of its mark on; RDV_MAP_MISSING: none. */
size_t rdv_member_from(const rdv_member *items, size_t first, rdv_str name);
/* Which of the items has that name; RDV_MAP_MISSING: none. */
size_t rdv_members_at(const rdv_members *m, rdv_str name);
static inline size_t rdv_members_named(const rdv_members *m, const char *name)
{
    if (m->n > RDV_FEW_MEMBERS)
        return rdv_members_at(m, rdv_str_of(name));
    size_t first = m->first[rdv_member_mark(name[0], name[0] ? name[1] : '\0')];
    return first ? rdv_member_from(m->items, first, rdv_str_of(name)) : RDV_MAP_MISSING;
}
/* The member's bytes; p == NULL: there is none of that name. */
static inline rdv_str rdv_members_raw(const rdv_members *m, const char *name)
{
    size_t i = rdv_members_named(m, name);
    return i == RDV_MAP_MISSING ? (rdv_str){0} : m->items[i].raw;
}
static inline bool rdv_members_have(const rdv_members *m, const char *name)
{
    return rdv_members_raw(m, name).p != NULL;
}
/* Whether the record has a check at its top: "method" alone is a member of the user's own. */
bool rdv_members_say_check(const rdv_members *m);
/* The decoded value, owned by *m; NULL if there is none of that name, which may be NULL, or it
 * cannot be decoded (then `fault` is set). */
json_t *rdv_members_get(rdv_members *m, const char *name);
/* Decode one JSON value, without white space around it. Its grammar must be right already
 * (data/scan.h), so that only what is not grammar can fail: Unicode, the size of numbers, names
 * that stand twice. What is usual is decoded here; jansson decodes the rest, and says what is
 * wrong. RDV_OK with *out the caller's; RDV_E_INPUT with
 * the reason in err; RDV_E_NOMEM. */
int rdv_decode(rdv_str text, json_t **out, rdv_error *err);
/* What a text in quotes, without them, stands for; RDV_NONE: half a character; RDV_E_NOMEM. */
int rdv_decode_escapes(rdv_str escaped, rdv_arena *arena, rdv_str *out);
/* A number as most are written, without an exponent; RDV_NONE: it is another. */
int rdv_decode_number(rdv_str text, double *out);
/* The text of a JSON string, owned by it; p == NULL: `value` is NULL or no string. */
static inline rdv_str rdv_string_of(const json_t *value)
{
    return (rdv_str){json_string_value(value), json_string_length(value)};
}
/* Note where the members of chain->raw are, in `arena`. `from`: its members, cut from the same
 * bytes at `text`, which is `raw`, and the same text if they are lasting; NULL: they are cut here.
 * Without memory nothing is noted. */
void rdv_note_members(rdv_chain *chain, const rdv_members *from, rdv_str text, rdv_arena *arena);
/* What was noted of the chain's present `raw`; NULL: nothing. */
const rdv_raw_members *rdv_noted_members(const rdv_chain *chain);
/* As rdv_record_member() and rdv_record_text(), of chain->raw. */
int rdv_chain_member(const rdv_chain *chain, rdv_str name, rdv_str *value);
int rdv_chain_text(const rdv_chain *chain, rdv_str name, rdv_arena *arena, rdv_str *text);
/* Set the fault, unless one is set: printf-like. */
void rdv_members_fail(rdv_members *m, int code, const char *fmt, ...) RDV_PRINTF(3, 4);
