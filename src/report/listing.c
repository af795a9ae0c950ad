/* SPDX-License-Identifier: Apache-2.0 */
#include "report/listing.h"

#include "base/arena.h"
#include "base/str.h"
#include "chain/coverage.h"
#include "chain/evidence.h"
#include "report/paint.h"
#include "report/place.h"
#include "report/words.h"
#include "report/wrong.h"

typedef struct listing {
    rdv_arena *arena;
    rdv_paint paint;
    const rdv_listing_place *place;
    const rdv_chain *chain;
    const rdv_check *check;
} listing;

static bool list_calculations(listing *l, const rdv_verdict *verdict)
{
    rdv_str step = verdict->step < l->chain->n_steps ? l->chain->steps[verdict->step] : RDV_STR("");
    const rdv_evidence *at = rdv_wrong_first(verdict);
    rdv_wrong wrong;
    bool any = false;
    size_t told = 0; /* a mark within a calculation that was told repeats it: "= $<<2+3=6>>6" */
    while (rdv_wrong_next(&at, step, &wrong)) {
        any = true;
        if (wrong.end <= told)
            continue;
        told = wrong.end;
        place_put_at(&l->paint, l->place, l->chain, verdict->step, wrong.begin);
        place_put_wrong(&l->paint, step, &wrong, l->arena);
        rdv_paint_end_line(&l->paint);
    }
    return any;
}

static void list_reason(listing *l, size_t step, word is, rdv_str why)
{
    rdv_paint *p = &l->paint;
    const word_row *row = word_row_of(is);
    bool names = (is != WORD_WRONG || why.len == 0) && !rdv_starts(why, rdv_str_of(row->name));
    if (step < l->chain->n_steps)
        place_put_at(p, l->place, l->chain, step, 0);
    else
        place_put(p, l->place, l->chain->id, step, 1);
    place_put_text(p, l->check->method, RDV_PLAIN);
    rdv_paint_lit(p, ": ", RDV_PLAIN);
    if (names)
        rdv_paint_put(p, rdv_str_of(row->name), row->style);
    if (names && why.len)
        rdv_paint_lit(p, ": ", RDV_PLAIN);
    place_put_text(p, rdv_trim(why), RDV_PLAIN);
    rdv_paint_end_line(p);
}

static void list_verdict(listing *l, const rdv_verdict *verdict, bool unknown, rdv_listed *listed)
{
    if (verdict->kind == RDV_CONTRADICT) {
        listed->wrong++;
        if (!list_calculations(l, verdict))
            list_reason(l, verdict->step, WORD_WRONG, verdict->why);
    } else if (verdict->kind == RDV_UNKNOWN) {
        listed->undecided++;
        if (unknown)
            list_reason(l, verdict->step, word_of(l->check, verdict), verdict->why);
    }
}

int rdv_list_check(const rdv_listing_place *place, const rdv_chain *chain, const rdv_check *check,
                   bool unknown, const rdv_view_options *options, rdv_arena *arena,
                   rdv_listed *listed, rdv_str *out, rdv_error *err)
{
    /* Marks below a line, in place of colours, would be lines of their own, so none are used. */
    listing l = {.arena = arena, .place = place, .chain = chain, .check = check};
    rdv_listed counts = {0};
    rdv_paint_begin(&l.paint, options, arena);
    for (size_t i = 0; i < check->n_verdicts; i++)
        list_verdict(&l, &check->verdicts[i], unknown, &counts);
    /* A method may name the first error by a rule of its own, beside its verdicts. */
    if (counts.wrong == 0 && check->first_error < chain->n_steps) {
        counts.wrong++;
        list_reason(&l, check->first_error, WORD_WRONG, (rdv_str){0});
    }
    if (check->n_verdicts == 0 && counts.wrong == 0) {
        counts.undecided++;
        if (unknown)
            list_reason(&l, RDV_WHOLE_CHAIN, WORD_UNDECIDED, RDV_STR("no step was checked"));
    }
    rdv_str text = rdv_buf_str(&l.paint.out);
    if (!text.p)
        return rdv_no_memory(err);
    *listed = counts;
    *out = text;
    return RDV_OK;
}

static rdv_str text_of(const rdv_evidence *map, const char *name)
{
    const rdv_evidence *note = rdv_evidence_get(map, rdv_str_of(name));
    return note && note->type == RDV_EVIDENCE_TEXT ? note->text : RDV_STR("");
}

/* The byte of the step that the note names; 0 where it names none of it. */
static size_t start_of(const rdv_evidence *map, rdv_str step)
{
    const rdv_evidence *note = rdv_evidence_get(map, RDV_STR("start"));
    bool within = note && note->type == RDV_EVIDENCE_NUMBER && note->number >= 0 &&
                  note->number < (double)step.len;
    return within ? (size_t)note->number : 0;
}

static void list_text(listing *l, size_t step, const rdv_evidence *map, word is, rdv_str why)
{
    place_put_at(&l->paint, l->place, l->chain, step, start_of(map, l->chain->steps[step]));
    rdv_paint_put(&l->paint, rdv_str_of(word_row_of(is)->name), RDV_YELLOW);
    if (why.len) {
        rdv_paint_lit(&l->paint, " (", RDV_PLAIN);
        place_put_text(&l->paint, why, RDV_PLAIN);
        rdv_paint_lit(&l->paint, ")", RDV_PLAIN);
    }
    rdv_paint_lit(&l->paint, ": ", RDV_PLAIN);
    place_put_text(&l->paint, text_of(map, "text"), RDV_PLAIN);
    rdv_paint_end_line(&l->paint);
}

static rdv_str unread_why(const rdv_evidence *map)
{
    rdv_unread_reason is = RDV_UNREAD_OTHER;
    coverage_reason_named(text_of(map, "reason"), &is);
    return is == RDV_UNREAD_OTHER ? (rdv_str){0} : rdv_str_of(coverage_reason_words(is, false));
}

static void list_unchecked_of(listing *l, const rdv_verdict *v)
{
    const rdv_evidence *one = rdv_evidence_first(v, RDV_STR("calculations"));
    for (; one; one = one->next)
        if (one->type == RDV_EVIDENCE_MAP &&
            rdv_str_eq(text_of(one, "outcome"), RDV_STR("undecided")))
            list_text(l, v->step, one, WORD_UNDECIDED, text_of(one, "note"));
    for (one = rdv_evidence_first(v, RDV_STR("not_read")); one; one = one->next)
        if (one->type == RDV_EVIDENCE_MAP)
            list_text(l, v->step, one, WORD_UNREAD, unread_why(one));
}

int rdv_list_unread(const rdv_listing_place *place, const rdv_chain *chain, const rdv_check *check,
                    const rdv_view_options *options, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    listing l = {.arena = arena, .place = place, .chain = chain, .check = check};
    rdv_paint_begin(&l.paint, options, arena);
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (check->verdicts[i].step < chain->n_steps)
            list_unchecked_of(&l, &check->verdicts[i]);
    rdv_str text = rdv_buf_str(&l.paint.out);
    if (!text.p)
        return rdv_no_memory(err);
    *out = text;
    return RDV_OK;
}
