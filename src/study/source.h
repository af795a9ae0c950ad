/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The source of a chain: who generated it, who checked it and in which profile, and its group (its
 * data set, unless the options name another member). No table mixes chains of several sources in
 * one row. docs/adr/0038 */
#include <rederive/study.h>

#include "base/map.h"

#define SOURCES_MAX 1024
/* The columns of a source after its group. */
#define SOURCE_COLUMNS COLUMN("generator", TEXT), COLUMN("checker", TEXT), COLUMN("profile", TEXT)

struct rdv_study;
struct study_chain;

/* p == NULL: not recorded, or of no concern to the table. */
typedef struct study_source {
    rdv_str generator, checker, profile, group;
} study_source;

/* The distinct sources, in order of appearance. */
typedef struct study_sources {
    rdv_arena *arena;
    study_source *of;
    size_t n, cap;
    rdv_map by_name;
    size_t latest; /* that was found, which the next chain usually has too */
} study_sources;

void sources_init(study_sources *sources, rdv_arena *arena);
/* Writes the number of a source, which is copied if it is new, to *out. RDV_OK, RDV_E_NOMEM,
 * RDV_E_LIMIT: it would be one more than SOURCES_MAX. */
int sources_find(study_sources *sources, const study_source *source, size_t *out, rdv_error *err);

/* The source that the chain's record names; texts live in one->scratch. RDV_OK or RDV_E_NOMEM. */
int source_of_chain(const struct rdv_study *study, const struct study_chain *one, study_source *out,
                    rdv_error *err);
/* The source of one check of that chain: a check may name its own checker and profile, where a
 * later check replaced those of the record. `check` may be NULL. */
study_source source_of_check(const study_source *chain, const rdv_check *check);

/* Fills four cells of a row: group, generator, checker, profile; returns the cell after them. */
rdv_cell *source_cells(rdv_cell *row, const study_source *source);
/* Hides a column from people, always, or where all rows have the same text in it. RDV_OK or
 * RDV_E_NOMEM. */
int source_hide(rdv_study_table *table, const char *head, bool always, rdv_error *err);

/* Hides the optional columns from "baseline" on, if there are such, where no row names a baseline.
 * RDV_NONE, with `why`: none does, and `asked` (NULL: nobody did) is wanted. RDV_OK, RDV_E_NOMEM.
 */
int source_baseline(rdv_study_table *table, const char *asked, const char *why, rdv_error *err);

/* ---- a chain that is read again -------------------------------------------------------------- */

/* What makes two records the same chain: the ids of the question and of the chain, and, unless
 * `by_id`, the steps and the answer, since two runs may have given the same ids. */
typedef struct chain_identity {
    uint64_t hash[2];
} chain_identity;

chain_identity identity_of(const rdv_chain *chain, bool by_id);
/* Looks for the chain in a place: a number of the family's own, of a row or of what it is taken
 * from. *at becomes its item there: `item` if it is new. RDV_OK or RDV_E_NOMEM. */
int study_seen(struct rdv_study *study, const chain_identity *chain, size_t place, size_t item,
               size_t *at);
/* For families without rows of sources: fails as study_refuse_again() if the chain, by its
 * generator, was learned or added before. A chain without an id is never taken for another. */
int study_refuse_seen(struct rdv_study *study, const struct study_chain *one, rdv_error *err);
/* Fails with RDV_E_ARGUMENT and says that the chain would count twice. `check`: of which check;
 * p == NULL: whatever the check. */
int study_refuse_again(const struct study_chain *one, const study_source *source, rdv_str check,
                       rdv_error *err);
