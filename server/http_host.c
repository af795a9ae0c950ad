/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http_host.h"
#include "base/str.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <strings.h>

#define LOCAL RDV_STR("localhost")

static bool same_name(rdv_str a, rdv_str b)
{
    return a.len == b.len && strncasecmp(a.p, b.p, a.len) == 0;
}

static bool is_port(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!rdv_is_digit(s.p[i]))
            return false;
    return s.len <= 5;
}

/* RFC 3986, section 3.2.2. */
static bool is_host_character(char c, bool bracketed)
{
    return rdv_is_alnum(c) || (c && strchr("-._~!$&'()*+,;=%", c)) || (bracketed && c == ':');
}

/* The name without its port and brackets. False: this is not the form of a host. */
static bool read_name(rdv_str host, rdv_str *name)
{
    bool bracketed = rdv_starts(host, RDV_STR("["));
    size_t end = rdv_find_char(host, bracketed ? ']' : ':', 0);
    if (end == RDV_NOT_FOUND) {
        if (bracketed)
            return false;
        end = host.len;
    }
    rdv_str port = rdv_slice(host, end + bracketed, host.len);
    if (port.len && (port.p[0] != ':' || !is_port(rdv_slice(port, 1, port.len))))
        return false;
    *name = rdv_slice(host, bracketed, end);
    for (size_t i = 0; i < name->len; i++)
        if (!is_host_character(name->p[i], bracketed))
            return false;
    return name->len || !bracketed;
}

bool http_host_is_valid(rdv_str host)
{
    rdv_str name;
    return read_name(host, &name);
}

/* An IPv4 address as an IPv6 one (::ffff:a.b.c.d). */
static bool read_address(rdv_str name, struct in6_addr *out)
{
    char text[INET6_ADDRSTRLEN + 8];
    struct in_addr v4;
    if (name.len >= INET6_ADDRSTRLEN)
        return false;
    snprintf(text, sizeof text, "%.*s", RDV_FMT(name));
    if (inet_pton(AF_INET6, text, out) == 1)
        return true;
    if (inet_pton(AF_INET, text, &v4) != 1)
        return false;
    snprintf(text, sizeof text, "::ffff:%.*s", RDV_FMT(name));
    return inet_pton(AF_INET6, text, out) == 1;
}

static bool is_local(const struct in6_addr *a)
{
    return IN6_IS_ADDR_LOOPBACK(a) || (IN6_IS_ADDR_V4MAPPED(a) && a->s6_addr[12] == 127);
}

static bool is_any(const struct in6_addr *a)
{
    return IN6_IS_ADDR_UNSPECIFIED(a) ||
           (IN6_IS_ADDR_V4MAPPED(a) && memcmp(a->s6_addr + 12, "\0\0\0\0", 4) == 0);
}

static bool is_listened_at(const struct in6_addr *a, const serve_options *o)
{
    rdv_str name;
    struct in6_addr at;
    return read_name(rdv_str_of(o->listen), &name) && read_address(name, &at) &&
           (is_any(&at) || memcmp(&at, a, sizeof at) == 0);
}

/* A name below localhost whose labels are none empty and begin with no hyphen: "a.localhost". */
static bool is_below_local(rdv_str name)
{
    if (name.len < LOCAL.len + 2 || name.p[name.len - LOCAL.len - 1] != '.' ||
        !same_name(rdv_slice(name, name.len - LOCAL.len, name.len), LOCAL))
        return false;
    for (size_t i = 0; i < name.len; i++)
        if ((i == 0 || name.p[i - 1] == '.') && (name.p[i] == '.' || name.p[i] == '-'))
            return false;
    return true;
}

bool http_host_is_allowed(rdv_str host, const serve_options *o)
{
    struct in6_addr address;
    rdv_str name;
    if (!read_name(host, &name))
        return false;
    if (rdv_ends(name, RDV_STR("."))) /* a name from the root */
        name.len--;
    if (!name.len)
        return false;
    if (read_address(name, &address))
        return is_local(&address) || is_listened_at(&address, o);
    if (rdv_starts(host, RDV_STR("["))) /* brackets hold an address */
        return false;
    if (is_below_local(name))
        return true;
    for (size_t i = 0; i < o->n_hosts; i++)
        if (same_name(name, o->hosts[i]))
            return true;
    return same_name(name, LOCAL);
}
