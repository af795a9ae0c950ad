/* SPDX-License-Identifier: Apache-2.0 */
#include "data/text_file.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "text/question.h"

int rdv_text_file_init(rdv_text_file *t, rdv_bytes *bytes, const rdv_read_options *options,
                       const char *name, const rdv_limits *limits, rdv_error *err)
{
    *t = (rdv_text_file){.bytes = bytes,
                         .arena = rdv_arena_new(0),
                         .limits = limits,
                         .question = options->question,
                         .separator = options->separator,
                         .name = name,
                         .asks = options->texts_ask,
                         .here = {1, 1, 0}};
    return t->arena ? RDV_OK : rdv_no_memory(err);
}

void rdv_text_file_free(rdv_text_file *t)
{
    rdv_arena_free(&t->arena);
}

/* The next byte into *c. RDV_NONE at the end. */
static int take(rdv_text_file *t, char *c, rdv_error *err)
{
    if (t->begin == t->end && !t->ended) {
        t->begin = 0;
        int rc = rdv_bytes_read(t->bytes, t->block, sizeof t->block, &t->end, err);
        if (rc != RDV_OK)
            return rc;
        t->ended = t->end == 0;
    }
    if (t->ended)
        return RDV_NONE;
    *c = t->block[t->begin++];
    t->here.line += *c == '\n';
    t->here.offset++;
    if (t->copies && t->raw.len < t->limits->record_bytes)
        rdv_buf_add_char(&t->raw, *c);
    return RDV_OK;
}

/* Add the next line to `text`, without its end; what exceeds the limit is passed over, with
 * *too_long. RDV_NONE: the text has ended, perhaps with a last line. */
static int take_line(rdv_text_file *t, rdv_buf *text, bool *too_long, rdv_error *err)
{
    char c = 0;
    int rc;
    while ((rc = take(t, &c, err)) == RDV_OK && c != '\n') {
        if (text->len < t->limits->record_bytes)
            rdv_buf_add_char(text, c);
        else
            *too_long = true;
    }
    if (text->len && text->p[text->len - 1] == '\r')
        text->len--;
    return rdv_buf_ok(text) ? rc : rdv_no_memory(err);
}

/* One solution. RDV_NONE: the text has ended with it. */
static int take_solution(rdv_text_file *t, rdv_buf *text, bool *too_long, rdv_error *err)
{
    for (;;) {
        size_t begin = text->len;
        int rc = take_line(t, text, too_long, err);
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
    if (!t->question && text_question(solution, &question, &text))
        solution = text;
    else if (!t->question && t->asks)
        question = text_question_alone(solution);
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
        *span = (rdv_json_span){.line = t->here.line, .origin.begin = t->here};
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
