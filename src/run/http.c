/* SPDX-License-Identifier: Apache-2.0 */
#include "run/http.h"

#include "base/arena.h"
#include "run/retry.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#define SWEEP_MS 100          /* interval of the check for stalled bodies */
#define EVENTS 32             /* of sockets, taken at a time, */
#define TURN_NS 1000000       /* and time for them in a turn of the loop, which has more to do */
#define RECEIVE_BYTES 4096L   /* curl's buffer per exchange, by default */
#define FIRST_DATA_BYTES 2048 /* our buffer */
#define MOST_HEADERS ((size_t)64 * 1024)

struct http {
    http_options options;
    uv_loop_t *loop;
    uv_loop_t own;
    size_t n_open; /* of its handles in a loop that is not its own */
    uv_timer_t curl_timer, sweep_timer, wait_timer;
    uv_async_t waker;
    int sockets; /* curl's, in an epoll set of their own; -1: none yet */
    uv_poll_t poll;
    CURLM *multi;
    http_exchange *out; /* a doubly linked list */
    size_t n_done;      /* finished, not yet taken */
    CURL **idle;        /* handles for reuse */
    size_t n_idle, cap_idle;
};

/* ---- exchanges in flight and finished -------------------------------------------------------- */

static void link_out(http *h, http_exchange *x)
{
    x->previous = NULL;
    x->next = h->out;
    if (h->out)
        h->out->previous = x;
    h->out = x;
}

static void unlink_out(http *h, http_exchange *x)
{
    if (x->previous)
        x->previous->next = x->next;
    else
        h->out = x->next;
    if (x->next)
        x->next->previous = x->previous;
    x->previous = x->next = NULL;
}

static void push_done(http *h, http_exchange *x)
{
    http_queue_push(x->done, x);
    h->n_done++;
    if (x->news)
        x->news(x);
}

http_exchange *http_next(http *h, http_queue *q)
{
    http_exchange *x = http_queue_pop(q);
    h->n_done -= x != NULL;
    return x;
}

/* Remove an exchange's handle from curl, and keep it for reuse. */
static void detach(http *h, http_exchange *x)
{
    CURL *easy = x->easy;
    x->easy = NULL;
    unlink_out(h, x);
    curl_multi_remove_handle(h->multi, easy);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, NULL);
    h->idle[h->n_idle++] = easy; /* there is room: see take_easy() */
}

static http_exchange *exchange_of(const http *h, CURL *easy)
{
    char *of = NULL;
    http_exchange *x = h->out;
    if (curl_easy_getinfo(easy, CURLINFO_PRIVATE, &of) == CURLE_OK)
        return (http_exchange *)of;
    while (x && x->easy != easy)
        x = x->next;
    return x;
}

void http_abort(http *h, http_exchange *x)
{
    if (x->easy) {
        detach(h, x);
    } else {
        http_queue_remove(x->done, x);
        h->n_done--;
    }
    http_exchange_release(x);
}

bool http_exchange_may_pass(const http_exchange *x)
{
    return x->end != HTTP_DONE || x->status == 429 || (x->status >= 502 && x->status <= 504);
}

void http_exchange_release(http_exchange *x)
{
    free(x->data);
    free(x->head);
    x->data = x->head = NULL;
    x->len = x->cap = x->head_len = 0;
}

/* ---- curl's callbacks ------------------------------------------------------------------------ */

/* Make room for `n` more bytes; false: too long, or out of memory. */
static bool reserve(http_exchange *x, size_t n)
{
    if (n > x->by->options.max_body - x->len) {
        x->too_long = true;
        return false;
    }
    if (x->cap - x->len >= n)
        return true;
    size_t cap = x->cap ? x->cap * 2 : FIRST_DATA_BYTES;
    if (cap < x->len + n)
        cap = x->len + n;
    char *data = realloc(x->data, cap);
    x->out_of_memory = !data;
    if (!data)
        return false;
    x->data = data;
    x->cap = cap;
    return true;
}

static size_t on_data(char *data, size_t size, size_t n, void *of)
{
    http_exchange *x = of;
    if (x->most_held && x->len >= x->most_held) {
        x->paused = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    if (!reserve(x, size * n))
        return 0;
    if (!x->first_piece)
        curl_easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &x->status);
    memcpy(x->data + x->len, data, size * n);
    x->len += size * n;
    x->last_piece = *x->heard = http_now(x->by);
    if (!x->first_piece)
        x->first_piece = x->last_piece;
    if (x->news)
        x->news(x);
    return size * n;
}

