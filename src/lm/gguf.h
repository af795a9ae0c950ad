/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A GGUF file, version 3, as it lies in memory: its metadata, and where its tensors are.
 * Everything is borrowed from the file's bytes. A file is untrusted input: every count, length and
 * offset in it is checked. */
#include <rederive/base.h>

#include "base/map.h"

/* Limits: RDV_E_LIMIT beyond them. */
#define GGUF_MAX_ENTRIES 65536             /* of metadata, and tensors */
#define GGUF_MAX_NAME 128                  /* bytes of a key or a tensor's name */
#define GGUF_MAX_ITEMS ((uint64_t)1 << 22) /* of an array */
#define GGUF_MAX_TEXT ((uint64_t)1 << 20)  /* bytes of a text */

typedef enum gguf_is {
    GGUF_U8 = 0,
    GGUF_I8,
    GGUF_U16,
    GGUF_I16,
    GGUF_U32,
    GGUF_I32,
    GGUF_F32,
    GGUF_BOOL,
    GGUF_TEXT,
    GGUF_ARRAY,
    GGUF_U64,
    GGUF_I64,
    GGUF_F64
} gguf_is;

typedef struct gguf_value {
    rdv_str key;
    gguf_is is; /* an array's: its items' type */
    bool array;
    uint64_t n;    /* items; 1 unless an array */
    rdv_str bytes; /* of the value or the items; a text's without its length */
} gguf_value;

/* Types of tensors that are known here; the numbers are the format's. */
typedef enum gguf_weights {
    GGUF_WEIGHTS_F32 = 0,
    GGUF_WEIGHTS_F16 = 1,
    GGUF_WEIGHTS_Q8_0 = 8,
    GGUF_WEIGHTS_BF16 = 30
} gguf_weights;

typedef struct gguf_tensor {
    rdv_str name;
    uint32_t n_dims;  /* 1 or 2 */
    uint64_t dims[2]; /* the length of a row, then the number of rows (1) */
    gguf_weights weights;
    rdv_str bytes;
} gguf_tensor;

typedef struct gguf {
    rdv_str file;
    size_t values_end; /* where the tensors are described */
    gguf_value *values;
    size_t n_values;
    gguf_tensor *tensors;
    size_t n_tensors;
    rdv_map keys, names;
} gguf;

/* Read the metadata of `file`. Faults: RDV_E_INPUT, RDV_E_LIMIT, RDV_E_NOMEM. */
int gguf_read_values(gguf *g, rdv_str file, rdv_arena *arena, rdv_error *err);
/* Then find every tensor. The same faults. */
int gguf_read_tensors(gguf *g, rdv_arena *arena, rdv_error *err);

/* The value of this key, or NULL. */
const gguf_value *gguf_get(const gguf *g, const char *key);
/* The tensor of this name, or NULL. */
const gguf_tensor *gguf_find(const gguf *g, rdv_str name);

/* A whole number of any type, a float, a truth value, a text: RDV_OK; RDV_NONE: no such key;
 * RDV_E_INPUT: it is something else, or out of range. */
int gguf_whole(const gguf *g, const char *key, uint64_t least, uint64_t most, uint64_t *out,
               rdv_error *err);
int gguf_float(const gguf *g, const char *key, double *out, rdv_error *err);
int gguf_bool(const gguf *g, const char *key, bool *out, rdv_error *err);
int gguf_text(const gguf *g, const char *key, rdv_str *out, rdv_error *err);

/* "q8_0" and so on; a static string. */
const char *gguf_weights_name(gguf_weights weights);
/* A name from a file as it may stand in a message: at most 64 printable ASCII characters. */
typedef struct gguf_shown {
    char text[68];
} gguf_shown;
gguf_shown gguf_show(rdv_str name);
