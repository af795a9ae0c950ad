/* SPDX-License-Identifier: Apache-2.0 */
#include "lm/forward.h"
#include "base/arena.h"

#include <math.h>
#include <string.h>

#define PIECES 4     /* of a piece of work, for each thread: they end at different times */
#define SMALL 32768  /* up to so many multiplications one thread is enough */
#define SMALL_ROWS 4 /* and rows */

size_t forward_block_floats(const lm_sizes *s)
{
    return (size_t)s->layers * s->kv_width * 2 * LM_BLOCK;
}

size_t forward_stride(const forward *f)
{
    return f->lm->logits.rows;
}

static float *room_for(forward *f, rdv_arena *arena, size_t rows, size_t cols)
{
    f->bytes += rows * cols * sizeof(float);
    return lm_aligned(arena, rows * cols, sizeof(float));
}

int forward_init(forward *f, const rdv_lm *lm, const lm_kernels *kernels, pool *helpers,
                 rdv_arena *arena, size_t max_rows, rdv_error *err)
{
    const lm_sizes *s = &lm->size;
    *f = (forward){.lm = lm, .kernels = kernels, .pool = helpers, .max_rows = max_rows};
    f->x = room_for(f, arena, max_rows, s->width);
    f->h = room_for(f, arena, max_rows, s->width);
    f->qkv = room_for(f, arena, max_rows, s->width + 2 * s->kv_width);
    f->ff = room_for(f, arena, max_rows, 2 * (size_t)s->feed_forward);
    f->logits = room_for(f, arena, FORWARD_LOGITS, lm->logits.rows);
    f->rooms = RDV_NEW_ARRAY(arena, float *, pool_threads(helpers));
    size_t cols = s->width > s->feed_forward ? s->width : s->feed_forward;
    size_t scores = (size_t)(s->heads / s->kv_heads) * (s->context + LM_BLOCK);
    size_t room = lm_product_room(cols);
    bool ok = f->x && f->h && f->qkv && f->ff && f->logits && f->rooms;
    for (size_t i = 0; ok && i < pool_threads(helpers); i++)
        ok = (f->rooms[i] = room_for(f, arena, 1, scores > room ? scores : room)) != NULL;
    return ok ? RDV_OK : rdv_no_memory(err);
}

/* ---- sharing out ----------------------------------------------------------------------------- */

typedef struct shared {
    forward_work work;
    void *payload;
    size_t total, pieces;
} shared;

static void do_piece(void *payload, size_t item, size_t worker)
{
    const shared *s = payload;
    s->work(s->payload, item * s->total / s->pieces, (item + 1) * s->total / s->pieces, worker);
}

void forward_share(const forward *f, forward_work work, void *payload, size_t total, bool small)
{
    size_t threads = pool_threads(f->pool), pieces = threads > 1 ? PIECES * threads : 1;
    if (small || threads == 1)
        pieces = 1;
    shared s = {work, payload, total, pieces < total ? pieces : total};
    pool_run(f->pool, do_piece, &s, s.pieces);
}

/* ---- products -------------------------------------------------------------------------------- */

typedef struct product_work {
    const forward *f;
    lm_product p;
} product_work;

static void multiply_piece(void *payload, size_t begin, size_t end, size_t worker)
{
    const product_work *w = payload;
    w->f->kernels->multiply(&w->p, begin, end - begin, w->f->rooms[worker]);
}

