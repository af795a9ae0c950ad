/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The usage by stage and model. */
#include "base/map.h"
#include "report/report.h"

struct usage_row {
    rdv_str stage, model;
    uint64_t replies;
    uint64_t prompt_tokens, completion_tokens;
};

/* Zero-initialise, then usage_table_init(). */
struct usage_table {
    rdv_arena *arena;
    struct usage_row *rows; /* in order of first appearance */
    size_t n, cap;
    rdv_map by_name;
    bool failed; /* out of memory: some replies were not added */
};

/* Dollars per million tokens; both 0: no cost is shown. */
struct prices {
    double in, out;
};

void usage_table_init(struct usage_table *usage, rdv_arena *arena);
/* Add one reply; names are copied. */
void usage_table_add(struct usage_table *usage, rdv_str stage, rdv_str model,
                     uint64_t prompt_tokens, uint64_t completion_tokens);
/* The sum of all rows; its names are absent. */
struct usage_row usage_table_sum(const struct usage_table *usage);
/* What a row costs, in dollars. */
double usage_table_cost(const struct usage_row *row, struct prices prices);
/* Write the usage as a table with a row of sums, or as one line of JSON; `replies`: the word for
 * replies ("calls"). more: n_more further sums that follow, each named by its stage. *out: in the
 * usage's arena. RDV_E_NOMEM. */
int usage_table_print(const struct usage_table *usage, const char *replies, struct prices prices,
                      const struct usage_row *more, size_t n_more, const rdv_view_options *view,
                      rdv_str *out, rdv_error *err);
int usage_table_json(const struct usage_table *usage, const char *replies, struct prices prices,
                     const struct usage_row *more, size_t n_more, rdv_str *out, rdv_error *err);
