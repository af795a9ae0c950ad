/* SPDX-License-Identifier: Apache-2.0 */
#include "usage_table.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"

#include <inttypes.h>
#include <stdio.h>

void usage_table_init(struct usage_table *usage, rdv_arena *arena)
{
    *usage = (struct usage_table){.arena = arena};
    rdv_map_init(&usage->by_name, arena);
}

/* The row of that stage and model, created if missing. NULL: out of memory. */
static struct usage_row *row_of(struct usage_table *l, rdv_str stage, rdv_str model)
{
    char name[512];
    int len = snprintf(name, sizeof name, "%.*s\n%.*s", RDV_FMT(stage), RDV_FMT(model));
    rdv_str key = {name, len < 0 ? 0 : (size_t)len < sizeof name ? (size_t)len : sizeof name - 1};
    size_t at = rdv_map_get(&l->by_name, key);
    if (at != RDV_MAP_MISSING)
        return &l->rows[at];
    key = rdv_str_copy(l->arena, key);
    struct usage_row row = {.stage = rdv_str_copy(l->arena, stage),
                            .model = rdv_str_copy(l->arena, model)};
    if (!key.p || !row.stage.p || !row.model.p || !RDV_PUSH_ROOM(l->arena, l->rows, l->n, l->cap) ||
        rdv_map_put(&l->by_name, key, l->n) != RDV_OK)
        return NULL;
    l->rows[l->n] = row;
    return &l->rows[l->n++];
}

void usage_table_add(struct usage_table *usage, rdv_str stage, rdv_str model,
                     uint64_t prompt_tokens, uint64_t completion_tokens)
{
    struct usage_row *row = row_of(usage, stage, model);
    if (!row) {
        usage->failed = true;
        return;
    }
    row->replies++;
    row->prompt_tokens += prompt_tokens;
    row->completion_tokens += completion_tokens;
}

struct usage_row usage_table_sum(const struct usage_table *usage)
{
    struct usage_row sum = {0};
    for (size_t i = 0; i < usage->n; i++) {
        sum.replies += usage->rows[i].replies;
        sum.prompt_tokens += usage->rows[i].prompt_tokens;
        sum.completion_tokens += usage->rows[i].completion_tokens;
    }
    return sum;
}

double usage_table_cost(const struct usage_row *row, struct prices prices)
{
    return ((double)row->prompt_tokens * prices.in + (double)row->completion_tokens * prices.out) /
           1e6;
}

static bool priced(struct prices prices)
{
    return prices.in > 0 || prices.out > 0;
}

/* ---- as a table ------------------------------------------------------------------------------ */

static void table_row(rdv_table *table, const struct usage_row *row, struct prices prices)
{
    rdv_table_cell(table, row->stage);
    rdv_table_cell(table, row->model);
    rdv_table_cellf(table, "%" PRIu64, row->replies);
    rdv_table_cellf(table, "%" PRIu64, row->prompt_tokens);
    rdv_table_cellf(table, "%" PRIu64, row->completion_tokens);
    if (priced(prices))
        rdv_table_cellf(table, "%.4f", usage_table_cost(row, prices));
}

int usage_table_print(const struct usage_table *usage, const char *replies, struct prices prices,
                      const struct usage_row *more, size_t n_more, const rdv_view_options *view,
                      rdv_str *out, rdv_error *err)
{
    char head[32];
    snprintf(head, sizeof head, ">%s", replies);
    const char *heads[] = {"stage", "model", head, ">tokens in", ">tokens out", ">cost ($)"};
    struct usage_row sum = usage_table_sum(usage);
    sum.stage = RDV_STR("all");
    rdv_table *table = rdv_table_new(usage->arena, heads, priced(prices) ? 6 : 5);
    if (!table || usage->failed)
        return rdv_no_memory(err);
    for (size_t i = 0; i < usage->n; i++)
        table_row(table, &usage->rows[i], prices);
    table_row(table, &sum, prices);
    for (size_t i = 0; i < n_more; i++)
        table_row(table, &more[i], prices);
    return rdv_table_print(table, view, out, err);
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static void json_row(rdv_buf *b, const struct usage_row *row, const char *replies,
                     struct prices prices)
{
    rdv_json_put_number(b, replies, (double)row->replies);
    rdv_json_put_number(b, "prompt_tokens", (double)row->prompt_tokens);
    rdv_json_put_number(b, "completion_tokens", (double)row->completion_tokens);
    if (priced(prices))
        rdv_json_put_number(b, "cost_usd", usage_table_cost(row, prices));
}

int usage_table_json(const struct usage_table *usage, const char *replies, struct prices prices,
                     const struct usage_row *more, size_t n_more, rdv_str *out, rdv_error *err)
{
    rdv_buf b;
    struct usage_row sum = usage_table_sum(usage);
    rdv_buf_init(&b, usage->arena, 0);
    rdv_buf_add_char(&b, '{');
    json_row(&b, &sum, replies, prices);
    for (size_t i = 0; i < n_more; i++) {
        rdv_json_name(&b, more[i].stage);
        rdv_buf_add_char(&b, '{');
        json_row(&b, &more[i], replies, prices);
        rdv_buf_add_char(&b, '}');
    }
    rdv_buf_lit(&b, ",\"stages\":[");
    for (size_t i = 0; i < usage->n; i++) {
        rdv_buf_add(&b, i ? RDV_STR(",{") : RDV_STR("{"));
        rdv_json_put_text(&b, "stage", usage->rows[i].stage);
        rdv_json_put_text(&b, "model", usage->rows[i].model);
        json_row(&b, &usage->rows[i], replies, prices);
        rdv_buf_add_char(&b, '}');
    }
    rdv_buf_lit(&b, "]}\n");
    *out = rdv_buf_str(&b);
    return out->p && !usage->failed ? RDV_OK : rdv_no_memory(err);
}
