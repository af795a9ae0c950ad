/* SPDX-License-Identifier: Apache-2.0 */
#include "run/server.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "run/run.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define SECRET_BYTES 8 /* minimum length of a key that is treated as a secret */
#define MAX_ESCAPES 7  /* backslashes before a character: quoted three times */

/* ---- addresses and headers ------------------------------------------------------------------- */

static const struct {
    const char *path;
    bool beside; /* beside /v1, not under it */
} paths[N_SERVER_PATHS] = {
    {"/chat/completions", false}, {"/completions", false}, {"/responses", false},
    {"/messages", false},         {"/embeddings", false},  {"/models", false},
    {"/pooling", true},           {"/props", true},        {"/tokenize", true}};

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

/* "Expect:" without a value: otherwise curl waits for a 100-continue before a long body. */
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

int server_init(server *s, const rdv_endpoint *endpoint, host *h, rdv_error *err)
{
    *s = (server){.base = {.host = h, .abilities = endpoint->abilities, .due = UINT64_MAX},
                  .model = endpoint->spec.name,
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
    return ok ? RDV_OK : rdv_no_memory(err);
}

void server_deinit(server *s)
{
    for (size_t i = 0; i < N_SERVER_PATHS; i++)
        free(s->url[i]);
    http_exchange_release(&s->exchange);
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
    if (status != 401 && (status != 403 || s->base.host->answers > 0))
        return NULL;
    return s->key ? "refuses the API key" : "wants an API key";
}

bool server_lacks_version(const server *s)
{
    return strstr(server_url(s, "/chat/completions"), "/v1/") == NULL;
}

/* ---- its key in the bytes of a response ------------------------------------------------------ */

/* The number of bytes at `p` that spell the character `c` in JSON: plain, escaped, or escaped more
 * than once, as in a body quoted by another body. 0: they spell something else. */
static size_t spelled(const char *p, size_t len, char c)
{
    size_t i = 0;
    while (i < len && i < MAX_ESCAPES && p[i] == '\\')
        i++;
    if (i < len && p[i] == c)
        return i + 1;
    if (i == 0 || len - i < 5 || p[i] != 'u')
        return 0;
    char hex[5];
    snprintf(hex, sizeof hex, "%04x", (unsigned)(unsigned char)c);
    return strncasecmp(p + i + 1, hex, 4) == 0 ? i + 5 : 0;
}

/* The number of bytes at `p` that spell the whole key; 0: they do not. */
static size_t spells_key(const char *key, const char *p, size_t len)
{
    size_t at = 0;
    for (; *key; key++) {
        size_t n = spelled(p + at, len - at, *key);
        if (n == 0)
            return 0;
        at += n;
    }
    return at;
}

static bool has_secret(const server *s)
{
    return s->key && strlen(s->key) >= SECRET_BYTES;
}

void server_hide_secret(const char *key, char *bytes, size_t len)
{
    if (!key || strlen(key) < SECRET_BYTES)
        return;
    for (size_t i = 0; i < len; i++) {
        /* Most bytes begin neither the key nor an escape. */
        if (bytes[i] != key[0] && bytes[i] != '\\')
            continue;
        size_t n = spells_key(key, bytes + i, len - i);
        memset(bytes + i, '*', n);
        i += n ? n - 1 : 0;
    }
}

void server_hide_key(const server *s, char *bytes, size_t len)
{
    server_hide_secret(s->key, bytes, len);
}

/* ---- its key in a parsed reply --------------------------------------------------------------- */

/* The text without the key: unchanged, or a copy. RDV_E_NOMEM. */
static int hide_in_text(const server *s, rdv_str *text, rdv_arena *arena)
{
    if (!text->p || !memmem(text->p, text->len, s->key, strlen(s->key)))
        return RDV_OK;
    char *copy = RDV_NEW_ARRAY(arena, char, text->len);
    if (!copy)
        return RDV_E_NOMEM;
    memcpy(copy, text->p, text->len);
    server_hide_key(s, copy, text->len);
    *text = (rdv_str){copy, text->len};
    return RDV_OK;
}

static int hide_in_others(const server *s, const rdv_token *token, rdv_arena *arena)
{
    for (size_t i = 0; i < token->n_other; i++) {
        rdv_alternative *other = (rdv_alternative *)(uintptr_t)&token->other[i];
        if (hide_in_text(s, &other->text, arena) != RDV_OK)
            return RDV_E_NOMEM;
    }
    return RDV_OK;
}

/* Hide the part of a token's text in bytes `from` to `to` of the text of all tokens; also in an
 * alternative that is the token itself. */
static int blot(rdv_token *token, size_t at, size_t from, size_t to, rdv_arena *arena)
{
    size_t begin = from > at ? from - at : 0;
    size_t end = to < at + token->text.len ? to - at : token->text.len;
    char *copy = RDV_NEW_ARRAY(arena, char, token->text.len + 1);
    if (!copy)
        return RDV_E_NOMEM;
    memcpy(copy, token->text.p, token->text.len);
    memset(copy + begin, '*', end - begin);
    for (size_t i = 0; i < token->n_other; i++)
        if (rdv_str_eq(token->other[i].text, token->text))
            ((rdv_alternative *)(uintptr_t)&token->other[i])->text.p = copy;
    token->text.p = copy;
    return RDV_OK;
}

/* Most models split a key into several tokens. */
static int hide_in_tokens(const server *s, rdv_reply *reply, rdv_arena *arena)
{
    rdv_token *tokens = (rdv_token *)(uintptr_t)reply->tokens;
    rdv_buf all;
    rdv_buf_init(&all, arena, 0);
    for (size_t i = 0; i < reply->n_tokens; i++) {
        rdv_buf_add(&all, tokens[i].text);
        if (hide_in_others(s, &tokens[i], arena) != RDV_OK)
            return RDV_E_NOMEM;
    }
    rdv_str text = rdv_buf_str(&all), key = rdv_str_of(s->key);
    if (!rdv_buf_ok(&all))
        return RDV_E_NOMEM;
    size_t i = 0, at = 0; /* index of a token, and where it begins in `text` */
    for (size_t from = 0; (from = rdv_find(text, key, from)) != RDV_NOT_FOUND; from += key.len) {
        while (at + tokens[i].text.len <= from)
            at += tokens[i++].text.len;
        for (size_t k = i, at_k = at; at_k < from + key.len; at_k += tokens[k++].text.len)
            if (blot(&tokens[k], at_k, from, from + key.len, arena) != RDV_OK)
                return RDV_E_NOMEM;
    }
    return RDV_OK;
}

int server_hide_key_in(const server *s, rdv_reply *reply, rdv_arena *arena, rdv_error *err)
{
    if (!has_secret(s))
        return RDV_OK;
    bool ok = hide_in_text(s, &reply->text, arena) == RDV_OK &&
              hide_in_text(s, &reply->adapted, arena) == RDV_OK &&
              hide_in_text(s, &reply->finish_said, arena) == RDV_OK &&
              hide_in_tokens(s, reply, arena) == RDV_OK;
    return ok ? RDV_OK : rdv_no_memory(err);
}
