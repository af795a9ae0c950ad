/* SPDX-License-Identifier: Apache-2.0 */
#include "server/own_job.h"
#include "base/arena.h"
#include "base/str.h"
#include "judge/guardrail.h"
#include "judge/records.h"
#include "mcp/answer.h"
#include "server/loop_threads.h"
#include "server/own_check.h"

#include <stdlib.h>

#define MOST_RESULT ((size_t)64 << 20) /* bytes */

struct own_job {
    loop_job job; /* the first member */
    http_route route;
    rdv_arena *arena;
    rdv_str text;
    mcp_headers headers; /* of HTTP_ROUTE_MCP */
    judge_rule rule;     /* of HTTP_ROUTE_GUARDRAIL */
    own_check check;     /* of HTTP_ROUTE_CHECK */
    struct uv_loop_s *loop;
    rdv_buf out;
    own_result result;
    rdv_error err;
    int code;
};

static void release(loop_job *job)
{
    own_job *j = (own_job *)job;
    model_check_free(&j->check.check);
    rdv_arena_free(&j->arena);
    free(j);
}

static void stop(loop_job *job)
{
    model_run_stop(model_check_run(((own_job *)job)->check.check));
}

/* ---- on the thread --------------------------------------------------------------------------- */

static void answer_mcp(own_job *j)
{
    j->result.type = "application/json";
    j->code = mcp_answer_http(j->text, &j->headers, j->arena, &j->result.body, &j->result.status,
                              &j->err);
}

static void work_on_records(own_job *j)
{
    judge_work work = j->route == HTTP_ROUTE_GRADE ? JUDGE_GRADE : JUDGE_VOTE;
    rdv_buf_init(&j->out, j->arena, MOST_RESULT);
    rdv_buf_lit(&j->out, "");
    j->code = j->route == HTTP_ROUTE_CHECK
                  ? own_check_run(&j->check, j->text, j->arena, &j->out, &j->err)
                  : judge_records(work, NULL, j->text, j->arena, &j->out, &j->err);
    j->result = (own_result){200, "application/jsonl", rdv_buf_str(&j->out)};
}

static void guard(own_job *j)
{
    rdv_buf_init(&j->out, j->arena, MOST_RESULT);
    j->code = guardrail_answer(j->text, &j->rule, j->arena, &j->out, &j->err);
    j->result = (own_result){200, "application/json", rdv_buf_str(&j->out)};
}

static void run(loop_job *job)
{
    own_job *j = (own_job *)job;
    if (j->route == HTTP_ROUTE_MCP)
        answer_mcp(j);
    else if (j->route == HTTP_ROUTE_GUARDRAIL)
        guard(j);
    else
        work_on_records(j);
}

/* ---- on the loop's --------------------------------------------------------------------------- */

/* NULL is copied as absent. */
static bool copy_field(own_job *j, const http_request *request, http_field f, rdv_str *out)
{
    const char *value = http_request_field(request, f);
    if (value)
        *out = rdv_str_copy(j->arena, rdv_str_of(value));
    return !value || out->p;
}

static bool copy(own_job *j, const http_request *request)
{
    const http_text *body = &request->body;
    j->text = rdv_str_copy(j->arena, (rdv_str){body->p ? body->p : "", body->len});
    return j->text.p && copy_field(j, request, HTTP_MCP_VERSION, &j->headers.version) &&
           copy_field(j, request, HTTP_MCP_METHOD, &j->headers.method) &&
           copy_field(j, request, HTTP_MCP_NAME, &j->headers.name);
}

static bool start(own_job *j, struct uv_loop_s *loop, void (*done)(void *payload), void *payload)
{
    return j->check.check ? loop_threads_start(j->check.threads, &j->job, done, payload)
                          : loop_job_start(&j->job, loop, done, payload);
}

own_job *own_job_new(http_route route, const http_request *request, access_holder *holder,
                     const relay_ctx *ctx, void (*done)(void *payload), void *payload, api_error *e)
{
    own_job *j = calloc(1, sizeof *j);
    api_error_set(e, 500, NULL, "Out of memory.");
    if (!j)
        return NULL;
    *j = (own_job){.job = {.run = run, .release = release, .stop = stop},
                   .route = route,
                   .rule = holder->rule.judging,
                   .loop = ctx->loop,
                   .code = RDV_E_NOMEM, /* where no thread can be started for it */
                   .arena = rdv_arena_new(0)};
    bool ok = j->arena && copy(j, request);
    if (ok && route == HTTP_ROUTE_CHECK)
        ok = own_check_begin(&j->check, ctx, holder, request, j->text, e);
    if (ok && start(j, ctx->loop, done, payload))
        return j;
    own_job_free(&j);
    return NULL;
}

bool own_job_is_done(const own_job *j)
{
    return j->job.ended;
}

bool own_job_result(const own_job *j, own_result *out, api_error *e)
{
    *out = j->result;
    if (j->code == RDV_OK)
        return true;
    if (j->code == RDV_E_NOMEM)
        return api_error_set(e, 500, NULL, "Out of memory.");
    if (j->code == RDV_E_IO) {
        api_error_set(e, 502, NULL, "The records could not be checked: %s.", j->err.msg);
        e->code = "upstream_failed";
        return false;
    }
    return api_error_set(e, 400, NULL, "The body could not be used: %s.", j->err.msg);
}

void own_job_free(own_job **handle)
{
    own_job *j = handle ? *handle : NULL;
    if (!j)
        return;
    *handle = NULL;
    own_check_settle(&j->check, loop_job_is_idle(&j->job), check_cost_time(j->loop));
    loop_job_free(&j->job);
}
