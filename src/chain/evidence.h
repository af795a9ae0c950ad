/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Internal functions on evidence, in addition to the public header. */
#include <rederive/chain.h>

/* Adds a value written as null. As rdv_evidence_map(). */
rdv_evidence *rdv_evidence_null(rdv_arena *arena, rdv_evidence *parent, rdv_str name);
