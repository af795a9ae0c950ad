/* SPDX-License-Identifier: Apache-2.0 */
#include "report/votes.h"

#include "base/arena.h"
#include "base/str.h"
#include "report/paint.h"

#define GAP 2
#define MOST_WIDTH 110    /* wider tables are harder to read */
#define LEAST_BESIDE 76   /* from this width on both answers are on one line, with their heads */
#define CHAINS_COLUMNS 10 /* "12 of 100" */
#define NOTE_COLUMNS 10   /* "<- changed" */
#define STACKED_LABEL 16  /* "by confidence", indented */

typedef struct layout {
    size_t question, chains, majority, chosen, note; /* the column at which each begins */
    size_t answer;                                   /* columns of an answer with its verdict */
} layout;

static layout layout_of(const rdv_votes *v, const rdv_paint *p)
{
    size_t width = p->width < MOST_WIDTH ? p->width : MOST_WIDTH;
    size_t question = width / 4, sides = v->chosen_by ? 2 : 1;
    layout l = {.chains = question + GAP, .majority = question + GAP + CHAINS_COLUMNS + GAP};
    l.answer = (width - l.majority - NOTE_COLUMNS - sides * GAP) / sides;
    l.chosen = l.majority + l.answer + GAP;
    l.note = l.chosen + l.answer + GAP;
    l.question = question;
    return l;
}

static bool beside(const rdv_paint *p)
{
    return p->width >= LEAST_BESIDE;
}

/* Writes untrusted text on the current line, escaped, and cut to `columns`. */
static void put_cut(rdv_paint *p, rdv_str text, size_t columns, rdv_style style)
{
    bool cut = rdv_columns(text) > columns;
    size_t limit = p->column + columns - (cut ? (p->ascii ? 3 : 1) : 0), len;
    for (size_t i = 0; i < text.len; i += len) {
        char shown[16];
        size_t n = rdv_shown(text, i, &len, shown);
        if (p->column + rdv_columns((rdv_str){shown, n}) > limit)
            break;
        rdv_paint_put(p, (rdv_str){shown, n}, style);
    }
    if (cut)
        rdv_paint_put(p, p->ascii ? RDV_STR("...") : RDV_STR("\xe2\x80\xa6"), style);
}

/* Whether the two answers differ, and one of them is known to be right and the other wrong. */
static bool is_turned(const rdv_votes_row *row)
{
    return row->differ && row->majority.correct >= 0 && row->chosen.correct >= 0 &&
           row->majority.correct != row->chosen.correct;
}

static void put_side(rdv_paint *p, const rdv_votes_side *side, size_t columns)
{
    static const char *const words[] = {"", " WRONG", " right"};
    static const rdv_style styles[] = {RDV_PLAIN, RDV_RED, RDV_GREEN};
    bool graded = side->answer.p && (side->correct == 0 || side->correct == 1);
    int known = graded ? side->correct + 1 : 0;
    rdv_str tied = side->tied ? RDV_STR(" tied") : RDV_STR(""), word = rdv_str_of(words[known]);
    put_cut(p, side->answer.p ? side->answer : RDV_STR("no answer"), columns - tied.len - word.len,
            side->answer.p ? RDV_PLAIN : RDV_YELLOW);
    if (tied.len)
        rdv_paint_put(p, tied, RDV_YELLOW);
    if (word.len)
        rdv_paint_put(p, word, styles[known]);
}

static void put_note(rdv_paint *p, const rdv_votes_row *row)
{
    if (!row->differ)
        return;
    rdv_paint_put(p, p->ascii ? RDV_STR("<- ") : RDV_STR("\xe2\x86\x90 "), RDV_BOLD);
    rdv_paint_put(p, is_turned(row) ? RDV_STR("turned") : RDV_STR("changed"), RDV_BOLD);
}

static void put_chains(rdv_paint *p, const rdv_votes_row *row)
{
    if (row->used == row->chains)
        rdv_paint_putf(p, RDV_DIM, "%zu", row->chains);
    else
        rdv_paint_putf(p, RDV_DIM, "%zu of %zu", row->used, row->chains);
}

static void put_heads(const rdv_votes *v, rdv_paint *p, const layout *l)
{
    rdv_paint_lit(p, "question", RDV_BOLD);
    rdv_paint_to(p, l->chains);
    rdv_paint_lit(p, "chains", RDV_BOLD);
    rdv_paint_to(p, l->majority);
    rdv_paint_lit(p, "by majority", RDV_BOLD);
    if (v->chosen_by) {
        rdv_paint_to(p, l->chosen);
        rdv_paint_lit(p, "by ", RDV_BOLD);
        put_cut(p, rdv_str_of(v->chosen_by), l->answer + NOTE_COLUMNS, RDV_BOLD);
    }
    rdv_paint_end_line(p);
}

static void put_beside(const rdv_votes *v, rdv_paint *p, const layout *l, const rdv_votes_row *row)
{
    put_cut(p, row->question, l->question, RDV_PLAIN);
    rdv_paint_to(p, l->chains);
    put_chains(p, row);
    rdv_paint_to(p, l->majority);
    put_side(p, &row->majority, l->answer);
    if (v->chosen_by) {
        rdv_paint_to(p, l->chosen);
        put_side(p, &row->chosen, l->answer);
        if (row->differ)
            rdv_paint_to(p, l->note);
        put_note(p, row);
    }
    rdv_paint_end_line(p);
}

