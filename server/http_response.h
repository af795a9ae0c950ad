/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The head of an HTTP response, and the frames of a chunked body. No sockets. */
#include "base/buf.h"

typedef enum http_length {
    HTTP_LENGTH_KNOWN,
    HTTP_LENGTH_CHUNKED,
    HTTP_LENGTH_TO_THE_END /* the body ends with the connection */
} http_length;

typedef struct http_response {
    unsigned status;
    const char *type;    /* of the body */
    const char *allow;   /* methods, for 405; NULL: none */
    const char *codings; /* of a request's body that are accepted, for 415; NULL: not said */
    http_length length;
    size_t bytes;         /* HTTP_LENGTH_KNOWN */
    unsigned retry_after; /* seconds, for 429 and 503; 0: one */
    const char *origin;   /* of a page that may read the response; NULL: none may */
    bool close;           /* the connection ends with this response */
    rdv_str more; /* further headers, each a line with its end; p == NULL: none, and the response is
                     this server's own */
} http_response;

void http_response_write(rdv_buf *b, const http_response *r);

/* Most bytes that http_response_frame() adds to those of a chunk. */
#define HTTP_FRAME 16
/* Write a chunk to `out`, which has room for bytes.len + HTTP_FRAME; the empty chunk ends a body.
 * Returns its length. */
size_t http_response_frame(char *out, rdv_str bytes);
