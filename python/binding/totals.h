/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How far the run of a command is. */
#include "binding/binding.h"
#include <rederive/run.h>

typedef struct binding_totals binding_totals;

/* For a command that was not started, which owns them. NULL: out of memory. */
binding_totals *binding_totals_new(binding_command *command);
/* The latest totals; zeros before the first. From any thread. */
void binding_totals_now(binding_totals *totals, rdv_run_totals *out);
