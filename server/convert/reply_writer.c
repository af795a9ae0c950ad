/* SPDX-License-Identifier: Apache-2.0 */
#include "server/convert/reply_writer.h"
#include "base/arena.h"
#include "base/str.h"

#include <time.h>

static int check(const reply_writer *w, rdv_error *err)
{
    if (w->n_bytes > REPLY_MOST_BYTES || (w->last && w->last->number >= REPLY_MOST_PARTS))
        return rdv_fail(err, RDV_E_INPUT, "more than 16 MiB, or %d parts", REPLY_MOST_PARTS);
    return rdv_buf_ok(&w->out) ? RDV_OK : rdv_no_memory(err);
}

int reply_writer_begin(reply_writer *w, rdv_str id, rdv_str model, rdv_error *err)
{
    if (w->begun)
        return RDV_OK;
    w->begun = true;
    w->created = (uint64_t)time(NULL);
    w->id = rdv_str_copy(w->arena, id.p ? id : RDV_STR("\"\""));
    w->model = rdv_str_copy(w->arena, model.p ? model : RDV_STR("\"\""));
    if (!w->id.p || !w->model.p)
        return rdv_no_memory(err);
    if (w->streams)
        w->form->begin(w);
    return check(w, err);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static rdv_str copy(reply_writer *w, rdv_str s, bool *ok)
{
    rdv_str kept = s.p ? rdv_str_copy(w->arena, s) : s;
    *ok &= !s.p || kept.p;
    w->n_bytes += s.len;
    return kept;
}

int reply_writer_open(reply_writer *w, part_kind kind, rdv_str id, rdv_str name, rdv_error *err)
{
    bool ok = true;
    int rc = reply_writer_close(w, err);
    reply_part *p = rc == RDV_OK ? RDV_NEW(w->arena, reply_part) : NULL;
    if (!p)
        return rc == RDV_OK ? rdv_no_memory(err) : rc;
    *p = (reply_part){.kind = kind, .id = copy(w, id, &ok), .name = copy(w, name, &ok)};
    p->number = w->last ? w->last->number + 1 : 0;
    rdv_buf_init(&p->text, w->arena, 0);
    rdv_buf_lit(&p->text, "");
    if (!ok)
        return rdv_no_memory(err);
    if (w->streams)
        w->form->open(w, p);
    *(w->last ? &w->last->next : &w->first) = p;
    w->last = w->open = p;
    w->n_calls += kind == PART_CALL;
    w->n_bytes += sizeof *p;
    return check(w, err);
}

int reply_writer_add(reply_writer *w, rdv_str text, rdv_error *err)
{
    rdv_str inner = json_view_inner(text);
    if (inner.len == 0)
        return RDV_OK;
    w->n_bytes += inner.len;
    int rc = check(w, err);
    if (rc != RDV_OK)
        return rc;
    rdv_buf_add(&w->open->text, inner);
    if (w->streams)
        w->form->add(w, w->open, text);
    return rdv_buf_ok(&w->open->text) ? check(w, err) : rdv_no_memory(err);
}

int reply_writer_text(reply_writer *w, part_kind kind, rdv_str text, rdv_error *err)
{
    if (json_view_inner(text).len == 0)
        return RDV_OK;
    int rc = w->open && w->open->kind == kind
                 ? RDV_OK
                 : reply_writer_open(w, kind, (rdv_str){0}, (rdv_str){0}, err);
    return rc == RDV_OK ? reply_writer_add(w, text, err) : rc;
}

int reply_writer_sign(reply_writer *w, rdv_str signature, rdv_error *err)
{
    bool ok = true;
    if (json_view_inner(signature).len)
        w->open->signature = copy(w, signature, &ok);
    return ok ? check(w, err) : rdv_no_memory(err);
}

int reply_writer_close(reply_writer *w, rdv_error *err)
{
    reply_part *p = w->open;
    int rc = RDV_OK;
    if (!p)
        return RDV_OK;
    if (p->kind == PART_CALL && p->text.len == 0) /* a tool without arguments */
        rc = reply_writer_add(w, RDV_STR("\"{}\""), err);
    w->open = NULL;
    if (rc == RDV_OK && w->streams)
        w->form->close(w, p);
    return rc == RDV_OK ? check(w, err) : rc;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* The first word for an end is the one that is written. */
static const struct {
    reply_end end;
    const char *word[4]; /* of each reply_protocol */
} words[] = {{END_STOP, {"stop", "stop", NULL, "end_turn"}},
             {END_SEQUENCE, {"stop", "stop", NULL, "stop_sequence"}},
             {END_LENGTH, {"length", "length", NULL, "max_tokens"}},
             {END_LENGTH, {NULL, NULL, NULL, "model_context_window_exceeded"}},
             {END_CALLS, {"tool_calls", NULL, NULL, "tool_use"}},
             {END_FILTER, {"content_filter", NULL, NULL, "refusal"}}};

int reply_writer_keep_end(reply_writer *w, reply_protocol from, rdv_str word, rdv_error *err)
{
    bool ok = true;
    if (!word.p)
        return RDV_OK;
    if (rdv_char_at(word, 0) != '"')
        return rdv_fail(err, RDV_E_INPUT, "a stop reason that is no text");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].word[from] && json_view_is(word, words[i].word[from])) {
            w->end = words[i].end;
            return RDV_OK;
        }
    w->end = END_OTHER;
    w->word = copy(w, word, &ok);
    return ok ? RDV_OK : rdv_no_memory(err);
}

rdv_str reply_writer_word(const reply_writer *w)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].end == w->end)
            return rdv_str_printf(w->arena, "\"%s\"", words[i].word[w->protocol]);
    return w->word;
}

int reply_writer_end(reply_writer *w, rdv_error *err)
{
    if (w->ended)
        return RDV_OK;
    if (!w->begun || w->end == END_NOT_SAID)
        return rdv_fail(err, RDV_E_INPUT, "no stop reason");
    int rc = reply_writer_close(w, err);
    w->ended = true;
    if (rc == RDV_OK && w->streams)
        w->form->end(w);
    else if (rc == RDV_OK)
        rc = w->form->whole(w, err);
    return rc == RDV_OK ? check(w, err) : rc;
}
