/* SPDX-License-Identifier: Apache-2.0 */
#include "run/builtin_text.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"
#include "lm/model.h"
#include "model/turns.h"
#include "run/builtin_steps.h"

#include <math.h>
#include <string.h>

/* ---- requests -------------------------------------------------------------------------------- */

static int copy_texts(const rdv_str *from, size_t n, rdv_arena *arena, rdv_str *to)
{
    for (size_t i = 0; i < n; i++) {
        to[i] = rdv_str_copy(arena, from[i]);
        if (!to[i].p)
            return RDV_E_NOMEM;
    }
    return RDV_OK;
}

int builtin_text_copy(const rdv_request *request, rdv_arena *arena, rdv_request *out)
{
    rdv_message *messages = RDV_NEW_ARRAY(arena, rdv_message, request->n_messages);
    rdv_str *stops = RDV_NEW_ARRAY(arena, rdv_str, request->sampling.n_stop);
    rdv_str *steps = RDV_NEW_ARRAY(arena, rdv_str, request->n_steps);
    *out = (rdv_request){.kind = request->kind,
                         .messages = messages,
                         .n_messages = request->n_messages,
                         .steps = steps,
                         .n_steps = request->n_steps,
                         .sampling = request->sampling};
    out->sampling.stop = stops;
    memcpy(out->key, request->key, sizeof out->key);
    if (!messages || !stops || !steps)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < request->n_messages; i++) {
        const rdv_message *m = &request->messages[i];
        messages[i] = (rdv_message){m->role, rdv_str_copy(arena, m->text)};
        if (!messages[i].text.p)
            return RDV_E_NOMEM;
    }
    if (copy_texts(request->sampling.stop, request->sampling.n_stop, arena, stops) != RDV_OK ||
        copy_texts(request->steps, request->n_steps, arena, steps) != RDV_OK)
        return RDV_E_NOMEM;
    if (!request->text.p)
        return RDV_OK;
    out->text = rdv_str_copy(arena, request->text);
    return out->text.p ? RDV_OK : RDV_E_NOMEM;
}

/* Words of prompts as they are, and as they were when the file of models/ was trained. A model that
 * lists prompts (run.h) is asked in the words it knows; training anew empties the table. */
static const struct {
    const char *now, *trained;
} wordings[] = {
    {"start each step with \"Step :\"", "start each step with \"Step ::\""},
};

static int as_trained(const rdv_lm *lm, rdv_arena *arena, rdv_str *text)
{
    if (!gguf_get(&lm->g, RDV_BUILTIN_PROMPTS))
        return RDV_OK;
    for (size_t i = 0; i < sizeof wordings / sizeof *wordings; i++) {
        rdv_str now = rdv_str_of(wordings[i].now);
        size_t at = rdv_find(*text, now, 0);
        if (at == RDV_NOT_FOUND)
            continue;
        *text =
            rdv_str_printf(arena, "%.*s%s%.*s", RDV_FMT(rdv_slice(*text, 0, at)),
                           wordings[i].trained, RDV_FMT(rdv_slice(*text, at + now.len, text->len)));
        if (!text->p)
            return RDV_E_NOMEM;
    }
    return RDV_OK;
}

/* A conversation, with an open turn of the assistant if there is a text. *from: where the text
 * begins. */
static int turn_tokens(const rdv_lm *lm, const rdv_message *messages, size_t n, rdv_str text,
                       rdv_arena *arena, rdv_lm_job *out, size_t *from, rdv_error *err)
{
    uint32_t *tokens;
    rdv_lm_turn *all = RDV_NEW_ARRAY(arena, rdv_lm_turn, n + 1);
    if (!all)
        return rdv_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        all[i] = (rdv_lm_turn){rdv_str_of(rdv_role_name(messages[i].role)), messages[i].text};
        if (as_trained(lm, arena, &all[i].text) != RDV_OK)
            return rdv_no_memory(err);
    }
    all[n] = (rdv_lm_turn){RDV_STR("assistant"), text};
    int rc = rdv_lm_chat_tokens(lm, all, n, false, arena, &tokens, from, err);
    out->prompt = tokens;
    out->n_prompt = *from;
    if (rc != RDV_OK || !text.p)
        return rc;
    rc = rdv_lm_chat_tokens(lm, all, n + 1, true, arena, &tokens, &out->n_prompt, err);
    out->prompt = tokens;
    return rc;
}

