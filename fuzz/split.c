/* SPDX-License-Identifier: Apache-2.0 */
/* Splitting into steps (both modes, and as a stream) and sentences. Pieces must be trimmed and not
 * empty, sentences in order within the text; a stream has the same steps wherever it is cut. */
#include <rederive/text.h>

#include "base/str.h"
#include "text/step_stream.h"

#include <stdlib.h>

static void check(rdv_str piece, const char **after)
{
    if (piece.len == 0 || rdv_trim(piece).len != piece.len || (*after && piece.p < *after))
        abort();
    *after = piece.p + piece.len;
}

static void split_steps(rdv_str text, rdv_split_mode mode, rdv_arena *arena)
{
    rdv_split_options options = {.size = sizeof options, .mode = mode};
    rdv_steps steps;
    if (rdv_split_steps(text, &options, arena, &steps, NULL) != RDV_OK)
        return;
    for (size_t i = 0; i < steps.n; i++) {
        const char *after = NULL; /* a step may be a copy, so there is no order to hold */
        check(steps.text[i], &after);
    }
}

static void split_sentences(rdv_str text, rdv_arena *arena)
{
    rdv_str *sentences;
    size_t n;
    const char *after = text.p;
    if (rdv_split_sentences(text, arena, &sentences, &n, NULL) != RDV_OK)
        return;
    for (size_t i = 0; i < n; i++)
        check(sentences[i], &after);
}

static bool stream_steps(rdv_str text, size_t cut, rdv_arena *arena, step_stream *s)
{
    step_stream_init(s, RDV_SPLIT_MAX_STEPS, arena);
    return step_stream_read(s, rdv_slice(text, 0, cut), false, NULL) == RDV_OK &&
           step_stream_read(s, text, true, NULL) == RDV_OK;
}

/* The first byte says where it is cut. */
static void cut_stream(rdv_str text, size_t first, rdv_arena *arena)
{
    step_stream whole, pieces;
    if (!stream_steps(text, 0, arena, &whole) ||
        !stream_steps(text, text.len * first / 256, arena, &pieces))
        return;
    if (whole.n != pieces.n)
        abort();
    for (size_t i = 0; i < whole.n; i++) {
        const char *after = NULL;
        if (whole.steps[i].end != pieces.steps[i].end ||
            !rdv_str_eq(whole.steps[i].text, pieces.steps[i].text))
            abort();
        if (whole.steps[i].text.len)
            check(whole.steps[i].text, &after);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_str text = {(const char *)data, size};
    rdv_arena *arena = rdv_arena_new((size_t)1 << 30);
    if (!arena)
        return 0;
    split_steps(text, RDV_SPLIT_STEPS, arena);
    split_steps(text, RDV_SPLIT_LINES, arena);
    split_sentences(text, arena);
    cut_stream(text, size ? data[0] : 0, arena);
    rdv_arena_free(&arena);
    return 0;
}