static void multiply(const forward *f, const lm_matrix *m, const float *x, size_t x_stride,
                     size_t n, float *y, size_t y_stride, bool add)
{
    product_work w = {f, {m, x, x_stride, n, y, y_stride, add}};
    forward_share(f, multiply_piece, &w, m->rows / LM_PANEL, (size_t)m->rows * m->cols * n < SMALL);
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct layer_work {
    const forward *f;
    const lm_layer *layer;
    size_t offset; /* of the layer in a block */
} layer_work;

static void embed(void *payload, size_t begin, size_t end, size_t worker)
{
    const forward *f = payload;
    for (size_t i = begin; i < end; i++)
        lm_read_row(f->lm->embedding, f->rows[i].token, f->x + i * f->lm->size.width);
}

static void norm_rows(const forward *f, const float *weight, size_t begin, size_t end)
{
    size_t width = f->lm->size.width;
    for (size_t i = begin; i < end; i++)
        f->kernels->normalise(f->x + i * width, weight, width, f->lm->size.epsilon,
                              f->h + i * width);
}

static void norm_attention(void *payload, size_t begin, size_t end, size_t worker)
{
    const layer_work *w = payload;
    norm_rows(w->f, w->layer->attn_norm, begin, end);
}

static void norm_feed_forward(void *payload, size_t begin, size_t end, size_t worker)
{
    const layer_work *w = payload;
    norm_rows(w->f, w->layer->ffn_norm, begin, end);
}

/* Turn the neighbouring pairs of each head by the angles of its place, and scale them. */
static void turn(const lm_sizes *s, const float *cosine, const float *sine, size_t heads,
                 float scale, float *x)
{
    for (size_t h = 0; h < heads; h++, x += s->head_size)
        for (size_t i = 0; i < s->head_size / 2; i++) {
            float even = x[2 * i], odd = x[2 * i + 1];
            x[2 * i] = (even * cosine[i] - odd * sine[i]) * scale;
            x[2 * i + 1] = (even * sine[i] + odd * cosine[i]) * scale;
        }
}

/* Keys lie in a block by elements, values by tokens: see lm_queries. */
static void put_away(const lm_sizes *s, const float *k, const float *v, size_t lane, float *block)
{
    size_t size = s->head_size;
    for (size_t h = 0; h < s->kv_heads; h++, k += size, v += size, block += 2 * size * LM_BLOCK) {
        for (size_t d = 0; d < size; d++)
            block[d * LM_BLOCK + lane] = k[d];
        memcpy(block + size * LM_BLOCK + lane * size, v, size * sizeof *v);
    }
}

static void place_rows(void *payload, size_t begin, size_t end, size_t worker)
{
    const layer_work *w = payload;
    const lm_sizes *s = &w->f->lm->size;
    size_t pairs = s->head_size / 2;
    float scale = 1.0f / sqrtf((float)s->head_size);
    for (size_t i = begin; i < end; i++) {
        const lm_row *row = &w->f->rows[i];
        const float *cosine = w->f->lm->cosine + row->at * pairs;
        const float *sine = w->f->lm->sine + row->at * pairs;
        float *q = w->f->qkv + i * (s->width + 2 * s->kv_width), *k = q + s->width;
        turn(s, cosine, sine, s->heads, scale, q);
        turn(s, cosine, sine, s->kv_heads, 1.0f, k);
        put_away(s, k, k + s->kv_width, row->at % LM_BLOCK,
                 row->blocks[row->at / LM_BLOCK] + w->offset);
    }
}

/* Items are rows, for one head of keys after another: sequences that share a prompt share what has
 * just been read. */
static void attend(void *payload, size_t begin, size_t end, size_t worker)
{
    const layer_work *w = payload;
    const lm_sizes *s = &w->f->lm->size;
    size_t group = s->heads / s->kv_heads;
    for (size_t item = begin; item < end; item++) {
        size_t i = item % w->f->n_rows, head = item / w->f->n_rows;
        lm_queries queries = {.q = w->f->qkv + i * (s->width + 2 * s->kv_width) +
                                   head * group * s->head_size,
                              .out = w->f->h + i * s->width + head * group * s->head_size,
                              .blocks = (const float *const *)w->f->rows[i].blocks,
                              .offset = w->offset + head * 2 * s->head_size * LM_BLOCK,
                              .n_keys = w->f->rows[i].at + 1,
                              .group = group,
                              .head_size = s->head_size,
                              .scores = w->f->rooms[worker]};
        w->f->kernels->attend(&queries);
    }
}

static void gate_rows(void *payload, size_t begin, size_t end, size_t worker)
{
    const layer_work *w = payload;
    size_t n = w->f->lm->size.feed_forward;
    for (size_t i = begin; i < end; i++) {
        float *gate = w->f->ff + i * 2 * n;
        w->f->kernels->gate(gate, gate + n, n, gate);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void run_layer(const forward *f, size_t i)
{
    const lm_sizes *s = &f->lm->size;
    const lm_layer *layer = &f->lm->layers[i];
    size_t n = f->n_rows, qkv = s->width + 2 * s->kv_width, ff = 2 * (size_t)s->feed_forward;
    bool few = n < SMALL_ROWS;
    layer_work w = {f, layer, i * s->kv_width * 2 * LM_BLOCK};
    forward_share(f, norm_attention, &w, n, few);
    multiply(f, &layer->qkv, f->h, s->width, n, f->qkv, qkv, false);
    forward_share(f, place_rows, &w, n, few);
    forward_share(f, attend, &w, n * s->kv_heads, false);
    multiply(f, &layer->output, f->h, s->width, n, f->x, s->width, true);
    forward_share(f, norm_feed_forward, &w, n, few);
    multiply(f, &layer->gate_up, f->h, s->width, n, f->ff, ff, false);
    forward_share(f, gate_rows, &w, n, few);
    multiply(f, &layer->down, f->ff, ff, n, f->x, s->width, true);
}

void forward_run(forward *f, const lm_row *rows, size_t n)
{
    f->rows = rows;
    f->n_rows = n;
    forward_share(f, embed, f, n, n < SMALL_ROWS);
    for (size_t i = 0; i < f->lm->size.layers; i++)
        run_layer(f, i);
}

void forward_logits(forward *f, const size_t *rows, size_t n)
{
    size_t width = f->lm->size.width;
    for (size_t i = 0; i < n; i++)
        f->kernels->normalise(f->x + rows[i] * width, f->lm->output_norm, width,
                              f->lm->size.epsilon, f->h + i * width);
    multiply(f, &f->lm->logits, f->h, width, n, f->logits, forward_stride(f), false);
}

double forward_step_logit(forward *f, size_t row)
{
    const rdv_lm *lm = f->lm;
    double sum = lm->step_bias;
    f->kernels->normalise(f->x + row * lm->size.width, lm->output_norm, lm->size.width,
                          lm->size.epsilon, f->h);
    for (size_t i = 0; i < lm->size.width; i++)
        sum += (double)f->h[i] * lm->step_head[i];
    return sum;
}
