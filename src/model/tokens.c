/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tokens.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"

#include <math.h>

/* ---- reading --------------------------------------------------------------------------------- */

static int push(tokens *t, rdv_str text, double logprob, rdv_arena *arena)
{
    if (!RDV_PUSH_ROOM(arena, t->items, t->n, t->cap))
        return RDV_E_NOMEM;
    rdv_str copy = rdv_str_copy(arena, text);
    if (!copy.p)
        return RDV_E_NOMEM;
    t->items[t->n++] = (rdv_token){.text = copy, .logprob = logprob};
    return RDV_OK;
}

static int set_alternative(rdv_alternative *a, rdv_str text, double logprob, rdv_arena *arena)
{
    *a = (rdv_alternative){rdv_str_copy(arena, text), logprob};
    return a->text.p ? RDV_OK : RDV_E_NOMEM;
}

/* Room for the alternatives of the latest token. */
static rdv_alternative *alternatives(tokens *t, size_t n, rdv_arena *arena)
{
    rdv_alternative *all = RDV_NEW_ARRAY(arena, rdv_alternative, n);
    t->items[t->n - 1].other = all;
    t->items[t->n - 1].n_other = all ? n : 0;
    return all;
}

static int add_listed(tokens *t, const json_t *list, rdv_arena *arena)
{
    size_t n = json_array_size(list);
    if (n == 0)
        return RDV_OK;
    rdv_alternative *all = alternatives(t, n, arena);
    if (!all)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        const json_t *one = json_array_get(list, i);
        int rc = set_alternative(&all[i], parse_text(json_object_get(one, "token")),
                                 parse_double(json_object_get(one, "logprob")), arena);
        if (rc != RDV_OK)
            return rc;
    }
    return RDV_OK;
}

static int add_mapped(tokens *t, const json_t *map, rdv_arena *arena)
{
    size_t n = json_object_size(map), i = 0;
    if (n == 0)
        return RDV_OK;
    rdv_alternative *all = alternatives(t, n, arena);
    if (!all)
        return RDV_E_NOMEM;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)map, name, value)
    {
        if (set_alternative(&all[i++], rdv_str_of(name), parse_double(value), arena) != RDV_OK)
            return RDV_E_NOMEM;
    }
    return RDV_OK;
}

/* The bytes of a token from their list, in the arena; p == NULL: out of memory. */
static rdv_str bytes_of(const json_t *list, rdv_arena *arena)
{
    size_t n = json_array_size(list);
    char *bytes = rdv_alloc(arena, n + 1);
    for (size_t i = 0; bytes && i < n; i++)
        bytes[i] = (char)(unsigned char)parse_count(json_array_get(list, i));
    return (rdv_str){bytes, bytes ? n : 0};
}

#define MOST_PARTS 8 /* more than the number of tokens that a character may be split into */

/* Join the tokens from `at` on that make up whole characters: the first gets the text of all of
 * them. Bytes that are not part of a character become U+FFFD. Returns the number of tokens; 0: out
 * of memory. */
static size_t join_parts(tokens *t, size_t at, rdv_arena *arena)
{
    rdv_str joined = t->items[at].text;
    size_t n = 1;
    while (rdv_utf8_valid(joined) < joined.len && n < MOST_PARTS && at + n < t->n) {
        rdv_buf b;
        rdv_buf_init(&b, arena, 0);
        rdv_buf_add(&b, joined);
        rdv_buf_add(&b, t->items[at + n++].text);
        if (!rdv_buf_ok(&b))
            return 0;
        joined = rdv_buf_str(&b);
    }
    if (rdv_utf8_valid(joined) < joined.len) {
        t->items[at].text = RDV_STR("\xef\xbf\xbd");
        return 1;
    }
    t->items[at].text = joined;
    for (size_t i = 1; i < n; i++)
        t->items[at + i].text = RDV_STR("");
    return n;
}

int tokens_of_chat(const json_t *logprobs, rdv_arena *arena, tokens *out)
{
    const json_t *content = json_object_get(logprobs, "content");
    size_t first = out->n;
    for (size_t i = 0; i < json_array_size(content); i++) {
        const json_t *one = json_array_get(content, i), *bytes = json_object_get(one, "bytes");
        rdv_str text = json_array_size(bytes) ? bytes_of(bytes, arena)
                                              : parse_text(json_object_get(one, "token"));
        int rc = push(out, text, parse_double(json_object_get(one, "logprob")), arena);
        if (rc == RDV_OK)
            rc = add_listed(out, json_object_get(one, "top_logprobs"), arena);
        if (rc != RDV_OK)
            return rc;
    }
    for (size_t i = first, n; i < out->n; i += n)
        if ((n = join_parts(out, i, arena)) == 0)
            return RDV_E_NOMEM;
    return RDV_OK;
}