/* A text alone, after the model's token for the beginning of a text. */
static int text_tokens(const rdv_lm *lm, rdv_str text, rdv_arena *arena, rdv_lm_job *out,
                       size_t *from, rdv_error *err)
{
    uint32_t *tokens;
    int rc = rdv_lm_tokens(lm, RDV_STR(""), true, arena, &tokens, from, err);
    if (rc == RDV_OK)
        rc = rdv_lm_tokens(lm, text, true, arena, &tokens, &out->n_prompt, err);
    out->prompt = tokens;
    return rc;
}

static int check_room(const rdv_lm_info *info, const rdv_lm_job *job, rdv_error *err)
{
    size_t n = job->n_prompt;
    if (n == 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "the prompt is empty");
    if (n > info->context || (n == info->context && job->max_tokens))
        return rdv_fail(err, RDV_E_LIMIT,
                        "the prompt has %zu tokens; with the reply the model takes %u", n,
                        info->context);
    return RDV_OK;
}

static uint64_t seed_of(const unsigned char key[32])
{
    uint64_t seed = 0;
    for (size_t i = 0; i < 8; i++)
        seed = seed << 8 | key[i];
    return seed;
}

/* All settings except the prompt, and the beginning of its scored part. */
static rdv_lm_job settings_of(const rdv_request *request, unsigned extras)
{
    const rdv_sampling *s = &request->sampling;
    bool scores = request->kind == RDV_REQUEST_SCORE;
    bool writes = !scores && !(extras & BACKEND_NO_REPLY);
    rdv_lm_job job = {.score = scores || extras & (BACKEND_TEXT_LOGPROBS | BACKEND_PROMPT_LOGPROBS),
                      .temperature = isnan(s->temperature) ? 1 : s->temperature,
                      .top_p = isnan(s->top_p) ? 1 : s->top_p,
                      .seed = seed_of(request->key),
                      .stop = s->stop,
                      .n_stop = s->n_stop,
                      .stream = extras & BACKEND_PIECES};
    if (writes)
        job.max_tokens = s->max_tokens ? s->max_tokens : RDV_LM_TO_THE_END;
    if (job.score || s->logprobs)
        job.top_logprobs = s->top_logprobs < RDV_LM_MAX_TOP ? s->top_logprobs : RDV_LM_MAX_TOP;
    return job;
}

int builtin_text_job(const rdv_lm *lm, const rdv_request *request, unsigned extras,
                     rdv_arena *arena, rdv_lm_job *out, rdv_error *err)
{
    rdv_lm_info info;
    rdv_str text = {0};
    size_t from = 0, n = request->n_messages;
    if (request->kind == RDV_REQUEST_REWARD)
        return builtin_steps_job(lm, request, arena, out, err);
    *out = settings_of(request, extras);
    rdv_lm_about(lm, &info);
    if (request->kind != RDV_REQUEST_CHAT)
        n = turns_before(request, &text);
    if (n && !info.chat) {
        (void)rdv_fail(err, RDV_NONE, "this model knows no turns, only texts");
        return RDV_NONE;
    }
    int rc = n ? turn_tokens(lm, request->messages, n, text, arena, out, &from, err)
               : text_tokens(lm, text, arena, out, &from, err);
    out->score_from = extras & BACKEND_PROMPT_LOGPROBS ? 0 : from;
    return rc == RDV_OK ? check_room(&info, out, err) : rc;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* The bytes of a token; bytes that are not valid UTF-8 become U+FFFD, as in JSON. */
static rdv_str word(const rdv_lm *lm, uint32_t token, rdv_arena *arena)
{
    rdv_str bytes = rdv_lm_piece(lm, token);
    if (!bytes.p)
        return RDV_STR("");
    if (rdv_utf8_valid(bytes) == bytes.len)
        return bytes; /* owned by the model, which outlives all events */
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0, len; i < bytes.len; i += len) {
        bool valid = rdv_utf8_len(bytes, i) != 0;
        rdv_utf8_at(bytes, i, &len);
        rdv_buf_add(&b, valid ? rdv_slice(bytes, i, i + len) : RDV_STR("\xef\xbf\xbd"));
    }
    return rdv_buf_str(&b);
}

