/* SPDX-License-Identifier: Apache-2.0 */
/* A repair as a difference between the steps before and after it, word by word. */
#include "report/html_parts.h"

#include "base/str.h"
#include "report/html_text.h"

#include <math.h>

#define MAX_WORDS 400 /* of a text; longer ones are shown one after the other */

/* ---- the difference of two texts ------------------------------------------------------------- */

/* Cut a text into words, each with the space before it. RDV_NOT_FOUND: too many, or no memory. */
static size_t cut(rdv_str text, rdv_arena *arena, rdv_str **out)
{
    rdv_str *words = RDV_NEW_ARRAY(arena, rdv_str, MAX_WORDS);
    size_t n = 0;
    for (size_t i = 0; words && i < text.len; n++) {
        size_t begin = i;
        if (n == MAX_WORDS)
            return RDV_NOT_FOUND;
        while (i < text.len && rdv_is_space(text.p[i]))
            i++;
        while (i < text.len && !rdv_is_space(text.p[i]))
            i++;
        words[n] = rdv_slice(text, begin, i);
    }
    *out = words;
    return words ? n : RDV_NOT_FOUND;
}

static void put(rdv_buf *b, rdv_str words, const char *tag)
{
    size_t space = 0;
    while (tag && space < words.len && rdv_is_space(words.p[space]))
        space++;
    rdv_buf_add(b, rdv_slice(words, 0, space));
    words = rdv_slice(words, space, words.len);
    if (words.len == 0)
        return;
    if (tag)
        rdv_buf_printf(b, "<%s>", tag);
    html_prose(b, words);
    if (tag)
        rdv_buf_printf(b, "</%s>", tag);
}

/* The lengths of the longest common subsequences of a[i..] and b[j..], row after row. */
static uint16_t *common(const rdv_str *a, size_t n, const rdv_str *b, size_t m, rdv_arena *arena)
{
    size_t row = m + 1;
    uint16_t *best = RDV_NEW_ARRAY(arena, uint16_t, (n + 1) * row);
    for (size_t i = n; best && i-- > 0;) {
        for (size_t j = m; j-- > 0;) {
            uint16_t down = best[(i + 1) * row + j], across = best[i * row + j + 1];
            bool same = rdv_str_eq(rdv_trim(a[i]), rdv_trim(b[j]));
            best[i * row + j] = same            ? (uint16_t)(best[(i + 1) * row + j + 1] + 1)
                                : down > across ? down
                                                : across;
        }
    }
    return best;
}

/* Write the words of two texts, and mark those that only one of them has. scratch: not that of
 * `b`. */
static void put_difference(rdv_buf *b, rdv_str before, rdv_str after, rdv_arena *scratch)
{
    rdv_str *x, *y;
    rdv_mark mark = rdv_arena_mark(scratch);
    size_t n = cut(before, scratch, &x), m = cut(after, scratch, &y), i = 0, j = 0;
    uint16_t *best = n != RDV_NOT_FOUND && m != RDV_NOT_FOUND ? common(x, n, y, m, scratch) : NULL;
    if (!best) {
        put(b, before, "del");
        rdv_buf_lit(b, " ");
        put(b, after, "ins");
        rdv_arena_rewind(scratch, mark);
        return;
    }
    while (i < n || j < m) {
        size_t from_i = i, from_j = j;
        while (i < n && j < m && rdv_str_eq(rdv_trim(x[i]), rdv_trim(y[j])))
            put(b, y[j++], NULL), i++;
        from_i = i, from_j = j;
        while ((i < n || j < m) &&
               !(i < n && j < m && rdv_str_eq(rdv_trim(x[i]), rdv_trim(y[j])))) {
            if (j >= m || (i < n && best[(i + 1) * (m + 1) + j] >= best[i * (m + 1) + j + 1]))
                i++;
            else
                j++;
        }
        if (i > from_i)
            put(b, (rdv_str){x[from_i].p, (size_t)(x[i - 1].p + x[i - 1].len - x[from_i].p)},
                "del");
        if (j > from_j)
            put(b, (rdv_str){y[from_j].p, (size_t)(y[j - 1].p + y[j - 1].len - y[from_j].p)},
                "ins");
    }
    rdv_arena_rewind(scratch, mark);
}

/* ---- a repair -------------------------------------------------------------------------------- */

