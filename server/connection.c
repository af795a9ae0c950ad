/* SPDX-License-Identifier: Apache-2.0 */
/* A connection has no memory of its own while it waits for a request: its exchange is made with the
 * first byte. */
#include "server/connection.h"
#include "base/str.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define TURN_NS                                                                                    \
    2000000 /* time for the replies of servers, or to begin requests, in one turn of               \
               the loop: between them others have theirs */
#define INPUT_BYTES ((size_t)16 * 1024)
#define MOST_AHEAD ((size_t)4 * 1024)     /* bytes of the requests after the current one */
#define TURNS 32                          /* queued connections that have their turn at a time */
#define LEAVING_MS 2000                   /* time for a client to read its last response, */
#define LEAVING_BYTES ((uint64_t)8 << 20) /* and most bytes that it still sends meanwhile */

struct connection {
    connections *all;
    uv_tcp_t tcp;
    uv_write_t write;
    connection_list *in; /* NULL: it is being closed */
    connection *before, *next;
    connection *woken_before, *woken_next; /* in all->woken */
    exchange *exchange; /* NULL: nothing of a request has come */
    uint64_t since;     /* when it came into its list, */
    uint64_t began;     /* its request began, */
    uint64_t moved;     /* and the client last read something */
    size_t sending;     /* bytes that `write` sends */
    size_t unread;      /* of them, at the last sweep */
    uint64_t discarded; /* bytes, in all->leaving */
    char *ahead;        /* bytes after the current request; NULL: none */
    size_t n_ahead;
    bool writing, paused, ended, woken;
};

/* One for all: libuv asks for it, reads, and hands it over, before it reads again. */
static char input[INPUT_BYTES];

/* ---- lists ----------------------------------------------------------------------------------- */

static void leave_list(connection *c)
{
    connection_list *l = c->in;
    if (!l)
        return;
    *(c->before ? &c->before->next : &l->first) = c->next;
    *(c->next ? &c->next->before : &l->last) = c->before;
    l->n--;
    c->before = c->next = NULL;
    c->in = NULL;
}

static void enter_list(connection *c, connection_list *l)
{
    leave_list(c);
    c->before = l->last;
    *(l->last ? &l->last->next : &l->first) = c;
    l->last = c;
    l->n++;
    c->in = l;
    c->since = c->moved = uv_now(c->all->loop);
}

static void leave_woken(connection *c)
{
    connections *all = c->all;
    if (!c->woken)
        return;
    *(c->woken_before ? &c->woken_before->woken_next : &all->woken) = c->woken_next;
    *(c->woken_next ? &c->woken_next->woken_before : &all->last_woken) = c->woken_before;
    c->woken_before = c->woken_next = NULL;
    c->woken = false;
}

static void offer_input(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    (void)handle, (void)suggested;
    *buf = uv_buf_init(input, sizeof input);
}

static void on_input(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf);

