/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The hosts that requests may name. */
#include "server/serve_options.h"

/* Whether this has the form of a Host header: "NAME" or "NAME:PORT", either empty (RFC 9112,
 * section 3.2; RFC 3986, section 3.2.2). */
bool http_host_is_valid(rdv_str host);

/* Whether a request with this Host header ("NAME" or "NAME:PORT") is for this server: localhost and
 * the names below it, addresses of this machine only (127.0.0.0/8, ::1), the address that is
 * listened at (any numeric address if that is 0.0.0.0 or ::, since a numeric address needs no name
 * that could be changed), and o->hosts. */
bool http_host_is_allowed(rdv_str host, const serve_options *o);