void http_took(http_exchange *x)
{
    if (!x->paused || !x->easy || x->len >= x->most_held)
        return;
    x->paused = false;
    x->last_piece = http_now(x->by);
    curl_easy_pause(x->easy, CURLPAUSE_CONT);
}

/* A header's line. Those of a response before the last ("100 Continue") do not count. */
static size_t on_header(char *line, size_t size, size_t n, void *of)
{
    http_exchange *x = of;
    size_t len = size * n;
    if (!x->keeps_head)
        return len;
    if (len >= 5 && memcmp(line, "HTTP/", 5) == 0)
        x->head_len = 0;
    if (len > MOST_HEADERS - x->head_len) {
        snprintf(x->why, sizeof x->why, "headers of more than %zu bytes", MOST_HEADERS);
        return 0;
    }
    char *head = realloc(x->head, x->head_len + len + 1);
    x->out_of_memory |= !head;
    if (!head)
        return 0;
    memcpy(head + x->head_len, line, len);
    x->head = head;
    x->head_len += len;
    return len;
}

static uint64_t asked_to_wait(CURL *easy)
{
    struct curl_header *header;
    if (curl_easy_header(easy, "retry-after", 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
        return RETRY_NOT_GIVEN;
    return retry_after_ms(header->value, (int64_t)time(NULL));
}

static http_end end_of(const http_exchange *x, CURLcode code)
{
    if (code == CURLE_OK)
        return HTTP_DONE;
    if (x->too_long)
        return HTTP_TOO_LONG;
    curl_off_t connected = 0;
    curl_easy_getinfo(x->easy, CURLINFO_PRETRANSFER_TIME_T, &connected);
    if (connected == 0)
        return HTTP_UNREACHABLE;
    return code == CURLE_OPERATION_TIMEDOUT ? HTTP_TIMEOUT : HTTP_BROKEN;
}

/* Did the server take the connection, but not the TLS on it? Only a connection has a local port. */
static bool failed_in_handshake(CURL *easy, CURLcode code)
{
    curl_off_t secured = 0;
    long port = 0;
    const char *url = NULL;
    curl_easy_getinfo(easy, CURLINFO_LOCAL_PORT, &port);
    curl_easy_getinfo(easy, CURLINFO_APPCONNECT_TIME_T, &secured);
    curl_easy_getinfo(easy, CURLINFO_EFFECTIVE_URL, &url);
    bool timed_out = code == CURLE_OPERATION_TIMEDOUT && port > 0 && secured == 0;
    return (code == CURLE_SSL_CONNECT_ERROR || timed_out) && url && strncmp(url, "https:", 6) == 0;
}

static void settle(http *h, http_exchange *x, CURLcode code)
{
    CURLcode known = curl_easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &x->status);
    code = code == CURLE_OK ? known : code;
    x->end = end_of(x, code);
    x->retry_after_ms = asked_to_wait(x->easy);
    if (x->end == HTTP_TOO_LONG)
        snprintf(x->why, sizeof x->why, "a reply of more than %zu bytes", h->options.max_body);
    else if (code != CURLE_OK && !x->why[0])
        snprintf(x->why, sizeof x->why, "%s", curl_easy_strerror(code));
    size_t said = strlen(x->why);
    if (failed_in_handshake(x->easy, code))
        snprintf(x->why + said, sizeof x->why - said,
                 "; if the server speaks no TLS, its address begins with http://");
    detach(h, x);
    push_done(h, x);
}

static void drain(http *h)
{
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(h->multi, &left))) {
        http_exchange *x = exchange_of(h, message->easy_handle);
        if (x)
            settle(h, x, message->data.result);
    }
}

/* curl tells no more about any exchange. */
static void break_all(http *h, const char *why)
{
    while (h->out) {
        http_exchange *x = h->out;
        x->end = HTTP_BROKEN;
        x->retry_after_ms = RETRY_NOT_GIVEN;
        snprintf(x->why, sizeof x->why, "libcurl: %s", why);
        detach(h, x);
        push_done(h, x);
    }
}

