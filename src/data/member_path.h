/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The place of a value in a record: a JSON Pointer (RFC 6901), "/choices/0/text"; or names with
 * points, "choices.0.text" or "choices[0].text", in which -1 is the last of a list. A member of the
 * record that is called exactly like the path goes before. */
#include "data/members.h"

#define RDV_MAX_PATH_PARTS 32

typedef struct rdv_member_path {
    const char *text; /* NULL: no path */
    bool pointer;
    size_t n;
    char *parts[RDV_MAX_PATH_PARTS]; /* each a member's name or an index */
} rdv_member_path;

/* Read `text`, which is borrowed; NULL gives no path. The parts are in `arena`. RDV_E_ARGUMENT: not
 * a path, the message says why; RDV_E_NOMEM. */
int rdv_member_path_read(rdv_member_path *path, const char *text, rdv_arena *arena, rdv_error *err);
/* The value at the path, owned by *in; NULL: there is none, or it cannot be decoded (then
 * in->fault is set). */
const json_t *rdv_member_path_find(const rdv_member_path *path, rdv_members *in);
