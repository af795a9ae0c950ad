/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* One world, run until its work is done. */
#include "../sanitized.h"
#include "facts.h"
#include "world.h"

/* Whether the C library's count of what is in use can be trusted. */
#define COUNTS_MEMORY (!SANITIZED)

/* What a world was, when it has passed. */
typedef struct summary {
    uint64_t calls, faults, crashes, sessions, changes, simulated_ms;
    char fault[1024];
    const char *promise; /* which was broken; NULL: none */
    facts facts;
} summary;

/* Run the world of a seed, with these settings. tell: print what happens. The first promise that
 * was broken is in out->fault. */
void simulate(uint64_t seed, const settings *set, bool tell, summary *out);
/* The same; it is also a promise that memory is back to where it was. */
void simulate_and_count(uint64_t seed, const settings *set, bool tell, summary *out);
