/* SPDX-License-Identifier: Apache-2.0 */
/* rederive serve: serves the built-in model, and stands in front of the servers of others. */
#include "builtin.h"
#include "cmd.h"
#include "terminal.h"
#include "whole_file.h"

#include "base/arena.h"
#include "base/str.h"
#include "server/policy.h"
#include "server/serve.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MAX_NAMES 4
#define BUILT_IN                                                                                   \
    "This is Rederive's built-in model: 3.3 million parameters, taught eight kinds of small "      \
    "generated tasks for trying and testing. It answers nothing else: do not rely on this reply."
#define PLAIN_NAME "rederive" /* a name that is always accepted for the model */

struct serving {
    const struct settings *settings;
    rdv_arena *arena;
    rdv_model_spec spec; /* of the built-in model */
    bool has_builtin;
    rdv_str builtin_name; /* another name for it; p == NULL: none */
    rdv_builtin model;
    serve_model *models; /* those that have servers, then room for the names of the built-in one */
    size_t n_models;
    rdv_str names[MAX_NAMES];
    serve_options options;
    serve *server;
    char address[32]; /* of --port */
};

/* ---- settings -------------------------------------------------------------------------------- */

/* Cut "NAME=" off the beginning of an option's value. An address of its own may hold "=". */
static rdv_str cut_name(rdv_str *value)
{
    static const char *const specs[] = {"http://", "https://", "openai:", "builtin", "transcript:"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        if (rdv_starts(*value, rdv_str_of(specs[i])))
            return (rdv_str){0};
    size_t end = rdv_find_char(*value, '=', 0);
    if (end == RDV_NOT_FOUND || end == 0)
        return (rdv_str){0};
    rdv_str name = rdv_slice(*value, 0, end);
    *value = rdv_slice(*value, end + 1, value->len);
    return name;
}

static int take_builtin(struct serving *s, rdv_str name, const rdv_model_spec *spec, rdv_error *err)
{
    if (s->has_builtin)
        return rdv_fail(err, RDV_E_ARGUMENT, "--model: the built-in model is given twice");
    s->spec = *spec;
    s->has_builtin = true;
    s->builtin_name = name;
    s->options.warning = spec->path.p ? (rdv_str){0} : RDV_STR(BUILT_IN);
    return RDV_OK;
}

/* A name that clients may send and that is not taken. */
static int check_name(const struct serving *s, rdv_str name, rdv_error *err)
{
    if (rdv_starts(name, RDV_STR("rederive/check/")))
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--model: no model can be called '%.*s': such names say that a reply is "
                        "to be checked",
                        (int)(name.len < 100 ? name.len : 100), name.p);
    for (size_t i = 0; i < s->n_models; i++)
        if (rdv_str_eq(s->models[i].name, name))
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "--model: two models are called '%.*s'; write NAME=SPEC",
                            (int)(name.len < 100 ? name.len : 100), name.p);
    return RDV_OK;
}

static int read_model(struct serving *s, const char *item, rdv_error *err)
{
    rdv_str spec = rdv_str_of(item), own;
    rdv_str name = cut_name(&spec);
    rdv_model_spec *servers;
    size_t n;
    int code = rdv_model_parse_servers(spec, s->arena, &own, &servers, &n, err);
    if (code != RDV_OK)
        return rdv_wrap(err, code, "--model");
    if (servers[0].kind == RDV_MODEL_BUILTIN)
        return take_builtin(s, name, &servers[0], err);
    if (servers[0].kind != RDV_MODEL_SERVER)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--model %.100s: only builtin, builtin:FILE and models that have a server "
                        "can be served",
                        item);
    name = name.p ? name : own;
    code = check_name(s, name, err);
    if (code == RDV_OK)
        s->models[s->n_models++] = (serve_model){.name = name, .servers = servers, .n = n};
    return code;
}

static int read_models(struct serving *s, rdv_error *err)
{
    const struct list *given = &s->settings->served_models;
    int code = RDV_OK;
    s->models = RDV_NEW_ARRAY(s->arena, serve_model, given->n + MAX_NAMES);
    if (!s->models)
        return rdv_no_memory(err);
    for (size_t i = 0; i < given->n && code == RDV_OK; i++)
        code = read_model(s, given->items[i], err);
    return code == RDV_OK && given->n == 0 ? read_model(s, "builtin", err) : code;
}

