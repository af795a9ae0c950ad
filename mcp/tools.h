/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The tools, which compute: they ask no model, read no file and execute nothing. */
#include "mcp/result.h"
#include "model/parse.h"

/* The list of the tools, as JSON: at most 3,600 bytes with what stands around it. Static. */
rdv_str mcp_tools_list(void);

/* Call the tool of that name. RDV_NONE: there is none. What is wrong with the arguments, or with
 * the text, is in the result. Faults: RDV_E_NOMEM. */
int mcp_tools_call(rdv_str name, const json_t *arguments, mcp_result *result, rdv_error *err);

/* The tools themselves. */
int mcp_tool_check(const json_t *arguments, mcp_result *result, rdv_error *err);
int mcp_tool_grade(const json_t *arguments, mcp_result *result, rdv_error *err);
int mcp_tool_calculate(const json_t *arguments, mcp_result *result, rdv_error *err);
