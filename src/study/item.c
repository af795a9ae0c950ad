/* SPDX-License-Identifier: Apache-2.0 */
#include "study/item.h"

#include "base/arena.h"

#include <string.h>

void item_checks_init(item_checks *checks, rdv_arena *arena)
{
    *checks = (item_checks){.arena = arena};
    rdv_map_init(&checks->by_content, arena);
}

/* What is compared: all bytes, of which none are padding. */
static rdv_str content_of(const item_check *check)
{
    return (rdv_str){(const char *)check, sizeof *check};
}

static item_check *copy_of(item_checks *checks, const item_check *check)
{
    item_check *copy = RDV_NEW(checks->arena, item_check);
    if (copy)
        memcpy(copy, check, sizeof *check);
    return copy;
}

static item_check *add(item_checks *checks, const item_check *check)
{
    item_check *copy = copy_of(checks, check);
    if (!copy || !RDV_PUSH_ROOM(checks->arena, checks->of, checks->n, checks->cap) ||
        rdv_map_put(&checks->by_content, content_of(copy), checks->n) < 0)
        return NULL;
    return checks->of[checks->n++] = copy;
}

item_check *item_checks_find(item_checks *checks, const item_check *check)
{
    if (check->own)
        return copy_of(checks, check);
    if (checks->latest && memcmp(checks->latest, check, sizeof *check) == 0)
        return checks->latest;
    size_t at = rdv_map_get(&checks->by_content, content_of(check));
    item_check *found = at == RDV_MAP_MISSING ? add(checks, check) : checks->of[at];
    if (found)
        checks->latest = found;
    return found;
}

int item_accept_by(item_checks *checks, rdv_eval_item *item, acceptance how)
{
    item_check other;
    memcpy(&other, item->check, sizeof other);
    item_check *to = item->check->own ? item->check : &other;
    item_check_accept_by(to, how);
    item_check *found = to == &other ? item_checks_find(checks, to) : to;
    if (found)
        item->check = found;
    return found ? RDV_OK : RDV_E_NOMEM;
}
