/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http_guard.h"
#include "base/str.h"
#include "server/http_host.h"

#include <strings.h>

/* ---- addresses ------------------------------------------------------------------------------- */

#define ONE_MODEL "/v1/models/"

/* "/" is not "%2F", which a proxy that guards addresses lets pass (RFC 3986, section 2.2); in a
 * model's name it is. */
http_route http_guard_route(const http_request *request, const char **model)
{
    static const struct {
        const char *path;
        http_route route;
    } routes[] = {{"/v1/chat/completions", HTTP_ROUTE_CHAT},
                  {"/v1/completions", HTTP_ROUTE_TEXT},
                  {"/v1/responses", HTTP_ROUTE_RESPONSES},
                  {"/v1/messages", HTTP_ROUTE_MESSAGES},
                  {"/v1/models", HTTP_ROUTE_MODELS},
                  {"/health", HTTP_ROUTE_HEALTH},
                  {"/metrics", HTTP_ROUTE_METRICS},
                  {"/rederive/check", HTTP_ROUTE_CHECK},
                  {"/rederive/grade", HTTP_ROUTE_GRADE},
                  {"/rederive/vote", HTTP_ROUTE_VOTE},
                  {"/mcp", HTTP_ROUTE_MCP},
                  {"/beta/litellm_basic_guardrail_api", HTTP_ROUTE_GUARDRAIL},
                  {"*", HTTP_ROUTE_SERVER}};
    const char *path = request->path.p;
    *model = NULL;
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
        if (strcmp(path, routes[i].path) == 0 && request->plain == request->path.len)
            return routes[i].route;
    if (strncmp(path, ONE_MODEL, sizeof ONE_MODEL - 1) != 0 ||
        request->plain < sizeof ONE_MODEL - 1)
        return HTTP_ROUTE_NONE;
    *model = path + sizeof ONE_MODEL - 1;
    return HTTP_ROUTE_MODEL;
}

bool http_guard_asks_model(http_route r)
{
    return r == HTTP_ROUTE_CHAT || r == HTTP_ROUTE_TEXT || r == HTTP_ROUTE_RESPONSES ||
           r == HTTP_ROUTE_MESSAGES;
}

bool http_guard_takes_post(http_route r)
{
    return http_guard_asks_model(r) || r == HTTP_ROUTE_CHECK || r == HTTP_ROUTE_GRADE ||
           r == HTTP_ROUTE_VOTE || r == HTTP_ROUTE_MCP || r == HTTP_ROUTE_GUARDRAIL;
}

reply_protocol http_guard_protocol(http_route r)
{
    return r == HTTP_ROUTE_TEXT        ? REPLY_TEXT
           : r == HTTP_ROUTE_RESPONSES ? REPLY_RESPONSES
           : r == HTTP_ROUTE_MESSAGES  ? REPLY_MESSAGES
                                       : REPLY_CHAT;
}

const char *http_guard_methods(http_route r)
{
    if (r == HTTP_ROUTE_SERVER)
        return "GET, HEAD, POST";
    return http_guard_takes_post(r) ? "POST" : "GET, HEAD";
}

static bool check_route(http_route r, const char *method, api_error *f)
{
    if (r == HTTP_ROUTE_NONE)
        return api_error_set(
            f, 404, NULL,
            "There is nothing at this address. This is 'rederive serve'; its addresses begin with "
            "/v1: /v1/models, /v1/chat/completions, /v1/completions, /v1/responses, "
            "/v1/messages; and /rederive/check, /rederive/grade, /rederive/vote, /mcp, "
            "/beta/litellm_basic_guardrail_api, /health and /metrics.");
    bool post = strcmp(method, "POST") == 0;
    bool get = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    if (r != HTTP_ROUTE_SERVER && (http_guard_takes_post(r) ? post : get))
        return true;
    return api_error_set(f, 405, NULL, "The methods that are accepted here: %s.",
                         http_guard_methods(r));
}

/* ---- headers --------------------------------------------------------------------------------- */

