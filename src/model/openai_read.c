/* SPDX-License-Identifier: Apache-2.0 */
/* Responses of OpenAI-compatible servers. */
#include "base/arena.h"
#include "base/str.h"
#include "model/notes.h"
#include "model/reward.h"
#include "model/tokens.h"
#include "model/wire.h"

#include <rederive/text.h>

typedef struct reader {
    const wire *w;
    const rdv_request *request;
    rdv_arena *arena;
    const json_t *root, *choice;
    rdv_str text;
    tokens tokens;
    rdv_finish finish;
    rdv_buf notes;
} reader;

static int no_memory(rdv_error *err)
{
    return rdv_fail(err, RDV_E_NOMEM, "out of memory reading a reply");
}

/* ---- the parts of a response ----------------------------------------------------------------- */

/* A body that says 200 and holds an error, as some proxies send it. */
static int fail_of_error(const reader *r, rdv_str body, rdv_error *err)
{
    wire_error said;
    wire_read_error(body, r->arena, &said);
    return rdv_fail(err, RDV_E_INPUT, "an error in place of a reply: %.*s", RDV_FMT(said.message));
}

static int find_choice(reader *r, rdv_str body, rdv_error *err)
{
    const json_t *error = json_object_get(r->root, "error");
    r->choice = json_array_get(json_object_get(r->root, "choices"), 0);
    if (json_is_object(r->choice))
        return RDV_OK;
    if (json_is_object(error) || json_is_string(error))
        return fail_of_error(r, body, err);
    return rdv_fail(err, RDV_E_INPUT, "the reply has no choices");
}

/* A content in parts: [{"type":"text","text":"..."}]. */
static int join_parts(reader *r, const json_t *parts, rdv_error *err)
{
    rdv_buf text;
    rdv_buf_init(&text, r->arena, 0);
    for (size_t i = 0; i < json_array_size(parts); i++)
        rdv_buf_add(&text, parse_text(json_object_get(json_array_get(parts, i), "text")));
    r->text = rdv_buf_str(&text);
    return r->text.p ? RDV_OK : no_memory(err);
}

static int read_content(reader *r, rdv_error *err)
{
    const json_t *message = json_object_get(r->choice, "message");
    const json_t *content = json_object_get(message, "content");
    if (!json_is_object(message))
        return rdv_fail(err, RDV_E_INPUT, "the reply's choice has no message");
    if (json_is_array(content))
        return join_parts(r, content, err);
    r->text = rdv_str_copy(r->arena, parse_text(content));
    if (!json_is_string(content))
        note_lit(&r->notes, "no content, read as an empty reply");
    return r->text.p ? RDV_OK : no_memory(err);
}

static int read_text(reader *r, rdv_error *err)
{
    if (r->w->form == WIRE_CHAT)
        return read_content(r, err);
    const json_t *text = json_object_get(r->choice, "text");
    if (!json_is_string(text))
        return rdv_fail(err, RDV_E_INPUT, "the reply's choice has no text");
    r->text = rdv_str_copy(r->arena, parse_text(text));
    return r->text.p ? RDV_OK : no_memory(err);
}

static rdv_finish read_finish(const json_t *choice)
{
    rdv_str is = parse_text(json_object_get(choice, "finish_reason"));
    if (rdv_str_eq(is, RDV_STR("stop")))
        return RDV_FINISH_STOP;
    return rdv_str_eq(is, RDV_STR("length")) ? RDV_FINISH_LENGTH : RDV_FINISH_OTHER;
}

static void read_usage(const json_t *root, rdv_reply *out)
{
    const json_t *usage = json_object_get(root, "usage");
    const json_t *prompt = json_object_get(usage, "prompt_tokens");
    out->usage = json_is_number(prompt);
    out->prompt_tokens = parse_count(prompt);
    out->completion_tokens = parse_count(json_object_get(usage, "completion_tokens"));
}

