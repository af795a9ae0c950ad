/* SPDX-License-Identifier: Apache-2.0 */
#include "model/batch.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "model/record.h"

#define CUSTOM_ID_BYTES 64
#define PATH "/chat/completions"

/* ---- requests -------------------------------------------------------------------------------- */

bool batch_takes(const wire *w)
{
    return strcmp(w->path, PATH) == 0;
}

void batch_write_request(rdv_buf *b, const unsigned char key[32], const wire *w)
{
    rdv_buf_lit(b, "{\"custom_id\":\"");
    record_write_key(b, key);
    rdv_buf_lit(b, "\",\"method\":\"POST\",\"url\":\"/v1" PATH "\",\"body\":");
    rdv_buf_add(b, w->body);
    rdv_buf_lit(b, "}\n");
}

/* ---- what is kept of a request --------------------------------------------------------------- */

static const char *form_name(wire_form form)
{
    return form == WIRE_SCORE_CHAT ? "score" : "chat";
}

static void add_uses(rdv_buf *b, unsigned uses)
{
    static const rdv_abilities none;
    const char *name, *meaning;
    rdv_can can;
    rdv_json_open(b, "uses", '[');
    for (size_t i = 0; rdv_abilities_entry(&none, i, &name, &meaning, &can) == RDV_OK; i++) {
        if (!(uses & ABILITY_BIT(i)))
            continue;
        rdv_json_item(b);
        rdv_json_text(b, rdv_str_of(name));
    }
    rdv_buf_add_char(b, ']');
}

void batch_write_reading(rdv_buf *b, const rdv_request *request, const wire *w)
{
    rdv_buf_add_char(b, '{');
    rdv_json_put_text(b, "form", rdv_str_of(form_name(w->form)));
    add_uses(b, w->uses);
    if (w->adapted.p)
        rdv_json_put_text(b, "adapted", w->adapted);
    if (w->continues.p) {
        rdv_json_put_text(b, "continues", w->continues);
        rdv_json_put_text(b, "gives_back", rdv_str_of(rdv_can_name(w->gives_back)));
    }
    if (request->n_answers) {
        rdv_json_name(b, RDV_STR("answers"));
        rdv_json_texts(b, request->answers, request->n_answers);
    }
    rdv_buf_add_char(b, '}');
}

/* The text in `value`; an absent one stays absent. */
static int copy_text(const json_t *value, rdv_arena *arena, rdv_str *out)
{
    rdv_str text = parse_text(value);
    *out = text.p ? rdv_str_copy(arena, text) : text;
    return text.p && !out->p ? RDV_E_NOMEM : RDV_OK;
}

static int copy_texts(const json_t *list, rdv_arena *arena, const rdv_str **out, size_t *n)
{
    *n = json_array_size(list);
    rdv_str *texts = *n ? RDV_NEW_ARRAY(arena, rdv_str, *n) : NULL;
    *out = texts;
    if (*n && !texts)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < *n; i++)
        if (copy_text(json_array_get(list, i), arena, &texts[i]) != RDV_OK)
            return RDV_E_NOMEM;
    return RDV_OK;
}

/* The last message is enough: it may be the text that is scored. */
static int read_last_message(const json_t *messages, rdv_arena *arena, rdv_request *out)
{
    size_t n = json_array_size(messages);
    rdv_message *last = n ? RDV_NEW(arena, rdv_message) : NULL;
    if (n && !last)
        return RDV_E_NOMEM;
    out->messages = last;
    out->n_messages = n ? 1 : 0;
    const json_t *content = json_object_get(json_array_get(messages, n - (n > 0)), "content");
    return n ? copy_text(content, arena, &last->text) : RDV_OK;
}

static int read_request(const json_t *root, rdv_arena *arena, rdv_request *out)
{
    const json_t *logprobs = json_object_get(root, "top_logprobs");
    out->sampling.logprobs = logprobs != NULL;
    out->sampling.top_logprobs = (uint32_t)parse_count(logprobs);
    if (copy_text(json_object_get(root, "prompt"), arena, &out->text) != RDV_OK ||
        copy_texts(json_object_get(root, "stop"), arena, &out->sampling.stop,
                   &out->sampling.n_stop) != RDV_OK)
        return RDV_E_NOMEM;
    return read_last_message(json_object_get(root, "messages"), arena, out);
}

static unsigned read_uses(const json_t *list)
{
    static const rdv_abilities none;
    const char *name, *meaning;
    rdv_can can;
    unsigned uses = 0;
    for (size_t k = 0; k < json_array_size(list); k++) {
        rdv_str is = parse_text(json_array_get(list, k));
        for (size_t i = 0; rdv_abilities_entry(&none, i, &name, &meaning, &can) == RDV_OK; i++)
            if (rdv_str_eq(is, rdv_str_of(name)))
                uses |= ABILITY_BIT(i);
    }
    return uses;
}

