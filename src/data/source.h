/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Bytes from a file, standard input or a callback, unpacked when they are gzip. */
#include <rederive/data.h>

/* A source of the bytes of *rest, of which it takes what is read. *rest outlives it. */
rdv_source rdv_source_of(rdv_str *rest);

typedef struct rdv_bytes rdv_bytes;

/* Open `path` ("-": standard input). *out is the caller's, released with rdv_bytes_close(); NULL on
 * failure. Faults: RDV_E_IO, RDV_E_NOMEM, both with `path` in the message. */
int rdv_bytes_open(rdv_bytes **out, const char *path, rdv_error *err);
/* The same over a callback, which is not closed. */
int rdv_bytes_open_source(rdv_bytes **out, rdv_source source, rdv_error *err);
/* At least one and at most `size` bytes into `to`, their number into *got; 0 at the end.
 * Faults: RDV_E_IO with a reason that does not name the file. They repeat on every further call. */
int rdv_bytes_read(rdv_bytes *b, char *to, size_t size, size_t *got, rdv_error *err);
/* What the bytes begin with, without taking it: at least `size` of them, or fewer at the end; *text
 * is borrowed until the next call. `size`: at most RDV_PEEK_BYTES. Call it before rdv_bytes_read().
 * Faults as there. */
#define RDV_PEEK_BYTES ((size_t)64 * 1024)
int rdv_bytes_peek(rdv_bytes *b, size_t size, rdv_str *text, rdv_error *err);
/* A descriptor of all the bytes, whose every place can be read with pread(); it is closed with *b.
 * A pipe, a callback and gzip are first copied to a temporary file without a name. Call it before
 * rdv_bytes_read(). Faults: RDV_E_IO; RDV_E_LIMIT (a copy of more than RDV_MAX_COPY_BYTES). */
#define RDV_MAX_COPY_BYTES ((uint64_t)16 << 30)
int rdv_bytes_file(rdv_bytes *b, int *file, rdv_error *err);
/* Bytes taken from the source so far, packed ones where it is packed. */
uint64_t rdv_bytes_taken(const rdv_bytes *b);
/* Release and set to NULL. NULL and *NULL are accepted. */
void rdv_bytes_close(rdv_bytes **b);
