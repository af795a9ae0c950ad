/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A value as a person would write it beside what a text claims: in the claim's unit, as a fraction
 * where the claim is one, in percent, with a multiple of pi. */
#include "expression/eval.h"

/* `value`, which should stand in place of `claim`, whose value is `claimed`; `real`: it is near a
 * value that is not rational. p == NULL when out of memory. */
rdv_str format_value(const tokens *t, const expression *claim, const fmpq_t claimed,
                     const fmpq_t value, bool real, rdv_arena *arena);

/* What `claim` says, as written where it shows a single number. */
rdv_str format_claim(const tokens *t, const expression *claim, const fmpq_t claimed, bool real,
                     rdv_arena *arena);
