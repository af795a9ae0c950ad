/* SPDX-License-Identifier: Apache-2.0 */
/* Spans of OpenInference (https://github.com/Arize-ai/openinference, spec/semantic_conventions.md),
 * as Phoenix exports them: its API's spans, and the rows of its data frames as JSON or CSV. A chain
 * for each call of a model; other spans repeat it. */
#include "data/format/openinference.h"

#include "base/str.h"
#include "data/format/readers.h"
#include "data/left_out.h"

#include <stdio.h>

#define MOST_MESSAGES 10000
#define PREFIX "attributes."

/* The value at a path of names with points, each of which may itself hold points; a number is a
 * place in a list. `depth`: names that are still followed. */
static const json_t *at(const json_t *of, const char *path, int depth)
{
    char name[128];
    if (json_is_array(of)) {
        char *end;
        unsigned long i = strtoul(path, &end, 10);
        if (end == path || (*end && *end != '.'))
            return NULL;
        const json_t *element = json_array_get(of, i);
        return *end ? at(element, end + 1, depth) : element;
    }
    const json_t *value = json_object_get(of, path);
    if (value || depth == 0)
        return value;
    for (const char *dot = strchr(path, '.'); dot; dot = strchr(dot + 1, '.')) {
        size_t len = (size_t)(dot - path);
        if (len >= sizeof name)
            return NULL;
        memcpy(name, path, len);
        name[len] = '\0';
        const json_t *inner = json_object_get(of, name);
        value =
            json_is_object(inner) || json_is_array(inner) ? at(inner, dot + 1, depth - 1) : NULL;
        if (value)
            return value;
    }
    return NULL;
}

static const json_t *attribute(const json_t *attributes, const char *path)
{
    return at(attributes, path, 6);
}

static const json_t *of_message(const json_t *attributes, const char *list, size_t i,
                                const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s.%zu.message.%s", list, i, name);
    return attribute(attributes, path);
}

/* The parts of a message that are texts. */
static bool add_parts(const json_t *attributes, const char *list, size_t i, json_t *message)
{
    json_t *parts = json_array();
    for (size_t k = 0; parts && k < MOST_MESSAGES; k++) {
        char name[64];
        snprintf(name, sizeof name, "contents.%zu.message_content.type", k);
        const json_t *type = of_message(attributes, list, i, name);
        snprintf(name, sizeof name, "contents.%zu.message_content.text", k);
        const json_t *text = of_message(attributes, list, i, name);
        if (!type && !text)
            break;
        json_t *part = json_object();
        if (!part || (type && json_object_set(part, "type", (json_t *)type) != 0) ||
            (text && json_object_set(part, "text", (json_t *)text) != 0) ||
            json_array_append_new(parts, part) != 0)
            return false;
    }
    return parts && json_object_set_new(message, "content", parts) == 0;
}

/* An object that was made whole, or else none. */
static json_t *kept(rdv_chain_builder *m, json_t *object, bool whole)
{
    if (!whole)
        json_decref(object);
    return rdv_build_kept(m, whole ? object : NULL);
}

/* The messages as those of other chats, kept as long as the record; empty: there are none. */
static const json_t *messages(rdv_chain_builder *m, const json_t *attributes, const char *list)
{
    json_t *out = json_array();
    bool good = out != NULL;
    for (size_t i = 0; good && i < MOST_MESSAGES; i++) {
        const json_t *role = of_message(attributes, list, i, "role");
        const json_t *content = of_message(attributes, list, i, "content");
        const json_t *call =
            of_message(attributes, list, i, "tool_calls.0.tool_call.function.name");
        bool parts = of_message(attributes, list, i, "contents.0.message_content.type") ||
                     of_message(attributes, list, i, "contents.0.message_content.text");
        if (!role && !content && !call && !parts)
            break;
        json_t *message = json_object();
        good = message && (!role || json_object_set(message, "role", (json_t *)role) == 0) &&
               (!content || json_object_set(message, "content", (json_t *)content) == 0) &&
               (!parts || add_parts(attributes, list, i, message)) &&
               (!call || json_object_set_new(message, "tool_calls", json_pack("[O]", call)) == 0) &&
               json_array_append_new(out, message) == 0;
    }
    return kept(m, out, good);
}