static int read_reply_tokens(reader *r)
{
    const json_t *logprobs = json_object_get(r->choice, "logprobs");
    if (!r->request->sampling.logprobs)
        return RDV_OK;
    int rc = r->w->form == WIRE_CHAT ? tokens_of_chat(logprobs, r->arena, &r->tokens)
                                     : tokens_of_completion(logprobs, r->arena, &r->tokens);
    if (rc == RDV_OK && r->tokens.n == 0 && r->text.len && (r->w->uses & ABLE_BIT(ABLE_LOGPROBS)))
        note_lit(&r->notes, "no log-probabilities came");
    return rc;
}

/* ---- what we change in a reply --------------------------------------------------------------- */

/* Let bytes from..to of the text stand for the whole. Tokens that do not spell the text cannot be
 * cut with it, and a wrong log-probability is worse than none. */
static void keep(reader *r, size_t from, size_t to)
{
    if (tokens_spell(&r->tokens, r->text))
        tokens_slice(&r->tokens, from, to);
    else
        r->tokens = (tokens){0};
    r->text = rdv_slice(r->text, from, to);
}

static int take_out_thinking(reader *r, rdv_error *err)
{
    if (rdv_ifind(r->text, RDV_STR("think"), 0) == RDV_NOT_FOUND)
        return RDV_OK;
    rdv_str rest;
    int rc = rdv_without_thinking(r->text, r->arena, &rest, err);
    if (rc != RDV_OK || rdv_str_eq(rest, rdv_trim(r->text)))
        return rc;
    note_lit(&r->notes, "thinking taken out");
    bool slice = rest.p >= r->text.p && rest.p <= r->text.p + r->text.len;
    if (slice) {
        size_t from = (size_t)(rest.p - r->text.p);
        keep(r, from, from + rest.len);
    } else {
        r->text = rest;
        r->tokens = (tokens){0};
    }
    return RDV_OK;
}

/* Where a model that was asked in a user's turn to go on writes the text again from its start. */
static void take_off_repetition(reader *r)
{
    rdv_str given = rdv_trim(r->w->continues);
    if (given.len == 0 || !rdv_starts(r->text, given))
        return;
    note_lit(&r->notes, "the repeated text taken off");
    keep(r, given.len, r->text.len);
}

