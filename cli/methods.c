/* SPDX-License-Identifier: Apache-2.0 */
#include "methods.h"
#include "rule_files.h"
#include "terminal.h"
#include "text_files.h"
#include "verifier_options.h"

#include "base/arena.h"
#include "base/str.h"
#include "method/method.h"
#include "score/score.h"

#include <stdio.h>
#include <unistd.h>

#define MAX_NAMES 64
#define REWARD "reward:" /* followed by the file of a step classifier */

static int unknown_method(const struct methods *m, rdv_str name)
{
    char word[64];
    const char *names[MAX_NAMES + MAX_OWN];
    size_t n = 0;
    for (; n < MAX_NAMES && rdv_method_at(n); n++)
        names[n] = rdv_method_at(n)->name;
    for (size_t i = 0; i < m->n_own; i++)
        names[n++] = m->own[i]->name;
    snprintf(word, sizeof word, "%.*s", RDV_FMT(name));
    const char *nearest = opt_nearest(word, names, n);
    if (nearest)
        say("--method %s: unknown method; did you mean %s?", word, nearest);
    else
        say("--method %s: unknown method; 'rederive methods' lists them", word);
    return USAGE;
}

/* Whether the method asks a model. Perplexity does if there is one; else it uses the chain's
 * data. */
static bool asks(const struct methods *m, const rdv_method *method, bool model)
{
    bool native = strcmp(method->name, "math") == 0 && m->options.math == RDV_MATH_NATIVE;
    return rdv_method_needs_model(method, &m->options) || (model && method->asks_model && !native);
}

/* Split "FILE#NAME" in `path`: a name of one's own for the method, which tables of several files
 * share. A file whose own name has a '#' is taken as it is. */
static void split_reward_name(char *path, rdv_str *name, rdv_arena *arena)
{
    char *hash = strrchr(path, '#');
    if (!hash || !hash[1] || access(path, F_OK) == 0)
        return;
    *hash = '\0';
    *name = rdv_str_printf(arena, REWARD "%s", hash + 1);
}

/* Open the step classifier in the file named after "reward:". */
static int read_reward(struct methods *m, rdv_str name, const rdv_method **out)
{
    rdv_error err = {0};
    rdv_reward **reward = &m->rewards[m->n_rewards];
    m->arena = m->arena ? m->arena : rdv_arena_new(0);
    char *path = m->arena ? rdv_cstring(m->arena, rdv_slice(name, strlen(REWARD), name.len)) : NULL;
    if (!path) {
        say("out of memory");
        return NOTHING_DONE;
    }
    split_reward_name(path, &name, m->arena);
    int code = name.p ? rdv_reward_open(path, reward, &err) : rdv_no_memory(&err);
    m->n_rewards += code == RDV_OK;
    if (code == RDV_OK)
        code = rdv_reward_method(*reward, name, m->arena, out, &err);
    if (code == RDV_OK)
        return DONE;
    say("%s", err.msg);
    return code == RDV_E_IO || code == RDV_E_INPUT || code == RDV_E_LIMIT ? USAGE : NOTHING_DONE;
}

void methods_end(struct methods *methods)
{
    for (size_t i = 0; i < methods->n_rewards; i++)
        rdv_reward_free(&methods->rewards[i]);
    rdv_arena_free(&methods->arena);
}

static const rdv_method *find_method(const struct methods *m, rdv_str name)
{
    for (size_t i = 0; i < m->n_own; i++)
        if (rdv_str_eq(name, rdv_str_of(m->own[i]->name)))
            return m->own[i];
    return rdv_method_named(name);
}

/* ---- user-defined methods -------------------------------------------------------------------- */

struct folder {
    rdv_prompt_text *tables, *added, *replaced;
    size_t n_tables, n_added, n_replaced;
};

/* The prompts of one table: those in the folder, as replaced by --prompt-dir. */
static int prompts_of(const struct folder *f, const method_table *t, rdv_arena *arena,
                      rdv_prompts **out, rdv_error *err)
{
    rdv_prompt_text *all = RDV_NEW_ARRAY(arena, rdv_prompt_text, f->n_added + f->n_replaced);
    size_t n = 0;
    if (!all)
        return rdv_no_memory(err);
    for (size_t i = 0; i < f->n_added; i++)
        if (table_has_prompt(t, f->added[i].id)) {
            all[n] = f->added[i];
            all[n++].added = true;
        }
    for (size_t i = 0; i < f->n_replaced; i++)
        if (table_has_prompt(t, f->replaced[i].id))
            all[n++] = f->replaced[i];
    return rdv_prompts_new(all, n, out, err);
}

