/* SPDX-License-Identifier: Apache-2.0 */
#include "methods.h"
#include "terminal.h"
#include "text_files.h"
#include "verifying.h"

#include "base/str.h"
#include "score/score.h"

#include <stdio.h>

#define MAX_NAMES 64
#define REWARD "reward:" /* and a file: a step classifier */

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

/* Perplexity asks where there is somebody to ask, and goes by the chain where there is not. */
static bool asks(const struct methods *m, const rdv_method *method, bool model)
{
    bool native = strcmp(method->name, "math") == 0 && m->options.math == RDV_MATH_NATIVE;
    return rdv_method_needs_model(method, &m->options) || (model && method->asks_model && !native);
}

/* The step classifier in the file behind "reward:". */
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
    int code = rdv_reward_open(path, reward, &err);
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

/* ---- methods of the user --------------------------------------------------------------------- */

static int add_own(struct methods *m, const rdv_prompt_text *file, const rdv_prompts *prompts,
                   rdv_error *err)
{
    const rdv_method *method;
    int code = rdv_method_read(file->text, prompts, m->arena, &method, err);
    if (code != RDV_OK)
        return code;
    if (find_method(m, rdv_str_of(method->name)))
        return rdv_fail(err, RDV_E_INPUT, "1: there is a method %s already", method->name);
    if (m->n_own == MAX_OWN)
        return rdv_fail(err, RDV_E_LIMIT, "1: a folder has at most %d methods", MAX_OWN);
    m->own[m->n_own++] = method;
    return RDV_OK;
}

/* The tables are held to the prompts that a run will have. */
static int read_folder(struct methods *m, const struct settings *s, rdv_error *err)
{
    rdv_prompt_text *texts, *files;
    size_t n, n_files;
    rdv_prompts *prompts = NULL;
    int code = prompts_read(s->prompt_dir, s->method_dir, m->arena, &texts, &n, err);
    if (code == RDV_OK)
        code = text_files_read(s->method_dir, ".method", "--method-dir", m->arena, &files, &n_files,
                               err);
    if (code == RDV_OK && n_files == 0)
        code = rdv_fail(err, RDV_E_INPUT, "--method-dir %.200s: there is no method (NAME.method)",
                        s->method_dir);
    if (code == RDV_OK)
        code = rdv_prompts_new(texts, n, &prompts, err);
    for (size_t i = 0; code == RDV_OK && i < n_files; i++) {
        rdv_error fault = {0}; /* begins with the line */
        code = add_own(m, &files[i], prompts, &fault);
        if (code != RDV_OK)
            rdv_fail(err, code, "%s/%.*s.method:%s", s->method_dir, RDV_FMT(files[i].id),
                     fault.msg);
    }
    rdv_prompts_free(&prompts);
    return code;
}

int methods_read_own(struct methods *m, const struct settings *s)
{
    rdv_error err = {0};
    if (!s->method_dir)
        return DONE;
    m->arena = m->arena ? m->arena : rdv_arena_new(0);
    int code = m->arena ? read_folder(m, s, &err) : rdv_fail(&err, RDV_E_NOMEM, "out of memory");
    if (code == RDV_OK)
        return DONE;
    say("%s", err.msg);
    return code == RDV_E_NOMEM ? NOTHING_DONE : USAGE;
}

static int read_methods(struct methods *m, const struct settings *s)
{
    for (rdv_str rest = rdv_str_of(s->method); rest.p;) {
        size_t comma = rdv_find_char(rest, ',', 0);
        rdv_str name = rdv_slice(rest, 0, comma);
        rest = comma == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(rest, comma + 1, rest.len);
        const rdv_method *method = find_method(m, name);
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
    return DONE;
}

static int read_weights(struct methods *m, const struct settings *s)
{
    rdv_error err = {0};
    rdv_check_options_default(&m->options, sizeof m->options);
    rdv_unknown_named(rdv_str_of(s->unknown), &m->options.unknown);
    if (verifying_read(s, &m->options, &err) != RDV_OK) {
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

int methods_read(struct methods *methods, const struct settings *settings, bool none)
{
    *methods = (struct methods){0};
    int status = read_weights(methods, settings);
    if (status == DONE)
        status = methods_read_own(methods, settings);
    if (status != DONE || (none && strcmp(settings->method, "none") == 0))
        return status;
    return read_methods(methods, settings);
}
