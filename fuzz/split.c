/* SPDX-License-Identifier: Apache-2.0 */
/* Splitting into steps (both modes) and sentences. Pieces must be trimmed and not empty, sentences
 * in order within the text. */
#include <rederive/text.h>

#include "base/str.h"

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
    rdv_arena_free(&arena);
    return 0;
}
