/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Equations in letters that can be read in one way only. */
#include "claims/find.h"

static inline const expression *equation_left(const equality *e)
{
    return &e->term[0];
}

static inline const expression *equation_right(const equality *e)
{
    return &e->term[e->n - 1];
}

static inline rdv_str equation_text(const tokens *t, const equality *e)
{
    return rdv_slice(t->text, t->at[equation_left(e)->begin].begin,
                     t->at[equation_right(e)->end - 1].end);
}

/* Is it an equation in letters without words, units, functions or a sign of percent, of which all
 * that stands beside it was read? */
bool equation_is_plain(const tokens *t, const equality *e);

/* "70x /18*8": does what divides go on with a sign of multiplication, so that the next factor may
 * belong to the divisor? */
bool equation_divisor_may_go_on(const tokens *t, const equality *e);
