/* SPDX-License-Identifier: Apache-2.0 */
#include "run/server.h"
#include "base/arena.h"
#include "base/str.h"
#include "run/builtin.h"
#include "run/run.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *path;
    bool beside; /* it stands beside /v1, not under it */
} paths[N_SERVER_PATHS] = {{"/chat/completions", false}, {"/completions", false},
                           {"/embeddings", false},       {"/models", false},
                           {"/pooling", true},           {"/props", true},
                           {"/tokenize", true}};

static char *address(rdv_str url, size_t i)
{
    char *out = NULL;
    if (paths[i].beside && rdv_ends(url, RDV_STR("/v1")))
        url.len -= 3;
    return asprintf(&out, "%.*s%s", RDV_FMT(url), paths[i].path) < 0 ? NULL : out;
}

static bool add_header(server *s, const char *line)
{
    struct curl_slist *more = line ? curl_slist_append(s->headers, line) : NULL;
    if (more)
        s->headers = more;
    return more != NULL;
}

static bool add_key(server *s)
{
    char *line = NULL;
    if (asprintf(&line, "Authorization: Bearer %s", s->key) < 0)
        return false;
    bool ok = add_header(s, line);
    explicit_bzero(line, strlen(line));
    free(line);
    return ok;
}

/* "Expect:" without a value: curl would wait for a 100-continue before a long body. */
static bool add_headers(server *s)
{
    return add_header(s, "Content-Type: application/json") && add_header(s, "Expect:") &&
           (!s->key || add_key(s));
}

static int check_key(rdv_str key, rdv_error *err)
{
    for (size_t i = 0; i < key.len; i++)
        if (key.p[i] < '!' || key.p[i] > '~')
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "the API key holds a space or a character that no key has");
    return RDV_OK;
}

void server_init_builtin(server *s, const rdv_endpoint *endpoint, builtin *b, host *h)
{
    *s = (server){.builtin = b,
                  .file = endpoint->builtin,
                  .model = endpoint->builtin->name,
                  .abilities = rdv_builtin_abilities(endpoint->builtin),
                  .host = h};
}

int server_init(server *s, const rdv_endpoint *endpoint, host *h, rdv_error *err)
{
    *s = (server){.model = endpoint->spec.name,
                  .abilities = endpoint->abilities,
                  .host = h,
                  .here = endpoint->spec.here};
    rdv_str key = rdv_trim(endpoint->api_key);
    int rc = check_key(key, err);
    if (rc != RDV_OK)
        return rc;
    bool ok = true;
    for (size_t i = 0; i < N_SERVER_PATHS; i++)
        ok &= (s->url[i] = address(endpoint->spec.url, i)) != NULL;
    s->key = key.len ? strndup(key.p, key.len) : NULL;
    s->found = rdv_arena_new(0);
    ok = ok && s->found && (s->key || !key.len) && add_headers(s);
    return ok ? RDV_OK : rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

void server_deinit(server *s)
{
    for (size_t i = 0; i < N_SERVER_PATHS; i++)
        free(s->url[i]);
    exchange_release(&s->exchange);
    rdv_arena_free(&s->found);
    if (s->key)
        explicit_bzero(s->key, strlen(s->key));
    free(s->key);
    curl_slist_free_all(s->headers);
    *s = (server){0};
}

const char *server_url(const server *s, const char *path)
{
    size_t i = 0;
    while (strcmp(path, paths[i].path) != 0)
        i++;
    return s->url[i];
}

const char *server_blames_key(const server *s, long status)
{
    if (status != 401 && (status != 403 || s->host->answers > 0))
        return NULL;
    return s->key ? "refuses the API key" : "wants an API key";
}

bool server_lacks_version(const server *s)
{
    return strstr(server_url(s, "/chat/completions"), "/v1/") == NULL;
}
