/* SPDX-License-Identifier: Apache-2.0 */
/* A model file of any content: it is refused with one line, or it can be run. And, with the model
 * of the corpus in mind, text of any content made into tokens and back. Under libFuzzer most
 * changes keep the frame of the file, its counts and lengths, so that they reach what reads the
 * values. */
#include "base/arena.h"
#include "base/str.h"
#include "lm/gguf.h"
#include "lm/lm.h"
#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* The texts of messages must not carry control tokens; what comes back is what went in. */
static void check_tokens(const rdv_lm *lm, rdv_str text, rdv_arena *arena)
{
    uint32_t *tokens;
    size_t n;
    rdv_str back;
    require(rdv_lm_tokens(lm, text, false, arena, &tokens, &n, NULL) == RDV_OK);
    for (size_t i = 0; i < n; i++)
        require(rdv_lm_piece(lm, tokens[i]).len > 0);
    require(rdv_lm_text(lm, tokens, n, arena, &back, NULL) == RDV_OK);
    if (rdv_find(text, RDV_STR("\xe2\x96\x81"), 0) == RDV_NOT_FOUND)
        require(rdv_str_eq(text, back));
}

static void run_job(rdv_lm_engine *engine, const rdv_lm_job *job)
{
    rdv_lm_event event;
    uint64_t id;
    if (rdv_lm_submit(engine, job, &id, NULL) == RDV_OK)
        while (rdv_lm_step(engine, NULL) == RDV_OK)
            while (rdv_lm_poll(engine, &event) == RDV_OK)
                ;
}

static void run(const rdv_lm *lm, const uint32_t *prompt, size_t n_prompt, bool steps)
{
    rdv_lm_engine *engine;
    rdv_lm_options options = {.threads = 1, .sequences = 2, .chunk = 16, .cache_bytes = 1};
    rdv_lm_job job = {.prompt = prompt,
                      .n_prompt = n_prompt,
                      .score = true,
                      .max_tokens = 3,
                      .temperature = 1,
                      .top_p = 0.9,
                      .top_logprobs = 2,
                      .stream = true};
    const size_t ends[] = {0, 1};
    rdv_lm_job judged = {
        .prompt = prompt, .n_prompt = n_prompt, .step_ends = ends, .n_step_ends = n_prompt};
    if (rdv_lm_engine_new(&engine, lm, &options, NULL) != RDV_OK)
        return;
    run_job(engine, &job);
    if (steps)
        run_job(engine, &judged);
    rdv_lm_engine_free(&engine);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_lm *lm;
    rdv_error err = {0};
    int rc = rdv_lm_read(&lm, (rdv_str){(const char *)data, size}, &err);
    require((rc == RDV_OK) == (lm != NULL));
    require(rc == RDV_OK || (err.msg[0] && !strchr(err.msg, '\n')));
    if (rc != RDV_OK)
        return 0;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_lm_info info;
    rdv_lm_about(lm, &info);
    if (arena && info.context <= 4096 && info.params <= 1 << 20) {
        size_t n = size < 200 ? size : 200;
        check_tokens(lm, (rdv_str){(const char *)data + size - n, n}, arena);
        const uint32_t prompt[] = {1, (uint32_t)(size % info.vocab)};
        run(lm, prompt, 2, info.step_head);
    }
    rdv_arena_free(&arena);
    rdv_lm_close(&lm);
    return 0;
}

#define MOST_CHANGED 256 /* bytes of a value or of weights that one change may touch */
#define FRAME_SHARE 4    /* one change in so many is of any byte */

/* libFuzzer's, which is not there when the corpus is replayed. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

/* One text of an array of texts, without its length. */
static rdv_str text_of(rdv_str items, uint64_t i)
{
    uint64_t n = 0;
    for (size_t at = 0; at + 8 <= items.len; at += 8 + (size_t)n) {
        memcpy(&n, items.p + at, 8);
        if (i-- == 0)
            return rdv_slice(items, at + 8, at + 8 + (size_t)n);
    }
    return (rdv_str){0};
}

/* The bytes of one key, value, tensor's name or tensor of the file; empty: it has no such frame. */
static rdv_str choose(rdv_str file, rdv_arena *arena, uint64_t *state)
{
    gguf g;
    if (gguf_read_values(&g, file, arena, NULL) != RDV_OK ||
        gguf_read_tensors(&g, arena, NULL) != RDV_OK || g.n_values + g.n_tensors == 0)
        return (rdv_str){0};
    size_t i = (size_t)draw(state, g.n_values + g.n_tensors);
    bool named = draw(state, 8) == 0;
    if (i >= g.n_values) {
        const gguf_tensor *t = &g.tensors[i - g.n_values];
        return named ? t->name : t->bytes;
    }
    const gguf_value *v = &g.values[i];
    if (named)
        return v->key;
    return v->array && v->is == GGUF_TEXT && v->n ? text_of(v->bytes, draw(state, v->n)) : v->bytes;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint8_t changed[MOST_CHANGED];
    uint64_t state = seed;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str part = {0};
    if (arena && draw(&state, FRAME_SHARE) > 0)
        part = choose((rdv_str){(const char *)data, size}, arena, &state);
    rdv_arena_free(&arena);
    if (part.len == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    size_t n = part.len < MOST_CHANGED ? part.len : MOST_CHANGED;
    uint8_t *at = data + (part.p - (const char *)data) + draw(&state, part.len - n + 1);
    memcpy(changed, at, n);
    memcpy(at, changed, LLVMFuzzerMutate(changed, n, n));
    return size;
}
