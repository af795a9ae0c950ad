/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A table in the forms of the Arrow C data and stream interfaces
 * (https://arrow.apache.org/docs/format/CDataInterface.html), whose structs are copied from there:
 * they are its ABI, so that no library of Arrow is needed. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct binding_table binding_table;

/* NULL: out of memory. */
binding_table *binding_table_new(size_t n_columns, int64_t n_rows);
/* Set a column; everything is copied. format: "u" and "U" (texts with offsets of 32 and 64 bits),
 * "l" (int64), "g" (double), "b" (bits). validity: a bit for each row, NULL: no row is null.
 * offsets: of texts, else NULL. false: out of memory. */
bool binding_table_column(binding_table *table, size_t i, const char *name, const char *format,
                          int64_t n_null, const void *validity, size_t validity_size,
                          const void *offsets, size_t offsets_size, const void *data,
                          size_t data_size);
/* A new reference to a Python object: a capsule with an ArrowArrayStream of the whole table, which
 * stays as long as anybody uses what came out of it; a capsule that nobody took releases it. NULL:
 * out of memory. */
void *binding_table_stream(binding_table *table);
/* The same with its ArrowSchema. */
void *binding_table_schema(binding_table *table);
/* NULL is accepted. */
void binding_table_free(binding_table *table);
/* How many tables there are, with those that only a consumer uses: for tests. */
size_t binding_tables(void);
