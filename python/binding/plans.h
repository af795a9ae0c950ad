/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The plans of a command, carried out by its caller: what the run of rederive/run.h does with a
 * server, Python does with a client of its own. The command reads its records, makes their plans
 * and writes their results as it always does, on its thread, which stands still meanwhile. */
#include "binding/binding.h"
#include <rederive/model.h>
#include <rederive/plan.h>

typedef struct binding_plans binding_plans;

/* For a command that was not started, whose input is complete. It takes the command over. `open`:
 * plans that are open at a time, at least 1. NULL: out of memory, and the command is freed. */
binding_plans *binding_plans_new(binding_command *command, size_t open);
/* Start the command and wait until it has read its options. RDV_OK: the plans are there; RDV_NONE:
 * the command has ended, its messages say why; RDV_E_NOMEM. */
int binding_plans_begin(binding_plans *plans);
/* The next request that is ready, and the number of its plan, from 0. What it points to is valid
 * until it is answered. RDV_NONE: none is ready. Faults: those of the command. */
int binding_plans_next(binding_plans *plans, uint64_t *plan, rdv_request *request, rdv_error *err);
/* Answer a request. RDV_NONE: its plan needs no reply to it any more. */
int binding_plans_reply(binding_plans *plans, uint64_t plan, uint64_t id, const rdv_reply *reply,
                        rdv_error *err);
int binding_plans_fail(binding_plans *plans, uint64_t plan, uint64_t id, rdv_failure failure,
                       const char *why, size_t n, rdv_error *err);
/* A request of that plan that was handed out and is no longer needed. RDV_NONE: no further one. */
int binding_plans_cancelled(binding_plans *plans, uint64_t plan, uint64_t *id);
/* Hand back the plans that are done, after their cancelled requests were asked for. Faults: those
 * of the command. */
int binding_plans_settle(binding_plans *plans, rdv_error *err);
/* Close all open plans, with `failure` as the reason for what they lack, and take no further. */
int binding_plans_close(binding_plans *plans, rdv_failure failure, rdv_error *err);
/* Whether nothing is left to ask. */
bool binding_plans_done(const binding_plans *plans);
/* Let the command go on to its end, and wait for it. May be called again. */
void binding_plans_end(binding_plans *plans);
/* The command, for its lines, messages and status. */
binding_command *binding_plans_command(binding_plans *plans);
/* End and release it and the command. NULL is accepted. */
void binding_plans_free(binding_plans *plans);

/* ---- requests and replies on the wire -------------------------------------------------------- */

/* A request in the form of OpenAI's API. */
typedef struct binding_wire binding_wire;

/* abilities: of the server, as far as known. *out: released with binding_wire_free(). RDV_NONE: the
 * server does not support such a request, err says why. */
int binding_wire_new(const rdv_request *request, const rdv_abilities *abilities, binding_wire **out,
                     rdv_error *err);
void binding_wire_free(binding_wire *wire);
/* "/chat/completions": a static string. */
const char *binding_wire_path(const binding_wire *wire);
rdv_str binding_wire_body(const binding_wire *wire);
/* Read the body of a complete response. *reply: valid until the next call for this wire. RDV_NONE:
 * it lacks the log-probabilities that were asked for, which *abilities remembers. */
int binding_wire_reply(binding_wire *wire, const rdv_request *request, const char *body, size_t n,
                       rdv_abilities *abilities, rdv_reply *reply, rdv_error *err);
/* Read the body of a refusal with that HTTP status. RDV_OK: the request can be asked in another
 * form, which *abilities remembers; RDV_NONE: it cannot, err says what the server says; or
 * RDV_E_NOMEM. */
int binding_wire_refused(binding_wire *wire, int status, const char *body, size_t n,
                         rdv_abilities *abilities, rdv_error *err);
