/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl, opened when the first server is asked. */
#include "late.h"

#include <curl/curl.h>
#include <stdarg.h>

/* Of libcurl's builds the one for GnuTLS comes first: Debian's others hold the same functions. */
static const late_library curl = {.files =
                                      LATE_FILES("curl", "libcurl-gnutls.so.4", "libcurl.so.4"),
                                  .needed_for = "asking a server"};

#define CURL_LATE(type, name, parameters, arguments)                                               \
    LATE_FUNCTION(curl, type, curl_##name, parameters, arguments)

CURL_LATE(CURLcode, global_init, (long flags), (flags))
CURL_LATE(void, global_cleanup, (void), ())
CURL_LATE(time_t, getdate, (const char *text, const time_t *now), (text, now))
CURL_LATE(struct curl_slist *, slist_append, (struct curl_slist * list, const char *text),
          (list, text))
CURL_LATE(void, slist_free_all, (struct curl_slist * list), (list))

CURL_LATE(CURL *, easy_init, (void), ())
CURL_LATE(void, easy_cleanup, (CURL * easy), (easy))
CURL_LATE(CURLcode, easy_pause, (CURL * easy, int bitmask), (easy, bitmask))
CURL_LATE(const char *, easy_strerror, (CURLcode code), (code))
CURL_LATE(CURLHcode, easy_header,
          (CURL * easy, const char *name, size_t index, unsigned origin, int request,
           struct curl_header **out),
          (easy, name, index, origin, request, out))

CURL_LATE(CURLM *, multi_init, (void), ())
CURL_LATE(CURLMcode, multi_cleanup, (CURLM * multi), (multi))
CURL_LATE(CURLMcode, multi_add_handle, (CURLM * multi, CURL *easy), (multi, easy))
CURL_LATE(CURLMcode, multi_remove_handle, (CURLM * multi, CURL *easy), (multi, easy))
CURL_LATE(CURLMcode, multi_assign, (CURLM * multi, curl_socket_t socket, void *of),
          (multi, socket, of))
CURL_LATE(CURLMcode, multi_socket_action,
          (CURLM * multi, curl_socket_t socket, int events, int *running),
          (multi, socket, events, running))
CURL_LATE(CURLMsg *, multi_info_read, (CURLM * multi, int *left), (multi, left))
CURL_LATE(const char *, multi_strerror, (CURLMcode code), (code))

/* ---- one argument, whose type the option says ------------------------------------------------ */

#undef curl_easy_getinfo
#undef curl_easy_setopt
#undef curl_multi_setopt

/* Options are numbered by the type of their argument. */
#define FORWARD_OPTION(handle, option)                                                             \
    va_list ap;                                                                                    \
    va_start(ap, option);                                                                          \
    __typeof__(function(handle, option)) code;                                                     \
    if ((int)(option) < CURLOPTTYPE_OBJECTPOINT)                                                   \
        code = function(handle, option, va_arg(ap, long));                                         \
    else if ((int)(option) >= CURLOPTTYPE_OFF_T && (int)(option) < CURLOPTTYPE_BLOB)               \
        code = function(handle, option, va_arg(ap, curl_off_t));                                   \
    else                                                                                           \
        code = function(handle, option, va_arg(ap, void *));                                       \
    va_end(ap);                                                                                    \
    return code;

CURLcode curl_easy_setopt(CURL *easy, CURLoption option,
                          ...){LATE_FIND(curl, curl_easy_setopt) FORWARD_OPTION(easy, option)}

CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option,
                            ...){LATE_FIND(curl, curl_multi_setopt) FORWARD_OPTION(multi, option)}

CURLcode curl_easy_getinfo(CURL *easy, CURLINFO info, ...)
{
    LATE_FIND(curl, curl_easy_getinfo)
    va_list ap;
    va_start(ap, info);
    void *out = va_arg(ap, void *);
    va_end(ap);
    return function(easy, info, out);
}
