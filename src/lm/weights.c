/* SPDX-License-Identifier: Apache-2.0 */
/* The weights of a model: found in the file, checked, and laid out in panels of 16 rows. */
#include "base/arena.h"
#include "base/str.h"
#include "lm/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define Q8_BYTES 34 /* of a block: a scale of 16 bits, then 32 weights */

void *lm_aligned(rdv_arena *arena, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX - LM_ALIGN)
        return NULL;
    char *p = rdv_calloc(arena, 1, bytes + LM_ALIGN);
    return p ? p + (LM_ALIGN - (uintptr_t)p % LM_ALIGN) % LM_ALIGN : NULL;
}

static int no_memory(rdv_error *err)
{
    return rdv_no_memory(err);
}

/* ---- numbers of the file --------------------------------------------------------------------- */

static float float_of_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* A half (IEEE 754 binary16) as a float: exact. */
static float half(const char *p)
{
    uint16_t h;
    memcpy(&h, p, sizeof h);
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 1023;
    if (exponent == 31)
        return float_of_bits(sign | 0x7f800000 | fraction << 13);
    if (exponent)
        return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
    return (sign ? -1.0f : 1.0f) * (float)fraction * 0x1p-24f;
}

static const char *row_of(const gguf_tensor *t, size_t row)
{
    return t->bytes.p + row * (t->bytes.len / t->dims[1]);
}

void lm_read_row(const gguf_tensor *t, size_t row, float *out)
{
    const char *p = row_of(t, row);
    size_t n = (size_t)t->dims[0];
    switch (t->weights) {
    case GGUF_WEIGHTS_F32:
        memcpy(out, p, n * sizeof *out);
        break;
    case GGUF_WEIGHTS_F16:
        for (size_t i = 0; i < n; i++)
            out[i] = half(p + 2 * i);
        break;
    case GGUF_WEIGHTS_BF16:
        for (size_t i = 0; i < n; i++) {
            uint16_t high;
            memcpy(&high, p + 2 * i, sizeof high);
            out[i] = float_of_bits((uint32_t)high << 16);
        }
        break;
    case GGUF_WEIGHTS_Q8_0:
        for (size_t i = 0; i < n; i += LM_Q8_BLOCK, p += Q8_BYTES)
            for (size_t k = 0; k < LM_Q8_BLOCK; k++)
                out[i + k] = (float)(signed char)p[2 + k] * half(p);
        break;
    }
}

/* ---- finding --------------------------------------------------------------------------------- */

typedef struct loader {
    rdv_lm *lm;
    rdv_error *err;
    float *row;    /* one, of the longest there is */
    size_t n_used; /* tensors found so far */
    int rc;
} loader;

/* The tensor "blk.LAYER.NAME.weight" (layer < 0: "NAME.weight") of this shape, or NULL. */
static const gguf_tensor *find(loader *l, int layer, const char *name, uint64_t cols, uint64_t rows)
{
    char full[64];
    if (l->rc)
        return NULL;
    if (layer < 0)
        snprintf(full, sizeof full, "%s.weight", name);
    else
        snprintf(full, sizeof full, "blk.%d.%s.weight", layer, name);
    const gguf_tensor *t = gguf_find(&l->lm->g, rdv_str_of(full));
    if (!t) {
        l->rc = rdv_fail(l->err, RDV_E_INPUT, "tensor '%s' is missing", full);
    } else if (t->dims[0] != cols || t->dims[1] != rows) {
        l->rc = rdv_fail(l->err, RDV_E_INPUT, "tensor '%s' is of %llu x %llu, not %llu x %llu",
                         full, (unsigned long long)t->dims[0], (unsigned long long)t->dims[1],
                         (unsigned long long)cols, (unsigned long long)rows);
        t = NULL;
    } else {
        l->n_used++;
        l->lm->params += cols * rows;
    }
    return t;
}

