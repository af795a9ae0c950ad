/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Messages of the Model Context Protocol, bytes in and bytes out: no files, no clock, no state. Of
 * a request that carries the protocol's version with it (2026-07-28), the answer has that form;
 * of any other, the form of 2025-11-25 and before, whether or not "initialize" came first. */
#include <rederive/base.h>

#define MCP_MAX_MESSAGE ((size_t)4 << 20) /* bytes of one: its texts escaped */
#define MCP_MAX_TEXT ((size_t)1 << 20)    /* bytes of the texts of a call, together */

#define MCP_STEP_MS 50    /* processor time of a step of a text, */
#define MCP_CHECK_MS 1000 /* and of all of them, where no process can be ended */

/* Answer a message: one line with its newline, in `arena`; p == NULL: it wants none (a
 * notification, a response). What cannot be read or is not known is answered with an error. Faults:
 * RDV_E_NOMEM. */
int mcp_answer(rdv_str message, rdv_arena *arena, rdv_str *answer, rdv_error *err);
/* What HTTP says of a message beside it. Texts that are absent: p == NULL. */
typedef struct mcp_headers {
    rdv_str version, method, name; /* MCP-Protocol-Version, Mcp-Method, Mcp-Name */
} mcp_headers;

/* As mcp_answer(), of a message of HTTP, on any thread: with limits on processor time. *status: of
 * the response; 202 where no answer is wanted. A version that is not known is refused, and so, of
 * 2026-07-28, are headers that say another thing than the message. */
int mcp_answer_http(rdv_str message, const mcp_headers *headers, rdv_arena *arena, rdv_str *answer,
                    unsigned *status, rdv_error *err);
/* The answer to a message whose own could not be made, for the reason `why`: nothing is decided. */
int mcp_answer_failed(rdv_str message, const char *why, rdv_arena *arena, rdv_str *answer,
                      rdv_error *err);
/* The answer to a message that is longer than MCP_MAX_MESSAGE, of which nothing is known. */
int mcp_answer_too_long(rdv_arena *arena, rdv_str *answer, rdv_error *err);
