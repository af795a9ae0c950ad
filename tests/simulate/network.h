/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* run/http.h without sockets: exchanges with simulated servers, on the world's clock. The run's
 * waiting is the only thing that lets time pass. */
#include "world.h"

/* The world that http_new() connects to; borrowed. */
void network_connect(world *w);
