/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* To be called by what uses exact arithmetic: when this thread ends, what FLINT keeps for it is
 * released. A thread of Python says to nobody that it ends; the C library does. */
void binding_thread_begin(void);
