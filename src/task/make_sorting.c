/* SPDX-License-Identifier: Apache-2.0 */
/* word_sorting: words in alphabetical order. The size is the number of words. */
#include "base/arena.h"
#include "base/str.h"
#include "task/make.h"

#include <string.h>

#define MOST_WORDS 60
#define ASKS "Sort these words alphabetically: "

typedef struct sorting {
    size_t n;
    size_t words[MOST_WORDS];
} sorting;

/* The words in the order known so far. Words that are not yet told apart stand together. */
typedef struct state {
    size_t n;
    const char *word[MOST_WORDS];
    bool open[MOST_WORDS];    /* not told apart from the next one */
    size_t level[MOST_WORDS]; /* letters that it shares with its neighbours not told apart */
    size_t code[MOST_WORDS];  /* of the letter looked at last, "a" is 1 */
} state;

static int draw_sorting(size_t size, rdv_rng *rng, rdv_arena *arena, drawn *out)
{
    sorting *s = RDV_NEW(arena, sorting);
    if (!s)
        return RDV_E_NOMEM;
    rdv_buf text, gold;
    const char *sorted[MOST_WORDS];
    rdv_buf_init(&text, arena, 0);
    rdv_buf_init(&gold, arena, 0);
    rdv_buf_lit(&text, ASKS);
    s->n = size;
    words_draw(rng, words_common.n, size, s->words);
    for (size_t i = 0; i < size; i++) {
        const char *word = words_common.words[s->words[i]];
        rdv_buf_printf(&text, "%s%s", i ? " " : "", word);
        size_t at = i;
        for (; at > 0 && strcmp(sorted[at - 1], word) > 0; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = word;
    }
    for (size_t i = 0; i < size; i++)
        rdv_buf_printf(&gold, "%s%s", i ? " " : "", sorted[i]);
    *out = (drawn){.text = rdv_buf_str(&text), .gold = rdv_buf_str(&gold), .puzzle = s};
    return rdv_buf_ok(&text) && rdv_buf_ok(&gold) ? RDV_OK : RDV_E_NOMEM;
}

/* ---- how the state is shown ------------------------------------------------------------------ */

/* Where the words end that stand together with the one at `at`. */
static size_t group_end(const state *s, size_t at)
{
    while (at + 1 < s->n && s->open[at])
        at++;
    return at + 1;
}

static void show_group(const state *s, size_t begin, size_t end, trace *t)
{
    if (end - begin > 1)
        trace_printf(t, "[");
    for (size_t i = begin; i < end; i++)
        trace_printf(t, "%s\"%s\"", i > begin ? " ? " : "", s->word[i]);
    if (end - begin > 1)
        trace_printf(t, "]");
}

static void show_order(const state *s, size_t begin, size_t end, bool codes, trace *t)
{
    for (size_t i = begin, next; i < end; i = next) {
        next = group_end(s, i);
        trace_printf(t, "%s", i > begin ? " < " : "");
        if (codes)
            trace_printf(t, "(%zu) ", s->code[i]);
        show_group(s, i, next, t);
    }
}

/* ---- the trace ------------------------------------------------------------------------------- */

static void look_at_letters(state *s, size_t begin, size_t end, trace *t)
{
    size_t level = s->level[begin];
    size_t wrong = trace_goes_wrong(t) ? begin + rdv_rng_below(&t->rng, end - begin) : end;
    trace_printf(t, "The %s letter:", words_ordinal(level));
    for (size_t i = begin; i < end; i++) {
        char letter = s->word[i][level]; /* NUL: after an error, words may have come to an end */
        s->code[i] = letter ? (size_t)(letter - 'a') + 1 : 0;
        if (i == wrong)
            s->code[i] = 1 + (s->code[i] + rdv_rng_below(&t->rng, 25)) % 26;
        if (s->code[i])
            trace_printf(t, " \"%s\": \"%c\" (%zu).", s->word[i], (char)('a' + s->code[i] - 1),
                         s->code[i]);
        else
            trace_printf(t, " \"%s\": none (0).", s->word[i]);
    }
    trace_end_step(t);
}

static void exchange(state *s, size_t i, size_t k)
{
    const char *word = s->word[i];
    size_t code = s->code[i];
    s->word[i] = s->word[k];
    s->code[i] = s->code[k];
    s->word[k] = word;
    s->code[k] = code;
}

/* Sort the slice by its codes; words of the same code stay in their order, together. */
static void order(state *s, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        for (size_t k = i; k > begin && s->code[k - 1] > s->code[k]; k--)
            exchange(s, k, k - 1);
    for (size_t i = begin; i < end; i++) {
        s->open[i] = i + 1 < end && s->code[i] && s->code[i] == s->code[i + 1];
        s->level[i]++;
    }
}

/* Two words at a border change places: the order is wrong, whatever follows. */
static void spoil(state *s, size_t begin, size_t end, trace *t)
{
    size_t borders = 0, pick;
    for (size_t i = begin; i + 1 < end; i++)
        borders += !s->open[i];
    pick = rdv_rng_below(&t->rng, borders);
    for (size_t i = begin; i + 1 < end; i++)
        if (!s->open[i] && pick-- == 0) {
            const char *word = s->word[i];
            s->word[i] = s->word[i + 1];
            s->word[i + 1] = word;
            return;
        }
}

static bool has_border(const state *s, size_t begin, size_t end)
{
    return group_end(s, begin) < end;
}

static void state_order(state *s, size_t begin, size_t end, bool part, trace *t)
{
    order(s, begin, end);
    size_t from = has_border(s, begin, end) ? begin : 0;
    size_t to = from == begin && has_border(s, begin, end) ? end : s->n;
    if (has_border(s, from, to) && trace_goes_wrong(t))
        spoil(s, from, to, t);
    trace_printf(t, "We now have: ");
    show_order(s, begin, end, true, t);
    if (part) {
        trace_printf(t, " for the subpart. Hence, we have ");
        show_order(s, 0, s->n, false, t);
    }
    trace_printf(t, ".");
    trace_end_step(t);
}

/* Letters are looked at from the left, until all words are told apart. */
static void sort_parts(state *s, trace *t)
{
    for (size_t begin = 0; begin < s->n;) {
        size_t end = group_end(s, begin);
        if (end - begin == 1) {
            begin = end;
            continue;
        }
        trace_printf(t, "Now let's sort this subpart ");
        show_group(s, begin, end, t);
        trace_printf(t, " by looking at their %s letters. ", words_ordinal(s->level[begin]));
        look_at_letters(s, begin, end, t);
        state_order(s, begin, end, true, t);
    }
}

static void write_answer(state *s, trace *t, rdv_str *answer)
{
    if (trace_goes_wrong(t))
        spoil(s, 0, s->n, t);
    rdv_buf b;
    rdv_buf_init(&b, t->arena, 0);
    for (size_t i = 0; i < s->n; i++)
        rdv_buf_printf(&b, "%s%s", i ? " " : "", s->word[i]);
    *answer = rdv_buf_str(&b);
    trace_printf(t, "I have now sorted all the words. The answer is ");
    rdv_buf_add(&t->line, *answer);
    trace_end_step(t);
}

static void write_sorting(const void *puzzle, trace *t, rdv_str *answer)
{
    const sorting *p = puzzle;
    state s = {.n = p->n};
    for (size_t i = 0; i < s.n; i++) {
        s.word[i] = words_common.words[p->words[i]];
        s.open[i] = i + 1 < s.n;
    }
    trace_printf(t, "I should start by looking at the first letter of the words in the list. ");
    look_at_letters(&s, 0, s.n, t);
    state_order(&s, 0, s.n, false, t);
    sort_parts(&s, t);
    write_answer(&s, t, answer);
}

const task_maker task_sorting = {
    .task = {"word_sorting", "put words in alphabetical order", "words", RDV_KIND_TEXT, 4, 20,
             MOST_WORDS, .asks = ASKS},
    .draw = draw_sorting,
    .write = write_sorting,
};