static void put_stacked(const rdv_votes *v, rdv_paint *p, const rdv_votes_row *row)
{
    size_t columns = p->width - STACKED_LABEL;
    put_cut(p, row->question, p->width, RDV_BOLD);
    rdv_paint_end_line(p);
    rdv_paint_lit(p, "  chains", RDV_DIM);
    rdv_paint_to(p, STACKED_LABEL);
    put_chains(p, row);
    rdv_paint_end_line(p);
    rdv_paint_lit(p, "  by majority", RDV_DIM);
    rdv_paint_to(p, STACKED_LABEL);
    put_side(p, &row->majority, columns);
    rdv_paint_end_line(p);
    if (!v->chosen_by)
        return;
    rdv_paint_lit(p, "  by ", RDV_DIM);
    put_cut(p, rdv_str_of(v->chosen_by), STACKED_LABEL - 6, RDV_DIM);
    rdv_paint_to(p, STACKED_LABEL);
    put_side(p, &row->chosen, columns);
    rdv_paint_end_line(p);
    if (row->differ) {
        rdv_paint_to(p, STACKED_LABEL);
        put_note(p, row);
        rdv_paint_end_line(p);
    }
}

static void count(rdv_votes *v, const rdv_votes_row *row)
{
    const rdv_votes_side *majority = &row->majority, *chosen = &row->chosen;
    bool both = v->chosen_by != NULL;
    bool graded = majority->correct >= 0 && (!both || chosen->correct >= 0);
    v->n++;
    v->tied += majority->tied || (both && chosen->tied);
    v->graded += graded;
    v->right_majority += graded && majority->correct == 1;
    v->right_chosen += graded && both && chosen->correct == 1;
    if (!both || !row->differ)
        return;
    v->turned_right += is_turned(row) && chosen->correct == 1;
    v->turned_wrong += is_turned(row) && chosen->correct == 0;
    v->changed += !is_turned(row);
}

static int finish(const rdv_paint *p, rdv_str *out, rdv_error *err)
{
    rdv_str text = rdv_buf_str(&p->out);
    if (!text.p)
        return rdv_no_memory(err);
    *out = text;
    return RDV_OK;
}

int rdv_votes_add(rdv_votes *v, const rdv_votes_row *row, rdv_arena *arena, rdv_str *out,
                  rdv_error *err)
{
    rdv_paint p;
    rdv_paint_begin(&p, &v->options, arena);
    layout l = layout_of(v, &p);
    if (!beside(&p)) {
        put_stacked(v, &p, row);
    } else {
        if (v->n == 0)
            put_heads(v, &p, &l);
        put_beside(v, &p, &l, row);
    }
    int code = finish(&p, out, err);
    if (code == RDV_OK)
        count(v, row);
    return code;
}

/* ---- below the rows -------------------------------------------------------------------------- */

static void put_totals(const rdv_votes *v, rdv_paint *p)
{
    if (v->chosen_by)
        rdv_paint_textf(p, RDV_BOLD,
                        "right: %zu of %zu by majority, %zu by %.64s (%zu turned to right, %zu to "
                        "wrong)",
                        v->right_majority, v->graded, v->right_chosen, v->chosen_by,
                        v->turned_right, v->turned_wrong);
    else
        rdv_paint_textf(p, RDV_BOLD, "right: %zu of %zu by majority", v->right_majority, v->graded);
    rdv_paint_end_line(p);
}

/* What each sign means that the rows show. */
static void put_legend(const rdv_votes *v, rdv_paint *p)
{
    const char *arrow = p->ascii ? "<-" : "\xe2\x86\x90";
    p->indent = 2;
    if (v->graded) {
        rdv_paint_textf(p, RDV_DIM, "right, WRONG: beside the gold answer");
        rdv_paint_end_line(p);
    }
    if (v->turned_right + v->turned_wrong) {
        rdv_paint_textf(p, RDV_DIM,
                        "%s turned: the choice by %.64s is right where the majority is wrong, or "
                        "the other way round",
                        arrow, v->chosen_by);
        rdv_paint_end_line(p);
    }
    if (v->changed) {
        rdv_paint_textf(p, RDV_DIM,
                        "%s changed: another answer than the majority's, with the same result or "
                        "with no gold answer",
                        arrow);
        rdv_paint_end_line(p);
    }
    if (v->tied) {
        rdv_paint_textf(p, RDV_DIM,
                        "tied: it shares the first place; of those the answer that came first is "
                        "shown");
        rdv_paint_end_line(p);
    }
}

int rdv_votes_end(const rdv_votes *v, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    rdv_paint p;
    rdv_paint_begin(&p, &v->options, arena);
    if (v->n) {
        rdv_paint_end_line(&p);
        if (v->graded)
            put_totals(v, &p);
        put_legend(v, &p);
    }
    return finish(&p, out, err);
}
