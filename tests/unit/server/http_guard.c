/* SPDX-License-Identifier: Apache-2.0 */
/* What a server refuses, as properties: of a key, a host, an address, a type and a limit that is
 * right, everything beside it is wrong. Requests are read from bytes, as they come. */
#include "../test.h"
#include "server/http_guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define LONGEST 160

/* Calls `each` with every text that stands beside `right`: its proper prefixes and suffixes, itself
 * twice, and with one character removed, doubled, replaced, added or of the other case. */
static void beside(const char *right, void (*each)(void *of, const char *text), void *of)
{
    char text[LONGEST];
    size_t n = strlen(right);
    for (size_t i = 0; i < n; i++) {
        snprintf(text, sizeof text, "%.*s", (int)i, right);
        each(of, text);
        each(of, right + n - i);
        snprintf(text, sizeof text, "%.*s%s", (int)i, right, right + i + 1);
        each(of, text);
        snprintf(text, sizeof text, "%.*s%s", (int)i + 1, right, right + i);
        each(of, text);
        snprintf(text, sizeof text, "%s", right);
        text[i] ^= 0x20;
        if (text[i] > 0x20 && text[i] < 0x7f)
            each(of, text);
    }
    for (char c = '!'; c <= '~'; c++) {
        snprintf(text, sizeof text, "%s%c", right, c);
        each(of, text);
        snprintf(text, sizeof text, "%c%s", c, right);
        each(of, text);
        for (size_t i = 0; i < n; i++) {
            snprintf(text, sizeof text, "%s", right);
            text[i] = c;
            each(of, text);
        }
    }
    snprintf(text, sizeof text, "%s%s", right, right);
    each(of, text);
    each(of, "");
}

/* Those who have this key; NULL: anybody. */
static access_list *those_with(const char *key)
{
    unsigned char hash[ACCESS_HASH_BYTES];
    rdv_error err;
    access_list *a = access_new();
    assert_non_null(a);
    access_hash(rdv_str_of(key), hash);
    if (key)
        assert_int_equal(access_add(a, RDV_STR("one"), hash, &err), RDV_OK);
    return a;
}

/* The status of a request: 200 if it is allowed. */
static unsigned status_of(const serve_options *o, const char *bytes)
{
    access_holder *holder;
    access_list *of = o->access ? access_hold(o->access) : those_with(NULL);
    http_request r;
    api_error f = {0};
    const char *model;
    size_t used;
    http_request_init(&r, 1000);
    http_step step = http_request_read(&r, bytes, strlen(bytes), &used);
    unsigned status = r.error.status;
    if (step != HTTP_READ_REFUSED) {
        assert_int_equal(step, strstr(bytes, "Content-Length") ? HTTP_READ_HEAD : HTTP_READ_WHOLE);
        http_route route = http_guard_route(&r, &model);
        status = http_guard_check(&r, o, of, route, &holder, &f) ? 200 : f.status;
    }
    http_request_free(&r);
    access_release(&of);
    return status;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static const char *const keys[] = {"open-sesame",    "k",      "sk-0123456789abcdefABCDEF",
                                   "A+/=._~-z:\"{}", "Bearer", "aaaa"};

typedef struct key_case {
    const char *key, *scheme, *path;
    size_t n;
} key_case;

static unsigned status_with_key(const key_case *c, const char *given)
{
    char bytes[600];
    serve_options o = {.listen = "127.0.0.1:80", .access = those_with(c->key)};
    snprintf(bytes, sizeof bytes, "GET %s HTTP/1.1\r\nHost: a\r\nAuthorization: %s%s\r\n\r\n",
             c->path, c->scheme, given);
    unsigned status = status_of(&o, bytes);
    access_release(&o.access);
    return status;
}

static void refuse_key(void *of, const char *given)
{
    key_case *c = of;
    if (strcmp(given, c->key) == 0)
        return;
    c->n++;
    if (status_with_key(c, given) != 401)
        fail_msg("the key \"%s\" is taken for \"%s\"", given, c->key);
}

static void test_key__nothing_beside_it(void **state)
{
    static const char *const paths[] = {"/v1/models", "/v1/models/x", "/nothing"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
            key_case c = {keys[i], "Bearer ", paths[p], 0};
            beside(keys[i], refuse_key, &c);
            assert_true(c.n >= 90 * strlen(keys[i]));
            assert_int_equal(status_with_key(&c, keys[i]), p < 2 ? 200 : 404);
        }
    }
}

static void refuse_scheme(void *of, const char *scheme)
{
    key_case *c = of;
    char before[LONGEST + 2];
    if (strcasecmp(scheme, "Bearer") == 0) /* RFC 9110, section 11.1 */
        return;
    snprintf(before, sizeof before, "%s ", scheme);
    c->scheme = before;
    if (status_with_key(c, c->key) != 401)
        fail_msg("the scheme \"%s\" is taken for Bearer", scheme);
}

