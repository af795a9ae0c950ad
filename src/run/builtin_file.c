/* SPDX-License-Identifier: Apache-2.0 */
/* Reading from a model file which model it holds, and its metadata. */
#include "base/arena.h"
#include "base/str.h"
#include "lm/model.h"
#include "run/builtin_text.h"
#include "run/run.h"

#include <nettle/sha2.h>

#define HASH_BYTES 6 /* bytes of the SHA-256 that are part of the name */
#define UNNAMED "unnamed"
#define MAX_PROMPTS 1000

/* ---- its name ----------------------------------------------------------------------------------
 */

static int name_model(rdv_builtin *model, rdv_str name, rdv_arena *arena)
{
    rdv_str file = model->lm->file;
    struct sha256_ctx sha;
    uint8_t h[HASH_BYTES];
    rdv_lm_info info;
    rdv_lm_about(model->lm, &info);
    sha256_init(&sha);
    sha256_update(&sha, file.len, (const uint8_t *)file.p);
    sha256_digest(&sha, sizeof h, h);
    if (!name.p)
        name = info.name.len ? info.name : RDV_STR(UNNAMED);
    model->name = rdv_str_printf(arena, "%.*s@%02x%02x%02x%02x%02x%02x", RDV_FMT(name), h[0], h[1],
                                 h[2], h[3], h[4], h[5]);
    return model->name.p ? RDV_OK : RDV_E_NOMEM;
}

/* ---- the prompts it was trained on ----------------------------------------------------------- */

/* Cut the next text, which follows its length in eight bytes, off an array's bytes. lm/gguf.h gives
 * only arrays whose texts are all there. */
static rdv_str next_text(rdv_str *rest)
{
    uint64_t len = 0;
    for (size_t i = 8; i-- > 0;)
        len = len << 8 | (unsigned char)rest->p[i];
    rdv_str text = rdv_slice(*rest, 8, 8 + (size_t)len);
    *rest = rdv_slice(*rest, 8 + (size_t)len, rest->len);
    return text;
}

static int copy_prompts(rdv_builtin *model, const gguf_value *value, rdv_arena *arena)
{
    rdv_str rest = value->bytes;
    if (!value->array || value->is != GGUF_TEXT || value->n > MAX_PROMPTS)
        return RDV_OK;
    rdv_str *prompts = RDV_NEW_ARRAY(arena, rdv_str, (size_t)value->n);
    if (!prompts)
        return RDV_E_NOMEM;
    for (uint64_t i = 0; i < value->n; i++) {
        prompts[model->n_prompts] = rdv_str_copy(arena, next_text(&rest));
        if (!prompts[model->n_prompts++].p)
            return RDV_E_NOMEM;
    }
    model->prompts = prompts;
    return RDV_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int describe(rdv_builtin *model, rdv_str name, rdv_arena *arena)
{
    const gguf_value *prompts = gguf_get(&model->lm->g, RDV_BUILTIN_PROMPTS);
    int rc = name_model(model, name, arena);
    return rc == RDV_OK && prompts ? copy_prompts(model, prompts, arena) : rc;
}

int rdv_builtin_open(const char *path, rdv_str name, rdv_arena *arena, rdv_builtin *out,
                     rdv_error *err)
{
    *out = (rdv_builtin){0};
    int rc = rdv_lm_open(&out->lm, path, err);
    if (rc == RDV_OK) {
        rc = describe(out, name, arena);
        if (rc != RDV_OK)
            rdv_fail(err, rc, "%s cannot be described", path);
    }
    if (rc != RDV_OK)
        rdv_builtin_close(out);
    return rc;
}

void rdv_builtin_close(rdv_builtin *model)
{
    rdv_lm_close(&model->lm);
    *model = (rdv_builtin){0};
}

bool rdv_builtin_trained_on(const rdv_builtin *model, rdv_str prompt)
{
    for (size_t i = 0; i < model->n_prompts; i++)
        if (rdv_str_eq(model->prompts[i], prompt))
            return true;
    return model->n_prompts == 0;
}

rdv_abilities rdv_builtin_abilities(const rdv_builtin *model)
{
    rdv_lm_info info;
    rdv_lm_about(model->lm, &info);
    rdv_can chat = info.chat ? RDV_CAN : RDV_CANNOT;
    return (rdv_abilities){.chat = chat,
                           .completions = RDV_CAN,
                           .echo = RDV_CAN,
                           .prompt_logprobs = RDV_CAN,
                           .token_grammar = RDV_CANNOT,
                           .logprobs = RDV_CAN,
                           .many = RDV_CAN,
                           .system = chat,
                           .free_turns = chat,
                           .prefix = chat,
                           .prefix_back = RDV_CANNOT,
                           .max_tokens = RDV_CAN,
                           .no_tokens = RDV_CAN,
                           .temperature = RDV_CAN,
                           .top_p = RDV_CAN,
                           .stop = RDV_CAN,
                           .finish = RDV_CAN,
                           .schema = RDV_CANNOT,
                           .choice = RDV_CANNOT,
                           .top_k = RDV_CANNOT,
                           .stream = RDV_CANNOT};
}
