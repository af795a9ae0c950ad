/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The member of an answer that is JSON: --answer-member and --gold-member. */
#include "data/member_path.h"

/* The value at the path in the JSON object that `text` is, that its last fence (```) holds, or that
 * stands in it from its first brace to its last. A text is its characters; numbers, true, false,
 * lists and objects are their bytes as written; null is none. *value is in `arena`, or borrowed.
 * RDV_OK; RDV_NONE, and why in *reason, in `arena`; RDV_E_NOMEM. */
int answer_member_take(const rdv_member_path *path, rdv_str text, rdv_arena *arena, rdv_str *value,
                       rdv_str *reason, rdv_error *err);
