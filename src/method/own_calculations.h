/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The calculations that a reply itself makes. */
#include "method/check.h"

/* Is one of them proven wrong? What the reply reports, denies or takes back is none of its own
 * (rules/context.rules): "The step gives 17 - 8 = 8." RDV_OK: none is; RDV_NONE, with *why in
 * `arena`: one is. Reads the first 16 KiB, with the calculator of the chain's question, for
 * options.check->step_ms (usually without a limit); a reply that takes longer has none.
 * RDV_E_NOMEM. */
int own_calculations_hold(const step_result *r, rdv_arena *arena, rdv_str *why, rdv_error *err);
