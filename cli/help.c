/* SPDX-License-Identifier: Apache-2.0 */
#include "help.h"
#include "settings.h"

#include "base/str.h"

#include <string.h>

#define WIDTH 80
#define HELP_COLUMN 26
#define SCREEN 24 /* lines */

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

/* Print words wrapped between `indent` and WIDTH, starting at column `at`, and end the line. How
 * many lines. */
static size_t print_words(FILE *out, const char *text, size_t indent, size_t at)
{
    size_t lines = 1;
    bool first = true; /* the next word is the first of its line */
    while (*text) {
        size_t len = strcspn(text, " \n");
        if (!first && at + 1 + len > WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
            first = true;
            lines++;
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
                lines++;
            }
    }
    fputc('\n', out);
    return lines;
}

static void print_option(FILE *out, const struct opt *o)
{
    char text[1024];
    char letter[8] = "    ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    int at = fprintf(out, "  %s--%s%s%s%s", letter, o->name, opt_before_argument(o),
                     opt_argument(o), opt_behind_argument(o));
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

/* ---- what fits a screen ---------------------------------------------------------------------- */

/* Where the first clause of a text ends. */
static size_t clause_of(const char *text)
{
    size_t len = 0;
    while (text[len] && text[len] != '(' &&
           !(strchr(".:;,", text[len]) && (!text[len + 1] || text[len + 1] == ' ')))
        len++;
    while (len > 0 && text[len - 1] == ' ')
        len--;
    return len;
}

/* The first clause of a text, of which at most `most` bytes, cut between words. */
static void print_clause(FILE *out, const char *text, size_t most)
{
    size_t len = clause_of(text);
    bool cut = len > most;
    if (cut)
        for (len = most - 3; len > 0 && text[len] != ' '; len--)
            ;
    fprintf(out, "%.*s%s\n", (int)len, text, cut ? "..." : "");
}

static void print_option_short(FILE *out, const struct opt *o)
{
    char letter[8] = "    ";
    const char *argument = o->argument ? o->argument : "";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    int at = fprintf(out, "  %s--%s%s%s%s", letter, o->name, opt_before_argument(o), argument,
                     opt_behind_argument(o));
    int column = at + 2 > HELP_COLUMN ? at + 2 : HELP_COLUMN;
    fprintf(out, "%*s", column - at, "");
    print_clause(out, o->help, WIDTH - (size_t)column);
}

static size_t options_of(const struct command *command)
{
    size_t n = 0;
    for (const struct opt_group *g = command->groups; g->options; g++)
        for (const struct opt *o = g->options; o->name; o++)
            n++;
    return n;
}

void help_command_short(FILE *out, const struct command *command)
{
    const char *rest = command->often ? command->often : "";
    size_t lines = 7, all = options_of(command), shown = 0; /* lines of all else */
    bool first = true;
    rdv_str name;
    char head[256];
    snprintf(head, sizeof head, "rederive %s - %s", command->name, command->summary);
    lines += print_words(out, head, 2, 0);
    fputc('\n', out);
    snprintf(head, sizeof head, "Usage: rederive %s [OPTION]... %s", command->name,
             command->arguments);
    lines += print_words(out, head, 2, 0);
    for (const struct example *e = command->examples; e->command && e < command->examples + 3; e++)
        if (strlen(e->command) + 2 <= WIDTH && strlen(e->says) + 4 <= WIDTH) {
            fprintf(out, "%s  # %s\n  %s\n", first ? "\n" : "", e->says, e->command);
            lines += 2;
            first = false;
        }
    fputs("\nOptions:\n", out);
    while (opt_next_choice(&rest, &name) && lines + shown < SCREEN) {
        const struct opt *o = opt_named(command, name);
        if (o)
            print_option_short(out, o);
        shown += o != NULL;
    }
    for (const struct opt *o = command->groups->options; !command->often && o->name; o++)
        if (lines + shown < SCREEN) {
            print_option_short(out, o);
            shown++;
        }
    fprintf(out, "\n'rederive %s --help' explains %s%zu options.\n", command->name,
            all > shown ? "all " : "its ", all);
}

void help_program_short(FILE *out)
{
    fputs("rederive - check the reasoning of language models, step by step\n"
          "Usage: rederive COMMAND [OPTION]... [FILE]...\n\n"
          "  rederive check FILE...               list what is wrong, with the right values\n"
          "  rederive check FILE... --html PAGE   the same as a page to look at\n\n"
          "FILE: a log of inspect_ai or lm-evaluation-harness, replies of OpenAI's or\n"
          "Anthropic's API, chats, JSON Lines, CSV or text; or a folder of such files.\n\n"
          "Commands:\n",
          out);
    for (const struct command *c = commands; c->name; c++)
        if (c->first)
            fprintf(out, "  %-12s%s\n", c->name, c->summary);
    char others[512] = "and:";
    for (const struct command *c = commands; c->name; c++)
        if (!c->first)
            snprintf(others + strlen(others), sizeof others - strlen(others), " %s", c->name);
    fputs("  ", out);
    print_words(out, others, 4, 2);
    fputs("\n'rederive COMMAND -h' shows a command, '--help' in place of '-h' all of it.\n", out);
}
