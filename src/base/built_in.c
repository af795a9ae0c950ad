/* SPDX-License-Identifier: Apache-2.0 */
#include "base/built_in.h"

#include "base/arena.h"

const void *built_in_get(built_in *of, const void *(*make)(rdv_arena *))
{
    const void *is = atomic_load(&of->at);
    if (is)
        return is;
    rdv_arena *arena = rdv_arena_new(0);
    const void *made = arena ? make(arena) : NULL;
    if (!made || !atomic_compare_exchange_strong(&of->at, &is, made))
        rdv_arena_free(&arena); /* no memory, or another thread was faster */
    else
        is = made;
    return is;
}
