/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Evidence, beside what the public header has. */
#include <rederive/chain.h>

/* Nothing: written as null. As rdv_note_map(). */
rdv_note *rdv_note_null(rdv_arena *arena, rdv_note *parent, rdv_str name);
