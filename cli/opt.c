/* SPDX-License-Identifier: Apache-2.0 */
#include "opt.h"
#include "settings.h"

#include "base/arena.h"
#include "base/nearest.h"
#include "base/str.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_OPTIONS 64
#define MAX_WORD 32

const char *opt_nearest(const char *text, const char *const *words, size_t n)
{
    rdv_str best = {0};
    size_t edits = NEAREST_NONE;
    for (size_t i = 0; i < n; i++)
        nearest_take(rdv_str_of(text), rdv_str_of(words[i]), &best, &edits);
    return best.p;
}

const struct opt *opt_named(const struct command *command, rdv_str name)
{
    for (const struct opt_group *g = command->groups; g->options; g++)
        for (const struct opt *o = g->options; o->name; o++)
            if (rdv_str_eq(rdv_str_of(o->name), name))
                return o;
    return NULL;
}

static const struct opt *find_letter(const struct command *command, char letter)
{
    for (const struct opt_group *g = command->groups; g->options; g++)
        for (const struct opt *o = g->options; o->name; o++)
            if (o->letter == letter)
                return o;
    return NULL;
}

/* The first command that has the option. NULL: none has. */
static const char *other_command(const char *name)
{
    for (const struct command *c = commands; c->name; c++)
        if (c->groups && opt_named(c, rdv_str_of(name)))
            return c->name;
    return NULL;
}

/* What other tools call an option, and what ours is called; the first row whose option the command
 * has is suggested. */
static const struct {
    const char *other, *ours;
} names_elsewhere[] = {
    {"output", "out"},
    {"output-file", "out"},
    {"save", "out"},
    {"input", "in"},
    {"file", "in"},
    {"input-file", "in"},
    {"host", "listen"},
    {"bind", "listen"},
    {"port", "model"},
    {"address", "listen"},
    {"url", "model"},
    {"base-url", "model"},
    {"api-base", "model"},
    {"server", "model"},
    {"endpoint", "model"},
    {"api-key", "api-key-env"},
    {"token", "api-key-env"},
    {"key", "api-key-env"},
    {"workers", "jobs"},
    {"threads", "jobs"},
    {"concurrency", "jobs"},
    {"parallel", "jobs"},
    {"max-workers", "jobs"},
    {"max-connections", "jobs"},
    {"batch-size", "jobs"},
    {"verbose", "progress"},
    {"log-level", "quiet"},
    {"silent", "quiet"},
    {"no-color", "color"},
    {"colour", "color"},
    {"report", "html"},
    {"exit-code", "fail-on-wrong"},
    {"fail", "fail-on-wrong"},
    {"fail-on-error", "fail-on-wrong"},
    {"error-exitcode", "fail-on-wrong"},
    {"prompt", "question"},
    {"problem", "question"},
    {"thinking", "check-reasoning"},
    {"reasoning", "check-reasoning"},
    {"max-output-tokens", "max-tokens"},
    {"budget", "max-cost"},
    {"number", "chains"},
    {"samples", "chains"},
    {"reference", "gold"},
    {"target", "gold"},
    {"prediction", "answer"},
    {"locale", "decimal"},
    {"limit", "number"},
    {"delimiter", "separator"},
    {"display", "view"},
    {"pretty", "view"},
    {"print", "view"},
    {"metric", "method"},
    {"scorer", "method"},
    {"type", "format"},
    {"show", "view"},
};

#define N_ELSEWHERE (sizeof names_elsewhere / sizeof *names_elsewhere)

/* Ours for what another tool calls so, or nearly so. */
static const char *known_elsewhere(const struct command *command, const char *name)
{
    const char *others[N_ELSEWHERE];
    size_t n = 0;
    for (size_t i = 0; i < N_ELSEWHERE; i++)
        if (opt_named(command, rdv_str_of(names_elsewhere[i].ours)))
            others[n++] = names_elsewhere[i].other;
    const char *nearest = opt_nearest(name, others, n);
    for (size_t i = 0; i < N_ELSEWHERE && nearest; i++)
        if (strcmp(names_elsewhere[i].other, nearest) == 0 &&
            opt_named(command, rdv_str_of(names_elsewhere[i].ours)))
            return names_elsewhere[i].ours;
    return NULL;
}

