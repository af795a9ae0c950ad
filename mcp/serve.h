/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The server on standard input and output: it ends with its input. */
#include <rederive/base.h>

/* Answer the messages of `in` to `out`, in their order, until `in` ends, a signal interrupts it
 * (`stopped` says so), or nobody reads `out`. Faults: RDV_E_IO, RDV_E_NOMEM. */
int mcp_serve(int in, int out, bool (*stopped)(void), rdv_error *err);
