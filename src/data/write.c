/* SPDX-License-Identifier: Apache-2.0 */
#include "data/write.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/options.h"
#include "base/str.h"
#include "data/members.h"
#include "score/score.h"

void rdv_write_begin(rdv_buf *b)
{
    rdv_buf_add_char(b, '{');
    rdv_json_put_count(b, RDV_VERSION_MEMBER, RDV_RECORD_VERSION);
}

/* ---- the members of a chain ------------------------------------------------------------------ */

/* Begin member `name`, unless the record has it. */
static bool lacks(rdv_buf *b, const rdv_map *have, const char *name)
{
    if (have && rdv_map_get(have, rdv_str_of(name)) != RDV_MAP_MISSING)
        return false;
    rdv_json_name(b, rdv_str_of(name));
    return true;
}

static void write_text(rdv_buf *b, const rdv_map *have, const char *name, rdv_str text)
{
    if (text.p && lacks(b, have, name))
        rdv_json_text(b, text);
}

static void write_question(rdv_buf *b, const rdv_question *q, const rdv_map *have)
{
    /* The text itself is the default of the id and would only be repeated. */
    if (!q->text.p || !rdv_str_eq(q->id, q->text))
        write_text(b, have, "question_id", q->id);
    write_text(b, have, "question", q->text);
    if (q->n_options && lacks(b, have, "options"))
        rdv_json_texts(b, q->options, q->n_options);
    if (q->kind != RDV_KIND_AUTO)
        write_text(b, have, "answer_type", rdv_str_of(rdv_kind_name(q->kind)));
    if (q->n_golds > 1 && lacks(b, have, "gold"))
        rdv_json_texts(b, q->golds, q->n_golds);
    else if (q->n_golds <= 1)
        write_text(b, have, "gold", q->gold);
}

static void write_label(rdv_buf *b, const rdv_label *label, const rdv_map *have)
{
    if (label->kind == RDV_LABEL_UNKNOWN || !lacks(b, have, "label"))
        return;
    if (label->kind == RDV_LABEL_AT)
        rdv_buf_printf(b, "%zu", label->step);
    else
        rdv_buf_lit(b, "null");
}

void rdv_write_labels(rdv_buf *b, const rdv_step_labels *labels)
{
    write_text(b, NULL, "annotator", labels->by);
    write_text(b, NULL, "criterion", labels->of);
    rdv_json_open(b, "labels", '[');
    for (size_t step = 0; step < labels->n; step++) {
        rdv_json_item(b);
        rdv_json_flag(b, labels->is[step]);
    }
    rdv_buf_add_char(b, ']');
}

void rdv_write_step_labels(rdv_buf *b, const rdv_chain *chain, const rdv_map *have)
{
    if (!chain->n_step_labels || !lacks(b, have, "step_labels"))
        return;
    for (size_t i = 0; i < chain->n_step_labels; i++) {
        rdv_buf_add(b, i ? RDV_STR(",{") : RDV_STR("[{"));
        rdv_write_labels(b, &chain->step_labels[i]);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, ']');
}

static void write_scores(rdv_buf *b, const rdv_chain *chain, const rdv_map *have)
{
    if (!chain->n_scores || !lacks(b, have, "scores"))
        return;
    rdv_buf_add_char(b, '{');
    for (size_t i = 0; i < chain->n_scores; i++) {
        rdv_json_name(b, chain->scores[i].name);
        rdv_json_numbers(b, chain->scores[i].step, chain->scores[i].n);
    }
    rdv_buf_add_char(b, '}');
}

static void write_logprobs(rdv_buf *b, const rdv_chain *chain, const rdv_map *have)
{
    if (!chain->logprobs || !lacks(b, have, "logprobs"))
        return;
    rdv_buf_add_char(b, '[');
    for (size_t i = 0; i < chain->n_steps; i++) {
        rdv_json_item(b);
        rdv_json_numbers(b, chain->logprobs[i].token, chain->logprobs[i].n);
    }
    rdv_buf_add_char(b, ']');
}

void rdv_write_chain(rdv_buf *b, const rdv_chain *chain, const rdv_map *have)
{
    write_text(b, have, "id", chain->id);
    write_question(b, &chain->question, have);
    if (chain->steps && lacks(b, have, "steps"))
        rdv_json_texts(b, chain->steps, chain->n_steps);
    if (chain->n_reasoning_steps && lacks(b, have, "n_reasoning_steps"))
        rdv_buf_printf(b, "%zu", chain->n_reasoning_steps);
    write_text(b, have, "answer", chain->answer);
    if (chain->unfinished.p && !chain->answer.p && lacks(b, have, "answer"))
        rdv_buf_lit(b, "null"); /* written explicitly, so that no answer is read from the steps */
    write_text(b, have, "incomplete_reason", chain->unfinished);
    if (chain->correct >= 0 && lacks(b, have, "correct"))
        rdv_json_flag(b, chain->correct);
    write_label(b, &chain->label, have);
    rdv_write_step_labels(b, chain, have);
    write_scores(b, chain, have);
    write_logprobs(b, chain, have);
}

