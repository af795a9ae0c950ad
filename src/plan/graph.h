/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The graph of a plan: nodes that wait for other nodes, and groups that call back when all their
 * nodes are settled. A node is one question to a model; if its reply is unreadable, it is asked
 * again with another try number. Nothing here depends on the order of replies: a callback must
 * decide from the values and positions of nodes only. */
#include "plan/exchange.h"

typedef struct graph graph;
typedef struct node node;
typedef struct node_group node_group;

typedef enum node_state {
    NODE_WAITING, /* for other nodes */
    NODE_READY,
    NODE_OUT,      /* handed out */
    NODE_ANSWERED, /* its reply was read */
    NODE_UNKNOWN,  /* no reply, or no readable reply: see node.why */
    NODE_DROPPED   /* cancelled: its value is never used */
} node_state;

/* The behaviour of a kind of node. Static. `read` gets a reply only if its server reports it
 * complete and it is not empty. */
typedef struct node_kind {
    /* Fill in the request (except id, key, stage and sample), everything in `arena`, which lives
     * until the request is answered. RDV_NONE with node->why set to a text that lives as long as
     * the graph: an input is unknown, so the node is unknown too. */
    int (*ask)(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err);
    /* Read the reply, keeping copies in `arena`. RDV_NONE: it is unreadable. */
    int (*read)(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err);
    /* Keep what can be shown of a reply that was cut off and is not read. Usually NULL. */
    int (*keep_cut_off)(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err);
    bool one_token; /* a single token is requested: a reply that was cut off after it is complete */
    bool numbers;   /* log-probabilities or rewards are read: the text and how it ended are
                       ignored */
} node_kind;

struct node {
    const node_kind *kind;
    void *data;     /* the kind's own */
    rdv_str stage;  /* "selfcheck/target" */
    rdv_str sample; /* "chain 3, step 2, sample 0"; unique among nodes with the same request */
    rdv_str dry;    /* a plausible reply */
    uint64_t order; /* nodes with a smaller order are handed out first: see graph_order(); of
                       equals the one that was added first */
    unsigned tries; /* maximum number of tries, at least 1 */
    bool of_step;   /* the request is about the step `step`, else about the chain */
    size_t step;
    /* Kept by the graph: */
    uint64_t number; /* in the order of graph_add() */
    node_state state;
    rdv_str why;                               /* NODE_UNKNOWN: the reason, one line */
    bool failed; /* NODE_UNKNOWN: its call got no reply, or one that the server does not call whole
                    (a filter, an error, nothing); a reply that was cut off is not among them */
    unsigned asked;                            /* times handed out */
    uint64_t prompt_tokens, completion_tokens; /* of all its replies */
    uint64_t request;                          /* id of the latest request */
    size_t exchange;                           /* index of the latest one, if they are kept */
    rdv_arena *rendered;                       /* holds the latest request; NULL: it is answered */
    rdv_model_role party;                      /* model role of the latest request */
    bool cancelled;                            /* the latest request was cancelled while in
                                                  flight */
    bool needed;                               /* the result rests on it: node_need() */
    bool same_again;                           /* a repeated request would get the same reply */
    size_t waiting;
    node **dependents;
    size_t n_dependents, cap_dependents;
    node_group *group;
};

struct node_group {
    /* Called once, when every node of the group is settled. */
    int (*settled)(graph *g, node_group *group, rdv_error *err);
    void *data;
    size_t open; /* nodes not settled, and 1 until the group is sealed */
};

struct graph {
    rdv_arena *arena;
    node **ready; /* a heap by order */
    size_t n_ready, cap_ready;
    node **asked; /* by request id */
    size_t n_asked, cap_asked;
    node **settled; /* a stack of nodes whose dependents have not been notified */
    size_t n_settled, cap_settled;
    uint64_t *cancelled; /* requests to cancel, not yet reported */
    size_t n_cancelled, cap_cancelled, next_cancelled;
    rdv_arena **arenas; /* of requests: a prompt is kept only until it is answered */
    size_t n_arenas, cap_arenas;
    rdv_arena **spare; /* arenas of answered requests, with as many places as there are arenas */
    size_t n_spare, cap_spare;
    uint64_t n_added;
    size_t n_open; /* nodes that are ready or in flight */
    rdv_failure closed_by;
    bool closed;
    bool keeps_exchanges, exchanges_sorted;
    rdv_exchange *exchanges;
    size_t n_exchanges, cap_exchanges;
};

void graph_init(graph *g, rdv_arena *arena);
/* Release the memory of its requests; the graph may not be used afterwards. */
void graph_free(graph *g);

/* A new group; add nodes, then seal it. NULL: out of memory. */
node_group *graph_group(graph *g, int (*settled)(graph *, node_group *, rdv_error *), void *data);
/* No further node will be added. */
int graph_seal(graph *g, node_group *group, rdv_error *err);

/* Add a copy of `like` (the fields above "Kept by the graph") to `group` (or NULL). It is not ready
 * before graph_start(). NULL: out of memory. */
node *graph_add(graph *g, const node *like, node_group *group);
/* Make `n` wait for `other` to be settled. RDV_OK or RDV_E_NOMEM. */
int graph_after(graph *g, node *n, node *other);
/* Start `n`: everything that it waits for has been declared. */
int graph_start(graph *g, node *n, rdv_error *err);
/* Drop a node that is no longer needed, in any state. */
int graph_drop(graph *g, node *n, rdv_error *err);

/* The order of the requests of a plan: by chain, then by step, then by the position within a step,
 * which is less than 256. */
static inline uint64_t graph_order(size_t chain, size_t step, size_t within)
{
    return (uint64_t)chain << 40 | (uint64_t)step << 8 | within;
}

static inline bool node_is_settled(const node *n)
{
    return n->state >= NODE_ANSWERED;
}

/* The result rests on what the node says. What was asked ahead and is not needed must not count:
 * whether it was answered before it was dropped depends on the order of replies. */
static inline void node_need(node *n)
{
    n->needed = true;
}

/* The four functions that drive a plan, see <rederive/plan.h>. `model` gives the name for a model
 * role. */
int graph_next(graph *g, const rdv_str model[2], rdv_request *request, rdv_error *err);
int graph_reply(graph *g, uint64_t id, const rdv_reply *reply, rdv_error *err);
int graph_fail(graph *g, uint64_t id, rdv_failure failure, rdv_str why, rdv_error *err);
int graph_close(graph *g, rdv_failure failure, rdv_error *err);
bool graph_done(const graph *g);
/* The requests that the result needed, every try. */
uint64_t graph_needed(const graph *g);
/* The result does not rest on the chains from that one on. */
void graph_spare_from(graph *g, size_t chain);

/* Where exchanges are kept: note a request, its reply and why there is none that was read. */
int graph_keep_request(graph *g, node *n, const rdv_request *request, rdv_error *err);
int graph_keep_reply(graph *g, const node *n, const rdv_reply *reply, rdv_error *err);
void graph_keep_why(graph *g, const node *n);
