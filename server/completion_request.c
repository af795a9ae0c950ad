/* SPDX-License-Identifier: Apache-2.0 */
#include "server/completion_request.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "model/parse.h"

#include <math.h>
#include <stdio.h>

#define TEXT_TOKENS 16 /* default length of a text completion; a chat reply ends by itself */
#define EXACT 9007199254740992.0

typedef struct reading {
    const json_t *root;
    rdv_arena *arena;
    completion_request *out;
    api_error *error;
} reading;

static bool bad(const reading *r, const char *param, const char *what)
{
    return api_error_set(r->error, 400, param, "'%s' %s", param, what);
}

static bool no_memory(const reading *r)
{
    return api_error_set(r->error, 500, NULL, "Out of memory.");
}

/* ---- members --------------------------------------------------------------------------------- */

/* A null member is treated as absent: clients write null for values that they do not set. */
static const json_t *member(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_null(value) ? NULL : value;
}

static bool read_number(const reading *r, const char *name, double least, double most, double *out)
{
    const json_t *value = member(r->root, name);
    if (!value)
        return true;
    double x = parse_double(value);
    if (!(x >= least && x <= most))
        return api_error_set(r->error, 400, name, "'%s' must be a number from %g to %g.", name,
                             least, most);
    *out = x;
    return true;
}

static bool read_whole(const reading *r, const char *name, double least, double most, uint64_t *out)
{
    double x = (double)*out;
    if (!read_number(r, name, least, most, &x))
        return false;
    if (x != floor(x))
        return bad(r, name, "must be a whole number.");
    *out = (uint64_t)x;
    return true;
}

static bool read_flag(const reading *r, const json_t *object, const char *name, bool *out)
{
    const json_t *value = member(object, name);
    if (value && !json_is_boolean(value))
        return bad(r, name, "must be true or false.");
    if (value)
        *out = json_is_true(value);
    return true;
}

static bool copy(const reading *r, rdv_str text, rdv_str *out)
{
    *out = rdv_str_copy(r->arena, text);
    return out->p || no_memory(r);
}

/* ---- what is not supported ------------------------------------------------------------------- */

/* Whether the value has the same effect as leaving the member out. */
static bool is_neutral(const json_t *value, double neutral)
{
    if (json_is_array(value))
        return json_array_size(value) == 0;
    if (json_is_object(value))
        return json_object_size(value) == 0;
    if (json_is_number(value))
        return json_number_value(value) == neutral;
    return json_is_false(value) || (json_is_string(value) && json_string_length(value) == 0);
}

/* Refuse members that cannot be ignored without changing the meaning of the request. Unknown
 * members are ignored, because clients send members of their own. */
static bool refuse_unsupported(const reading *r)
{
    static const struct {
        const char *name;
        double neutral; /* the number without effect; NaN: there is none */
    } unsupported[] = {{"tools", NAN},          {"functions", NAN},        {"function_call", NAN},
                       {"audio", NAN},          {"modalities", NAN},       {"logit_bias", NAN},
                       {"suffix", NAN},         {"guided_json", NAN},      {"guided_regex", NAN},
                       {"guided_choice", NAN},  {"guided_grammar", NAN},   {"frequency_penalty", 0},
                       {"presence_penalty", 0}, {"repetition_penalty", 1}, {"min_p", 0},
                       {"min_tokens", 0}};
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++) {
        const json_t *value = member(r->root, unsupported[i].name);
        if (value && !is_neutral(value, unsupported[i].neutral))
            return bad(r, unsupported[i].name, "is not supported by this server.");
    }
    return true;
}

/* Refuse members with other than the usual value, the only one supported. */
static bool refuse_unusual(const reading *r)
{
    const json_t *format = member(r->root, "response_format");
    const json_t *choice = member(r->root, "tool_choice");
    const json_t *top_k = member(r->root, "top_k");
    if (format && !rdv_str_eq(parse_text(member(format, "type")), RDV_STR("text")))
        return api_error_set(r->error, 400, "response_format",
                             "'response_format' other than text is not supported by this server.");
    if (choice && !rdv_str_eq(parse_text(choice), RDV_STR("none")) &&
        !rdv_str_eq(parse_text(choice), RDV_STR("auto")))
        return bad(r, "tool_choice", "is not supported by this server.");
    if (top_k && !(parse_double(top_k) <= 0))
        return bad(r, "top_k", "is not supported by this server.");
    return true;
}

