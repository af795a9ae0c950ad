/* SPDX-License-Identifier: Apache-2.0 */
/* Calls to the built-in model: as those to a server, without a wire. */
#include "base/str.h"
#include "run/builtin.h"
#include "run/driver.h"
#include "run/run.h"

#include <stdio.h>

#define TAKEN_AT_ONCE 100
#define SWEEP_MS 100 /* how often calls that take too long are looked for */

/* ---- starting -------------------------------------------------------------------------------- */

static size_t bytes_of(const rdv_request *request)
{
    size_t bytes = request->text.len;
    for (size_t i = 0; i < request->n_messages; i++)
        bytes += request->messages[i].text.len;
    return bytes;
}

static void tell_untrained(rdv_run *run, const call *c)
{
    const rdv_request *request = &c->waiters->request;
    if (!run->options.untrained || run->told_untrained || !request->prompt.p ||
        rdv_builtin_trained_on(c->server->file, request->prompt))
        return;
    run->told_untrained = true;
    run->options.untrained(run->options.payload, request);
}

int builtin_call_start(rdv_run *run, call *c, rdv_error *err)
{
    const rdv_request *request = &c->waiters->request;
    builtin_ask ask;
    int rc = builtin_ask_of(request, &ask, err);
    if (rc == RDV_OK)
        rc = builtin_start(c->server->builtin, &ask, c, &c->job, err);
    if (rc != RDV_OK)
        return rc;
    tell_untrained(run, c);
    c->state = CALL_OUT;
    c->started = run_now(run);
    c->expected = limit_start(&c->server->host->limit, bytes_of(request), c->started);
    account_charge_call(&run->account);
    run->totals.in_flight++;
    return RDV_OK;
}

void builtin_call_abort(rdv_run *run, call *c)
{
    (void)run;
    builtin_cancel(c->server->builtin, c->job);
    c->job = NULL;
}

/* ---- what came ------------------------------------------------------------------------------- */

static int failed(rdv_run *run, call *c, rdv_failure failure, const char *why, rdv_error *err)
{
    limit_end(&c->server->host->limit, c->expected);
    return call_fail(run, c, failure, rdv_str_of(why), err);
}

static int take_event(rdv_run *run, builtin_event *event, rdv_error *err)
{
    call *c = event->owner;
    c->job = NULL;
    c->state = CALL_HELD;
    c->event = event;
    run->totals.in_flight--;
    c->server->host->responses++;
    if (event->is == BUILTIN_FAILED)
        return failed(run, c, event->failure, event->why, err);
    if (builtin_reply(event, &c->waiters->request, &c->reply) != RDV_OK)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory reading a reply");
    return outcome_answered(run, c, err);
}

static int expire(rdv_run *run, call *c, rdv_error *err)
{
    char why[64];
    snprintf(why, sizeof why, "no reply within %g s", run->options.timeout_ms / 1000.0);
    builtin_call_abort(run, c);
    c->state = CALL_HELD;
    run->totals.in_flight--;
    return failed(run, c, RDV_FAIL_TIMEOUT, why, err);
}

/* What is told of one call may take others away: after each the search begins anew. */
static int expire_all(rdv_run *run, rdv_error *err)
{
    uint64_t now = run_now(run);
    int rc = RDV_OK;
    if (now - run->swept_ms < SWEEP_MS)
        return RDV_OK;
    run->swept_ms = now;
    for (call *c = calls_each(&run->calls, NULL); rc == RDV_OK && c;) {
        bool late = c->state == CALL_OUT && c->job && now - c->started >= run->options.timeout_ms;
        if (late)
            rc = expire(run, c, err);
        c = calls_each(&run->calls, late ? NULL : c);
    }
    return rc;
}

int builtin_take_in(rdv_run *run, bool *busy, rdv_error *err)
{
    int rc = RDV_OK;
    for (size_t i = 0; rc == RDV_OK && i < run->n_builtins; i++) {
        builtin_event *event = NULL;
        size_t n = 0;
        for (; rc == RDV_OK && n < TAKEN_AT_ONCE && (event = builtin_next(run->builtins[i])); n++)
            rc = take_event(run, event, err);
        *busy |= n == TAKEN_AT_ONCE;
    }
    return rc == RDV_OK ? expire_all(run, err) : rc;
}