int tokens_add_unknown(rdv_arena *arena, tokens *out)
{
    return push(out, RDV_STR(""), NAN, arena);
}

int tokens_of_completion(const json_t *logprobs, rdv_arena *arena, tokens *out)
{
    const json_t *texts = json_object_get(logprobs, "tokens");
    const json_t *values = json_object_get(logprobs, "token_logprobs");
    const json_t *others = json_object_get(logprobs, "top_logprobs");
    if (json_array_size(texts) != json_array_size(values))
        return RDV_OK;
    for (size_t i = 0; i < json_array_size(texts); i++) {
        int rc = push(out, parse_text(json_array_get(texts, i)),
                      parse_double(json_array_get(values, i)), arena);
        if (rc == RDV_OK)
            rc = add_mapped(out, json_array_get(others, i), arena);
        if (rc != RDV_OK)
            return rc;
    }
    return RDV_OK;
}

/* One position of prompt_logprobs: the token of the text comes first, then its alternatives. */
static int add_position(const json_t *position, rdv_arena *arena, tokens *out)
{
    const char *id;
    json_t *value;
    size_t i = 0, n = json_object_size(position);
    rdv_alternative *all = NULL;
    json_object_foreach((json_t *)(uintptr_t)position, id, value)
    {
        rdv_str text = parse_text(json_object_get(value, "decoded_token"));
        double logprob = parse_double(json_object_get(value, "logprob"));
        int rc = i ? set_alternative(&all[i - 1], text, logprob, arena)
                   : push(out, text, logprob, arena);
        if (rc != RDV_OK)
            return rc;
        if (i++ == 0 && n > 1 && !(all = alternatives(out, n - 1, arena)))
            return RDV_E_NOMEM;
    }
    return RDV_OK;
}

int tokens_of_prompt(const json_t *prompt_logprobs, rdv_arena *arena, tokens *out)
{
    for (size_t i = 0; i < json_array_size(prompt_logprobs); i++) {
        const json_t *position = json_array_get(prompt_logprobs, i);
        int rc = i == 0 && json_is_null(position) ? push(out, RDV_STR(""), NAN, arena)
                                                  : add_position(position, arena, out);
        if (rc != RDV_OK)
            return rc;
    }
    return RDV_OK;
}

/* ---- selecting tokens ------------------------------------------------------------------------ */

void tokens_slice(tokens *t, size_t from, size_t to)
{
    size_t at = 0, begin = t->n, n = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (at >= from && at < to) {
            begin = n ? begin : i;
            n++;
        }
        at += t->items[i].text.len;
    }
    t->items = n ? t->items + begin : NULL;
    t->n = t->cap = n;
}

bool tokens_spell(const tokens *t, rdv_str text)
{
    for (size_t i = 0; i < t->n; i++) {
        if (!rdv_starts(text, t->items[i].text))
            return false;
        text = rdv_slice(text, t->items[i].text.len, text.len);
    }
    return text.len == 0;
}

/* Whether the first `n` tokens end in `text`. *begin: the token in which it begins; *cut: the
 * number of its bytes before the text. */
static bool ends_in(const tokens *t, size_t n, rdv_str text, size_t *begin, size_t *cut)
{
    while (text.len) {
        if (n == 0)
            return false;
        rdv_str token = t->items[--n].text;
        if (token.len >= text.len) {
            *begin = n;
            *cut = token.len - text.len;
            return rdv_ends(token, text);
        }
        if (!rdv_ends(text, token))
            return false;
        text.len -= token.len;
    }
    *begin = n;
    *cut = 0;
    return true;
}

/* The same if the first token may have no text. */
static bool ends_in_unknown(tokens *t, size_t n, rdv_str text, size_t *begin, size_t *cut)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        known += t->items[i].text.len;
    if (n && t->items[0].text.len == 0 && known < text.len)
        t->items[0].text = rdv_slice(text, 0, text.len - known);
    return ends_in(t, n, text, begin, cut);
}

bool tokens_keep_tail(tokens *t, rdv_str text)
{
    size_t begin, cut, end = t->n;
    bool found = ends_in(t, end, text, &begin, &cut);
    if (!found)
        found = ends_in_unknown(t, end, text, &begin, &cut);
    if (!found && end)
        found = ends_in(t, --end, text, &begin, &cut);
    if (!found)
        return false;
    t->items = end > begin ? t->items + begin : NULL;
    t->n = t->cap = end - begin;
    if (t->n && cut) {
        t->items[0].text = rdv_slice(t->items[0].text, cut, t->items[0].text.len);
        t->items[0].logprob = NAN; /* it was given for more than this text */
    }
    return true;
}
