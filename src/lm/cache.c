/* SPDX-License-Identifier: Apache-2.0 */
#include "lm/cache.h"
#include "base/arena.h"
#include "base/map.h"
#include "lm/model.h"

#include <string.h>

int cache_init(cache *c, rdv_arena *arena, uint32_t n_blocks, size_t block_floats, bool forget,
               rdv_error *err)
{
    *c = (cache){.arena = arena,
                 .block_floats = block_floats,
                 .n_blocks = n_blocks,
                 .free = CACHE_NONE,
                 .oldest = CACHE_NONE,
                 .newest = CACHE_NONE,
                 .n_chains = 16,
                 .forget = forget};
    while (c->n_chains < n_blocks)
        c->n_chains *= 2;
    size_t bytes;
    if (__builtin_mul_overflow(n_blocks, block_floats * sizeof(float), &bytes) ||
        bytes > SIZE_MAX - LM_ALIGN)
        return rdv_no_memory(err);
    char *memory = rdv_alloc(arena, bytes + LM_ALIGN); /* untouched until it is used */
    c->blocks = RDV_NEW_ARRAY(arena, cache_block, n_blocks);
    c->chains = rdv_alloc(arena, c->n_chains * sizeof *c->chains);
    if (!memory || !c->blocks || !c->chains)
        return rdv_fail(err, RDV_E_NOMEM, "no memory for a cache of %zu bytes", bytes);
    c->memory = (float *)(void *)(memory + (LM_ALIGN - (uintptr_t)memory % LM_ALIGN) % LM_ALIGN);
    memset(c->chains, 0xff, c->n_chains * sizeof *c->chains);
    return RDV_OK;
}

/* ---- finding by content ---------------------------------------------------------------------- */

static uint32_t *chain_of(const cache *c, uint64_t parent, const uint32_t *tokens)
{
    rdv_str bytes = {(const char *)tokens, LM_BLOCK * sizeof *tokens};
    return &c->chains[rdv_hash(bytes, parent) & (c->n_chains - 1)];
}

uint32_t cache_find(const cache *c, uint64_t parent, const uint32_t *tokens)
{
    if (c->forget)
        return CACHE_NONE;
    uint32_t i = *chain_of(c, parent, tokens);
    for (; i != CACHE_NONE; i = c->blocks[i].next) {
        const cache_block *b = &c->blocks[i];
        if (b->parent == parent && memcmp(b->tokens, tokens, sizeof b->tokens) == 0)
            return i;
    }
    return CACHE_NONE;
}

static void unname(cache *c, uint32_t block)
{
    cache_block *b = &c->blocks[block];
    uint32_t *at = chain_of(c, b->parent, b->tokens);
    while (*at != block)
        at = &c->blocks[*at].next;
    *at = b->next;
    b->serial = 0;
}

static void name(cache *c, uint32_t block, uint64_t parent, const uint32_t *tokens, uint64_t step)
{
    cache_block *b = &c->blocks[block];
    uint32_t *chain = chain_of(c, parent, tokens);
    memcpy(b->tokens, tokens, sizeof b->tokens);
    b->serial = ++c->last_serial;
    b->parent = parent;
    b->ready_after = step;
    b->next = *chain;
    *chain = block;
}

void cache_promise(cache *c, uint32_t block, uint64_t parent, const uint32_t *tokens, uint64_t step)
{
    if (!c->forget && cache_find(c, parent, tokens) == CACHE_NONE)
        name(c, block, parent, tokens, step);
}

uint32_t cache_settle(cache *c, uint32_t block, uint64_t parent, const uint32_t *tokens)
{
    if (c->forget || c->blocks[block].serial)
        return block;
    uint32_t same = cache_find(c, parent, tokens);
    if (same == CACHE_NONE) {
        name(c, block, parent, tokens, 0);
        return block;
    }
    cache_take(c, same);
    cache_drop(c, block);
    return same;
}

/* ---- holding --------------------------------------------------------------------------------- */

static void keep(cache *c, uint32_t block)
{
    cache_block *b = &c->blocks[block];
    b->older = c->newest;
    b->newer = CACHE_NONE;
    if (c->newest == CACHE_NONE)
        c->oldest = block;
    else
        c->blocks[c->newest].newer = block;
    c->newest = block;
    c->n_kept++;
}

static void unkeep(cache *c, uint32_t block)
{
    cache_block *b = &c->blocks[block];
    if (b->older == CACHE_NONE)
        c->oldest = b->newer;
    else
        c->blocks[b->older].newer = b->newer;
    if (b->newer == CACHE_NONE)
        c->newest = b->older;
    else
        c->blocks[b->newer].older = b->older;
    c->n_kept--;
}

void cache_take(cache *c, uint32_t block)
{
    if (c->blocks[block].users++ == 0) {
        unkeep(c, block);
        c->n_used++;
    }
}

void cache_drop(cache *c, uint32_t block)
{
    cache_block *b = &c->blocks[block];
    if (--b->users)
        return;
    c->n_used--;
    if (b->serial) {
        keep(c, block);
        return;
    }
    b->older = c->free;
    c->free = block;
}

uint32_t cache_new(cache *c)
{
    uint32_t block = c->free;
    if (block != CACHE_NONE) {
        c->free = c->blocks[block].older;
    } else if (c->n_made < c->n_blocks) {
        block = c->n_made++;
    } else if (c->oldest != CACHE_NONE) {
        block = c->oldest;
        unkeep(c, block);
        unname(c, block);
    } else {
        return CACHE_NONE;
    }
    /* Scores are computed for whole blocks, so places without a token must hold finite numbers. */
    memset(cache_data(c, block), 0, c->block_floats * sizeof(float));
    c->blocks[block] = (cache_block){.users = 1};
    c->n_used++;
    return block;
}
