/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Findings as a log of SARIF 2.1.0 (OASIS, https://docs.oasis-open.org/sarif/sarif/v2.1.0/), which
 * GitHub's code scanning and the viewers of editors read: sarif_begin(), then each finding, whose
 * first has its comma taken off, then sarif_end(). */
#include "base/buf.h"
#include "report/list/finding.h"

void sarif_begin(rdv_buf *b);
/* A result, with ",\n" before it. */
void sarif_put(const finding *f, rdv_buf *b);
/* The end of the results, and the tool: its version and the rules that the results name. */
void sarif_end(const rdv_rule_ids *rules, const char *version, rdv_buf *b);
