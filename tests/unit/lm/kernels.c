/* SPDX-License-Identifier: Apache-2.0 */
/* Every variant of the kernels against plain loops, to the last bit, at sizes of every kind; and
 * nothing written beyond what they are to write. */
#include "../test.h"

#include "base/rng.h"
#include "lm/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GUARD 64 /* floats behind each array that must stay as they are */
#define MARK 12345.0f

static float *floats(size_t n)
{
    float *p = NULL;
    assert_int_equal(posix_memalign((void **)&p, LM_ALIGN, (n + GUARD) * sizeof *p), 0);
    for (size_t i = 0; i < n + GUARD; i++)
        p[i] = MARK;
    return p;
}

static void assert_guarded(const float *p, size_t n)
{
    for (size_t i = 0; i < GUARD; i++)
        assert_true(p[n + i] == MARK);
}

static float *noise(rdv_rng *rng, size_t n)
{
    float *p = floats(n);
    for (size_t i = 0; i < n; i++)
        p[i] = (float)(rdv_rng_unit(rng) * 2 - 1);
    return p;
}

static void assert_same_bits(const float *a, const float *b, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0)
            fail_msg("%s: element %zu is %a, not %a", what, i, (double)a[i], (double)b[i]);
}

/* ---- matrices -------------------------------------------------------------------------------- */

typedef struct problem {
    size_t rows, cols, n;
    float *x, *w; /* w as plain rows */
    lm_matrix f32, q8;
} problem;

static problem make_problem(rdv_rng *rng, size_t rows, size_t cols, size_t n)
{
    problem p = {.rows = rows, .cols = cols, .n = n, .x = noise(rng, n * cols)};
    float *panels = floats(rows * cols), *scales = noise(rng, rows * cols / LM_Q8_BLOCK);
    int8_t *q8 = (int8_t *)floats(rows * cols / 4);
    p.w = floats(rows * cols);
    for (size_t r = 0; r < rows; r++)
        for (size_t k = 0; k < cols; k++) {
            size_t panel = r / LM_PANEL, lane = r % LM_PANEL;
            float scale =
                scales[(panel * (cols / LM_Q8_BLOCK) + k / LM_Q8_BLOCK) * LM_PANEL + lane];
            int8_t q = (int8_t)((int)rdv_rng_below(rng, 255) - 127);
            p.w[r * cols + k] = (float)q * scale;
            panels[(panel * cols + k) * LM_PANEL + lane] = (float)q * scale;
            q8[((panel * (cols / 4) + k / 4) * LM_PANEL + lane) * 4 + k % 4] = q;
        }
    p.f32 = (lm_matrix){(uint32_t)rows, (uint32_t)cols, panels, NULL, NULL};
    p.q8 = (lm_matrix){(uint32_t)rows, (uint32_t)cols, NULL, q8, scales};
    return p;
}

static void free_problem(problem *p)
{
    free(p->x);
    free(p->w);
    free((void *)(uintptr_t)p->f32.f32);
    free((void *)(uintptr_t)p->q8.q8);
    free((void *)(uintptr_t)p->q8.scales);
}

static void check_product(const lm_kernels *kernels, const problem *p, bool q8, bool add)
{
    size_t stride = p->rows + LM_PANEL;
    float *y = floats(p->n * stride), *wanted = floats(p->n * stride);
    float *room = floats(lm_product_room(p->cols));
    for (size_t c = 0; c < p->n; c++)
        for (size_t r = 0; r < p->rows; r++) {
            float sum = 0;
            for (size_t k = 0; k < p->cols; k++)
                sum = fmaf(p->w[r * p->cols + k], p->x[c * p->cols + k], sum);
            wanted[c * stride + r] = add ? sum + MARK : sum;
        }
    lm_product product = {q8 ? &p->q8 : &p->f32, p->x, p->cols, p->n, y, stride, add};
    size_t panels = p->rows / LM_PANEL, cut = panels / 3; /* as two threads might share it */
    kernels->multiply(&product, cut, panels - cut, room);
    kernels->multiply(&product, 0, cut, room);
    assert_same_bits(y, wanted, p->n * stride, kernels->name);
    assert_guarded(y, p->n * stride);
    assert_guarded(room, lm_product_room(p->cols));
    free(y);
    free(wanted);
    free(room);
}

