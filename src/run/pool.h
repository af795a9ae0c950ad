/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A pool: the servers of one model, any of which may answer a request for it. It chooses the server
 * for each call and knows which servers are set aside; the driver sends the calls.
 *
 * The choice is Finagle's "peak EWMA" (least expected time): of the servers that have room, the one
 * with the least (calls in flight + 1) * (running mean of a reply's time). Where all have as many
 * calls as they may, each gets the next call when it has answered one, so shares follow speed.
 *
 * A server whose calls fail three times in a row, or that cannot be connected to, is set aside: it
 * gets one call at a time after a pause, which doubles with each failure up to a minute. If all
 * that could answer a call are set aside, none is: they are treated as one server that fails. */
#include "run/call.h"
#include "run/context.h"

/* Calls that wait for a server. Pools with the same hosts share their lanes, so that the calls of
 * two models at one server start in the order of their requests. */
typedef struct lanes {
    call_queue any;  /* for any server */
    call_queue some; /* only for some of the servers, so they must not hold up the others */
} lanes;

struct pool {
    backend *members[RDV_MODEL_MOST_SERVERS];
    size_t n;
    lanes *lanes;
    run_context *run;
};

void pool_add(pool *p, backend *b);
/* Whether both have the same hosts, in any order. */
bool pool_same_hosts(const pool *a, const pool *b);

/* The server that is to be sent this call now; NULL: none can be. */
backend *pool_pick(const pool *p, const call *c, uint64_t now);
/* Milliseconds until a server can be sent this call (NULL: any call), 0: now; LIMIT_NEVER: not
 * before something else happens. */
uint64_t pool_wait(const pool *p, const call *c, uint64_t now);
/* Whether another server that works and takes calls now, and was not sent this call yet, may be
 * sent it. */
bool pool_has_other(const pool *p, const call *c);
/* The server `b` cannot be sent this call in the present form. */
void pool_unfit(call *c, const backend *b);
/* Whether a server of it may be asked for several choices at once. */
bool pool_asks_many(const pool *p);
/* A server gave no more than this number of choices at once. */
void backend_gives(backend *b, size_t choices);
/* Whether there is a server that can be sent it in the present form, now or later. */
bool pool_fits(const pool *p, const call *c);
/* The call was sent to the server `b`. */
void pool_tried(call *c, const backend *b);

/* ---- how its servers fare -------------------------------------------------------------------- */

/* A call at `b` failed because of the server. `at_once`: set it aside without a second failure. */
void pool_fault(pool *p, backend *b, bool at_once, const char *why);
/* `b` responded without a fault. */
void pool_works(pool *p, backend *b);
/* Whether a server other than `b` works. */
bool pool_others_work(const pool *p, const backend *b);
/* `b` refuses every request. True: it is left out, and others remain. */
bool pool_leave_out(pool *p, backend *b);
/* Whether no server of it was ever reached, and none is left to try. */
bool pool_unreachable(const pool *p);

/* Sums over its hosts; see struct host. */
uint64_t pool_answers(const pool *p);
uint64_t pool_responses(const pool *p);
uint64_t pool_given_up(const pool *p);
