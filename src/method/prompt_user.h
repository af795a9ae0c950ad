/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Which method's prompts use a variable. */
#include <rederive/method.h>
#include <rederive/plan.h>

/* The name of the first of these methods whose prompts use the variable `name`; NULL: none does. */
const char *prompt_user(const rdv_method *const *methods, size_t n, const rdv_prompts *prompts,
                        const char *name);
