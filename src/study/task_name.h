/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What task a chain is of, where figures or locations go by task. */
#include <rederive/data.h>

/* The record's own "task"; else the task that the question's form is of; else what stands before
 * the first slash of its id (its file's name, where the source has no ids). p == NULL: not known.
 * In `arena`, borrowed from the chain, or static. RDV_E_NOMEM. */
int task_name(const rdv_chain *chain, rdv_arena *arena, rdv_str *out);
