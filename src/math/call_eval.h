/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The values of functions that are written by name; their nodes are call.h's. */
#include "math/eval.h"

#include <arb.h>

/* As eval_exact() and real.c's ball(), of an N_CALL, N_SUM or N_MOD. */
eval_is call_exact(evaluation *ev, const node *n, fmpq_t out);
eval_is call_ball(evaluation *ev, const node *n, eval_is (*ball)(evaluation *, const node *, arb_t),
                  slong precision, arb_t out);