static void test_key__nothing_beside_its_scheme(void **state)
{
    static const char *const others[] = {"",         "Bearer",   "Bearer\t",       "Basic ",
                                         "Bearer: ", "Bearer  ", "Bearer Bearer ", "Token "};
    key_case c = {"open-sesame", "", "/v1/models", 0};
    beside("Bearer", refuse_scheme, &c);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        c.scheme = others[i];
        if (status_with_key(&c, c.key) != 401)
            fail_msg("\"%s\" is taken for the scheme", others[i]);
    }
    c.scheme = "bEARER ";
    assert_int_equal(status_with_key(&c, c.key), 200);
}

/* Every address but /health wants the key, and tells nothing of what is there without it. */
static void test_key__of_every_address(void **state)
{
    static const char *const lines[] = {"GET /v1/models",
                                        "GET /v1/models/m",
                                        "GET /nothing",
                                        "POST /v1/models",
                                        "POST /v1/completions",
                                        "GET /",
                                        "GET /healthy",
                                        "GET /Health",
                                        "GET /health/",
                                        "GET /v1/../health",
                                        "POST /v1/chat/completions"};
    serve_options o = {.listen = "127.0.0.1:80", .access = those_with("open-sesame")};
    char bytes[200];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(bytes, sizeof bytes, "%s HTTP/1.1\r\nHost: a\r\n\r\n", lines[i]);
        if (status_of(&o, bytes) != 401)
            fail_msg("%s needs no key", lines[i]);
    }
    assert_int_equal(status_of(&o, "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"), 200);
    access_release(&o.access);
}

/* ---- pages ----------------------------------------------------------------------------------- */

/* No page of another origin may ask, whatever it asks for, unless it is listed letter by letter. */
static void test_origin(void **state)
{
    static const rdv_str listed[] = {{"https://chat.example", 20}};
    static const struct {
        const char *origin;
        unsigned plain, with_list;
    } cases[] = {{"https://chat.example", 403, 200}, {"http://chat.example", 403, 403},
                 {"https://chat.example:8443", 403, 403}, {"https://chat.example.evil", 403, 403},
                 {"null", 403, 403}, {"http://localhost:8080", 403, 403}, {"", 403, 403}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char bytes[200];
        serve_options o = {.listen = "127.0.0.1:80"};
        snprintf(bytes, sizeof bytes,
                 "GET /v1/models HTTP/1.1\r\nHost: localhost\r\nOrigin: %s\r\n\r\n",
                 cases[i].origin);
        assert_int_equal(status_of(&o, bytes), cases[i].plain);
        o.origins = listed;
        o.n_origins = 1;
        assert_int_equal(status_of(&o, bytes), cases[i].with_list);
    }
}

/* ---- hosts ----------------------------------------------------------------------------------- */

/* The names that are meant, without http_host.c: loopback addresses, names below localhost. */
static bool is_meant(const char *host)
{
    static const char *const names[] = {"localhost", "gpu.example", "other"};
    char name[LONGEST];
    unsigned a, b, c;
    int end = 0;
    snprintf(name, sizeof name, "%s", host);
    bool loopback = strncmp(name, "[::1]", 5) == 0;
    char *port = strchr(loopback ? name + 5 : name, ':');
    if (port && (strspn(port + 1, "0123456789") != strlen(port + 1) || strlen(port) > 6))
        return false;
    if (port)
        *port = '\0';
    if (loopback)
        return name[5] == '\0';
    if (strcspn(name, "\"#/<>?@[\\]^`{|}") != strlen(name)) /* RFC 3986, section 3.2.2 */
        return false;
    size_t n = strlen(name);
    if (n && name[n - 1] == '.')
        name[--n] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    if (sscanf(name, "127.%3u.%3u.%3u%n", &a, &b, &c, &end) == 3 && (size_t)end == n) {
        char same[64]; /* without leading zeros and signs */
        snprintf(same, sizeof same, "127.%u.%u.%u", a, b, c);
        return a < 256 && b < 256 && c < 256 && strcmp(name, same) == 0;
    }
    if (n < sizeof ".localhost" || strcasecmp(name + n - strlen(".localhost"), ".localhost") != 0)
        return false;
    return name[0] != '.' && name[0] != '-' && !strstr(name, "..") && !strstr(name, ".-");
}

static void check_host(void *of, const char *host)
{
    static const rdv_str names[] = {{"gpu.example", 11}, {"Other", 5}};
    const serve_options o = {.listen = "127.0.0.1:80", .hosts = names, .n_hosts = 2};
    char bytes[300];
    snprintf(bytes, sizeof bytes, "GET /health HTTP/1.1\r\nHost: %s\r\n\r\n", host);
    unsigned status = status_of(&o, bytes), wanted = is_meant(host) ? 200 : 403;
    (*(size_t *)of) += wanted != 200;
    if (status != wanted && !(wanted == 403 && status == 400)) /* 400: no form of a host */
        fail_msg("the host \"%s\": status %u for %u", host, status, wanted);
}

