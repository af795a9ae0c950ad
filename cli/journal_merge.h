/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive journal merge: the journals of several workers as one. */
#include "settings.h"

#include <rederive/base.h>

/* Merge the journals or exports in->items[2] and after into a new journal in->items[1], which
 * appears when it is complete, and print the counts. Faults: RDV_E_ARGUMENT, RDV_E_IO, RDV_E_INPUT,
 * RDV_E_NOMEM. */
int journal_merge(const struct settings *settings, rdv_error *err);