static const char *outcome_of(rdv_repair_kind kind)
{
    switch (kind) {
    case RDV_REPAIR_DONE:
        return "accepted";
    case RDV_REPAIR_NOT_BETTER:
        return "not accepted: the check prefers the old steps";
    case RDV_REPAIR_ALL_EQUAL:
        return "not accepted: all samples equal the old step";
    case RDV_REPAIR_FAILED:
        return "failed: the old steps are kept";
    }
    return "";
}

static const char *end_of(rdv_repair_end end)
{
    switch (end) {
    case RDV_REPAIR_PASSED:
        return "The locator finds no error (any more).";
    case RDV_REPAIR_ROUNDS:
        return "The maximum number of rounds was reached.";
    case RDV_REPAIR_UNLOCATED:
        return "The locator gives no location.";
    case RDV_REPAIR_BROKEN:
        return "A round failed.";
    }
    return "";
}

static void confidences(rdv_buf *b, const rdv_repair *r)
{
    if (isnan(r->confidence_before) && isnan(r->confidence_after))
        return;
    rdv_buf_lit(b, "; confidence ");
    rdv_buf_printf(b, isnan(r->confidence_before) ? "unknown" : "%.2f", r->confidence_before);
    rdv_buf_lit(b, " → ");
    rdv_buf_printf(b, isnan(r->confidence_after) ? "unknown" : "%.2f", r->confidence_after);
}

static void answers(rdv_buf *b, const rdv_repair *r)
{
    if (!r->after)
        return;
    rdv_buf_lit(b, "<p class=\"fine\">answer <del>");
    html_prose(b, r->answer_before.p ? r->answer_before : RDV_STR("none"));
    rdv_buf_lit(b, "</del> <ins>");
    html_prose(b, r->answer_after.p ? r->answer_after : RDV_STR("none"));
    rdv_buf_lit(b, "</ins></p>");
}

static void difference(rdv_buf *b, const rdv_repair *r, rdv_arena *scratch)
{
    size_t n = r->n_before > r->n_after ? r->n_before : r->n_after;
    rdv_buf_printf(b, "<ol class=\"diff\" start=\"%zu\">", r->from_step);
    for (size_t i = 0; i < n; i++) {
        rdv_buf_lit(b, "<li>");
        if (i >= r->n_after)
            put(b, r->before[i], "del");
        else if (i >= r->n_before)
            put(b, r->after[i], "ins");
        else
            put_difference(b, r->before[i], r->after[i], scratch);
        rdv_buf_lit(b, "</li>");
    }
    rdv_buf_lit(b, "</ol>");
}

static void one_round(rdv_buf *b, const rdv_repair *r, rdv_arena *scratch)
{
    bool done = r->kind == RDV_REPAIR_DONE;
    rdv_buf_printf(b,
                   "<section class=\"round\"><h4>Round %zu: step %zu replaced, "
                   "<span class=\"badge %s\">%s</span></h4><p class=\"fine\">%zu sample%s, %zu "
                   "different",
                   r->round, r->from_step, done ? "right" : "undecided", outcome_of(r->kind),
                   r->tried, r->tried == 1 ? "" : "s", r->different);
    if (r->chosen_by)
        rdv_buf_printf(b, ", chosen by %s", r->chosen_by);
    confidences(b, r);
    rdv_buf_lit(b, "</p>");
    if (r->kind == RDV_REPAIR_FAILED && r->why.p) {
        rdv_buf_lit(b, "<p class=\"why\">");
        html_prose(b, r->why);
        rdv_buf_lit(b, "</p>");
    }
    if (r->after)
        difference(b, r, scratch);
    answers(b, r);
    rdv_buf_lit(b, "</section>");
}

void html_repair(rdv_buf *b, const rdv_html_chain *chain)
{
    const rdv_repaired *repaired = chain->repaired;
    rdv_arena *scratch = rdv_arena_new(0); /* it is rewound, so what is written may not be in it */
    if (!scratch) {
        b->failed = true;
        return;
    }
    rdv_buf_lit(b, "<div class=\"repair\"><p><b>Repair</b>, located by ");
    html_text(b, chain->locator);
    rdv_buf_add(b, repaired->changed ? RDV_STR(": changed. ") : RDV_STR(": not changed. "));
    rdv_buf_add(b, rdv_str_of(end_of(repaired->end)));
    if (repaired->why.p) {
        rdv_buf_lit(b, " ");
        html_prose(b, repaired->why);
    }
    rdv_buf_lit(b, "</p>");
    for (size_t i = 0; i < repaired->n_rounds; i++)
        one_round(b, &repaired->rounds[i], scratch);
    rdv_buf_lit(b, "</div>");
    rdv_arena_free(&scratch);
}
