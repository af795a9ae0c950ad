/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Whose prompts a result is from. */
#include "settings.h"

/* A line that says whose prompts the table is from, in `arena`: those of --prompt-dir with their
 * sources; without it, for BIG-Bench Mistake, that they are not the authors'. Else empty. */
int reproduce_prompts(const struct settings *settings, const char *recipe, rdv_arena *arena,
                      rdv_str *out, rdv_error *err);
