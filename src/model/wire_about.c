/* SPDX-License-Identifier: Apache-2.0 */
/* What servers report about themselves: GET /models, and llama.cpp's GET /props. */
#include "base/arena.h"
#include "base/str.h"
#include "model/parse.h"
#include "model/wire.h"

static int no_memory(rdv_error *err)
{
    return rdv_no_memory(err);
}

/* The reported owner of a model shows the software of the server. */
static rdv_software software_of(rdv_str owner)
{
    static const struct {
        const char *owner;
        rdv_software is;
    } known[] = {{"llamacpp", RDV_SOFTWARE_LLAMA_CPP},
                 {"vllm", RDV_SOFTWARE_VLLM},
                 {"sglang", RDV_SOFTWARE_SGLANG},
                 {"library", RDV_SOFTWARE_OLLAMA},
                 {"rederive", RDV_SOFTWARE_REDERIVE}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (rdv_str_eq(owner, rdv_str_of(known[i].owner)))
            return known[i].is;
    return RDV_SOFTWARE_UNKNOWN;
}

typedef struct names {
    rdv_str *at;
    size_t n, cap;
} names;

static int add_name(names *all, rdv_str name, rdv_arena *arena)
{
    for (size_t i = 0; i < all->n; i++)
        if (rdv_str_eq(all->at[i], name))
            return RDV_OK;
    rdv_str copy = rdv_str_copy(arena, name);
    if (!copy.p || !RDV_PUSH_ROOM(arena, all->at, all->n, all->cap))
        return RDV_E_NOMEM;
    all->at[all->n++] = copy;
    return RDV_OK;
}

/* Add a model, and the aliases that llama.cpp accepts for it. */
static int add_model(names *all, const json_t *model, rdv_arena *arena)
{
    rdv_str id = parse_text(json_object_get(model, "id"));
    const json_t *aliases = json_object_get(model, "aliases");
    int rc = id.p ? add_name(all, id, arena) : RDV_OK;
    for (size_t i = 0; i < json_array_size(aliases) && rc == RDV_OK; i++) {
        rdv_str alias = parse_text(json_array_get(aliases, i));
        rc = alias.p ? add_name(all, alias, arena) : RDV_OK;
    }
    return rc;
}

int wire_read_models(rdv_str body, rdv_arena *arena, wire_about *out, rdv_error *err)
{
    json_t *root;
    names all = {0};
    int rc = parse_json(body, false, &root, err);
    *out = (wire_about){0};
    if (rc != RDV_OK)
        return rc;
    const json_t *data = json_object_get(root, "data");
    for (size_t i = 0; i < json_array_size(data) && rc == RDV_OK; i++) {
        const json_t *model = json_array_get(data, i);
        rc = add_model(&all, model, arena);
        if (out->software == RDV_SOFTWARE_UNKNOWN)
            out->software = software_of(parse_text(json_object_get(model, "owned_by")));
    }
    bool listed = json_is_array(data);
    json_decref(root);
    out->models = all.at;
    out->n_models = all.n;
    if (rc != RDV_OK)
        return no_memory(err);
    return listed ? RDV_OK : rdv_fail(err, RDV_E_INPUT, "no list of models");
}

/* The template that llama.cpp uses if the model has none (ChatML, common/chat.cpp). */
#define FALLBACK                                                                                   \
    "{%- for message in messages -%}\n  {{- '<|im_start|>' + message.role + '\n' + "               \
    "message.content "                                                                             \
    "+ '<|im_end|>\n' -}}"

static bool is_fallback(rdv_str chat_template)
{
    return rdv_trim(chat_template).len == 0 || rdv_starts(chat_template, RDV_STR(FALLBACK));
}

int wire_read_props(rdv_str body, wire_props *out, rdv_error *err)
{
    json_t *root;
    int rc = parse_json(body, false, &root, err);
    *out = (wire_props){0};
    if (rc != RDV_OK)
        return rc;
    const json_t *template = json_object_get(root, "chat_template");
    out->slots = (size_t)parse_count(json_object_get(root, "total_slots"));
    out->no_template = json_is_string(template) && is_fallback(parse_text(template));
    json_decref(root);
    return RDV_OK;
}

size_t wire_count_choices(rdv_str body)
{
    json_t *root;
    if (parse_json(body, false, &root, NULL) != RDV_OK)
        return 0;
    size_t n = json_array_size(json_object_get(root, "choices"));
    json_decref(root);
    return n;
}
