/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The task of a chain, for figures or locations by task. */
#include <rederive/data.h>

/* The record's own "task"; otherwise the task that the question's form shows; otherwise the part of
 * its id before the first slash (the name of its file, if the source has no ids). p == NULL: not
 * known. In `arena`, borrowed from the chain, or static. RDV_E_NOMEM. */
int task_name(const rdv_chain *chain, rdv_arena *arena, rdv_str *out);
