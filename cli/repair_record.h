/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The outcome of a repair, as members of a record. */
#include <rederive/repair.h>

#include "base/buf.h"

/* Write `"repair":{...},"repairs":[...]`. `was`: the chain before the repair; `locator`: the
 * locator's name; `generator`: the model that regenerates, in that profile; `keep`: the
 * rule that took or refused a new trace. */
void repair_members(rdv_buf *b, const rdv_repaired *repaired, const rdv_chain *was, rdv_str locator,
                    rdv_str generator, rdv_str profile, rdv_keep_kind keep);
