/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <rederive/base.h>

/* The whole of a file of at most `most` bytes ("-": standard input), in `arena`. RDV_NONE: there is
 * none; RDV_E_IO, RDV_E_LIMIT, RDV_E_NOMEM. The message names the file. */
int whole_file_read(const char *path, size_t most, rdv_arena *arena, rdv_str *out, rdv_error *err);
