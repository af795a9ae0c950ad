/* SPDX-License-Identifier: Apache-2.0 */
#include "run/server.h"
#include "base/str.h"
#include "run/builtin.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

#define SECRET_BYTES 8 /* the shortest key that is taken for one */

static char *address(const rdv_endpoint *e, const char *path)
{
    char *url = NULL;
    return asprintf(&url, "%.*s%s", RDV_FMT(e->spec.url), path) < 0 ? NULL : url;
}

/* vLLM has /pooling beside /v1, not under it. */
static char *pooling_address(const rdv_endpoint *e)
{
    rdv_str url = e->spec.url;
    char *out = NULL;
    if (rdv_ends(url, RDV_STR("/v1")))
        url.len -= 3;
    return asprintf(&out, "%.*s/pooling", RDV_FMT(url)) < 0 ? NULL : out;
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
    s->chat = address(endpoint, "/chat/completions");
    s->completions = address(endpoint, "/completions");
    s->embeddings = address(endpoint, "/embeddings");
    s->pooling = pooling_address(endpoint);
    s->models = address(endpoint, "/models");
    s->key = key.len ? strndup(key.p, key.len) : NULL;
    bool ok = s->chat && s->completions && s->embeddings && s->pooling && s->models &&
              (s->key || !key.len) && add_headers(s);
    return ok ? RDV_OK : rdv_fail(err, RDV_E_NOMEM, "out of memory");
}

void server_deinit(server *s)
{
    free(s->chat);
    free(s->completions);
    free(s->embeddings);
    free(s->pooling);
    free(s->models);
    if (s->key)
        explicit_bzero(s->key, strlen(s->key));
    free(s->key);
    curl_slist_free_all(s->headers);
    *s = (server){0};
}

const char *server_url(const server *s, const char *path)
{
    const char *const known[][2] = {{"/models", s->models},
                                    {"/completions", s->completions},
                                    {"/embeddings", s->embeddings},
                                    {"/pooling", s->pooling}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(path, known[i][0]) == 0)
            return known[i][1];
    return s->chat;
}

const char *server_blames_key(const server *s, long status)
{
    if (status != 401 && (status != 403 || s->host->answers > 0))
        return NULL;
    return s->key ? "refuses the API key" : "wants an API key";
}

void server_hide_key(const server *s, char *bytes, size_t len)
{
    size_t n = s->key ? strlen(s->key) : 0;
    if (n < SECRET_BYTES)
        return;
    for (char *at; len >= n && (at = memmem(bytes, len, s->key, n));) {
        memset(at, '*', n);
        len -= (size_t)(at + n - bytes);
        bytes = at + n;
    }
}