static void test_multiply__every_shape(void **state)
{
    static const size_t columns[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 17, 33};
    rdv_rng rng;
    rdv_rng_seed(&rng, 1);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        problem p = make_problem(&rng, LM_PANEL * (1 + rdv_rng_below(&rng, 21)),
                                 LM_Q8_BLOCK * (1 + rdv_rng_below(&rng, 3)), columns[i]);
        const lm_kernels *kernels;
        for (size_t v = 0; (kernels = lm_kernels_at(v)); v++)
            for (int kind = 0; kind < 4; kind++)
                check_product(kernels, &p, kind & 1, kind & 2);
        free_problem(&p);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void test_rows__variants_agree(void **state)
{
    rdv_rng rng;
    rdv_rng_seed(&rng, 2);
    for (size_t n = 16; n <= 320; n += 48) {
        float *x = noise(&rng, n), *w = noise(&rng, n), *first = floats(n), *y = floats(n);
        const lm_kernels *kernels;
        for (int what = 0; what < 3; what++)
            for (size_t v = 0; (kernels = lm_kernels_at(v)); v++) {
                float *out = v ? y : first;
                if (what == 0)
                    kernels->normalise(x, w, n, 1e-5f, out);
                else if (what == 1)
                    kernels->gate(x, w, n, out);
                else
                    kernels->soften(x, n - 5, 1.0f, 3.0f, out);
                assert_guarded(out, n);
                assert_same_bits(out, first, n, kernels->name);
            }
        free(x);
        free(w);
        free(first);
        free(y);
    }
}

static void test_rows__values(void **state)
{
    const lm_kernels *kernels = lm_kernels_at(0);
    float *x = floats(64), *one = floats(64), *y = floats(64);
    double squares = 0, sum = 0;
    for (size_t i = 0; i < 64; i++) {
        x[i] = (float)i / 4 - 9;
        one[i] = 1;
        squares += (double)x[i] * x[i];
    }
    kernels->normalise(x, one, 64, 1e-5f, y);
    for (size_t i = 0; i < 64; i++)
        assert_true(fabs(y[i] - x[i] / sqrt(squares / 64 + 1e-5)) < 1e-6);
    kernels->gate(x, one, 64, y);
    for (size_t i = 0; i < 64; i++)
        assert_true(fabs(y[i] - x[i] / (1 + exp(-(double)x[i]))) < 2e-6);
    double total = kernels->soften(x, 50, x[49], 0.5f, y);
    for (size_t i = 0; i < 64; i++) {
        double wanted = i < 50 ? exp(((double)x[i] - x[49]) / 2) : 0;
        sum += wanted;
        assert_true(fabs(y[i] - wanted) <= 3e-7 * wanted);
    }
    assert_true(fabs(total - sum) < 1e-5);
    free(x);
    free(one);
    free(y);
}

static void test_rows__what_is_no_number(void **state)
{
    float *x = floats(32), *y = floats(32);
    const lm_kernels *kernels;
    for (size_t i = 0; i < 32; i++)
        x[i] = i % 3 ? INFINITY : NAN;
    for (size_t v = 0; (kernels = lm_kernels_at(v)); v++) {
        kernels->normalise(x, x, 32, 1e-5f, y);
        kernels->gate(x, x, 32, y);
        kernels->soften(x, 30, 0, 1, y);
        assert_guarded(y, 32);
    }
    free(x);
    free(y);
}

/* ---- attention ------------------------------------------------------------------------------- */

typedef struct attention {
    size_t n_keys, group, head_size, n_blocks;
    float *q, *data;
    const float **blocks;
} attention;

static void check_attention(const attention *a)
{
    size_t out_size = a->group * a->head_size, stride = a->n_blocks * LM_BLOCK;
    float *first = floats(out_size), *out = floats(out_size), *scores = floats(a->group * stride);
    const lm_kernels *kernels;
    for (size_t v = 0; (kernels = lm_kernels_at(v)); v++) {
        lm_queries queries = {.q = a->q,
                              .out = v ? out : first,
                              .blocks = a->blocks,
                              .offset = 16,
                              .n_keys = a->n_keys,
                              .group = a->group,
                              .head_size = a->head_size,
                              .scores = scores};
        kernels->attend(&queries);
        assert_guarded(queries.out, out_size);
        assert_guarded(scores, a->group * stride);
        assert_same_bits(queries.out, first, out_size, kernels->name);
    }
    for (size_t h = 0; h < a->group; h++)
        for (size_t d = 0; d < a->head_size; d++) {
            double sum = 0, mix = 0;
            for (size_t t = 0; t < a->n_keys; t++) {
                const float *block = a->blocks[t / LM_BLOCK] + 16;
                double score = 0;
                for (size_t i = 0; i < a->head_size; i++)
                    score +=
                        (double)a->q[h * a->head_size + i] * block[i * LM_BLOCK + t % LM_BLOCK];
                sum += exp(score);
                mix +=
                    exp(score) * block[a->head_size * LM_BLOCK + t % LM_BLOCK * a->head_size + d];
            }
            assert_true(fabs(first[h * a->head_size + d] - mix / sum) < 2e-6);
        }
    free(first);
    free(out);
    free(scores);
}

static void test_attend__every_shape(void **state)
{
    rdv_rng rng;
    rdv_rng_seed(&rng, 3);
    for (size_t n_keys = 1; n_keys < 200; n_keys += n_keys < 20 ? 1 : 23)
        for (size_t group = 1; group <= 3; group++) {
            attention a = {.n_keys = n_keys,
                           .group = group,
                           .head_size = 16 * (1 + rdv_rng_below(&rng, 4)),
                           .n_blocks = (n_keys + LM_BLOCK - 1) / LM_BLOCK};
            size_t size = 16 + 2 * a.head_size * LM_BLOCK;
            a.q = noise(&rng, group * a.head_size);
            a.data = noise(&rng, a.n_blocks * size);
            a.blocks = calloc(a.n_blocks, sizeof *a.blocks);
            assert_non_null(a.blocks);
            for (size_t i = 0; i < a.n_blocks; i++)
                a.blocks[i] = a.data + (a.n_blocks - 1 - i) * size;
            check_attention(&a);
            free(a.q);
            free(a.data);
            free(a.blocks);
        }
}

static void test_kernels__plain_is_always_there(void **state)
{
    size_t n = 0;
    while (lm_kernels_at(n))
        n++;
    assert_true(n >= 1);
    assert_string_equal(lm_kernels_at(n - 1)->name, "plain");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multiply__every_shape),
        cmocka_unit_test(test_rows__variants_agree),
        cmocka_unit_test(test_rows__values),
        cmocka_unit_test(test_rows__what_is_no_number),
        cmocka_unit_test(test_attend__every_shape),
        cmocka_unit_test(test_kernels__plain_is_always_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
