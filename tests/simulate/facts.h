/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a world was, in a line: what changes of the driver must not change unseen. */
#include "world.h"

#define FACTS_LINE 1024
#define FACTS_ENDS 64

typedef struct facts {
    rdv_run_totals sums;   /* over all runs of the world */
    char ends[FACTS_ENDS]; /* how each ended, a letter each; those after the last are not kept */
    size_t n_ends;
    uint32_t kind; /* of the work */
    uint64_t now, notes[N_THEMES];
} facts;

/* A run has ended. */
void facts_add(facts *f, const rdv_run_totals *totals, rdv_run_end end);
/* The world has ended. */
void facts_close(facts *f, const world *w, uint32_t kind);
/* The line of a world, and the one that names its columns. */
void facts_write(const facts *f, uint64_t seed, char *line, size_t size);
const char *facts_head(void);
