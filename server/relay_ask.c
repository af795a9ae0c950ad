/* SPDX-License-Identifier: Apache-2.0 */
#include "server/relay_state.h"
#include "base/str.h"
#include "server/json_edit.h"

#include <rederive/data.h>

static const char *path_of(reply_protocol p)
{
    static const char *const paths[] = {[REPLY_CHAT] = "/chat/completions",
                                        [REPLY_TEXT] = "/completions",
                                        [REPLY_RESPONSES] = "/responses",
                                        [REPLY_MESSAGES] = "/messages"};
    return paths[p];
}

#define N_PASSED (HTTP_FIELDS - HTTP_ANTHROPIC_VERSION)
#define MESSAGES_VERSION RDV_STR("anthropic-version: 2023-06-01") /* which conversions write */

/* Headers that say something of a protocol stay behind where it is converted. */
static bool is_of_protocol(http_field f)
{
    return f == HTTP_ANTHROPIC_VERSION || f == HTTP_ANTHROPIC_BETA || f == HTTP_OPENAI_BETA;
}

/* The client's headers that are passed on, as lines. */
static bool headers_of(const http_request *request, bool converts, rdv_arena *arena,
                       rdv_str lines[], size_t *n)
{
    *n = 0;
    for (http_field f = HTTP_ANTHROPIC_VERSION; f < HTTP_FIELDS; f++) {
        const char *value = http_request_field(request, f);
        if (!value || !*value || (converts && is_of_protocol(f)))
            continue;
        lines[*n] = rdv_str_printf(arena, "%s: %s", http_field_name(f), value);
        if (!lines[(*n)++].p)
            return false;
    }
    return true;
}

/* The protocol in which the model's server is asked. */
static bool choose_protocol(relay *r, api_error *e)
{
    static const char *const names[] = {[REPLY_CHAT] = "chat completions",
                                        [REPLY_TEXT] = "completions",
                                        [REPLY_RESPONSES] = "Responses",
                                        [REPLY_MESSAGES] = "Messages"};
    const serve_model *m = &r->ctx->options->models[r->asked.model];
    bool says = false;
    r->server = r->asked.protocol;
    for (size_t i = 0; i < REPLY_PROTOCOLS; i++)
        says |= m->speaks[i];
    if (!says || m->speaks[r->server])
        return true;
    if (!conversion_exists(r->server, m->converts_to))
        return api_error_set(e, 400, "model",
                             "The server of this model speaks %s; %s are not converted to that.",
                             names[m->converts_to], names[r->server]);
    r->server = m->converts_to;
    return true;
}

static bool start_conversion(relay *r, rdv_str *body, api_error *e)
{
    if (r->server == r->asked.protocol)
        return true;
    r->conversion = reply_conversion_new(r->asked.protocol, r->server, *body);
    if (!r->conversion)
        return relay_no_memory(e);
    return conversion_of_request(r->asked.protocol, r->server, *body, r->arena, body, e);
}

/* Servers count streams of chat completions only where they are asked to; limits need it. */
static bool ask_for_count(relay *r, rdv_str *body, api_error *e)
{
    rdv_str streams, options;
    rdv_error err;
    const usage_amount *day = &r->holder->rule.limits.day;
    bool asks = r->server == REPLY_CHAT || r->server == REPLY_TEXT;
    if (!asks || (!day->tokens && !day->cost) ||
        rdv_record_member(*body, RDV_STR("stream"), &streams) != RDV_OK ||
        !rdv_str_eq(streams, RDV_STR("true")) ||
        rdv_record_member(*body, RDV_STR("stream_options"), &options) == RDV_OK)
        return true;
    r->counting = true;
    return json_edit_set(*body, "stream_options", RDV_STR("{\"include_usage\":true}"), r->arena,
                         body, &err) == RDV_OK ||
           relay_no_memory(e);
}

static bool ask_server(relay *r, rdv_str body, const http_request *request, api_error *e)
{
    rdv_str lines[N_PASSED + 1];
    rdv_error err;
    upstreams *u = r->ctx->upstreams;
    upstream_request to = {
        .model = r->ctx->numbers[r->asked.model], .lines = lines, .owner = r->owner};
    if (!choose_protocol(r, e) || !start_conversion(r, &body, e))
        return false;
    to.path = path_of(r->server);
    if (!headers_of(request, r->conversion, r->arena, lines, &to.n_lines))
        return relay_no_memory(e);
    if (r->conversion && r->server == REPLY_MESSAGES)
        lines[to.n_lines++] = MESSAGES_VERSION;
    if (!relay_request_body(body, upstreams_name(u, to.model), r->arena, &to.body, e))
        return false;
    if (!ask_for_count(r, &to.body, e))
        return false;
    if (upstream_start(u, &to, &r->from.call, &err) == RDV_OK)
        return true;
    return api_error_set(e, 500, NULL, "%s", err.msg);
}

/* It speaks chat completions and completions. */
static bool ask_builtin(relay *r, rdv_str body, api_error *e)
{
    rdv_str name = r->ctx->options->models[r->asked.model].name;
    completion_form form = r->asked.protocol == REPLY_TEXT ? COMPLETION_TEXT : COMPLETION_CHAT;
    r->server = form == COMPLETION_TEXT ? REPLY_TEXT : REPLY_CHAT;
    return start_conversion(r, &body, e) && relay_request_body(body, name, r->arena, &body, e) &&
           completion_new(&r->ctx->completions, form, body, &r->from.completion, e);
}

bool relay_ask(relay *r, rdv_str body, const http_request *request, api_error *e)
{
    const serve_model *m = &r->ctx->options->models[r->asked.model];
    return m->n ? ask_server(r, body, request, e) : ask_builtin(r, body, e);
}
