/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* JSON as a tree of evidence: what a record says of its checks is read from one. jansson's trees
 * take ten times as long to make and to let go of. */
#include "data/members.h"

/* The value `text`, of right grammar and UTF-8, as a tree in `arena`; its names, and texts without
 * escapes, are slices of `text`. `numbers`: of each object that is the value of a member "evidence"
 * the numbers alone are read, for those who only count (most of a checked record is evidence),
 * unless jansson has to decode the text. RDV_OK; RDV_E_INPUT with the reason in err, as
 * rdv_decode(); RDV_E_NOMEM. */
int rdv_evidence_read(rdv_str text, bool numbers, rdv_arena *arena, rdv_evidence **out,
                      rdv_error *err);
/* The member of that name, which lives as long as `arena`; NULL: there is none, or it cannot be
 * decoded (then `fault` is set). */
const rdv_evidence *rdv_evidence_member(rdv_members *m, const char *name, bool numbers,
                                        rdv_arena *arena);
