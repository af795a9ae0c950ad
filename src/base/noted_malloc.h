/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* malloc() for a library that does not tell when it fails: jansson's lexer drops the byte that it
 * has no room for, and goes on. */
#include <stdbool.h>
#include <stddef.h>

/* As malloc(); free() releases it. */
void *noted_malloc(size_t size);
/* Whether noted_malloc() has failed in this thread since the latest call of this function. */
bool noted_malloc_failed(void);
