/* SPDX-License-Identifier: Apache-2.0 */
#include "server/metrics.h"

#include <inttypes.h>

static const double limits[METRICS_BUCKETS] = {0.005, 0.01, 0.05, 0.1, 0.5, 1,
                                               2.5,   5,    10,   30,  60,  300};

static const char *route_name(http_route r)
{
    static const char *const names[HTTP_ROUTES] = {[HTTP_ROUTE_NONE] = "none",
                                                   [HTTP_ROUTE_CHAT] = "/v1/chat/completions",
                                                   [HTTP_ROUTE_TEXT] = "/v1/completions",
                                                   [HTTP_ROUTE_RESPONSES] = "/v1/responses",
                                                   [HTTP_ROUTE_MESSAGES] = "/v1/messages",
                                                   [HTTP_ROUTE_MODELS] = "/v1/models",
                                                   [HTTP_ROUTE_MODEL] = "/v1/models/NAME",
                                                   [HTTP_ROUTE_HEALTH] = "/health",
                                                   [HTTP_ROUTE_METRICS] = "/metrics",
                                                   [HTTP_ROUTE_CHECK] = "/rederive/check",
                                                   [HTTP_ROUTE_GRADE] = "/rederive/grade",
                                                   [HTTP_ROUTE_VOTE] = "/rederive/vote",
                                                   [HTTP_ROUTE_MCP] = "/mcp",
                                                   [HTTP_ROUTE_GUARDRAIL] =
                                                       "/beta/litellm_basic_guardrail_api",
                                                   [HTTP_ROUTE_SERVER] = "*"};
    return names[r];
}

void metrics_count(metrics *m, http_route route, const serve_line *line)
{
    m->requests[route][line->status < METRICS_STATUSES ? line->status : 0]++;
    if (line->admitted >= 0)
        m->judged[line->admitted]++;
    if (!http_guard_asks_model(route))
        return;
    m->timed++;
    m->seconds += line->seconds;
    for (size_t i = 0; i < METRICS_BUCKETS; i++)
        m->within[i] += line->seconds <= limits[i];
}

static void begin(rdv_buf *b, const char *name, const char *type, const char *help)
{
    rdv_buf_printf(b, "# HELP rederive_%s %s\n# TYPE rederive_%s %s\n", name, help, name, type);
}

static void write_requests(rdv_buf *b, const metrics *m)
{
    begin(b, "http_requests_total", "counter",
          "Requests that ended, by route and status; status 0: the client went away.");
    for (size_t r = 0; r < HTTP_ROUTES; r++)
        for (unsigned s = 0; s < METRICS_STATUSES; s++)
            if (m->requests[r][s])
                rdv_buf_printf(
                    b, "rederive_http_requests_total{route=\"%s\",status=\"%u\"} %" PRIu64 "\n",
                    route_name((http_route)r), s, m->requests[r][s]);
}

static void write_times(rdv_buf *b, const metrics *m)
{
    begin(b, "model_request_duration_seconds", "histogram",
          "Time of requests to models, to the end of their responses.");
    for (size_t i = 0; i < METRICS_BUCKETS; i++)
        rdv_buf_printf(b, "rederive_model_request_duration_seconds_bucket{le=\"%g\"} %" PRIu64 "\n",
                       limits[i], m->within[i]);
    rdv_buf_printf(b,
                   "rederive_model_request_duration_seconds_bucket{le=\"+Inf\"} %" PRIu64
                   "\nrederive_model_request_duration_seconds_sum %.6f\n"
                   "rederive_model_request_duration_seconds_count %" PRIu64 "\n",
                   m->timed, m->seconds, m->timed);
}

static void write_keys(rdv_buf *b, const access_list *of)
{
    static const char *const by[] = {"server", "estimate"};
    if (!of->n)
        return;
    begin(b, "key_requests_total", "counter", "Requests that count for a key's limits.");
    for (size_t i = 0; i < of->n; i++)
        rdv_buf_printf(b, "rederive_key_requests_total{key=\"%.*s\"} %" PRIu64 "\n",
                       RDV_FMT(of->keys[i].name), of->keys[i].usage->all_requests);
    begin(b, "key_tokens_total", "counter",
          "Tokens of requests to models, as their servers counted them, or estimated.");
    for (size_t i = 0; i < of->n; i++)
        for (size_t k = 0; k < 2; k++)
            rdv_buf_printf(b,
                           "rederive_key_tokens_total{key=\"%.*s\",counted=\"%s\"} %" PRIu64 "\n",
                           RDV_FMT(of->keys[i].name), by[k], of->keys[i].usage->all_tokens[k]);
    begin(b, "key_cost_dollars_total", "counter", "Cost of requests to models, by --prices.");
    for (size_t i = 0; i < of->n; i++)
        rdv_buf_printf(b, "rederive_key_cost_dollars_total{key=\"%.*s\"} %.12g\n",
                       RDV_FMT(of->keys[i].name),
                       (double)of->keys[i].usage->all_cost / (double)USAGE_DOLLAR);
}

void metrics_write(rdv_buf *b, const metrics *m, const metrics_now *now, const access_list *of)
{
    write_requests(b, m);
    begin(b, "judged_replies_total", "counter", "Replies that were judged, by their admission.");
    for (int i = 0; i < 2; i++)
        rdv_buf_printf(b, "rederive_judged_replies_total{admitted=\"%s\"} %" PRIu64 "\n",
                       i ? "true" : "false", m->judged[i]);
    write_times(b, m);
    begin(b, "open_connections", "gauge", "Connections of clients.");
    rdv_buf_printf(b, "rederive_open_connections %zu\n", now->connections);
    begin(b, "open_model_requests", "gauge", "Requests to models that are being answered.");
    rdv_buf_printf(b, "rederive_open_model_requests %zu\n", now->requests);
    begin(b, "start_time_seconds", "gauge", "Start of the server, in seconds since 1970.");
    rdv_buf_printf(b, "rederive_start_time_seconds %" PRId64 "\n", now->began);
    write_keys(b, of);
}
