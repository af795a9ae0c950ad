/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/request.h"

#include <nettle/sha2.h>

#include <string.h>

#define KEY_VERSION 1 /* incremented when the hashed content changes */

const char *rdv_request_kind_name(rdv_request_kind is)
{
    static const char *const names[] = {"chat", "continue", "score", "reward"};
    return names[is];
}

const char *rdv_role_name(rdv_role role)
{
    static const char *const names[] = {"system", "user", "assistant"};
    return names[role];
}

const char *rdv_prm_form_name(rdv_prm_form form)
{
    static const char *const names[] = {"qwen", "shepherd", "values"};
    return names[form];
}

const char *rdv_failure_name(rdv_failure failure)
{
    static const char *const names[] = {"refused",     "unreachable", "unreadable", "timed out",
                                        "over budget", "unavailable", "cancelled",  "missing"};
    return names[failure];
}

static void add_number(struct sha256_ctx *h, uint64_t x)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(x >> (8 * i));
    sha256_update(h, sizeof bytes, bytes);
}

/* NaN has many bit patterns; all mean "not given". */
static void add_double(struct sha256_ctx *h, double x)
{
    uint64_t bits = UINT64_MAX;
    if (x == x)
        memcpy(&bits, &x, sizeof bits);
    add_number(h, bits);
}

static void add_text(struct sha256_ctx *h, rdv_str s)
{
    add_number(h, s.p ? s.len : UINT64_MAX);
    if (s.len)
        sha256_update(h, s.len, (const uint8_t *)s.p);
}

static void add_texts(struct sha256_ctx *h, const rdv_str *s, size_t n)
{
    add_number(h, n);
    for (size_t i = 0; i < n; i++)
        add_text(h, s[i]);
}

void request_key(rdv_request *request)
{
    struct sha256_ctx h;
    const rdv_sampling *s = &request->sampling;
    sha256_init(&h);
    add_number(&h, KEY_VERSION);
    add_number(&h, request->kind);
    add_text(&h, request->model);
    add_number(&h, request->n_messages);
    for (size_t i = 0; i < request->n_messages; i++) {
        add_number(&h, request->messages[i].role);
        add_text(&h, request->messages[i].text);
    }
    add_text(&h, request->text);
    add_texts(&h, request->steps, request->n_steps);
    if (request->kind == RDV_REQUEST_REWARD)
        add_number(&h, request->prm);
    add_double(&h, s->temperature);
    add_double(&h, s->top_p);
    add_number(&h, s->max_tokens);
    add_texts(&h, s->stop, s->n_stop);
    add_number(&h, s->logprobs);
    add_number(&h, s->top_logprobs);
    if (request->n_answers &&
        !request->offered) { /* so that keys of requests without them are unchanged */
        add_texts(&h, request->answers, request->n_answers);
        add_number(&h, request->bare ? 2 : request->reasoned);
    }
    add_text(&h, request->sample);
    sha256_digest(&h, sizeof request->key, request->key);
}
