/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Opens a listening socket. */
#include <rederive/base.h>

/* Listen at "HOST:PORT": a numeric address (IPv6 in brackets) or "localhost"; port 0: any free
 * port. *socket: the caller closes it; *url becomes "http://HOST:PORT" with the actual port, in
 * `arena`. Faults: RDV_E_ARGUMENT: invalid address; RDV_E_IO: cannot listen at it; RDV_E_NOMEM. */
int listen_at(const char *where, int *socket, rdv_arena *arena, rdv_str *url, rdv_error *err);
