/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the holder of a key has used, and what it may still use: requests to models, their tokens,
 * and their cost. What a request may use at most is reserved before it is sent (docs/adr/0076), and
 * what it used takes the place of that. No sockets and no clock. */
#include "server/api_error.h"

#define USAGE_DOLLAR ((uint64_t)1000000000000) /* the unit of costs: 10^-12 dollars */

typedef struct usage_amount {
    uint64_t tokens;
    uint64_t cost; /* USAGE_DOLLAR is one */
} usage_amount;

/* 0: no limit. Days are those of UTC. */
typedef struct usage_limits {
    uint32_t per_minute; /* requests; as many may come at once */
    uint32_t at_once;    /* requests that are being answered */
    uint32_t per_day;    /* requests */
    usage_amount day;
} usage_limits;

typedef struct usage_time {
    uint64_t ms; /* of a clock that never goes back */
    int64_t day; /* since 1970 */
    unsigned s;  /* of the day */
} usage_time;

typedef struct usage {
    size_t holds;
    double left;    /* requests that may still come, */
    uint64_t at_ms; /* at this time; 0: none came */
    size_t open;    /* requests that are being answered */
    int64_t day;    /* of the two below */
    uint32_t requests;
    usage_amount spent;
    usage_amount reserved; /* by those that are being answered */
    /* Since the start of the server. */
    uint64_t all_requests, all_cost;
    uint64_t all_tokens[2]; /* as a model's server counted them; estimated */
} usage;

/* Held once. NULL: out of memory. */
usage *usage_new(void);
usage *usage_hold(usage *u);
/* The last release frees it. NULL and *NULL are accepted. */
void usage_release(usage **u);
/* The time by that clock, and by time(). */
usage_time usage_time_of(uint64_t ms, int64_t unix_s);

/* Tokens of a request and its reply, with the prices of one token each. */
usage_amount usage_amount_of(uint64_t in, uint64_t price_in, uint64_t out, uint64_t price_out);

/* Whether one more request may come, which then counts until usage_leave(). False: *e is the error,
 * with the time to wait. */
bool usage_enter(usage *u, const usage_limits *limits, usage_time now, api_error *e);
void usage_leave(usage *u);
/* Whether a request that may use that much may be sent. *reserved: what usage_settle() gives back,
 * which has nothing where nothing is limited. False: as above. */
bool usage_reserve(usage *u, const usage_limits *limits, usage_amount most, usage_time now,
                   usage_amount *reserved, api_error *e);
/* What was reserved was used as far as `used` says. */
void usage_settle(usage *u, usage_amount reserved, usage_amount used, bool estimated,
                  usage_time now);