static void unknown_option(const struct command *command, const char *arg, rdv_error *err)
{
    const char *names[MAX_OPTIONS], *nearest;
    char name[MAX_WORD + 1];
    size_t n = 0, len = strcspn(arg + 2, "=");
    for (const struct opt_group *g = command->groups; g->options; g++)
        for (const struct opt *o = g->options; o->name && n < MAX_OPTIONS; o++)
            names[n++] = o->name;
    snprintf(name, sizeof name, "%.*s", (int)(len < MAX_WORD ? len : MAX_WORD), arg + 2);
    nearest = opt_nearest(name, names, n);
    if (!nearest)
        nearest = known_elsewhere(command, name);
    if (nearest)
        rdv_fail(err, RDV_E_ARGUMENT, "unknown option --%s; did you mean --%s?", name, nearest);
    else if (other_command(name))
        rdv_fail(err, RDV_E_ARGUMENT,
                 "unknown option --%s, which 'rederive %s' has; see 'rederive %s --help'", name,
                 other_command(name), command->name);
    else
        rdv_fail(err, RDV_E_ARGUMENT, "unknown option --%s; see 'rederive %s --help'", name,
                 command->name);
}

static void unknown_letter(const struct command *command, char letter, rdv_error *err)
{
    char letters[4 * MAX_OPTIONS] = "";
    size_t len = 0;
    for (const struct opt_group *g = command->groups; g->options; g++)
        for (const struct opt *o = g->options; o->name; o++)
            if (o->letter && len + 4 < sizeof letters)
                len += (size_t)snprintf(letters + len, sizeof letters - len, "%s-%c",
                                        len ? " " : "", o->letter);
    rdv_fail(err, RDV_E_ARGUMENT,
             "unknown option -%c; those of one letter are %s; see 'rederive %s --help'",
             rdv_is_alnum(letter) ? letter : '?', letters, command->name);
}

/* ---- values ---------------------------------------------------------------------------------- */

const char *opt_argument(const struct opt *o)
{
    return o->choices ? o->choices : o->argument ? o->argument : "";
}

bool opt_takes_word(const struct opt *o)
{
    return o->type != OPT_FLAG && !o->alone;
}

const char *opt_before_argument(const struct opt *o)
{
    return o->alone ? "[=" : " ";
}

const char *opt_behind_argument(const struct opt *o)
{
    return o->alone ? "]" : "";
}

bool opt_next_choice(const char **choices, rdv_str *word)
{
    if (!**choices)
        return false;
    size_t len = strcspn(*choices, "|");
    *word = (rdv_str){*choices, len};
    *choices += len + ((*choices)[len] == '|');
    return true;
}

static int wrong_value(const struct opt *o, const char *value, const char *wants, rdv_error *err)
{
    return rdv_fail(err, RDV_E_ARGUMENT, "--%s %.64s: %s", o->name, value, wants);
}

static int set_choice(const struct opt *o, const char *value, const char **out, rdv_error *err)
{
    const char *rest = o->choices;
    rdv_str word;
    while (opt_next_choice(&rest, &word))
        if (rdv_str_eq(word, rdv_str_of(value))) {
            *out = value;
            return RDV_OK;
        }
    return rdv_fail(err, RDV_E_ARGUMENT, "--%s %.64s: must be one of %s", o->name, value,
                    o->choices);
}

static int set_natural(const struct opt *o, const char *value, uint64_t *out, rdv_error *err)
{
    char *end;
    errno = 0;
    uintmax_t x = strtoumax(value, &end, 10);
    if (!rdv_is_digit(value[0]) || *end || errno || x > UINT64_MAX)
        return wrong_value(o, value, "a whole number is required", err);
    if (o->most > 0 && ((double)x < o->least || (double)x > o->most))
        return rdv_fail(err, RDV_E_ARGUMENT, "--%s %.64s: must be a whole number from %g to %g",
                        o->name, value, o->least, o->most);
    *out = (uint64_t)x;
    return RDV_OK;
}

/* Read a finite decimal number at the start of `text`. Returns its end; NULL: there is none. */
static const char *read_number(const char *text, double *out)
{
    char *end;
    if (!rdv_is_digit(text[0]) && text[0] != '.' && text[0] != '-')
        return NULL;
    *out = strtod(text, &end);
    return end != text && isfinite(*out) ? end : NULL;
}

static int set_number(const struct opt *o, const char *value, struct number *out, rdv_error *err)
{
    double x;
    const char *end = read_number(value, &x);
    if (!end || *end || x < o->least || x > o->most)
        return rdv_fail(err, RDV_E_ARGUMENT, "--%s %.64s: must be a number from %g to %g", o->name,
                        value, o->least, o->most);
    *out = (struct number){x, true};
    return RDV_OK;
}

static int set_pair(const struct opt *o, const char *value, struct pair *out, rdv_error *err)
{
    double first, second;
    const char *end = read_number(value, &first);
    end = end && *end == ',' ? read_number(end + 1, &second) : NULL;
    if (!end || *end || first < o->least || second < o->least)
        return wrong_value(o, value, "two numbers joined by a comma are required, such as 1,0.3",
                           err);
    *out = (struct pair){first, second, true};
    return RDV_OK;
}