bool openinference_is_llm(const json_t *attributes)
{
    rdv_str kind = rdv_string_of(attribute(attributes, "openinference.span.kind"));
    return rdv_str_ieq(kind, RDV_STR("LLM"));
}

/* What an application passed on as JSON in a text, or as it is. */
static const json_t *value_of(rdv_chain_builder *m, const json_t *value)
{
    rdv_str text = rdv_trim(rdv_string_of(value));
    bool may = rdv_starts(text, RDV_STR("{")) || rdv_starts(text, RDV_STR("["));
    const json_t *decoded = may ? rdv_build_decoded(m, text) : NULL;
    return decoded ? decoded : value;
}

bool openinference_take(rdv_chain_builder *m, const json_t *attributes, rdv_conversation *x)
{
    if (!openinference_is_llm(attributes))
        return false;
    const json_t *input = messages(m, attributes, "llm.input_messages");
    const json_t *output = messages(m, attributes, "llm.output_messages");
    const json_t *model = attribute(attributes, "llm.model_name");
    if (!json_array_size(input))
        input = value_of(m, attribute(attributes, "input.value"));
    if (!json_array_size(output))
        output = value_of(m, attribute(attributes, "output.value"));
    rdv_conversation_ask(m, input, x);
    rdv_conversation_reply(m, output, 0, x);
    if (json_is_string(model) && !x->model.len)
        x->model = rdv_build_text_of(m, model, "llm.model_name");
    return true;
}

/* ---- spans and rows -------------------------------------------------------------------------- */

static bool has_attributes(const rdv_members *in)
{
    for (size_t i = 0; i < in->n; i++)
        if (rdv_starts(in->items[i].name, RDV_STR(PREFIX)))
            return true;
    return rdv_starts(rdv_members_raw(in, "attributes"), RDV_STR("{"));
}

bool rdv_is_openinference(const rdv_members *in)
{
    return has_attributes(in) &&
           (rdv_members_have(in, "span_kind") || rdv_members_have(in, "spanKind") ||
            rdv_members_have(in, PREFIX "openinference.span.kind"));
}

/* The attributes: the member, or the columns of a data frame whose names begin with it. A kind that
 * stands beside them is put among them. */
static const json_t *attributes_of(rdv_chain_builder *m)
{
    json_t *out = json_object();
    bool good = out != NULL;
    const json_t *own = rdv_members_get(m->in, "attributes");
    const json_t *kind = rdv_members_get(m->in, "span_kind");
    if (!kind)
        kind = rdv_members_get(m->in, "spanKind");
    if (good && json_is_object(own))
        good = json_object_update(out, (json_t *)own) == 0;
    for (size_t i = 0; good && i < m->in->n; i++) {
        rdv_str name = m->in->items[i].name;
        char whole[128];
        if (!rdv_starts(name, RDV_STR(PREFIX)) || name.len >= sizeof whole)
            continue;
        memcpy(whole, name.p, name.len);
        whole[name.len] = '\0';
        const json_t *value = value_of(m, rdv_members_get(m->in, whole));
        good = !value || json_object_set(out, whole + strlen(PREFIX), (json_t *)value) == 0;
    }
    if (good && json_is_string(kind) && !attribute(out, "openinference.span.kind"))
        good = json_object_set(out, "openinference.span.kind", (json_t *)kind) == 0;
    return kept(m, out, good);
}

size_t rdv_openinference_chains(rdv_chain_builder *m)
{
    bool is = openinference_is_llm(attributes_of(m));
    if (!is)
        left_out_of_session(m);
    return is;
}

void rdv_read_openinference(rdv_chain_builder *m)
{
    rdv_conversation x = {0};
    const json_t *context = rdv_members_get(m->in, "context");
    const json_t *status = rdv_members_get(m->in, "status_code");
    if (rdv_str_eq(rdv_string_of(status), RDV_STR("ERROR")))
        rdv_conversation_error(m, rdv_members_get(m->in, "status_message"), 0, &x);
    openinference_take(m, attributes_of(m), &x);
    const json_t *id = json_object_get(context, "span_id");
    if (!id)
        id = rdv_members_get(m->in, "context.span_id");
    x.id = json_is_string(id) ? rdv_build_text_of(m, id, "span_id") : (rdv_str){0};
    x.unique_id = true;
    rdv_conversation_build(m, &x);
    if (x.id.len)
        rdv_build_keep_text(m, "span_id", x.id);
}
