/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the last sentence of a reply says something to be, where gold is a name or a word. */
#include "grade/conclusion.h"

/* What it says behind its last verb: "Canberra" of "So the capital is Canberra." Empty: it has no
 * verb. */
rdv_str predicate_of(rdv_str text);
/* Weigh the phrases that the last sentence states, or the announced answer, where that says more
 * than *out. *answer: the part of the text that decides. RDV_OK or a fault. */
int stated_weigh(const conclusion *c, rdv_arena *arena, rdv_str *answer, rdv_comparison *out,
                 rdv_error *err);