/* ---- sockets and time ------------------------------------------------------------------------ */

static void act(http *h, curl_socket_t socket, int events)
{
    int running;
    CURLMcode code = curl_multi_socket_action(h->multi, socket, events, &running);
    drain(h);
    if (code != CURLM_OK)
        break_all(h, curl_multi_strerror(code));
}

static void on_socket_event(http *h, const struct epoll_event *event)
{
    int flags = event->events & EPOLLERR ? CURL_CSELECT_ERR : 0;
    if (event->events & (EPOLLIN | EPOLLHUP))
        flags |= CURL_CSELECT_IN;
    if (event->events & EPOLLOUT)
        flags |= CURL_CSELECT_OUT;
    act(h, event->data.fd, flags);
}

/* Some of the sockets that are ready; the others are when the loop comes round again. Of a socket
 * that curl has closed since, it knows nothing. */
static void on_sockets(uv_poll_t *poll, int status, int events)
{
    http *h = poll->data;
    struct epoll_event ready[EVENTS];
    uint64_t until = uv_hrtime() + TURN_NS;
    int n = EVENTS;
    while (n == EVENTS && uv_hrtime() < until) {
        n = epoll_wait(h->sockets, ready, EVENTS, 0);
        for (int i = 0; i < n; i++)
            on_socket_event(h, &ready[i]);
    }
}

/* `watched`: not NULL: the socket is in the set. */
static int on_socket(CURL *easy, curl_socket_t socket, int what, void *of, void *watched)
{
    http *h = of;
    struct epoll_event event = {.data.fd = socket};
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(h->sockets, EPOLL_CTL_DEL, socket, &event); /* it may be closed already */
        curl_multi_assign(h->multi, socket, NULL);
        return 0;
    }
    event.events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
    if (epoll_ctl(h->sockets, watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event) != 0)
        return -1;
    return watched || curl_multi_assign(h->multi, socket, h) == CURLM_OK ? 0 : -1;
}

static void on_curl_time(uv_timer_t *timer)
{
    act(timer->data, CURL_SOCKET_TIMEOUT, 0);
}

static int on_timer(CURLM *multi, long ms, void *of)
{
    http *h = of;
    if (ms < 0)
        uv_timer_stop(&h->curl_timer);
    else
        uv_timer_start(&h->curl_timer, on_curl_time, (uint64_t)ms, 0);
    return 0;
}

/* Whether it has waited too long, and why; curl checks exchanges that are not streamed. */
static bool is_overdue(http_exchange *x, uint64_t now)
{
    if (x->paused)
        return false;
    if (x->last_piece && x->idle_ms && now - x->last_piece >= x->idle_ms) {
        snprintf(x->why, sizeof x->why, "the reply stopped coming after %zu bytes", x->len);
        return true;
    }
    uint64_t waits_from = *x->heard > x->started ? *x->heard : x->started;
    uint64_t from = x->first_piece ? x->first_piece : waits_from;
    if (!x->streamed || !x->timeout_ms || now - from < x->timeout_ms)
        return false;
    snprintf(x->why, sizeof x->why,
             x->first_piece ? "the reply did not end within %.1f s of its beginning"
                            : "the server sent nothing for %.1f s",
             x->timeout_ms / 1000.0);
    return true;
}

static void on_sweep(uv_timer_t *timer)
{
    http *h = timer->data;
    uint64_t now = http_now(h);
    for (http_exchange *x = h->out, *next; x; x = next) {
        next = x->next;
        if (!is_overdue(x, now))
            continue;
        x->end = HTTP_TIMEOUT;
        x->retry_after_ms = RETRY_NOT_GIVEN;
        detach(h, x);
        push_done(h, x);
    }
}

static void on_wait_over(uv_timer_t *timer)
{
}

static void on_wake(uv_async_t *waker)
{
}

void http_wait(http *h, uint64_t ms)
{
    if (h->n_done)
        ms = 0;
    if (ms == 0) {
        uv_run(h->loop, UV_RUN_NOWAIT);
        return;
    }
    uv_timer_start(&h->wait_timer, on_wait_over, ms, 0);
    uv_run(h->loop, UV_RUN_ONCE);
    uv_timer_stop(&h->wait_timer);
}

void http_wake(http *h)
{
    uv_async_send(&h->waker);
}

