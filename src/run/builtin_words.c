/* SPDX-License-Identifier: Apache-2.0 */
#include "run/builtin_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"
#include "model/turns.h"

#include <math.h>
#include <string.h>

/* ---- what is asked --------------------------------------------------------------------------- */

int words_copy_ask(const builtin_ask *ask, rdv_arena *arena, builtin_ask *out)
{
    rdv_message *messages = RDV_NEW_ARRAY(arena, rdv_message, ask->n_messages);
    rdv_str *stops = RDV_NEW_ARRAY(arena, rdv_str, ask->sampling.n_stop);
    *out = *ask;
    out->messages = messages;
    out->sampling.stop = stops;
    if (!messages || !stops)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < ask->n_messages; i++) {
        messages[i] =
            (rdv_message){ask->messages[i].role, rdv_str_copy(arena, ask->messages[i].text)};
        if (!messages[i].text.p)
            return RDV_E_NOMEM;
    }
    for (size_t i = 0; i < ask->sampling.n_stop; i++) {
        stops[i] = rdv_str_copy(arena, ask->sampling.stop[i]);
        if (!stops[i].p)
            return RDV_E_NOMEM;
    }
    if (!ask->text.p)
        return RDV_OK;
    out->text = rdv_str_copy(arena, ask->text);
    return out->text.p ? RDV_OK : RDV_E_NOMEM;
}

/* A conversation, with an open turn of the assistant's where there is a text. *from: where that
 * begins. */
static int turn_tokens(const rdv_lm *lm, const builtin_ask *ask, rdv_arena *arena, rdv_lm_job *out,
                       size_t *from, rdv_error *err)
{
    size_t n = ask->n_messages;
    uint32_t *tokens;
    rdv_lm_turn *said = RDV_NEW_ARRAY(arena, rdv_lm_turn, n + 1);
    if (!said)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        said[i] =
            (rdv_lm_turn){rdv_str_of(rdv_role_name(ask->messages[i].role)), ask->messages[i].text};
    said[n] = (rdv_lm_turn){RDV_STR("assistant"), ask->text};
    int rc = rdv_lm_chat_tokens(lm, said, n, false, arena, &tokens, from, err);
    out->prompt = tokens;
    out->n_prompt = *from;
    if (rc != RDV_OK || !ask->text.p)
        return rc;
    rc = rdv_lm_chat_tokens(lm, said, n + 1, true, arena, &tokens, &out->n_prompt, err);
    out->prompt = tokens;
    return rc;
}

/* A text alone, after the token that the model's texts begin with. */
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

static int check_room(const rdv_lm *lm, const builtin_ask *ask, size_t n, rdv_error *err)
{
    rdv_lm_info info;
    rdv_lm_about(lm, &info);
    if (n == 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "the prompt is empty");
    if (n > info.context || (n == info.context && ask->generate))
        return rdv_fail(err, RDV_E_LIMIT,
                        "the prompt has %zu tokens; with the reply the model takes %u", n,
                        info.context);
    return RDV_OK;
}

static uint32_t longest(const builtin_ask *ask)
{
    if (!ask->generate)
        return 0;
    return ask->sampling.max_tokens ? ask->sampling.max_tokens : RDV_LM_TO_THE_END;
}

int words_of_ask(const rdv_lm *lm, const builtin_ask *ask, rdv_arena *arena, rdv_lm_job *out,
                 rdv_error *err)
{
    const rdv_sampling *s = &ask->sampling;
    rdv_lm_info info;
    size_t from = 0;
    *out = (rdv_lm_job){0};
    rdv_lm_about(lm, &info);
    if (ask->n_messages && !info.chat) {
        (void)rdv_fail(err, RDV_NONE, "this model knows no turns, only texts");
        return RDV_NONE;
    }
    int rc = ask->n_messages ? turn_tokens(lm, ask, arena, out, &from, err)
                             : text_tokens(lm, ask->text, arena, out, &from, err);
    if (rc == RDV_OK)
        rc = check_room(lm, ask, out->n_prompt, err);
    out->score = ask->score || ask->score_all;
    out->score_from = ask->score_all ? 0 : from;
    out->max_tokens = longest(ask);
    out->temperature = isnan(s->temperature) ? 1 : s->temperature;
    out->top_p = isnan(s->top_p) ? 1 : s->top_p;
    out->seed = ask->seed;
    out->stop = s->stop;
    out->n_stop = s->n_stop;
    out->top_logprobs = s->top_logprobs;
    out->stream = ask->stream;
    return rc;
}

