/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* --dry-run: what a command would ask. */
#include "plan_source.h"

/* Read every record, make its plan with source->begin, and write what all plans would ask, by
 * stage, and what they ask at least and at most; source->run then knows how it ended. */
void estimate_run(struct plan_source *source);
