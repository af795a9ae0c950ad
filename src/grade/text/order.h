/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Lists whose order counts. Linear in the texts. */
#include <rederive/answer.h>

/* Does a question ask for values in an order? */
typedef enum order_asked {
    ORDER_NOT,
    ORDER_PERHAPS, /* "the sequence", "in order" */
    ORDER_ASKED    /* "from the least to the greatest", "rank" */
} order_asked;

order_asked order_is_asked(rdv_str question);
/* Two lists of the same names, "B < C < A", "From the shortest: B, C, A", whose order counts by
 * their signs or by the question, into *is; false: they are none. */
bool order_compare(rdv_str answer, rdv_str gold, rdv_str question, rdv_same *is);
/* Does a sentence speak of an order before its value, a list of gold's numbers in another one: "In
 * ascending order: 1, 3, 2"? */
bool order_is_other(rdv_str sentence, rdv_str value, rdv_str gold);
