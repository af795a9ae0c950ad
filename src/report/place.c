/* SPDX-License-Identifier: Apache-2.0 */
#include "report/place.h"

#include "base/str.h"
#include "base/utf8.h"

void place_put_text(rdv_paint *p, rdv_str text, rdv_style style)
{
    size_t len;
    for (size_t i = 0; i < text.len; i += len) {
        char shown[16];
        size_t n = rdv_shown(text, i, &len, shown);
        rdv_paint_put(p, (rdv_str){shown, n}, style);
    }
}

size_t place_column(rdv_str text, size_t at)
{
    size_t column = 1, len;
    for (size_t i = 0; i < at && i < text.len; i += len, column++)
        rdv_utf8_at(text, i, &len);
    return column;
}

void place_put(rdv_paint *p, const rdv_listing_place *place, rdv_str id, size_t step, size_t column)
{
    place_put_text(p, rdv_str_of(place->file), RDV_BOLD);
    rdv_paint_putf(p, RDV_BOLD, ":%zu:", place->line);
    place_put_text(p, id.p ? id : RDV_STR("-"), RDV_BOLD);
    if (step == RDV_WHOLE_CHAIN)
        rdv_paint_lit(p, ":-:-: ", RDV_BOLD);
    else
        rdv_paint_putf(p, RDV_BOLD, ":%zu:%zu: ", step, column);
}

/* Where byte `at` of the step stands in the text; RDV_NOT_FOUND: the step is not in it as it is. */
static size_t within_text(rdv_str text, const rdv_chain *chain, size_t step, size_t at)
{
    size_t from = 0;
    for (size_t i = 0; i <= step && i < chain->n_steps; i++) {
        size_t found = rdv_find(text, chain->steps[i], from);
        if (i == step)
            return found == RDV_NOT_FOUND ? found : found + at;
        from = found == RDV_NOT_FOUND ? from : found + chain->steps[i].len;
    }
    return RDV_NOT_FOUND;
}

void place_find(rdv_listing_place *place, const rdv_chain *chain, size_t step, size_t at,
                size_t *column)
{
    size_t found = place->text.p ? within_text(place->text, chain, step, at) : RDV_NOT_FOUND;
    *column = place_column(chain->steps[step], at);
    if (found == RDV_NOT_FOUND)
        return;
    size_t begin = 0;
    for (size_t i = 0; i < found; i++)
        if (place->text.p[i] == '\n') {
            place->line++;
            begin = i + 1;
        }
    *column = place_column(rdv_slice(place->text, begin, place->text.len), found - begin);
}

void place_put_at(rdv_paint *p, const rdv_listing_place *place, const rdv_chain *chain, size_t step,
                  size_t at)
{
    rdv_listing_place here = *place;
    size_t column;
    place_find(&here, chain, step, at, &column);
    place_put(p, &here, chain->id, step, column);
}

void place_put_wrong(rdv_paint *p, rdv_str step, const rdv_wrong *wrong, rdv_arena *arena)
{
    rdv_str right = rdv_wrong_right(wrong, arena);
    p->out.failed |= wrong->value.p && !right.p;
    place_put_text(p, rdv_slice(step, wrong->begin, wrong->end), RDV_RED);
    rdv_paint_put(p, rdv_str_of(wrong->value.p ? rdv_wrong_joins(wrong) : " is wrong"), RDV_PLAIN);
    place_put_text(p, right, wrong->of.p ? RDV_PLAIN : RDV_GREEN);
}
