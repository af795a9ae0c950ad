/* SPDX-License-Identifier: Apache-2.0 */
#include "help.h"
#include "settings.h"

#include <string.h>

#define WIDTH 80
#define HELP_COLUMN 26

const struct exit_status exit_statuses[] = {
    {DONE, "all done"},
    {SOME_FAILED, "some records failed, as their \"error\" says, or are incomplete"},
    {USAGE, "usage error"},
    {NOTHING_DONE, "nothing could be done, or the output could not be written"},
    {WRONG_FOUND, "a wrong step or label (--fail-on-wrong) or answer (grade) was found"},
    {UNDECIDED_LEFT, "a step (check --fail-on-unknown) or an answer (grade) is undecided"},
    {WAITING, "requests were written (--batch-out), whose results are to be imported"},
    {INTERRUPTED, "interrupted; the results so far are written"},
    {NOBODY_READS, "the reader of the output closed the pipe"},
    {0},
};

/* Print words wrapped between `indent` and WIDTH, starting at column `at`, and end the line. */
static void print_words(FILE *out, const char *text, size_t indent, size_t at)
{
    bool first = true; /* the next word is the first of its line */
    while (*text) {
        size_t len = strcspn(text, " \n");
        if (!first && at + 1 + len > WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
            first = true;
        }
        fprintf(out, "%s%.*s", first ? "" : " ", (int)len, text);
        at += len + !first;
        first = false;
        text += len;
        for (; *text == ' ' || *text == '\n'; text++)
            if (*text == '\n') {
                fprintf(out, "\n%*s", (int)indent, "");
                at = indent;
                first = true;
            }
    }
    fputc('\n', out);
}

static void print_option(FILE *out, const struct opt *o)
{
    char text[1024];
    char letter[8] = "    ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    int at = fprintf(out, "  %s--%s %s", letter, o->name, opt_argument(o));
    if (at + 2 > HELP_COLUMN) {
        fputc('\n', out);
        at = 0;
    }
    fprintf(out, "%*s", HELP_COLUMN - at, "");
    snprintf(text, sizeof text, "%s.%s%s%s", o->help, o->initial ? " [" : "",
             o->initial ? o->initial : "", o->initial ? "]" : "");
    print_words(out, text, HELP_COLUMN, HELP_COLUMN);
}

static void print_examples(FILE *out, const struct example *examples)
{
    fputs("\nExamples:\n", out);
    for (const struct example *e = examples; e->command; e++)
        fprintf(out, "  # %s\n  %s\n", e->says, e->command);
}

void help_command(FILE *out, const struct command *command)
{
    fprintf(out, "rederive %s - %s\n\n", command->name, command->summary);
    fprintf(out, "Usage: rederive %s [OPTION]...%s%s\n\n", command->name,
            command->arguments[0] ? " " : "", command->arguments);
    print_words(out, command->description, 0, 0);
    print_examples(out, command->examples);
    for (const struct opt_group *g = command->groups; g->options; g++) {
        fprintf(out, "\n%s:\n", g->title);
        for (const struct opt *o = g->options; o->name; o++)
            print_option(out, o);
    }
    fputs("\nExit status:\n", out);
    for (const struct exit_status *e = exit_statuses; e->means; e++)
        fprintf(out, "  %3d  %s\n", e->status, e->means);
}

void help_program(FILE *out)
{
    fputs("rederive - check the reasoning of language models, and vote with the results\n\n"
          "Usage: rederive COMMAND [OPTION]... [FILE]...\n\nCommands:\n",
          out);
    for (const struct command *c = commands; c->name; c++)
        fprintf(out, "  %-12s%s\n", c->name, c->summary);
    fputs("\nExamples:\n", out);
    for (const struct command *c = commands; c->name; c++)
        if (c->groups[1].options) /* commands that work on records */
            fprintf(out, "  # %s\n  %s\n", c->examples[0].says, c->examples[0].command);
    fputc('\n', out);
    print_words(out,
                "'rederive help COMMAND' or 'rederive COMMAND --help' says more; 'rederive "
                "version' prints the version.\nRecords are lines of JSON: {\"question\": \"...\", "
                "\"steps\": [\"...\"]}; see rederive(1).",
                0, 0);
}