static void resume_reading(connection *c)
{
    if (c->paused)
        uv_read_start((uv_stream_t *)&c->tcp, offer_input, on_input);
    c->paused = false;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void tell_log(const connection *c, bool gone)
{
    exchange_ctx *x = &c->all->exchanges;
    if (!c->exchange)
        return;
    serve_line line = exchange_line(c->exchange, gone);
    line.seconds = (double)(uv_now(c->all->loop) - c->began) / 1000;
    metrics_count(&x->metrics, exchange_route(c->exchange), &line);
    if (x->options->log)
        x->options->log(x->options->payload, &line);
}

static void on_closed(uv_handle_t *handle)
{
    connection *c = handle->data;
    exchange_free(&c->exchange);
    free(c->ahead);
    free(c);
}

/* Close now. A response that was not sent to its end is not read to its end. */
static void drop(connection *c)
{
    if (!c->in)
        return;
    tell_log(c, true);
    leave_list(c);
    leave_woken(c);
    uv_close((uv_handle_t *)&c->tcp, on_closed);
}

/* Close once the client has, or soon: closing with unread input makes the system send a reset, upon
 * which a client may not read its response. */
static void leave(connection *c)
{
    int end = -1;
    exchange_free(&c->exchange);
    free(c->ahead);
    c->ahead = NULL;
    c->n_ahead = 0;
    resume_reading(c);
    if (!c->ended && uv_fileno((uv_handle_t *)&c->tcp, &end) == 0 && shutdown(end, SHUT_WR) == 0)
        enter_list(c, &c->all->leaving);
    else
        drop(c);
}

/* ---- requests -------------------------------------------------------------------------------- */

static bool is_answering(const connection *c)
{
    return c->exchange && exchange_phase_of(c->exchange) >= EXCHANGE_DUE;
}

static void work(connection *c);

/* The body that has been coming longest makes room: those of clients that mean well take
 * milliseconds. */
static void make_room_for_body(connection *c)
{
    api_error f;
    connections *all = c->all;
    connection *oldest = all->receiving.first;
    if (all->receiving.n + all->due.n + all->generating.n < all->exchanges.options->requests)
        return;
    if (!oldest) {
        api_error_set(&f, 503, NULL, "Too many requests are being answered; try again soon.");
        exchange_refuse(c->exchange, &f);
        return;
    }
    api_error_set(&f, 408, NULL, "The body took too long while others wait.");
    exchange_refuse(oldest->exchange, &f);
    enter_list(oldest, &all->answering);
    work(oldest);
}

/* While this handle is active the loop does not wait for sockets. */
static void on_idle(uv_idle_t *turns)
{
    (void)turns;
}

void connections_note(connections *all)
{
    uv_idle_start(&all->turns, on_idle);
}

static void wait_turn(connection *c, connection_list *l)
{
    enter_list(c, l);
    connections_note(c->all);
}

static void follow_phase(connection *c)
{
    connections *all = c->all;
    exchange_phase phase = exchange_phase_of(c->exchange);
    if (phase == EXCHANGE_BODY && c->in == &all->waiting) {
        make_room_for_body(c);
        phase = exchange_phase_of(c->exchange);
        enter_list(c, phase == EXCHANGE_BODY ? &all->receiving : &all->answering);
    }
    if (phase == EXCHANGE_DUE && c->in != &all->due)
        wait_turn(c, &all->due);
    bool generates = exchange_is_relayed(c->exchange);
    connection_list *l = generates ? &all->generating : &all->answering;
    if (phase == EXCHANGE_ANSWER && c->in != l)
        enter_list(c, l);
}

static size_t count_open(const connections *all)
{
    return all->waiting.n + all->queued.n + all->receiving.n + all->due.n + all->answering.n +
           all->generating.n + all->leaving.n;
}

/* Read up to the end of a request; returns how many bytes were read. */
static size_t take(connection *c, const char *bytes, size_t n)
{
    size_t used = 0;
    c->all->exchanges.now.connections = count_open(c->all);
    c->all->exchanges.now.requests = c->all->due.n + c->all->generating.n;
    while (used < n && !is_answering(c)) {
        if (!c->exchange) {
            c->exchange = exchange_new(&c->all->exchanges, c);
            c->began = c->since = uv_now(c->all->loop);
        }
        if (!c->exchange) {
            drop(c);
            return n;
        }
        used += exchange_take(c->exchange, bytes + used, n - used);
        follow_phase(c);
    }
    return used;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void on_written(uv_write_t *write, int status)
{
    connection *c = write->data;
    c->writing = false;
    if (!c->in)
        return;
    if (status != 0) {
        drop(c);
        return;
    }
    exchange_sent(c->exchange, c->sending);
    work(c);
}

static void wait_for_client(connection *c, rdv_str bytes)
{
    uv_buf_t buf = uv_buf_init((char *)(uintptr_t)bytes.p, (unsigned)bytes.len);
    c->write.data = c;
    c->sending = bytes.len;
    c->moved = uv_now(c->all->loop);
    if (uv_write(&c->write, (uv_stream_t *)&c->tcp, &buf, 1, on_written) == 0)
        c->writing = true;
    else
        drop(c);
}

/* Send what there is. */
static void pump(connection *c)
{
    while (c->in && !c->writing) {
        rdv_str bytes = exchange_output(c->exchange);
        bytes.len = bytes.len < UINT32_MAX ? bytes.len : UINT32_MAX;
        if (exchange_is_broken(c->exchange))
            drop(c);
        if (!c->in || bytes.len == 0)
            return;
        uv_buf_t buf = uv_buf_init((char *)(uintptr_t)bytes.p, (unsigned)bytes.len);
        int n = uv_try_write((uv_stream_t *)&c->tcp, &buf, 1);
        if (n > 0)
            exchange_sent(c->exchange, (size_t)n);
        else if (n == UV_EAGAIN && is_answering(c))
            wait_for_client(c, bytes);
        else
            drop(c);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Keep bytes for later. Beyond MOST_AHEAD nothing is read, so the client has to wait, and its end
 * is looked for by the sweep. */
static void keep_ahead(connection *c, const char *bytes, size_t n)
{
    char *ahead = n ? realloc(c->ahead, c->n_ahead + n) : c->ahead;
    if (n && !ahead) {
        drop(c);
        return;
    }
    if (n)
        memcpy(ahead + c->n_ahead, bytes, n);
    c->ahead = ahead;
    c->n_ahead += n;
    if (c->n_ahead > MOST_AHEAD) {
        c->paused = true;
        uv_read_stop((uv_stream_t *)&c->tcp);
    }
}

static void take_ahead(connection *c)
{
    size_t used = take(c, c->ahead, c->n_ahead);
    c->n_ahead -= used;
    if (c->n_ahead)
        memmove(c->ahead, c->ahead + used, c->n_ahead);
    else {
        free(c->ahead);
        c->ahead = NULL;
    }
    if (c->in && c->n_ahead <= MOST_AHEAD)
        resume_reading(c);
}

/* Send; the requests that came meanwhile have to wait their turn. */
static void work(connection *c)
{
    if (c->in && c->exchange)
        pump(c);
    if (!c->in || !c->exchange || c->writing || !exchange_is_over(c->exchange))
        return;
    tell_log(c, false);
    if (!exchange_keeps_alive(c->exchange) || c->ended) {
        leave(c);
        return;
    }
    exchange_free(&c->exchange);
    if (c->n_ahead)
        wait_turn(c, &c->all->queued);
    else
        enter_list(c, &c->all->waiting);
}

/* A thousand requests that come at once take some hundred milliseconds. */
static void begin_due(connections *all)
{
    uint64_t until = uv_hrtime() + TURN_NS;
    while (all->due.first && uv_hrtime() < until) {
        connection *c = all->due.first;
        exchange_begin(c->exchange);
        follow_phase(c);
        work(c);
    }
}

/* One request of each, so that nobody waits for the thousands that somebody else sent at once. */
static void take_queued(connections *all)
{
    for (int i = 0; i < TURNS && all->queued.first; i++) {
        connection *c = all->queued.first;
        enter_list(c, &all->waiting);
        take_ahead(c);
        work(c);
    }
}

/* The client closed its side. What is sent already may still be read; nobody waits for more. */
static void take_end(connection *c)
{
    c->ended = true;
    if (!c->writing || exchange_is_relayed(c->exchange))
        drop(c);
}

static void on_input(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    connection *c = stream->data;
    if (!c->in || n == 0)
        return;
    if (n == UV_EOF)
        take_end(c);
    else if (n < 0)
        drop(c);
    else if (c->in == &c->all->leaving) {
        c->discarded += (uint64_t)n;
        if (c->discarded > LEAVING_BYTES)
            drop(c);
    } else {
        size_t used = c->n_ahead ? 0 : take(c, buf->base, (size_t)n);
        if (c->in)
            keep_ahead(c, buf->base + used, (size_t)n - used);
        work(c);
    }
}

/* ---- accepting ------------------------------------------------------------------------------- */

/* libuv tells of no further connection as long as one is not accepted. */
static void on_reserve_closed(uv_handle_t *handle)
{
    connections *all = handle->data;
    uv_stream_t *listening = all->unaccepted;
    all->reserve_used = false;
    all->unaccepted = NULL;
    if (listening && !uv_is_closing((uv_handle_t *)listening))
        connections_accept(all, listening);
}

static void on_refused(uv_handle_t *handle)
{
    free(handle);
}

static connection *first_writing(const connection_list *l)
{
    connection *c = l->first;
    while (c && !c->writing)
        c = c->next;
    return c;
}

/* The connection whose end costs least: the oldest that waits for a request, or has its response,
 * or does not read it. NULL: all are in use. */
static connection *least_wanted(const connections *all)
{
    connection *c = all->waiting.first ? all->waiting.first : all->leaving.first;
    c = c ? c : all->queued.first;
    c = c ? c : first_writing(&all->answering);
    return c ? c : first_writing(&all->generating);
}

static bool make_room(connections *all)
{
    if (count_open(all) < all->most)
        return true;
    connection *c = least_wanted(all);
    if (c)
        drop(c);
    return c;
}

/* Say so and close; nothing is read, so nothing is waited for. */
static void turn_away(connections *all, uv_stream_t *listening)
{
    static char busy[] = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
                         "Retry-After: 1\r\nConnection: close\r\n\r\n";
    uv_buf_t buf = uv_buf_init(busy, sizeof busy - 1);
    uv_tcp_t *own = calloc(1, sizeof *own), *tcp = own ? own : &all->reserve;
    if (!own && all->reserve_used) {
        all->unaccepted = listening;
        return;
    }
    all->reserve_used |= !own;
    uv_tcp_init(all->loop, tcp); /* cannot fail: it opens no socket */
    tcp->data = all;
    if (uv_accept(listening, (uv_stream_t *)tcp) == 0)
        uv_try_write((uv_stream_t *)tcp, &buf, 1);
    uv_close((uv_handle_t *)tcp, own ? on_refused : on_reserve_closed);
}

void connections_accept(connections *all, uv_stream_t *listening)
{
    bool room = make_room(all);
    connection *c = room ? calloc(1, sizeof *c) : NULL;
    if (!c) {
        turn_away(all, listening);
        return;
    }
    c->all = all;
    uv_tcp_init(all->loop, &c->tcp);
    c->tcp.data = c;
    enter_list(c, &all->waiting);
    if (uv_accept(listening, (uv_stream_t *)&c->tcp) != 0 || uv_tcp_nodelay(&c->tcp, 1) != 0 ||
        uv_read_start((uv_stream_t *)&c->tcp, offer_input, on_input) != 0)
        drop(c);
}

/* ---- the events of models ---------------------------------------------------------------------
 */

void connection_wake(void *of)
{
    connection *c = of;
    connections *all = c->all;
    if (c->woken || !c->in)
        return;
    c->woken_before = all->last_woken;
    *(all->last_woken ? &all->last_woken->woken_next : &all->woken) = c;
    all->last_woken = c;
    c->woken = true;
    connections_note(all);
}

/* A thousand streams that move at once, or judgements that are made, take some hundred
 * milliseconds: the sockets have their turn between. */
static void work_on_woken(connections *all)
{
    uint64_t until = uv_hrtime() + TURN_NS;
    while (all->woken && uv_hrtime() < until) {
        connection *c = all->woken;
        leave_woken(c);
        work(c);
    }
}

/* False: there is more. */
static bool take_of_servers(connections *all)
{
    void *owner;
    upstreams *u = all->exchanges.relays.upstreams;
    uint64_t until = uv_hrtime() + TURN_NS;
    while (u && (owner = upstream_next(u))) {
        work(owner);
        if (uv_hrtime() >= until)
            return false;
    }
    return true;
}

static void take_of_model(connections *all)
{
    backend *b = all->exchanges.relays.completions.backend;
    backend_event event;
    while (b && b->ops->next(b, NULL, &event, NULL) == RDV_OK) {
        const completion *of = completion_take(&event);
        connection *c = all->generating.first;
        while (c && exchange_completion(c->exchange) != of)
            c = c->next;
        if (c)
            work(c);
    }
}

void connections_take_turn(connections *all)
{
    uv_idle_stop(&all->turns);
    work_on_woken(all);
    bool whole = take_of_servers(all);
    take_of_model(all);
    take_queued(all);
    begin_due(all);
    if (!whole || all->queued.first || all->due.first || all->woken)
        connections_note(all);
}

/* Behind the sockets, so that what they brought is worked on before the loop waits for more. */
static void on_sockets_taken(uv_check_t *after)
{
    connections *all = after->data;
    if (uv_is_active((uv_handle_t *)&all->turns))
        connections_take_turn(all);
}

bool connections_init(connections *all)
{
    all->after_sockets.data = all;
    return uv_idle_init(all->loop, &all->turns) == 0 &&
           uv_check_init(all->loop, &all->after_sockets) == 0 &&
           uv_check_start(&all->after_sockets, on_sockets_taken) == 0;
}

/* ---- time ------------------------------------------------------------------------------------ */

static void refuse(connection *c, unsigned status, const char *why)
{
    api_error f;
    if (!c->in || !c->exchange)
        return;
    api_error_set(&f, status, NULL, "%s", why);
    exchange_refuse(c->exchange, &f);
    follow_phase(c);
    work(c);
}

static void sweep_waiting(connection *c, uint64_t time)
{
    const serve_options *o = c->all->exchanges.options;
    bool first = c->began == 0; /* it has sent no request yet */
    if (!c->exchange && time >= (first ? o->head_ms : o->idle_ms))
        drop(c);
    else if (c->exchange && time >= o->head_ms)
        refuse(c, 408, "The request's headers took too long.");
}

/* Has the client closed, behind bytes that are not read? */
static bool has_closed_unread(connection *c)
{
    uv_os_fd_t fd;
    if (!c->paused || uv_fileno((uv_handle_t *)&c->tcp, &fd) != 0)
        return false;
    struct pollfd at = {.fd = fd, .events = POLLRDHUP};
    return poll(&at, 1, 0) > 0; /* an error counts as an end */
}

static void sweep_answering(connection *c, uint64_t now)
{
    const serve_options *o = c->all->exchanges.options;
    if (has_closed_unread(c)) {
        take_end(c);
        if (!c->in)
            return;
    }
    size_t unread = uv_stream_get_write_queue_size((uv_stream_t *)&c->tcp);
    if (!c->writing || unread != c->unread)
        c->moved = now;
    c->unread = unread;
    if (!c->writing)
        connection_wake(c); /* a stream that is held says that it lives */
    if (now - c->moved >= o->stall_ms || now - c->began >= (uint64_t)o->request_ms + o->stall_ms)
        drop(c);
    else if (now - c->began >= o->request_ms)
        refuse(c, 503, "The reply took too long.");
}

static void sweep(connection *c, uint64_t now)
{
    connections *all = c->all;
    uint64_t time = now - c->since;
    if (c->in == &all->waiting)
        sweep_waiting(c, time);
    else if (c->in == &all->receiving && time >= all->exchanges.options->body_ms)
        refuse(c, 408, "The request's body took too long.");
    else if (c->in == &all->answering || c->in == &all->generating)
        sweep_answering(c, now);
    else if (c->in == &all->leaving && time >= LEAVING_MS)
        drop(c);
}

/* Do something with each connection of a list; it may leave its list. */
static void for_each(connection_list *l, void (*act)(connection *c, uint64_t now), uint64_t now)
{
    for (connection *c = l->first, *next; c; c = next) {
        next = c->next;
        act(c, now);
    }
}

void connections_sweep(connections *all)
{
    uint64_t now = uv_now(all->loop);
    for_each(&all->waiting, sweep, now);
    for_each(&all->receiving, sweep, now);
    for_each(&all->answering, sweep, now);
    for_each(&all->generating, sweep, now);
    for_each(&all->leaving, sweep, now);
}

/* ---- the server's end ------------------------------------------------------------------------ */

static void close_one(connection *c, uint64_t now)
{
    (void)now;
    drop(c);
}

static void cut_one(connection *c, uint64_t now)
{
    (void)now;
    refuse(c, 503, "The server is ending.");
}

void connections_stop(connections *all)
{
    all->exchanges.stopping = true;
    for_each(&all->waiting, close_one, 0);
    for_each(&all->queued, close_one, 0);
    for_each(&all->receiving, close_one, 0);
}

void connections_cut(connections *all)
{
    for_each(&all->answering, cut_one, 0);
    for_each(&all->due, cut_one, 0);
    for_each(&all->generating, cut_one, 0);
}

void connections_close(connections *all)
{
    for_each(&all->waiting, close_one, 0);
    for_each(&all->queued, close_one, 0);
    for_each(&all->receiving, close_one, 0);
    for_each(&all->due, close_one, 0);
    for_each(&all->answering, close_one, 0);
    for_each(&all->generating, close_one, 0);
    for_each(&all->leaving, close_one, 0);
}

bool connections_are_idle(const connections *all)
{
    return all->due.n + all->answering.n + all->generating.n + all->leaving.n == 0;
}
