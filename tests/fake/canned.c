/* SPDX-License-Identifier: Apache-2.0 */
/* A server that gives every request the same chat completion, as fast as one thread can: what is
 * measured against it is the client.
 *
 *   canned [DELAY_MS]      prints "PORT n"; serves until its standard input ends
 *
 * With a delay each reply is sent so long after its request, as a model would. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_EVENTS 256
#define REQUEST_BYTES 65536 /* the longest request */
#define FIRST_BYTES 1024

typedef struct connection {
    int fd;
    char *data; /* of the request, as far as it has come */
    size_t len, cap;
    uint64_t due; /* when the reply is to be sent */
    struct connection *next;
} connection;

static char response[1024];
static size_t response_len;
static int poller;
static uint64_t delay;
static connection *first_due, *last_due; /* a queue: the delay is the same for all */

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void make_response(void)
{
    static const char body[] =
        "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"created\":1700000000,"
        "\"model\":\"canned\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
        "\"content\":\"The step computes 12 + 30 = 42 from Step 1 and Information 0. support\"},"
        "\"logprobs\":null,\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":120,"
        "\"completion_tokens\":20,\"total_tokens\":140}}";
    response_len = (size_t)snprintf(response, sizeof response,
                                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                    "Content-Length: %zu\r\n\r\n%s",
                                    sizeof body - 1, body);
}

static void drop(connection *c)
{
    close(c->fd);
    free(c->data);
    free(c);
}

static bool send_response(connection *c)
{
    /* A kilobyte fits the socket's buffer of a client that waits for it. */
    return write(c->fd, response, response_len) == (ssize_t)response_len;
}

static void reply_later(connection *c)
{
    c->due = now_ms() + delay;
    c->next = NULL;
    if (last_due)
        last_due->next = c;
    else
        first_due = c;
    last_due = c;
}

static void reply_due(void)
{
    while (first_due && first_due->due <= now_ms()) {
        connection *c = first_due;
        first_due = c->next;
        if (!first_due)
            last_due = NULL;
        if (!send_response(c))
            drop(c);
    }
}

/* Bytes of the request that the data begins with, or 0 while it is not complete. */
static size_t request_len(const connection *c)
{
    const char *end = memmem(c->data, c->len, "\r\n\r\n", 4);
    if (!end)
        return 0;
    size_t head = (size_t)(end - c->data) + 4, body = 0;
    const char *length = memmem(c->data, head, "Content-Length: ", 16);
    if (length)
        body = strtoul(length + 16, NULL, 10);
    return c->len >= head + body ? head + body : 0;
}

static bool grow(connection *c)
{
    if (c->len < c->cap)
        return true;
    size_t cap = c->cap ? c->cap * 2 : FIRST_BYTES;
    char *data = cap <= REQUEST_BYTES ? realloc(c->data, cap) : NULL;
    if (!data)
        return false;
    c->data = data;
    c->cap = cap;
    return true;
}

static void on_readable(connection *c)
{
    if (!grow(c)) {
        drop(c);
        return;
    }
    ssize_t n = read(c->fd, c->data + c->len, c->cap - c->len);
    if (n <= 0) {
        drop(c);
        return;
    }
    c->len += (size_t)n;
    size_t len = request_len(c);
    if (len == 0)
        return;
    c->len -= len;
    memmove(c->data, c->data + len, c->len);
    if (delay)
        reply_later(c);
    else if (!send_response(c))
        drop(c);
}

static void on_connection(int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;
    connection *c = fd >= 0 ? calloc(1, sizeof *c) : NULL;
    if (!c) {
        if (fd >= 0)
            close(fd);
        return;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    c->fd = fd;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) != 0)
        drop(c);
}

static void watch(int fd, void *as)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = as};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) != 0)
        die("epoll_ctl");
}

static int listen_somewhere(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, len) != 0 || listen(fd, 4096) != 0)
        die("listen");
    getsockname(fd, (struct sockaddr *)&address, &len);
    printf("PORT %d\n", ntohs(address.sin_port));
    fflush(stdout);
    return fd;
}

static void raise_file_limit(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
    static char is_listener, is_input; /* only their addresses matter */
    delay = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    make_response();
    raise_file_limit();
    poller = epoll_create1(EPOLL_CLOEXEC);
    int listener = listen_somewhere();
    watch(listener, &is_listener);
    watch(STDIN_FILENO, &is_input);
    for (;;) {
        struct epoll_event events[MAX_EVENTS];
        int n = epoll_wait(poller, events, MAX_EVENTS, first_due ? 1 : -1);
        if (n < 0 && errno != EINTR)
            die("epoll_wait");
        for (int i = 0; i < n; i++) {
            if (events[i].data.ptr == &is_input)
                return 0;
            if (events[i].data.ptr == &is_listener)
                on_connection(listener);
            else
                on_readable(events[i].data.ptr);
        }
        reply_due();
    }
}
