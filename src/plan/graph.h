/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The graph of a plan: nodes that wait for nodes, and groups that call back when all of theirs are
 * settled. A node is one question to a model, asked again with another try number when its reply
 * could not be read. Nothing here depends on the order in which replies come: what a callback
 * decides it must decide from the nodes' values and places. */
#include <rederive/plan.h>

typedef struct graph graph;
typedef struct node node;
typedef struct node_group node_group;

typedef enum node_state {
    NODE_WAITING, /* for other nodes */
    NODE_READY,
    NODE_OUT,      /* handed out */
    NODE_ANSWERED, /* its reply was read */
    NODE_UNKNOWN,  /* no reply, or none that could be read: see node.why */
    NODE_DROPPED   /* cancelled: its value is never looked at */
} node_state;

/* What a kind of node does. Static. A reply is given to `read` only if its server says that it is
 * whole, and if it is not empty. */
typedef struct node_kind {
    /* Fill in what is asked (not id, key, stage or sample), everything in `arena`, which lives
     * until the request is answered. RDV_NONE with node->why set, to a text that lives as long as
     * the graph: what it rests on is unknown, so it is unknown too. */
    int (*ask)(node *n, rdv_arena *arena, rdv_request *request, rdv_error *err);
    /* Read the reply, keeping copies in `arena`. RDV_NONE: it says nothing that can be read. */
    int (*read)(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err);
    /* Keep what can be shown of a reply that was cut off: it is not read. Usually NULL. */
    int (*keep_cut_off)(node *n, const rdv_reply *reply, rdv_arena *arena, rdv_error *err);
    bool one_token; /* is all that is asked: a reply that was cut off behind it is whole */
    bool numbers;   /* log-probabilities or rewards are read: neither text nor its end matters */
} node_kind;

struct node {
    const node_kind *kind;
    void *data;     /* the kind's own */
    rdv_str stage;  /* "selfcheck/target" */
    rdv_str sample; /* "chain 3, step 2, sample 0"; unique among nodes that ask the same */
    rdv_str dry;    /* a plausible reply */
    uint64_t order; /* nodes with a smaller one are handed out first: see graph_order() */
    unsigned tries; /* how often it may be asked, at least 1 */
    /* Kept by the graph: */
    node_state state;
    rdv_str why;                               /* NODE_UNKNOWN: the reason, one line */
    unsigned asked;                            /* times handed out */
    uint64_t prompt_tokens, completion_tokens; /* of all its replies */
    uint64_t request;                          /* id of the latest request */
    rdv_arena *rendered;                       /* what that one says; NULL: it is answered */
    rdv_model_role party;                      /* whom that one asked */
    bool cancelled;                            /* that one was taken back while it was out */
    bool same_again;                           /* asked once more it would have the same reply */
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
    node **settled; /* a stack of nodes whose dependents have not been told */
    size_t n_settled, cap_settled;
    uint64_t *cancelled; /* requests to stop, not yet told */
    size_t n_cancelled, cap_cancelled, next_cancelled;
    rdv_arena **arenas; /* of requests: a prompt is kept no longer than until it is answered */
    size_t n_arenas, cap_arenas;
    rdv_arena **spare; /* those of answered ones, as many places as there are arenas */
    size_t n_spare, cap_spare;
    size_t n_open; /* nodes that are ready or out */
    rdv_failure closed_by;
    bool closed;
};

void graph_init(graph *g, rdv_arena *arena);
/* Release what its requests say; nothing of the graph may be used any more. */
void graph_free(graph *g);

/* A new group; add nodes, then seal it. NULL: out of memory. */
node_group *graph_group(graph *g, int (*settled)(graph *, node_group *, rdv_error *), void *data);
/* No further node will be added. */
int graph_seal(graph *g, node_group *group, rdv_error *err);

/* Add a copy of `like` (the fields above "Kept by the graph") to `group` (or NULL). It is not ready
 * before graph_start(). NULL: out of memory. */
node *graph_add(graph *g, const node *like, node_group *group);
/* `n` waits for `other` to be settled. RDV_OK or RDV_E_NOMEM. */
int graph_after(graph *g, node *n, node *other);
/* All that `n` waits for was said. */
int graph_start(graph *g, node *n, rdv_error *err);
/* It is no longer needed, whatever its state. */
int graph_drop(graph *g, node *n, rdv_error *err);

/* The order of the requests of a plan: by chain, then by step, then by the place within a step,
 * which is less than 256. */
static inline uint64_t graph_order(size_t chain, size_t step, size_t within)
{
    return (uint64_t)chain << 40 | (uint64_t)step << 8 | within;
}

static inline bool node_is_settled(const node *n)
{
    return n->state >= NODE_ANSWERED;
}

/* The four sides of rdv_plan's driving, see there. `model` gives the name for a party. */
int graph_next(graph *g, const rdv_str model[2], rdv_request *request, rdv_error *err);
int graph_reply(graph *g, uint64_t id, const rdv_reply *reply, rdv_error *err);
int graph_fail(graph *g, uint64_t id, rdv_failure failure, rdv_str why, rdv_error *err);
int graph_close(graph *g, rdv_failure failure, rdv_error *err);
bool graph_done(const graph *g);
