/* SPDX-License-Identifier: Apache-2.0 */
/* tracking_shuffled_objects: who has what after some swaps. The size is the number of people, and
 * of swaps. */
#include "base/arena.h"
#include "base/str.h"
#include "task/make.h"

#define MOST_PEOPLE 9

/* One way to tell it: everybody `has` a thing; pairs `swap`. */
typedef struct story {
    const char *begin;  /* "... are at a party, each with a hat." after the names */
    const char *has;    /* "wears the" */
    const char *noun;   /* " hat": after the thing in the question, not in the trace */
    const char *middle; /* between what they have and the swaps */
    const char *swap;   /* "swap hats" */
    const char *end;    /* "At the end of the party" */
    const char *things[MOST_PEOPLE];
} story;

static const story stories[] = {
    {"are at a party where everybody wears a hat. When they arrive,",
     "wears the",
     " hat",
     "During the party, two of them at a time exchange what they wear.",
     "swap hats",
     "At the end of the party",
     {"red", "green", "straw", "felt", "velvet", "brown", "striped", "paper", "silver"}},
    {"share the work in a kitchen. In the morning,",
     "prepares the",
     "",
     "Over the day, two of them at a time change places.",
     "swap tasks",
     "At the end of the day",
     {"soup", "salad", "bread", "dessert", "sauce", "rice", "fish", "pasta", "stew"}},
    {"play in a band. Before the rehearsal,",
     "has the",
     "",
     "In each break, two of them hand over what they play.",
     "swap instruments",
     "At the end of the rehearsal",
     {"drums", "flute", "guitar", "violin", "trumpet", "piano", "cello", "banjo", "clarinet"}},
    {"sit around a table with a card each. At the start of the round,",
     "holds the",
     " card",
     "As the round goes on, two players at a time exchange cards.",
     "swap cards",
     "At the end of the round",
     {"star", "moon", "sun", "tower", "ship", "key", "crown", "wheel", "lion"}},
    {"look after a garden. In spring,",
     "tends the",
     " bed",
     "Through the year, two of the gardeners at a time change beds.",
     "switch beds",
     "At the end of the year",
     {"rose", "tulip", "herb", "bean", "carrot", "lily", "onion", "dahlia", "pea"}},
};

typedef struct shuffled {
    const story *story;
    size_t n, asked;
    size_t names[MOST_PEOPLE], things[MOST_PEOPLE];
    size_t swaps[MOST_PEOPLE][2];
} shuffled;

static const char *name(const shuffled *s, size_t i)
{
    return words_names.words[s->names[i]];
}

static const char *thing(const shuffled *s, size_t i)
{
    return s->story->things[i];
}

static const char *joint(size_t i, size_t n)
{
    return i == 0 ? "" : i + 1 < n ? ", " : n > 2 ? ", and " : " and ";
}

