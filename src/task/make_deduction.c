/* SPDX-License-Identifier: Apache-2.0 */
/* logical_deduction: the order of some things from statements about it. The size is how many. */
#include "base/arena.h"
#include "base/str.h"
#include "task/deduce.h"
#include "task/make.h"

#include <string.h>

/* What stands in a row, and how its places are called. */
typedef struct row {
    const char *intro; /* "On a windowsill stand %s mugs:" */
    const char *noun;  /* "mug"; what any of them is */
    const char *a;     /* before and after a thing in the list: "a ", " mug" */
    const char *the;   /* and in a sentence: "the ", " mug" */
    const char *behind;
    const char *is;                     /* "is the " leftmost, "came in " first */
    const char *first, *last;           /* the names of the ends */
    const char *from_first, *from_last; /* "%s from the left" */
    const char *before, *after;         /* "is to the left of" */
    const char *order;                  /* "from left to right" */
    const char *things[DEDUCE_MOST];
} row;

static const row rows[] = {
    {"On a windowsill stand %s mugs:",
     "mug",
     "a ",
     "the ",
     " mug",
     "is the ",
     "leftmost",
     "rightmost",
     "%s from the left",
     "%s from the right",
     "is to the left of",
     "is to the right of",
     "from left to right",
     {"red", "blue", "white", "green", "black", "yellow", "brown"}},
    {"In a race there were %s runners:",
     "runner",
     "",
     "",
     "",
     "came in ",
     "first",
     "last",
     "%s",
     "%s to last",
     "came in before",
     "came in after",
     "from first to last",
     {"Mara", "Nils", "Tess", "Omar", "Ruth", "Ivan", "Leah"}},
    {"In a park grow %s trees:",
     "tree",
     "a ",
     "the ",
     "",
     "is the ",
     "tallest",
     "shortest",
     "%s tallest",
     "%s shortest",
     "is taller than",
     "is shorter than",
     "from the tallest to the shortest",
     {"birch", "maple", "larch", "pine", "beech", "poplar", "cedar"}},
    {"A stall offers %s kinds of tea:",
     "tea",
     "a ",
     "the ",
     " tea",
     "is the ",
     "cheapest",
     "dearest",
     "%s cheapest",
     "%s dearest",
     "is cheaper than",
     "is dearer than",
     "from the cheapest to the dearest",
     {"mint", "lemon", "ginger", "fennel", "jasmine", "hibiscus", "nettle"}},
    {"In a street there are %s shops:",
     "shop",
     "a ",
     "the ",
     "",
     "is the ",
     "newest",
     "oldest",
     "%s newest",
     "%s oldest",
     "is newer than",
     "is older than",
     "from the newest to the oldest",
     {"bakery", "butcher", "bookshop", "florist", "pharmacy", "tailor", "grocer"}},
};

typedef struct deduction {
    const row *row;
    size_t n;
    size_t things[DEDUCE_MOST];
    size_t order[DEDUCE_MOST]; /* the thing at each place */
    clue clues[DEDUCE_MOST_CLUES];
    bool from_last[DEDUCE_MOST_CLUES]; /* how the clue is worded */
    size_t n_clues;
    size_t asked; /* a place */
    bool asked_from_last;
} deduction;

/* ---- wording --------------------------------------------------------------------------------- */

static void put_thing(const deduction *d, size_t i, bool capital, rdv_buf *b)
{
    const char *the = d->row->the;
    if (capital && *the)
        rdv_buf_printf(b, "%c%s", the[0] - 'a' + 'A', the + 1);
    else
        rdv_buf_printf(b, "%s", the);
    rdv_buf_printf(b, "%s%s", d->row->things[d->things[i]], d->row->behind);
}

/* "second from the left": an end, or counted from one. */
static void put_place(const deduction *d, size_t place, bool from_last, rdv_buf *b)
{
    const row *r = d->row;
    size_t away = from_last ? d->n - 1 - place : place;
    if (place == 0 || place == d->n - 1) {
        rdv_buf_printf(b, "%s", place ? r->last : r->first);
        return;
    }
    const char *how = from_last ? r->from_last : r->from_first;
    rdv_buf_printf(b, "%s%s", words_ordinal(away), how + 2); /* after its "%s" */
}

static void put_clue(const deduction *d, size_t i, rdv_buf *b)
{
    const clue *c = &d->clues[i];
    bool turned = c->is == CLUE_BEFORE && d->from_last[i];
    put_thing(d, turned ? c->b : c->a, true, b);
    if (c->is == CLUE_AT) {
        rdv_buf_printf(b, " %s", d->row->is);
        put_place(d, c->b, d->from_last[i], b);
    } else {
        rdv_buf_printf(b, " %s ", turned ? d->row->after : d->row->before);
        put_thing(d, turned ? c->a : c->b, false, b);
    }
}

