/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The options of a program whose headers may be older or newer than this library: a struct that
 * begins with `size_t size`, its size in those headers (docs/adr/0028). */
#include <rederive/base.h>

/* Take the options that were given into `own`, a struct of `own_size` bytes that holds the
 * defaults. Members that the caller's header does not have keep them; `given` == NULL: all do.
 * RDV_E_ARGUMENT: `size` is not set; or a member that this library does not have is not zero: what
 * it asks for cannot be done. */
int rdv_options_take(void *own, size_t own_size, const void *given, rdv_error *err);
/* Fill the caller's struct of `size` bytes from `own`, which holds the defaults; what `own` does
 * not have becomes zero. */
void rdv_options_fill(void *to, size_t size, const void *own, size_t own_size);
