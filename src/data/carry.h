/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a record says of its question that this program does not know. */
#include "base/buf.h"
#include "data/members.h"

/* Writes the members of a record of a question that tell neither of a solution nor of a check and
 * that the program does not write itself, such as "dataset", to `b`, where they continue an open
 * object. A lack of memory is sticky in `b`. */
void rdv_carry_unknown(const rdv_members *members, rdv_buf *b);
/* The same for the text of a record, which may be absent. RDV_OK, or RDV_E_NOMEM and RDV_E_INPUT
 * with err. */
int rdv_carry_members(rdv_str raw, rdv_arena *arena, rdv_buf *b, rdv_error *err);
