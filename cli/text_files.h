/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The files of --prompt-dir and --method-dir. */
#include "method/table.h"

#include <rederive/plan.h>

/* Every file NAME + suffix in `dir` and the folders in it, but hidden ones and README.md, as a text
 * whose id is its path without the suffix, in the order of the ids. Everything is made in `arena`.
 * RDV_E_IO: something cannot be read; RDV_E_LIMIT: a file of more than 1 MiB, more than 1000 files
 * or folders nested deeper than 8; RDV_E_NOMEM. The message names `option`. */
int text_files_read(const char *dir, const char *suffix, const char *option, rdv_arena *arena,
                    rdv_prompt_text **out, size_t *n, rdv_error *err);
/* Does a stage of the table ask with the prompt of that id? */
bool table_has_prompt(const method_table *table, rdv_str id);
/* The prompts of a run besides those compiled in: those that --prompt-dir replaces, and those of
 * --method-dir that a table of it names, but for tables and prompts with faults, of which
 * methods_read() tells; NULL: there is no such folder. As above; RDV_E_INPUT: --prompt-dir has
 * none.
 */
int prompts_read(const char *prompt_dir, const char *method_dir, rdv_arena *arena,
                 rdv_prompt_text **out, size_t *n, rdv_error *err);