/* What a server that takes stop texts has done already. */
static void cut_at_stops(reader *r)
{
    const rdv_sampling *s = &r->request->sampling;
    size_t first = RDV_NOT_FOUND;
    for (size_t i = 0; i < s->n_stop; i++) {
        size_t at = s->stop[i].len ? rdv_find(r->text, s->stop[i], 0) : RDV_NOT_FOUND;
        if (at < first)
            first = at;
    }
    if (first == RDV_NOT_FOUND)
        return;
    if (r->w->uses & ABLE_BIT(ABLE_STOP))
        note_lit(&r->notes, "cut at a stop text that the server passed over");
    keep(r, 0, first);
    r->finish = RDV_FINISH_STOP;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int read_sampled(reader *r, rdv_error *err)
{
    int rc = read_text(r, err);
    if (rc != RDV_OK)
        return rc;
    r->finish = read_finish(r->choice);
    if (read_reply_tokens(r) != RDV_OK)
        return no_memory(err);
    rc = take_out_thinking(r, err);
    if (rc != RDV_OK)
        return rc;
    take_off_repetition(r);
    cut_at_stops(r);
    return RDV_OK;
}

/* The text that a score was asked for. */
static rdv_str scored(const rdv_request *request)
{
    if (request->text.p)
        return request->text;
    size_t n = request->n_messages;
    return n ? request->messages[n - 1].text : RDV_STR("");
}

/* vLLM puts the list beside the choices of a conversation, and into the choice of a completion. */
static int read_prompt_tokens(reader *r)
{
    const json_t *list = json_object_get(r->root, "prompt_logprobs");
    if (!list)
        list = json_object_get(r->choice, "prompt_logprobs");
    return tokens_of_prompt(list, r->arena, &r->tokens);
}

static int read_score(reader *r, rdv_error *err)
{
    int rc = r->w->form == WIRE_ECHO ? tokens_of_completion(json_object_get(r->choice, "logprobs"),
                                                            r->arena, &r->tokens)
                                     : read_prompt_tokens(r);
    if (rc != RDV_OK)
        return no_memory(err);
    if (r->tokens.n == 0) {
        (void)rdv_fail(err, RDV_NONE, "no log-probabilities of the given text came");
        return RDV_NONE;
    }
    r->text = rdv_str_copy(r->arena, scored(r->request));
    r->finish = RDV_FINISH_STOP;
    if (!r->text.p)
        return no_memory(err);
    if (!tokens_keep_tail(&r->tokens, r->text)) /* an echo without the text is no echo */
        return rdv_fail(err, RDV_NONE, "the tokens that came do not spell the given text");
    return RDV_OK;
}

/* What was changed in asking, then in reading. */
static int adapted(const reader *r, rdv_str *out)
{
    rdv_buf all;
    rdv_buf_init(&all, r->arena, 0);
    if (r->w->adapted.p)
        note_add(&all, r->w->adapted);
    rdv_str read = note_list(&r->notes);
    if (read.p)
        note_add(&all, read);
    *out = note_list(&all);
    return rdv_buf_ok(&r->notes) && rdv_buf_ok(&all) ? RDV_OK : RDV_E_NOMEM;
}

static int read_root(reader *r, rdv_str body, rdv_reply *out, rdv_error *err)
{
    bool sampled = r->w->form == WIRE_CHAT || r->w->form == WIRE_COMPLETIONS;
    if (r->w->form == WIRE_PAIRS || r->w->form == WIRE_VALUES) {
        read_usage(r->root, out);
        return reward_read(r->w, r->request, r->root, r->arena, out, err);
    }
    int rc = find_choice(r, body, err);
    if (rc == RDV_OK)
        rc = sampled ? read_sampled(r, err) : read_score(r, err);
    if (rc != RDV_OK)
        return rc;
    read_usage(r->root, out);
    out->text = r->text;
    out->tokens = r->tokens.n ? r->tokens.items : NULL;
    out->n_tokens = r->tokens.n;
    out->finish = r->finish;
    return adapted(r, &out->adapted) == RDV_OK ? RDV_OK : no_memory(err);
}

int wire_read(const wire *w, const rdv_request *request, rdv_str body, rdv_arena *arena,
              rdv_reply *out, rdv_error *err)
{
    json_t *root;
    int rc = parse_json(body, false, &root, err);
    if (rc != RDV_OK)
        return rc;
    *out = (rdv_reply){0};
    reader r = {.w = w, .request = request, .arena = arena, .root = root};
    rdv_buf_init(&r.notes, arena, 0);
    rc = read_root(&r, body, out, err);
    json_decref(root);
    return rc;
}

/* ---- other responses ------------------------------------------------------------------------- */

static int copy_names(const json_t *list, rdv_arena *arena, rdv_str **names, size_t *n)
{
    size_t cap = json_array_size(list);
    *n = 0;
    *names = RDV_NEW_ARRAY(arena, rdv_str, cap);
    if (!*names)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < cap; i++) {
        rdv_str id = parse_text(json_object_get(json_array_get(list, i), "id"));
        if (!id.p)
            continue;
        rdv_str copy = rdv_str_copy(arena, id);
        if (!copy.p)
            return RDV_E_NOMEM;
        (*names)[(*n)++] = copy;
    }
    return RDV_OK;
}

int wire_read_models(rdv_str body, rdv_arena *arena, rdv_str **names, size_t *n, rdv_error *err)
{
    json_t *root;
    int rc = parse_json(body, false, &root, err);
    if (rc != RDV_OK)
        return rc;
    const json_t *data = json_object_get(root, "data");
    rc = json_is_array(data) ? copy_names(data, arena, names, n) : RDV_E_INPUT;
    json_decref(root);
    if (rc == RDV_E_INPUT)
        return rdv_fail(err, rc, "no list of models");
    return rc == RDV_OK ? rc : no_memory(err);
}

size_t wire_count_choices(rdv_str body)
{
    json_t *root;
    if (parse_json(body, false, &root, NULL) != RDV_OK)
        return 0;
    size_t n = json_array_size(json_object_get(root, "choices"));
    json_decref(root);
    return n;
}
