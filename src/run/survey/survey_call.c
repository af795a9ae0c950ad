/* SPDX-License-Identifier: Apache-2.0 */
#include "run/survey/survey_call.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "model/abilities.h"
#include "run/pool.h"
#include "run/retry.h"
#include "run/run.h"
#include "run/survey/survey_memory.h"

#include <stdio.h>

#define NAMES_SHOWN 5
#define BUDGET_MS 50   /* before another try, where the budget holds no further call now */
#define AWAIT_MS 20    /* between two looks at what another run finds out */
#define ABOUT_MS 10000 /* for a response to the queries of models and software */

/* ---- needed items ---------------------------------------------------------------------------- */

/* The items that must be known before this request can be written. */
static unsigned needed(server *s, const rdv_request *request, bool several)
{
    const rdv_abilities *a = &s->base.abilities;
    unsigned items = SURVEY_SERVER;
    bool of_turn =
        request->kind == RDV_REQUEST_CONTINUE && !request->text.p && request->n_messages > 1;
    if (of_turn && a->prefix == RDV_CAN_UNKNOWN && a->chat != RDV_CANNOT)
        items |= SURVEY_BIT(SURVEY_PREFIX);
    if (request->kind == RDV_REQUEST_SCORE && !survey_can_score(a))
        items |= SURVEY_SCORES;
    s->must_hold |= request->n_answers && !request->offered;
    bool other = request->offered && !request->reasoned && a->schema == RDV_CANNOT;
    bool choice = request->bare || other;
    rdv_can held = choice ? a->choice : a->schema;
    if (request->n_answers && held == RDV_CAN_UNKNOWN && a->chat != RDV_CANNOT)
        items |= SURVEY_BIT(choice ? SURVEY_CHOICE : SURVEY_SCHEMA);
    if (several && a->many == RDV_CAN_UNKNOWN && a->chat != RDV_CANNOT)
        items |= SURVEY_BIT(SURVEY_MANY);
    if (s->unsaid && a->finish == RDV_CAN_UNKNOWN)
        items |= SURVEY_BIT(SURVEY_FINISH);
    return items & ~s->surveyed;
}

/* ---- what other runs found out --------------------------------------------------------------- */

static rdv_str place_of(const server *s)
{
    return rdv_str_of(server_url(s, "/chat/completions"));
}

static void remember(server *s)
{
    const survey_found found = {.items = s->surveyed,
                                .abilities = s->base.abilities,
                                .software = s->survey.about.software,
                                .props = s->survey.props};
    if (s->turn)
        survey_memory_end(s->run->surveys, place_of(s), s->model, s->turn,
                          s->doubtful ? NULL : &found);
    s->turn = 0;
}

static void take_slots(server *s)
{
    if (!s->survey.props.slots)
        return;
    limit_slots(&s->base.host->limit, s->survey.props.slots);
    s->base.most_choices = s->survey.props.slots; /* llama.cpp refuses more */
}

/* Take over what is remembered. RDV_OK; RDV_LATER: another run surveys the server now. */
static int recall(server *s)
{
    survey_found found;
    int rc = survey_memory_look(s->run->surveys, place_of(s), s->model, &found);
    if (rc != RDV_OK || !(found.items & ~s->surveyed))
        return rc;
    for (ability a = 0; a < N_ABILITIES; a++)
        if (ability_get(&s->base.abilities, a) == RDV_CAN_UNKNOWN)
            ability_set(&s->base.abilities, a, ability_get(&found.abilities, a));
    s->surveyed |= found.items;
    s->survey.about.software = found.software;
    s->survey.props = found.props;
    take_slots(s);
    return RDV_OK;
}

/* ---- notices --------------------------------------------------------------------------------- */

static bool is_listed(const server *s)
{
    const wire_about *about = &s->survey.about;
    for (size_t i = 0; i < about->n_models; i++)
        if (rdv_str_eq(about->models[i], s->model))
            return true;
    return about->n_models == 0;
}

/* Some servers accept any model name, others refuse unknown names. */
static int tell_listed(const server *s, rdv_error *err)
{
    const wire_about *about = &s->survey.about;
    rdv_buf names;
    rdv_arena_reset(s->run->scratch);
    rdv_buf_init(&names, s->run->scratch, 0);
    for (size_t i = 0; i < about->n_models && i < NAMES_SHOWN; i++)
        rdv_buf_printf(&names, "%s%.*s", i ? ", " : "", RDV_FMT(about->models[i]));
    if (about->n_models > NAMES_SHOWN)
        rdv_buf_printf(&names, " and %zu more", about->n_models - NAMES_SHOWN);
    if (!rdv_buf_ok(&names))
        return rdv_no_memory(err);
    run_notice(s->run, "%.*s lists no model \"%.*s\"; it lists %.*s", RDV_FMT(s->base.host->name),
               RDV_FMT(s->model), RDV_FMT(rdv_buf_str(&names)));
    return RDV_OK;
}

