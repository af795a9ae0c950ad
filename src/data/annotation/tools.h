/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Annotations as the tools hold them that `rederive convert` writes tasks and results for:
 *
 * - a task of a project's export of Label Studio (JSON): what people marked, by annotator;
 * - a span annotation of Phoenix, of the kind HUMAN.
 *
 * Predictions of Label Studio and annotations of the kinds CODE and LLM are what programs said.
 * They are kept apart: none of them becomes a label. */
#include "data/annotation/judgements.h"
#include "data/chain_builder.h"

bool annotation_is_task(const rdv_members *in);
/* Annotation `*next` of the task, or the next one that a person completed, into *one; *next moves
 * behind it. The texts are in m->arena. RDV_NONE: there is no more; RDV_E_INPUT; RDV_E_NOMEM. */
int annotation_of_task(rdv_chain_builder *m, size_t *next, rdv_annotation *one, rdv_error *err);

bool annotation_is_of_span(const rdv_members *in);
/* RDV_NONE: it is no person's, or says that nothing is known. Else as annotation_of_task(). */
int annotation_of_span(rdv_chain_builder *m, rdv_annotation *one, rdv_error *err);