static bool check_key(const http_request *request, access_list *of, access_holder **holder,
                      api_error *f)
{
    const char *given = http_request_field(request, HTTP_AUTHORIZATION);
    const char *plain = http_request_field(request, HTTP_API_KEY); /* as Anthropic's clients do */
    bool bearer = given && strncasecmp(given, "Bearer ", 7) == 0;
    *holder = access_find(of, rdv_str_of(bearer ? given + 7 : plain));
    if (!*holder && bearer && plain)
        *holder = access_find(of, rdv_str_of(plain));
    if (*holder)
        return true;
    api_error_set(f, 401, NULL,
                  given || plain ? "The API key is not right." : "An API key is wanted.");
    f->code = "invalid_api_key";
    return false;
}

/* ---- pages in browsers ----------------------------------------------------------------------- */

const char *http_guard_origin(const http_request *request, const serve_options *o)
{
    const char *origin = http_request_field(request, HTTP_ORIGIN);
    for (size_t i = 0; origin && i < o->n_origins; i++)
        if (rdv_str_eq(o->origins[i], rdv_str_of(origin)))
            return origin;
    return NULL;
}

bool http_guard_is_preflight(const http_request *request, const serve_options *o)
{
    return strcmp(request->method, "OPTIONS") == 0 && http_guard_origin(request, o);
}

/* This server has no pages, so that every page is of another origin. */
static bool check_origin(const http_request *request, const serve_options *o, api_error *f)
{
    const char *origin = http_request_field(request, HTTP_ORIGIN);
    if (!origin || http_guard_origin(request, o))
        return true;
    return api_error_set(f, 403, NULL,
                         "Requests of pages of '%.64s' are refused; the server's --allow-origin "
                         "accepts them.",
                         origin);
}

/* A browser page cannot send this type to another site without that site's permission, so no page
 * can use a server on the machine that shows it. A body without a type is refused too: a page can
 * send one (a Blob that states none). */
static bool check_type(const http_request *request, api_error *f)
{
    const char *type = http_request_field(request, HTTP_CONTENT_TYPE);
    if (type && strncasecmp(type, "application/json", 16) == 0 && strchr(" \t;", type[16]))
        return true; /* strchr() finds the end too */
    return api_error_set(f, 415, NULL,
                         "The body must be JSON, and said to be: with curl, add "
                         "-H 'Content-Type: application/json'.");
}

bool http_guard_reads_coding(const http_request *request)
{
    const char *coding = http_request_field(request, HTTP_CONTENT_ENCODING);
    return !coding || !*coding || strcasecmp(coding, "identity") == 0;
}

static bool check_coding(const http_request *request, api_error *f)
{
    if (http_guard_reads_coding(request))
        return true;
    return api_error_set(f, 415, NULL,
                         "The body must not be compressed: its Content-Encoding is '%.64s'.",
                         http_request_field(request, HTTP_CONTENT_ENCODING));
}

/* Without a key, a page in a browser whose name was changed to lead here ("DNS rebinding") would be
 * of the same origin as this server, and could use it; its requests name the page's own host. */
static bool check_host(const http_request *request, const serve_options *o, const access_list *of,
                       api_error *f)
{
    const char *host = http_request_field(request, HTTP_HOST);
    if (of->n || !host || http_host_is_allowed(rdv_str_of(host), o))
        return true;
    return api_error_set(f, 403, NULL,
                         "Requests for the host '%.64s' are refused; the server's "
                         "--allow-host NAME accepts them, and so does an API key.",
                         host);
}

bool http_guard_check(const http_request *request, const serve_options *o, access_list *of,
                      http_route r, access_holder **holder, api_error *f)
{
    *holder = &of->anybody;
    if (!check_host(request, o, of, f) || !check_origin(request, o, f))
        return false;
    if (http_guard_is_preflight(request, o)) /* it has no key; what it asks about has one */
        return true;
    if (r != HTTP_ROUTE_HEALTH && !check_key(request, of, holder, f))
        return false;
    if (!check_route(r, request->method, f))
        return false;
    return !http_guard_takes_post(r) || (check_coding(request, f) && check_type(request, f));
}
