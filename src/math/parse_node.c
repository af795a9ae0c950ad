/* SPDX-License-Identifier: Apache-2.0 */
#include "math/parser.h"

#include "base/arena.h"

node *parse_node(parser *p, node_is is, node *a, node *b)
{
    if (p->n_nodes == PARSE_MAX_NODES)
        return NULL;
    node *n = rdv_alloc(p->arena, sizeof *n);
    if (!n) {
        p->nomem = true;
        return NULL;
    }
    p->n_nodes++;
    *n = (node){.is = is, .a = a, .b = b};
    return n;
}

node *parse_operator(parser *p, node_is is, node *a, node *b)
{
    node *n = parse_node(p, is, a, b);
    if (n)
        p->e->n_operators++;
    return n;
}

node *parse_leaf(parser *p, node_is is, size_t first)
{
    node *n = parse_node(p, is, NULL, NULL);
    if (n) {
        n->begin = first;
        n->end = p->pos;
    }
    return n;
}
