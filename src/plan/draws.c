/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/draws.h"

#include "base/str.h"

#include <math.h>

bool request_is_drawn(const rdv_request *request)
{
    bool text = request->kind == RDV_REQUEST_CHAT ||
                (request->kind == RDV_REQUEST_CONTINUE && !request->text.p);
    return text && request->sampling.temperature > 0 && request->sampling.max_tokens > 0;
}

static bool same_texts(const rdv_str *a, size_t n_a, const rdv_str *b, size_t n_b)
{
    bool same = n_a == n_b;
    for (size_t i = 0; same && i < n_a; i++)
        same = rdv_str_eq(a[i], b[i]);
    return same;
}

static bool same_messages(const rdv_request *a, const rdv_request *b)
{
    bool same = a->n_messages == b->n_messages;
    for (size_t i = 0; same && i < a->n_messages; i++)
        same = a->messages[i].role == b->messages[i].role &&
               rdv_str_eq(a->messages[i].text, b->messages[i].text);
    return same;
}

static bool same_double(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_sampling(const rdv_sampling *a, const rdv_sampling *b)
{
    return same_double(a->temperature, b->temperature) && same_double(a->top_p, b->top_p) &&
           a->max_tokens == b->max_tokens && same_texts(a->stop, a->n_stop, b->stop, b->n_stop) &&
           a->logprobs == b->logprobs && a->top_logprobs == b->top_logprobs;
}

bool request_same_but_sample(const rdv_request *a, const rdv_request *b)
{
    return a->kind == b->kind && a->party == b->party && rdv_str_eq(a->model, b->model) &&
           same_messages(a, b) && rdv_str_eq(a->text, b->text) &&
           same_texts(a->steps, a->n_steps, b->steps, b->n_steps) && a->prm == b->prm &&
           same_sampling(&a->sampling, &b->sampling) &&
           same_texts(a->answers, a->n_answers, b->answers, b->n_answers) &&
           a->reasoned == b->reasoned && a->bare == b->bare && a->offered == b->offered;
}
