/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What servers write into a response with status 200 to say that its reply is whole, was cut off,
 * or failed: one table of members and values (failures.c). Every response is compared with every
 * row, in whatever form it came; docs/servers.md shows the table. */
#include "model/parse.h"

typedef enum reply_says {
    SAYS_NOTHING,
    SAYS_WHOLE,
    SAYS_CUT_OFF,
    SAYS_FAILED, /* it is no reply, and the server would not call it an error */
    SAYS_ERROR   /* an error in place of a reply, which may pass */
} reply_says;

/* Where a row's members stand. */
typedef enum failure_place {
    PLACE_BODY,
    PLACE_CHOICE,
    PLACE_MESSAGE, /* or `delta` of a stream */
    N_FAILURE_PLACES
} failure_place;

/* What a row compares a member with, besides words. */
#define VALUE_GIVEN "(given)"         /* neither null, false nor an empty text */
#define VALUE_SOMETHING "(something)" /* neither that, nor 0, nor an empty list or object */
#define VALUE_TWO "(two of index 0)"  /* the choices: two of index 0 that differ */

typedef struct failure_row {
    failure_place place;
    const char *member;  /* a path, "a.*.b"; "*": any member or element */
    const char *value;   /* a text (letter case ignored), a number, "true", "false", or as above */
    reply_says says;     /* of a member the first row that holds counts */
    const char *servers; /* that write it, and where they say so */
} failure_row;

extern const failure_row failure_rows[];
extern const size_t n_failure_rows;

/* Where servers put what they take for thinking, which is no part of the reply, and what mends it
 * where that is all there is. */
typedef struct thought_row {
    const char *member; /* of the message */
    const char *mended_by;
} thought_row;

extern const thought_row thought_rows[];
extern const size_t n_thought_rows;

/* The member with which a server says how a reply ended. */
#define FINISH_MEMBER "finish_reason"

/* What the members of `object` at that place say: the worst of them. *row: the row that says it;
 * *value: the member's value, borrowed; both untouched with SAYS_NOTHING. A whole reply is said by
 * FINISH_MEMBER alone. */
reply_says failures_find(failure_place place, const json_t *object, const failure_row **row,
                         const json_t **value);