/* ---- messages -------------------------------------------------------------------------------- */

static bool read_role(const reading *r, rdv_str name, rdv_role *out)
{
    static const struct {
        const char *name;
        rdv_role role;
    } roles[] = {{"system", RDV_SYSTEM},
                 {"developer", RDV_SYSTEM},
                 {"user", RDV_USER},
                 {"assistant", RDV_ASSISTANT}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (rdv_str_eq(name, rdv_str_of(roles[i].name))) {
            *out = roles[i].role;
            return true;
        }
    return api_error_set(r->error, 400, "messages",
                         "A message's role must be system, developer, user or assistant.");
}

/* [{"type":"text","text":"..."}] */
static bool join_parts(const reading *r, const json_t *parts, rdv_str *out)
{
    rdv_buf text;
    rdv_buf_init(&text, r->arena, 0);
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *part = json_array_get(parts, i);
        rdv_str words = parse_text(member(part, "text"));
        if (!rdv_str_eq(parse_text(member(part, "type")), RDV_STR("text")) || !words.p)
            return api_error_set(
                r->error, 400, "messages",
                "A message's content may hold parts of type text only: images, audio "
                "and files are not supported by this server.");
        rdv_buf_add(&text, words);
    }
    rdv_buf_lit(&text, "");
    *out = rdv_buf_str(&text);
    return out->p || no_memory(r);
}

static bool read_message(const reading *r, const json_t *from, rdv_message *out)
{
    const json_t *content = member(from, "content");
    if (!json_is_object(from))
        return bad(r, "messages", "must hold objects.");
    if (member(from, "tool_calls") || member(from, "function_call"))
        return api_error_set(r->error, 400, "messages", "'tool_calls' are not supported.");
    if (!read_role(r, parse_text(member(from, "role")), &out->role))
        return false;
    if (json_is_array(content))
        return join_parts(r, content, &out->text);
    if (!json_is_string(content))
        return api_error_set(r->error, 400, "messages", "A message's content must be a text.");
    return copy(r, parse_text(content), &out->text);
}

static bool read_messages(const reading *r)
{
    const json_t *list = member(r->root, "messages");
    size_t n = json_array_size(list);
    if (!json_is_array(list) || n == 0)
        return bad(r, "messages", "must be a list of messages.");
    if (n > COMPLETION_MAX_MESSAGES)
        return api_error_set(r->error, 400, "messages", "At most %d messages are taken.",
                             COMPLETION_MAX_MESSAGES);
    rdv_message *messages = RDV_NEW_ARRAY(r->arena, rdv_message, n);
    if (!messages)
        return no_memory(r);
    for (size_t i = 0; i < n; i++)
        if (!read_message(r, json_array_get(list, i), &messages[i]))
            return false;
    r->out->request.messages = messages;
    r->out->request.n_messages = n;
    return true;
}

/* Read vLLM's members for continuing the assistant's last message. */
static bool read_continuation(const reading *r)
{
    bool continues = false, generation = true;
    rdv_request *request = &r->out->request;
    if (!read_flag(r, r->root, "continue_final_message", &continues) ||
        !read_flag(r, r->root, "add_generation_prompt", &generation))
        return false;
    bool open = request->messages[request->n_messages - 1].role == RDV_ASSISTANT;
    if (continues && !open)
        return bad(r, "continue_final_message", "needs a last message of the assistant's.");
    if (continues && generation && member(r->root, "add_generation_prompt"))
        return bad(r, "add_generation_prompt", "does not go with 'continue_final_message'.");
    if (!continues && !generation)
        return api_error_set(r->error, 400, "add_generation_prompt",
                             "'add_generation_prompt' may only be false where "
                             "'continue_final_message' is true.");
    request->kind = continues ? RDV_REQUEST_CONTINUE : RDV_REQUEST_CHAT;
    return true;
}

