/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Who answers what clients ask: the built-in model; in tests something that needs none. The
 * functions mean what those of run/builtin.h mean. */
#include "run/builtin.h"

typedef struct responder {
    int (*start)(void *self, const builtin_ask *ask, void *owner, builtin_job **job,
                 rdv_error *err);
    builtin_event *(*next)(void *self);
    void (*cancel)(void *self, builtin_job *job);
    void *self;
} responder;
