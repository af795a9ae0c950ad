/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The prompts of --prompt-dir. */
#include <rederive/plan.h>

/* Every file NAME.md in `dir` and the folders in it, as a prompt whose id is its path without
 * ".md", in the order of the ids. Hidden files are skipped. Everything is made in `arena`.
 * RDV_E_IO: something cannot be read; RDV_E_LIMIT: a file of more than 1 MiB, more than 1000 files
 * or folders nested deeper than 8; RDV_E_INPUT: there is none; RDV_E_NOMEM. */
int prompts_read(const char *dir, rdv_arena *arena, rdv_prompt_text **out, size_t *n,
                 rdv_error *err);
