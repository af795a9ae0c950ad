/* SPDX-License-Identifier: Apache-2.0 */
#include "text/step_stream.h"

#include "base/arena.h"
#include "base/str.h"
#include "text/heading.h"
#include "text/step_text.h"
#include "text/think.h"

#define LONGEST_HEADING 200 /* bytes of a line in which a heading is looked for before its end */

void step_stream_init(step_stream *s, size_t max_steps, rdv_arena *arena)
{
    *s = (step_stream){
        .arena = arena, .max = max_steps, .section = SIZE_MAX, .next_number = RDV_NO_NUMBER};
}

size_t step_stream_decided(const step_stream *s)
{
    return s->n ? s->steps[s->n - 1].end : 0;
}

/* ---- deciding -------------------------------------------------------------------------------- */

/* Whether what is not decided before byte `end` can be held. */
static int check_held(const step_stream *s, size_t end, rdv_error *err)
{
    if (end - step_stream_decided(s) <= STEP_STREAM_MOST_HELD)
        return RDV_OK;
    return rdv_fail(err, RDV_E_LIMIT, "a step of more than %zu bytes", STEP_STREAM_MOST_HELD);
}

/* The step that is being read ends at byte `end`; the next one begins there. `greets`: it is no
 * step if it holds no reasoning. */
static int decide(step_stream *s, rdv_str text, size_t end, bool greets, rdv_error *err)
{
    bool keep = true;
    rdv_str mark = rdv_slice(text, s->begin, s->begin + s->mark_len);
    rdv_str said = rdv_trim(rdv_slice(text, s->begin + s->mark_len, end));
    int rc = greets ? step_holds_reasoning(said, s->arena, &keep, err) : RDV_OK;
    said = rdv_str_copy(s->arena, keep ? said : RDV_STR(""));
    if (rc == RDV_OK && !said.p)
        rc = rdv_no_memory(err);
    if (rc == RDV_OK && s->mark_len)
        rc = step_close_emphasis(mark, s->arena, &said, err);
    if (rc == RDV_OK)
        rc = check_held(s, end, err);
    if (rc == RDV_OK && s->n >= s->max)
        rc = rdv_fail(err, RDV_E_LIMIT, "more than %zu steps", s->max);
    if (rc == RDV_OK && !RDV_PUSH_ROOM(s->arena, s->steps, s->n, s->cap))
        rc = rdv_no_memory(err);
    if (rc != RDV_OK)
        return rc;
    s->steps[s->n++] = (stream_step){end, said};
    s->begin = end;
    s->mark_len = 0;
    return RDV_OK;
}

/* The same at the beginning of a line, unless the step begins there. */
static int decide_before(step_stream *s, rdv_str text, size_t line, bool greets, rdv_error *err)
{
    return line > s->begin ? decide(s, text, line, greets, err) : RDV_OK;
}

/* A heading opens a step. */
static int open_step(step_stream *s, rdv_str text, const stream_line *line, bool greets,
                     rdv_error *err)
{
    int rc = decide_before(s, text, line->begin, greets, err);
    s->mark_len = line->heading.mark.len;
    return rc;
}

/* ---- a family -------------------------------------------------------------------------------- */

static bool is_distinctive(rdv_heading_kind kind)
{
    return kind == RDV_HEADING_STEP || kind == RDV_HEADING_THOUGHT || kind == RDV_HEADING_HASH;
}

/* Whether the line opens a step where a family rules. */
static bool opens(const step_stream *s, const rdv_heading *h)
{
    if (is_distinctive(h->kind))
        return h->kind <= s->by;
    return h->kind != RDV_HEADING_NONE && h->kind == s->by &&
           (h->kind != RDV_HEADING_NUMBER || h->number == s->next_number);
}

/* The family is known: its headings among the lines that were held open steps. */
static int begin_family(step_stream *s, rdv_str text, rdv_heading_kind family, rdv_error *err)
{
    bool greets = true;
    int rc = RDV_OK;
    s->by = family;
    for (size_t i = 0; i < s->n_lines && rc == RDV_OK; i++) {
        const stream_line *line = &s->lines[i];
        if (line->heading.kind != family)
            continue;
        rc = open_step(s, text, line, greets, err);
        greets = false;
    }
    s->n_lines = 0;
    return rc;
}

/* Whether the number counts up from the first, which is 0 or 1. */
static bool counts(const step_stream *s, const rdv_heading *h)
{
    return s->n_numbers ? h->number == s->next_number : h->number <= 1;
}

/* A paragraph ends before the line. Before what may be a heading, it does if it is a step even
 * before a heading. */
static int break_before(step_stream *s, rdv_str text, const stream_line *line, rdv_error *err)
{
    bool step = true;
    if (line->heading.kind != RDV_HEADING_NONE) {
        int rc = step_holds_reasoning(rdv_slice(text, s->begin, line->begin), s->arena, &step, err);
        if (rc != RDV_OK || !step)
            return rc;
    }
    s->cut = true;
    s->n_lines = 0;
    return decide_before(s, text, line->begin, false, err);
}

