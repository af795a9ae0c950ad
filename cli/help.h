/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the table of commands says, in the shapes that people and shells read. */
#include "opt.h"

#include <stdio.h>

/* `rederive --help`: what it is for, the commands, first examples. */
void help_program(FILE *out);
/* `rederive CMD --help`. */
void help_command(FILE *out, const struct command *command);
/* A completion script for "bash" or "zsh". RDV_NONE: no other shell is known. */
int help_completion(FILE *out, const char *shell);

/* The exit statuses, for help and man pages. Ends with an entry of zeros. */
struct exit_status {
    int status;
    const char *means;
};
extern const struct exit_status exit_statuses[];
