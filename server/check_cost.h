/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a check that asks a model uses, in the account of who asked for it: reserved before it
 * begins, and settled when it has ended. On the loop's thread. */
#include "server/access.h"
#include "server/serve_options.h"

struct uv_loop_s;

/* The time of accounts; loop: NULL: there is none. */
usage_time check_cost_time(const struct uv_loop_s *loop);

/* Zero-initialise. */
typedef struct check_cost {
    access_holder *holder; /* outlives it */
    const serve_model *checker;
    uint64_t tokens;       /* most */
    usage_amount reserved; /* valid if it is reserved */
    bool is_reserved;
} check_cost;

/* Set the first three before. False: the limits of the key do not allow it; *e says why. */
bool check_cost_reserve(check_cost *c, usage_time now, api_error *e);
/* Count what was used; known: false: all that was reserved. Nothing where nothing is reserved. */
void check_cost_settle(check_cost *c, bool known, uint64_t in, uint64_t out, usage_time now);
