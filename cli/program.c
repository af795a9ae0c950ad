/* SPDX-License-Identifier: Apache-2.0 */
/* To add a command: add its entry to commands.c, its cmd_NAME.c, and a line to the table below. */
#include "program.h"

#include "cmd.h"
#include "help.h"
#include "output_names.h"
#include "terminal.h"

#include "base/str.h"

#include <locale.h>
#include <stdio.h>

static const struct {
    const char *name;
    int (*run)(const struct settings *settings);
} table[] = {
    {"check", cmd_check},     {"solve", cmd_solve},         {"repair", cmd_repair},
    {"vote", cmd_vote},       {"eval", cmd_eval},           {"annotate", cmd_annotate},
    {"models", cmd_models},   {"serve", cmd_serve},         {"journal", cmd_journal},
    {"methods", cmd_methods}, {"formats", cmd_formats},     {"completion", cmd_completion},
    {"tasks", cmd_tasks},     {"train", cmd_train},         {"convert", cmd_convert},
    {"sample", cmd_sample},   {"reproduce", cmd_reproduce}, {"grade", cmd_grade},
    {"audit", cmd_audit},     {"rules", cmd_rules},         {"mcp", cmd_mcp},
};

#define N_COMMANDS (sizeof table / sizeof *table)

static const struct command *find_command(const char *name)
{
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[N_COMMANDS + 2] = {"help", "version"};
    char list[512] = "help, version";
    for (size_t i = 0; i < N_COMMANDS; i++) {
        size_t len = strlen(list);
        names[i + 2] = commands[i].name;
        snprintf(list + len, sizeof list - len, ", %s", commands[i].name);
    }
    const char *nearest = opt_nearest(name, names, N_COMMANDS + 2);
    if (nearest)
        say("unknown command %.64s; did you mean %s?", name, nearest);
    else
        say("unknown command %.64s; the commands are %s", name, list);
    return USAGE;
}

static int help(const char *name)
{
    const struct command *command = name ? find_command(name) : NULL;
    if (name && !command)
        return unknown_command(name);
    if (command)
        help_command(stdout, command);
    else
        help_program(stdout);
    return print_status();
}

static int run(const struct command *command, int argc, char **argv, struct estimate_sums *estimate)
{
    struct settings settings;
    rdv_error err = {0};
    int status = USAGE, code;
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena) {
        say("out of memory");
        return NOTHING_DONE;
    }
    if (opt_parse(command, argc, argv, arena, &settings, &err) != RDV_OK) {
        say("%s: %s", command->name, err.msg);
    } else if (settings.help_short) {
        help_command_short(stdout, command);
        status = print_status();
    } else if (settings.help) {
        status = help(command->name);
    } else if ((code = output_names_check(command, &settings, arena, &err)) != RDV_OK) {
        say("%s: %s", command->name, err.msg);
        status = code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE;
    } else {
        catch_signals();
        settings.command = command->name;
        settings.typed = argv;
        settings.n_typed = argc;
        settings.estimate = estimate;
        for (size_t i = 0; i < N_COMMANDS; i++)
            if (strcmp(table[i].name, command->name) == 0)
                status = table[i].run(&settings);
    }
    rdv_arena_free(&arena);
    return status == DONE ? print_status() : status;
}

int cmd_run(const char *name, int argc, char **argv, struct estimate_sums *estimate)
{
    const struct command *command = find_command(name);
    return command ? run(command, argc, argv, estimate) : unknown_command(name);
}

int rdv_program(int argc, char **argv)
{
    setlocale(LC_CTYPE, ""); /* only to find out whether the terminal shows UTF-8 */
    const char *first = argc > 1 ? argv[1] : NULL;
    if (!first) {
        help_program_short(stderr);
        return USAGE;
    }
    if (strcmp(first, "-h") == 0) {
        help_program_short(stdout);
        return print_status();
    }
    if (strcmp(first, "--version") == 0 || strcmp(first, "version") == 0) {
        puts("rederive " RDV_VERSION);
        return print_status();
    }
    if (strcmp(first, "help") == 0 || strcmp(first, "--help") == 0)
        return help(argc > 2 ? argv[2] : NULL);
    const struct command *command = find_command(first);
    return command ? run(command, argc - 2, argv + 2, NULL) : unknown_command(first);
}
