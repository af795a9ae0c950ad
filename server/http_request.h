/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An HTTP request, read from the bytes of a connection as they come. No sockets. llhttp parses, in
 * its strict mode; what it lets pass and a proxy in front could read as a different request is
 * refused here (RFC 9112, sections 2.2, 3, 5.1, 5.2, 6.3 and 11.2). The host of a whole address
 * replaces that of the Host header (section 3.2.2). */
#include "server/api_error.h"

#include <llhttp.h>

#define HTTP_MAX_HEAD ((size_t)32 * 1024) /* bytes of the request line and the headers */

typedef enum http_step {
    HTTP_READ_MORE,   /* more bytes are needed */
    HTTP_READ_HEAD,   /* the head is complete, and a body follows */
    HTTP_READ_WHOLE,  /* the request is complete; bytes after it belong to the next */
    HTTP_READ_REFUSED /* `error` says why; where the next request begins is unknown */
} http_step;

/* A text that ends with NUL; p == NULL: absent. */
typedef struct http_text {
    char *p;
    size_t len, cap;
} http_text;

/* The headers that are kept. None of them may be sent twice. */
typedef enum http_field {
    HTTP_HOST,
    HTTP_AUTHORIZATION,
    HTTP_CONTENT_TYPE,
    HTTP_CONTENT_ENCODING,
    HTTP_EXPECT,
    HTTP_TRANSFER_ENCODING,
    HTTP_API_KEY,
    HTTP_ORIGIN,
    HTTP_MCP_VERSION,
    HTTP_MCP_METHOD,
    HTTP_MCP_NAME,
    HTTP_CHECK_METHOD,
    HTTP_CHECK_MODEL,
    /* those that are passed on to a server behind this one */
    HTTP_ANTHROPIC_VERSION,
    HTTP_ANTHROPIC_BETA,
    HTTP_OPENAI_BETA,
    HTTP_IDEMPOTENCY_KEY,
    HTTP_REQUEST_ID,
    HTTP_CLIENT_REQUEST_ID,
    HTTP_FIELDS /* their number; also: a header that is not kept */
} http_field;

typedef struct http_request {
    /* Valid once the head is complete; `method` and `path` as far as they came before. */
    const char *method; /* a static string; "?" for one that no address accepts */
    http_text path;     /* without the query; %XX decoded; "*" with OPTIONS: the whole server */
    size_t plain;       /* bytes of it before the first slash that was written as %2F */
    http_text fields[HTTP_FIELDS];
    bool old;        /* HTTP/1.0 */
    bool keep_alive; /* the client may send another request */
    /* Valid once the request is complete. */
    http_text body;
    /* Valid with HTTP_READ_REFUSED. */
    api_error error;

    /* ---- only for http_request.c ---- */
    llhttp_t parser;
    size_t max_body, head_bytes, body_bytes, line_bytes, lines;
    char word[5]; /* the beginning of the last word of the request line */
    size_t word_len;
    http_field field; /* whose value is being read */
    char name[24];    /* of that header, in lower case */
    size_t name_len;
    char last[4]; /* bytes read */
    bool headed, whole;
} http_request;

/* Initialise. The request must not move until http_request_free(). */
void http_request_init(http_request *r, size_t max_body);
void http_request_free(http_request *r);
/* Read from `bytes`, at least one; *used: how many were read, all of them with HTTP_READ_MORE. Not
 * to be called again after HTTP_READ_WHOLE or HTTP_READ_REFUSED. */
http_step http_request_read(http_request *r, const char *bytes, size_t n, size_t *used);
/* The value of a header; NULL: absent. */
const char *http_request_field(const http_request *r, http_field f);
/* The name of a header that is kept, in small letters. Static. */
const char *http_field_name(http_field f);
