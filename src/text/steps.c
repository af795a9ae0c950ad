/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting a solution into steps: lines (with their blocks whole) are read first, then the family of
 * headings that rules is chosen, then lines are gathered into steps. */
#include <rederive/text.h>

#include "base/arena.h"
#include "base/options.h"
#include "base/str.h"
#include "text/block.h"
#include "text/heading.h"
#include "text/step_text.h"
#include "text/think.h"

typedef struct lines {
    rdv_line *line;
    rdv_heading *heading; /* the heading that opens each line, without its premises */
    rdv_str *premises;
    size_t n;
} lines;

/* Steps in the making: each runs from one byte of the text to another. */
typedef struct maker {
    rdv_arena *arena;
    rdv_str text;
    rdv_steps steps;
    size_t cap_text, cap_headings, max;
    rdv_error *err;
} maker;

static int read_lines(rdv_str text, rdv_arena *arena, lines *out, rdv_error *err)
{
    size_t cap_line = 0, cap_heading = 0, cap_premises = 0, at = 0;
    rdv_blocks blocks = {.text = text};
    rdv_line line;
    *out = (lines){0};
    while (text_next_block_line(&blocks, &at, &line)) {
        if (!RDV_PUSH_ROOM(arena, out->line, out->n, cap_line) ||
            !RDV_PUSH_ROOM(arena, out->heading, out->n, cap_heading) ||
            !RDV_PUSH_ROOM(arena, out->premises, out->n, cap_premises))
            return rdv_no_memory(err);
        rdv_heading heading = {.number = RDV_NO_NUMBER};
        rdv_str premises = {0};
        if (!line.blank && !line.is_block)
            text_heading_parse(line.text, &heading, &premises);
        out->line[out->n] = line;
        out->heading[out->n] = heading;
        out->premises[out->n++] = premises;
    }
    return RDV_OK;
}

/* Keep as headings only the numbered lines that count up by one from 0 or 1: others are lists
 * inside a step. Returns how many are kept; *restarts says whether a later list begins anew. */
static size_t keep_counted_numbers(lines *l, bool *restarts)
{
    size_t kept = 0, next = RDV_NO_NUMBER;
    *restarts = false;
    for (size_t i = 0; i < l->n; i++) {
        rdv_heading *h = &l->heading[i];
        if (h->kind != RDV_HEADING_NUMBER)
            continue;
        if (h->number == next || (next == RDV_NO_NUMBER && h->number <= 1)) {
            next = h->number + 1;
            kept++;
        } else {
            *restarts = *restarts || h->number <= 1;
            *h = (rdv_heading){.number = RDV_NO_NUMBER};
        }
    }
    return kept;
}

/* The family that rules. One "1." or one title is too little to rule; where numbers begin anew they
 * are lists under titles, if there are titles. */
static rdv_heading_kind ruling_family(lines *l)
{
    size_t count[RDV_HEADING_MARKDOWN + 1] = {0};
    for (size_t i = 0; i < l->n; i++)
        count[l->heading[i].kind]++;
    for (rdv_heading_kind is = RDV_HEADING_STEP; is <= RDV_HEADING_HASH; is++)
        if (count[is])
            return is;
    bool restarts;
    size_t numbers = keep_counted_numbers(l, &restarts), titles = count[RDV_HEADING_MARKDOWN];
    if (numbers >= 2 && !(restarts && titles >= 2))
        return RDV_HEADING_NUMBER;
    return titles >= 2 ? RDV_HEADING_MARKDOWN : RDV_HEADING_NONE;
}

/* Add the step with the bytes from `begin` to `end`, unless it is empty. */
static int add_step(maker *m, size_t begin, size_t end, const rdv_heading *heading)
{
    rdv_str text = rdv_trim(rdv_slice(m->text, begin, end));
    if (text.len == 0)
        return RDV_OK;
    rdv_steps *s = &m->steps;
    if (s->n >= m->max)
        return rdv_fail(m->err, RDV_E_LIMIT, "more than %zu steps", m->max);
    if (!RDV_PUSH_ROOM(m->arena, s->text, s->n, m->cap_text) ||
        !RDV_PUSH_ROOM(m->arena, s->headings, s->n, m->cap_headings))
        return rdv_no_memory(m->err);
    s->text[s->n] = text;
    s->headings[s->n++] = heading ? *heading : (rdv_heading){.number = RDV_NO_NUMBER};
    return RDV_OK;
}