/* The method that a table describes, or the error in the table or in one of its prompts. */
static int read_table(struct methods *m, const struct folder *f, const rdv_prompt_text *file,
                      const rdv_method **out, rdv_error *err)
{
    method_table table;
    rdv_prompts *prompts = NULL;
    int code = method_table_read(&table, file->text, m->arena, err);
    if (code == RDV_OK && (code = prompts_of(f, &table, m->arena, &prompts, err)) != RDV_OK)
        return rdv_wrap(err, code, "1");
    if (code == RDV_OK)
        code = rdv_method_read(file->text, prompts, m->arena, out, err);
    rdv_prompts_free(&prompts);
    if (code == RDV_OK && find_method(m, rdv_str_of((*out)->name)))
        return rdv_fail(err, RDV_E_INPUT, "1: there is a method %s already", (*out)->name);
    return code;
}

/* The name that a table gives itself, if it can be read; else the name of its file. */
static rdv_str name_of(const rdv_prompt_text *file)
{
    rdv_str rest = file->text, line, key = RDV_STR("method:");
    while (rdv_next_line(&rest, &line))
        if (rdv_starts(line, key))
            return rdv_trim(rdv_slice(line, key.len, line.len));
    size_t slash = rdv_find_last(file->id, RDV_STR("/"));
    return slash == RDV_NOT_FOUND ? file->id : rdv_slice(file->id, slash + 1, file->id.len);
}

/* Keep the error of a table: with the table's line, or with a prompt's file and line. */
static int keep_fault(struct methods *m, const char *dir, const rdv_prompt_text *file,
                      const rdv_error *fault)
{
    struct method_fault *kept = &m->faults[m->n_faults];
    *kept = (struct method_fault){.name = name_of(file)};
    kept->message =
        rdv_is_digit(fault->msg[0])
            ? rdv_str_printf(m->arena, "%s/%.*s.method:%s", dir, RDV_FMT(file->id), fault->msg)
            : rdv_str_printf(m->arena, "%s/%s", dir, fault->msg);
    m->n_faults += kept->message.p != NULL;
    return kept->message.p ? RDV_OK : RDV_E_NOMEM;
}

static int read_folder(struct methods *m, const struct settings *s, rdv_error *err)
{
    struct folder f = {0};
    const char *dir = s->method_dir;
    int code = text_files_read(dir, ".md", "--method-dir", m->arena, &f.added, &f.n_added, err);
    if (code == RDV_OK)
        code =
            text_files_read(dir, ".method", "--method-dir", m->arena, &f.tables, &f.n_tables, err);
    if (code == RDV_OK && s->prompt_dir)
        code = text_files_read(s->prompt_dir, ".md", "--prompt-dir", m->arena, &f.replaced,
                               &f.n_replaced, err);
    if (code == RDV_OK && f.n_tables == 0)
        code = rdv_fail(err, RDV_E_INPUT, "--method-dir %.200s: there is no method (NAME.method)",
                        dir);
    if (code == RDV_OK && f.n_tables > MAX_OWN)
        code = rdv_fail(err, RDV_E_LIMIT, "--method-dir %.200s: a folder has at most %d methods",
                        dir, MAX_OWN);
    for (size_t i = 0; code == RDV_OK && i < f.n_tables; i++) {
        rdv_error fault = {0};
        const rdv_method *method;
        code = read_table(m, &f, &f.tables[i], &method, &fault);
        if (code == RDV_OK)
            m->own[m->n_own++] = method;
        else if (code != RDV_E_NOMEM)
            code = keep_fault(m, dir, &f.tables[i], &fault);
        if (code == RDV_E_NOMEM)
            rdv_fail(err, code, "out of memory");
    }
    return code;
}

int methods_read_own(struct methods *m, const struct settings *s)
{
    rdv_error err = {0};
    if (!s->method_dir)
        return DONE;
    m->arena = m->arena ? m->arena : rdv_arena_new(0);
    int code = m->arena ? read_folder(m, s, &err) : rdv_no_memory(&err);
    if (code == RDV_OK)
        return DONE;
    say("%s", err.msg);
    return code == RDV_E_NOMEM ? NOTHING_DONE : USAGE;
}

/* Whether the chosen name is free of errors; an invalid user-defined method is reported. */
static bool is_whole(const struct methods *m, rdv_str name)
{
    for (size_t i = 0; i < m->n_faults; i++)
        if (rdv_str_eq(m->faults[i].name, name)) {
            say("%.*s", RDV_FMT(m->faults[i].message));
            return false;
        }
    return true;
}

