/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Verdicts without the texts and lists of their evidence, for those who only count: most of a
 * checked record is evidence. */
#include <rederive/base.h>

/* The well-formed JSON `text`, in which each object that is the value of a member "evidence" keeps
 * its numbers only. *out: `text` itself where it has no such object, else in `arena`. RDV_OK or
 * RDV_E_NOMEM. */
int rdv_evidence_numbers(rdv_str text, rdv_arena *arena, rdv_str *out);
