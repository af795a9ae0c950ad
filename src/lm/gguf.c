/* SPDX-License-Identifier: Apache-2.0 */
#include "lm/gguf.h"
#include "base/arena.h"
#include "base/str.h"

#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a GGUF file is read as it lies there");

/* The bytes that remain to be read; the first fault is kept. */
typedef struct cursor {
    rdv_str file;
    size_t at;
    rdv_error *err;
    int failed;
} cursor;

static int cut_off(cursor *c)
{
    if (!c->failed)
        c->failed = rdv_fail(c->err, RDV_E_INPUT, "the file is cut off at byte %zu", c->file.len);
    return c->failed;
}

static rdv_str take(cursor *c, uint64_t n)
{
    if (c->failed || n > c->file.len - c->at) {
        cut_off(c);
        return (rdv_str){NULL, 0};
    }
    rdv_str s = {c->file.p + c->at, (size_t)n};
    c->at += (size_t)n;
    return s;
}

static uint64_t take_whole(cursor *c, size_t size)
{
    uint64_t n = 0;
    rdv_str s = take(c, size);
    if (s.p)
        memcpy(&n, s.p, size);
    return n;
}

static rdv_str take_text(cursor *c, uint64_t most, const char *what)
{
    uint64_t n = take_whole(c, 8);
    if (!c->failed && n > most)
        c->failed = rdv_fail(c->err, RDV_E_LIMIT, "%s of %llu bytes, at byte %zu, is too long",
                             what, (unsigned long long)n, c->at - 8);
    return c->failed ? (rdv_str){NULL, 0} : take(c, n);
}

/* ---- metadata -------------------------------------------------------------------------------- */

static size_t size_of(uint64_t is)
{
    static const unsigned char sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return is < sizeof sizes ? sizes[is] : 0;
}

static void take_texts(cursor *c, uint64_t n)
{
    for (uint64_t i = 0; i < n && !c->failed; i++)
        take_text(c, GGUF_MAX_TEXT, "a text");
}

static void take_items(cursor *c, gguf_value *v)
{
    size_t begin = c->at;
    if (v->n > GGUF_MAX_ITEMS)
        c->failed = rdv_fail(c->err, RDV_E_LIMIT, "%s: an array of %llu items is too long",
                             gguf_show(v->key).text, (unsigned long long)v->n);
    else if (v->is == GGUF_TEXT)
        take_texts(c, v->n);
    else
        take(c, v->n * size_of(v->is));
    v->bytes = c->failed ? (rdv_str){NULL, 0} : (rdv_str){c->file.p + begin, c->at - begin};
}

static void take_value(cursor *c, gguf_value *v)
{
    v->key = take_text(c, GGUF_MAX_NAME, "a key");
    uint64_t is = take_whole(c, 4);
    v->n = 1;
    v->array = is == GGUF_ARRAY;
    if (v->array) {
        is = take_whole(c, 4);
        v->n = take_whole(c, 8);
    }
    if (c->failed)
        return;
    v->is = (gguf_is)is;
    if (is != GGUF_TEXT && size_of(is) == 0)
        c->failed = rdv_fail(c->err, RDV_E_INPUT, "%s: a value of unknown type %llu",
                             gguf_show(v->key).text, (unsigned long long)is);
    else if (v->array)
        take_items(c, v);
    else if (is == GGUF_TEXT)
        v->bytes = take_text(c, GGUF_MAX_TEXT, "a text");
    else
        v->bytes = take(c, size_of(is));
}

static int put_new(rdv_map *map, rdv_str name, size_t i, const char *what, rdv_error *err)
{
    if (rdv_map_get(map, name) != RDV_MAP_MISSING)
        return rdv_fail(err, RDV_E_INPUT, "%s '%s' is there twice", what, gguf_show(name).text);
    if (rdv_map_put(map, name, i) != RDV_OK)
        return rdv_no_memory(err);
    return RDV_OK;
}

static int read_values(gguf *g, cursor *c)
{
    for (size_t i = 0; i < g->n_values && !c->failed; i++) {
        take_value(c, &g->values[i]);
        if (!c->failed)
            c->failed = put_new(&g->keys, g->values[i].key, i, "the key", c->err);
    }
    return c->failed;
}

/* ---- tensors --------------------------------------------------------------------------------- */

const char *gguf_weights_name(gguf_weights weights)
{
    switch (weights) {
    case GGUF_WEIGHTS_F32:
        return "f32";
    case GGUF_WEIGHTS_F16:
        return "f16";
    case GGUF_WEIGHTS_BF16:
        return "bf16";
    case GGUF_WEIGHTS_Q8_0:
        return "q8_0";
    }
    return NULL;
}

/* The format's name for a type of tensors, supported here or not; NULL: the format has no such
 * type. After enum ggml_type of llama.cpp. */
