/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Whether a request is allowed, by its address, method, host, key and type. */
#include "server/http_request.h"
#include "server/serve_options.h"

typedef enum http_route {
    HTTP_ROUTE_NONE,
    HTTP_ROUTE_CHAT,
    HTTP_ROUTE_TEXT,
    HTTP_ROUTE_RESPONSES,
    HTTP_ROUTE_MESSAGES,
    HTTP_ROUTE_MODELS,
    HTTP_ROUTE_MODEL,
    HTTP_ROUTE_HEALTH,
    HTTP_ROUTE_METRICS,
    HTTP_ROUTE_CHECK,     /* /rederive/check */
    HTTP_ROUTE_GRADE,     /* /rederive/grade */
    HTTP_ROUTE_VOTE,      /* /rederive/vote */
    HTTP_ROUTE_MCP,       /* /mcp */
    HTTP_ROUTE_GUARDRAIL, /* /beta/litellm_basic_guardrail_api */
    HTTP_ROUTE_SERVER,    /* no address of its own: OPTIONS * */
    HTTP_ROUTES           /* their number */
} http_route;

/* *model: the text after /v1/models/; borrowed from the path. */
http_route http_guard_route(const http_request *request, const char **model);
bool http_guard_takes_post(http_route r);
/* Whether it is a request to a model. */
bool http_guard_asks_model(http_route r);
/* The protocol of the errors, and of what else is sent, at that address. */
reply_protocol http_guard_protocol(http_route r);
/* The methods, with commas between them; those of addresses that do not exist are GET and HEAD. */
const char *http_guard_methods(http_route r);
/* Whether the body's bytes are the JSON itself, and not compressed. */
bool http_guard_reads_coding(const http_request *request);
/* The origin of the page that asks, if pages of it may use the server; NULL: it is none such. */
const char *http_guard_origin(const http_request *request, const serve_options *o);
/* Whether a browser asks if a page of an allowed origin may send a request. */
bool http_guard_is_preflight(const http_request *request, const serve_options *o);
/* False: the request, whose head is complete, is refused and *f is the error. *holder: who asks. */
bool http_guard_check(const http_request *request, const serve_options *o, access_list *of,
                      http_route r, access_holder **holder, api_error *f);
