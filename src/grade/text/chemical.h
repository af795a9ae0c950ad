/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Chemical formulas: "H2O", "H_2O", "\mathrm{H_2O}", "SO_4^{2-}", "Ca(OH)2". */
#include "base/buf.h"

/* Write the formula in one notation into *out: symbols of elements, plain counts, brackets, and the
 * charge after '^'. The order of symbols and groups is as written. False: it is no formula, and
 * *out is not to be used. Linear. */
bool chemical_formula(rdv_str s, rdv_buf *out);
