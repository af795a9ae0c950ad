/* SPDX-License-Identifier: Apache-2.0 */
#include "run/survey/survey.h"
#include "base/arena.h"
#include "base/str.h"
#include "model/stream.h"

#include <math.h>

/* ---- test requests --------------------------------------------------------------------------- */

#define REPLY_TOKENS 16
#define UNSET                                                                                      \
    {                                                                                              \
        .temperature = NAN, .top_p = NAN, .max_tokens = REPLY_TOKENS                               \
    }

/* The beginning of an unusual turn, cut off within a number: a continuation starts with "0". */
#define COUNTED "Counting on, as you wish: 3, 4, 5, 6, 7, 8, 9, 1"

static const rdv_message hello[] = {{RDV_USER, {"Say OK.", 7}}};
static const rdv_message with_system[] = {{RDV_SYSTEM, {"Be brief.", 9}},
                                          {RDV_USER, {"Say OK.", 7}}};
static const rdv_message twice[] = {{RDV_USER, {"Hello.", 6}}, {RDV_USER, {"Say OK.", 7}}};
static const rdv_message counting[] = {{RDV_USER, {"Count from 1 to 20.", 19}},
                                       {RDV_ASSISTANT, {COUNTED, sizeof COUNTED - 1}}};
static const rdv_str stop = {"\x1e", 1};
/* A reply that no model gives unless it is forced. */
static const rdv_str held[] = {{"Reykjavik", 9}};

static const rdv_request requests[N_SURVEY_ITEMS] = {
    [SURVEY_CHAT] = {.messages = hello, .n_messages = 1, .sampling = UNSET},
    [SURVEY_TEMPERATURE] = {.messages = hello,
                            .n_messages = 1,
                            .sampling = {0.5, NAN, REPLY_TOKENS, NULL, 0, false, 0}},
    [SURVEY_TOP_P] = {.messages = hello,
                      .n_messages = 1,
                      .sampling = {NAN, 0.9, REPLY_TOKENS, NULL, 0, false, 0}},
    [SURVEY_STOP] = {.messages = hello,
                     .n_messages = 1,
                     .sampling = {NAN, NAN, REPLY_TOKENS, &stop, 1, false, 0}},
    [SURVEY_SYSTEM] = {.messages = with_system, .n_messages = 2, .sampling = UNSET},
    [SURVEY_FREE_TURNS] = {.messages = twice, .n_messages = 2, .sampling = UNSET},
    [SURVEY_LOGPROBS] = {.messages = hello,
                         .n_messages = 1,
                         .sampling = {NAN, NAN, REPLY_TOKENS, NULL, 0, true, 0}},
    [SURVEY_PREFIX] = {.kind = RDV_REQUEST_CONTINUE,
                       .messages = counting,
                       .n_messages = 2,
                       .sampling = {0, NAN, REPLY_TOKENS, NULL, 0, false, 0}},
    [SURVEY_MANY] = {.messages = hello, .n_messages = 1, .sampling = UNSET},
    [SURVEY_SCHEMA] = {.messages = hello,
                       .n_messages = 1,
                       .sampling = {NAN, NAN, 2 * REPLY_TOKENS, NULL, 0, false, 0},
                       .answers = held,
                       .n_answers = 1},
    [SURVEY_CHOICE] = {.messages = hello,
                       .n_messages = 1,
                       .sampling = UNSET,
                       .answers = held,
                       .n_answers = 1,
                       .bare = true},
    [SURVEY_STREAM] = {.messages = hello, .n_messages = 1, .sampling = UNSET},
    [SURVEY_FINISH] = {.messages = hello, .n_messages = 1, .sampling = UNSET},
    [SURVEY_COMPLETIONS] = {.kind = RDV_REQUEST_CONTINUE,
                            .text = {"1 2 3 4", 7},
                            .sampling = UNSET},
    [SURVEY_TOKEN_GRAMMAR] = {.kind = RDV_REQUEST_SCORE, .text = {"1 2 3 4", 7}, .sampling = UNSET},
    [SURVEY_ECHO] = {.kind = RDV_REQUEST_SCORE, .text = {"1 2 3 4", 7}, .sampling = UNSET},
    [SURVEY_PROMPT_LOGPROBS] = {.kind = RDV_REQUEST_SCORE,
                                .text = {"1 2 3 4", 7},
                                .sampling = UNSET},
};

