/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The commands. Each takes its settings and returns the program's exit status. */
#include "settings.h"

int cmd_check(const struct settings *settings);
int cmd_solve(const struct settings *settings);
int cmd_repair(const struct settings *settings);
int cmd_vote(const struct settings *settings);
int cmd_eval(const struct settings *settings);
int cmd_grade(const struct settings *settings);
int cmd_audit(const struct settings *settings);
int cmd_convert(const struct settings *settings);
int cmd_serve(const struct settings *settings);
int cmd_mcp(const struct settings *settings);
int cmd_tasks(const struct settings *settings);
int cmd_train(const struct settings *settings);
int cmd_annotate(const struct settings *settings);
int cmd_models(const struct settings *settings);
int cmd_journal(const struct settings *settings);
int cmd_methods(const struct settings *settings);
int cmd_rules(const struct settings *settings);
int cmd_formats(const struct settings *settings);
int cmd_sample(const struct settings *settings);
int cmd_reproduce(const struct settings *settings);
int cmd_completion(const struct settings *settings);

struct estimate_sums;

/* Run the command of that name with its arguments, as main() does; returns the exit status.
 * estimate: where a dry run adds its sums instead of writing them; NULL: it writes them. */
int cmd_run(const char *name, int argc, char **argv, struct estimate_sums *estimate);