static void test_host__nothing_beside_it(void **state)
{
    static const char *const ours[] = {"localhost", "127.0.0.1",        "gpu.example",  "other",
                                       "[::1]",     "localhost:8080",   "a.localhost",  "[::1]:80",
                                       "OTHER.",    "127.200.30.4:123", "gpu.example:1"};
    size_t refused = 0;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        assert_true(is_meant(ours[i]));
        check_host(&refused, ours[i]);
        beside(ours[i], check_host, &refused);
    }
    assert_true(refused > 5000);
}

/* ---- addresses ------------------------------------------------------------------------------- */

static const char *const addresses[] = {"/v1/chat/completions", "/v1/completions", "/v1/models",
                                        "/health"};

static http_route route_of(const char *path)
{
    char bytes[300];
    http_request r;
    const char *model;
    size_t used;
    snprintf(bytes, sizeof bytes, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
    http_request_init(&r, 10);
    http_route route = HTTP_ROUTE_NONE;
    if (http_request_read(&r, bytes, strlen(bytes), &used) == HTTP_READ_WHOLE)
        route = http_guard_route(&r, &model);
    http_request_free(&r);
    return route;
}

/* What stands before the query, if a model's name does not follow. */
static bool is_address(const char *path)
{
    size_t n = strcspn(path, "?");
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
        if (strlen(addresses[i]) == n && strncmp(path, addresses[i], n) == 0)
            return true;
    return strncmp(path, "/v1/models/", 11) == 0;
}

static void check_address(void *of, const char *path)
{
    bool none = route_of(path) == HTTP_ROUTE_NONE;
    (*(size_t *)of) += none;
    if (none == is_address(path))
        fail_msg("the address \"%s\" is %s", path, none ? "none" : "taken for another");
}

static void test_address__nothing_beside_it(void **state)
{
    static const http_route routes[] = {HTTP_ROUTE_CHAT, HTTP_ROUTE_TEXT, HTTP_ROUTE_MODELS,
                                        HTTP_ROUTE_HEALTH};
    size_t none = 0;
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        assert_int_equal(route_of(addresses[i]), routes[i]);
        beside(addresses[i], check_address, &none);
    }
    assert_true(none > 4000);
    assert_int_equal(route_of("/v1/models/m"), HTTP_ROUTE_MODEL);
    assert_int_equal(route_of("/v1%2Fmodels"), HTTP_ROUTE_NONE);
    assert_int_equal(route_of("/v1%2fmodels/m"), HTTP_ROUTE_NONE);
    assert_int_equal(route_of("/v1/models/a%2Fb"), HTTP_ROUTE_MODEL);
    assert_int_equal(route_of("/v1/%6dodels"), HTTP_ROUTE_MODELS);
    assert_int_equal(route_of("/V1/models"), HTTP_ROUTE_NONE);
}

/* ---- types and methods ----------------------------------------------------------------------- */

static unsigned status_of_type(const char *type)
{
    const serve_options o = {.listen = "127.0.0.1:80"};
    char bytes[300];
    snprintf(bytes, sizeof bytes,
             "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
             "Content-Type: %s\r\n\r\n",
             type);
    return status_of(&o, bytes);
}

/* A page in a browser may send text/plain to any site, and not JSON. */
static void check_type(void *of, const char *type)
{
    size_t n = strcspn(type, "; \t");
    bool json = n == 16 && strncasecmp(type, "application/json", n) == 0;
    unsigned status = status_of_type(type);
    (*(size_t *)of)++;
    if (status != (json ? 200 : 415))
        fail_msg("the type \"%s\": status %u", type, status);
}

static void test_type__nothing_beside_it(void **state)
{
    size_t n = 0;
    beside("application/json", check_type, &n);
    assert_true(n > 1500);
    assert_int_equal(status_of_type("application/json; charset=utf-8"), 200);
    assert_int_equal(status_of_type("text/plain"), 415);
    assert_int_equal(status_of_type("text/plain; application/json"), 415);
}

static void test_method__nothing_else(void **state)
{
    static const char *const methods[] = {"GET",  "HEAD",    "POST",  "PUT",  "DELETE",
                                          "LOCK", "OPTIONS", "PATCH", "COPY", "TRACE"};
    const serve_options o = {.listen = "127.0.0.1:80"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
            char bytes[300];
            snprintf(bytes, sizeof bytes,
                     "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\r\n",
                     methods[m], addresses[i]);
            bool right = i < 2 ? m == 2 : m < 2;
            if (status_of(&o, bytes) != (right ? 200 : 405))
                fail_msg("%s %s: status %u", methods[m], addresses[i], status_of(&o, bytes));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_key__nothing_beside_it),
        cmocka_unit_test(test_key__nothing_beside_its_scheme),
        cmocka_unit_test(test_key__of_every_address),
        cmocka_unit_test(test_origin),
        cmocka_unit_test(test_host__nothing_beside_it),
        cmocka_unit_test(test_address__nothing_beside_it),
        cmocka_unit_test(test_type__nothing_beside_it),
        cmocka_unit_test(test_method__nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
