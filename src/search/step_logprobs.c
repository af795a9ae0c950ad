/* SPDX-License-Identifier: Apache-2.0 */
#include "search/step_logprobs.h"

#include "base/arena.h"
#include "base/str.h"
#include "method/method.h"

static bool goes_by_perplexity(const method_entry *entry)
{
    return entry->table && entry->table->conclude == CONCLUDE_PERPLEXITY;
}

bool step_logprobs_wanted(const rdv_plan_options *o)
{
    bool weighed = o->check->verifiers.verifiers & 1u << RDV_VERIFIER_PERPLEXITY;
    bool wants = false;
    for (size_t i = 0; i < o->n_methods; i++) {
        const method_entry *entry = method_entry_of(o->methods[i]);
        wants |= goes_by_perplexity(entry) || (weighed && entry->combine);
    }
    return wants;
}

/* True if the tokens make up the text and all steps are slices of it. In a reply that was changed
 * while it was read, positions are unknown. */
static bool fit_together(const rdv_reply *reply, rdv_str text, const rdv_str *steps, size_t n)
{
    size_t len = 0, at = 0;
    for (size_t i = 0; i < reply->n_tokens; i++)
        len += reply->tokens[i].text.len;
    if (!len || len != text.len)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (steps[i].p < text.p + at || steps[i].p + steps[i].len > text.p + text.len)
            return false;
        at = (size_t)(steps[i].p - text.p) + steps[i].len;
    }
    return true;
}

/* The offset of the first non-blank byte of the token that begins at byte `at`. */
static size_t first_byte(const rdv_token *token, size_t at)
{
    size_t blank = 0;
    while (blank < token->text.len && rdv_is_space(token->text.p[blank]))
        blank++;
    return at + blank;
}

int step_logprobs(const rdv_reply *reply, rdv_str text, const rdv_str *steps, size_t n,
                  rdv_arena *arena, rdv_logprobs **out)
{
    *out = NULL;
    if (!fit_together(reply, text, steps, n))
        return RDV_OK;
    rdv_logprobs *all = RDV_NEW_ARRAY(arena, rdv_logprobs, n);
    double *room = RDV_NEW_ARRAY(arena, double, reply->n_tokens);
    if (!all || !room)
        return RDV_E_NOMEM;
    size_t step = 0, at = 0;
    for (size_t i = 0; i < reply->n_tokens; i++) {
        size_t byte = first_byte(&reply->tokens[i], at);
        at += reply->tokens[i].text.len;
        while (step < n && byte >= (size_t)(steps[step].p - text.p) + steps[step].len)
            step++;
        if (step == n || byte < (size_t)(steps[step].p - text.p))
            continue;
        if (!all[step].n)
            all[step].token = room + i;
        all[step].token[all[step].n++] = reply->tokens[i].logprob;
    }
    *out = all;
    return RDV_OK;
}

int step_logprobs_of_line(const rdv_reply *reply, rdv_str line, rdv_arena *arena, rdv_logprobs *out)
{
    rdv_logprobs *of_line;
    if (step_logprobs(reply, reply->text, &line, 1, arena, &of_line) < 0)
        return RDV_E_NOMEM;
    *out = of_line ? *of_line : (rdv_logprobs){RDV_NEW_ARRAY(arena, double, reply->n_tokens), 0};
    if (of_line || !out->token)
        return of_line ? RDV_OK : RDV_E_NOMEM;
    for (size_t i = 0; i < reply->n_tokens; i++)
        out->token[out->n++] = reply->tokens[i].logprob;
    return RDV_OK;
}
