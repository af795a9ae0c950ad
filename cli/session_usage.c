/* SPDX-License-Identifier: Apache-2.0 */
/* The usage of a model session, and of each server where a model has several. */
#include "model_session.h"
#include "terminal.h"
#include "usage.h"

#include "base/arena.h"
#include "base/json.h"

#include <inttypes.h>

static bool has_several_servers(const struct model_session *session)
{
    return session->options.n_more_generators || session->options.n_more_checkers;
}

static const char *state_of(const rdv_server_totals *server)
{
    return server->left_out ? "left out" : server->aside ? "set aside" : "working";
}

static double mean_seconds(const rdv_server_totals *server)
{
    return server->answered ? server->seconds / (double)server->answered : 0;
}

static void print_server(FILE *out, const rdv_server_totals *t)
{
    fprintf(out, "%.*s: %" PRIu64 " call%s, %" PRIu64 " answered, %" PRIu64 " failed",
            RDV_FMT(t->url), t->calls, plural(t->calls), t->answered, t->failed);
    if (t->answered)
        fprintf(out, "; %.2f s a reply", mean_seconds(t));
    fprintf(out, "; %" PRIu64 " prompt tokens, %" PRIu64 " completion tokens", t->prompt_tokens,
            t->completion_tokens);
    fprintf(out, t->aside || t->left_out ? "; %s\n" : "\n", state_of(t));
}

static void print_server_json(FILE *out, const struct model_session *session,
                              const rdv_server_totals *t)
{
    rdv_buf url;
    rdv_buf_init(&url, session->arena, 0);
    rdv_json_text(&url, t->url);
    rdv_str text = rdv_buf_ok(&url) ? rdv_buf_str(&url) : (rdv_str){"null", 4};
    fprintf(out,
            "{\"url\":%.*s,\"state\":\"%s\",\"n_calls\":%" PRIu64 ",\"n_answered\":%" PRIu64
            ",\"n_failed_calls\":%" PRIu64 ",\"prompt_tokens\":%" PRIu64
            ",\"completion_tokens\":%" PRIu64 ",\"mean_seconds\":%.6f}",
            RDV_FMT(text), state_of(t), t->calls, t->answered, t->failed, t->prompt_tokens,
            t->completion_tokens, mean_seconds(t));
}

void session_usage(const struct model_session *session, FILE *out)
{
    rdv_server_totals server;
    usage_summary(out, &session->totals, session_priced(session));
    if (!has_several_servers(session) || !session->run)
        return;
    for (size_t i = 0; rdv_run_server_totals(session->run, i, &server) == RDV_OK; i++)
        print_server(out, &server);
}

void session_usage_json(const struct model_session *session, FILE *out)
{
    rdv_server_totals server;
    usage_json(out, &session->totals, session_priced(session));
    if (!has_several_servers(session) || !session->run)
        return;
    fputs(",\"servers\":[", out);
    for (size_t i = 0; rdv_run_server_totals(session->run, i, &server) == RDV_OK; i++) {
        fputs(i ? "," : "", out);
        print_server_json(out, session, &server);
    }
    fputc(']', out);
}
