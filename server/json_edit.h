/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Changes to single members of JSON objects, of which all other bytes stay as they are. */
#include "base/buf.h"
#include "data/members.h"

/* Cut `object` into its members. Faults as rdv_members_read(), also for a name that stands twice.
 * rdv_members_free() releases *m. */
int json_edit_cut(rdv_str object, rdv_arena *arena, rdv_members *m, rdv_error *err);
/* The member of that name; NULL: there is none. */
const rdv_member *json_edit_find(const rdv_members *m, const char *name);

/* RDV_E_INPUT: in the object, or in those within it to that depth, a name stands twice, or it is
 * none. */
int json_edit_check_names(rdv_str object, int depth, rdv_arena *arena, rdv_error *err);

/* Each gives the changed object in `arena`, or `object` itself where nothing changes. Faults as
 * json_edit_cut(). `value` is JSON. */
int json_edit_remove(rdv_str object, const char *name, rdv_arena *arena, rdv_str *out,
                     rdv_error *err);
/* Replaces the member, or appends it. */
int json_edit_set(rdv_str object, const char *name, rdv_str value, rdv_arena *arena, rdv_str *out,
                  rdv_error *err);
/* Both: remove `removed`, which is not `name`, and set `name`. */
int json_edit_swap(rdv_str object, const char *removed, const char *name, rdv_str value,
                   rdv_arena *arena, rdv_str *out, rdv_error *err);
