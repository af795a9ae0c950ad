/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* --dry-run: an estimate of the requests that a command would send. */
#include "plan_source.h"

/* Read every record, make its plan with source->begin, and write the requests of all plans, by
 * stage, with their least and greatest number. source->run then holds how the run ended. */
void estimate_run(struct plan_source *source);
