/* SPDX-License-Identifier: Apache-2.0 */
#include "completion.h"
#include "settings.h"

/* Print text inside single quotes, where only these two are special. */
static void print_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void print_first_word(FILE *out, const char *name, const char *summary)
{
    fprintf(out, "complete -c rederive -n __fish_use_subcommand -a %s -d '", name);
    print_text(out, summary);
    fputs("'\n", out);
}

static void print_option(FILE *out, const char *command, const struct opt *o)
{
    fprintf(out, "complete -c rederive -n '__fish_seen_subcommand_from %s' -l %s", command,
            o->name);
    if (o->letter)
        fprintf(out, " -s %c", o->letter);
    if (completion_is_file(o))
        fputs(" -r -F", out); /* a value, which is a file */
    else if (opt_takes_word(o))
        fputs(" -x", out); /* a value, which is no file */
    if (completion_has_values(o)) {
        fputs(" -a '", out);
        completion_print_values(out, o, ":");
        fputc('\'', out);
    }
    fputs(" -d '", out);
    print_text(out, o->help);
    fputs("'\n", out);
}

static void print_command(FILE *out, const struct command *command)
{
    if (command->words) {
        fprintf(out, "complete -c rederive -n '__fish_seen_subcommand_from %s' -a '",
                command->name);
        completion_print_words(out, command->words);
        fputs("'\n", out);
    }
    for (const struct opt_group *g = command->groups; g->options; g++)
        for (const struct opt *o = g->options; o->name; o++)
            print_option(out, command->name, o);
}

void completion_fish(FILE *out)
{
    fputs("# fish completion of rederive: rederive completion fish > "
          "~/.config/fish/completions/rederive.fish\n"
          "complete -c rederive -e\n"
          "complete -c rederive -n __fish_use_subcommand -f\n",
          out);
    print_first_word(out, "help", "show help");
    print_first_word(out, "version", "show the version");
    for (const struct command *c = commands; c->name; c++)
        print_first_word(out, c->name, c->summary);
    fputs("complete -c rederive -n '__fish_seen_subcommand_from help' -f -a '", out);
    for (const struct command *c = commands; c->name; c++)
        fprintf(out, "%s%s", c == commands ? "" : " ", c->name);
    fputs("'\n", out);
    for (const struct command *c = commands; c->name; c++)
        print_command(out, c);
}