static const char *type_name(uint64_t type)
{
    static const char *const names[] = {
        "F32",     "F16",    "Q4_0",    "Q4_1",  NULL,     NULL,    "Q5_0",  "Q5_1",
        "Q8_0",    "Q8_1",   "Q2_K",    "Q3_K",  "Q4_K",   "Q5_K",  "Q6_K",  "Q8_K",
        "IQ2_XXS", "IQ2_XS", "IQ3_XXS", "IQ1_S", "IQ4_NL", "IQ3_S", "IQ2_S", "IQ4_XS",
        "I8",      "I16",    "I32",     "I64",   "F64",    "IQ1_M", "BF16",  NULL,
        NULL,      NULL,     "TQ1_0",   "TQ2_0", NULL,     NULL,    NULL,    "MXFP4"};
    return type < sizeof names / sizeof *names ? names[type] : NULL;
}

/* Bytes of a row, 0 where it cannot be. */
static uint64_t row_bytes(gguf_weights weights, uint64_t n)
{
    switch (weights) {
    case GGUF_WEIGHTS_F32:
        return n * 4;
    case GGUF_WEIGHTS_F16:
    case GGUF_WEIGHTS_BF16:
        return n * 2;
    case GGUF_WEIGHTS_Q8_0:
        return n % 32 ? 0 : n / 32 * 34;
    }
    return 0;
}

static int bad_tensor(cursor *c, const gguf_tensor *t, const char *why)
{
    if (!c->failed)
        c->failed = rdv_fail(c->err, RDV_E_INPUT, "tensor '%s' %s", gguf_show(t->name).text, why);
    return c->failed;
}

static int unread_type(cursor *c, const gguf_tensor *t)
{
    char why[128];
    const char *name = type_name(t->weights);
    if (name)
        snprintf(why, sizeof why, "has weights of type %s", name);
    else
        snprintf(why, sizeof why, "has weights of an unknown type, number %u",
                 (unsigned)t->weights);
    return bad_tensor(c, t, why);
}

/* The bytes of the tensor in *size, and where its data begins in *offset. */
static int take_tensor(cursor *c, gguf_tensor *t, uint64_t *size, uint64_t *offset)
{
    t->name = take_text(c, GGUF_MAX_NAME, "a tensor's name");
    t->n_dims = (uint32_t)take_whole(c, 4);
    t->dims[0] = t->dims[1] = 1;
    if (!c->failed && (t->n_dims < 1 || t->n_dims > 2))
        return bad_tensor(c, t, "has neither one nor two dimensions");
    for (uint32_t d = 0; d < t->n_dims && !c->failed; d++) {
        t->dims[d] = take_whole(c, 8);
        if (t->dims[d] < 1 || t->dims[d] > (uint64_t)1 << 28)
            bad_tensor(c, t, "has a size that cannot be");
    }
    t->weights = (gguf_weights)take_whole(c, 4);
    *offset = take_whole(c, 8);
    if (c->failed)
        return c->failed;
    if (!gguf_weights_name(t->weights))
        return unread_type(c, t);
    uint64_t row = row_bytes(t->weights, t->dims[0]);
    if (row == 0)
        return bad_tensor(c, t, "has rows that are no whole blocks of q8_0");
    *size = row * t->dims[1];
    return RDV_OK;
}

/* The data follow each other in the order of the tensors, each at the alignment. */
static int place_tensors(gguf *g, cursor *c, const uint64_t *sizes, const uint64_t *offsets)
{
    uint64_t alignment = 32, expected = 0;
    int rc = gguf_whole(g, "general.alignment", 8, 4096, &alignment, c->err);
    if (rc < 0)
        return rc;
    if (alignment & (alignment - 1))
        return rdv_fail(c->err, RDV_E_INPUT, "general.alignment is not a power of two");
    uint64_t begin = (c->at + alignment - 1) / alignment * alignment;
    for (size_t i = 0; i < g->n_tensors; i++) {
        if (offsets[i] != expected)
            return bad_tensor(c, &g->tensors[i], "is not where the one before it ends");
        if (begin > c->file.len || expected > c->file.len - begin ||
            sizes[i] > c->file.len - begin - expected)
            return cut_off(c);
        g->tensors[i].bytes = (rdv_str){c->file.p + begin + expected, (size_t)sizes[i]};
        expected += (sizes[i] + alignment - 1) / alignment * alignment;
    }
    return RDV_OK;
}

static int read_tensors(gguf *g, cursor *c, rdv_arena *arena)
{
    uint64_t *sizes = RDV_NEW_ARRAY(arena, uint64_t, g->n_tensors);
    uint64_t *offsets = RDV_NEW_ARRAY(arena, uint64_t, g->n_tensors);
    if (!sizes || !offsets)
        return rdv_no_memory(c->err);
    for (size_t i = 0; i < g->n_tensors && !c->failed; i++)
        if (take_tensor(c, &g->tensors[i], &sizes[i], &offsets[i]) == RDV_OK)
            c->failed = put_new(&g->names, g->tensors[i].name, i, "the tensor", c->err);
    return c->failed ? c->failed : place_tensors(g, c, sizes, offsets);
}

