/* SPDX-License-Identifier: Apache-2.0 */
#include "report/list/conflict_line.h"

#include "base/arena.h"
#include "base/str.h"
#include "report/paint.h"
#include "report/list/place.h"
#include "report/wrong.h"

#define SHOWN_STEP 300 /* bytes of a step that stand beside a proof in words */

static void put_label(rdv_paint *p, const rdv_chain *chain, const label_conflict *c)
{
    switch (c->is) {
    case LABEL_CONFLICT_EARLIER:
        rdv_paint_putf(p, RDV_PLAIN, "the label names step %zu, but ", chain->label.step);
        break;
    case LABEL_CONFLICT_RIGHT:
        rdv_paint_lit(p, "the label names this step, which holds: ", RDV_PLAIN);
        break;
    case LABEL_CONFLICT_MISSING:
        rdv_paint_lit(p, "the label names no wrong step, but ", RDV_PLAIN);
        break;
    default:
        rdv_paint_lit(p, "the step is labelled as right, but ", RDV_PLAIN);
    }
}

static void put_proof(rdv_paint *p, rdv_str step, const label_conflict *c, const rdv_wrong *wrong,
                      rdv_arena *arena)
{
    if (wrong) {
        place_put_wrong(p, step, wrong, arena);
        return;
    }
    if (c->verdict && c->verdict->why.len) {
        place_put_text(p, rdv_trim(c->verdict->why), RDV_GREEN);
        rdv_paint_lit(p, ": ", RDV_PLAIN);
    }
    place_put_text(p, rdv_trim(rdv_str_head(step, SHOWN_STEP)), RDV_RED);
}

int rdv_conflict_line(const rdv_listing_place *place, const rdv_chain *chain,
                      const label_conflict *conflict, const rdv_view_options *options,
                      rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    rdv_str step = chain->steps[conflict->step];
    const rdv_evidence *at = conflict->verdict ? rdv_wrong_first(conflict->verdict) : NULL;
    rdv_wrong wrong;
    bool calculation = conflict->is != LABEL_CONFLICT_RIGHT && rdv_wrong_next(&at, step, &wrong);
    rdv_paint p;
    rdv_paint_begin(&p, options, arena);
    rdv_place from, to;
    place_find(place, conflict->step, calculation ? wrong.begin : 0,
               calculation ? wrong.end : step.len, &from, &to);
    place_put_file(&p, place, from);
    place_put_step(&p, chain->id, conflict->step);
    put_label(&p, chain, conflict);
    put_proof(&p, step, conflict, calculation ? &wrong : NULL, arena);
    rdv_paint_end_line(&p);
    rdv_str text = rdv_buf_str(&p.out);
    if (!text.p)
        return rdv_no_memory(err);
    *out = text;
    return RDV_OK;
}
