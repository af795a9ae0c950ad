/* SPDX-License-Identifier: Apache-2.0 */
/* coin_flip: is the coin still heads up? The size is the number of people. */
#include "base/arena.h"
#include "base/str.h"
#include "task/make.h"

#define MOST_PEOPLE 20

typedef struct coin {
    size_t n;
    size_t names[MOST_PEOPLE];
    bool turns[MOST_PEOPLE];
} coin;

static const char *side(bool heads)
{
    return heads ? "heads" : "tails";
}

static int draw_coin(size_t size, rdv_rng *rng, rdv_arena *arena, drawn *out)
{
    coin *c = RDV_NEW(arena, coin);
    if (!c)
        return RDV_E_NOMEM;
    rdv_buf b;
    bool heads = true;
    c->n = size;
    words_draw(rng, words_names.n, size, c->names);
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "A coin lies on the table, heads up.");
    for (size_t i = 0; i < size; i++) {
        c->turns[i] = rdv_rng_below(rng, 2);
        heads ^= c->turns[i];
        rdv_buf_printf(&b, " %s %s the coin over.", words_names.words[c->names[i]],
                       c->turns[i] ? "turns" : "does not turn");
    }
    rdv_buf_lit(&b, " Is the coin still heads up?");
    *out = (drawn){
        .text = rdv_buf_str(&b), .gold = heads ? RDV_STR("yes") : RDV_STR("no"), .puzzle = c};
    return rdv_buf_ok(&b) ? RDV_OK : RDV_E_NOMEM;
}

static void write_coin(const void *puzzle, trace *t, rdv_str *answer)
{
    const coin *c = puzzle;
    bool heads = true;
    trace_printf(t, "At the start, the coin is heads up.");
    trace_end_step(t);
    for (size_t i = 0; i < c->n; i++) {
        heads ^= c->turns[i];
        if (trace_goes_wrong(t))
            heads = !heads;
        trace_printf(t, "%s %s the coin over: the coin is %s up.", words_names.words[c->names[i]],
                     c->turns[i] ? "turns" : "does not turn", side(heads));
        trace_end_step(t);
    }
    bool yes = heads != trace_goes_wrong(t);
    *answer = yes ? RDV_STR("yes") : RDV_STR("no");
    trace_printf(t, "At the end, the coin is %s up. So the answer is %.*s", side(heads),
                 RDV_FMT(*answer));
    trace_end_step(t);
}

const task_maker task_coin = {
    .task = {"coin_flip", "is the coin still heads up", "people", RDV_KIND_YESNO, 2, 4,
             MOST_PEOPLE},
    .draw = draw_coin,
    .write = write_coin,
};