static int tell_server(const server *s, rdv_error *err)
{
    if (s->survey.props.no_template)
        run_notice(s->run,
                   "%.*s: the model has no chat template, so it is a base model: it continues "
                   "texts and does not follow instructions; use one that is tuned for chat",
                   RDV_FMT(s->base.host->name));
    return is_listed(s) ? RDV_OK : tell_listed(s, err);
}

void survey_call_tell_unsaid(server *s)
{
    if (s->base.abilities.finish != RDV_CANNOT || s->told_unsaid)
        return;
    s->told_unsaid = true;
    run_notice(s->run, "%.*s gives no reply a finish_reason, so no reply is known to be whole%s",
               RDV_FMT(s->base.host->name),
               s->run->options.trust_unfinished
                   ? "; they are read all the same (--trust-unfinished)"
                   : ", and none is read; --trust-unfinished reads them all the same");
}

static int conclude(server *s, rdv_error *err)
{
    bool first = !(s->surveyed & SURVEY_SERVER);
    s->surveyed |= s->surveying;
    s->surveying = 0;
    remember(s);
    if (first)
        take_slots(s);
    return first ? tell_server(s, err) : RDV_OK;
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* A response that needs no model arrives at once or never. */
static uint32_t timeout_ms(const server *s)
{
    uint32_t most = s->run->options.timeout_ms;
    return s->survey.asks || (most && most < ABOUT_MS) ? most : ABOUT_MS;
}

/* RDV_LATER: the request is not to be sent now, or, if `surveying` is 0, in this run. */
static int reserve(server *s, size_t bytes)
{
    const wire *w = &s->survey.wire;
    uint64_t most = w->unlimited ? USAGE_NO_LIMIT : w->limit;
    int rc = run_may_spend(s->run) ? run_reserve(s->run, &s->base.seen, bytes, most, &s->held)
                                   : RDV_NONE;
    if (rc == RDV_LATER)
        s->base.due = run_now(s->run) + BUDGET_MS;
    if (rc != RDV_NONE)
        return rc;
    run_end_if_too_small(s->run);
    s->surveying = 0;
    return RDV_LATER;
}

static int send_next(server *s, rdv_error *err)
{
    const char *path;
    rdv_str body;
    int rc = survey_next(&s->survey, &path, &body, err);
    if (rc == RDV_NONE)
        return conclude(s, err);
    if (rc != RDV_OK)
        return rc;
    if (s->survey.asks && (rc = reserve(s, body.len)) != RDV_OK)
        return rc == RDV_LATER ? RDV_OK : rc;
    http_exchange_release(&s->exchange);
    s->exchange = (http_exchange){.url = server_url(s, path),
                                  .headers = s->headers,
                                  .body = body,
                                  .direct = s->here,
                                  .timeout_ms = timeout_ms(s),
                                  .idle_ms = s->run->options.idle_ms,
                                  .heard = &s->base.host->heard,
                                  .done = &s->done};
    if (s->run->options.surveyed)
        s->run->options.surveyed(s->run->options.payload, s->base.host->name, ++s->exchanges);
    rc = http_start(s->run->http, &s->exchange, err);
    if (rc != RDV_OK)
        return rc;
    s->out = true;
    s->expected = 0;
    if (s->survey.asks) {
        s->expected = limit_start(&s->base.host->limit, body.len, 1, run_now(s->run));
        account_charge_call(&s->run->account);
        s->base.totals.calls++;
        s->run->totals.in_flight++;
    }
    return RDV_OK;
}

/* Report the progress of a survey to the driver. */
static int show(server *s, int rc)
{
    if (!s->surveying && s->turn) { /* it was given up */
        s->doubtful = true;
        remember(s);
    }
    s->base.held = s->surveying != 0 || s->awaits;
    if ((s->out || !s->surveying) && !s->awaits)
        s->base.due = UINT64_MAX;
    return rc;
}

/* Look again soon at what another run finds out. */
static int await(server *s)
{
    s->awaits = true;
    s->base.due = run_now(s->run) + AWAIT_MS;
    (void)show(s, RDV_OK);
    return RDV_LATER;
}

int survey_call_ready(server *s, const rdv_request *request, bool several, rdv_error *err)
{
    if (s->surveying || s->awaits)
        return RDV_LATER;
    unsigned items = needed(s, request, several);
    if (items && s->run->surveys) {
        if (recall(s) == RDV_LATER)
            return await(s);
        items = needed(s, request, several);
    }
    if (s->survey.props.no_template && request->kind == RDV_REQUEST_CHAT &&
        !s->run->options.anyway) {
        run_end_early(s->run, RDV_END_REFUSED,
                      "%.*s: the method asks by chat, and the model has no chat template: nothing "
                      "was asked; use a model that is tuned for chat, or --anyway",
                      RDV_FMT(s->base.host->name));
        return RDV_LATER;
    }
    if (!items)
        return RDV_OK;
    if (s->run->surveys &&
        survey_memory_begin(s->run->surveys, place_of(s), s->model, &s->turn) == RDV_LATER)
        return await(s);
    s->surveying = items;
    s->tries = 0;
    survey_begin(&s->survey, s->model, &s->base.abilities, items, s->found);
    int rc = show(s, send_next(s, err));
    return rc == RDV_OK && (s->surveying || s->run->end != RDV_END_DONE) ? RDV_LATER : rc;
}

int survey_call_due(server *s, rdv_error *err)
{
    if (run_now(s->run) < s->base.due || s->run->end != RDV_END_DONE)
        return RDV_OK;
    if (s->awaits) {
        s->awaits = false;
        return show(s, RDV_OK);
    }
    return show(s, send_next(s, err));
}

void survey_call_abort(server *s)
{
    if (s->out) {
        http_abort(s->run->http, &s->exchange);
        run_release(s->run, &s->held);
        if (s->survey.asks) {
            limit_end(&s->base.host->limit, s->expected);
            s->run->totals.in_flight--;
        }
    }
    s->out = false;
    s->surveying = 0;
    s->awaits = false;
    (void)show(s, RDV_OK);
}

/* ---- responses ------------------------------------------------------------------------------- */

/* For this run the ability counts as missing. */
static int skip(server *s, rdv_error *err)
{
    s->doubtful = true;
    survey_skip(&s->survey);
    return send_next(s, err);
}

/* Retry later, as often as a call; then the ability counts as missing. */
static int try_later(server *s, rdv_error *err)
{
    if (++s->tries > s->run->options.retries) {
        s->tries = 0;
        return skip(s, err);
    }
    s->base.due =
        run_now(s->run) + retry_delay_ms(&s->run->rng, s->tries, s->run->options.backoff_ms,
                                         s->exchange.retry_after_ms);
    return RDV_OK;
}

/* Charge the token_usage of a response, whatever else it says and however the run goes on. */
static rdv_reply charge(server *s)
{
    const http_exchange *x = &s->exchange;
    rdv_reply used = {0};
    if (x->end != HTTP_DONE || !s->survey.asks)
        return used;
    rdv_arena_reset(s->run->scratch);
    wire_read_usage((rdv_str){x->data ? x->data : "", x->len}, s->run->scratch, &used);
    account_charge_tokens(&s->run->account, used.prompt_tokens, used.completion_tokens);
    s->base.totals.prompt_tokens += used.prompt_tokens;
    s->base.totals.completion_tokens += used.completion_tokens;
    return used;
}

static int took_response(server *s, const rdv_reply *used, rdv_error *err)
{
    http_exchange *x = &s->exchange;
    rdv_str body = {x->data ? x->data : "", x->len};
    server_hide_key(s, x->data, x->len);
    s->base.host->responses++;
    pool_works(s->base.pool, &s->base);
    s->tries = 0;
    s->doubtful |= x->status == 401 || x->status == 403 || x->status >= 500;
    int rc = survey_took(&s->survey, x->status, body, err);
    if (s->survey.asks)
        limit_answered(&s->base.host->limit, s->expected, used->prompt_tokens,
                       used->completion_tokens, 1, false);
    return rc == RDV_OK ? send_next(s, err) : rc;
}

/* No server of this model can be reached or ever was: further tries are pointless. */
static void end_unreachable(server *s)
{
    if (s->base.pool->n == 1)
        run_end_early(s->run, RDV_END_UNREACHABLE,
                      "%.*s cannot be reached: %s; is the server started?",
                      RDV_FMT(s->base.host->name), s->exchange.why);
    else
        run_end_early(s->run, RDV_END_UNREACHABLE,
                      "none of the %zu servers can be reached: %s; are they started?",
                      s->base.pool->n, s->exchange.why);
    s->surveying = 0;
}

static int complete(server *s, rdv_error *err)
{
    http_exchange *x = &s->exchange;
    bool whole = x->end == HTTP_DONE && !http_exchange_may_pass(x);
    rdv_reply used = charge(s);
    s->out = false;
    run_release(s->run, &s->held);
    if (x->out_of_memory)
        return rdv_no_memory(err);
    if (s->survey.asks) {
        s->run->totals.in_flight--;
        if (!whole)
            limit_end(&s->base.host->limit, s->expected);
    }
    if (s->run->end != RDV_END_DONE) {
        s->surveying = 0;
        return RDV_OK;
    }
    if (whole)
        return took_response(s, &used, err);
    server_hide_key(s, x->why, sizeof x->why);
    bool never_reached = x->end == HTTP_UNREACHABLE && s->base.host->responses == 0;
    bool others = pool_others_work(s->base.pool, &s->base);
    if (x->end != HTTP_DONE || x->status != 429)
        pool_fault(s->base.pool, &s->base, others || never_reached,
                   x->end == HTTP_DONE ? "it does not say what it can do" : x->why);
    if (never_reached && (s->base.pool->n == 1 || pool_unreachable(s->base.pool))) {
        end_unreachable(s);
        return RDV_OK;
    }
    if (others && x->status != 429) {
        s->surveying = 0; /* it is surveyed again when it is asked again */
        return RDV_OK;
    }
    bool waits = s->survey.asks || (x->end == HTTP_DONE && x->status != 429);
    if (waits)
        return try_later(s, err);
    return skip(s, err);
}

int survey_call_complete(server *s, rdv_error *err)
{
    return show(s, complete(s, err));
}

/* ---- for people ------------------------------------------------------------------------------ */

static void add(char *line, size_t size, bool *any, const char *text)
{
    size_t len = strlen(line);
    snprintf(line + len, size - len, "%s%s", *any ? "; " : "", text);
    *any = true;
}

bool survey_call_describe(const server *s, char *line, size_t size)
{
    bool any = false;
    char who[128];
    if (!s->surveyed)
        return false;
    const rdv_abilities *a = &s->base.abilities;
    line[0] = '\0';
    if (s->survey.about.software != RDV_SOFTWARE_UNKNOWN && s->survey.props.slots)
        snprintf(who, sizeof who, "%s, %zu slots", rdv_software_name(s->survey.about.software),
                 s->survey.props.slots);
    else
        snprintf(who, sizeof who, "%s", rdv_software_name(s->survey.about.software));
    if (s->survey.about.software != RDV_SOFTWARE_UNKNOWN)
        add(line, size, &any, who);
    if (a->prefix_back == RDV_CAN)
        add(line, size, &any, "gives back the turn that it continues, which is taken off");
    else if (a->prefix == RDV_CANNOT)
        add(line, size, &any, "does not continue the assistant's turn, and is asked in the user's");
    if (a->token_grammar == RDV_CAN)
        add(line, size, &any, "scores a text by a grammar of its tokens");
    else if (s->surveyed & SURVEY_SCORES && a->echo != RDV_CAN && a->prompt_logprobs != RDV_CAN)
        add(line, size, &any, "does not score a given text");
    if (s->base.host->slow && a->stream != RDV_CANNOT)
        add(line, size, &any, "takes long, so replies are streamed");
    if (a->schema == RDV_CAN)
        add(line, size, &any, "holds replies of one word or number to a JSON schema");
    if (a->choice == RDV_CAN)
        add(line, size, &any, "holds replies to one of a few texts");
    const struct {
        rdv_can can;
        const char *without;
    } lacks[] = {{a->chat, "has no chat"},
                 {a->logprobs, "gives no log-probabilities"},
                 {a->system, "takes no system turn"},
                 {a->temperature, "takes no temperature"},
                 {a->top_p, "takes no top_p"},
                 {a->stop, "takes no stop texts"},
                 {a->finish, "gives no finish_reason"},
                 {a->schema, "does not hold replies to a JSON schema"},
                 {a->choice, "does not hold replies to one of a few texts"}};
    size_t n = sizeof lacks / sizeof *lacks - (s->must_hold ? 0 : 2); /* the last two are forms */
    for (size_t i = 0; i < n; i++)
        if (lacks[i].can == RDV_CANNOT)
            add(line, size, &any, lacks[i].without);
    return any;
}
