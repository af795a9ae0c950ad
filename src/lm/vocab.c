/* SPDX-License-Identifier: Apache-2.0 */
#include "lm/vocab.h"
#include "base/arena.h"
#include "base/str.h"
#include "lm/lm.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NORMAL = 1, UNKNOWN = 2, CONTROL = 3, UNUSED = 5, BYTE = 6 };

static int no_memory(rdv_error *err)
{
    return rdv_no_memory(err);
}

/* The array of this key, of the type and length wanted (0: any), or NULL with a fault. */
static const gguf_value *array_of(const gguf *g, const char *key, gguf_is is, size_t n,
                                  rdv_error *err)
{
    const gguf_value *v = gguf_get(g, key);
    if (!v || !v->array || v->is != is || (n && v->n != n)) {
        rdv_fail(err, RDV_E_INPUT, "%s is missing, or not an array with an item for each token",
                 key);
        return NULL;
    }
    return v;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The bytes of a token's text with its spaces as spaces. */
static rdv_str piece_of(rdv_str text, rdv_arena *arena)
{
    char *out = rdv_alloc(arena, text.len);
    size_t n = 0;
    if (!out)
        return (rdv_str){NULL, 0};
    for (size_t i = 0; i < text.len; n++) {
        bool space = rdv_starts(rdv_slice(text, i, text.len), RDV_STR(VOCAB_SPACE));
        out[n] = space ? ' ' : text.p[i];
        i += space ? sizeof VOCAB_SPACE - 1 : 1;
    }
    return (rdv_str){out, n};
}

static int hex(char c)
{
    if (rdv_is_digit(c))
        return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte of "<0xE2>", or -1. */
static int byte_of(rdv_str text)
{
    if (text.len != 6 || memcmp(text.p, "<0x", 3) != 0 || text.p[5] != '>')
        return -1;
    int high = hex(text.p[3]), low = hex(text.p[4]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

static int bad_token(size_t i, const char *why, rdv_error *err)
{
    return rdv_fail(err, RDV_E_INPUT, "token %zu of the vocabulary %s", i, why);
}

static int read_byte(vocab *v, size_t i, rdv_arena *arena, rdv_error *err)
{
    int byte = byte_of(v->tokens[i].text);
    if (byte < 0 || v->bytes[byte] != RDV_LM_NO_TOKEN)
        return bad_token(i, "is a byte's, but not named <0x..>, or the second of its name", err);
    char *one = rdv_alloc(arena, 1);
    if (!one)
        return no_memory(err);
    *one = (char)byte;
    v->bytes[byte] = (uint32_t)i;
    v->tokens[i].piece = (rdv_str){one, 1};
    return RDV_OK;
}

static int read_normal(vocab *v, size_t i, rdv_arena *arena, rdv_error *err)
{
    vocab_token *t = &v->tokens[i];
    if (t->text.len == 0 || rdv_map_get(&v->by_text, t->text) != RDV_MAP_MISSING)
        return bad_token(i, "has no text, or that of another", err);
    t->piece = piece_of(t->text, arena);
    if (!t->piece.p || rdv_map_put(&v->by_text, t->text, i) != RDV_OK)
        return no_memory(err);
    if (t->text.len > v->longest)
        v->longest = t->text.len;
    return RDV_OK;
}

static int read_token(vocab *v, size_t i, int32_t type, rdv_arena *arena, rdv_error *err)
{
    vocab_token *t = &v->tokens[i];
    t->piece = RDV_STR("");
    if (!isfinite(t->score))
        return bad_token(i, "has a score that is no number", err);
    switch (type) {
    case NORMAL:
        return read_normal(v, i, arena, err);
    case BYTE:
        return read_byte(v, i, arena, err);
    case CONTROL:
        if (rdv_map_get(&v->by_name, t->text) != RDV_MAP_MISSING)
            return bad_token(i, "has the name of another", err);
        if (rdv_map_put(&v->by_name, t->text, i) != RDV_OK)
            return no_memory(err);
        t->control = true;
        return RDV_OK;
    case UNKNOWN:
    case UNUSED:
        t->control = true;
        return RDV_OK;
    default:
        return bad_token(i, "is of a type that is not read here (user-defined, or none)", err);
    }
}

static int read_tokens(vocab *v, const gguf *g, rdv_arena *arena, rdv_error *err)
{
    const gguf_value *texts = array_of(g, "tokenizer.ggml.tokens", GGUF_TEXT, 0, err);
    if (!texts)
        return RDV_E_INPUT;
    if (texts->n < 256 || texts->n > VOCAB_MAX)
        return rdv_fail(err, RDV_E_LIMIT, "%llu tokens; 256 to %zu can be read",
                        (unsigned long long)texts->n, VOCAB_MAX);
    v->n = (size_t)texts->n;
    v->tokens = RDV_NEW_ARRAY(arena, vocab_token, v->n);
    if (!v->tokens)
        return no_memory(err);
    const gguf_value *scores = array_of(g, "tokenizer.ggml.scores", GGUF_F32, v->n, err);
    const gguf_value *types = array_of(g, "tokenizer.ggml.token_type", GGUF_I32, v->n, err);
    if (!scores || !types)
        return RDV_E_INPUT;
    const char *at = texts->bytes.p;
    for (size_t i = 0; i < v->n; i++) {
        uint64_t len;
        int32_t type;
        memcpy(&len, at, sizeof len);
        v->tokens[i].text = (rdv_str){at + sizeof len, (size_t)len};
        at += sizeof len + len;
        memcpy(&v->tokens[i].score, scores->bytes.p + i * sizeof(float), sizeof(float));
        memcpy(&type, types->bytes.p + i * sizeof type, sizeof type);
        int rc = read_token(v, i, type, arena, err);
        if (rc)
            return rc;
    }
    return RDV_OK;
}

/* A token named by its number; where the file does not say which, `usual`. */
static int read_id(const vocab *v, const gguf *g, const char *key, uint32_t usual, uint32_t *id,
                   rdv_error *err)
{
    uint64_t number = usual;
    int rc = gguf_whole(g, key, 0, v->n - 1, &number, err);
    *id = (uint32_t)number;
    return rc < 0 ? rc : RDV_OK;
}

/* What the file leaves out is as llama.cpp takes it for this kind of tokenizer. */
static int read_settings(vocab *v, const gguf *g, rdv_error *err)
{
    v->add_begin = v->add_space = true;
    int rc = gguf_bool(g, "tokenizer.ggml.add_bos_token", &v->add_begin, err);
    if (rc >= 0)
        rc = gguf_bool(g, "tokenizer.ggml.add_space_prefix", &v->add_space, err);
    if (rc >= 0)
        rc = read_id(v, g, "tokenizer.ggml.bos_token_id", 1, &v->begin, err);
    if (rc >= 0)
        rc = read_id(v, g, "tokenizer.ggml.eos_token_id", 2, &v->end, err);
    return rc < 0 ? rc : RDV_OK;
}

int vocab_read(vocab *v, const gguf *g, rdv_arena *arena, rdv_error *err)
{
    rdv_str model = {NULL, 0};
    int rc = gguf_text(g, "tokenizer.ggml.model", &model, err);
    if (rc < 0)
        return rc;
    if (!model.p || !rdv_str_eq(model, RDV_STR("llama")))
        return rdv_fail(err, RDV_E_INPUT, "tokenizer.ggml.model is not \"llama\"");
    *v = (vocab){0};
    rdv_map_init(&v->by_text, arena);
    rdv_map_init(&v->by_name, arena);
    memset(v->bytes, 0xff, sizeof v->bytes);
    rc = read_tokens(v, g, arena, err);
    if (rc)
        return rc;
    for (size_t b = 0; b < 256; b++)
        if (v->bytes[b] == RDV_LM_NO_TOKEN)
            return rdv_fail(err, RDV_E_INPUT, "no token for the byte <0x%02zX>", b);
    return read_settings(v, g, err);
}

bool vocab_list_add(token_list *list, uint32_t token)
{
    if (!RDV_PUSH_ROOM(list->arena, list->items, list->n, list->cap))
        return false;
    list->items[list->n++] = token;
    return true;
}