static void put_question(const deduction *d, rdv_buf *b)
{
    const row *r = d->row;
    rdv_buf_printf(b,
                   "The statements below are about %s things in a fixed order, and all are true."
                   "\n- ",
                   words_count(d->n));
    size_t cut = (size_t)(strstr(r->intro, "%s") - r->intro);
    rdv_buf_printf(b, "%.*s%s%s", (int)cut, r->intro, words_count(d->n), r->intro + cut + 2);
    for (size_t i = 0; i < d->n; i++)
        rdv_buf_printf(b, "%s%s%s%s",
                       i == 0         ? " "
                       : i + 1 < d->n ? ", "
                                      : ", and ",
                       r->a, r->things[d->things[i]], r->behind);
    rdv_buf_lit(b, ".");
    for (size_t i = 0; i < d->n_clues; i++) {
        rdv_buf_lit(b, "\n- ");
        put_clue(d, i, b);
        rdv_buf_lit(b, ".");
    }
    rdv_buf_lit(b, "\nWhich of these is true?");
}

/* ---- drawing --------------------------------------------------------------------------------- */

static int put_options(deduction *d, rdv_arena *arena, drawn *out)
{
    out->options = RDV_NEW_ARRAY(arena, rdv_str, d->n);
    out->n_options = d->n;
    for (size_t i = 0; i < d->n && out->options; i++) {
        rdv_buf b;
        rdv_buf_init(&b, arena, 0);
        put_thing(d, i, true, &b);
        rdv_buf_printf(&b, " %s", d->row->is);
        put_place(d, d->asked, d->asked_from_last, &b);
        out->options[i] = rdv_buf_str(&b);
        if (!rdv_buf_ok(&b))
            return RDV_E_NOMEM;
    }
    return out->options ? RDV_OK : RDV_E_NOMEM;
}

static int draw_deduction(size_t size, rdv_rng *rng, rdv_arena *arena, drawn *out)
{
    deduction *d = RDV_NEW(arena, deduction);
    if (!d)
        return RDV_E_NOMEM;
    d->n = size;
    d->row = &rows[rdv_rng_below(rng, sizeof rows / sizeof *rows)];
    words_draw(rng, DEDUCE_MOST, size, d->things);
    words_draw(rng, size, size, d->order);
    d->n_clues = deduce_draw_clues(d->order, size, rng, d->clues);
    for (size_t i = 0; i < d->n_clues; i++)
        d->from_last[i] = rdv_rng_below(rng, 2);
    d->asked = rdv_rng_below(rng, size);
    d->asked_from_last = rdv_rng_below(rng, 2);
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    put_question(d, &b);
    *out = (drawn){.text = rdv_buf_str(&b), .puzzle = d};
    out->gold = rdv_str_printf(arena, "(%c)", (char)('A' + d->order[d->asked]));
    return rdv_buf_ok(&b) && out->gold.p ? put_options(d, arena, out) : RDV_E_NOMEM;
}

/* ---- the trace ------------------------------------------------------------------------------- */

/* "first", "second or third" */
static void put_places(known places, rdv_buf *b)
{
    size_t left = 0;
    for (size_t i = 0; i < DEDUCE_MOST; i++)
        left += places >> i & 1;
    for (size_t i = 0; i < DEDUCE_MOST; i++)
        if (places >> i & 1) {
            rdv_buf_printf(b, "%s", words_ordinal(i));
            left--;
            rdv_buf_printf(b, "%s", left > 1 ? ", " : left ? " or " : "");
        }
}

static void put_can_be(const deduction *d, size_t i, known places, rdv_buf *b)
{
    put_thing(d, i, false, b);
    rdv_buf_printf(b, " %s be ", deduce_is_one(places) ? "must" : "can only");
    put_places(places, b);
}

/* "So from left to right: first is the red mug, then second can be any mug." */
static void put_order(const deduction *d, const known *k, rdv_buf *b)
{
    rdv_buf_printf(b, "So %s: ", d->row->order);
    for (size_t place = 0; place < d->n; place++) {
        size_t i = 0;
        while (i < d->n && k[i] != (known)1 << place)
            i++;
        rdv_buf_printf(b, "%s%s ", place ? ", then " : "", words_ordinal(place));
        if (i < d->n) {
            rdv_buf_lit(b, "is ");
            put_thing(d, i, false, b);
        } else {
            rdv_buf_printf(b, "can be any %s", d->row->noun);
        }
    }
    rdv_buf_lit(b, ".");
}

