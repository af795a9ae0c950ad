/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The findings of a method as a label (BIG-Bench Mistake, 2.1.2: automatic annotation). */
#include <rederive/chain.h>

/* How many steps, from the first on, were decided not to be wrong. */
size_t decided_steps(const rdv_check *check);
/* Does the method of the check read all that a task's steps say? Its support then means that the
 * whole step is right. */
bool decided_reads_in_full(const rdv_check *check);

/* The label that the check of `chain` has decided: its first error, known only where every earlier
 * step was decided, or "no mistake", where every step was and the chain was not cut off. A step is
 * decided by "support"; where the method reads a task's steps in full, also by "unrelated", which
 * then means that the step states nothing that could be wrong. All else is unknown: nothing that is
 * undecided or unread counts as support. The verdicts stand in the order of the steps. */
rdv_label decided_label(const rdv_check *check, const rdv_chain *chain);