/* ---- parsing --------------------------------------------------------------------------------- */

struct parser {
    const struct command *command;
    rdv_arena *arena;
    char *settings; /* struct settings, addressed by offset */
    size_t max_items;
    rdv_error *err;
};

static int add_item(struct parser *p, struct list *list, const char *item)
{
    if (!list->items)
        list->items = RDV_NEW_ARRAY(p->arena, const char *, p->max_items);
    if (!list->items)
        return rdv_no_memory(p->err);
    list->items[list->n++] = item;
    return RDV_OK;
}

static int set_value(struct parser *p, const struct opt *o, const char *value)
{
    void *at = p->settings + o->offset;
    switch (o->type) {
    case OPT_FLAG:
        *(bool *)at = true;
        return RDV_OK;
    case OPT_TEXT:
    case OPT_FILE:
        *(const char **)at = value;
        return RDV_OK;
    case OPT_FILES:
    case OPT_TEXTS:
        return add_item(p, at, value);
    case OPT_CHOICE:
        return set_choice(o, value, at, p->err);
    case OPT_NATURAL:
        return set_natural(o, value, at, p->err);
    case OPT_NUMBER:
        return set_number(o, value, at, p->err);
    case OPT_PAIR:
        return set_pair(o, value, at, p->err);
    }
    return rdv_fail(p->err, RDV_E_INTERNAL, "option --%s has no type", o->name);
}

static int set_defaults(struct parser *p)
{
    for (const struct opt_group *g = p->command->groups; g->options; g++)
        for (const struct opt *o = g->options; o->name; o++)
            if (o->initial) {
                int code = set_value(p, o, o->initial);
                if (code != RDV_OK)
                    return code;
            }
    return RDV_OK;
}

/* The option that `arg` names; *value is the text after it in the same word (NULL: none). Returns
 * NULL and sets the error when there is no such option, or it takes no value. */
static const struct opt *read_option(struct parser *p, const char *arg, const char **value)
{
    const struct opt *o;
    if (arg[1] != '-') {
        o = find_letter(p->command, arg[1]);
        *value = arg[2] ? arg + 2 : NULL;
        if (!o)
            unknown_letter(p->command, arg[1], p->err);
    } else {
        size_t len = strcspn(arg + 2, "=");
        o = opt_named(p->command, (rdv_str){arg + 2, len});
        *value = arg[2 + len] ? arg + 3 + len : NULL;
        if (!o)
            unknown_option(p->command, arg, p->err);
    }
    if (o && o->type == OPT_FLAG && *value) {
        rdv_fail(p->err, RDV_E_ARGUMENT, "--%s takes no value", o->name);
        return NULL;
    }
    return o;
}

static int parse_one(struct parser *p, char **argv, int *i)
{
    const char *value;
    const struct opt *o = read_option(p, argv[*i], &value);
    if (!o)
        return RDV_E_ARGUMENT;
    if (!value)
        value = o->alone;
    if (o->type != OPT_FLAG && !value) {
        if (!argv[*i + 1])
            return rdv_fail(p->err, RDV_E_ARGUMENT, "--%s requires a value: --%s %s", o->name,
                            o->name, opt_argument(o));
        value = argv[++*i];
    }
    struct settings *settings = (struct settings *)p->settings;
    settings->given[settings->n_given++] = o;
    settings->help_short |= argv[*i][0] == '-' && argv[*i][1] == o->letter && o->letter == 'h';
    return set_value(p, o, value);
}

bool opt_given(const struct settings *settings, const char *name)
{
    for (size_t i = 0; i < settings->n_given; i++)
        if (strcmp(settings->given[i]->name, name) == 0)
            return true;
    return false;
}

int opt_parse(const struct command *command, int argc, char **argv, rdv_arena *arena,
              struct settings *settings, rdv_error *err)
{
    struct parser p = {command, arena, (char *)settings, (size_t)argc + 1, err};
    *settings = (struct settings){.given = RDV_NEW_ARRAY(arena, const struct opt *, argc + 1)};
    int code = settings->given ? set_defaults(&p) : rdv_no_memory(err);
    bool only_files = false;
    for (int i = 0; i < argc && code == RDV_OK; i++) {
        const char *arg = argv[i];
        if (!only_files && strcmp(arg, "--") == 0)
            only_files = true;
        else if (!only_files && arg[0] == '-' && arg[1])
            code = parse_one(&p, argv, &i);
        else if (command->takes_arguments)
            code = add_item(&p, &settings->in, arg);
        else
            code = rdv_fail(err, RDV_E_ARGUMENT, "unexpected argument %.64s%s", arg,
                            strncmp(arg, "http", 4) == 0 ? "; -M names a server" : "");
    }
    return code;
}
