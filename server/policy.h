/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The file with the operator's rules: {"default": {...}, "keys": {"NAME": {...}}} (docs/serve.md).
 */
#include "server/access.h"

#define POLICY_MOST ((size_t)1 << 20) /* bytes of the file */

/* Read the file's text: the rule of everybody, and those of single keys, which *a has already; what
 * the rule of a key does not say is as in the default. On failure *a must not be used. Faults:
 * RDV_E_INPUT, err says what to mend; RDV_E_NOMEM. */
int policy_read(rdv_str text, access_list *a, rdv_error *err);
