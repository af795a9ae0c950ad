/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The files of --prompt-dir and --method-dir. */
#include "method/table.h"

#include <rederive/plan.h>

/* Read every file NAME + suffix in `dir` and its subfolders, except hidden files and README.md, as
 * a text whose id is its path without the suffix, sorted by id. Everything is allocated in `arena`.
 * RDV_E_IO: a file or folder cannot be read; RDV_E_LIMIT: a file of more than 1 MiB, more than 1000
 * files, or folders nested deeper than 8; RDV_E_NOMEM. The message names `option`. */
int text_files_read(const char *dir, const char *suffix, const char *option, rdv_arena *arena,
                    rdv_prompt_text **out, size_t *n, rdv_error *err);
/* Whether a stage of the table uses the prompt of that id. */
bool table_has_prompt(const method_table *table, rdv_str id);
/* The prompts of a run besides those compiled in: replacements from --prompt-dir, and prompts of
 * --method-dir that one of its tables names. Tables and prompts with errors are left out;
 * methods_read() reports them. NULL: there is no such folder. Errors as above; RDV_E_INPUT:
 * --prompt-dir has no prompts. */
int prompts_read(const char *prompt_dir, const char *method_dir, rdv_arena *arena,
                 rdv_prompt_text **out, size_t *n, rdv_error *err);
