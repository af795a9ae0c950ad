/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Rewards of steps over HTTP: the layout of a solution for a process reward model, and the place of
 * its numbers in the response. docs/reward-models.md lists the servers and models. */
#include "base/buf.h"
#include "model/parse.h"
#include "model/wire.h"

/* As wire_write() and wire_read(), for requests of RDV_REQUEST_REWARD. A reply has a reward for
 * each number in the response, which may be more or fewer than the steps; NaN for a number without
 * a meaning. */
int reward_write(const rdv_request *request, rdv_str name, rdv_arena *arena, wire *out,
                 rdv_error *err);
int reward_read(const wire *w, const rdv_request *request, const json_t *root, rdv_arena *arena,
                rdv_reply *out, rdv_error *err);