static rdv_can can_named(rdv_str name)
{
    for (rdv_can can = RDV_CAN; can <= RDV_CANNOT; can++)
        if (rdv_str_eq(name, rdv_str_of(rdv_can_name(can))))
            return can;
    return RDV_CAN_UNKNOWN;
}

static int read_wire(const json_t *root, rdv_arena *arena, batch_reading *out)
{
    rdv_str form = parse_text(json_object_get(root, "form"));
    out->wire = (wire){.form = rdv_str_eq(form, RDV_STR("score")) ? WIRE_SCORE_CHAT : WIRE_CHAT,
                       .path = PATH,
                       .uses = read_uses(json_object_get(root, "uses")),
                       .gives_back = can_named(parse_text(json_object_get(root, "gives_back")))};
    if (copy_text(json_object_get(root, "adapted"), arena, &out->wire.adapted) != RDV_OK ||
        copy_text(json_object_get(root, "continues"), arena, &out->wire.continues) != RDV_OK)
        return RDV_E_NOMEM;
    return copy_texts(json_object_get(root, "answers"), arena, &out->request.answers,
                      &out->request.n_answers);
}

int batch_read_reading(rdv_str kind, rdv_str request, rdv_str reading, rdv_arena *arena,
                       batch_reading *out, rdv_error *err)
{
    json_t *asked = NULL, *how = NULL;
    *out = (batch_reading){0};
    int rc = parse_json(request, false, &asked, err);
    if (rc == RDV_OK)
        rc = parse_json(reading, false, &how, err);
    for (int k = RDV_REQUEST_CHAT; k <= RDV_REQUEST_REWARD; k++)
        if (rdv_str_eq(kind, rdv_str_of(rdv_request_kind_name((rdv_request_kind)k))))
            out->request.kind = (rdv_request_kind)k;
    if (rc == RDV_OK && (read_request(asked, arena, &out->request) != RDV_OK ||
                         read_wire(how, arena, out) != RDV_OK))
        rc = rdv_no_memory(err);
    json_decref(asked);
    json_decref(how);
    return rc;
}

/* ---- results --------------------------------------------------------------------------------- */

/* The status of a response; some write it as a text. */
static long status_of(const json_t *value)
{
    rdv_str text = parse_text(value);
    long status = (long)parse_count(value);
    for (size_t i = 0; i < text.len && i < 3 && rdv_is_digit(text.p[i]); i++)
        status = status * 10 + (text.p[i] - '0');
    return status >= 100 && status <= 599 ? status : 0;
}

/* The reason stands in the body of the response (OpenAI), or in the line's own "error": as an
 * object, as an object that has another one in it, or as a text (vLLM). */
static int read_error(const json_t *body, const json_t *root, rdv_arena *arena, wire_error *out,
                      rdv_error *err)
{
    const json_t *error = json_object_get(root, "error");
    int rc = wire_read_error_of(body, arena, out, err);
    if (rc != RDV_OK || out->message.len || out->code.len)
        return rc;
    return wire_read_error_of(json_is_object(json_object_get(error, "error")) ? error : root, arena,
                              out, err);
}

static int read_custom_id(const json_t *value, rdv_arena *arena, batch_result *out, rdv_error *err)
{
    rdv_str id = parse_text(value);
    if (!id.p)
        return rdv_fail(err, RDV_E_INPUT, "no result of a batch: it has no custom_id");
    out->ours = record_read_key(id, out->key);
    out->custom_id =
        rdv_str_copy(arena, rdv_slice(id, 0, id.len < CUSTOM_ID_BYTES ? id.len : CUSTOM_ID_BYTES));
    return out->custom_id.p ? RDV_OK : rdv_no_memory(err);
}

static int read_result(rdv_arena *arena, batch_result *out, rdv_error *err)
{
    const json_t *response = json_object_get(out->root, "response");
    const json_t *error = json_object_get(out->root, "error");
    int rc = read_custom_id(json_object_get(out->root, "custom_id"), arena, out, err);
    if (rc != RDV_OK)
        return rc;
    if (copy_text(json_object_get(out->root, "id"), arena, &out->id) != RDV_OK)
        return rdv_no_memory(err);
    if (!json_is_object(response) && (!error || json_is_null(error)))
        return rdv_fail(err, RDV_E_INPUT, "no result of a batch: neither a response nor an error");
    out->status = status_of(json_object_get(response, "status_code"));
    out->body = json_object_get(response, "body");
    return wire_is_whole(out->status) ? RDV_OK
                                      : read_error(out->body, out->root, arena, &out->error, err);
}

int batch_read_result(rdv_str line, rdv_arena *arena, batch_result *out, rdv_error *err)
{
    *out = (batch_result){0};
    int rc = parse_json(line, false, &out->root, err);
    if (rc == RDV_OK && !json_is_object(out->root))
        rc = rdv_fail(err, RDV_E_INPUT, "no result of a batch: it is not an object");
    return rc == RDV_OK ? read_result(arena, out, err) : rc;
}

void batch_result_release(batch_result *result)
{
    json_decref(result->root);
    *result = (batch_result){0};
}
