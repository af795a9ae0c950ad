/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of calculations in replies of a model, which are hostile text. Sides are bounded; what is
 * listed is decided without fault. */
#include "decide/claim.h"
#include "reply/reply.h"

#include "base/str.h"

#include <stdlib.h>

#define MOST_DECIDED 8

static void decide(const reply_claim *claims, size_t n, rdv_arena *arena)
{
    rdv_calculator *calculator = rdv_calculator_new(arena, (rdv_str){0});
    for (size_t i = 0; calculator && i < n && i < MOST_DECIDED; i++) {
        math_claimed claimed;
        int rc = math_claim(calculator, claims[i].lhs, claims[i].op, claims[i].rhs, &claimed, NULL);
        if (rc > RDV_OK && rc != RDV_NONE)
            abort();
    }
    rdv_calculator_free(&calculator);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_str reply = {(const char *)data, size};
    rdv_arena *arena = rdv_arena_new((size_t)1 << 28);
    reply_claim *claims;
    size_t n;
    if (!arena)
        return 0;
    if (reply_claims(reply, arena, &claims, &n) == RDV_OK) {
        if (n > REPLY_CLAIMS_MAX)
            abort();
        for (size_t i = 0; i < n; i++)
            if (!claims[i].lhs.p || !claims[i].op.p || !claims[i].rhs.p || claims[i].lhs.len > 1000)
                abort();
        decide(claims, n, arena);
    }
    rdv_arena_free(&arena);
    return 0;
}
