/* SPDX-License-Identifier: Apache-2.0 */
/* Text to tokens: the text is cut into characters; then, again and again, the two neighbours whose
 * joined text is the token of the highest score (of equals the leftmost) become one. What is no
 * token in the end is written byte by byte. */
#include "base/arena.h"
#include "base/str.h"
#include "lm/lm.h"
#include "lm/vocab.h"
#include <string.h>

#define NONE UINT32_MAX

/* A stretch of the text, in a list; len 0: joined to the one before it. */
typedef struct symbol {
    uint32_t at, len, before, after;
} symbol;

/* Two neighbours that may be joined, as they were when the pair was recorded. */
typedef struct pair {
    float score;
    uint32_t left, right, len;
} pair;

typedef struct encoder {
    const vocab *v;
    rdv_arena *arena;
    rdv_str text;
    symbol *symbols;
    size_t n_symbols;
    pair *heap; /* the best first */
    size_t n_pairs, cap_pairs;
    bool failed;
} encoder;

static bool better(const pair *a, const pair *b)
{
    return a->score > b->score || (a->score == b->score && a->left < b->left);
}

static void push(encoder *e, pair p)
{
    if (!RDV_PUSH_ROOM(e->arena, e->heap, e->n_pairs, e->cap_pairs)) {
        e->failed = true;
        return;
    }
    size_t i = e->n_pairs++;
    for (; i > 0 && better(&p, &e->heap[(i - 1) / 2]); i = (i - 1) / 2)
        e->heap[i] = e->heap[(i - 1) / 2];
    e->heap[i] = p;
}

static pair pop(encoder *e)
{
    pair best = e->heap[0], last = e->heap[--e->n_pairs];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < e->n_pairs; i = child) {
        if (child + 1 < e->n_pairs && better(&e->heap[child + 1], &e->heap[child]))
            child++;
        if (!better(&e->heap[child], &last))
            break;
        e->heap[i] = e->heap[child];
    }
    e->heap[i] = last;
    return best;
}

static uint32_t token_of(const encoder *e, size_t at, size_t len)
{
    if (len > e->v->longest)
        return RDV_LM_NO_TOKEN;
    size_t token = rdv_map_get(&e->v->by_text, (rdv_str){e->text.p + at, len});
    return token == RDV_MAP_MISSING ? RDV_LM_NO_TOKEN : (uint32_t)token;
}

static void consider(encoder *e, uint32_t left, uint32_t right)
{
    if (left == NONE || right == NONE)
        return;
    uint32_t len = e->symbols[left].len + e->symbols[right].len;
    uint32_t token = token_of(e, e->symbols[left].at, len);
    if (token != RDV_LM_NO_TOKEN)
        push(e, (pair){e->v->tokens[token].score, left, right, len});
}

static void join(encoder *e, const pair *p)
{
    symbol *left = &e->symbols[p->left], *right = &e->symbols[p->right];
    if (left->len == 0 || right->len == 0 || left->len + right->len != p->len)
        return; /* one of them was joined to another meanwhile */
    left->len += right->len;
    right->len = 0;
    left->after = right->after;
    if (right->after != NONE)
        e->symbols[right->after].before = p->left;
    consider(e, left->before, p->left);
    consider(e, p->left, left->after);
}

/* Spaces as the tokens have them, and one before the text where the file says so. */
static rdv_str prepare(const vocab *v, rdv_str text, rdv_arena *arena)
{
    size_t spaces = v->add_space, mark = sizeof VOCAB_SPACE - 1, n = 0;
    for (size_t i = 0; i < text.len; i++)
        spaces += text.p[i] == ' ';
    char *out = rdv_alloc(arena, text.len + spaces * mark);
    if (!out)
        return (rdv_str){NULL, 0};
    for (size_t i = v->add_space ? 0 : 1; i <= text.len; i++) {
        bool space = i == 0 || text.p[i - 1] == ' ';
        if (space)
            memcpy(out + n, VOCAB_SPACE, mark);
        else
            out[n] = text.p[i - 1];
        n += space ? mark : 1;
    }
    return (rdv_str){out, n};
}

/* Characters are recognised by their first byte alone, so invalid UTF-8 is also divided. */
static bool cut(encoder *e)
{
    static const unsigned char lengths[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};
    e->symbols = RDV_NEW_ARRAY(e->arena, symbol, e->text.len);
    if (!e->symbols)
        return false;
    for (size_t at = 0; at < e->text.len;) {
        size_t len = lengths[(unsigned char)e->text.p[at] >> 4], i = e->n_symbols++;
        if (len > e->text.len - at)
            len = e->text.len - at;
        e->symbols[i] = (symbol){.at = (uint32_t)at,
                                 .len = (uint32_t)len,
                                 .before = i ? (uint32_t)(i - 1) : NONE,
                                 .after = (uint32_t)(i + 1)};
        at += len;
    }
    e->symbols[e->n_symbols - 1].after = NONE;
    return true;
}

static bool write_symbol(const encoder *e, const symbol *s, token_list *out)
{
    uint32_t token = token_of(e, s->at, s->len);
    if (token != RDV_LM_NO_TOKEN)
        return vocab_list_add(out, token);
    for (uint32_t i = 0; i < s->len; i++)
        if (!vocab_list_add(out, e->v->bytes[(unsigned char)e->text.p[s->at + i]]))
            return false;
    return true;
}

static bool encode(encoder *e, rdv_str text, token_list *out)
{
    e->text = prepare(e->v, text, e->arena);
    if (!e->text.p || !cut(e))
        return false;
    for (uint32_t i = 1; i < e->n_symbols && !e->failed; i++)
        consider(e, i - 1, i);
    while (e->n_pairs && !e->failed) {
        pair best = pop(e);
        join(e, &best);
    }
    for (uint32_t i = 0; i != NONE && !e->failed; i = e->symbols[i].after)
        e->failed = !write_symbol(e, &e->symbols[i], out);
    return !e->failed;
}

int encode_text(const vocab *v, rdv_str text, token_list *out, rdv_error *err)
{
    if (text.len == 0)
        return RDV_OK;
    if (text.len > VOCAB_MAX_TEXT)
        return rdv_fail(err, RDV_E_LIMIT, "a text of %zu bytes is too long to be made into tokens",
                        text.len);
    encoder e = {.v = v, .arena = rdv_arena_new(0)};
    bool ok = e.arena && encode(&e, text, out);
    rdv_arena_free(&e.arena);
    return ok ? RDV_OK : rdv_no_memory(err);
}
