/* SPDX-License-Identifier: Apache-2.0 */
#include "server/listen.h"
#include "base/arena.h"
#include "base/str.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#define BACKLOG 64               /* until the loop listens */
#define UNSENT_BYTES (32 * 1024) /* of a connection, in the system */
#define HOST_BYTES 64

typedef union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} address;

static int bad(const char *where, rdv_error *err)
{
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "'%.80s' is no address to listen at; write 127.0.0.1:8080 or [::1]:8080",
                    where);
}

static bool read_port(rdv_str text, int *port)
{
    int n = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!rdv_is_digit(text.p[i]) || i > 4)
            return false;
        n = n * 10 + (text.p[i] - '0');
    }
    *port = n;
    return text.len > 0 && n <= 65535;
}

/* Split HOST:PORT into its parts, without brackets. */
static bool split(const char *where, char host[HOST_BYTES], int *port)
{
    rdv_str text = rdv_str_of(where);
    size_t colon = rdv_find_last(text, RDV_STR(":"));
    if (colon == RDV_NOT_FOUND || !read_port(rdv_slice(text, colon + 1, text.len), port))
        return false;
    rdv_str name = rdv_slice(text, 0, colon);
    if (rdv_starts(name, RDV_STR("[")) && rdv_ends(name, RDV_STR("]")))
        name = rdv_slice(name, 1, name.len - 1);
    else if (rdv_find_char(name, ':', 0) != RDV_NOT_FOUND)
        return false;
    if (rdv_str_eq(name, RDV_STR("localhost")))
        name = RDV_STR("127.0.0.1");
    return snprintf(host, HOST_BYTES, "%.*s", RDV_FMT(name)) < HOST_BYTES;
}

static int open_socket(const address *at, const char *where, rdv_error *err)
{
    int yes = 1, unsent = UNSENT_BYTES;
    socklen_t len = at->any.sa_family == AF_INET6 ? sizeof at->v6 : sizeof at->v4;
    int s = socket(at->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s >= 0)
        setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    /* Its connections inherit this. Without it the system takes megabytes of each response that
     * nobody reads, and thousands of them slow down every connection of the machine. */
    if (s >= 0)
        setsockopt(s, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
    if (s >= 0 && bind(s, &at->any, len) == 0 && listen(s, BACKLOG) == 0)
        return s;
    rdv_fail(err, RDV_E_IO, "%s cannot be listened at: %s", where, strerror(errno));
    if (s >= 0)
        close(s);
    return -1;
}

static int port_of(int s)
{
    address at;
    socklen_t len = sizeof at;
    if (getsockname(s, &at.any, &len) != 0)
        return 0;
    return ntohs(at.any.sa_family == AF_INET6 ? at.v6.sin6_port : at.v4.sin_port);
}

int listen_at(const char *where, int *out, rdv_arena *arena, rdv_str *url, rdv_error *err)
{
    address at = {0};
    char host[HOST_BYTES];
    int port;
    if (!split(where, host, &port))
        return bad(where, err);
    bool v6 = strchr(host, ':');
    if ((v6 ? uv_ip6_addr(host, port, &at.v6) : uv_ip4_addr(host, port, &at.v4)) != 0)
        return bad(where, err);
    int s = open_socket(&at, where, err);
    if (s < 0)
        return RDV_E_IO;
    *url = rdv_str_printf(arena, v6 ? "http://[%s]:%d" : "http://%s:%d", host, port_of(s));
    if (!url->p) {
        close(s);
        return rdv_no_memory(err);
    }
    *out = s;
    return RDV_OK;
}