/* A recorded check must be there before the run, and general must be there to combine it. */
static int recorded_usable(const struct methods *m, const struct settings *s)
{
    bool combined = !s->recorded_verifiers;
    for (size_t i = 0; i < m->n; i++) {
        combined |= strcmp(m->is[i]->name, "general") == 0;
        for (size_t k = 0; k < m->options.n_recorded; k++)
            if (rdv_str_eq(rdv_str_of(m->is[i]->name), m->options.recorded[k].method)) {
                say("--recorded-verifiers %s: this run makes the check %s; make it in an earlier "
                    "run",
                    s->recorded_verifiers, m->is[i]->name);
                return USAGE;
            }
    }
    if (!combined)
        say("--recorded-verifiers has no effect: general is not among the methods");
    return combined ? DONE : USAGE;
}

static int read_methods(struct methods *m, const struct settings *s)
{
    for (rdv_str rest = rdv_str_of(s->method); rest.p;) {
        size_t comma = rdv_find_char(rest, ',', 0);
        rdv_str name = rdv_slice(rest, 0, comma);
        rest = comma == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(rest, comma + 1, rest.len);
        const rdv_method *method = find_method(m, name);
        if (!is_whole(m, name))
            return USAGE;
        if (m->n == MAX_METHODS) {
            say("--method: at most %d methods can be given", MAX_METHODS);
            return USAGE;
        }
        if (!method && rdv_starts(name, RDV_STR(REWARD))) {
            int status = read_reward(m, name, &method);
            if (status != DONE)
                return status;
        }
        if (!method)
            return unknown_method(m, name);
        m->is[m->n++] = method;
        if (!m->asks && asks(m, method, s->model != NULL))
            m->asks = method->name;
    }
    return recorded_usable(m, s);
}

static int read_weights(struct methods *m, const struct settings *s)
{
    rdv_error err = {0};
    rdv_check_options_default(&m->options, sizeof m->options);
    rdv_unknown_named(rdv_str_of(s->unknown), &m->options.unknown);
    if (verifier_options_read(s, &m->options, &err) != RDV_OK) {
        say("%s", err.msg);
        return USAGE;
    }
    if (!s->lambda.given)
        return DONE;
    m->options.l1 = s->lambda.first;
    m->options.l0 = s->lambda.second;
    rdv_integration how = {m->options.l1, m->options.l0, m->options.unknown};
    if (rdv_integration_check(&how, &err) == RDV_OK)
        return DONE;
    say("--lambda %g,%g: %s", how.l1, how.l0, err.msg);
    return USAGE;
}

static int read_rules(struct methods *m, const struct settings *s)
{
    rdv_error err = {0};
    rdv_rules *rules = NULL;
    m->arena = m->arena ? m->arena : rdv_arena_new(0);
    int code = m->arena ? rule_files_read(s, m->arena, &rules, &err) : rdv_no_memory(&err);
    m->options.rules = rules;
    if (code == RDV_OK)
        return DONE;
    say("%s", err.msg);
    return code == RDV_E_NOMEM ? NOTHING_DONE : USAGE;
}

int methods_read(struct methods *methods, const struct settings *settings, bool none)
{
    *methods = (struct methods){0};
    int status = read_weights(methods, settings);
    if (status == DONE && (settings->rules_dir || settings->disabled_rules.n))
        status = read_rules(methods, settings);
    if (status == DONE)
        status = methods_read_own(methods, settings);
    if (status != DONE || (none && strcmp(settings->method, "none") == 0))
        return status;
    return read_methods(methods, settings);
}

/* ---- checking -------------------------------------------------------------------------------- */

/* Append the checks by one method. */
static int add_checks_by(const struct methods *methods, size_t i, rdv_chain *chain,
                         rdv_arena *arena, rdv_error *err)
{
    rdv_check *made;
    size_t n;
    int code = (methods->unlisted ? method_check_all : rdv_check_chain_all)(
        methods->is[i], chain, &methods->options, arena, &made, &n, err);
    if (code != RDV_OK)
        return code;
    rdv_check *checks = RDV_NEW_ARRAY(arena, rdv_check, chain->n_checks + n);
    if (!checks)
        return rdv_no_memory(err);
    if (chain->n_checks)
        memcpy(checks, chain->checks, chain->n_checks * sizeof *checks);
    memcpy(checks + chain->n_checks, made, n * sizeof *checks);
    chain->checks = checks;
    chain->n_checks += n;
    return RDV_OK;
}

int methods_check(const struct methods *methods, rdv_chain *chain, rdv_arena *arena, rdv_error *err)
{
    int code = RDV_OK;
    for (size_t i = 0; i < methods->n && code == RDV_OK; i++)
        code = add_checks_by(methods, i, chain, arena, err);
    return code;
}
