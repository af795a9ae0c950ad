/* SPDX-License-Identifier: Apache-2.0 */
/* rederive mcp: tools for agents, over the Model Context Protocol. */
#include "cmd.h"
#include "terminal.h"

#include "mcp/serve.h"

#include <unistd.h>

int cmd_mcp(const struct settings *settings)
{
    rdv_error err = {0};
    (void)settings;
    if (mcp_serve(STDIN_FILENO, STDOUT_FILENO, interrupted, &err) == RDV_OK)
        return DONE;
    say("mcp: %s", err.msg);
    return NOTHING_DONE;
}
