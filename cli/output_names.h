/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The names of the files that a command is to write: none may be one that it reads, nor two the
 * same. Which options write and which read is said by their tables. */
#include "opt.h"

/* Whether no file of the options that write would take away what the command reads: an input file
 * (also standard input, a file of a folder that is walked, or through a link), a file of another
 * option, or a model, transcript or classifier; by the output itself, by FILE.partial, which a
 * complete run removes, or by FILE.writing, its name until then. RDV_OK; RDV_E_ARGUMENT with a
 * one-line message; RDV_E_NOMEM. Nothing is opened. `arena`: for what is looked up. */
int output_names_check(const struct command *command, const struct settings *settings,
                       rdv_arena *arena, rdv_error *err);
