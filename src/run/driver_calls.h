/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the parts of the driver do to single calls (driver_calls.c), and with those that got no
 * reply (driver_faults.c). */
#include "run/driver.h"

/* A call that waited to be retried no longer does; whether it kept its place meanwhile. */
bool call_leave_place(call *c);
/* Put the call into a queue of its pool, as the first or the last. */
void call_enqueue(call *c, bool first);
/* Take the requests that a job source no longer needs. */
void driver_take_cancelled(rdv_run *run, open_plan *p);
/* Drop a call; its waiters are closed when none of their requests is in flight. */
void driver_drop(rdv_run *run, call *c);
/* Queue a call that got no choice of another's reply; drop it if the run has ended. */
void driver_ask_alone(rdv_run *run, call *c);
/* Those that joined the call are asked alone. */
void driver_leave_alone(rdv_run *run, call *c);
/* A call that others joined got no reply: they stay with it if it only is to be sent again, and are
 * asked alone otherwise. True: so is the call itself. */
bool driver_part(rdv_run *run, call *c, const backend_event *event);
/* Leave a call for a later run. Its waiters still hand out what does not depend on it. */
int driver_defer(rdv_run *run, call *c);
/* Count a request that got a reply, or none because of `failure`. */
void driver_count_told(rdv_run *run, bool reply, rdv_failure failure);
/* The reply as it is to be read: one without a finish_reason counts as whole only if the run trusts
 * it. The journal keeps what came. */
rdv_reply driver_trusted(const rdv_run *run, const rdv_reply *reply);
/* Notify all waiters, and free the call. reply == NULL: there is none, because of `failure` and
 * `why`. */
int driver_tell(rdv_run *run, call *c, const rdv_reply *reply, rdv_failure failure, rdv_str why,
                rdv_error *err);
int driver_fail(rdv_run *run, call *c, rdv_failure failure, const char *why, rdv_error *err);

/* The same request is to be sent in another form. */
int driver_ask_again(rdv_run *run, call *c);
/* The call may succeed later, or at another server. */
int driver_try_later(rdv_run *run, call *c, const backend_event *event, rdv_error *err);
/* The call is not worth another try at its server. */
int driver_take_failure(rdv_run *run, call *c, const backend_event *event, rdv_error *err);
