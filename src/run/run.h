/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Functions of runs and of the built-in model that the program uses beyond the public header. */
#include <rederive/run.h>

/* Whether the model was trained on the prompt of this id; true if the file does not say. */
bool rdv_builtin_trained_on(const rdv_builtin *model, rdv_str prompt);
/* The abilities of the model. */
rdv_abilities rdv_builtin_abilities(const rdv_builtin *model);
/* What is known about server number `i` (see rdv_run_server_totals()), and which requests were
 * changed for it, as one line for people: "llama.cpp, 4 slots; continues an assistant's turn, and
 * gives it back, which is taken off". At most `size` bytes with the NUL. False: it was sent no
 * request, or there is nothing to report. */
bool rdv_run_found(const rdv_run *run, size_t i, char *line, size_t size);
/* Whether a server of the run holds replies to a JSON schema: RDV_CAN: one does; RDV_CANNOT:
 * none does; RDV_CAN_UNKNOWN: it was not found out. `run` may be NULL. */
rdv_can rdv_run_takes_schema(const rdv_run *run);
struct survey_memory;
/* Share what surveys find out with other runs that ask the same servers with the same keys. Before
 * the run's first plan; borrowed until rdv_run_free(). */
void rdv_run_share_surveys(rdv_run *run, struct survey_memory *memory);
