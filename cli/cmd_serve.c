/* SPDX-License-Identifier: Apache-2.0 */
/* rederive serve: serves the built-in model, and stands in front of the servers of others. */
#include "builtin.h"
#include "cmd.h"
#include "terminal.h"
#include "whole_file.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "server/key_file.h"
#include "server/policy.h"
#include "server/price_file.h"
#include "server/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_NAMES 4
#define MOST_OF_SERVERS 1200 /* requests at a time, where the models have servers */
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

/* What a model's servers speak: a word before its address each, "chat+messages+http://...". */
static const struct protocol_word {
    const char *word;
    reply_protocol protocol;
} protocol_words[] = {
    {"chat+", REPLY_CHAT}, {"responses+", REPLY_RESPONSES}, {"messages+", REPLY_MESSAGES}};

/* Cut one of these words off the beginning of a specification; NULL: it begins with none. */
static const struct protocol_word *cut_protocol(rdv_str *spec)
{
    for (size_t i = 0; i < sizeof protocol_words / sizeof *protocol_words; i++) {
        rdv_str word = rdv_str_of(protocol_words[i].word);
        if (!rdv_starts(*spec, word))
            continue;
        *spec = rdv_slice(*spec, word.len, spec->len);
        return &protocol_words[i];
    }
    return NULL;
}

/* What is none of the protocols is converted to the first. */
static void cut_protocols(rdv_str *spec, serve_model *m)
{
    const struct protocol_word *first = cut_protocol(spec);
    if (!first)
        return;
    m->converts_to = first->protocol;
    for (const struct protocol_word *w = first; w; w = cut_protocol(spec))
        m->speaks[w->protocol] = true;
    m->speaks[REPLY_TEXT] = m->speaks[REPLY_CHAT];
}

/* Cut "NAME=" off the beginning of an option's value. An address of its own may hold "=". */
static rdv_str cut_name(rdv_str *value)
{
    static const char *const specs[] = {"http://",     "https://", "openai:",    "builtin",
                                        "transcript:", "chat+",    "responses+", "messages+"};
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
    serve_model m = {0};
    size_t n;
    cut_protocols(&spec, &m);
    int code = rdv_model_parse_servers(spec, s->arena, &own, &servers, &n, err);
    if (code != RDV_OK)
        return rdv_wrap(err, code, "--model");
    if (servers[0].kind == RDV_MODEL_BUILTIN && !m.speaks[m.converts_to])
        return take_builtin(s, name, &servers[0], err);
    if (servers[0].kind != RDV_MODEL_SERVER)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--model %.100s: only builtin, builtin:FILE and models that have a server "
                        "can be served",
                        item);
    name = name.p ? name : own;
    code = check_name(s, name, err);
    m.name = name;
    m.servers = servers;
    m.n = n;
    if (code == RDV_OK)
        s->models[s->n_models++] = m;
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

/* ---- who may ask ----------------------------------------------------------------------------- */

/* A file of an option. */
static int read_file(const char *option, const char *path, size_t most, rdv_arena *arena,
                     rdv_str *text, rdv_error *err)
{
    int code = whole_file_read(path, most, arena, text, err);
    if (code == RDV_NONE)
        return rdv_fail(err, RDV_E_ARGUMENT, "%s: there is no file %.200s", option, path);
    return code;
}

/* What others could read or change is no secret. */
static int check_owner(const char *path, rdv_error *err)
{
    struct stat info;
    if (stat(path, &info) != 0 || !(info.st_mode & (S_IRWXG | S_IRWXO)))
        return RDV_OK;
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "--keys %.200s: others than its owner may read or write it; chmod 600 mends it",
                    path);
}

static int add_keys(const struct settings *settings, rdv_arena *arena, access_list *a,
                    rdv_error *err)
{
    rdv_str text;
    const char *path = settings->keys;
    int code = check_owner(path, err);
    if (code == RDV_OK)
        code = read_file("--keys", path, KEY_FILE_MOST, arena, &text, err);
    if (code == RDV_OK && (code = key_file_read(text, a, err)) != RDV_OK)
        code = rdv_wrap(err, code, "--keys %.200s", path);
    return code;
}

