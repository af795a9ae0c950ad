/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The file with the operator's rules for replies: {"default": {...}} (docs/serve.md). */
#include "judge/rule.h"

#define POLICY_MOST ((size_t)1 << 20) /* bytes of the file */

/* Read the file's text. *rule: the rule "default"; untouched on failure. Faults: RDV_E_INPUT, err
 * says what to mend; RDV_E_NOMEM. */
int policy_read(rdv_str text, judge_rule *rule, rdv_error *err);