static const ability scored_by[N_SURVEY_ITEMS] = {[SURVEY_TOKEN_GRAMMAR] = ABILITY_TOKEN_GRAMMAR,
                                                  [SURVEY_ECHO] = ABILITY_ECHO,
                                                  [SURVEY_PROMPT_LOGPROBS] =
                                                      ABILITY_PROMPT_LOGPROBS};

static bool is_get(survey_item item)
{
    return item == SURVEY_MODELS || item == SURVEY_PROPS;
}

static bool is_score(survey_item item)
{
    return (SURVEY_SCORES & SURVEY_BIT(item)) != 0;
}

bool survey_can_score(const rdv_abilities *a)
{
    return a->echo == RDV_CAN || a->prompt_logprobs == RDV_CAN || a->token_grammar == RDV_CAN;
}

/* Whether there is anything to find out. Items that need a chat are skipped for a server without
 * one. */
static bool applies(const survey *s, survey_item item)
{
    if (item == SURVEY_PROPS)
        return s->about.software == RDV_SOFTWARE_LLAMA_CPP;
    /* llama.cpp supports one way, and ignores the others silently. */
    bool known = s->about.software == RDV_SOFTWARE_LLAMA_CPP && item != SURVEY_TOKEN_GRAMMAR;
    if (is_score(item))
        return !s->one_score || (!known && !survey_can_score(s->abilities));
    if (item == SURVEY_PREFIX && s->abilities->prefix != RDV_CAN_UNKNOWN)
        return false; /* known from its software */
    if (item == SURVEY_FINISH && s->abilities->finish != RDV_CAN_UNKNOWN)
        return false; /* known from another reply */
    bool of_chat = item > SURVEY_CHAT && item < SURVEY_COMPLETIONS;
    return !of_chat || s->abilities->chat != RDV_CANNOT;
}

/* ---- one item after the other ---------------------------------------------------------------- */

void survey_begin(survey *s, rdv_str model, rdv_abilities *abilities, unsigned items,
                  rdv_arena *arena)
{
    wire_about about = s->about; /* from an earlier survey of the same server */
    wire_props props = s->props;
    *s = (survey){.about = about,
                  .props = props,
                  .model = model,
                  .abilities = abilities,
                  .left = items,
                  .one_score = items != SURVEY_ALL,
                  .arena = arena};
}

/* Each way to score is tried with the others disabled. */
static void open_item(survey *s, survey_item item)
{
    s->open = true;
    s->item = item;
    s->request = requests[item];
    s->asked = *s->abilities;
    s->tokenized = (rdv_str){0};
    for (survey_item other = 0; is_score(item) && other < N_SURVEY_ITEMS; other++)
        if (is_score(other))
            ability_set(&s->asked, scored_by[other], other == item ? RDV_CAN_UNKNOWN : RDV_CANNOT);
}

static bool open_next(survey *s)
{
    for (survey_item i = 0; i < N_SURVEY_ITEMS; i++) {
        if (!(s->left & SURVEY_BIT(i)))
            continue;
        if (applies(s, i)) {
            open_item(s, i);
            return true;
        }
        s->left &= ~SURVEY_BIT(i);
    }
    return false;
}

/* ---- evaluating responses -------------------------------------------------------------------- */

/* Whether the reply continues the turn at its end. A server that starts the turn again gives
 * another reply. Unclear cases count as not continued, because the request is then sent in a user's
 * turn. */
static void judge_prefix(survey *s, const rdv_reply *reply)
{
    rdv_abilities *a = &s->asked;
    bool open = reply && (s->wire.uses & ABILITY_BIT(ABILITY_PREFIX));
    bool back = open && rdv_starts(reply->text, RDV_STR(COUNTED));
    bool goes_on = open && rdv_starts(reply->text, RDV_STR("0"));
    a->prefix = back || goes_on ? RDV_CAN : RDV_CANNOT;
    a->prefix_back = back ? RDV_CAN : RDV_CANNOT;
}