static int add_policy(const struct settings *settings, rdv_arena *arena, access_list *a,
                      rdv_error *err)
{
    rdv_str text;
    const char *path = settings->policy;
    int code = read_file("--policy", path, POLICY_MOST, arena, &text, err);
    if (code == RDV_OK && (code = policy_read(text, a, err)) != RDV_OK)
        code = rdv_wrap(err, code, "--policy %.200s", path);
    return code;
}

/* The key of --api-key-env, with the default rule. */
static int add_env_key(const struct settings *settings, access_list *a, rdv_error *err)
{
    unsigned char hash[ACCESS_HASH_BYTES];
    const char *variable = settings->api_key_env;
    rdv_str key = rdv_trim(rdv_str_of(getenv(variable)));
    if (!key.len) /* no client could send a key of spaces only */
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--api-key-env %.100s: the environment has no such key", variable);
    access_hash(key, hash);
    return access_add(a, RDV_STR("api-key-env"), hash, err);
}

static int read_prices(struct serving *s, rdv_error *err)
{
    rdv_str text;
    const char *path = s->settings->prices;
    int code = read_file("--prices", path, PRICE_FILE_MOST, s->arena, &text, err);
    if (code == RDV_OK && (code = price_file_read(text, s->models, s->n_models, err)) != RDV_OK)
        code = rdv_wrap(err, code, "--prices %.200s", path);
    return code == RDV_E_INPUT ? RDV_E_ARGUMENT : code;
}

static bool limits_cost(const access_list *a)
{
    bool any = a->anybody.rule.limits.day.cost;
    for (size_t i = 0; i < a->n; i++)
        any |= a->keys[i].rule.limits.day.cost > 0;
    return any;
}

/* What has no price cannot be limited by it. */
static int check_prices(const struct serving *s, const access_list *a, rdv_error *err)
{
    for (size_t i = 0; i < s->n_models && limits_cost(a); i++)
        if (s->models[i].n && !s->models[i].priced)
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "'dollars_per_day' needs the price of the model '%.*s'; add it to the "
                            "file of --prices",
                            (int)(s->models[i].name.len < 100 ? s->models[i].name.len : 100),
                            s->models[i].name.p);
    return RDV_OK;
}

/* ---- models that check ----------------------------------------------------------------------- */

/* Checks ask by chat completions. */
static int check_speaks(const serve_model *m, rdv_error *err)
{
    bool says = m->speaks[REPLY_RESPONSES] || m->speaks[REPLY_MESSAGES];
    if (!m->n || !says || m->speaks[REPLY_CHAT])
        return RDV_OK;
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "the servers of '%.*s' speak no chat completions, by which a method asks a "
                    "model; name another 'checker'",
                    (int)(m->name.len < 100 ? m->name.len : 100), m->name.p);
}

/* A model of servers that is a rule's checker; without one, each may be. */
static int check_checker(const struct serving *s, const judge_rule *rule, rdv_error *err)
{
    rdv_str name = rdv_str_of(rule->asking.checker);
    bool found = !name.len || (s->has_builtin && (rdv_str_eq(name, RDV_STR(PLAIN_NAME)) ||
                                                  rdv_str_eq(name, s->builtin_name)));
    int code = RDV_OK;
    for (size_t i = 0; i < s->n_models && code == RDV_OK; i++) {
        bool is = rdv_str_eq(s->models[i].name, name);
        found |= is;
        if (s->models[i].n && (is || !name.len))
            code = check_speaks(&s->models[i], err);
    }
    if (code == RDV_OK && !found)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "the rule's checker '%s' is no model that is served", name.p);
    return code;
}

static int check_checkers(const struct serving *s, const access_list *a, rdv_error *err)
{
    int code = RDV_OK;
    for (size_t i = 0; i <= a->n && code == RDV_OK; i++) {
        const judge_rule *rule = i ? &a->keys[i - 1].rule.judging : &a->anybody.rule.judging;
        if (judge_rule_asks(rule) || rule->n_others || rule->asking.checker[0])
            code = check_checker(s, rule, err);
    }
    return code;
}

