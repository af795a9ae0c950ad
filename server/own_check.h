/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* /rederive/check by a method that asks a model, which the headers rederive-method and
 * rederive-model name, within the rule of who asks. */
#include "judge/records.h"
#include "server/check_cost.h"
#include "server/http_request.h"
#include "server/model_check.h"
#include "server/relay.h"

/* Zero-initialise. */
typedef struct own_check {
    model_check *check; /* NULL: no model is asked */
    check_cost cost;
    struct loop_threads *threads;
    const rdv_method *method;
    rdv_str checker; /* the model's name at its servers */
} own_check;

/* Begin where a model is to be asked about the records of that text. False: *e is the error. */
bool own_check_begin(own_check *c, const relay_ctx *ctx, access_holder *holder,
                     const http_request *request, rdv_str text, api_error *e);
/* On a thread of its own: as judge_records(). RDV_E_IO: the model cannot be asked. */
int own_check_run(own_check *c, rdv_str text, rdv_arena *arena, rdv_buf *out, rdv_error *err);
/* Count what was used; idle: false: it may still run. */
void own_check_settle(own_check *c, bool idle, usage_time now);
