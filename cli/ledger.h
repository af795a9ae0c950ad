/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An account of replies by stage and model. */
#include "base/map.h"
#include "report/report.h"

struct ledger_row {
    rdv_str stage, model;
    uint64_t replies;
    uint64_t prompt_tokens, completion_tokens;
};

/* Zero-initialise, then ledger_init(). */
struct ledger {
    rdv_arena *arena;
    struct ledger_row *rows; /* in the order in which they were first seen */
    size_t n, cap;
    rdv_map by_name;
    bool failed; /* out of memory: what ledger_add() was told is not all there */
};

/* Dollars a million tokens; both 0: no cost is shown. */
struct prices {
    double in, out;
};

void ledger_init(struct ledger *ledger, rdv_arena *arena);
/* One reply; names are copied. */
void ledger_add(struct ledger *ledger, rdv_str stage, rdv_str model, uint64_t prompt_tokens,
                uint64_t completion_tokens);
/* The sum of all rows; its names are absent. */
struct ledger_row ledger_sum(const struct ledger *ledger);
/* What a row costs, in dollars. */
double ledger_cost(const struct ledger_row *row, struct prices prices);
/* As a table with a row of sums, or as one line of JSON; `replies` is what the replies are called
 * ("calls"). more: n_more further sums, each named by its stage, which follow. *out: in the
 * ledger's arena. RDV_E_NOMEM. */
int ledger_table(const struct ledger *ledger, const char *replies, struct prices prices,
                 const struct ledger_row *more, size_t n_more, const rdv_view_options *view,
                 rdv_str *out, rdv_error *err);
int ledger_json(const struct ledger *ledger, const char *replies, struct prices prices,
                const struct ledger_row *more, size_t n_more, rdv_str *out, rdv_error *err);