/* A place that is not `right`. */
static known other_place(const deduction *d, known right, trace *t)
{
    size_t place;
    do
        place = rdv_rng_below(&t->rng, d->n);
    while (right >> place & 1);
    return (known)1 << place;
}

static void write_place_clue(const deduction *d, size_t i, known *k, trace *t)
{
    const clue *c = &d->clues[i];
    k[c->a] = (known)1 << c->b;
    if (trace_goes_wrong(t))
        k[c->a] = other_place(d, k[c->a], t);
    put_clue(d, i, &t->line);
    trace_printf(t, ". ");
    put_order(d, k, &t->line);
    trace_end_step(t);
}

/* Which of the two a clue says less than everything of. */
static size_t narrowed(const deduction *d, const clue *c, const known *k)
{
    known all = ((known)1 << d->n) - 1;
    return k[c->a] != all ? c->a : c->b;
}

/* True when the clue told something new, which is then written. */
static bool write_order_clue(const deduction *d, size_t i, known *k, trace *t)
{
    const clue *c = &d->clues[i];
    known a = k[c->a], b = k[c->b];
    if (!deduce_apply(c, k, d->n))
        return false;
    if (trace_goes_wrong(t)) {
        size_t which = narrowed(d, c, k);
        k[which] = other_place(d, k[which], t);
    }
    put_clue(d, i, &t->line);
    trace_printf(t, ", so ");
    if (k[c->a] != a)
        put_can_be(d, c->a, k[c->a], &t->line);
    if (k[c->a] != a && k[c->b] != b)
        trace_printf(t, ", and ");
    if (k[c->b] != b)
        put_can_be(d, c->b, k[c->b], &t->line);
    trace_printf(t, ".");
    trace_end_step(t);
    return true;
}

static bool write_elimination(const deduction *d, known *k, trace *t)
{
    size_t i, place;
    if (!deduce_eliminate(k, d->n, &i, &place))
        return false;
    k[i] = (known)1 << place;
    if (trace_goes_wrong(t))
        k[i] = other_place(d, k[i], t);
    trace_printf(t, "By process of elimination, ");
    put_can_be(d, i, k[i], &t->line);
    trace_printf(t, ".");
    trace_end_step(t);
    return true;
}

/* Everything that follows by elimination, then the clues in turn, until nothing new is said. */
static void write_deductions(const deduction *d, known *k, trace *t)
{
    for (size_t i = 0; i < d->n_clues; i++)
        if (d->clues[i].is == CLUE_AT)
            write_place_clue(d, i, k, t);
    bool told = true;
    while (told) {
        told = write_elimination(d, k, t);
        for (size_t i = 0; i < d->n_clues && !told; i++)
            told = d->clues[i].is == CLUE_BEFORE && write_order_clue(d, i, k, t);
    }
}

static void write_answer(const deduction *d, const size_t *order, trace *t, rdv_str *answer)
{
    size_t said = order[d->asked];
    if (trace_goes_wrong(t))
        said = (said + 1 + rdv_rng_below(&t->rng, d->n - 1)) % d->n;
    *answer = rdv_str_printf(t->arena, "(%c)", (char)('A' + said));
    trace_printf(t, "According to this order, ");
    put_thing(d, said, false, &t->line);
    trace_printf(t, " %s", d->row->is);
    put_place(d, d->asked, d->asked_from_last, &t->line);
    trace_printf(t, ". So the answer is %.*s", RDV_FMT(*answer));
    trace_end_step(t);
}

static void write_deduction(const void *puzzle, trace *t, rdv_str *answer)
{
    const deduction *d = puzzle;
    known k[DEDUCE_MOST];
    size_t order[DEDUCE_MOST];
    for (size_t i = 0; i < d->n; i++)
        k[i] = ((known)1 << d->n) - 1;
    trace_printf(t,
                 "I need the places of all %s. I should first look at the statements about "
                 "single places, then at those about two of them.",
                 words_count(d->n));
    trace_end_step(t);
    write_deductions(d, k, t);
    deduce_order(k, d->n, order);
    if (trace_goes_wrong(t)) {
        size_t pair[2];
        words_draw(&t->rng, d->n, 2, pair);
        size_t first = order[pair[0]];
        order[pair[0]] = order[pair[1]];
        order[pair[1]] = first;
    }
    for (size_t place = 0; place < d->n; place++)
        k[order[place]] = (known)1 << place;
    put_order(d, k, &t->line);
    trace_end_step(t);
    write_answer(d, order, t, answer);
}

const task_maker task_deduction = {
    .task = {"logical_deduction", "the order of things from statements about it", "objects",
             RDV_KIND_OPTION, 3, 7, DEDUCE_MOST, .odd = true},
    .draw = draw_deduction,
    .write = write_deduction,
};