static void judge(survey *s, const rdv_reply *reply)
{
    rdv_abilities *a = &s->asked;
    switch (s->item) {
    case SURVEY_CHAT:
        if (!reply || s->wire.form != WIRE_CHAT) {
            a->chat = RDV_CANNOT;
            s->refused = s->refusal;
        }
        break;
    case SURVEY_LOGPROBS:
        if (!reply || reply->n_tokens == 0)
            a->logprobs = RDV_CANNOT;
        break;
    case SURVEY_PREFIX:
        judge_prefix(s, reply);
        break;
    case SURVEY_MANY:
        a->many = reply && a->many == RDV_CAN ? RDV_CAN : RDV_CANNOT;
        break;
    case SURVEY_SCHEMA:
        a->schema = reply && rdv_str_eq(reply->text, held[0]) ? RDV_CAN : RDV_CANNOT;
        break;
    case SURVEY_CHOICE:
        a->choice = reply && rdv_str_eq(reply->text, held[0]) ? RDV_CAN : RDV_CANNOT;
        break;
    case SURVEY_COMPLETIONS:
        if (!reply || s->wire.form != WIRE_COMPLETIONS)
            a->completions = RDV_CANNOT;
        break;
    case SURVEY_TOKEN_GRAMMAR:
    case SURVEY_ECHO:
    case SURVEY_PROMPT_LOGPROBS:
        ability_set(a, scored_by[s->item], reply ? RDV_CAN : RDV_CANNOT);
        break;
    default:
        break;
    }
}

/* reply == NULL: the ability is missing. */
static void conclude(survey *s, const rdv_reply *reply)
{
    judge(s, reply);
    for (survey_item i = 0; is_score(s->item) && i < N_SURVEY_ITEMS; i++)
        if (is_score(i) && i != s->item)
            ability_set(&s->asked, scored_by[i], ability_get(s->abilities, scored_by[i]));
    *s->abilities = s->asked;
    s->left &= ~SURVEY_BIT(s->item);
    s->open = false;
}

void survey_skip(survey *s)
{
    conclude(s, NULL);
}

/* ---- requests -------------------------------------------------------------------------------- */

static int write_request(survey *s, rdv_error *err)
{
    if (s->tokenized.p && s->asked.token_grammar != RDV_CANNOT)
        return wire_write_grammar(&s->request, s->model, &s->asked, s->tokenized, s->arena,
                                  &s->wire, err);
    int rc = wire_write(&s->request, s->model, &s->asked, s->arena, &s->wire, err);
    if (rc == RDV_OK && s->item == SURVEY_STREAM)
        return wire_ask_stream(&s->wire, &s->request, &s->asked, s->arena, err);
    if (rc != RDV_OK || s->item != SURVEY_MANY)
        return rc;
    return wire_ask_many(&s->wire, 2, s->arena, err);
}

int survey_next(survey *s, const char **path, rdv_str *body, rdv_error *err)
{
    while (s->open || open_next(s)) {
        s->asks = !is_get(s->item);
        if (!s->asks) {
            *path = s->item == SURVEY_MODELS ? "/models" : "/props";
            *body = (rdv_str){0};
            return RDV_OK;
        }
        int rc = write_request(s, err);
        if (rc != RDV_OK && rc != RDV_NONE)
            return rc;
        if (rc == RDV_OK) {
            s->asks = s->wire.form != WIRE_TOKENIZE;
            *path = s->wire.path;
            *body = s->wire.body;
            return RDV_OK;
        }
        conclude(s, NULL);
    }
    return RDV_NONE;
}

/* ---- responses ------------------------------------------------------------------------------- */

