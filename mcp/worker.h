/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A process that answers messages, so that one that takes too long, or fails, ends alone. It can
 * open no file and no socket. Not for a process with threads, which it is forked from. */
#include <rederive/base.h>

#define MCP_CALL_MS 1000 /* to answer a message */

typedef struct mcp_worker mcp_worker;

/* NULL: it cannot be started. */
mcp_worker *mcp_worker_new(rdv_error *err);
/* Answer a message, as mcp_answer(), or in its place say why it could not be answered. A process
 * that did not is replaced. Faults: RDV_E_NOMEM, RDV_E_IO: no process can be started. */
int mcp_worker_answer(mcp_worker *worker, rdv_str message, rdv_arena *arena, rdv_str *answer,
                      rdv_error *err);
/* NULL and *NULL are accepted. */
void mcp_worker_free(mcp_worker **worker);
