/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Reading JSON with jansson, of which each lack of memory is told: jansson's lexer drops the byte
 * that it has no room for, and goes on. */
#include <rederive/base.h>

#include <jansson.h>

/* As json_loadb(), but NULL, with *no_memory, whenever memory was lacking; else *no_memory is
 * false. The caller releases the result with json_decref(). The first call gives jansson a malloc()
 * that notes its failures, unless the program gave it an allocator of its own; that one stays, and
 * then only what jansson tells is told. Any thread. */
json_t *json_load(rdv_str text, size_t flags, json_error_t *why, bool *no_memory);