/* The model of a key: that of the name, or the only one. NULL: there is none such. */
static serve_model *model_of_key(struct serving *s, rdv_str name)
{
    if (!name.p)
        return s->n_models == 1 ? &s->models[0] : NULL;
    for (size_t i = 0; i < s->n_models; i++)
        if (rdv_str_eq(s->models[i].name, name))
            return &s->models[i];
    return NULL;
}

static int read_upstream_keys(struct serving *s, rdv_error *err)
{
    const struct list *given = &s->settings->upstream_keys;
    for (size_t i = 0; i < given->n; i++) {
        rdv_str variable = rdv_str_of(given->items[i]);
        size_t end = rdv_find_last(variable, RDV_STR("="));
        rdv_str name = end == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(variable, 0, end);
        serve_model *m = model_of_key(s, name);
        if (!m)
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "--upstream-key-env %.100s: %s; write NAME=VARIABLE with the name of "
                            "a --model that has a server",
                            given->items[i],
                            name.p ? "there is no such model" : "which model is meant?");
        const char *value = getenv(given->items[i] + (name.p ? end + 1 : 0));
        m->key = rdv_trim(rdv_str_of(value));
        if (!m->key.len)
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "--upstream-key-env %.100s: the environment has no such key",
                            given->items[i]);
    }
    return RDV_OK;
}

static int read_policy(struct serving *s, rdv_error *err)
{
    const char *path = s->settings->policy;
    s->options.rule = judge_rule_default();
    rdv_str text;
    int code = path ? whole_file_read(path, POLICY_MOST, s->arena, &text, err) : RDV_OK;
    if (code == RDV_NONE)
        code = rdv_fail(err, RDV_E_INPUT, "--policy: there is no file %.200s", path);
    else if (path && code == RDV_OK && (code = policy_read(text, &s->options.rule, err)) != RDV_OK)
        code = rdv_wrap(err, code, "--policy %.200s", path);
    return code == RDV_E_INPUT ? RDV_E_ARGUMENT : code;
}

static int read_key(struct serving *s, rdv_error *err)
{
    const char *variable = s->settings->api_key_env;
    const char *value = variable ? getenv(variable) : NULL;
    rdv_str key = rdv_trim(rdv_str_of(value));
    if (variable && !key.len) /* no client could send a key of spaces only */
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--api-key-env %.100s: the environment has no such key", variable);
    if (variable)
        s->options.key = key;
    return RDV_OK;
}

static int read_hosts(struct serving *s, rdv_error *err)
{
    const struct list *hosts = &s->settings->allowed_hosts;
    rdv_str *names = RDV_NEW_ARRAY(s->arena, rdv_str, hosts->n + 1);
    if (!names)
        return rdv_no_memory(err);
    if (hosts->n && s->options.key.p)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--allow-host has no effect with --api-key-env: requests with the key may "
                        "name any host");
    for (size_t i = 0; i < hosts->n; i++) {
        names[i] = rdv_str_of(hosts->items[i]);
        if (!names[i].len || rdv_find_char(names[i], ':', 0) != RDV_NOT_FOUND ||
            rdv_find_char(names[i], '/', 0) != RDV_NOT_FOUND)
            return rdv_fail(
                err, RDV_E_ARGUMENT,
                "--allow-host '%.100s' is no host name; write it as in gpu7.example.org",
                hosts->items[i]);
    }
    s->options.hosts = names;
    s->options.n_hosts = hosts->n;
    return RDV_OK;
}

