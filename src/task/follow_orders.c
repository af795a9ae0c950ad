/* SPDX-License-Identifier: Apache-2.0 */
/* The orders of a few objects that agree with what is known, all of them written out. */
#include "task/follow_deduction.h"

static void next_permutation(uint8_t *p, size_t n)
{
    size_t i = n - 1, k = n - 1;
    while (i && p[i - 1] >= p[i])
        i--;
    if (!i)
        return;
    while (p[k] <= p[i - 1])
        k--;
    uint8_t x = p[i - 1];
    p[i - 1] = p[k];
    p[k] = x;
    for (k = n - 1; i < k; i++, k--) {
        x = p[i];
        p[i] = p[k];
        p[k] = x;
    }
}

bool follow_orders_all(orders *o, size_t n, rdv_arena *arena)
{
    size_t count = 1;
    for (size_t i = 2; i <= n; i++)
        count *= i;
    *o = (orders){.n = n, .n_left = count, .place = rdv_alloc(arena, count * sizeof *o->place)};
    if (!o->place)
        return false;
    uint8_t p[ORDER_MAX] = {0, 1, 2, 3, 4, 5, 6};
    for (size_t i = 0; i < count; i++) {
        memcpy(o->place[i], p, sizeof p);
        next_permutation(p, n);
    }
    return true;
}

static bool holds(const uint8_t *place, size_t n, const order_claim *c)
{
    switch (c->is) {
    case ORDER_IN:
        return c->set >> place[c->a] & 1;
    case ORDER_BEFORE:
        return place[c->a] < place[c->b];
    case ORDER_HOLDS:
        for (size_t i = 0; i < n; i++)
            if (place[i] == c->a)
                return c->set >> i & 1;
        return false;
    default:
        return c->a == n;
    }
}

void follow_orders_keep(orders *o, const order_claim *claim)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->n_left; i++)
        if (holds(o->place[i], o->n, claim))
            memmove(o->place[kept++], o->place[i], sizeof *o->place);
    o->n_left = kept;
}

bool follow_orders_all_have(const orders *o, const order_claim *claim)
{
    for (size_t i = 0; i < o->n_left; i++)
        if (!holds(o->place[i], o->n, claim))
            return false;
    return true;
}

bool follow_orders_any_has(const orders *o, const order_claim *claim)
{
    for (size_t i = 0; i < o->n_left; i++)
        if (holds(o->place[i], o->n, claim))
            return true;
    return false;
}

order_set follow_orders_holders(const orders *o, size_t place)
{
    order_set found = 0;
    for (size_t i = 0; i < o->n_left; i++)
        for (size_t k = 0; k < o->n; k++)
            found |= (order_set)(o->place[i][k] == place) << k;
    return found;
}
