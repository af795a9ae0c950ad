/* SPDX-License-Identifier: Apache-2.0 */
#include "data/layout/text_file.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "text/question.h"

int rdv_text_file_init(rdv_text_file *t, rdv_bytes *bytes, const rdv_read_options *options,
                       const char *name, const rdv_limits *limits, rdv_error *err)
{
    *t = (rdv_text_file){.lines = {.bytes = bytes, .most = limits->record_bytes, .here = {1, 1, 0}},
                         .arena = rdv_arena_new(0),
                         .limits = limits,
                         .question = options->question,
                         .separator = options->separator,
                         .name = name,
                         .asks = options->texts_ask};
    return t->arena ? RDV_OK : rdv_no_memory(err);
}

void rdv_text_file_free(rdv_text_file *t)
{
    rdv_arena_free(&t->arena);
}

/* One solution. RDV_NONE: the text has ended with it. */
static int take_solution(rdv_text_file *t, rdv_buf *text, bool *too_long, rdv_error *err)
{
    for (;;) {
        size_t begin = text->len;
        int rc = rdv_lines_take(&t->lines, text, too_long, err);
        rdv_str line = rdv_slice((rdv_str){text->p, text->len}, begin, text->len);
        if (rc < 0)
            return rc;
        if (t->separator && rdv_str_eq(line, rdv_str_of(t->separator))) {
            text->len = begin;
            return rc;
        }
        if (rc == RDV_NONE)
            return rc;
        rdv_buf_add_char(text, '\n');
    }
}

/* Line ends in the text before byte `p` of it. */
static size_t lines_before(rdv_str text, const char *p)
{
    size_t n = 0;
    for (const char *at = text.p; at < p; at++)
        n += *at == '\n';
    return n;
}

/* Note where the bytes of the text stand in the file, whose carriage returns it lacks. */
static void note_text(rdv_text_file *t, rdv_str whole)
{
    rdv_str raw = rdv_buf_str(&t->raw);
    size_t at = 0;
    for (size_t i = 0; i < whole.len && at < raw.len; i++, at++) {
        at += raw.p[at] == '\r' && whole.p[i] != '\r';
        rdv_copies_add(t->copies, whole.p + i, 1, raw.p + at, 1);
    }
}

static int make_record(rdv_text_file *t, rdv_str whole, rdv_json_span *span, rdv_error *err)
{
    rdv_str solution = rdv_trim(whole);
    rdv_buf b;
    if (t->copies)
        note_text(t, whole);
    rdv_arena_log(t->arena, t->copies);
    rdv_buf_init(&b, t->arena, 0);
    rdv_buf_add_char(&b, '{');
    rdv_str question = rdv_str_of(t->question), text;
    if (!t->question && (text_question(solution, &question, &text) ||
                         (!t->asks && text_question_first(solution, &question, &text))))
        solution = text;
    else if (!t->question && t->asks)
        question = text_question_alone(solution);
    t->unasked = !question.p && rdv_find_char(solution, '\n', 0) != RDV_NOT_FOUND;
    bool within = t->asks && !t->question; /* the question is what the text says */
    span->line += lines_before(whole, within ? question.p : solution.p);
    rdv_json_put_text(&b, question.p ? "question" : "question_id",
                      question.p ? question : rdv_str_of(t->name));
    if (!t->asks)
        rdv_json_put_text(&b, "solution", solution);
    rdv_buf_add_char(&b, '}');
    rdv_arena_log(t->arena, NULL);
    span->text = rdv_buf_str(&b);
    span->origin.bytes = rdv_buf_str(&t->raw);
    span->origin.copies = t->copies;
    return rdv_buf_ok(&b) && rdv_buf_ok(&t->raw) ? RDV_OK : rdv_no_memory(err);
}

int rdv_text_file_next(rdv_text_file *t, rdv_json_span *span, rdv_error *err)
{
    for (;;) {
        bool too_long = false;
        rdv_buf text;
        rdv_arena_reset(t->arena);
        rdv_buf_init(&text, t->arena, 0);
        rdv_buf_lit(&text, ""); /* an empty text is a text, too */
        rdv_buf_init(&t->raw, t->arena, 0);
        t->lines.raw = t->copies ? &t->raw : NULL;
        *span = (rdv_json_span){.line = t->lines.here.line, .origin.begin = t->lines.here};
        int rc = take_solution(t, &text, &too_long, err);
        if (rc < 0)
            return rc;
        if (too_long)
            return rdv_fail(err, RDV_E_LIMIT,
                            "a solution of more than %zu bytes; it was passed over",
                            t->limits->record_bytes);
        if (rdv_trim(rdv_buf_str(&text)).len)
            return make_record(t, rdv_buf_str(&text), span, err);
        if (rc == RDV_NONE)
            return RDV_NONE;
    }
}
