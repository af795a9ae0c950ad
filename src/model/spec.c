/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing of model specifications, the values of --model on the command line. */
#include <rederive/model.h>

#include "base/arena.h"
#include "base/str.h"

#define OPENAI_URL "https://api.openai.com/v1"

static int copy(rdv_arena *arena, rdv_str s, rdv_str *out, rdv_error *err)
{
    *out = rdv_str_copy(arena, s);
    return out->p ? RDV_OK : rdv_no_memory(err);
}

/* The number of bytes of `url` before the slash or end that closes "scheme://host:port". */
static size_t host_len(rdv_str url)
{
    size_t slash = rdv_find_char(url, '/', rdv_find(url, RDV_STR("://"), 0) + 3);
    return slash == RDV_NOT_FOUND ? url.len : slash;
}

/* Whether nothing follows a host's name, or a colon and a port. */
static bool is_port(rdv_str s)
{
    unsigned port = 0;
    if (s.len == 0)
        return true;
    if (s.p[0] != ':' || s.len > 6)
        return false;
    for (size_t i = 1; i < s.len; i++) {
        if (!rdv_is_digit(s.p[i]))
            return false;
        port = port * 10 + (unsigned)(s.p[i] - '0');
    }
    return port > 0 && port <= 65535;
}

/* "name", "name:port", "[IPv6 address]" or "[IPv6 address]:port". */
static bool is_host(rdv_str host)
{
    bool brackets = host.p[0] == '[';
    size_t end = rdv_find_char(host, brackets ? ']' : ':', 0);
    if (end == RDV_NOT_FOUND)
        return !brackets;
    return end > brackets && is_port(rdv_slice(host, end + brackets, host.len));
}

/* A server's address is used in requests and messages, so only plain characters are allowed:
 * nothing that a shell, a log or a header could misinterpret, and no secrets. */
static int check_url(rdv_str url, rdv_error *err)
{
    rdv_str host = rdv_slice(url, rdv_find(url, RDV_STR("://"), 0) + 3, host_len(url));
    for (size_t i = 0; i < url.len; i++)
        if (url.p[i] <= ' ' || url.p[i] == 0x7f || url.p[i] == '?')
            return rdv_fail(err, RDV_E_ARGUMENT,
                            "a model's address holds no spaces and no question mark");
    if (rdv_find_char(host, '@', 0) != RDV_NOT_FOUND)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "a model's address holds no user name; give the key in the environment");
    if (host.len == 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "a model's address names no host");
    if (!is_host(host))
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "'%.*s' is no host with a port from 1 to 65535; an IPv6 address stands in "
                        "brackets: http://[::1]:8080/v1",
                        RDV_FMT(host));
    return RDV_OK;
}

/* Write scheme and host in small letters, without the port that the scheme has anyway (RFC 3986,
 * section 6.2): two ways to write an address name one server. */
static void normalise(char *url, size_t *len)
{
    size_t end = host_len((rdv_str){url, *len});
    for (size_t i = 0; i < end; i++)
        url[i] = rdv_lower(url[i]);
    rdv_str host = {url, end}, port = RDV_STR(":80");
    if (rdv_starts(host, RDV_STR("https://")))
        port = RDV_STR(":443");
    if (!rdv_ends(host, port))
        return;
    memmove(url + end - port.len, url + end, *len - end);
    *len -= port.len;
}

static int copy_url(rdv_arena *arena, rdv_str s, rdv_str *out, rdv_error *err)
{
    char *url = rdv_cstring(arena, s);
    if (!url)
        return rdv_no_memory(err);
    normalise(url, &s.len);
    *out = (rdv_str){url, s.len};
    return RDV_OK;
}

static bool is_here(rdv_str host)
{
    static const char *const names[] = {"http://localhost", "http://127.0.0.1", "http://[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rdv_str name = rdv_str_of(names[i]);
        if (rdv_starts(host, name) && (host.len == name.len || host.p[name.len] == ':'))
            return true;
    }
    return false;
}

static int parse_server(rdv_str url, rdv_str name, rdv_arena *arena, rdv_model_spec *out,
                        rdv_error *err)
{
    while (rdv_ends(url, RDV_STR("/")) && !rdv_ends(url, RDV_STR("://")))
        url.len--;
    int rc = check_url(url, err);
    if (rc != RDV_OK)
        return rc;
    if (name.len == 0)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "a model has no name; write openai:NAME or http://host:port/v1#NAME; "
                        "'rederive models -M http://host:port/v1' lists those of a server");
    if (rdv_find_char(name, ',', 0) != RDV_NOT_FOUND)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "'%.*s' is no model's name, because it has a comma; write each of several "
                        "servers of one model in full: http://one/v1#NAME,http://two/v1#NAME",
                        (int)(name.len < 100 ? name.len : 100), name.p);
    rdv_model_spec spec = {.kind = RDV_MODEL_SERVER};
    if ((rc = copy_url(arena, url, &spec.url, err)) != RDV_OK ||
        (rc = copy(arena, name, &spec.name, err)) != RDV_OK)
        return rc;
    spec.host = rdv_slice(spec.url, 0, host_len(spec.url));
    spec.here = is_here(spec.host);
    *out = spec;
    return RDV_OK;
}

/* FILE[#NAME] */
static int parse_file(rdv_model_kind is, rdv_str rest, rdv_arena *arena, rdv_model_spec *out,
                      rdv_error *err)
{
    size_t hash = rdv_find_last(rest, RDV_STR("#"));
    rdv_model_spec spec = {.kind = is};
    rdv_str path = rdv_slice(rest, 0, hash);
    if (path.len == 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "%s",
                        is == RDV_MODEL_TRANSCRIPT
                            ? "a transcript needs its file: transcript:FILE"
                            : "a model file is missing; write builtin or builtin:FILE");
    int rc = copy(arena, path, &spec.path, err);
    if (rc == RDV_OK && hash != RDV_NOT_FOUND && hash + 1 < rest.len)
        rc = copy(arena, rdv_slice(rest, hash + 1, rest.len), &spec.name, err);
    if (rc == RDV_OK)
        *out = spec;
    return rc;
}

int rdv_model_parse(rdv_str spec, rdv_arena *arena, rdv_model_spec *out, rdv_error *err)
{
    if (rdv_starts(spec, RDV_STR("openai:")))
        return parse_server(RDV_STR(OPENAI_URL), rdv_slice(spec, 7, spec.len), arena, out, err);
    if (rdv_starts(spec, RDV_STR("transcript:")))
        return parse_file(RDV_MODEL_TRANSCRIPT, rdv_slice(spec, 11, spec.len), arena, out, err);
    if (rdv_starts(spec, RDV_STR("builtin:")))
        return parse_file(RDV_MODEL_BUILTIN, rdv_slice(spec, 8, spec.len), arena, out, err);
    if (rdv_str_eq(spec, RDV_STR("builtin"))) {
        *out = (rdv_model_spec){.kind = RDV_MODEL_BUILTIN};
        return RDV_OK;
    }
    if (rdv_istarts(spec, RDV_STR("http://")) || rdv_istarts(spec, RDV_STR("https://"))) {
        size_t hash = rdv_find_char(spec, '#', 0);
        rdv_str name = hash == RDV_NOT_FOUND ? RDV_STR("") : rdv_slice(spec, hash + 1, spec.len);
        return parse_server(rdv_slice(spec, 0, hash), name, arena, out, err);
    }
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "no such model '%.*s'; write openai:NAME, http://host:port/v1#NAME, "
                    "transcript:FILE or builtin",
                    (int)(spec.len < 100 ? spec.len : 100), spec.p ? spec.p : "");
}