static void swap(size_t *has, const size_t pair[2])
{
    size_t first = has[pair[0]];
    has[pair[0]] = has[pair[1]];
    has[pair[1]] = first;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void tell(const shuffled *s, rdv_buf *b)
{
    const story *st = s->story;
    for (size_t i = 0; i < s->n; i++)
        rdv_buf_printf(b, "%s%s", joint(i, s->n), name(s, i));
    rdv_buf_printf(b, " %s ", st->begin);
    for (size_t i = 0; i < s->n; i++)
        rdv_buf_printf(b, "%s%s %s %s%s", joint(i, s->n), name(s, i), st->has,
                       thing(s, s->things[i]), st->noun);
    rdv_buf_printf(b, ".\n%s", st->middle);
    for (size_t i = 0; i < s->n; i++)
        rdv_buf_printf(b, " %s, %s and %s %s.",
                       i == 0         ? "First"
                       : i + 1 < s->n ? "Then"
                                      : "Finally",
                       name(s, s->swaps[i][0]), name(s, s->swaps[i][1]), st->swap);
    rdv_buf_printf(b, " %s, %s %s", st->end, name(s, s->asked), st->has);
}

static void draw_story(shuffled *s, rdv_rng *rng)
{
    s->story = &stories[rdv_rng_below(rng, sizeof stories / sizeof *stories)];
    words_draw(rng, words_names.n, s->n, s->names);
    words_draw(rng, MOST_PEOPLE, s->n, s->things);
    for (size_t i = 0; i < s->n; i++) {
        size_t last[2] = {s->n, s->n}, *pair = s->swaps[i];
        if (i) {
            last[0] = s->swaps[i - 1][0];
            last[1] = s->swaps[i - 1][1];
        }
        do /* not at once back again */
            words_draw(rng, s->n, 2, pair);
        while (s->n > 2 && ((pair[0] == last[0] && pair[1] == last[1]) ||
                            (pair[0] == last[1] && pair[1] == last[0])));
    }
    s->asked = rdv_rng_below(rng, s->n);
}

static int draw_shuffled(size_t size, rdv_rng *rng, rdv_arena *arena, drawn *out)
{
    shuffled *s = RDV_NEW(arena, shuffled);
    rdv_str *options = RDV_NEW_ARRAY(arena, rdv_str, size);
    if (!s || !options)
        return RDV_E_NOMEM;
    s->n = size;
    draw_story(s, rng);
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    tell(s, &b);
    size_t has[MOST_PEOPLE];
    for (size_t i = 0; i < size; i++) {
        has[i] = i;
        options[i] = rdv_str_printf(arena, "%s%s", thing(s, s->things[i]), s->story->noun);
        if (!options[i].p)
            return RDV_E_NOMEM;
    }
    for (size_t i = 0; i < size; i++)
        swap(has, s->swaps[i]);
    *out = (drawn){.text = rdv_buf_str(&b),
                   .options = options,
                   .n_options = size,
                   .gold = rdv_str_printf(arena, "(%c)", (char)('A' + has[s->asked])),
                   .puzzle = s};
    return rdv_buf_ok(&b) && out->gold.p ? RDV_OK : RDV_E_NOMEM;
}

/* ---- the trace ------------------------------------------------------------------------------- */

static void write_state(const shuffled *s, const size_t *has, trace *t)
{
    for (size_t i = 0; i < s->n; i++)
        trace_printf(t, "%s%s: %s", i ? ", " : " ", name(s, i), thing(s, s->things[has[i]]));
    trace_printf(t, ".");
    trace_end_step(t);
}

/* Two other hands change: the state stays one in which everybody has one thing. */
static void spoil(const shuffled *s, size_t *has, trace *t)
{
    size_t pair[2];
    words_draw(&t->rng, s->n, 2, pair);
    swap(has, pair);
}

static void write_shuffled(const void *puzzle, trace *t, rdv_str *answer)
{
    const shuffled *s = puzzle;
    size_t has[MOST_PEOPLE];
    for (size_t i = 0; i < s->n; i++)
        has[i] = i;
    if (trace_goes_wrong(t))
        spoil(s, has, t);
    trace_printf(t, "At the start:");
    write_state(s, has, t);
    for (size_t i = 0; i < s->n; i++) {
        swap(has, s->swaps[i]);
        if (trace_goes_wrong(t))
            spoil(s, has, t);
        trace_printf(t, "%s and %s %s:", name(s, s->swaps[i][0]), name(s, s->swaps[i][1]),
                     s->story->swap);
        write_state(s, has, t);
    }
    size_t said = has[s->asked];
    if (trace_goes_wrong(t))
        said = (said + 1 + rdv_rng_below(&t->rng, s->n - 1)) % s->n;
    *answer = rdv_str_printf(t->arena, "(%c)", (char)('A' + said));
    trace_printf(t, "%s, %s %s %s%s. So the answer is %.*s", s->story->end, name(s, s->asked),
                 s->story->has, thing(s, s->things[said]), s->story->noun, RDV_FMT(*answer));
    trace_end_step(t);
}

const task_maker task_shuffled = {
    .task = {"tracking_shuffled_objects", "who has what after some swaps", "people",
             RDV_KIND_OPTION, 3, 7, MOST_PEOPLE, .odd = true},
    .draw = draw_shuffled,
    .write = write_shuffled,
};
