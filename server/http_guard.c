/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http_guard.h"
#include "base/str.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <strings.h>

/* ---- addresses ------------------------------------------------------------------------------- */

#define ONE_MODEL "/v1/models/"

http_route http_guard_route(const char *path, const char **model)
{
    static const struct {
        const char *path;
        http_route route;
    } routes[] = {{"/v1/chat/completions", HTTP_ROUTE_CHAT},
                  {"/v1/completions", HTTP_ROUTE_TEXT},
                  {"/v1/models", HTTP_ROUTE_MODELS},
                  {"/health", HTTP_ROUTE_HEALTH}};
    *model = NULL;
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
        if (strcmp(path, routes[i].path) == 0)
            return routes[i].route;
    if (strncmp(path, ONE_MODEL, sizeof ONE_MODEL - 1) != 0)
        return HTTP_ROUTE_NONE;
    *model = path + sizeof ONE_MODEL - 1;
    return HTTP_ROUTE_MODEL;
}

bool http_guard_takes_post(http_route r)
{
    return r == HTTP_ROUTE_CHAT || r == HTTP_ROUTE_TEXT;
}

const char *http_guard_method(const char *method)
{
    static const char *const known[] = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(method, known[i]) == 0)
            return known[i];
    return "?";
}

static bool check_route(http_route r, const char *method, api_error *f)
{
    if (r == HTTP_ROUTE_NONE)
        return api_error_set(f, 404, NULL,
                             "There is nothing at this address; the others begin with /v1, as "
                             "/v1/chat/completions does.");
    bool post = strcmp(method, "POST") == 0;
    bool get = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    if (http_guard_takes_post(r) ? post : get)
        return true;
    return api_error_set(f, 405, NULL, "This address takes %s only.",
                         http_guard_takes_post(r) ? "POST" : "GET");
}

/* ---- headers --------------------------------------------------------------------------------- */

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Takes the same time for any two keys of equal length. */
static bool same_key(rdv_str a, rdv_str b)
{
    unsigned char differs = 0;
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        differs |= (unsigned char)(a.p[i] ^ b.p[i]);
    return differs == 0;
}

static bool check_key(struct MHD_Connection *connection, rdv_str wanted, api_error *f)
{
    const char *given = header(connection, MHD_HTTP_HEADER_AUTHORIZATION);
    if (given && strncasecmp(given, "Bearer ", 7) == 0 && same_key(rdv_str_of(given + 7), wanted))
        return true;
    api_error_set(f, 401, NULL, given ? "The API key is not right." : "An API key is wanted.");
    f->code = "invalid_api_key";
    return false;
}

/* A browser page cannot send this type to another site without that site's permission, so no page
 * can use a server on the machine that shows it. A body without a type is refused too: a page can
 * send one (a Blob that states none). */
static bool check_type(struct MHD_Connection *connection, api_error *f)
{
    const char *type = header(connection, MHD_HTTP_HEADER_CONTENT_TYPE);
    if (type && strncasecmp(type, "application/json", 16) == 0)
        return true;
    return api_error_set(f, 415, NULL,
                         "The body must be JSON, and said to be: with curl, add "
                         "-H 'Content-Type: application/json'.");
}

void http_guard_set_too_long(const serve_options *o, api_error *f)
{
    api_error_set(f, 413, NULL, "The body has more than %zu bytes.", o->max_body);
}

size_t http_guard_length(struct MHD_Connection *connection)
{
    const char *length = header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return length ? strtoull(length, NULL, 10) : 0;
}

bool http_guard_check(struct MHD_Connection *connection, const serve_options *o, http_route r,
                      const char *method, api_error *f)
{
    if (!check_route(r, method, f))
        return false;
    if (o->key.p && r != HTTP_ROUTE_HEALTH && !check_key(connection, o->key, f))
        return false;
    return !http_guard_takes_post(r) || check_type(connection, f);
}