/* ---- prompts --------------------------------------------------------------------------------- */

static bool read_prompts(const reading *r)
{
    const json_t *value = member(r->root, "prompt");
    bool list = json_is_array(value);
    size_t n = list ? json_array_size(value) : 1;
    if (n == 0 || n > COMPLETION_MAX_CHOICES || !(list || json_is_string(value)))
        return api_error_set(r->error, 400, "prompt",
                             "'prompt' must be a text, or a list of at most %d texts.",
                             COMPLETION_MAX_CHOICES);
    r->out->prompts = RDV_NEW_ARRAY(r->arena, rdv_str, n);
    if (!r->out->prompts)
        return no_memory(r);
    for (size_t i = 0; i < n; i++) {
        rdv_str text = parse_text(list ? json_array_get(value, i) : value);
        if (!text.p)
            return bad(r, "prompt", "must hold texts; tokens are not taken.");
        if (!copy(r, text, &r->out->prompts[i]))
            return false;
    }
    r->out->n_prompts = n;
    r->out->request.kind = RDV_REQUEST_CONTINUE;
    return read_flag(r, r->root, "echo", &r->out->echo);
}

/* ---- sampling -------------------------------------------------------------------------------- */

static bool read_stops(const reading *r)
{
    const json_t *value = member(r->root, "stop");
    bool list = json_is_array(value);
    size_t n = !value ? 0 : list ? json_array_size(value) : 1;
    if (n == 0)
        return true;
    if (n > COMPLETION_MAX_STOPS || !(list || json_is_string(value)))
        return api_error_set(r->error, 400, "stop",
                             "'stop' must be a text, or a list of at most %d.",
                             COMPLETION_MAX_STOPS);
    rdv_str *stops = RDV_NEW_ARRAY(r->arena, rdv_str, n);
    if (!stops)
        return no_memory(r);
    for (size_t i = 0; i < n; i++) {
        rdv_str text = parse_text(list ? json_array_get(value, i) : value);
        if (!text.p || text.len == 0 || text.len > COMPLETION_MAX_STOP_BYTES)
            return api_error_set(r->error, 400, "stop", "A stop text has 1 to %d bytes.",
                                 COMPLETION_MAX_STOP_BYTES);
        if (!copy(r, text, &stops[i]))
            return false;
    }
    r->out->request.sampling.stop = stops;
    r->out->request.sampling.n_stop = n;
    return true;
}

static bool read_length(const reading *r)
{
    bool chat = r->out->form == COMPLETION_CHAT;
    const char *name =
        chat && member(r->root, "max_completion_tokens") ? "max_completion_tokens" : "max_tokens";
    uint64_t max = chat ? 0 : TEXT_TOKENS;
    if (!read_whole(r, name, 0, UINT32_MAX, &max))
        return false;
    r->out->request.sampling.max_tokens = (uint32_t)max;
    r->out->no_reply = max == 0 && member(r->root, name);
    return true;
}

/* A chat request has a flag and a number; for text completions the number is also the flag. */
static bool read_logprobs(const reading *r)
{
    rdv_sampling *s = &r->out->request.sampling;
    bool chat = r->out->form == COMPLETION_CHAT;
    uint64_t top = 0;
    s->logprobs = !chat && member(r->root, "logprobs");
    if (chat && !read_flag(r, r->root, "logprobs", &s->logprobs))
        return false;
    if (!read_whole(r, chat ? "top_logprobs" : "logprobs", 0, COMPLETION_MAX_TOP, &top))
        return false;
    if (chat && top && !s->logprobs)
        return bad(r, "top_logprobs", "needs 'logprobs'.");
    s->top_logprobs = (uint32_t)top;
    return true;
}

static bool read_prompt_logprobs(const reading *r)
{
    uint64_t top = 0;
    if (!read_whole(r, "prompt_logprobs", 0, COMPLETION_MAX_TOP, &top))
        return false;
    r->out->prompt_logprobs = member(r->root, "prompt_logprobs");
    r->out->top_prompt = (uint32_t)top;
    return true;
}

