/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The arguments of a call, compared with what its tool knows. */
#include "mcp/result.h"
#include "model/parse.h"

#define MCP_MAX_ITEMS 64 /* of a list of texts */

/* An argument of a tool. */
typedef struct mcp_argument {
    const char *name;
    rdv_str *text;  /* where it goes; p stays NULL where it is absent or null */
    rdv_str *items; /* the same for a list of texts, room for MCP_MAX_ITEMS; NULL: it is a text */
    size_t *n_items;
    bool required;
} mcp_argument;

/* Read all of them; an unknown name, a value of another type and more than MCP_MAX_TEXT bytes
 * together are errors, which `result` says. The texts are borrowed from `object`. */
bool mcp_arguments_read(const json_t *object, const mcp_argument *arguments, size_t n,
                        mcp_result *result);