/* ---- whole records --------------------------------------------------------------------------- */

bool rdv_tells_of_steps(rdv_str name)
{
    static const char *const names[] = {
        "steps", "n_reasoning_steps", "solution",    "answer", "incomplete_reason", "correct",
        "label", "label_source",      "step_labels", "scores", "logprobs",          "certificate"};
    return rdv_named(name, names, sizeof names / sizeof *names) >= 0;
}

/* A record that was printed over several lines becomes one line: a line break never stands within a
 * string, so it may become a space. */
static void add_on_one_line(rdv_buf *b, rdv_str raw)
{
    size_t plain = 0;
    bool breaks = rdv_find_char(raw, '\n', 0) != RDV_NOT_FOUND ||
                  rdv_find_char(raw, '\r', 0) != RDV_NOT_FOUND;
    for (size_t i = 0; breaks && i < raw.len; i++) {
        if (raw.p[i] != '\n' && raw.p[i] != '\r')
            continue;
        rdv_buf_add(b, rdv_slice(raw, plain, i));
        rdv_buf_add_char(b, ' ');
        plain = i + 1;
    }
    rdv_buf_add(b, rdv_slice(raw, plain, raw.len));
}

/* The members of `text`, which this program made or checked: no limits but the scanner's own. */
static int members_of(rdv_members *m, rdv_str text, rdv_arena *arena, rdv_error *err)
{
    static const rdv_limits limits = {SIZE_MAX, RDV_MAX_DEPTH, SIZE_MAX, SIZE_MAX};
    size_t at;
    int rc = rdv_members_read(m, text.p ? text : RDV_STR("{}"), &limits, arena, &at, err);
    if (rc == RDV_OK || rc == RDV_E_NOMEM)
        return rc;
    return rdv_wrap(err, RDV_E_INPUT, "the record to be written, byte %zu", at);
}

/* The same of a chain's `raw`, which most readers have cut already. */
static int members_of_raw(rdv_members *m, const rdv_chain *chain, rdv_arena *arena, rdv_error *err)
{
    const rdv_raw_members *noted = rdv_noted_members(chain);
    if (!noted || noted->n > RDV_FEW_MEMBERS) /* of many no index was noted */
        return members_of(m, chain->raw, arena, err);
    *m = (rdv_members){.arena = arena, .items = (rdv_member *)noted->items, .n = noted->n};
    memcpy(m->first, noted->first, sizeof m->first);
    return RDV_OK;
}

/* `members` in braces. */
static rdv_str in_braces(rdv_arena *arena, rdv_str members)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add_char(&b, '{');
    rdv_buf_add(&b, members);
    rdv_buf_add_char(&b, '}');
    return rdv_buf_str(&b);
}

typedef struct writer {
    rdv_buf b;
    rdv_map written; /* names of members that are written or will be, and must not be again */
    rdv_write_options options;
    bool checks; /* the chain has checks, which are written */
    int rc;
} writer;

static void mark_written(writer *w, rdv_str name)
{
    if (w->rc == RDV_OK)
        w->rc = rdv_map_put(&w->written, name, 0);
}

/* What a record says of its chain by its last check. */
static bool follows_from_check(rdv_str name)
{
    static const char *const names[] = {"accepted", "acceptance", "certificate"};
    return rdv_named(name, names, sizeof names / sizeof *names) >= 0;
}

/* A member "method" of a record without a check is the user's own. It stays, and beside our checks,
 * which have such a member, it is called "own_method". */
static void write_own_method(writer *w, const rdv_members *raw, rdv_str value)
{
    rdv_str name = w->checks ? RDV_STR("own_method") : RDV_STR("method");
    if (rdv_members_say_check(raw) || rdv_map_get(&w->written, name) != RDV_MAP_MISSING)
        return;
    rdv_json_name(&w->b, name);
    add_on_one_line(&w->b, value);
    mark_written(w, name);
}

/* What of `raw` stays: not what the checks, the extra members or an error say anew. */
static void write_raw(writer *w, const rdv_members *raw)
{
    for (size_t i = 0; i < raw->n; i++) {
        rdv_str name = raw->items[i].name;
        if (rdv_str_eq(name, RDV_STR("method")))
            write_own_method(w, raw, raw->items[i].raw);
        if (rdv_is_check_member(name) || rdv_str_eq(name, RDV_STR("error")) ||
            rdv_str_eq(name, RDV_STR(RDV_VERSION_MEMBER)) ||
            (w->options.changed && rdv_tells_of_steps(name)) ||
            (w->options.checked && follows_from_check(name)) ||
            rdv_map_get(&w->written, name) != RDV_MAP_MISSING)
            continue;
        rdv_json_name(&w->b, name);
        add_on_one_line(&w->b, raw->items[i].raw);
        mark_written(w, name);
    }
}

