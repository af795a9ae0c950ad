/* SPDX-License-Identifier: Apache-2.0 */
#include "scripted.h"
#include "base/arena.h"
#include "base/str.h"
#include "run/clock.h"
#include "run/retry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_MS 1000000

struct http {
    network *network;
};

static network *in_use;

void network_use(network *n)
{
    in_use = n;
}

uint64_t clock_ms_since_1970(void)
{
    return in_use->now;
}

/* ---- sending --------------------------------------------------------------------------------- */

int http_start(http *h, http_exchange *x, rdv_error *err)
{
    network *n = h->network;
    response with = {.status = 404};
    if (n->n_flights == NETWORK_CALLS || n->n_calls == NETWORK_CALLS)
        return rdv_fail(err, RDV_E_LIMIT, "the script has too many calls");
    if (x->body.p) {
        n->at[n->n_calls] = n->now;
        with = n->respond(n->of, n->n_calls++, x);
        n->n_out++;
        n->most_out = n->n_out > n->most_out ? n->n_out : n->most_out;
    } else if (n->about) {
        with = n->about(n->of, x);
    }
    n->out[n->n_flights] = x;
    n->with[n->n_flights] = with;
    n->due[n->n_flights++] = n->now + with.takes_ms;
    x->by = h;
    x->status = 0;
    x->len = 0;
    x->why[0] = '\0';
    x->out_of_memory = false;
    x->retry_after_ms = RETRY_NOT_GIVEN;
    return RDV_OK;
}

static void take_out(network *n, size_t i)
{
    n->n_out -= n->out[i]->body.p != NULL;
    n->n_flights--;
    for (; i < n->n_flights; i++) {
        n->out[i] = n->out[i + 1];
        n->with[i] = n->with[i + 1];
        n->due[i] = n->due[i + 1];
    }
}

void http_abort(http *h, http_exchange *x)
{
    network *n = h->network;
    size_t i = 0;
    while (i < n->n_flights && n->out[i] != x)
        i++;
    if (i < n->n_flights)
        take_out(n, i);
    else
        http_queue_remove(x->done, x);
    http_exchange_release(x);
}

/* ---- responses ------------------------------------------------------------------------------- */

static void set_body(http_exchange *x, const response *with)
{
    static const char form[] = "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
                               "\"content\":\"%s\"},\"finish_reason\":\"stop\"}],"
                               "\"usage\":{\"prompt_tokens\":50,\"completion_tokens\":7}}";
    http_exchange_release(x);
    if (!with->text && !with->body)
        return; /* as in http.c, what is empty has no storage */
    int len = asprintf(&x->data, with->text ? form : "%s", with->text ? with->text : with->body);
    if (len < 0)
        abort();
    x->len = x->cap = (size_t)len;
}

static void complete(network *n, size_t i)
{
    http_exchange *x = n->out[i];
    response with = n->with[i];
    take_out(n, i);
    x->end = with.end;
    if (with.end == HTTP_DONE) {
        x->status = with.status ? with.status : 200;
        set_body(x, &with);
    } else {
        snprintf(x->why, sizeof x->why, "%s", with.body ? with.body : "no connection");
    }
    if (with.retry_after)
        x->retry_after_ms = retry_after_ms(with.retry_after, (int64_t)(n->now / 1000));
    *x->heard = START_MS + n->now;
    http_queue_push(x->done, x);
}

http_exchange *http_next(http *h, http_queue *q)
{
    (void)h;
    return http_queue_pop(q);
}

bool http_exchange_may_pass(const http_exchange *x)
{
    return x->end != HTTP_DONE || x->status == 429 || (x->status >= 502 && x->status <= 504);
}

void http_exchange_release(http_exchange *x)
{
    free(x->data);
    x->data = NULL;
    x->len = x->cap = 0;
}

/* ---- time ------------------------------------------------------------------------------------ */

/* The index of what comes first; n_flights: nothing does. */
static size_t first_due(const network *n)
{
    size_t first = n->n_flights;
    for (size_t i = 0; i < n->n_flights; i++)
        if (first == n->n_flights || n->due[i] < n->due[first])
            first = i;
    return first;
}

void http_wait(http *h, uint64_t ms)
{
    network *n = h->network;
    uint64_t until = n->now + ms;
    size_t i = first_due(n);
    if (i < n->n_flights && n->due[i] < until)
        until = n->due[i] > n->now ? n->due[i] : n->now;
    n->now = until;
    while ((i = first_due(n)) < n->n_flights && n->due[i] <= n->now)
        complete(n, i);
}

void http_wake(http *h)
{
    (void)h;
}

uint64_t http_now(const http *h)
{
    return START_MS + h->network->now;
}

int http_new(http **out, const http_options *options, rdv_error *err)
{
    in_use->connections = options->connections;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return rdv_no_memory(err);
    (*out)->network = in_use;
    return RDV_OK;
}

void http_free(http **handle)
{
    http *h = handle ? *handle : NULL;
    if (!h)
        return;
    while (h->network->n_flights)
        http_abort(h, h->network->out[0]);
    free(h);
    *handle = NULL;
}
