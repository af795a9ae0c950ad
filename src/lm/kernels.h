/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The arithmetic of the model, in variants for what processors can do.
 *
 * All variants give the same bits, whatever the number of columns and however panels are dealt out
 * to threads: the sum of one element always runs over the inner index from 0 up, in one
 * accumulator, by fused multiply and add; sums over a row (norms, softmax) are 16 partial sums,
 * lane i taking elements i, i+16, ..., added up in one fixed order. Vectors run over what is
 * independent: rows of a matrix, keys, elements of a value.
 *
 * All float arrays are aligned to 64 bytes, and their rows are padded to multiples of 16 floats. */
#include <rederive/base.h>

#define LM_PANEL 16    /* rows of a matrix that are kept, and computed, side by side */
#define LM_Q8_BLOCK 32 /* weights of q8_0 that share a scale */
#define LM_BLOCK 16    /* tokens of a block of the cache */
#define LM_ALIGN 64    /* bytes */

/* The layout of a matrix: by panels of 16 rows, within one by columns. */
typedef struct lm_matrix {
    uint32_t rows, cols; /* rows a multiple of 16 (the last ones may be zeros); cols of 32 */
    const float *f32;    /* [rows/16][cols][16]; NULL: as below */
    const int8_t *q8;    /* [rows/16][cols/4][16][4], weights of q8_0, */
    const float *scales; /* [rows/16][cols/32][16] */
} lm_matrix;

/* y[c][r] (+)= sum over k of w[r][k] * x[c][k], for some panels and all columns c < n. */
typedef struct lm_product {
    const lm_matrix *w;
    const float *x;
    size_t x_stride, n; /* floats from one column to the next; columns */
    float *y;
    size_t y_stride;
    bool add; /* to what y holds */
} lm_product;

/* The queries of one token that share a head of keys and values. A block holds the keys of 16
 * tokens, [head_size][16], then their values, [16][head_size], at blocks[i] + offset. */
typedef struct lm_queries {
    const float *q; /* [group][head_size], scaled */
    float *out;     /* [group][head_size] */
    const float *const *blocks;
    size_t offset; /* floats */
    size_t n_keys, group, head_size;
    float *scores; /* room for group * n_keys, n_keys rounded up to 16 */
} lm_queries;

typedef struct lm_kernels {
    const char *name;
    bool (*usable)(void); /* by this processor */
    /* Panels `first` up to first + n_panels; `room` as lm_product_room() says. */
    void (*multiply)(const lm_product *p, size_t first, size_t n_panels, float *room);
    /* y = x / sqrt(mean of squares + epsilon) * weight; n a multiple of 16 */
    void (*normalise)(const float *x, const float *weight, size_t n, float epsilon, float *y);
    /* y = silu(gate) * up */
    void (*gate)(const float *gate, const float *up, size_t n, float *y);
    void (*attend)(const lm_queries *queries);
    /* e = exp((x - shift) * scale) <= 1; returns the sum. n may be any number: e and x are padded.
     */
    double (*soften)(const float *x, size_t n, float shift, float scale, float *e);
} lm_kernels;

/* Floats that multiply() needs beside, for matrices of at most `cols` columns. */
size_t lm_product_room(size_t cols);

/* The variants that this processor can run, best first; NULL: there is no i-th. */
const lm_kernels *lm_kernels_at(size_t i);