/* A line where the family is not known yet. */
static int read_free_line(step_stream *s, rdv_str text, stream_line *line, rdv_error *err)
{
    rdv_heading *h = &line->heading;
    int rc = RDV_OK;
    if (h->kind == RDV_HEADING_NUMBER && !counts(s, h))
        *h = (rdv_heading){.number = RDV_NO_NUMBER};
    if (line->breaks && !s->n_numbers && !s->n_titles)
        rc = break_before(s, text, line, err);
    if (h->kind == RDV_HEADING_NUMBER) {
        s->n_numbers++;
        s->next_number = h->number + 1;
        s->title_first |= s->n_titles > 0;
    }
    s->n_titles += h->kind == RDV_HEADING_MARKDOWN;
    if (rc == RDV_OK && !RDV_PUSH_ROOM(s->arena, s->lines, s->n_lines, s->cap_lines))
        rc = rdv_no_memory(err);
    if (rc != RDV_OK)
        return rc;
    s->lines[s->n_lines++] = *line;
    if (is_distinctive(h->kind))
        return begin_family(s, text, h->kind, err);
    if (s->n_numbers >= 2 && !s->title_first)
        return begin_family(s, text, RDV_HEADING_NUMBER, err);
    return s->n_titles >= 2 ? begin_family(s, text, RDV_HEADING_MARKDOWN, err) : RDV_OK;
}