uint64_t http_now(const http *h)
{
    return uv_now(h->loop);
}

/* ---- starting -------------------------------------------------------------------------------- */

/* libcurl itself does not look at the variable; the program curl does. */
static bool set_certificates(CURL *easy)
{
    char *usual = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_CAINFO, &usual) != CURLE_OK)
        usual = NULL;
    const char *file = http_certificates(getenv("SSL_CERT_FILE"), usual);
    return !file || curl_easy_setopt(easy, CURLOPT_CAINFO, file) == CURLE_OK;
}

static bool set_fixed_options(http *h, CURL *easy)
{
    bool set = curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK;
    set &= curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK;
    set &= curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK; /* the key is only for
                                                                              this host */
    set &= curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_data) == CURLE_OK;
    set &= curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header) == CURLE_OK;
    set &= curl_easy_setopt(easy, CURLOPT_BUFFERSIZE,
                            h->options.receive_bytes ? (long)h->options.receive_bytes
                                                     : RECEIVE_BYTES) == CURLE_OK;
    set &=
        curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)h->options.connect_ms) == CURLE_OK;
    set &= curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L) == CURLE_OK;
    set &= curl_easy_setopt(easy, CURLOPT_USERAGENT, "rederive") == CURLE_OK;
    set &= set_certificates(easy);
    return set;
}

/* Take a handle, with room to put it back. */
static CURL *take_easy(http *h)
{
    if (h->n_idle)
        return h->idle[--h->n_idle];
    CURL **idle = realloc(h->idle, (h->cap_idle + 1) * sizeof *idle);
    if (!idle)
        return NULL;
    h->idle = idle;
    CURL *easy = curl_easy_init();
    if (!easy)
        return NULL;
    if (!set_fixed_options(h, easy)) {
        curl_easy_cleanup(easy);
        return NULL;
    }
    h->cap_idle++;
    return easy;
}

static bool set_options(CURL *easy, http_exchange *x)
{
    bool set = curl_easy_setopt(easy, CURLOPT_URL, x->url) == CURLE_OK;
    set &= curl_easy_setopt(easy, CURLOPT_PROXY, x->direct ? "" : NULL) == CURLE_OK;
    set &= curl_easy_setopt(easy, CURLOPT_HTTPHEADER, x->headers) == CURLE_OK;
    set &= curl_easy_setopt(easy, CURLOPT_WRITEDATA, x) == CURLE_OK;
    set &= curl_easy_setopt(easy, CURLOPT_HEADERDATA, x) == CURLE_OK;
    set &= curl_easy_setopt(easy, CURLOPT_PRIVATE, x) == CURLE_OK;
    set &= curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, x->why) == CURLE_OK;
    set &= curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, x->streamed ? 0 : (long)x->timeout_ms) ==
           CURLE_OK;
    if (!x->body.p)
        return set && curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L) == CURLE_OK;
    curl_off_t len = (curl_off_t)x->body.len;
    set &= curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, len) == CURLE_OK;
    return set && curl_easy_setopt(easy, CURLOPT_POSTFIELDS, x->body.p) == CURLE_OK;
}

int http_start(http *h, http_exchange *x, rdv_error *err)
{
    CURL *easy = take_easy(h);
    if (!easy)
        return rdv_no_memory(err);
    x->by = h;
    x->easy = easy;
    x->end = HTTP_DONE;
    x->status = 0;
    x->len = 0;
    x->started = http_now(h);
    x->first_piece = x->last_piece = 0;
    x->too_long = x->out_of_memory = x->paused = false;
    x->head_len = 0;
    x->why[0] = '\0';
    link_out(h, x);
    bool set = set_options(easy, x);
    CURLMcode code = set ? curl_multi_add_handle(h->multi, easy) : CURLM_OUT_OF_MEMORY;
    if (code == CURLM_OK)
        return RDV_OK;
    detach(h, x);
    return rdv_fail(err, RDV_E_IO, "a call to %s cannot be started: libcurl: %s", x->url,
                    curl_multi_strerror(code));
}

/* ---- creation and release -------------------------------------------------------------------- */