/* ---- what came ------------------------------------------------------------------------------- */

/* The bytes of a token; what is not UTF-8 by itself becomes U+FFFD, as it would in JSON. */
static rdv_str word(const rdv_lm *lm, uint32_t token, rdv_arena *arena)
{
    rdv_str bytes = rdv_lm_piece(lm, token);
    if (!bytes.p)
        return RDV_STR("");
    if (rdv_utf8_valid(bytes) == bytes.len)
        return bytes; /* the model's, which outlives all events */
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

static int words_of(const rdv_lm *lm, const rdv_lm_token *from, size_t n, rdv_arena *arena,
                    builtin_tokens *out)
{
    *out = (builtin_tokens){.stride = 1};
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

int words_of_event(const rdv_lm *lm, const rdv_lm_event *news, rdv_arena *arena, builtin_event *out)
{
    out->text = rdv_str_copy(arena, news->text);
    out->finish = news->finish == RDV_LM_STOP ? RDV_FINISH_STOP : RDV_FINISH_LENGTH;
    out->prompt_tokens = news->prompt_tokens;
    out->cached_tokens = news->cached_tokens;
    out->completion_tokens = news->completion_tokens;
    if (news->stopped_by.p)
        out->stopped_by = rdv_str_copy(arena, news->stopped_by);
    if (!out->text.p || (news->stopped_by.p && !out->stopped_by.p) ||
        words_of(lm, news->tokens, news->n_tokens, arena, &out->tokens) != RDV_OK)
        return RDV_E_NOMEM;
    return words_of(lm, news->scored, news->n_scored, arena, &out->scored);
}

/* ---- requests of plans ----------------------------------------------------------------------- */

static uint64_t seed_of(const unsigned char key[32])
{
    uint64_t seed = 0;
    for (size_t i = 0; i < 8; i++)
        seed = seed << 8 | key[i];
    return seed;
}

int builtin_ask_of(const rdv_request *request, builtin_ask *out, rdv_error *err)
{
    bool score = request->is == RDV_ASK_SCORE;
    *out = (builtin_ask){.messages = request->messages,
                         .n_messages = request->n_messages,
                         .score = score,
                         .generate = !score,
                         .sampling = request->sampling,
                         .seed = seed_of(request->key)};
    if (!score && !request->sampling.logprobs)
        out->sampling.top_logprobs = 0;
    if (out->sampling.top_logprobs > RDV_LM_MAX_TOP)
        out->sampling.top_logprobs = RDV_LM_MAX_TOP;
    if (request->is == RDV_ASK_REWARD) {
        (void)rdv_fail(err, RDV_NONE, "the built-in model gives no rewards");
        return RDV_NONE;
    }
    if (request->is != RDV_ASK_CHAT)
        out->n_messages = turns_before(request, &out->text);
    return RDV_OK;
}

int builtin_reply(const builtin_event *event, const rdv_request *request, rdv_reply *out)
{
    bool score = request->is == RDV_ASK_SCORE;
    bool wanted = score || request->sampling.logprobs;
    const builtin_tokens *tokens = score ? &event->scored : &event->tokens;
    *out = (rdv_reply){.text = event->text,
                       .finish = event->finish,
                       .usage = true,
                       .prompt_tokens = event->prompt_tokens,
                       .completion_tokens = event->completion_tokens};
    if (wanted && tokens->n) {
        out->tokens = tokens->items;
        out->n_tokens = tokens->n;
    }
    if (!score)
        return RDV_OK;
    rdv_str scored;
    turns_before(request, &scored);
    out->text = rdv_str_copy(event->arena, scored);
    out->finish = RDV_FINISH_STOP;
    return out->text.p ? RDV_OK : RDV_E_NOMEM;
}
