/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/reward.h - step classifiers: small trained models that answer "is step i right, given
 * the question and the steps before it?" (LLMs cannot find reasoning errors, section 4.3 and
 * appendix C; docs/reward.md).
 *
 * A model is a file made by `rederive train`. It holds boosted trees over numerical features of a
 * step that do not name the task, and a rule that turns the probabilities of the steps into a
 * location. It calls no language model and never reads the gold answer. rdv_reward_method()
 * (method.h) makes it a method that checks chains. */
#include <rederive/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A loaded model. Immutable: several threads may share one. */
typedef struct rdv_reward rdv_reward;

#define RDV_REWARD_MAX_BYTES ((size_t)16 << 20)

/* Reads a model from the bytes of its file (copied). *out is owned by the caller, released with
 * rdv_reward_free(), and NULL on failure. Faults: RDV_E_INPUT (not a model, damaged, or made for
 * other features: the message states which), RDV_E_LIMIT, RDV_E_NOMEM. */
RDV_API int rdv_reward_read(rdv_str bytes, rdv_reward **out, rdv_error *err);
/* Reads a model from the file at `path`, as rdv_reward_read(). RDV_E_IO: the file cannot be
 * read. */
RDV_API int rdv_reward_open(const char *path, rdv_reward **out, rdv_error *err);
/* Releases the model and sets *reward to NULL. `reward` and *reward may be NULL. */
RDV_API void rdv_reward_free(rdv_reward **reward);

#ifdef __cplusplus
}
#endif
