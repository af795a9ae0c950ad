/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/* Test hook: make the n-th allocation from now (1 = the next) of the arenas of this thread fail,
 * while those that follow it succeed; rdv_alloc_fail_at(0) switches it off. Code that has not
 * noticed the failure goes on and shows it, where rdv_alloc_fail_at(n) would stop it at the next
 * allocation. */
void rdv_alloc_fail_once(size_t n);
