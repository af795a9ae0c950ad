/* SPDX-License-Identifier: Apache-2.0 */
#include "report/list/listing.h"

#include "base/arena.h"
#include "base/str.h"
#include "chain/coverage.h"
#include "chain/evidence.h"
#include "report/list/github.h"
#include "report/paint.h"
#include "report/list/place.h"
#include "report/list/sarif.h"
#include "report/words.h"
#include "report/wrong.h"

typedef struct listing {
    rdv_arena *arena;
    const rdv_listing_options *options;
    rdv_paint paint;
    const rdv_listing_place *place;
    const rdv_chain *chain;
    const rdv_check *check;
    rdv_rule_ids *rules;
    finding now;    /* which is being written */
    size_t message; /* byte of paint.out where its message begins, unless it is a line of text */
} listing;

int rdv_rule_ids_add(rdv_rule_ids *rules, rdv_str id, rdv_arena *arena)
{
    for (size_t i = 0; i < rules->n; i++)
        if (rdv_str_eq(rules->items[i], id))
            return RDV_OK;
    rdv_str copy = rdv_str_copy(arena, id);
    if (!copy.p || !RDV_PUSH_ROOM(arena, rules->items, rules->n, rules->cap))
        return RDV_E_NOMEM;
    rules->items[rules->n++] = copy;
    return RDV_OK;
}

static listing begin(const rdv_listing_place *place, const rdv_chain *chain, const rdv_check *check,
                     const rdv_listing_options *options, rdv_rule_ids *rules, rdv_arena *arena)
{
    listing l = {.arena = arena,
                 .options = options,
                 .place = place,
                 .chain = chain,
                 .check = check,
                 .rules = rules};
    /* Marks below a line, in place of colours, would be lines of their own, so none are used. */
    rdv_paint_begin(&l.paint, options->form == RDV_LIST_TEXT ? options->view : NULL, arena);
    return l;
}

/* ---- one finding ----------------------------------------------------------------------------- */

/* Begin a finding at bytes begin..end of a step. `row`: of the rules, that read it; p == NULL:
 * none. What is put into the paint from here on is its message. */
static void begin_finding(listing *l, finding_level level, size_t step, size_t begin, size_t end,
                          rdv_str row)
{
    rdv_str method = l->check->method;
    finding *f = &l->now;
    *f = (finding){.level = level, .place = l->place};
    f->rule = row.p ? rdv_str_printf(l->arena, "%.*s/%.*s", RDV_FMT(method), RDV_FMT(row)) : method;
    f->is_placed = place_find(l->place, step, begin, end, &f->from, &f->to);
    l->paint.out.failed |=
        (row.p && !f->rule.p) || rdv_rule_ids_add(l->rules, f->rule, l->arena) != RDV_OK;
    if (l->options->form == RDV_LIST_TEXT)
        place_put_file(&l->paint, l->place, f->from);
    l->message = l->paint.out.len;
    place_put_step(&l->paint, l->chain->id, step);
}

static void end_finding(listing *l)
{
    rdv_buf *out = &l->paint.out;
    if (l->options->form == RDV_LIST_TEXT) {
        rdv_paint_lit(&l->paint, " [", RDV_DIM);
        place_put_text(&l->paint, l->now.rule, RDV_DIM);
        rdv_paint_lit(&l->paint, "]", RDV_DIM);
        rdv_paint_end_line(&l->paint);
        return;
    }
    rdv_str message = rdv_slice(rdv_buf_str(out), l->message, out->len);
    l->now.message = rdv_str_copy(l->arena, message);
    out->failed |= !l->now.message.p;
    out->len = l->message;
    (l->options->form == RDV_LIST_GITHUB ? github_put : sarif_put)(&l->now, out);
}

/* Take the row of the rules that a reason ends with, "... deny it [denied-that]", off the reason.
 * p == NULL: it names none. */
static rdv_str take_row(rdv_str *why)
{
    rdv_str text = rdv_trim(*why);
    size_t open = rdv_find_last(text, RDV_STR(" ["));
    if (!rdv_ends(text, RDV_STR("]")) || open == RDV_NOT_FOUND)
        return (rdv_str){0};
    rdv_str row = rdv_slice(text, open + 2, text.len - 1);
    for (size_t i = 0; i < row.len; i++)
        if (!rdv_is_alnum(row.p[i]) && row.p[i] != '-')
            return (rdv_str){0};
    *why = rdv_slice(text, 0, open);
    return row.len ? row : (rdv_str){0};
}

/* ---- what is wrong --------------------------------------------------------------------------- */

static rdv_str step_of(const listing *l, size_t step)
{
    return step < l->chain->n_steps ? l->chain->steps[step] : RDV_STR("");
}

static bool list_calculations(listing *l, const rdv_verdict *verdict)
{
    rdv_str step = step_of(l, verdict->step);
    const rdv_evidence *at = rdv_wrong_first(verdict);
    rdv_wrong wrong;
    bool any = false;
    size_t told = 0; /* a mark within a calculation that was told repeats it: "= $<<2+3=6>>6" */
    while (rdv_wrong_next(&at, step, &wrong)) {
        any = true;
        if (wrong.end <= told)
            continue;
        told = wrong.end;
        begin_finding(l, FINDING_ERROR, verdict->step, wrong.begin, wrong.end, wrong.row);
        place_put_wrong(&l->paint, step, &wrong, l->arena);
        end_finding(l);
    }
    return any;
}

