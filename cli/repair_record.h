/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a repair did, as members of a record. */
#include <rederive/repair.h>

#include "base/buf.h"

/* `"repair":{...},"repairs":[...]`. `was`: the chain as it came; `locator`: its name. */
void repair_members(rdv_buf *b, const rdv_repaired *repaired, const rdv_chain *was,
                    rdv_str locator);
