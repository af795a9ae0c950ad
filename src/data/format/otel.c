/* SPDX-License-Identifier: Apache-2.0 */
/* Traces by OpenTelemetry, as its collector's file exporter writes them (OTLP as JSON, a request a
 * line): a chain for each output message of a span of generative AI. The attributes are those of
 * the semantic conventions 1.37 and later, whose status is "development". */
#include "base/str.h"
#include "data/conversation.h"
#include "data/format/openinference.h"
#include "data/format/readers.h"

#define MAX_NESTED 8 /* levels of structured values; those of messages are 6 */

/* The value of an attribute; NULL: the span has none of that name. */
static const json_t *attribute(const json_t *span, const char *name)
{
    const json_t *all = json_object_get(span, "attributes");
    for (size_t i = 0; i < json_array_size(all); i++) {
        const json_t *item = json_array_get(all, i);
        const char *key = json_string_value(json_object_get(item, "key"));
        if (key && strcmp(key, name) == 0)
            return json_object_get(item, "value");
    }
    return NULL;
}

static rdv_str text_in(const json_t *span, const char *name)
{
    return rdv_string_of(json_object_get(attribute(span, name), "stringValue"));
}

/* What a structured value ("AnyValue") stands for, a new reference; NULL for what is none. Messages
 * are lists of objects with lists of parts: deeper values are left out. */
static json_t *plain(const json_t *value, int depth)
{
    const json_t *list = json_object_get(json_object_get(value, "arrayValue"), "values");
    const json_t *members = json_object_get(json_object_get(value, "kvlistValue"), "values");
    json_t *text = json_object_get(value, "stringValue");
    if (text || depth == MAX_NESTED)
        return json_incref(text);
    json_t *out = list ? json_array() : members ? json_object() : NULL;
    for (size_t i = 0; i < json_array_size(list); i++)
        json_array_append_new(out, plain(json_array_get(list, i), depth + 1));
    for (size_t i = 0; i < json_array_size(members); i++) {
        const json_t *member = json_array_get(members, i);
        const char *key = json_string_value(json_object_get(member, "key"));
        if (key)
            json_object_set_new(out, key, plain(json_object_get(member, "value"), depth + 1));
    }
    return out;
}

/* Messages: JSON in a text, or a structured value. */
static json_t *messages_in(rdv_chain_builder *m, const json_t *span, const char *name)
{
    rdv_str text = text_in(span, name);
    if (text.len)
        return rdv_build_decoded(m, text);
    json_t *value = plain(attribute(span, name), 0);
    return value ? rdv_build_kept(m, value) : NULL;
}

/* Add a span whose attributes are those of OpenInference, if it is a call of a model. */
static void add_openinference(rdv_chain_builder *m, json_t *span, json_t *found)
{
    const json_t *all = json_object_get(span, "attributes");
    json_t *attributes = json_object();
    for (size_t i = 0; attributes && i < json_array_size(all); i++) {
        const json_t *item = json_array_get(all, i);
        const char *key = json_string_value(json_object_get(item, "key"));
        json_t *value = key ? plain(json_object_get(item, "value"), 0) : NULL;
        if (value && json_object_set_new(attributes, key, value) != 0)
            rdv_build_nomem(m);
    }
    if (openinference_is_llm(attributes)) {
        json_t *one =
            json_pack("{s:O, s:O, s:b}", "span", span, "attributes", attributes, "alone", 1);
        if (!one || json_array_append_new(found, one) != 0)
            rdv_build_nomem(m);
    }
    json_decref(attributes);
}

/* Add the output messages of a span to `found`, each with its span. */
static void add_span(rdv_chain_builder *m, json_t *span, json_t *found)
{
    json_t *output = messages_in(m, span, "gen_ai.output.messages");
    json_t *input = messages_in(m, span, "gen_ai.input.messages");
    json_t *system = messages_in(m, span, "gen_ai.system_instructions");
    if (!json_array_size(output))
        add_openinference(m, span, found);
    for (size_t i = 0; i < json_array_size(output); i++) {
        json_t *one = json_pack("{s:O, s:O, s:O*, s:O*, s:b}", "span", span, "output",
                                json_array_get(output, i), "input", input, "system", system,
                                "alone", json_array_size(output) == 1);
        if (!one || json_array_append_new(found, one) != 0)
            rdv_build_nomem(m);
    }
}

static void add_spans(rdv_chain_builder *m, const json_t *resource, json_t *found)
{
    const json_t *scopes = json_object_get(resource, "scopeSpans");
    for (size_t i = 0; i < json_array_size(scopes); i++) {
        const json_t *spans = json_object_get(json_array_get(scopes, i), "spans");
        for (size_t k = 0; k < json_array_size(spans); k++)
            add_span(m, json_array_get(spans, k), found);
    }
}

/* The first of the values decoded for the record is the list of what its spans hold: it is made
 * once, so that a line with many spans is gone through once. */
size_t rdv_otel_chains(rdv_chain_builder *m)
{
    const json_t *resources = rdv_members_get(m->in, "resourceSpans");
    json_t *found = json_array();
    if (!rdv_build_kept(m, found))
        return 1;
    for (size_t i = 0; i < json_array_size(resources); i++)
        add_spans(m, json_array_get(resources, i), found);
    size_t n = json_array_size(found);
    return n ? n : 1; /* one, to say that there are none */
}

/* A span whose status is an error (2, or its name) has no reply, whatever it holds. */
static void fail_of(rdv_chain_builder *m, const json_t *status, rdv_conversation *x)
{
    const json_t *code = json_object_get(status, "code");
    const char *name = json_string_value(code);
    long number;
    if ((rdv_build_integer(code, &number) && number == 2) ||
        (name && strcmp(name, "STATUS_CODE_ERROR") == 0))
        rdv_conversation_error(m, status, 0, x);
}

void rdv_read_otel(rdv_chain_builder *m)
{
    const json_t *one = json_array_get(json_array_get(m->in->decoded, 0), m->index);
    if (!one) {
        rdv_members_fail(m->in, RDV_E_INPUT,
                         "no span with gen_ai.output.messages or OpenInference's "
                         "llm.output_messages: was the capture of message content "
                         "switched on (OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT)?");
        return;
    }
    const json_t *span = json_object_get(one, "span");
    rdv_conversation x = {0};
    rdv_said said;
    const json_t *attributes = json_object_get(one, "attributes");
    if (attributes) {
        openinference_take(m, attributes, &x);
    } else {
        rdv_conversation_ask(m, json_object_get(one, "input"), &x);
        rdv_turn_said(m, json_object_get(one, "system"), &said);
        if (!x.system.p)
            x.system = said.text;
        rdv_conversation_reply(m, json_object_get(one, "output"), 0, &x);
    }
    fail_of(m, json_object_get(span, "status"), &x);
    rdv_str model = text_in(span, "gen_ai.response.model");
    if (!model.p)
        model = text_in(span, "gen_ai.request.model");
    if (model.p)
        x.model = model;
    x.id = rdv_build_text_in(m, span, "spanId");
    x.unique_id = json_is_true(json_object_get(one, "alone"));
    rdv_conversation_build(m, &x);
    if (x.id.len) /* what names the span to annotate, also where its chains have ids of their own */
        rdv_build_keep_text(m, "span_id", x.id);
}
