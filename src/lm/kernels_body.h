/* SPDX-License-Identifier: Apache-2.0 */
/* The body of every variant of the kernels: included once by each kernels_*.c, which defines
 *   KERNELS      the name of the table to define
 *   KERNELS_NAME its name for people
 *   LANES        floats of a vector: 4, 8 or 16
 *   USABLE       an expression: can this processor run it?
 * A product and a sum are rounded together where fused() says so, and nowhere else: the room is
 * compiled without contraction. */
#include "lm/kernels.h"

#include <math.h>
#include <string.h>
#if defined(__x86_64__) && LANES > 4
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#define NV (LM_PANEL / LANES) /* vectors of a panel */
#define INLINE static inline __attribute__((always_inline))
/* A loop of a constant number of turns, all written out so that arrays stay in registers. */
#define foreach(i, n) _Pragma("GCC unroll 16") for (size_t i = 0; i < (size_t)(n); i++)

typedef float vf __attribute__((vector_size(LANES * 4), may_alias));
typedef int32_t vi __attribute__((vector_size(LANES * 4), may_alias));

/* acc + a * b, rounded once. By the one intrinsic function for it: whether a compiler makes one of
 * a product and a sum depends on what it has done before. Elsewhere the C library computes the
 * same, slowly on processors that cannot. */
INLINE vf fused(vf acc, vf a, vf b)
{
#if LANES == 16 && defined(__AVX512F__)
    return (vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)acc);
#elif LANES == 8 && defined(__FMA__)
    return (vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)acc);
#elif LANES == 4 && defined(__ARM_NEON) && defined(__ARM_FEATURE_FMA)
    return (vf)vfmaq_f32((float32x4_t)acc, (float32x4_t)a, (float32x4_t)b);
#else
    vf r;
    for (int i = 0; i < LANES; i++)
        r[i] = fmaf(a[i], b[i], acc[i]);
    return r;
#endif
}