/* All that the options say of it, read anew. */
static int read_access(const struct serving *s, access_list **out, rdv_error *err)
{
    const struct settings *settings = s->settings;
    rdv_arena *arena = rdv_arena_new(0);
    access_list *a = access_new();
    int code = arena && a ? RDV_OK : rdv_no_memory(err);
    if (code == RDV_OK && settings->keys)
        code = add_keys(settings, arena, a, err);
    if (code == RDV_OK && settings->api_key_env)
        code = add_env_key(settings, a, err);
    if (code == RDV_OK && settings->policy)
        code = add_policy(settings, arena, a, err);
    if (code == RDV_OK)
        code = check_prices(s, a, err);
    if (code == RDV_OK)
        code = check_checkers(s, a, err);
    rdv_arena_free(&arena);
    if (code == RDV_OK)
        *out = a;
    else
        access_release(&a);
    return code == RDV_E_INPUT ? RDV_E_ARGUMENT : code;
}

/* What cannot be used changes nothing. */
static access_list *reload(void *of)
{
    rdv_error err;
    struct serving *s = of;
    access_list *now = NULL;
    if (read_access(s, &now, &err) == RDV_OK)
        say("serve: the keys and rules were read again");
    else
        say("serve: %s; the keys and rules stay as they were", err.msg);
    return now;
}

static int read_origins(struct serving *s, rdv_error *err)
{
    const struct list *given = &s->settings->allowed_origins;
    rdv_str *origins = RDV_NEW_ARRAY(s->arena, rdv_str, given->n + 1);
    if (!origins)
        return rdv_no_memory(err);
    for (size_t i = 0; i < given->n; i++) {
        rdv_str one = origins[i] = rdv_str_of(given->items[i]);
        size_t host = rdv_find(one, RDV_STR("://"), 0);
        if (host == RDV_NOT_FOUND || rdv_find_char(one, '/', host + 3) != RDV_NOT_FOUND ||
            rdv_find_char(one, ' ', 0) != RDV_NOT_FOUND)
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "--allow-origin '%.100s' is no origin; write it as in "
                            "https://chat.example.org",
                            given->items[i]);
    }
    s->options.origins = origins;
    s->options.n_origins = given->n;
    return RDV_OK;
}