/* A step that begins at line `i` and ends at byte `end`, its heading taken off. */
static int add_headed_step(maker *m, const lines *l, size_t i, size_t end)
{
    rdv_heading heading = l->heading[i];
    if (heading.kind == RDV_HEADING_NONE)
        return add_step(m, l->line[i].begin, end, NULL);
    size_t before = m->steps.n;
    int rc = text_heading_premises(l->premises[i], m->arena, &heading, m->err);
    if (rc == RDV_OK)
        rc = add_step(m, l->line[i].begin + heading.mark.len, end, &heading);
    if (rc == RDV_OK && m->steps.n > before)
        rc = step_close_emphasis(heading.mark, m->arena, &m->steps.text[before], m->err);
    if (rc == RDV_OK && m->steps.n > before && m->steps.text[before].len == 0)
        m->steps.n = before; /* there was nothing but the closing marks */
    return rc;
}

static int split_by_headings(maker *m, const lines *l, rdv_heading_kind family)
{
    size_t first = 0;
    while (l->heading[first].kind != family)
        first++;
    size_t begin = l->line[first].begin;
    bool keep;
    int rc = step_holds_reasoning(rdv_slice(m->text, 0, begin), m->arena, &keep, m->err);
    if (rc != RDV_OK)
        return rc;
    rc = keep ? add_step(m, 0, begin, NULL) : RDV_OK;
    for (size_t i = first; i < l->n && rc == RDV_OK;) {
        size_t next = i + 1;
        while (next < l->n && l->heading[next].kind != family)
            next++;
        rc = add_headed_step(m, l, i, next < l->n ? l->line[next].begin : m->text.len);
        i = next;
    }
    m->steps.by = family;
    return rc;
}

/* "|---|:--:|": the line below the head of a Markdown table. */
static bool is_table_rule(rdv_str line)
{
    bool bar = false, dash = false;
    for (size_t i = 0; i < line.len; i++) {
        bar |= line.p[i] == '|';
        dash |= line.p[i] == '-';
        if (!rdv_is_space(line.p[i]) && !strchr("|-:", line.p[i]))
            return false;
    }
    return bar && dash;
}

/* Does what comes after the non-blank line `last` belong to the same step all the same? */
static bool joins(const lines *l, size_t last, size_t next)
{
    return rdv_ends(rdv_trim_end(l->line[last].text), RDV_STR(":")) || l->line[next].is_block ||
           is_table_rule(l->line[next].text);
}

/* Cut at blank lines, or at every line. */
static int split_at_breaks(maker *m, const lines *l, bool every_line)
{
    size_t begin = 0, last = RDV_NOT_FOUND;
    int rc = RDV_OK;
    for (size_t i = 0; i < l->n && rc == RDV_OK; i++) {
        if (l->line[i].blank)
            continue;
        bool is_break = last != RDV_NOT_FOUND && (every_line || last + 1 < i);
        if (is_break && !joins(l, last, i)) {
            rc = add_step(m, begin, l->line[i].begin, NULL);
            begin = l->line[i].begin;
        }
        last = i;
    }
    return rc ? rc : add_step(m, begin, m->text.len, NULL);
}

static int split_lines(maker *m, const lines *l)
{
    int rc = RDV_OK;
    for (size_t i = 0; i < l->n && rc == RDV_OK; i++)
        if (!l->line[i].blank)
            rc = add_headed_step(m, l, i, l->line[i].begin + l->line[i].text.len);
    return rc;
}

static int split(maker *m, lines *l, rdv_split_mode mode)
{
    if (mode == RDV_SPLIT_LINES)
        return split_lines(m, l);
    rdv_heading_kind family = ruling_family(l);
    if (family != RDV_HEADING_NONE)
        return split_by_headings(m, l, family);
    int rc = split_at_breaks(m, l, false);
    if (rc != RDV_OK || m->steps.n > 1)
        return rc;
    m->steps.n = 0; /* one paragraph: its lines are the steps */
    return split_at_breaks(m, l, true);
}

int rdv_split_steps(rdv_str text, const rdv_split_options *options, rdv_arena *arena,
                    rdv_steps *out, rdv_error *err)
{
    rdv_split_options o = {.size = sizeof o};
    int rc = rdv_options_take(&o, sizeof o, options, err);
    if (rc != RDV_OK)
        return rc;
    size_t max_bytes = o.max_bytes ? o.max_bytes : RDV_SPLIT_MAX_BYTES;
    if (text.len > max_bytes)
        return rdv_fail(err, RDV_E_LIMIT, "a solution of %zu bytes, over the limit of %zu",
                        text.len, max_bytes);
    maker m = {.arena = arena, .max = o.max_steps ? o.max_steps : RDV_SPLIT_MAX_STEPS, .err = err};
    lines l;
    rc = think_split(text, false, arena, &m.text, NULL, err);
    if (rc == RDV_OK)
        rc = read_lines(m.text, arena, &l, err);
    if (rc == RDV_OK)
        rc = split(&m, &l, o.mode);
    if (rc == RDV_OK)
        *out = m.steps;
    return rc;
}
