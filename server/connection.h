/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The connections of a server's clients: their sockets, and the time and number that each phase is
 * given. Everything runs on the loop's thread. */
#include "server/exchange.h"

#include <uv.h>

typedef struct connection connection;

/* Connections in the order in which they came here. */
typedef struct connection_list {
    connection *first, *last;
    size_t n;
} connection_list;

/* Set the first members and zero-initialise the others; then connections_init(). */
typedef struct connections {
    uv_loop_t *loop;
    size_t most;      /* connections at a time */
    exchange_ctx exchanges;
    connection_list waiting;    /* for a request, or the rest of its head */
    connection_list queued;     /* they have sent further requests, and have to wait their turn */
    connection_list receiving;  /* a body */
    connection_list due;        /* their requests are whole, and have to wait their turn */
    connection_list answering;  /* without the model: a response is sent */
    connection_list generating; /* a model's reply is generated or sent */
    connection_list leaving;    /* they have their last response; the client has still to close */
    connection *woken, *last_woken; /* connection_wake() was called for them */
    uv_idle_t turns;                /* active while there is something for a turn */
    uv_check_t after_sockets;
    uv_tcp_t reserve;           /* turns a connection away when there is no memory for it */
    bool reserve_used;
    uv_stream_t *unaccepted; /* has a connection that waits for the reserve; NULL: none has */
} connections;

/* False: the loop has no room. */
bool connections_init(connections *all);
/* Accept a connection. The oldest that waits for a request makes room for it. */
void connections_accept(connections *all, uv_stream_t *listening);
/* relay_ctx.wake(): send what there is for that connection, in the next turn. */
void connection_wake(void *of);
/* Something has come for a turn, which the loop takes soon: events of models. */
void connections_note(connections *all);
/* A turn: the connections that were woken, the events of models, and requests that wait; as many as
 * fit. */
void connections_take_turn(connections *all);
/* End what exceeds its time. */
void connections_sweep(connections *all);
/* Accept no further requests, and close connections without a complete one. */
void connections_stop(connections *all);
/* End the replies that are being written with an error. */
void connections_cut(connections *all);
/* Close all connections. */
void connections_close(connections *all);
/* Whether the last responses have been sent. */
bool connections_are_idle(const connections *all);
