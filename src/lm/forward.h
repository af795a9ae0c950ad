/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The model computed for many tokens at once: of one sequence, of many, of prompts and replies. */
#include "lm/cache.h"
#include "lm/model.h"
#include "lm/pool.h"

#define FORWARD_LOGITS 64 /* rows of logits computed at once */

/* One token: its keys and values go into place `at` of its sequence, whose blocks (their memory)
 * hold those of all before it, computed earlier or in this batch. */
typedef struct lm_row {
    uint32_t token, at;
    float *const *blocks;
} lm_row;

typedef struct forward {
    const rdv_lm *lm;
    const lm_kernels *kernels;
    pool *pool;
    size_t max_rows;
    float *x;      /* [rows][width]: what goes from layer to layer */
    float *h;      /* [rows][width]: normalised; then the result of attention */
    float *qkv;    /* [rows][width + 2 * kv_width] */
    float *ff;     /* [rows][2 * feed_forward] */
    float *logits; /* [FORWARD_LOGITS][vocab, rounded up] */
    float **rooms; /* a worker's own, for products and scores */
    size_t bytes;
    const lm_row *rows; /* of the batch being computed */
    size_t n_rows;
} forward;

/* Faults: RDV_E_NOMEM. `helpers` is borrowed. */
int forward_init(forward *f, const rdv_lm *lm, const lm_kernels *kernels, pool *helpers,
                 rdv_arena *arena, size_t max_rows, rdv_error *err);
/* Floats of a block of the cache. */
size_t forward_block_floats(const lm_sizes *size);
/* Run the batch (n <= max_rows) through all layers. */
void forward_run(forward *f, const lm_row *rows, size_t n);
/* The logits of n <= FORWARD_LOGITS rows of the batch, in f->logits, forward_stride() apart. */
void forward_logits(forward *f, const size_t *rows, size_t n);
size_t forward_stride(const forward *f);
/* The step head's logit of a row of the batch; the model has a head. */
double forward_step_logit(forward *f, size_t row);
/* Share out 0 .. total-1 among the threads: work(payload, begin, end, worker) for pieces of it. */
typedef void (*forward_work)(void *payload, size_t begin, size_t end, size_t worker);
void forward_share(const forward *f, forward_work work, void *payload, size_t total, bool small);