INLINE vf splat(float x)
{
    return x - (vf){0};
}
INLINE vf load(const float *p)
{
    return *(const vf *)p;
}
INLINE void store(float *p, vf x)
{
    *(vf *)p = x;
}
INLINE vf choose(vi mask, vf yes, vf no)
{
    return (vf)((mask & (vi)yes) | (~mask & (vi)no));
}
INLINE vf larger(vf a, vf b)
{
    return choose(a > b, a, b);
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* Weights of column k + part (k a multiple of 4) of a panel, as vector u of it: the weights of four
 * columns share an integer of 32 bits. */
INLINE vf weight_q8(const int8_t *q, const float *scales, size_t k, size_t part, size_t u)
{
    vi four = *(const vi *)(q + k * LM_PANEL + u * LANES * 4);
    vi whole = (four << (int32_t)(24 - 8 * part)) >> 24;
    return __builtin_convertvector(whole, vf) *
           load(scales + k / LM_Q8_BLOCK * LM_PANEL + u * LANES);
}

/* One tile: `panels` panels from `panel` on, times `columns` columns from `column` on. All
 * arguments but p, panel and column are constants where it is used. */
INLINE void tile(const lm_product *p, size_t panel, size_t column, size_t panels, size_t columns,
                 const float *w32)
{
    const size_t cols = p->w->cols, size = cols * LM_PANEL, stride = p->x_stride;
    const float *x = p->x + column * stride;
    const int8_t *q = w32 ? NULL : p->w->q8 + panel * size;
    const float *scales = w32 ? NULL : p->w->scales + panel * (size / LM_Q8_BLOCK);
    vf acc[16][NV];
    foreach (i, panels * columns)
        foreach (u, NV)
            acc[i][u] = (vf){0};
    for (size_t k = 0; k < cols; k += 4)
        foreach (part, 4)
            foreach (i, panels)
                foreach (u, NV) {
                    vf w = w32 ? load(w32 + i * size + (k + part) * LM_PANEL + u * LANES)
                               : weight_q8(q + i * size, scales + i * (size / LM_Q8_BLOCK), k, part,
                                           u);
                    foreach (c, columns)
                        acc[i * columns + c][u] =
                            fused(acc[i * columns + c][u], w, splat(x[c * stride + k + part]));
                }
    foreach (i, panels)
        foreach (c, columns)
            foreach (u, NV) {
                float *y = p->y + (column + c) * p->y_stride + (panel + i) * LM_PANEL + u * LANES;
                vf sum = acc[i * columns + c][u];
                if (p->add)
                    sum += load(y);
                store(y, sum);
            }
}

/* Tiles are as large as the registers allow; how they are cut does not change a sum. */
#if LANES == 16
#define WIDE 8 /* columns of the widest tile, */
#define WIDE_PANELS 2
#define HALF_PANELS 4
#define FEW_PANELS 4
#define ONE_PANELS 8
#else
#define WIDE 4
#define WIDE_PANELS 1
#define HALF_PANELS 1
#define FEW_PANELS 2
#define ONE_PANELS 2
#endif

#define MOST_PANELS 8 /* whose weights stay near while all columns pass */

/* All panels of a range times `columns` columns. w32: the weights of the range, or NULL: q8. */
INLINE void strip(const lm_product *p, size_t first, size_t n_panels, size_t column, size_t columns,
                  size_t panels, const float *w32)
{
    const size_t size = (size_t)p->w->cols * LM_PANEL;
    size_t i = 0;
    for (; i + panels <= n_panels; i += panels)
        tile(p, first + i, column, panels, columns, w32 ? w32 + i * size : NULL);
    for (; panels > 2 && i + panels / 2 <= n_panels; i += panels / 2)
        tile(p, first + i, column, panels / 2, columns, w32 ? w32 + i * size : NULL);
    for (; i < n_panels; i++)
        tile(p, first + i, column, 1, columns, w32 ? w32 + i * size : NULL);
}

INLINE void columns_of(const lm_product *p, size_t first, size_t n_panels, const float *w32)
{
    size_t c = 0;
    for (; c + WIDE <= p->n; c += WIDE)
        strip(p, first, n_panels, c, WIDE, WIDE_PANELS, w32);
    for (; c + 4 <= p->n; c += 4)
        strip(p, first, n_panels, c, 4, HALF_PANELS, w32);
    for (; c + 2 <= p->n; c += 2)
        strip(p, first, n_panels, c, 2, FEW_PANELS, w32);
    for (; c < p->n; c++)
        strip(p, first, n_panels, c, 1, ONE_PANELS, w32);
}

static void dequantise(const lm_matrix *w, size_t first, size_t n_panels, float *out)
{
    const size_t size = (size_t)w->cols * LM_PANEL;
    for (size_t i = 0; i < n_panels; i++) {
        const int8_t *q = w->q8 + (first + i) * size;
        const float *scales = w->scales + (first + i) * (size / LM_Q8_BLOCK);
        for (size_t k = 0; k < w->cols; k += 4)
            foreach (part, 4)
                foreach (u, NV)
                    store(out + i * size + (k + part) * LM_PANEL + u * LANES,
                          weight_q8(q, scales, k, part, u));
    }
}

static void multiply(const lm_product *p, size_t first, size_t n_panels, float *room)
{
    if (!p->w->f32 && p->n <= WIDE) { /* each weight is used in one tile: converted on the way */
        columns_of(p, first, n_panels, NULL);
        return;
    }
    for (size_t i = 0; i < n_panels; i += MOST_PANELS) {
        size_t some = n_panels - i < MOST_PANELS ? n_panels - i : MOST_PANELS;
        if (p->w->f32) {
            columns_of(p, first + i, some, p->w->f32 + (first + i) * p->w->cols * LM_PANEL);
        } else {
            dequantise(p->w, first + i, some, room);
            columns_of(p, first + i, some, room);
        }
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The 16 lanes of a sum, in the one order there is. */
INLINE float sum_lanes(const vf s[NV])
{
    float lane[LM_PANEL];
    memcpy(lane, s, sizeof lane);
    for (int half = LM_PANEL / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            lane[i] += lane[i + half];
    return lane[0];
}

static void normalise(const float *x, const float *weight, size_t n, float epsilon, float *y)
{
    vf sum[NV] = {{0}};
    for (size_t i = 0; i < n; i += LM_PANEL)
        foreach (u, NV) {
            vf a = load(x + i + u * LANES);
            sum[u] = fused(sum[u], a, a);
        }
    float mean = sum_lanes(sum) / (float)n;
    vf scale = splat(1.0f / sqrtf(mean + epsilon));
    for (size_t i = 0; i < n; i += LANES)
        store(y + i, load(x + i) * scale * load(weight + i));
}

/* e to the x, with a relative error of 2e-7; x is held within what a normal float can say. */
INLINE vf exponential(vf x)
{
    const vf round = splat(0x1.8p23f); /* adding it leaves a whole number in the low bits */
    x = larger(splat(-87.0f), x);
    x = choose(x > splat(88.0f), splat(88.0f), x);
    vf t = fused(round, x, splat(1.44269504f));
    vf n = t - round;
    vf r = fused(x, n, splat(-0.693145752f)); /* ln 2 in two parts, the first exact times n */
    r = fused(r, n, splat(-1.42860677e-6f));
    vf p = splat(1.0f / 5040);
    p = fused(splat(1.0f / 720), p, r);
    p = fused(splat(1.0f / 120), p, r);
    p = fused(splat(1.0f / 24), p, r);
    p = fused(splat(1.0f / 6), p, r);
    p = fused(splat(0.5f), p, r);
    p = fused(splat(1.0f), p, r);
    p = fused(splat(1.0f), p, r);
    vi bits = ((vi)t - (vi)round + 127) << 23;
    return p * (vf)bits;
}

static void gate(const float *g, const float *up, size_t n, float *y)
{
    for (size_t i = 0; i < n; i += LANES) {
        vf x = load(g + i), e = exponential(-x);
        store(y + i, x / (splat(1.0f) + e) * load(up + i));
    }
}

/* Lanes first, first+1, ... that are below n: all bits set. */
INLINE vi below(size_t first, size_t n)
{
    vi lane, last = (vi)(vf){0} + (int32_t)(n - first > LANES ? LANES : n - first);
    for (int i = 0; i < LANES; i++)
        lane[i] = i;
    return lane < last;
}

static double soften(const float *x, size_t n, float shift, float scale, float *e)
{
    vf sum[NV] = {{0}};
    for (size_t i = 0; i < n; i += LM_PANEL)
        foreach (u, NV) {
            size_t at = i + u * LANES;
            vf value = exponential((load(x + at) - splat(shift)) * splat(scale));
            if (at >= n)
                value = (vf){0};
            else if (at + LANES > n)
                value = choose(below(at, n), value, (vf){0});
            sum[u] += value;
            store(e + at, value);
        }
    return sum_lanes(sum);
}

/* ---- attention ------------------------------------------------------------------------------- */

static const float *keys_of(const lm_queries *s, size_t block)
{
    return s->blocks[block] + s->offset;
}

/* Ask for the keys and values of a block before they are needed: they lie apart from the others'.
 */
INLINE void prefetch(const lm_queries *s, size_t block, size_t n_blocks)
{
    if (block >= n_blocks)
        return;
    const char *at = (const char *)keys_of(s, block);
    for (size_t i = 0; i < s->head_size * LM_BLOCK * 2 * sizeof(float); i += LM_ALIGN)
        __builtin_prefetch(at + i);
}

/* Scores of `heads` queries and the keys of `blocks` blocks. */
INLINE void score(const lm_queries *s, size_t head, size_t block, size_t heads, size_t blocks,
                  size_t stride)
{
    const float *keys[4], *q = s->q + head * s->head_size;
    vf acc[2][4][NV];
    foreach (b, blocks) {
        keys[b] = keys_of(s, block + b);
        foreach (h, heads)
            foreach (u, NV)
                acc[h][b][u] = (vf){0};
    }
    for (size_t d = 0; d < s->head_size; d++)
        foreach (b, blocks)
            foreach (u, NV) {
                vf key = load(keys[b] + d * LM_BLOCK + u * LANES);
                foreach (h, heads)
                    acc[h][b][u] = fused(acc[h][b][u], splat(q[h * s->head_size + d]), key);
            }
    foreach (h, heads)
        foreach (b, blocks)
            foreach (u, NV)
                store(s->scores + (head + h) * stride + (block + b) * LM_BLOCK + u * LANES,
                      acc[h][b][u]);
}

#define SCORED (LANES == 16 ? 4 : LANES == 8 ? 2 : 1) /* blocks scored at once */

INLINE void score_all(const lm_queries *s, size_t head, size_t heads, size_t stride)
{
    size_t n = stride / LM_BLOCK, b = 0;
    for (; b + SCORED <= n; b += SCORED) {
        foreach (ahead, SCORED)
            prefetch(s, b + SCORED + ahead, head ? 0 : n);
        score(s, head, b, heads, SCORED, stride);
    }
    for (; b < n; b++)
        score(s, head, b, heads, 1, stride);
}

static float largest(const float *x, size_t n)
{
    vf most[NV];
    float lane[LM_PANEL], all = x[0];
    foreach (u, NV)
        most[u] = splat(x[0]);
    size_t i = 0;
    for (; i + LM_PANEL <= n; i += LM_PANEL)
        foreach (u, NV)
            most[u] = larger(load(x + i + u * LANES), most[u]);
    memcpy(lane, most, sizeof lane);
    for (size_t l = 0; l < LM_PANEL; l++)
        all = lane[l] > all ? lane[l] : all;
    for (; i < n; i++)
        all = x[i] > all ? x[i] : all;
    return all;
}

/* Add up values, weighted: `heads` queries from `head` on, `parts` vectors from element `at` on.
 * Keys of even and of odd places are added up apart, then together. */
INLINE void mix(const lm_queries *s, size_t head, size_t at, size_t heads, size_t parts,
                size_t stride)
{
    vf acc[2][2][4];
    foreach (h, heads)
        foreach (j, parts)
            acc[0][h][j] = acc[1][h][j] = (vf){0};
    const float *weights = s->scores + head * stride;
    for (size_t begin = 0; begin < s->n_keys; begin += LM_BLOCK) {
        const float *values = keys_of(s, begin / LM_BLOCK) + s->head_size * LM_BLOCK + at;
        size_t end = s->n_keys - begin < LM_BLOCK ? s->n_keys - begin : LM_BLOCK;
        for (size_t t = 0; t < end; t += 2) /* beyond the last key weights and values are 0 */
            foreach (odd, 2)
                foreach (h, heads) {
                    vf weight = splat(weights[h * stride + begin + t + odd]);
                    foreach (j, parts)
                        acc[odd][h][j] = fused(acc[odd][h][j], weight,
                                               load(values + (t + odd) * s->head_size + j * LANES));
                }
    }
    foreach (h, heads)
        foreach (j, parts)
            store(s->out + (head + h) * s->head_size + at + j * LANES, acc[0][h][j] + acc[1][h][j]);
}

#define PARTS 2 /* vectors of elements at a time */

INLINE void attend_heads(const lm_queries *s, size_t head, size_t heads, size_t stride)
{
    float sums[2];
    size_t at = 0;
    score_all(s, head, heads, stride);
    foreach (h, heads) {
        float *scores = s->scores + (head + h) * stride;
        sums[h] = (float)soften(scores, s->n_keys, largest(scores, s->n_keys), 1.0f, scores);
    }
    for (; at + PARTS * LANES <= s->head_size; at += PARTS * LANES)
        mix(s, head, at, heads, PARTS, stride);
    for (; at < s->head_size; at += LANES)
        mix(s, head, at, heads, 1, stride);
    foreach (h, heads)
        for (size_t d = 0; d < s->head_size; d += LANES) {
            float *out = s->out + (head + h) * s->head_size + d;
            store(out, load(out) / splat(sums[h]));
        }
}

static void attend(const lm_queries *s)
{
    size_t stride = (s->n_keys + LM_BLOCK - 1) / LM_BLOCK * LM_BLOCK, h = 0;
    for (; h + 2 <= s->group; h += 2)
        attend_heads(s, h, 2, stride);
    for (; h < s->group; h++)
        attend_heads(s, h, 1, stride);
}

static bool usable(void)
{
    return USABLE;
}

extern const lm_kernels KERNELS;
const lm_kernels KERNELS = {KERNELS_NAME, usable, multiply, normalise, gate, attend, soften};