static bool all_finite(const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static void bad_weight(loader *l, const gguf_tensor *t)
{
    l->rc = rdv_fail(l->err, RDV_E_INPUT, "tensor '%s' has a weight that is no number",
                     gguf_show(t->name).text);
}

/* The weights of a norm. */
static const float *vector(loader *l, int layer, const char *name)
{
    size_t width = l->lm->size.width;
    const gguf_tensor *t = find(l, layer, name, width, 1);
    if (!t)
        return NULL;
    float *out = lm_aligned(l->lm->arena, width, sizeof *out);
    if (!out) {
        l->rc = no_memory(l->err);
        return NULL;
    }
    lm_read_row(t, 0, out);
    l->lm->packed_bytes += width * sizeof *out;
    if (!all_finite(out, width))
        bad_weight(l, t);
    return out;
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* One row of q8_0 goes into lane row % 16 of its panel. False: a scale is no number. */
static bool pack_q8(const gguf_tensor *t, size_t from, const lm_matrix *m, size_t row)
{
    const char *block = row_of(t, from);
    size_t panel = row / LM_PANEL, lane = row % LM_PANEL, n_blocks = m->cols / LM_Q8_BLOCK;
    char *q = (char *)(uintptr_t)m->q8 + panel * LM_PANEL * m->cols + lane * 4;
    float *scales = (float *)(uintptr_t)m->scales + panel * LM_PANEL * n_blocks + lane;
    bool finite = true;
    for (size_t b = 0; b < n_blocks; b++, block += Q8_BYTES, scales += LM_PANEL) {
        *scales = half(block);
        finite &= isfinite(*scales) != 0;
        for (size_t k = 0; k < LM_Q8_BLOCK; k += 4, q += 4 * LM_PANEL)
            memcpy(q, block + 2 + k, 4);
    }
    return finite;
}

static bool pack_f32(const gguf_tensor *t, size_t from, const lm_matrix *m, size_t row, float *x)
{
    float *out = (float *)(uintptr_t)m->f32 + row / LM_PANEL * LM_PANEL * m->cols + row % LM_PANEL;
    lm_read_row(t, from, x);
    for (size_t k = 0; k < m->cols; k++)
        out[k * LM_PANEL] = x[k];
    return all_finite(x, m->cols);
}

/* Room for a matrix whose parts are all q8_0, or not. */
static bool make_room(loader *l, lm_matrix *m, bool q8)
{
    size_t weights = (size_t)m->rows * m->cols;
    rdv_arena *arena = l->lm->arena;
    if (!q8) {
        m->f32 = lm_aligned(arena, weights, sizeof(float));
        l->lm->packed_bytes += weights * sizeof(float);
        return m->f32 != NULL;
    }
    m->q8 = lm_aligned(arena, weights, 1);
    m->scales = lm_aligned(arena, weights / LM_Q8_BLOCK, sizeof(float));
    l->lm->packed_bytes += weights + weights / LM_Q8_BLOCK * sizeof(float);
    return m->q8 && m->scales;
}

/* One matrix of the rows of up to three tensors, one below the other. */
static void stack(loader *l, lm_matrix *m, const gguf_tensor *const *parts, size_t n)
{
    bool q8 = true;
    uint64_t rows = 0;
    if (l->rc)
        return;
    for (size_t i = 0; i < n; i++) {
        rows += parts[i]->dims[1];
        q8 &= parts[i]->weights == GGUF_WEIGHTS_Q8_0;
    }
    *m = (lm_matrix){.rows = (uint32_t)((rows + LM_PANEL - 1) / LM_PANEL * LM_PANEL),
                     .cols = (uint32_t)parts[0]->dims[0]};
    if (!make_room(l, m, q8)) {
        l->rc = no_memory(l->err);
        return;
    }
    size_t row = 0;
    for (size_t i = 0; i < n; i++) {
        bool finite = true;
        for (size_t from = 0; from < parts[i]->dims[1]; from++, row++)
            finite &=
                q8 ? pack_q8(parts[i], from, m, row) : pack_f32(parts[i], from, m, row, l->row);
        if (!finite)
            bad_weight(l, parts[i]);
    }
}

static void load_layer(loader *l, int i)
{
    const lm_sizes *s = &l->lm->size;
    lm_layer *layer = &l->lm->layers[i];
    layer->attn_norm = vector(l, i, "attn_norm");
    layer->ffn_norm = vector(l, i, "ffn_norm");
    stack(l, &layer->qkv,
          (const gguf_tensor *[]){find(l, i, "attn_q", s->width, s->width),
                                  find(l, i, "attn_k", s->width, s->kv_width),
                                  find(l, i, "attn_v", s->width, s->kv_width)},
          3);
    stack(l, &layer->output, (const gguf_tensor *[]){find(l, i, "attn_output", s->width, s->width)},
          1);
    stack(l, &layer->gate_up,
          (const gguf_tensor *[]){find(l, i, "ffn_gate", s->width, s->feed_forward),
                                  find(l, i, "ffn_up", s->width, s->feed_forward)},
          2);
    stack(l, &layer->down,
          (const gguf_tensor *[]){find(l, i, "ffn_down", s->feed_forward, s->width)}, 1);
}

/* ---- rotary positions ------------------------------------------------------------------------ */

/* Neighbouring elements 2i and 2i+1 of a head turn by position * base^(-2i / head_size). */
static bool make_turns(rdv_lm *lm)
{
    const lm_sizes *s = &lm->size;
    size_t pairs = s->head_size / 2;
    float *cosine = rdv_alloc(lm->arena, s->context * pairs * sizeof *cosine);
    float *sine = rdv_alloc(lm->arena, s->context * pairs * sizeof *sine);
    if (!cosine || !sine)
        return false;
    for (size_t i = 0; i < pairs; i++) {
        double speed = pow(s->rope_base, -2.0 * (double)i / s->head_size);
        for (size_t at = 0; at < s->context; at++) {
            cosine[at * pairs + i] = (float)cos((double)at * speed);
            sine[at * pairs + i] = (float)sin((double)at * speed);
        }
    }
    lm->cosine = cosine;
    lm->sine = sine;
    lm->packed_bytes += 2 * s->context * pairs * sizeof *cosine;
    return true;
}

/* ---- the step head --------------------------------------------------------------------------- */

#define LAYOUT "rederive.step_head.layout"
#define BIAS "rederive.step_head.bias"

/* A head with another layout of the chain, or a part of a head, would give meaningless scores. */
static void load_step_head(loader *l)
{
    rdv_lm *lm = l->lm;
    rdv_str layout = {NULL, 0};
    bool there = gguf_find(&lm->g, RDV_STR("step_head.weight")) != NULL;
    if (l->rc || (!there && !gguf_get(&lm->g, LAYOUT) && !gguf_get(&lm->g, BIAS)))
        return;
    lm->step_bias = NAN;
    lm->step_head = vector(l, -1, "step_head");
    int rc = l->rc ? l->rc : gguf_text(&lm->g, LAYOUT, &layout, l->err);
    if (rc >= 0)
        rc = gguf_float(&lm->g, BIAS, &lm->step_bias, l->err);
    if (rc >= 0 && !rdv_str_eq(layout, RDV_STR("turn")))
        rc = rdv_fail(l->err, RDV_E_INPUT, LAYOUT " is not \"turn\"");
    if (rc >= 0 && !isfinite(lm->step_bias))
        rc = rdv_fail(l->err, RDV_E_INPUT, BIAS " is missing, or not a number");
    l->rc = rc < 0 ? rc : RDV_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void load(loader *l)
{
    rdv_lm *lm = l->lm;
    const lm_sizes *s = &lm->size;
    lm->layers = RDV_NEW_ARRAY(lm->arena, lm_layer, s->layers);
    l->row = lm_aligned(lm->arena, s->width > s->feed_forward ? s->width : s->feed_forward,
                        sizeof *l->row);
    if (!lm->layers || !l->row) {
        l->rc = no_memory(l->err);
        return;
    }
    lm->embedding = find(l, -1, "token_embd", s->width, s->vocab);
    const gguf_tensor *output = lm->embedding; /* tied, unless there is another */
    if (gguf_find(&lm->g, RDV_STR("output.weight")))
        output = find(l, -1, "output", s->width, s->vocab);
    stack(l, &lm->logits, &output, 1);
    lm->output_norm = vector(l, -1, "output_norm");
    for (uint32_t i = 0; i < s->layers && !l->rc; i++)
        load_layer(l, (int)i);
    load_step_head(l);
    if (!l->rc && !make_turns(lm))
        l->rc = no_memory(l->err);
}

int lm_load_weights(rdv_lm *lm, rdv_error *err)
{
    loader l = {.lm = lm, .err = err};
    load(&l);
    if (l.rc)
        return l.rc;
    if (l.n_used != lm->g.n_tensors)
        return rdv_fail(err, RDV_E_INPUT,
                        "%zu tensors that a plain llama model does not have would change what it "
                        "computes",
                        lm->g.n_tensors - l.n_used);
    return RDV_OK;
}
