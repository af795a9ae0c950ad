/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The error response to a refused request, in OpenAI's form. */
#include "base/buf.h"

typedef struct api_error {
    unsigned status;   /* 400 */
    const char *param; /* the invalid member; NULL: none. A static string */
    const char *code;  /* "model_not_found"; NULL: none. A static string */
    char message[256]; /* one sentence */
} api_error;

/* Set *e and return false. */
bool api_error_set(api_error *e, unsigned status, const char *param, const char *fmt, ...)
    RDV_PRINTF(4, 5);
/* As JSON. */
void api_error_write(rdv_buf *b, const api_error *e);
