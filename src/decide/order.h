/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Which of two numbers is greater: how it is written, whether it is so, and how it is said. */
#include <rederive/base.h>

typedef enum order_is {
    ORDER_NONE,
    ORDER_LESS,
    ORDER_MORE,
    ORDER_AT_MOST,
    ORDER_AT_LEAST,
    ORDER_UNEQUAL
} order_is;

/* What the sign says, "<", "\geq", "≠"; ORDER_NONE: it is no sign of order. */
order_is order_of_sign(rdv_str sign);

/* Is it so where the first number less the second has this sign: -1, 0 or 1? */
bool order_holds(order_is is, int sign);

/* "greater than", "equal to": of numbers whose difference has this sign. */
const char *order_found(int sign);

/* What holds where it does not: "at most" of "greater than". Not of ORDER_UNEQUAL. */
order_is order_denied(order_is is);

/* "greater than", "at least": what is said. ORDER_NONE: "". */
const char *order_said(order_is is);