static bool read_seed(const reading *r)
{
    const json_t *value = member(r->root, "seed");
    double x = parse_double(value);
    if (!value)
        return true;
    bool whole = json_is_integer(value) || (x == floor(x) && fabs(x) <= EXACT);
    if (!whole)
        return bad(r, "seed", "must be a whole number.");
    r->out->seed =
        json_is_integer(value) ? (uint64_t)json_integer_value(value) : (uint64_t)(int64_t)x;
    r->out->seeded = true;
    return true;
}

static bool read_number_of_choices(const reading *r)
{
    completion_request *out = r->out;
    uint64_t n = 1, best_of = 1;
    if (!read_whole(r, "n", 1, COMPLETION_MAX_CHOICES, &n))
        return false;
    best_of = n;
    if (!read_whole(r, "best_of", 1, COMPLETION_MAX_CHOICES, &best_of))
        return false;
    if (best_of != n)
        return bad(r, "best_of", "is not supported by this server.");
    if (out->n_prompts && n * out->n_prompts > COMPLETION_MAX_CHOICES)
        return api_error_set(r->error, 400, "n", "At most %d replies are given to one request.",
                             COMPLETION_MAX_CHOICES);
    out->n = (size_t)n;
    return true;
}

static bool read_sampling(const reading *r)
{
    rdv_sampling *s = &r->out->request.sampling;
    s->temperature = s->top_p = 1;
    if (!read_number(r, "temperature", 0, 2, &s->temperature) ||
        !read_number(r, "top_p", 0, 1, &s->top_p))
        return false;
    if (s->top_p <= 0)
        return bad(r, "top_p", "must be above 0.");
    return read_length(r) && read_stops(r) && read_logprobs(r) && read_prompt_logprobs(r) &&
           read_seed(r) && read_number_of_choices(r);
}

/* ---- streaming ------------------------------------------------------------------------------- */

static bool read_stream(const reading *r)
{
    completion_request *out = r->out;
    const json_t *options = member(r->root, "stream_options");
    if (!read_flag(r, r->root, "stream", &out->stream))
        return false;
    if (options && !json_is_object(options))
        return bad(r, "stream_options", "must be an object.");
    if (options && !out->stream)
        return bad(r, "stream_options", "needs 'stream'.");
    if (!read_flag(r, options, "include_usage", &out->stream_usage))
        return false;
    if (out->stream && (out->prompt_logprobs || out->echo))
        return api_error_set(
            r->error, 400, "stream",
            "'stream' does not go with 'echo' or 'prompt_logprobs' on this server.");
    return true;
}

/* ---- the request ----------------------------------------------------------------------------- */

static bool read_root(const reading *r)
{
    const json_t *model = member(r->root, "model");
    if (!json_is_object(r->root))
        return api_error_set(r->error, 400, NULL, "The body must be a JSON object.");
    if (model && !json_is_string(model))
        return bad(r, "model", "must be a text.");
    if (model && !copy(r, parse_text(model), &r->out->model))
        return false;
    if (!refuse_unsupported(r) || !refuse_unusual(r))
        return false;
    bool chat = r->out->form == COMPLETION_CHAT;
    if (!(chat ? read_messages(r) && read_continuation(r) : read_prompts(r)))
        return false;
    return read_sampling(r) && read_stream(r);
}

static bool check_length(const reading *r)
{
    const completion_request *out = r->out;
    if (out->no_reply && !out->echo && !out->prompt_logprobs)
        return bad(r, "max_tokens", "must be at least 1.");
    return true;
}

bool completion_request_read(completion_form form, rdv_str body, rdv_arena *arena,
                             completion_request *out, api_error *f)
{
    rdv_error err = {0};
    json_t *root;
    *out = (completion_request){.form = form};
    int rc = parse_json(body, true, &root, &err);
    if (rc == RDV_E_NOMEM)
        return api_error_set(f, 500, NULL, "Out of memory.");
    if (rc != RDV_OK)
        return api_error_set(f, 400, NULL, "The body could not be read: %s.", err.msg);
    reading r = {root, arena, out, f};
    bool ok = read_root(&r) && check_length(&r);
    json_decref(root);
    return ok;
}
