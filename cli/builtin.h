/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The file of the built-in model. */
#include <rederive/run.h>

/* Open the file that `spec` names, or the default one: the file that the environment variable
 * RDV_MODEL names, else the installed one, else models/rederive.gguf in the source tree that this
 * program was built from. Sets spec->path and spec->name to those of the model. *out: released with
 * rdv_builtin_close(). Faults: RDV_E_IO: there is no such file; those of rdv_builtin_open(). */
int builtin_open(rdv_builtin *out, rdv_model_spec *spec, rdv_arena *arena, rdv_error *err);
/* Say on standard error what an open model is, and what it can answer. */
void builtin_tell(const rdv_builtin *model);
