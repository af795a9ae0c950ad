/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A socket that listens. */
#include <rederive/base.h>

/* Listen at "HOST:PORT": an address in numbers (IPv6 in brackets) or "localhost"; port 0: any that
 * is free. *socket is the caller's to close; *url becomes "http://HOST:PORT" with the port that it
 * has, in `arena`. Faults: RDV_E_ARGUMENT: no such address; RDV_E_IO: it cannot be listened at;
 * RDV_E_NOMEM. */
int listen_at(const char *where, int *socket, rdv_arena *arena, rdv_str *url, rdv_error *err);