static int read_line(step_stream *s, rdv_str text, stream_line *line, rdv_error *err)
{
    const rdv_heading *h = &line->heading;
    if (s->by == RDV_HEADING_NONE)
        return read_free_line(s, text, line, err);
    if (!opens(s, h))
        return RDV_OK;
    s->by = h->kind;
    s->next_number = h->kind == RDV_HEADING_NUMBER ? h->number + 1 : s->next_number;
    return open_step(s, text, line, false, err);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* The line that begins at s->at was read, and what comes cannot change it. */
static int take_line(step_stream *s, rdv_str text, const rdv_line *line, rdv_error *err)
{
    rdv_str premises;
    stream_line read = {.begin = s->section + line->begin, .heading.number = RDV_NO_NUMBER};
    if (line->blank) {
        s->gap = true;
        return RDV_OK;
    }
    if (!line->is_block)
        text_heading_parse(line->text, &read.heading, &premises);
    read.joins = s->after_colon || line->is_block;
    read.breaks = s->has_line && s->gap && !read.joins;
    s->gap = false;
    s->has_line = true;
    s->after_colon = rdv_ends(rdv_trim_end(line->text), RDV_STR(":"));
    return read_line(s, text, &read, err);
}

/* Whether a byte has come by which a line that was open can end. */
static bool may_end_line(rdv_str come)
{
    for (size_t i = 0; i < come.len; i++)
        if (come.p[i] && strchr("\n$])`~}", come.p[i]))
            return true;
    return false;
}

/* Read the lines of the section that no longer text can change. `text`: up to where it is known. */
static int read_lines(step_stream *s, rdv_str text, bool ended, rdv_error *err)
{
    rdv_blocks blocks = {.text = rdv_slice(text, s->section, text.len)};
    size_t at = s->at - s->section;
    rdv_line line;
    if (!ended && !may_end_line(rdv_slice(text, s->grown > s->at ? s->grown : s->at, text.len)))
        return RDV_OK;
    s->grown = text.len;
    while (text_next_block_line(&blocks, &at, &line)) {
        if (!ended && (blocks.open || at == line.begin + line.text.len))
            return RDV_OK; /* its newline is not there yet */
        int rc = take_line(s, text, &line, err);
        if (rc != RDV_OK)
            return rc;
        s->at = s->section + at;
    }
    return RDV_OK;
}

/* ---- the beginning of a line ----------------------------------------------------------------- */

/* Whether a line with these first bytes, of which more is to come, opens a step by its heading. */
static bool surely_opens(const step_stream *s, rdv_str head)
{
    rdv_heading h = {0};
    rdv_str premises;
    if (head.len > LONGEST_HEADING || rdv_find_char(head, '\n', 0) != RDV_NOT_FOUND ||
        !text_heading_parse(head, &h, &premises) ||
        rdv_trim(rdv_slice(head, h.mark.len, head.len)).len == 0)
        return false;
    /* "## Step" is a title until ":" has come, and "2. S" may become "2. Schritt:" */
    return (is_distinctive(h.kind) || h.kind == RDV_HEADING_NUMBER) && opens(s, &h);
}

/* Whether the paragraph ends before a line with that first character, and is more than a greeting,
 * which would be no step before a heading. */
static int surely_breaks(step_stream *s, rdv_str text, char first, bool *yes, rdv_error *err)
{
    *yes = false;
    if (!s->has_line || !s->gap || s->after_colon || s->n_numbers || s->n_titles ||
        strchr("\\$[`~", first) || s->greeting_end == s->at)
        return RDV_OK;
    int rc = step_holds_reasoning(rdv_slice(text, s->begin, s->at), s->arena, yes, err);
    s->greeting_end = *yes ? 0 : s->at;
    return rc;
}

/* A line of which a part has come may already say that the step before it has ended. */
static int look_at_head(step_stream *s, rdv_str text, rdv_error *err)
{
    size_t first = s->at;
    bool yes = false;
    int rc = RDV_OK;
    while (first < text.len && (text.p[first] == ' ' || text.p[first] == '\t'))
        first++;
    if (first == text.len || rdv_is_space(text.p[first]) || s->begin == s->at)
        return RDV_OK;
    if (s->by != RDV_HEADING_NONE)
        yes = surely_opens(s, rdv_slice(text, s->at, text.len));
    else
        rc = surely_breaks(s, text, text.p[first], &yes, err);
    if (rc != RDV_OK || !yes)
        return rc;
    if (s->by == RDV_HEADING_NONE) {
        s->cut = true;
        s->n_lines = 0;
        s->has_line = false;
    }
    return decide(s, text, s->at, false, err);
}

/* ---- sections -------------------------------------------------------------------------------- */

/* Cut what was held at the lines that begin a step. */
static int cut_held(step_stream *s, rdv_str text, bool every_line, rdv_error *err)
{
    int rc = RDV_OK;
    for (size_t i = 1; i < s->n_lines && rc == RDV_OK; i++)
        if (every_line ? !s->lines[i].joins : s->lines[i].breaks)
            rc = decide_before(s, text, s->lines[i].begin, false, err);
    return rc;
}

/* The rest of a section, which ends at the end of `text`. */
static int end_section(step_stream *s, rdv_str text, rdv_error *err)
{
    bool any_break = s->cut;
    int rc = RDV_OK;
    for (size_t i = 1; i < s->n_lines; i++)
        any_break |= s->lines[i].breaks;
    if (s->by == RDV_HEADING_NONE && s->n_numbers >= 2)
        rc = begin_family(s, text, RDV_HEADING_NUMBER, err);
    else if (s->by == RDV_HEADING_NONE)
        rc = cut_held(s, text, !any_break, err);
    return rc == RDV_OK ? decide_before(s, text, text.len, false, err) : rc;
}

static void begin_section(step_stream *s, size_t at)
{
    s->section = SIZE_MAX;
    s->looked = s->at = at;
    s->n_lines = 0;
    s->by = RDV_HEADING_NONE;
    s->next_number = RDV_NO_NUMBER;
    s->n_numbers = s->n_titles = s->greeting_end = 0;
    s->gap = s->after_colon = s->has_line = s->cut = s->title_first = false;
}

/* The text of the section, from its first line to the end of `text`. */
static int read_section(step_stream *s, rdv_str text, bool ended, rdv_error *err)
{
    if (s->section == SIZE_MAX) {
        while (s->at < text.len && rdv_is_space(text.p[s->at]))
            s->at++;
        if (s->at == text.len)
            return RDV_OK;
        s->section = s->begin = s->at;
    }
    if (ended)
        text = rdv_slice(text, 0,
                         s->section + rdv_trim_end(rdv_slice(text, s->section, text.len)).len);
    int rc = read_lines(s, text, ended, err);
    if (rc == RDV_OK && !ended)
        rc = look_at_head(s, text, err);
    return rc == RDV_OK && ended ? end_section(s, text, err) : rc;
}

/* Whether a mark of thinking stands at or behind s->looked, which is moved to it, or to where one
 * may begin that has not come as a whole. */
static bool find_mark(step_stream *s, rdv_str text, bool ended, think_mark *mark)
{
    for (; s->looked < text.len; s->looked++) {
        if (!think_may_begin(text.p[s->looked]))
            continue;
        rdv_str rest = rdv_slice(text, s->looked, text.len);
        if (!ended && think_mark_may_grow(rest, false))
            return false;
        if (think_mark_at(rest, false, mark))
            return true;
    }
    return false;
}

int step_stream_read(step_stream *s, rdv_str text, bool ended, rdv_error *err)
{
    think_mark mark;
    int rc = RDV_OK;
    if (s->ended)
        return RDV_OK;
    while (rc == RDV_OK && find_mark(s, text, ended, &mark)) {
        size_t begin = s->looked;
        rc = read_section(s, rdv_slice(text, 0, begin), true, err);
        begin_section(s, begin + mark.len);
    }
    if (rc == RDV_OK)
        rc = read_section(s, rdv_slice(text, 0, s->looked), ended, err);
    s->ended = ended;
    if (rc == RDV_OK && ended && step_stream_decided(s) < text.len)
        rc = decide(s, text, text.len, false, err); /* white space and marks are no step */
    return rc == RDV_OK ? check_held(s, text.len, err) : rc;
}
