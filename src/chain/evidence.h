/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Evidence, beside what the public header has. */
#include <rederive/chain.h>

/* Nothing: written as null. As rdv_evidence_map(). */
rdv_evidence *rdv_evidence_null(rdv_arena *arena, rdv_evidence *parent, rdv_str name);
