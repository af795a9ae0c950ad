/* SPDX-License-Identifier: Apache-2.0 */
/* last_letters: join the last letters of words. The size is the number of words. */
#include "base/arena.h"
#include "base/str.h"
#include "task/make.h"

#include <string.h>

#define MOST_WORDS 20

typedef struct letters {
    size_t n;
    size_t words[MOST_WORDS];
} letters;

static char last_of(const char *word)
{
    return rdv_lower(word[strlen(word) - 1]);
}

static int draw_letters(size_t size, rdv_rng *rng, rdv_arena *arena, drawn *out)
{
    letters *l = RDV_NEW(arena, letters);
    char *gold = rdv_alloc(arena, size);
    if (!l || !gold)
        return RDV_E_NOMEM;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "Take the last letter of each of these words and join them: ");
    l->n = size;
    words_draw(rng, words_names.n, size, l->words);
    for (size_t i = 0; i < size; i++) {
        rdv_buf_printf(&b, "%s%s", i ? " " : "", words_names.words[l->words[i]]);
        gold[i] = last_of(words_names.words[l->words[i]]);
    }
    *out = (drawn){.text = rdv_buf_str(&b), .gold = {gold, size}, .puzzle = l};
    return rdv_buf_ok(&b) ? RDV_OK : RDV_E_NOMEM;
}

static char other_letter(trace *t, char c)
{
    return (char)('a' + ((size_t)(c - 'a') + 1 + rdv_rng_below(&t->rng, 25)) % 26);
}

static void write_letters(const void *puzzle, trace *t, rdv_str *answer)
{
    const letters *l = puzzle;
    char *joined = rdv_alloc(t->arena, l->n);
    if (!joined) {
        t->failed = true;
        return;
    }
    for (size_t i = 0; i < l->n; i++) {
        const char *word = words_names.words[l->words[i]];
        joined[i] = last_of(word);
        if (trace_goes_wrong(t))
            joined[i] = other_letter(t, joined[i]);
        trace_printf(t, "The last letter of \"%s\" is \"%c\".", word, joined[i]);
        trace_end_step(t);
    }
    if (trace_goes_wrong(t)) {
        size_t i = rdv_rng_below(&t->rng, l->n);
        joined[i] = other_letter(t, joined[i]);
    }
    *answer = (rdv_str){joined, l->n};
    trace_printf(t, "Joining them gives \"%.*s\". So the answer is %.*s", RDV_FMT(*answer),
                 RDV_FMT(*answer));
    trace_end_step(t);
}

const task_maker task_letters = {
    .task = {"last_letters", "join the last letters of words", "words", RDV_KIND_TEXT, 2, 4,
             MOST_WORDS},
    .draw = draw_letters,
    .write = write_letters,
};
