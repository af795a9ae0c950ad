/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the program asks of a run and of the built-in model, beside what the public header has. */
#include <rederive/run.h>

/* Was it trained on the prompt of this id? Yes, where it does not say. */
bool rdv_builtin_trained_on(const rdv_builtin *model, rdv_str prompt);
/* What it can do. */
rdv_abilities rdv_builtin_abilities(const rdv_builtin *model);
/* What was found out about the server of that party, and what had to be asked in another way, as
 * one line for people: "llama.cpp, 4 slots; continues an assistant's turn, and gives it back, which
 * is taken off". At most `size` bytes with the NUL. False: nothing was asked of it, or nothing is
 * worth saying. */
bool rdv_run_found(const rdv_run *run, rdv_model_role party, char *line, size_t size);
