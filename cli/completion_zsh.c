/* SPDX-License-Identifier: Apache-2.0 */
#include "completion.h"
#include "settings.h"

#include <string.h>

/* Print text inside a single-quoted specification, where brackets and colons are special. */
static void print_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            fputc('\\', out);
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, out);
    }
}

static void print_value(FILE *out, const struct opt *o)
{
    fputs(o->alone ? "::" : ":", out);
    print_text(out, o->argument);
    if (completion_has_values(o)) {
        fputs(":(", out);
        completion_print_values(out, o, "\\:");
        fputc(')', out);
    } else {
        fputs(completion_is_file(o) ? ":_files" : ": ", out);
    }
}

static void print_option(FILE *out, const struct opt *o)
{
    const char *many = o->type == OPT_FILES || o->type == OPT_TEXTS ? "*" : "";
    fputs("            ", out);
    if (o->letter)
        fprintf(out, "%s{-%c,--%s}'[", *many ? "\\*" : "", o->letter, o->name);
    else
        fprintf(out, "'%s--%s%s[", many, o->name, o->alone ? "=-" : "");
    print_text(out, o->help);
    fputc(']', out);
    if (o->argument)
        print_value(out, o);
    fputs("' \\\n", out);
}

static void print_command(FILE *out, const struct command *command)
{
    fprintf(out, "        %s) _arguments \\\n", command->name);
    for (const struct opt_group *g = command->groups; g->options; g++)
        for (const struct opt *o = g->options; o->name; o++)
            print_option(out, o);
    if (command->words) {
        fputs("            '1:argument:(", out);
        completion_print_words(out, command->words);
        fputs(")' \\\n", out);
    }
    fputs("            '*:argument:_files' ;;\n", out);
}

void completion_zsh(FILE *out)
{
    fputs("#compdef rederive\n# zsh completion of rederive: "
          "eval \"$(rederive completion zsh)\"\n_rederive() {\n"
          "    local -a names=(\n        'help:show help' 'version:show the version'\n",
          out);
    for (const struct command *c = commands; c->name; c++) {
        fprintf(out, "        '%s:", c->name);
        print_text(out, c->summary);
        fputs("'\n", out);
    }
    fputs("    )\n    if (( CURRENT == 2 )); then\n        _describe command names\n"
          "        return\n    fi\n    local name=$words[2]\n    shift words\n"
          "    (( CURRENT-- ))\n    case $name in\n",
          out);
    for (const struct command *c = commands; c->name; c++)
        print_command(out, c);
    fputs("        help) _describe command names ;;\n    esac\n}\n"
          "if [ \"$funcstack[1]\" = _rederive ]; then\n    _rederive \"$@\"\nelse\n"
          "    compdef _rederive rederive\nfi\n",
          out);
}
