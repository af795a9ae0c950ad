/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Conclusions as the papers read them: the profile RDV_PAPER of the readers in reply.h, applied to
 * the reply without its thinking. RDV_OK, or RDV_NONE with *out untouched. */
#include <rederive/plan.h>

int paper_comparison(rdv_str reply, rdv_verdict_kind *out);
int paper_conclusion(rdv_str reply, rdv_verdict_kind *out);
int paper_yes_no(rdv_str reply, rdv_verdict_kind *out);
int paper_relevance(rdv_str reply, rdv_verdict_kind *out);
int paper_consistency(rdv_str reply, rdv_verdict_kind *out);
