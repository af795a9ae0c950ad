/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The verdicts of a check, as views and reports count and show them. */
#include <rederive/chain.h>

/* The index of a verdict in counts: support 0, unrelated 1, contradict 2, unknown 3. */
size_t rdv_verdict_index(rdv_verdict_kind kind);
/* The verdict of `check` (may be NULL) on a step, or NULL. Steps are asked for in rising order, and
 * *next, 0 at first, continues from the last verdict that was found; verdicts that are not in the
 * order of the steps are not found. */
const rdv_verdict *rdv_verdict_on(const rdv_check *check, size_t step, size_t *next);
/* Whether the check decided nothing: no step is supported, contradicted or unknown. Such a chain
 * must not look like one whose steps were found right. */
bool rdv_nothing_decided(const rdv_check *check);
