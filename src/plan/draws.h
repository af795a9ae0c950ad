/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Requests whose replies may come from one call, since they differ in the sample alone. */
#include <rederive/plan.h>

/* Replies that one call is asked for at most. */
#define REQUEST_MOST_DRAWS 64

/* Whether the reply is drawn, so that several of them may come from one call: a text of limited
 * length at a temperature above 0. */
bool request_is_drawn(const rdv_request *request);
/* Whether the two differ in nothing but their samples (and in id, stage and prompt): their replies
 * are draws from one distribution. */
bool request_same_but_sample(const rdv_request *a, const rdv_request *b);
