/* SPDX-License-Identifier: Apache-2.0 */
#include "mcp/worker.h"

#include "base/arena.h"
#include "mcp/answer.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct mcp_worker {
    pid_t pid; /* 0: there is none */
    int fd;
};

/* ---- the process ------------------------------------------------------------------------------
 */

static bool take(int fd, void *bytes, size_t n)
{
    char *p = bytes;
    while (n > 0) {
        ssize_t got = read(fd, p, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got;
        n -= (size_t)got;
    }
    return true;
}

static bool give(int fd, const void *bytes, size_t n)
{
    const char *p = bytes;
    while (n > 0) {
        ssize_t sent = send(fd, p, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        p += sent;
        n -= (size_t)sent;
    }
    return true;
}

static bool answer_one(int fd, rdv_arena *arena)
{
    uint64_t size;
    rdv_str answer = {0};
    rdv_arena_reset(arena);
    if (!take(fd, &size, sizeof size))
        return false;
    char *message = rdv_alloc(arena, (size_t)size + 1);
    if (!message || !take(fd, message, (size_t)size))
        return false;
    if (mcp_answer((rdv_str){message, (size_t)size}, arena, &answer, NULL) != RDV_OK)
        return false;
    size = answer.len;
    return give(fd, &size, sizeof size) && give(fd, answer.p, answer.len);
}

/* What is opened later than this is not opened. What is loaded at first use is loaded before. */
static void close_the_doors(void)
{
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_NOFILE, &none);
    setrlimit(RLIMIT_CORE, &none);
}

static _Noreturn void work(int fd)
{
    rdv_arena *arena = rdv_arena_new(0);
    signal(SIGINT, SIG_IGN); /* Ctrl-C is for the process that reads, whose end ends this one */
    close_the_doors();
    while (arena && answer_one(fd, arena))
        continue;
    _exit(0);
}

static int start(mcp_worker *w, rdv_error *err)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return rdv_fail(err, RDV_E_IO, "no socket can be made: %s", strerror(errno));
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        close(STDIN_FILENO);
        close(STDOUT_FILENO);
        work(ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return rdv_fail(err, RDV_E_IO, "no process can be started: %s", strerror(errno));
    }
    *w = (mcp_worker){.pid = pid, .fd = ends[0]};
    return RDV_OK;
}

static void end(mcp_worker *w)
{
    if (!w->pid)
        return;
    close(w->fd);
    kill(w->pid, SIGKILL);
    while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    w->pid = 0;
}

/* ---- the side that asks -----------------------------------------------------------------------
 */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Send or receive until `deadline`. false: the other end is gone (errno 0), or it is too late
 * (ETIMEDOUT). */
static bool move(int fd, short events, char *bytes, size_t n, int64_t deadline)
{
    while (n > 0) {
        int64_t left = deadline - now_ms();
        struct pollfd p = {.fd = fd, .events = events};
        int ready = left > 0 ? poll(&p, 1, (int)left) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        errno = ETIMEDOUT;
        if (ready <= 0)
            return false;
        ssize_t moved = events == POLLOUT ? send(fd, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT)
                                          : recv(fd, bytes, n, MSG_DONTWAIT);
        if (moved < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        errno = 0;
        if (moved <= 0)
            return false;
        bytes += moved;
        n -= (size_t)moved;
    }
    return true;
}

static bool ask(mcp_worker *w, rdv_str message, rdv_arena *arena, rdv_str *answer)
{
    int64_t deadline = now_ms() + MCP_CALL_MS;
    uint64_t size = message.len;
    if (!move(w->fd, POLLOUT, (char *)&size, sizeof size, deadline) ||
        !move(w->fd, POLLOUT, (char *)message.p, message.len, deadline) ||
        !move(w->fd, POLLIN, (char *)&size, sizeof size, deadline))
        return false;
    char *bytes = rdv_alloc(arena, (size_t)size + 1);
    errno = 0;
    if (!bytes || !move(w->fd, POLLIN, bytes, (size_t)size, deadline))
        return false;
    *answer = size ? (rdv_str){bytes, (size_t)size} : (rdv_str){0};
    return true;
}

mcp_worker *mcp_worker_new(rdv_error *err)
{
    mcp_worker *w = calloc(1, sizeof *w);
    if (!w)
        rdv_no_memory(err);
    else if (start(w, err) == RDV_OK)
        return w;
    free(w);
    return NULL;
}

int mcp_worker_answer(mcp_worker *w, rdv_str message, rdv_arena *arena, rdv_str *answer,
                      rdv_error *err)
{
    int code = w->pid ? RDV_OK : start(w, err);
    if (code != RDV_OK)
        return code;
    if (ask(w, message, arena, answer))
        return RDV_OK;
    const char *why = errno == ETIMEDOUT ? "it took longer than 1 s. Give a shorter text."
                                         : "it failed. Nothing is known of the text.";
    end(w);
    return mcp_answer_failed(message, why, arena, answer, err);
}

void mcp_worker_free(mcp_worker **worker)
{
    if (!worker || !*worker)
        return;
    end(*worker);
    free(*worker);
    *worker = NULL;
}
