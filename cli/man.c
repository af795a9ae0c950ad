/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the scdoc source of a man page from the table of commands: `man` for rederive(1), or `man
 * COMMAND` for rederive-COMMAND(1). Runs when the project is built. */
#include "help.h"
#include "settings.h"

#include <stdio.h>
#include <string.h>

/* Print text with scdoc's markup escaped; each empty line starts a new paragraph. */
static void print_text(const char *text)
{
    for (; *text; text++) {
        if (strchr("*_\\<>", *text))
            putchar('\\');
        putchar(*text);
    }
}

static void print_option(const struct opt *o)
{
    if (o->letter)
        printf("*-%c*, ", o->letter);
    printf("*--%s*", o->name);
    if (opt_argument(o)[0]) {
        printf("%s_", opt_before_argument(o));
        print_text(opt_argument(o));
        printf("_%s", opt_behind_argument(o));
    }
    printf("\n\t");
    print_text(o->help);
    printf(".");
    if (o->initial) {
        printf(" Default: ");
        print_text(o->initial);
        printf(".");
    }
    printf("\n\n");
}

static void print_examples(const struct example *examples)
{
    printf("# EXAMPLES\n\n");
    for (const struct example *e = examples; e->command; e++) {
        print_text(e->says);
        printf(":\n\n```\n%s\n```\n\n", e->command);
    }
}

static void print_end(const struct command *of)
{
    printf("# EXIT STATUS\n\n");
    for (const struct exit_status *e = exit_statuses; e->means; e++) {
        printf("*%d*\n\t", e->status);
        print_text(e->means);
        printf("\n\n");
    }
    printf("# ENVIRONMENT\n\n*NO\\_COLOR*\n\tWhen set and not empty, no colours are used unless "
           "*--color always* is given.\n\n# SEE ALSO\n\n");
    const char *comma = "";
    if (of) {
        printf("*rederive*(1)");
        comma = ", ";
    }
    for (const struct command *c = commands; c->name; c++) {
        if (c == of)
            continue;
        printf("%s*rederive-%s*(1)", comma, c->name);
        comma = ", ";
    }
    printf("\n");
}

static void print_command(const struct command *c)
{
    printf("rederive-%s(1)\n\n# NAME\n\nrederive-%s - ", c->name, c->name);
    print_text(c->summary);
    printf("\n\n# SYNOPSIS\n\n*rederive %s* [_OPTION_]... ", c->name);
    print_text(c->arguments);
    printf("\n\n# DESCRIPTION\n\n");
    print_text(c->description);
    printf("\n\n");
    for (const struct opt_group *g = c->groups; g->options; g++) {
        printf("# OPTIONS: ");
        print_text(g->title);
        printf("\n\n");
        for (const struct opt *o = g->options; o->name; o++)
            print_option(o);
    }
    print_examples(c->examples);
    print_end(c);
}

static void print_program(void)
{
    printf("rederive(1)\n\n# NAME\n\nrederive - check the reasoning of language models, and vote "
           "with the results\n\n# SYNOPSIS\n\n*rederive* _COMMAND_ [_OPTION_]... "
           "[_FILE_]...++\n*rederive help* [_COMMAND_]++\n*rederive --version*\n\n"
           "# DESCRIPTION\n\n"
           "Rederive reads chains of reasoning (a question, the steps of a solution, an answer), "
           "checks the steps, uses the results to weight votes among answers, and evaluates "
           "answers and checks "
           "against gold data. Its records are lines of JSON, so commands can be joined by "
           "pipes; unknown members are carried through unchanged.\n\n# COMMANDS\n\n");
    for (const struct command *c = commands; c->name; c++) {
        printf("*rederive-%s*(1)\n\t", c->name);
        print_text(c->summary);
        printf("\n\n");
    }
    printf("# RECORDS\n\nA chain, with the required members and some optional ones:\n\n"
           "```\n{\"id\": \"q7/3\", \"question_id\": \"q7\", \"question\": \"What is 2 + 3 * 4?\", "
           "\"gold\": \"14\",\n \"steps\": [\"3 * 4 = 12\", \"2 + 12 = 15\"], \"answer\": \"15\"}\n"
           "```\n\nA record is on one line. Instead of \"steps\" it may have a \"solution\", one "
           "text that is "
           "split into steps. Steps are numbered from 0.\n\n# EXAMPLES\n\n");
    for (const struct command *c = commands; c->name; c++) {
        print_text(c->examples[0].says);
        printf(":\n\n```\n%s\n```\n\n", c->examples[0].command);
    }
    print_end(NULL);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_program();
        return 0;
    }
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(c->name, argv[1]) == 0) {
            print_command(c);
            return 0;
        }
    fprintf(stderr, "man: there is no command %s\n", argv[1]);
    return 2;
}
