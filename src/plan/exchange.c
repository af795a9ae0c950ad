/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/exchange.h"
#include "plan/plan.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <stdlib.h>

/* ---- keeping --------------------------------------------------------------------------------- */

static const char *role_name(rdv_role role)
{
    return role == RDV_SYSTEM ? "system" : role == RDV_USER ? "user" : "assistant";
}

/* All messages of a request, each below its role, or its text. */
static rdv_str text_of(const rdv_request *request, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < request->n_messages; i++) {
        if (request->n_messages > 1)
            rdv_buf_printf(&b, "%s[%s]\n", i ? "\n\n" : "", role_name(request->messages[i].role));
        rdv_buf_add(&b, request->messages[i].text);
    }
    rdv_buf_add(&b, request->text);
    for (size_t i = 0; i < request->n_steps; i++) {
        rdv_buf_add(&b, b.len ? RDV_STR("\n") : RDV_STR(""));
        rdv_buf_add(&b, request->steps[i]);
    }
    return rdv_buf_str(&b);
}

int graph_keep_request(graph *g, node *n, const rdv_request *request, rdv_error *err)
{
    if (!g->keeps_exchanges)
        return RDV_OK;
    rdv_exchange kept = {.stage = n->stage,
                         .chain = (size_t)(n->order >> 40),
                         .step = n->of_step ? n->step : RDV_WHOLE_CHAIN,
                         .asked = text_of(request, g->arena)};
    if (!kept.asked.p || !RDV_PUSH_ROOM(g->arena, g->exchanges, g->n_exchanges, g->cap_exchanges))
        return rdv_no_memory(err);
    n->exchange = g->n_exchanges;
    g->exchanges[g->n_exchanges++] = kept;
    return RDV_OK;
}

int graph_keep_reply(graph *g, const node *n, const rdv_reply *reply, rdv_error *err)
{
    if (!g->keeps_exchanges)
        return RDV_OK;
    rdv_exchange *kept = &g->exchanges[n->exchange];
    kept->reply = rdv_str_copy(g->arena, reply->text);
    kept->prompt_tokens = reply->prompt_tokens;
    kept->completion_tokens = reply->completion_tokens;
    return kept->reply.p ? RDV_OK : rdv_no_memory(err);
}

void graph_keep_why(graph *g, const node *n)
{
    if (g->keeps_exchanges)
        g->exchanges[n->exchange].why = n->why;
}

/* ---- showing --------------------------------------------------------------------------------- */

typedef struct place {
    rdv_exchange is;
    size_t at; /* qsort() may change the order of equal items */
} place;

static int by_place(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->is.chain != y->is.chain)
        return x->is.chain < y->is.chain ? -1 : 1;
    if (x->is.step != y->is.step)
        return x->is.step < y->is.step ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

int plan_sort_exchanges(rdv_plan *plan)
{
    graph *g = &plan->graph;
    size_t n = g->exchanges_sorted ? 0 : g->n_exchanges;
    place *places = n ? RDV_NEW_ARRAY(g->arena, place, n) : NULL;
    if (n && !places)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        places[i] = (place){g->exchanges[i], i};
    if (n)
        qsort(places, n, sizeof *places, by_place);
    for (size_t i = 0; i < n; i++)
        g->exchanges[i] = places[i].is;
    g->exchanges_sorted = true;
    return RDV_OK;
}

const rdv_exchange *plan_exchanges(const rdv_plan *plan, size_t *n)
{
    *n = plan->graph.n_exchanges;
    return *n ? plan->graph.exchanges : NULL;
}

/* The first exchange about a chain or a later one. */
static size_t first_of(const graph *g, size_t chain)
{
    size_t low = 0, high = g->n_exchanges;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->exchanges[middle].chain < chain)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const rdv_exchange *plan_exchanges_of(const rdv_plan *plan, size_t chain, size_t *n)
{
    size_t begin = first_of(&plan->graph, chain);
    *n = first_of(&plan->graph, chain + 1) - begin;
    return *n ? plan->graph.exchanges + begin : NULL;
}
