/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* For a group of tests whose state is an arena. */
#include "base/arena.h"

static int arena_set_up(void **state)
{
    *state = rdv_arena_new(0);
    return *state ? 0 : -1;
}

static int arena_tear_down(void **state)
{
    rdv_arena *arena = *state;
    rdv_arena_free(&arena);
    return 0;
}
