/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The keys and values of tokens, in blocks of 16 tokens that sequences share.
 *
 * A full block can be found again by its 16 tokens and the block before it, so a prompt that begins
 * like another takes over its blocks. A block that no sequence uses is kept until its memory is
 * needed; the least recently used block is dropped first. */
#include <rederive/base.h>

#include "lm/kernels.h"

#define CACHE_NONE UINT32_MAX

typedef struct cache_block {
    uint64_t serial;      /* the name of its content; 0: it cannot be found */
    uint64_t parent;      /* the serial of the block before it; 0: it is the first */
    uint64_t ready_after; /* the step that computes it; later steps can read it */
    uint32_t tokens[LM_BLOCK];
    uint32_t users;        /* sequences that hold it */
    uint32_t next;         /* of its hash chain */
    uint32_t older, newer; /* among those kept, or in the list of free ones */
} cache_block;

typedef struct cache {
    rdv_arena *arena;
    float *memory; /* n_blocks times block_floats */
    size_t block_floats;
    cache_block *blocks;
    uint32_t n_blocks;
    uint32_t n_made;         /* blocks that were ever used: the others' memory is untouched */
    uint32_t free;           /* the first of a list by `older` */
    uint32_t oldest, newest; /* kept */
    uint32_t n_kept, n_used;
    uint32_t *chains;
    uint32_t n_chains; /* a power of two */
    uint64_t last_serial;
    bool forget;
} cache;

/* Room for n_blocks >= 1 blocks. Faults: RDV_E_NOMEM. */
int cache_init(cache *c, rdv_arena *arena, uint32_t n_blocks, size_t block_floats, bool forget,
               rdv_error *err);

static inline float *cache_data(const cache *c, uint32_t block)
{
    return c->memory + (size_t)block * c->block_floats;
}

/* The block that holds these 16 tokens after `parent`, or CACHE_NONE. It is not taken yet. */
uint32_t cache_find(const cache *c, uint64_t parent, const uint32_t *tokens);
/* One more sequence holds it. */
void cache_take(cache *c, uint32_t block);
/* A block for new tokens, held once, its keys zeroed; CACHE_NONE: every block is in use. */
uint32_t cache_new(cache *c);
/* Announce that a held block will contain these tokens, after `parent` (which has a name, or is 0),
 * when step `step` is over. Until then it can be found but not read. No effect if another block
 * contains them. */
void cache_promise(cache *c, uint32_t block, uint64_t parent, const uint32_t *tokens,
                   uint64_t step);
/* The step of a block is over. Returns the block to use: this one, or, if another block had the
 * same tokens first, that one, which is taken instead. */
uint32_t cache_settle(cache *c, uint32_t block, uint64_t parent, const uint32_t *tokens);
/* One sequence fewer holds it. */
void cache_drop(cache *c, uint32_t block);
