/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The error response to a refused request, in the form of the client's protocol. */
#include "base/buf.h"
#include "model/reply_choices.h"

typedef struct api_error {
    unsigned status;      /* 400 */
    const char *param;    /* the invalid member; NULL: none. A static string */
    const char *code;     /* "model_not_found"; NULL: none. A static string */
    unsigned retry_after; /* seconds until another try may succeed; 0: not said */
    char message[256];    /* one sentence */
} api_error;

/* Set *e and return false. */
bool api_error_set(api_error *e, unsigned status, const char *param, const char *fmt, ...)
    RDV_PRINTF(4, 5);
/* As JSON in OpenAI's form. */
void api_error_write(rdv_buf *b, const api_error *e);
/* As JSON in the form of that protocol. `more`: further members of the body, JSON text without
 * braces; p == NULL: none. */
void api_error_write_as(rdv_buf *b, reply_protocol protocol, const api_error *e, rdv_str more);
/* As an event that ends a stream of that protocol. */
void api_error_write_event(rdv_buf *b, reply_protocol protocol, const api_error *e, rdv_str more);
