/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/reward.h - step classifiers, small trained models: "is step i right, given the question
 * and the steps before it" (LLMs cannot find reasoning errors, section 4.3 and appendix C;
 * docs/reward.md).
 *
 * A model is a file that `rederive train` made: boosted trees over numbers that are measured of a
 * step and do not name the task, and a rule that turns the steps' chances into a location. It asks
 * no language model, and never reads the answer that is known to be right. rdv_reward_method()
 * (method.h) makes it a way to check chains. */
#include <rederive/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A model that was read. Immutable: several threads may use one. */
typedef struct rdv_reward rdv_reward;

#define RDV_REWARD_MAX_BYTES ((size_t)16 << 20)

/* Read a model file's bytes (copied). *out is the caller's, released with rdv_reward_free(), and
 * NULL on failure. Faults: RDV_E_INPUT (not a model, damaged, or made for other features: the
 * message says which), RDV_E_LIMIT, RDV_E_NOMEM. */
RDV_API int rdv_reward_read(rdv_str bytes, rdv_reward **out, rdv_error *err);
/* The same from the file at `path`. RDV_E_IO: it cannot be read. */
RDV_API int rdv_reward_open(const char *path, rdv_reward **out, rdv_error *err);
/* Release it and set *reward to NULL. NULL and *NULL are accepted. */
RDV_API void rdv_reward_free(rdv_reward **reward);

#ifdef __cplusplus
}
#endif