static void write_extra(writer *w, const rdv_members *extra)
{
    for (size_t i = 0; i < extra->n; i++) {
        rdv_json_name(&w->b, extra->items[i].name);
        add_on_one_line(&w->b, extra->items[i].raw);
    }
}

static int finish(writer *w, rdv_str *line, rdv_error *err)
{
    rdv_buf_lit(&w->b, "}\n");
    if (w->rc != RDV_OK || !rdv_buf_ok(&w->b))
        return rdv_no_memory(err);
    *line = rdv_buf_str(&w->b);
    return RDV_OK;
}

static int begin(writer *w, const rdv_write_options *options, rdv_arena *arena, rdv_members *extra,
                 rdv_error *err)
{
    *w = (writer){.options = {.size = sizeof w->options}};
    int rc = rdv_options_take(&w->options, sizeof w->options, options, err);
    if (rc != RDV_OK)
        return rc;
    rdv_map_init(&w->written, arena);
    rdv_buf_init(&w->b, arena, 0);
    rdv_write_begin(&w->b);
    *extra = (rdv_members){.arena = arena};
    if (!w->options.extra.len)
        return RDV_OK;
    rdv_str text = in_braces(arena, w->options.extra);
    if (!text.p)
        return rdv_no_memory(err);
    rc = members_of(extra, text, arena, err);
    for (size_t i = 0; rc == RDV_OK && i < extra->n; i++)
        mark_written(w, extra->items[i].name);
    return rc;
}

int rdv_record_write(const rdv_chain *chain, const rdv_write_options *options, rdv_arena *arena,
                     rdv_str *line, rdv_error *err)
{
    writer w;
    rdv_members extra, raw;
    int rc = begin(&w, options, arena, &extra, err);
    if (rc == RDV_OK)
        rc = members_of_raw(&raw, chain, arena, err);
    if (rc != RDV_OK)
        return rc;
    w.checks = chain->n_checks > 0;
    write_raw(&w, &raw);
    rdv_write_chain(&w.b, chain, &w.written);
    rdv_write_checks(&w.b, chain);
    write_extra(&w, &extra);
    write_text(&w.b, NULL, "error", w.options.error);
    return finish(&w, line, err);
}

/* ---- results and errors ---------------------------------------------------------------------- */

static void write_tallies(rdv_buf *b, const rdv_result *r)
{
    rdv_json_open(b, "answers", '{');
    for (size_t i = 0; i < r->n_answers; i++) {
        rdv_json_name(b, r->answers[i].answer);
        rdv_buf_add_char(b, '{');
        rdv_json_put_number(b, "weight", r->answers[i].weight);
        rdv_json_put_count(b, "n_chains", r->answers[i].chains);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, '}');
}

int rdv_result_write(const rdv_result *result, rdv_str extra, rdv_arena *arena, rdv_str *line,
                     rdv_error *err)
{
    const rdv_write_options options = {.size = sizeof options, .extra = extra};
    writer w;
    rdv_members added;
    int rc = begin(&w, &options, arena, &added, err);
    if (rc != RDV_OK)
        return rc;
    rdv_buf *b = &w.b;
    rdv_json_put_text(b, "question_id", result->question_id);
    rdv_json_put_text(b, "answer", result->answer);
    rdv_json_put_number(b, "weight_share", result->weight_share);
    write_tallies(b, result);
    rdv_json_name(b, RDV_STR("tied_answers"));
    rdv_json_texts(b, result->tied, result->n_tied);
    if (result_lacks(result))
        rdv_json_put_text(b, "no_answer", rdv_str_of(result_lacks(result)));
    rdv_json_put_flag(b, "correct", result->correct);
    rdv_json_put_number(b, "expected_correct", result->expected_correct);
    rdv_json_put_count(b, "n_unparsed", result->unread);
    if (result->unanswered)
        rdv_json_put_count(b, "n_unanswered", result->unanswered);
    rdv_json_put_count(b, "n_chains", result->chains);
    rdv_json_put_count(b, "n_chains_used", result->chains_used);
    rdv_json_put_count(b, "n_calls", result->calls);
    write_extra(&w, &added);
    return finish(&w, line, err);
}

int rdv_error_write(rdv_str message, rdv_arena *arena, rdv_str *line, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_write_begin(&b);
    rdv_json_put_text(&b, "error", message);
    rdv_buf_lit(&b, "}\n");
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    *line = rdv_buf_str(&b);
    return RDV_OK;
}
