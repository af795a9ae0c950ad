/* SPDX-License-Identifier: Apache-2.0 */
#include "help.h"
#include "settings.h"

#include <string.h>

static void print_names(FILE *out)
{
    fputs("help", out);
    for (const struct command *c = commands; c->name; c++)
        fprintf(out, " %s", c->name);
}

static void print_choices(FILE *out, const char *choices)
{
    rdv_str word;
    while (opt_next_choice(&choices, &word))
        fprintf(out, " %.*s", RDV_FMT(word));
}

/* Print the choices of each option that has them. */
static void print_bash_values(FILE *out, const struct command *command)
{
    for (const struct opt_group *g = command->groups; g->options; g++)
        for (const struct opt *o = g->options; o->name; o++)
            if (o->choices) {
                fprintf(out, "    %s:--%s) words=\"", command->name, o->name);
                print_choices(out, o->choices);
                fputs("\" ;;\n", out);
            }
}

static void print_bash(FILE *out)
{
    fputs("# bash completion of rederive: eval \"$(rederive completion bash)\"\n"
          "_rederive() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=${COMP_WORDS[1]} words=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n        words=\"",
          out);
    print_names(out);
    fputs(" --help --version\"\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "        return\n    fi\n    case $command:$before in\n",
          out);
    for (const struct command *c = commands; c->name; c++)
        print_bash_values(out, c);
    fputs("    help:*) words=\"", out);
    print_names(out);
    fputs("\" ;;\n    completion:*) words=\"bash zsh\" ;;\n    *) case $word in\n"
          "        -*) case $command in\n",
          out);
    for (const struct command *c = commands; c->name; c++) {
        fprintf(out, "            %s) words=\"", c->name);
        for (const struct opt_group *g = c->groups; g->options; g++)
            for (const struct opt *o = g->options; o->name; o++)
                fprintf(out, " --%s", o->name);
        fputs("\" ;;\n", out);
    }
    fputs("            esac ;;\n        esac ;;\n    esac\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "    [ -n \"$words\" ] || COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "}\ncomplete -o filenames -F _rederive rederive\n",
          out);
}

/* Print text inside a single-quoted zsh specification, where brackets and colons are special. */
static void print_zsh_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            fputc('\\', out);
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, out);
    }
}

static void print_zsh_option(FILE *out, const struct opt *o)
{
    fprintf(out, "            '%s--%s[", o->type == OPT_FILES ? "*" : "", o->name);
    print_zsh_text(out, o->help);
    fputc(']', out);
    if (o->choices) {
        fprintf(out, ":%s:(", o->argument);
        print_choices(out, o->choices);
        fputc(')', out);
    } else if (o->argument) {
        fputc(':', out);
        print_zsh_text(out, o->argument);
        fputs(o->type == OPT_FILE || o->type == OPT_FILES ? ":_files" : ": ", out);
    }
    fputs("' \\\n", out);
}

static void print_zsh(FILE *out)
{
    fputs("#compdef rederive\n# zsh completion of rederive: "
          "eval \"$(rederive completion zsh)\"\n_rederive() {\n"
          "    local -a names=(\n",
          out);
    for (const struct command *c = commands; c->name; c++) {
        fprintf(out, "        '%s:", c->name);
        print_zsh_text(out, c->summary);
        fputs("'\n", out);
    }
    fputs("    )\n    if (( CURRENT == 2 )); then\n        _describe command names\n"
          "        return\n    fi\n    local name=$words[2]\n    shift words\n"
          "    (( CURRENT-- ))\n    case $name in\n",
          out);
    for (const struct command *c = commands; c->name; c++) {
        fprintf(out, "        %s) _arguments \\\n", c->name);
        for (const struct opt_group *g = c->groups; g->options; g++)
            for (const struct opt *o = g->options; o->name; o++)
                print_zsh_option(out, o);
        fprintf(out, "            '*:argument:%s' ;;\n",
                strcmp(c->name, "completion") == 0 ? "(bash zsh)" : "_files");
    }
    fputs("        help) _describe command names ;;\n    esac\n}\n"
          "if [ \"$funcstack[1]\" = _rederive ]; then\n    _rederive \"$@\"\nelse\n"
          "    compdef _rederive rederive\nfi\n",
          out);
}

int help_completion(FILE *out, const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        print_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(out);
    else
        return RDV_NONE;
    return RDV_OK;
}