static void tell_request(void *payload, const serve_line *line)
{
    char at[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    if (line->status == 0)
        say("%s %s %s: the client went away after %.2f s", at, line->method, line->path,
            line->seconds);
    else if (line->replies)
        say("%s %s %s: %u, %zu repl%s, %" PRIu64 " + %" PRIu64 " tokens, %.2f s", at, line->method,
            line->path, line->status, line->replies, line->replies == 1 ? "y" : "ies",
            line->prompt_tokens, line->completion_tokens, line->seconds);
    else
        say("%s %s %s: %u, %.2f s", at, line->method, line->path, line->status, line->seconds);
}

static int read_settings(struct serving *s, rdv_error *err)
{
    const struct settings *settings = s->settings;
    struct terminal terminal = terminal_look(settings);
    serve_options_default(&s->options);
    s->options.listen = settings->listen;
    if (opt_given(settings, "port")) {
        if (opt_given(settings, "listen"))
            return rdv_fail(err, RDV_E_ARGUMENT, "--port cannot be combined with --listen");
        snprintf(s->address, sizeof s->address, "127.0.0.1:%" PRIu64, settings->port);
        s->options.listen = s->address;
    }
    s->options.request_ms = (uint32_t)llround(settings->timeout.is * 1000);
    s->options.log = settings->log || (terminal.err && !settings->quiet) ? tell_request : NULL;
    int code = read_models(s, err);
    if (code == RDV_OK)
        code = read_upstream_keys(s, err);
    if (code == RDV_OK)
        code = read_policy(s, err);
    if (code == RDV_OK)
        code = read_key(s, err);
    return code == RDV_OK ? read_hosts(s, err) : code;
}

/* ---- serving --------------------------------------------------------------------------------- */

static void add_name(struct serving *s, rdv_str name)
{
    for (size_t i = 0; i < s->options.n_names; i++)
        if (rdv_str_eq(s->names[i], name))
            return;
    s->names[s->options.n_names++] = name;
}

/* The names that a request may use for the model: with its version, without it, and PLAIN_NAME. */
static int name_builtin(struct serving *s, rdv_error *err)
{
    rdv_str name = s->model.name;
    rdv_lm_info info;
    rdv_lm_about(s->model.lm, &info);
    int code = RDV_OK;
    if (s->builtin_name.p)
        add_name(s, s->builtin_name);
    add_name(s, name);
    add_name(s, rdv_slice(name, 0, rdv_find_last(name, RDV_STR("@"))));
    add_name(s, RDV_STR(PLAIN_NAME));
    s->options.names = s->names;
    s->options.lm = s->model.lm;
    s->options.context = info.context;
    for (size_t i = 0; i < s->options.n_names && code == RDV_OK; i++) {
        code = check_name(s, s->names[i], err);
        if (code == RDV_OK)
            s->models[s->n_models++].name = s->names[i];
    }
    return code;
}

static void stop(void *server)
{
    serve_stop(server);
}

static bool is_open_to_others(rdv_str url)
{
    return !rdv_starts(url, RDV_STR("http://127.")) && !rdv_starts(url, RDV_STR("http://[::1]"));
}

static int tell_address(struct serving *s, rdv_error *err)
{
    rdv_str url = serve_url(s->server);
    if (!s->options.key.p && is_open_to_others(url) && !s->settings->quiet)
        say("everyone who can reach %.*s can use the server; --api-key-env NAME requires a key",
            RDV_FMT(url));
    if (s->options.warning.p && !s->settings->quiet)
        fputs("serve: the built-in model, of 3.3 million parameters, for eight kinds of small "
              "generated tasks; it answers nothing else (docs/serve.md). To check with a model of "
              "your own, serve it with llama.cpp, Ollama or vLLM and name it: rederive check -M "
              "http://localhost:8000/v1#NAME\n",
              stderr);
    printf("listening on %.*s\n", RDV_FMT(url));
    if (fflush(stdout) != 0)
        return rdv_fail(err, RDV_E_IO, "standard output cannot be written: %s", strerror(errno));
    return RDV_OK;
}

static int run_server(struct serving *s, rdv_error *err)
{
    int code = s->has_builtin ? builtin_open(&s->model, &s->spec, s->arena, err) : RDV_OK;
    if (code == RDV_OK && s->has_builtin)
        code = name_builtin(s, err);
    if (code != RDV_OK)
        return code;
    s->options.models = s->models;
    s->options.n_models = s->n_models;
    code = serve_new(&s->server, &s->options, err);
    if (code == RDV_OK)
        code = tell_address(s, err);
    if (code != RDV_OK)
        return code;
    when_interrupted(stop, s->server);
    serve_run(s->server);
    when_interrupted(NULL, NULL);
    return code;
}

int cmd_serve(const struct settings *settings)
{
    struct serving s = {.settings = settings, .arena = rdv_arena_new(0)};
    rdv_error err = {0};
    int status = DONE;
    int code = s.arena ? read_settings(&s, &err) : rdv_no_memory(&err);
    if (code == RDV_OK)
        code = run_server(&s, &err);
    if (code != RDV_OK) {
        say("serve: %s", err.msg);
        status = code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE;
    }
    serve_free(&s.server);
    rdv_builtin_close(&s.model);
    rdv_arena_free(&s.arena);
    return status;
}
