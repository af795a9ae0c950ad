/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The answer that stands in the steps of a chain. What was thought is no part of it. */
#include <rederive/answer.h>

/* Read it, as rdv_answer_read_steps() does, and not by its gold answer: a sum of measures is one
 * answer, "1 hour and 30 minutes", and so is a reply that is one number in words, "Seven". The text
 * borrows from the chain or is in `arena`; the step is counted from the chain's first. RDV_NONE:
 * there is none; *out is untouched unless RDV_OK. Faults: RDV_E_NOMEM. */
int chain_answer_read(const rdv_chain *chain, const rdv_answer_form *form, rdv_arena *arena,
                      rdv_answer *out, rdv_error *err);
/* What was read with what stands beside it there (turn_with_words()), which gold's form decides. */
int chain_answer_with_words(const rdv_chain *chain, const rdv_answer_form *form,
                            const rdv_answer *read, rdv_arena *arena, rdv_str *out,
                            rdv_error *err);
/* Is the chain's answer the one that its steps have, byte for byte? Then it is graded as a reply,
 * by all that stands there: records do not say whether an answer was given or read. */
int chain_answer_is_read(const rdv_chain *chain, const rdv_answer_form *form, rdv_arena *arena,
                         bool *is, rdv_error *err);
/* Its steps as one reply, a line each, in `arena`; p == NULL: it has none, or is not finished. */
int chain_answer_reply(const rdv_chain *chain, rdv_arena *arena, rdv_str *out, rdv_error *err);
