/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The result of a call of a tool: a text for people and models, and the same as JSON. */
#include "base/buf.h"

#include <rederive/base.h>

#define MCP_TEXT_MAX ((size_t)2048) /* bytes of the text */
#define MCP_SHOWN_MAX ((size_t)300) /* bytes of a part of the input that is shown */

typedef struct mcp_result {
    rdv_arena *arena;
    rdv_buf text;       /* lines, without the last newline */
    rdv_buf structured; /* the members of an object, behind its '{' */
    uint32_t step_ms, check_ms; /* processor time of a step and of a check; 0: no limit */
    bool failed;        /* the tool could not do its work: `text` says why */
} mcp_result;

void mcp_result_begin(mcp_result *result, rdv_arena *arena);
/* Discard what there is; the call failed for this reason. */
void mcp_result_fail(mcp_result *result, const char *fmt, ...) RDV_PRINTF(2, 3);
/* A line of the text, its control characters escaped. false: it has no room and was left out. */
bool mcp_result_line(mcp_result *result, rdv_str line);
/* At most MCP_SHOWN_MAX bytes of the text, with "..." where it was cut. p == NULL: out of memory.
 */
rdv_str mcp_shown(rdv_str text, rdv_arena *arena);
/* A member that is such a text; absent where p == NULL. */
void mcp_result_put(mcp_result *result, const char *name, rdv_str text);
/* Write the members "content" and so on, behind `b`'s '{' or another member. */
void mcp_result_write(const mcp_result *result, rdv_buf *b);
