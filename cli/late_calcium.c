/* SPDX-License-Identifier: Apache-2.0 */
/* Calcium, opened for the first algebraic number of a formula. Debian 12 has it as a library of its
 * own; FLINT 3 holds it, and then this file is not built. */
#include "late.h"

#include <calcium/qqbar.h>

static const late_library calcium = {.files = LATE_FILES("calcium", "libcalcium.so.0"),
                                     .needed_for = "algebraic numbers"};

#define QQBAR(type, name, parameters, arguments)                                                   \
    LATE_FUNCTION(calcium, type, qqbar_##name, parameters, arguments)

QQBAR(void, init, (qqbar_t out), (out))
QQBAR(void, clear, (qqbar_t x), (x))
QQBAR(void, swap, (qqbar_t x, qqbar_t y), (x, y))
QQBAR(void, set, (qqbar_t out, const qqbar_t x), (out, x))
QQBAR(void, i, (qqbar_t out), (out))
QQBAR(void, neg, (qqbar_t out, const qqbar_t x), (out, x))
QQBAR(void, mul_ui, (qqbar_t out, const qqbar_t x, ulong y), (out, x, y))
QQBAR(void, div, (qqbar_t out, const qqbar_t x, const qqbar_t y), (out, x, y))
QQBAR(void, root_ui, (qqbar_t out, const qqbar_t x, ulong n), (out, x, n))
QQBAR(void, fmpq_root_ui, (qqbar_t out, const fmpq_t x, ulong n), (out, x, n))
QQBAR(void, cos_pi, (qqbar_t out, slong p, ulong q), (out, p, q))
QQBAR(int, evaluate_fmpz_mpoly,
      (qqbar_t out, const fmpz_mpoly_t f, qqbar_srcptr x, slong most_degree, slong most_bits,
       const fmpz_mpoly_ctx_t context),
      (out, f, x, most_degree, most_bits, context))
QQBAR(void, conjugates, (qqbar_ptr out, const qqbar_t x), (out, x))
QQBAR(int, equal, (const qqbar_t x, const qqbar_t y), (x, y))
QQBAR(int, sgn_re, (const qqbar_t x), (x))
QQBAR(int, sgn_im, (const qqbar_t x), (x))
QQBAR(slong, height_bits, (const qqbar_t x), (x))
QQBAR(void, get_fmpq, (fmpq_t out, const qqbar_t x), (out, x))
QQBAR(void, get_quadratic, (fmpz_t a, fmpz_t b, fmpz_t c, fmpz_t q, const qqbar_t x, int factoring),
      (a, b, c, q, x, factoring))
