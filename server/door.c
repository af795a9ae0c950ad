/* SPDX-License-Identifier: Apache-2.0 */
#include "server/door.h"
#include "base/str.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <strings.h>

/* ---- addresses ------------------------------------------------------------------------------- */

#define ONE_MODEL "/v1/models/"

route door_route(const char *path, const char **model)
{
    static const struct {
        const char *path;
        route route;
    } routes[] = {{"/v1/chat/completions", ROUTE_CHAT},
                  {"/v1/completions", ROUTE_TEXT},
                  {"/v1/models", ROUTE_MODELS},
                  {"/health", ROUTE_HEALTH}};
    *model = NULL;
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
        if (strcmp(path, routes[i].path) == 0)
            return routes[i].route;
    if (strncmp(path, ONE_MODEL, sizeof ONE_MODEL - 1) != 0)
        return ROUTE_NONE;
    *model = path + sizeof ONE_MODEL - 1;
    return ROUTE_MODEL;
}

bool door_takes_post(route r)
{
    return r == ROUTE_CHAT || r == ROUTE_TEXT;
}

const char *door_method(const char *method)
{
    static const char *const known[] = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(method, known[i]) == 0)
            return known[i];
    return "?";
}

static bool check_route(route r, const char *method, fault *f)
{
    if (r == ROUTE_NONE)
        return fault_set(f, 404, NULL, "There is nothing at this address.");
    bool post = strcmp(method, "POST") == 0;
    bool get = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    if (door_takes_post(r) ? post : get)
        return true;
    return fault_set(f, 405, NULL, "This address takes %s only.",
                     door_takes_post(r) ? "POST" : "GET");
}

/* ---- headers --------------------------------------------------------------------------------- */

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* As long for any two keys of one length. */
static bool same_key(rdv_str a, rdv_str b)
{
    unsigned char differs = 0;
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        differs |= (unsigned char)(a.p[i] ^ b.p[i]);
    return differs == 0;
}

static bool check_key(struct MHD_Connection *connection, rdv_str wanted, fault *f)
{
    const char *given = header(connection, MHD_HTTP_HEADER_AUTHORIZATION);
    if (given && strncasecmp(given, "Bearer ", 7) == 0 && same_key(rdv_str_of(given + 7), wanted))
        return true;
    fault_set(f, 401, NULL, given ? "The API key is not right." : "An API key is wanted.");
    f->code = "invalid_api_key";
    return false;
}

/* A page in a browser cannot send this type to another site unasked, so none can use the server of
 * the machine that it is shown on. */
static bool check_type(struct MHD_Connection *connection, fault *f)
{
    const char *type = header(connection, MHD_HTTP_HEADER_CONTENT_TYPE);
    if (type && strncasecmp(type, "application/json", 16) == 0)
        return true;
    return fault_set(f, 415, NULL, "The body must be application/json, and said to be.");
}

void door_say_too_long(const serve_options *o, fault *f)
{
    fault_set(f, 413, NULL, "The body has more than %zu bytes.", o->max_body);
}

size_t door_length(struct MHD_Connection *connection)
{
    const char *length = header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return length ? strtoull(length, NULL, 10) : 0;
}

bool door_check(struct MHD_Connection *connection, const serve_options *o, route r,
                const char *method, fault *f)
{
    if (!check_route(r, method, f))
        return false;
    if (o->key.p && r != ROUTE_HEALTH && !check_key(connection, o->key, f))
        return false;
    return !door_takes_post(r) || check_type(connection, f);
}