static int add_token(const rdv_lm *lm, const rdv_lm_token *from, rdv_arena *arena, rdv_token *to,
                     uint32_t *ids)
{
    rdv_alternative *other = RDV_NEW_ARRAY(arena, rdv_alternative, from->n_top);
    *to = (rdv_token){word(lm, from->token, arena), from->logprob, other, from->n_top};
    ids[0] = from->token;
    if (!other || !to->text.p)
        return RDV_E_NOMEM;
    for (size_t k = 0; k < from->n_top; k++) {
        other[k] = (rdv_alternative){word(lm, from->top[k].token, arena), from->top[k].logprob};
        ids[1 + k] = from->top[k].token;
        if (!other[k].text.p)
            return RDV_E_NOMEM;
    }
    return RDV_OK;
}

static int add_tokens(const rdv_lm *lm, const rdv_lm_token *from, size_t n, rdv_arena *arena,
                      backend_tokens *out)
{
    *out = (backend_tokens){.stride = 1};
    for (size_t i = 0; i < n; i++)
        if (from[i].n_top + 1 > out->stride)
            out->stride = from[i].n_top + 1;
    uint32_t *ids = RDV_NEW_ARRAY(arena, uint32_t, n * out->stride);
    out->items = RDV_NEW_ARRAY(arena, rdv_token, n);
    out->ids = ids;
    if (!ids || !out->items)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        if (add_token(lm, &from[i], arena, &out->items[i], ids + i * out->stride) != RDV_OK)
            return RDV_E_NOMEM;
    out->n = n;
    return RDV_OK;
}

static bool copy(rdv_str from, rdv_arena *arena, rdv_str *out)
{
    *out = rdv_str_copy(arena, from);
    return out->p != NULL;
}

/* The reply to a score is its text, with the log-probabilities of its tokens. */
static int read_score(const rdv_request *request, rdv_arena *arena, backend_event *out)
{
    rdv_str text;
    turns_before(request, &text);
    out->reply.tokens = out->scored.n ? out->scored.items : NULL;
    out->reply.n_tokens = out->scored.n;
    out->reply.finish = RDV_FINISH_STOP;
    return copy(text, arena, &out->reply.text) ? RDV_OK : RDV_E_NOMEM;
}

int builtin_text_event(const rdv_lm *lm, const rdv_request *request, const rdv_lm_event *from,
                       rdv_arena *arena, backend_event *out)
{
    backend_tokens tokens = {0};
    rdv_reply *reply = &out->reply;
    bool scores = request->kind == RDV_REQUEST_SCORE;
    out->cached_tokens = from->cached_tokens;
    *reply =
        (rdv_reply){.finish = from->finish == RDV_LM_STOP ? RDV_FINISH_STOP : RDV_FINISH_LENGTH,
                    .usage = true,
                    .prompt_tokens = from->prompt_tokens,
                    .completion_tokens = from->completion_tokens};
    if (add_tokens(lm, from->scored, from->n_scored, arena, &out->scored) != RDV_OK)
        return RDV_E_NOMEM;
    if (scores)
        return read_score(request, arena, out);
    if (request->kind == RDV_REQUEST_REWARD)
        return builtin_steps_reply(request, from, arena, reply);
    if (request->sampling.logprobs && from->n_tokens &&
        add_tokens(lm, from->tokens, from->n_tokens, arena, &tokens) != RDV_OK)
        return RDV_E_NOMEM;
    reply->tokens = tokens.items;
    reply->n_tokens = tokens.n;
    return copy(from->text, arena, &reply->text) ? RDV_OK : RDV_E_NOMEM;
}
