/* SPDX-License-Identifier: Apache-2.0 */
/* What the public header offers on tokens. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "lm/model.h"

static int no_memory(rdv_error *err)
{
    return rdv_no_memory(err);
}

static int add(token_list *list, uint32_t token, rdv_error *err)
{
    return vocab_list_add(list, token) ? RDV_OK : no_memory(err);
}

static int add_begin(const vocab *v, token_list *list, rdv_error *err)
{
    return v->add_begin ? add(list, v->begin, err) : RDV_OK;
}

int rdv_lm_tokens(const rdv_lm *lm, rdv_str text, bool begin, rdv_arena *arena, uint32_t **tokens,
                  size_t *n, rdv_error *err)
{
    token_list list = {.arena = arena};
    int rc = begin ? add_begin(&lm->vocab, &list, err) : RDV_OK;
    if (!rc)
        rc = encode_text(&lm->vocab, text, &list, err);
    if (rc)
        return rc;
    *tokens = list.items;
    *n = list.n;
    return RDV_OK;
}

rdv_str rdv_lm_piece(const rdv_lm *lm, uint32_t token)
{
    return token < lm->vocab.n ? lm->vocab.tokens[token].piece : (rdv_str){NULL, 0};
}

uint32_t rdv_lm_control(const rdv_lm *lm, rdv_str name)
{
    size_t i = rdv_map_get(&lm->vocab.by_name, name);
    return i == RDV_MAP_MISSING ? RDV_LM_NO_TOKEN : (uint32_t)i;
}

/* A byte that is no UTF-8 may have taken the first bytes of the mark of a space after it, which
 * then is written byte by byte. */
static rdv_str mend_spaces(char *p, size_t len)
{
    size_t n = 0;
    for (size_t i = 0; i < len; n++) {
        bool space = rdv_starts((rdv_str){p + i, len - i}, RDV_STR(VOCAB_SPACE));
        p[n] = space ? ' ' : p[i];
        i += space ? sizeof VOCAB_SPACE - 1 : 1;
    }
    return (rdv_str){p, n};
}

int rdv_lm_text(const rdv_lm *lm, const uint32_t *tokens, size_t n, rdv_arena *arena, rdv_str *text,
                rdv_error *err)
{
    rdv_buf out;
    rdv_buf_init(&out, arena, 0);
    for (size_t i = 0; i < n; i++) {
        if (tokens[i] >= lm->vocab.n)
            return rdv_fail(err, RDV_E_ARGUMENT, "there is no token %u", tokens[i]);
        rdv_buf_add(&out, lm->vocab.tokens[tokens[i]].piece);
    }
    if (!rdv_buf_ok(&out))
        return no_memory(err);
    rdv_str all = out.p ? mend_spaces(out.p, out.len) : RDV_STR("");
    *text = lm->vocab.add_space && rdv_starts(all, RDV_STR(" ")) ? rdv_slice(all, 1, all.len) : all;
    return RDV_OK;
}

/* ---- turns of a chat ------------------------------------------------------------------------- */

static int add_control(const rdv_lm *lm, const char *name, token_list *list, rdv_error *err)
{
    uint32_t token = rdv_lm_control(lm, rdv_str_of(name));
    if (token == RDV_LM_NO_TOKEN)
        return rdv_fail(err, RDV_E_INPUT, "the model has no token %s: it takes no chat", name);
    return add(list, token, err);
}

static int add_role(const rdv_lm *lm, rdv_str role, token_list *list, rdv_error *err)
{
    static const struct {
        const char *role, *name;
    } roles[] = {{"system", "<|system|>"}, {"user", "<|user|>"}, {"assistant", "<|assistant|>"}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (rdv_str_eq(role, rdv_str_of(roles[i].role)))
            return add_control(lm, roles[i].name, list, err);
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "a turn's role is neither \"system\" nor \"user\" nor \"assistant\"");
}

static int add_turn(const rdv_lm *lm, const rdv_lm_turn *turn, bool open, token_list *list,
                    rdv_error *err)
{
    int rc = add_role(lm, turn->role, list, err);
    if (!rc)
        rc = encode_text(&lm->vocab, turn->text, list, err);
    return rc || open ? rc : add_control(lm, "<|end|>", list, err);
}

int rdv_lm_chat_tokens(const rdv_lm *lm, const rdv_lm_turn *turns, size_t n_turns, bool open,
                       rdv_arena *arena, uint32_t **tokens, size_t *n, rdv_error *err)
{
    token_list list = {.arena = arena};
    if (n_turns == 0)
        return rdv_fail(err, RDV_E_ARGUMENT, "no turn to answer");
    if (open && !rdv_str_eq(turns[n_turns - 1].role, RDV_STR("assistant")))
        return rdv_fail(err, RDV_E_ARGUMENT, "only the assistant's turn can be gone on with");
    int rc = add_begin(&lm->vocab, &list, err);
    for (size_t i = 0; i < n_turns && !rc; i++)
        rc = add_turn(lm, &turns[i], open && i + 1 == n_turns, &list, err);
    if (!rc && !open)
        rc = add_control(lm, "<|assistant|>", &list, err);
    if (rc)
        return rc;
    *tokens = list.items;
    *n = list.n;
    return RDV_OK;
}
