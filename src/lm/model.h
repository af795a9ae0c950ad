/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A model that is open: its sizes, its tokens, and its weights laid out for the kernels. */
#include "lm/lm.h"

#include "lm/kernels.h"
#include "lm/vocab.h"

/* Limits of what is run: RDV_E_INPUT beyond them. */
#define LM_MAX_WIDTH 8192 /* of the rows between layers, and of a feed-forward layer times 4 */
#define LM_MAX_LAYERS 128
#define LM_MAX_HEADS 128
#define LM_MAX_HEAD_SIZE 256
#define LM_MAX_CONTEXT 32768

typedef struct lm_sizes {
    uint32_t context, width, layers, heads, kv_heads, feed_forward, vocab;
    uint32_t head_size; /* width / heads */
    uint32_t kv_width;  /* kv_heads * head_size */
    float epsilon;      /* of the norms */
    double rope_base;
} lm_sizes;

typedef struct lm_layer {
    const float *attn_norm, *ffn_norm; /* width */
    lm_matrix qkv;                     /* rows: queries, then keys, then values */
    lm_matrix output;
    lm_matrix gate_up; /* rows: gate, then up */
    lm_matrix down;
} lm_layer;

struct rdv_lm {
    rdv_arena *arena;
    void *map; /* the file, when it was mapped here; else NULL */
    rdv_str file;
    gguf g;
    lm_sizes size;
    vocab vocab;
    rdv_str name, chat_template;
    uint64_t params, packed_bytes;
    const gguf_tensor *embedding;
    lm_layer *layers;
    const float *output_norm;
    lm_matrix logits;       /* rows: vocab, rounded up to a panel */
    const float *step_head; /* width; NULL: none */
    double step_bias;
    const float *cosine, *sine; /* [context][head_size / 2] */
};
/* Find the weights, check their shapes, and lay them out. */
int lm_load_weights(struct rdv_lm *lm, rdv_error *err);

/* Zeroed memory aligned for the kernels; NULL when out of memory. */
void *lm_aligned(rdv_arena *arena, size_t n, size_t size);
/* A row of a tensor as floats. */
void lm_read_row(const gguf_tensor *t, size_t row, float *out);
