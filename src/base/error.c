/* SPDX-License-Identifier: Apache-2.0 */
#include <rederive/base.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int rdv_fail(rdv_error *err, int code, const char *fmt, ...)
{
    if (!err)
        return code;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    va_end(ap);
    err->code = code;
    return code;
}

int rdv_wrap(rdv_error *err, int code, const char *fmt, ...)
{
    if (!err)
        return code;
    char context[RDV_ERROR_MAX], old[RDV_ERROR_MAX];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(context, sizeof context, fmt, ap);
    va_end(ap);
    memcpy(old, err->msg, sizeof old);
    size_t n = strnlen(context, sizeof context);
    if (n > sizeof err->msg / 2)
        n = sizeof err->msg / 2;
    snprintf(err->msg, sizeof err->msg, "%.*s: %.*s", (int)n, context,
             (int)(sizeof err->msg - n - 3), old);
    err->code = code;
    return code;
}