int gguf_read_values(gguf *g, rdv_str file, rdv_arena *arena, rdv_error *err)
{
    cursor c = {.file = file, .err = err};
    if (file.len < 4 || memcmp(file.p, "GGUF", 4) != 0)
        return rdv_fail(err, RDV_E_INPUT, "this is not a GGUF file");
    take(&c, 4);
    uint64_t version = take_whole(&c, 4), n_tensors = take_whole(&c, 8), n = take_whole(&c, 8);
    if (c.failed)
        return c.failed;
    if (version != 3)
        return rdv_fail(err, RDV_E_INPUT, "GGUF version %llu; this reads version 3",
                        (unsigned long long)version);
    if (n > GGUF_MAX_ENTRIES || n_tensors > GGUF_MAX_ENTRIES)
        return rdv_fail(err, RDV_E_LIMIT, "more than %d entries in the head", GGUF_MAX_ENTRIES);
    *g = (gguf){.n_values = (size_t)n, .n_tensors = (size_t)n_tensors};
    /* An entry takes at least 12 bytes of file: a short file does not make large arrays. */
    if (n + n_tensors > file.len / 12)
        return cut_off(&c);
    rdv_map_init(&g->keys, arena);
    rdv_map_init(&g->names, arena);
    g->values = RDV_NEW_ARRAY(arena, gguf_value, g->n_values);
    g->tensors = RDV_NEW_ARRAY(arena, gguf_tensor, g->n_tensors);
    if (!g->values || !g->tensors)
        return rdv_no_memory(err);
    int rc = read_values(g, &c);
    g->file = file;
    g->values_end = c.at;
    return rc;
}

int gguf_read_tensors(gguf *g, rdv_arena *arena, rdv_error *err)
{
    cursor c = {.file = g->file, .at = g->values_end, .err = err};
    return read_tensors(g, &c, arena);
}

/* ---- looking up ------------------------------------------------------------------------------ */

const gguf_value *gguf_get(const gguf *g, const char *key)
{
    size_t i = rdv_map_get(&g->keys, rdv_str_of(key));
    return i == RDV_MAP_MISSING ? NULL : &g->values[i];
}

const gguf_tensor *gguf_find(const gguf *g, rdv_str name)
{
    size_t i = rdv_map_get(&g->names, name);
    return i == RDV_MAP_MISSING ? NULL : &g->tensors[i];
}

static uint64_t raw(const gguf_value *v)
{
    uint64_t n = 0;
    memcpy(&n, v->bytes.p, v->bytes.len < 8 ? v->bytes.len : 8);
    return n;
}

static bool is_whole(const gguf_value *v)
{
    return !v->array && v->is != GGUF_F32 && v->is != GGUF_F64 && v->is != GGUF_BOOL &&
           v->is != GGUF_TEXT;
}

static bool is_negative(const gguf_value *v)
{
    bool is_signed =
        v->is == GGUF_I8 || v->is == GGUF_I16 || v->is == GGUF_I32 || v->is == GGUF_I64;
    return is_signed && (unsigned char)v->bytes.p[v->bytes.len - 1] >> 7;
}

int gguf_whole(const gguf *g, const char *key, uint64_t least, uint64_t most, uint64_t *out,
               rdv_error *err)
{
    const gguf_value *v = gguf_get(g, key);
    if (!v)
        return RDV_NONE;
    if (!is_whole(v) || is_negative(v) || raw(v) < least || raw(v) > most)
        return rdv_fail(err, RDV_E_INPUT, "%s is not a whole number from %llu to %llu", key,
                        (unsigned long long)least, (unsigned long long)most);
    *out = raw(v);
    return RDV_OK;
}

int gguf_float(const gguf *g, const char *key, double *out, rdv_error *err)
{
    const gguf_value *v = gguf_get(g, key);
    if (!v)
        return RDV_NONE;
    if (v->array || (v->is != GGUF_F32 && v->is != GGUF_F64))
        return rdv_fail(err, RDV_E_INPUT, "%s is not a decimal number", key);
    float f;
    if (v->is == GGUF_F64) {
        memcpy(out, v->bytes.p, sizeof *out);
    } else {
        memcpy(&f, v->bytes.p, sizeof f);
        *out = (double)f;
    }
    return RDV_OK;
}

int gguf_bool(const gguf *g, const char *key, bool *out, rdv_error *err)
{
    const gguf_value *v = gguf_get(g, key);
    if (!v)
        return RDV_NONE;
    if (v->array || v->is != GGUF_BOOL || raw(v) > 1)
        return rdv_fail(err, RDV_E_INPUT, "%s is neither true nor false", key);
    *out = raw(v) == 1;
    return RDV_OK;
}

int gguf_text(const gguf *g, const char *key, rdv_str *out, rdv_error *err)
{
    const gguf_value *v = gguf_get(g, key);
    if (!v)
        return RDV_NONE;
    if (v->array || v->is != GGUF_TEXT)
        return rdv_fail(err, RDV_E_INPUT, "%s is not a text", key);
    *out = v->bytes;
    return RDV_OK;
}

gguf_shown gguf_show(rdv_str name)
{
    gguf_shown shown = {{0}};
    for (size_t i = 0; i < name.len && i < 64; i++)
        shown.text[i] = name.p[i] >= ' ' && name.p[i] <= '~' ? name.p[i] : '?';
    if (name.len > 64)
        memcpy(shown.text + 64, "...", 3);
    return shown;
}
