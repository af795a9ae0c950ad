/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Objects in a fixed order: statements about them, and the orders that are left when some hold. */
#include "task/follow.h"

#define ORDER_MAX 7 /* objects: 5040 orders */

/* Sets of objects or of places (from 0), one bit each. */
typedef uint32_t order_set;

typedef enum order_claim_is {
    ORDER_IN,     /* object a stands in one of the places `set` */
    ORDER_BEFORE, /* object a stands before object b */
    ORDER_HOLDS,  /* place a is held by one of the objects `set` */
    ORDER_OF_N    /* there are `a` objects in all */
} order_claim_is;

typedef struct order_claim {
    order_claim_is is;
    size_t a, b;
    order_set set;
    bool possible; /* it only says that this can be */
} order_claim;

/* ---- words ----------------------------------------------------------------------------------- */

typedef struct order_words {
    rdv_str names[ORDER_MAX]; /* without articles */
    size_t n;
    rdv_str kind;   /* what they all are, in the plural: "books"; empty where it is not said */
    size_t subject; /* what "it" is: the latest object that something was said of */
} order_words;

/* "X is to the left of Y", "X must be third", "the leftmost book is X", "there are two books to the
 * left of X". False, with nothing consumed: none of these, or it ends in a word that changes it. */
bool follow_order_claim(order_words *w, scan *c, order_claim *out);
/* "from left to right", up to the colon: does the order begin at place 0? *said: the direction,
 * without what else stands before the colon. */
bool follow_order_direction(scan *c, bool *forward, rdv_str *said);

typedef enum order_slot_is {
    ORDER_SLOT_HELD, /* by one of `objects` */
    ORDER_SLOT_ANY,  /* "can be any book" */
    ORDER_SLOT_SELF, /* "is the cheapest book": what stands at `place` */
    ORDER_SLOT_OPEN  /* "is the remaining book", "is a book": nothing is said of it */
} order_slot_is;

/* "third, fourth, and fifth can be any book" */
typedef struct order_slot {
    order_slot_is is;
    size_t places[ORDER_MAX]; /* as written, from 0 */
    size_t n_places;
    size_t place; /* ORDER_SLOT_SELF: from the front of all orders */
    bool beyond;  /* a place that does not exist is among them, and not in `places` */
    bool either;  /* "third or fourth is X" */
    order_set objects;
} order_slot;

/* The next of them; false: it could not be read. */
bool follow_order_slot(const order_words *w, scan *c, order_slot *out);

/* ---- orders ---------------------------------------------------------------------------------- */

typedef struct orders {
    size_t n, n_left;
    uint8_t (*place)[ORDER_MAX]; /* of each object, in each order that is left */
} orders;

/* All orders of n objects; false: out of memory. */
bool follow_orders_all(orders *o, size_t n, rdv_arena *arena);
/* Keep those in which the claim holds. */
void follow_orders_keep(orders *o, const order_claim *claim);
/* Does it hold in all that are left? In any? */
bool follow_orders_all_have(const orders *o, const order_claim *claim);
bool follow_orders_any_has(const orders *o, const order_claim *claim);
/* The objects that can hold a place. */
order_set follow_orders_holders(const orders *o, size_t place);
