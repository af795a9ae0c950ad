/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Completion scripts, one file for each shell; all from the table of commands. */
#include "opt.h"

#include <stdio.h>

void completion_bash(FILE *out);
void completion_zsh(FILE *out);
void completion_fish(FILE *out);

/* Whether completion can offer values of the option. */
bool completion_has_values(const struct opt *o);
/* Whether its value is a file. */
bool completion_is_file(const struct opt *o);
/* Print the values that it can have, one space between them: choices, known words, and the names of
 * the list that it takes them from. `colon` is how the shell writes a colon. */
void completion_print_values(FILE *out, const struct opt *o, const char *colon);
/* The same for words joined by "|", which have no colons. */
void completion_print_words(FILE *out, const char *words);
