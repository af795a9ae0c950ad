/* SPDX-License-Identifier: Apache-2.0 */
#include "model/token_grammar.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "model/parse.h"

#include <inttypes.h>

static int refuse(rdv_error *err, const char *why)
{
    (void)rdv_fail(err, RDV_NONE, "%s", why);
    return RDV_NONE;
}

/* Some tokenizers insert a blank before the first word of a text. */
static rdv_str without_blank(rdv_str spelled, rdv_str text)
{
    bool added = rdv_starts(spelled, RDV_STR(" ")) && !rdv_starts(text, RDV_STR(" "));
    return rdv_slice(spelled, added, spelled.len);
}

/* Whether the piece of a token, a text or the bytes of a part of a character, is in `text` at byte
 * *at. If so, *at is advanced past it. */
static bool take_piece(const json_t *piece, rdv_str text, size_t *at)
{
    rdv_str left = rdv_slice(text, *at, text.len), spelled = parse_text(piece);
    size_t n = json_array_size(piece);
    if (spelled.p) {
        spelled = *at ? spelled : without_blank(spelled, text);
        *at += spelled.len;
        return rdv_starts(left, spelled);
    }
    for (size_t i = 0; i < n; i++)
        if (i >= left.len || parse_count(json_array_get(piece, i)) != (unsigned char)left.p[i])
            return false;
    *at += n;
    return n > 0;
}

/* Whether it is a token at the beginning that is not part of the text, such as <s>. */
static bool is_opening(size_t i, size_t n, const json_t *piece, rdv_str text)
{
    rdv_str spelled = parse_text(piece);
    return i == 0 && n > 1 && spelled.p && !rdv_starts(text, without_blank(spelled, text));
}

typedef struct writer {
    rdv_buf prompt, grammar;
    size_t before, forced;
} writer;

static void put(writer *w, bool force, uint64_t id)
{
    if (force) {
        rdv_buf_printf(&w->grammar, " <[%" PRIu64 "]>", id);
        w->forced++;
    } else {
        rdv_buf_printf(&w->prompt, "%s%" PRIu64, w->before ? "," : "", id);
        w->before++;
    }
}

static int write_tokens(writer *w, const json_t *tokens, rdv_str text, size_t from, rdv_error *err)
{
    size_t n = json_array_size(tokens), at = 0;
    bool all = from == TOKEN_GRAMMAR_ALL;
    for (size_t i = 0; i < n; i++) {
        const json_t *token = json_array_get(tokens, i), *piece = json_object_get(token, "piece");
        const json_t *id = json_object_get(token, "id");
        bool opening = !all && is_opening(i, n, piece, text);
        if (!json_is_number(id) || (!opening && !take_piece(piece, text, &at)))
            return refuse(err, "the server's tokens do not spell the given text");
        /* A token that overlaps the beginning of the scored part is forced as well. */
        bool force = all || (i > 0 && at > from);
        if (force && json_is_array(piece)) /* llama.cpp does not accept such a token in a grammar */
            return refuse(err,
                          "a character of the text is cut into tokens, which cannot be forced");
        put(w, force, parse_count(id));
    }
    if (at != text.len)
        return refuse(err, "the server's tokens do not spell the given text");
    return w->forced ? RDV_OK : refuse(err, "the text is a single token, which nothing precedes");
}

int token_grammar_make(rdv_str tokenized, rdv_str text, size_t from, rdv_arena *arena,
                       token_grammar *out, rdv_error *err)
{
    json_t *root;
    writer w = {0};
    int rc = parse_json(tokenized, false, &root, err);
    if (rc == RDV_E_INPUT)
        return refuse(err, "the server does not list a text's tokens");
    if (rc != RDV_OK)
        return rc;
    rdv_buf_init(&w.prompt, arena, 0);
    rdv_buf_init(&w.grammar, arena, 0);
    rdv_buf_lit(&w.prompt, "[");
    rdv_buf_lit(&w.grammar, "root ::=");
    rc = write_tokens(&w, json_object_get(root, "tokens"), text, from, err);
    rdv_buf_lit(&w.prompt, "]");
    json_decref(root);
    *out = (token_grammar){rdv_buf_str(&w.prompt), rdv_buf_str(&w.grammar), w.forced};
    if (rc == RDV_OK && !(rdv_buf_ok(&w.prompt) && rdv_buf_ok(&w.grammar)))
        return rdv_no_memory(err);
    return rc;
}
