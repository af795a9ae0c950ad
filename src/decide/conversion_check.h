/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Check conversions between units that the text states or uses as factors. */
#include "decide/calculator.h"

/* "5 minutes = 5/50 = 1/10 hours": a conversion that is worked out between its ends. Adds it where
 * it is wrong. RDV_OK or RDV_E_NOMEM. */
int conversion_check_ends(rdv_calculator *c, calc_list *out, const knowledge *k, size_t offset,
                          const equality *chain);

/* All conversions that are stated in words or used as a factor. RDV_OK or RDV_E_NOMEM. */
int conversion_check(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out);