/* Our own server implements every ability, and its model is too small for the counting test. */
static void know_software(survey *s)
{
    rdv_abilities *a = s->abilities;
    switch (s->about.software) {
    case RDV_SOFTWARE_LLAMA_CPP:
    case RDV_SOFTWARE_VLLM:
    case RDV_SOFTWARE_SGLANG:
        a->top_k = RDV_CAN;
        break;
    case RDV_SOFTWARE_OLLAMA:
        a->top_k = RDV_CANNOT;
        break;
    case RDV_SOFTWARE_REDERIVE:
        a->prefix = RDV_CAN;
        a->prefix_back = RDV_CANNOT;
        break;
    case RDV_SOFTWARE_UNKNOWN:
        break;
    }
}

static int took_get(survey *s, long status, rdv_str body, rdv_error *err)
{
    int rc = RDV_OK;
    if (status == 200)
        rc = s->item == SURVEY_MODELS ? wire_read_models(body, s->arena, &s->about, NULL)
                                      : wire_read_props(body, &s->props, NULL);
    if (s->item == SURVEY_MODELS)
        know_software(s);
    s->left &= ~SURVEY_BIT(s->item);
    s->open = false;
    return rc == RDV_E_NOMEM ? rdv_fail(err, rc, "out of memory") : RDV_OK;
}

static void mark(survey *s)
{
    for (ability a = 0; a < N_ABILITIES; a++)
        if (s->wire.uses & ABILITY_BIT(a))
            ability_set(&s->asked, a, RDV_CAN);
}

static int took_reply(survey *s, rdv_str body, rdv_error *err)
{
    rdv_reply reply;
    if (s->wire.form == WIRE_TOKENIZE) {
        s->tokenized = rdv_str_copy(s->arena, body);
        return s->tokenized.p ? RDV_OK : rdv_no_memory(err);
    }
    int rc = wire_read(&s->wire, &s->request, body, s->arena, &reply, err);
    if (rc == RDV_NONE)
        wire_lacks(&s->wire, &s->asked); /* and the request is written again, or refused */
    if (rc == RDV_OK)
        mark(s);
    bool words = s->wire.form == WIRE_CHAT || s->wire.form == WIRE_COMPLETIONS;
    if (rc == RDV_OK && words && s->asked.finish != RDV_CAN)
        s->asked.finish = reply.finish == RDV_FINISH_UNSAID ? RDV_CANNOT : RDV_CAN;
    if (rc == RDV_OK && s->item == SURVEY_MANY)
        s->asked.many = wire_count_choices(body) == 2 ? RDV_CAN : RDV_CANNOT;
    if (rc == RDV_OK && s->item == SURVEY_STREAM)
        s->asked.stream = stream_is(body) ? RDV_CAN : RDV_CANNOT;
    if (rc == RDV_E_INPUT) {
        s->refusal =
            wire_is_page(body) ? RDV_STR(WIRE_PAGE) : rdv_str_copy(s->arena, rdv_str_of(err->msg));
        if (!s->refusal.p)
            return rdv_no_memory(err);
    }
    if (rc == RDV_OK || rc == RDV_E_INPUT)
        conclude(s, rc == RDV_OK ? &reply : NULL);
    return rc == RDV_E_INPUT || rc == RDV_NONE ? RDV_OK : rc;
}

int survey_took(survey *s, long status, rdv_str body, rdv_error *err)
{
    if (is_get(s->item))
        return took_get(s, status, body, err);
    if (wire_is_whole(status))
        return took_reply(s, body, err);
    wire_error error;
    int rc = wire_read_error(body, s->arena, &error, err);
    if (rc != RDV_OK)
        return rc;
    s->refusal = rdv_str_printf(s->arena, "HTTP %ld: %.*s", status, RDV_FMT(error.message));
    if (!s->refusal.p)
        return rdv_no_memory(err);
    bool other = wire_refused(&s->wire, (int)status, &error, &s->asked);
    bool form = (s->item == SURVEY_SCHEMA && s->asked.schema == RDV_CANNOT) ||
                (s->item == SURVEY_CHOICE && s->asked.choice == RDV_CANNOT);
    if (!other || form) /* without the form there is nothing left to find out */
        conclude(s, NULL);
    return RDV_OK;
}
