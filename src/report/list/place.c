/* SPDX-License-Identifier: Apache-2.0 */
#include "report/list/place.h"

#include "base/str.h"

void place_put_text(rdv_paint *p, rdv_str text, rdv_style style)
{
    size_t len;
    for (size_t i = 0; i < text.len; i += len) {
        char shown[16];
        size_t n = rdv_shown(text, i, &len, shown);
        rdv_paint_put(p, (rdv_str){shown, n}, style);
    }
}

void place_put_file(rdv_paint *p, const rdv_listing_place *place, rdv_place at)
{
    place_put_text(p, rdv_str_of(place->file), RDV_BOLD);
    if (place->places && place->places->part.p) {
        rdv_paint_lit(p, "!", RDV_BOLD);
        place_put_text(p, place->places->part, RDV_BOLD);
    }
    rdv_paint_putf(p, RDV_BOLD, ":%zu:%zu: ", at.line, at.column);
}

void place_put_step(rdv_paint *p, rdv_str id, size_t step)
{
    place_put_text(p, id.p ? id : RDV_STR("-"), RDV_PLAIN);
    if (step == RDV_WHOLE_CHAIN)
        rdv_paint_lit(p, ": ", RDV_PLAIN);
    else
        rdv_paint_putf(p, RDV_PLAIN, " step %zu: ", step);
}

bool place_find(const rdv_listing_place *place, size_t step, size_t begin, size_t end,
                rdv_place *from, rdv_place *to)
{
    if (rdv_places_of(place->places, step, begin, end, from, to))
        return true;
    *from = place->places ? place->places->begin : (rdv_place){place->line, 1, 0};
    *to = *from;
    return false;
}

void place_put_wrong(rdv_paint *p, rdv_str step, const rdv_wrong *wrong, rdv_arena *arena)
{
    rdv_str right = rdv_wrong_right(wrong, arena), said = rdv_wrong_said(wrong, step, arena);
    p->out.failed |= (wrong->value.p && !right.p) || !said.p;
    place_put_text(p, said, RDV_RED);
    rdv_paint_put(p, rdv_str_of(wrong->value.p ? rdv_wrong_joins(wrong) : " is wrong"), RDV_PLAIN);
    place_put_text(p, right, wrong->of.p ? RDV_PLAIN : RDV_GREEN);
}