static bool set_multi_options(http *h)
{
    bool set = curl_multi_setopt(h->multi, CURLMOPT_SOCKETFUNCTION, on_socket) == CURLM_OK;
    set &= curl_multi_setopt(h->multi, CURLMOPT_SOCKETDATA, h) == CURLM_OK;
    set &= curl_multi_setopt(h->multi, CURLMOPT_TIMERFUNCTION, on_timer) == CURLM_OK;
    set &= curl_multi_setopt(h->multi, CURLMOPT_TIMERDATA, h) == CURLM_OK;
    /* With fewer, connections would be closed and reopened between calls. */
    long connections = (long)h->options.connections;
    return set && curl_multi_setopt(h->multi, CURLMOPT_MAXCONNECTS, connections) == CURLM_OK;
}

static void close_sockets(http *h)
{
    if (h->sockets >= 0)
        close(h->sockets);
}

static void close_handle(uv_handle_t *handle, void *unused)
{
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static void close_own_loop(http *h)
{
    uv_walk(&h->own, close_handle, NULL);
    uv_run(&h->own, UV_RUN_DEFAULT);
    uv_loop_close(&h->own);
    close_sockets(h);
    free(h);
}

static void on_closed(uv_handle_t *handle)
{
    http *h = handle->data;
    if (--h->n_open == 0)
        free(h);
}

/* In a loop that goes on, only what is ours is closed, and the last handle frees *h. */
static void leave_loop(http *h)
{
    uv_handle_t *const handles[] = {(uv_handle_t *)&h->curl_timer, (uv_handle_t *)&h->sweep_timer,
                                    (uv_handle_t *)&h->wait_timer, (uv_handle_t *)&h->waker,
                                    (uv_handle_t *)&h->poll};
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) {
        if (uv_handle_get_type(handles[i]) == UV_UNKNOWN_HANDLE)
            continue; /* it could not be opened */
        h->n_open++;
        handles[i]->data = h;
        uv_close(handles[i], on_closed);
    }
    close_sockets(h);
}

static void close_loop(http *h)
{
    if (!h->loop)
        free(h);
    else if (h->loop == &h->own)
        close_own_loop(h);
    else
        leave_loop(h);
}

static bool open_sockets(http *h)
{
    h->sockets = epoll_create1(EPOLL_CLOEXEC);
    h->poll.data = h;
    return h->sockets >= 0 && uv_poll_init(h->loop, &h->poll, h->sockets) == 0 &&
           uv_poll_start(&h->poll, UV_READABLE, on_sockets) == 0;
}

static bool open_loop(http *h)
{
    if (!h->options.loop && uv_loop_init(&h->own) != 0)
        return false;
    h->loop = h->options.loop ? h->options.loop : &h->own;
    uv_timer_init(h->loop, &h->curl_timer);
    uv_timer_init(h->loop, &h->sweep_timer);
    uv_timer_init(h->loop, &h->wait_timer);
    h->curl_timer.data = h->sweep_timer.data = h;
    if (uv_async_init(h->loop, &h->waker, on_wake) != 0 || !open_sockets(h))
        return false;
    uv_timer_start(&h->sweep_timer, on_sweep, SWEEP_MS, SWEEP_MS);
    return true;
}

int http_new(http **out, const http_options *options, rdv_error *err)
{
    *out = NULL;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return rdv_fail(err, RDV_E_IO, "libcurl cannot be started");
    http *h = calloc(1, sizeof *h);
    if (!h) {
        curl_global_cleanup();
        return rdv_no_memory(err);
    }
    h->options = *options;
    h->sockets = -1;
    h->multi = curl_multi_init();
    bool set = h->multi && set_multi_options(h);
    if (set && open_loop(h)) {
        *out = h;
        return RDV_OK;
    }
    if (h->multi)
        curl_multi_cleanup(h->multi);
    close_loop(h);
    curl_global_cleanup();
    return rdv_fail(err, RDV_E_IO, "%s cannot be started", set ? "the event loop" : "libcurl");
}

void http_free(http **handle)
{
    http *h = handle ? *handle : NULL;
    if (!h)
        return;
    *handle = NULL;
    while (h->out)
        http_abort(h, h->out);
    for (size_t i = 0; i < h->n_idle; i++)
        curl_easy_cleanup(h->idle[i]);
    free(h->idle);
    curl_multi_cleanup(h->multi); /* takes its sockets out of the set */
    close_loop(h);
    curl_global_cleanup();
}
