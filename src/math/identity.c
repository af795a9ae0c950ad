/* SPDX-License-Identifier: Apache-2.0 */
#include "math/decide.h"

static bool same_function(const fmpz_mpoly_ctx_t ctx, const function *l, const function *r)
{
    fmpz_mpoly_t a, b;
    fmpz_mpoly_init(a, ctx);
    fmpz_mpoly_init(b, ctx);
    fmpz_mpoly_mul(a, l->num, r->den, ctx);
    fmpz_mpoly_mul(b, r->num, l->den, ctx);
    bool same = fmpz_mpoly_equal(a, b, ctx);
    fmpz_mpoly_clear(a, ctx);
    fmpz_mpoly_clear(b, ctx);
    return same;
}

bool identity_holds(const knowledge *k, const expression *lhs, const expression *rhs)
{
    letters l = {.n = 0};
    if (!function_letters_add(&l, k->t, lhs->root) || !function_letters_add(&l, k->t, rhs->root))
        return false;
    fmpz_mpoly_ctx_t ctx;
    function fl, fr;
    fmpz_mpoly_ctx_init(ctx, (slong)l.n, ORD_LEX);
    function_init(&fl, ctx);
    function_init(&fr, ctx);
    evaluation ev = {.t = k->t, .budget = k->budget};
    bool is = function_eval(&ev, lhs->root, &l, ctx, &fl) == EVAL_OK &&
              function_eval(&ev, rhs->root, &l, ctx, &fr) == EVAL_OK &&
              same_function(ctx, &fl, &fr);
    function_clear(&fl, ctx);
    function_clear(&fr, ctx);
    fmpz_mpoly_ctx_clear(ctx);
    return is;
}
