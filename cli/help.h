/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Help, man pages and shell completion, made from the table of commands. */
#include "opt.h"

#include <stdio.h>

/* `rederive --help`: purpose, commands, first examples. */
void help_program(FILE *out);
/* `rederive` and `rederive -h`: what fits a screen of 24 lines and 80 columns. */
void help_program_short(FILE *out);
/* `rederive CMD --help`. */
void help_command(FILE *out, const struct command *command);
/* `rederive CMD -h`: what fits a screen. */
void help_command_short(FILE *out, const struct command *command);
/* Print a completion script for "bash", "zsh" or "fish". RDV_NONE: unknown shell. */
int help_completion(FILE *out, const char *shell);

/* The exit statuses, for help and man pages. Ends with an entry of zeros. */
struct exit_status {
    int status;
    const char *means;
};
extern const struct exit_status exit_statuses[];
