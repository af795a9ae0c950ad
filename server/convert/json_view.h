/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* JSON that is read without decoding it: values are their bytes, so that texts and numbers come out
 * as they came in. Everything here reads well-formed JSON alone; borrowed from it. */
#include "base/str.h"

/* The next member of an object, or the next item of a list (then name->p == NULL), from *at on,
 * which begins with 0. Names are without quotes and not decoded. False: there is none. */
bool json_view_next(rdv_str of, size_t *at, rdv_str *name, rdv_str *value);
/* The member of that name; p == NULL: there is none, or it is null, or `object` is none. */
rdv_str json_view_member(rdv_str object, const char *name);
/* Whether it is that text. */
bool json_view_is(rdv_str value, const char *text);
/* Whether it is absent, null, false, 0, or an empty text, list or object. */
bool json_view_is_nothing(rdv_str value);
/* What stands between the quotes of a text; empty for all else. */
rdv_str json_view_inner(rdv_str text);
/* The number as a count; 0: it is none. */
uint64_t json_view_count(rdv_str number);
/* The text, decoded. RDV_OK; RDV_E_INPUT: it is none; RDV_E_NOMEM. */
int json_view_text(rdv_str value, rdv_arena *arena, rdv_str *text);

typedef enum view_kind {
    VIEW_TEXT,
    VIEW_NUMBER,
    VIEW_FLAG,
    VIEW_OBJECT,
    VIEW_LIST,
    VIEW_ANY,
    VIEW_NOTHING, /* only what json_view_is_nothing() */
    VIEW_DROPPED  /* it has nothing that a conversion keeps */
} view_kind;

/* A member that an object may have, and where in a struct its rdv_str goes. */
typedef struct view_field {
    const char *name;
    view_kind kind;
    size_t at;
} view_field;

/* The field for a member of a struct that has the same name; how many fields there are. */
#define VIEW_FIELD(type, member, kind)                                                             \
    {                                                                                              \
#member, kind, offsetof(type, member)                                                      \
    }
#define VIEW_N(fields) (sizeof(fields) / sizeof *(fields))
/* Of a name that is not known as much as a message shows, for "%.*s". */
#define VIEW_SHOWN(name) RDV_FMT(rdv_str_head(name, 60))

typedef enum view_unknown {
    VIEW_REFUSE,        /* a name that is in no field is a fault, unless its value is null */
    VIEW_REFUSE_FILLED, /* unless json_view_is_nothing() */
    VIEW_IGNORE
} view_unknown;

/* Why an object could not be read: "'seed' is not known here". */
typedef struct view_fault {
    char text[160];
} view_fault;

/* Read an object into a zeroed struct; null is as absent. False: *why says why. */
bool view_read(rdv_str object, const view_field *fields, size_t n, view_unknown unknown, void *into,
               view_fault *why);
/* Whether it has only members that are in `names`, "type text": a list of those of its own type. */
bool view_has_only(const view_field *fields, size_t n, const void *of, const char *names,
                   view_fault *why);
/* The reason as a fault of input; RDV_E_INPUT. */
int view_refuse(rdv_error *err, const view_fault *why);
/* Set the reason, and return false. */
bool view_fail(view_fault *why, const char *fmt, ...) RDV_PRINTF(2, 3);
