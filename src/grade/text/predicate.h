/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the last sentence of a reply says something to be, where gold is a name or a word. */
#include "grade/conclusion.h"

/* What it says behind its last verb: "Canberra" of "So the capital is Canberra." Empty: it has no
 * verb. */
rdv_str predicate_of(rdv_str text);
/* A name or word that the last clause states, "Jack is the tallest", "so it diverges"; where it
 * says nothing of it, *out stays as it is. *answer: the part of the text that decides. RDV_OK or a
 * fault. */
int predicate_weigh(const conclusion *c, rdv_arena *arena, rdv_str *answer, rdv_comparison *out,
                    rdv_error *err);
