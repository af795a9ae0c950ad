/* SPDX-License-Identifier: Apache-2.0 */
#include "completion.h"
#include "settings.h"

static void print_names(FILE *out)
{
    fputs("help version", out);
    for (const struct command *c = commands; c->name; c++)
        fprintf(out, " %s", c->name);
}

/* What may follow each option that takes a value: known words, files, or anything. */
static void print_values(FILE *out, const struct command *command)
{
    for (const struct opt_group *g = command->groups; g->options; g++)
        for (const struct opt *o = g->options; o->name; o++) {
            if (!opt_takes_word(o))
                continue;
            fprintf(out, "    %s:--%s", command->name, o->name);
            if (o->letter)
                fprintf(out, " | %s:-%c", command->name, o->letter);
            fputs(") ", out);
            if (completion_is_file(o)) {
                fputs("files=1 ;;\n", out);
                continue;
            }
            fputs("words=\"", out);
            completion_print_values(out, o, ":");
            fputs("\" ;;\n", out);
        }
}

static void print_options(FILE *out, const struct command *command)
{
    fprintf(out, "            %s) words=\"", command->name);
    for (const struct opt_group *g = command->groups; g->options; g++)
        for (const struct opt *o = g->options; o->name; o++)
            fprintf(out, "%s--%s", g == command->groups && o == g->options ? "" : " ", o->name);
    fputs("\" ;;\n", out);
}

/* The first argument of a command: one of its words, or a file. */
static void print_arguments(FILE *out)
{
    for (const struct command *c = commands; c->name; c++)
        if (c->words) {
            fprintf(out, "            %s:2) words=\"", c->name);
            completion_print_words(out, c->words);
            fputs("\" ;;\n", out);
        }
    fputs("            help:2) words=\"", out);
    print_names(out);
    fputs("\" ;;\n", out);
}

void completion_bash(FILE *out)
{
    /* Bash cuts words at colons, which values have (selfcheck:fig2), so the line is cut here, and
     * what Bash would not replace is taken off the replies. */
    fputs("# bash completion of rederive: eval \"$(rederive completion bash)\"\n"
          "_rederive() {\n"
          "    local line=${COMP_LINE:0:COMP_POINT} words= files= i\n"
          "    local -a typed\n"
          "    read -ra typed <<< \"$line\"\n"
          "    case $line in *[[:space:]]) typed+=(\"\") ;; esac\n"
          "    local n=$((${#typed[@]} - 1))\n"
          "    local word=${typed[n]} before=${typed[n-1]} command=${typed[1]}\n"
          "    case $word in --*=*) before=${word%%=*} word=${word#*=} ;; esac\n"
          "    COMPREPLY=()\n"
          "    if [ \"$n\" = 1 ]; then\n        words=\"",
          out);
    print_names(out);
    fputs(" --help --version\"\n    else case $command:$before in\n", out);
    for (const struct command *c = commands; c->name; c++)
        print_values(out, c);
    fputs("    *) case $word in\n        -*) case $command in\n", out);
    for (const struct command *c = commands; c->name; c++)
        print_options(out, c);
    fputs("            esac ;;\n        *) case $command:$n in\n", out);
    print_arguments(out);
    fputs("            *) files=1 ;;\n            esac ;;\n        esac ;;\n    esac; fi\n"
          "    if [ -n \"$files\" ]; then COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "    else COMPREPLY=($(compgen -W \"$words\" -- \"$word\")); fi\n"
          "    case $word:$COMP_WORDBREAKS in\n"
          "    *:*:*) for i in \"${!COMPREPLY[@]}\"; do\n"
          "            COMPREPLY[i]=${COMPREPLY[i]#\"${word%\"${word##*:}\"}\"}\n"
          "        done ;;\n    esac\n"
          "}\ncomplete -o filenames -F _rederive rederive\n",
          out);
}