static int read_hosts(struct serving *s, rdv_error *err)
{
    const struct list *hosts = &s->settings->allowed_hosts;
    rdv_str *names = RDV_NEW_ARRAY(s->arena, rdv_str, hosts->n + 1);
    if (!names)
        return rdv_no_memory(err);
    if (hosts->n && s->options.access->n)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--allow-host has no effect with keys: requests with a key may "
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

static void put_tokens(rdv_buf *b, const serve_line *line)
{
    if (line->estimated < 0) {
        rdv_json_put_null(b, "prompt_tokens");
        rdv_json_put_null(b, "completion_tokens");
    } else {
        rdv_json_put_count(b, "prompt_tokens", line->prompt_tokens);
        rdv_json_put_count(b, "completion_tokens", line->completion_tokens);
    }
    rdv_json_put_flag(b, "tokens_estimated", line->estimated);
}

/* Of texts that a client sends, the model's name and the path's first 64 bytes are told. */
static void tell_request_json(void *payload, const serve_line *line)
{
    char at[32];
    time_t now = time(NULL);
    struct tm utc;
    struct serving *s = payload;
    rdv_buf b;
    rdv_mark mark = rdv_arena_mark(s->arena);
    strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    rdv_buf_init(&b, s->arena, 0);
    rdv_buf_lit(&b, "{");
    rdv_json_put_text(&b, "time", rdv_str_of(at));
    rdv_json_put_text(&b, "method", rdv_str_of(line->method));
    rdv_json_put_text(&b, "path", rdv_str_of(line->path));
    rdv_json_put_count(&b, "status", line->status);
    rdv_json_put_number(&b, "seconds", line->seconds);
    rdv_json_put_text(&b, "key", line->key);
    rdv_json_put_text(&b, "model", rdv_str_head(line->model, 100));
    rdv_json_name(&b, RDV_STR("admitted"));
    rdv_json_flag(&b, line->admitted);
    put_tokens(&b, line);
    rdv_buf_lit(&b, "}\n");
    rdv_str text = rdv_buf_str(&b);
    if (text.p)
        fprintf(stderr, "%.*s", RDV_FMT(text));
    rdv_arena_rewind(s->arena, mark);
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
    if (settings->keys || settings->policy) {
        s->options.reload = reload;
    }
    s->options.payload = s;
    s->options.log = settings->log_json                                    ? tell_request_json
                     : settings->log || (terminal.err && !settings->quiet) ? tell_request
                                                                           : NULL;
    int code = read_models(s, err);
    if (code == RDV_OK)
        code = read_upstream_keys(s, err);
    if (code == RDV_OK && settings->prices)
        code = read_prices(s, err);
    if (code == RDV_OK)
        code = read_access(s, &s->options.access, err);
    if (code == RDV_OK)
        code = read_origins(s, err);
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
    s->options.builtin = &s->model;
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
    if (!s->options.access->n && is_open_to_others(url) && s->models[0].n)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "everyone who can reach %.*s could use the models; --keys FILE or "
                        "--api-key-env NAME is needed",
                        RDV_FMT(url));
    if (!s->options.access->n && is_open_to_others(url) && !s->settings->quiet)
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
    if (s->models[0].n) /* replies of servers take long, and little of this machine */
        s->options.requests = MOST_OF_SERVERS;
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

/* ---- a new key ------------------------------------------------------------------------------- */

static bool write_line(int fd, rdv_str line)
{
    return write(fd, line.p, line.len) == (ssize_t)line.len && fsync(fd) == 0;
}

/* Append its hash to the file, which is made where there is none, and show the key: it is kept
 * nowhere. */
static int add_new_key(const struct settings *settings, rdv_arena *arena, rdv_error *err)
{
    rdv_str key, line, name = rdv_str_of(settings->new_key);
    access_list *a = access_new();
    struct stat info;
    int code = a ? RDV_OK : rdv_no_memory(err);
    if (code == RDV_OK && stat(settings->keys, &info) == 0 && info.st_size > 0)
        code = add_keys(settings, arena, a, err);
    if (code == RDV_OK)
        code = key_file_make(name, arena, &key, &line, err);
    if (code == RDV_OK) /* says what is wrong with the name */
        code = access_add(a, name, (const unsigned char[ACCESS_HASH_BYTES]){0}, err);
    access_release(&a);
    if (code != RDV_OK)
        return code == RDV_E_INPUT ? RDV_E_ARGUMENT : code;
    int fd = open(settings->keys, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    bool written = fd >= 0 && write_line(fd, line);
    int why = errno;
    if (fd >= 0)
        close(fd);
    if (!written)
        return rdv_fail(err, RDV_E_IO, "--keys %.200s: it cannot be written: %s", settings->keys,
                        strerror(why));
    printf("%.*s\n", RDV_FMT(key));
    return RDV_OK;
}

static int new_key(const struct settings *settings)
{
    rdv_error err;
    rdv_arena *arena = rdv_arena_new(0);
    int code = arena ? RDV_OK : rdv_no_memory(&err);
    if (code == RDV_OK && !settings->keys)
        code = rdv_fail(&err, RDV_E_ARGUMENT, "--new-key needs --keys FILE, to which it is added");
    if (code == RDV_OK)
        code = add_new_key(settings, arena, &err);
    if (code != RDV_OK)
        say("serve: %s", err.msg);
    rdv_arena_free(&arena);
    return code == RDV_OK ? DONE : code == RDV_E_ARGUMENT ? USAGE : NOTHING_DONE;
}

int cmd_serve(const struct settings *settings)
{
    if (settings->new_key)
        return new_key(settings);
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
    access_release(&s.options.access);
    rdv_builtin_close(&s.model);
    rdv_arena_free(&s.arena);
    return status;
}