static void list_reason(listing *l, size_t step, word is, rdv_str why)
{
    rdv_paint *p = &l->paint;
    const word_row *row = word_row_of(is, word_proves(l->check));
    bool names = (is != WORD_WRONG || why.len == 0) && !rdv_starts(why, rdv_str_of(row->name));
    rdv_str by = take_row(&why);
    begin_finding(l, is == WORD_WRONG ? FINDING_ERROR : FINDING_WARNING, step, 0,
                  step_of(l, step).len, by);
    if (names)
        rdv_paint_put(p, rdv_str_of(row->name), row->style);
    if (names && why.len)
        rdv_paint_lit(p, ": ", RDV_PLAIN);
    place_put_text(p, rdv_trim(why), RDV_PLAIN);
    end_finding(l);
}

static void list_verdict(listing *l, const rdv_verdict *verdict, rdv_listed *listed)
{
    if (verdict->kind == RDV_CONTRADICT) {
        listed->wrong++;
        if (!list_calculations(l, verdict))
            list_reason(l, verdict->step, WORD_WRONG, verdict->why);
    } else if (verdict->kind == RDV_UNKNOWN) {
        listed->undecided++;
        if (l->options->unknown)
            list_reason(l, verdict->step, word_of(l->check, verdict), verdict->why);
    }
}

int rdv_list_check(const rdv_listing_place *place, const rdv_chain *chain, const rdv_check *check,
                   const rdv_listing_options *options, rdv_arena *arena, rdv_listed *listed,
                   rdv_rule_ids *rules, rdv_str *out, rdv_error *err)
{
    listing l = begin(place, chain, check, options, rules, arena);
    rdv_listed counts = {0};
    for (size_t i = 0; i < check->n_verdicts; i++)
        list_verdict(&l, &check->verdicts[i], &counts);
    /* A method may name the first error by a rule of its own, beside its verdicts. */
    if (counts.wrong == 0 && check->first_error < chain->n_steps) {
        counts.wrong++;
        list_reason(&l, check->first_error, WORD_WRONG, (rdv_str){0});
    }
    if (check->n_verdicts == 0 && counts.wrong == 0) {
        counts.undecided++;
        if (options->unknown)
            list_reason(&l, RDV_WHOLE_CHAIN, WORD_UNDECIDED, RDV_STR("no step was checked"));
    }
    rdv_str text = rdv_buf_str(&l.paint.out);
    if (!text.p)
        return rdv_no_memory(err);
    *listed = counts;
    *out = text;
    return RDV_OK;
}

/* ---- what was not checked -------------------------------------------------------------------- */

static rdv_str text_of(const rdv_evidence *map, const char *name)
{
    const rdv_evidence *note = rdv_evidence_get(map, rdv_str_of(name));
    return note && note->type == RDV_EVIDENCE_TEXT ? note->text : RDV_STR("");
}

/* The byte of the step that the note names; `otherwise` where it names none of it. */
static size_t offset_of(const rdv_evidence *map, const char *name, rdv_str step, size_t otherwise)
{
    const rdv_evidence *note = rdv_evidence_get(map, rdv_str_of(name));
    bool within = note && note->type == RDV_EVIDENCE_NUMBER && note->number >= 0 &&
                  note->number <= (double)step.len;
    return within ? (size_t)note->number : otherwise;
}

static void list_text(listing *l, finding_level level, size_t step, const rdv_evidence *map,
                      word is, rdv_str why)
{
    rdv_str whole = step_of(l, step), text = text_of(map, "text");
    size_t from = offset_of(map, "start", whole, 0);
    size_t behind = from + text.len;
    size_t to = offset_of(map, "end", whole, behind < whole.len ? behind : whole.len);
    rdv_str by = take_row(&why);
    begin_finding(l, level, step, from, to, by);
    rdv_paint_put(&l->paint, rdv_str_of(word_row_of(is, word_proves(l->check))->name), RDV_YELLOW);
    if (why.len) {
        rdv_paint_lit(&l->paint, " (", RDV_PLAIN);
        place_put_text(&l->paint, why, RDV_PLAIN);
        rdv_paint_lit(&l->paint, ")", RDV_PLAIN);
    }
    rdv_paint_lit(&l->paint, ": ", RDV_PLAIN);
    place_put_text(&l->paint, text, RDV_PLAIN);
    end_finding(l);
}

static rdv_str unread_why(const rdv_evidence *map)
{
    rdv_unread_reason is = RDV_UNREAD_OTHER;
    coverage_reason_named(text_of(map, "reason"), &is);
    return is == RDV_UNREAD_OTHER ? (rdv_str){0} : rdv_str_of(coverage_reason_words(is, false));
}

static void list_unchecked_of(listing *l, const rdv_verdict *v)
{
    const rdv_evidence *one = verdict_first(v, RDV_STR("calculations"));
    for (; one; one = one->next)
        if (one->type == RDV_EVIDENCE_MAP &&
            rdv_str_eq(text_of(one, "outcome"), RDV_STR("undecided")))
            list_text(l, FINDING_WARNING, v->step, one, WORD_UNDECIDED, text_of(one, "note"));
    for (one = verdict_first(v, RDV_STR("not_read")); one; one = one->next)
        if (one->type == RDV_EVIDENCE_MAP)
            list_text(l, FINDING_NOTE, v->step, one, WORD_UNREAD, unread_why(one));
}

int rdv_list_unread(const rdv_listing_place *place, const rdv_chain *chain, const rdv_check *check,
                    const rdv_listing_options *options, rdv_arena *arena, rdv_rule_ids *rules,
                    rdv_str *out, rdv_error *err)
{
    listing l = begin(place, chain, check, options, rules, arena);
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (check->verdicts[i].step < chain->n_steps)
            list_unchecked_of(&l, &check->verdicts[i]);
    rdv_str text = rdv_buf_str(&l.paint.out);
    if (!text.p)
        return rdv_no_memory(err);
    *out = text;
    return RDV_OK;
}
