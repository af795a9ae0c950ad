/* SPDX-License-Identifier: Apache-2.0 */
/* Requests in the format of OpenAI-compatible servers. */
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "model/notes.h"
#include "model/reward.h"
#include "model/token_grammar.h"
#include "model/turns.h"
#include "model/wire.h"
#include "plan/request.h"

#include <math.h>

#define CONTINUE "Continue the text below from exactly where it ends. Write only what comes next."
#define MAX_STOPS 4 /* servers refuse more; wire_read() cuts at all of them anyway */

typedef struct writer {
    const rdv_request *request;
    const rdv_abilities *abilities;
    rdv_arena *arena;
    rdv_str name;
    rdv_buf body, notes;
    wire *out;
    bool holds; /* the server is to hold the reply to the request's answers, */
    bool bare;  /* and the reply is one of them and nothing else */
} writer;

static bool cannot(const writer *w, ability which)
{
    return ability_get(w->abilities, which) == RDV_CANNOT;
}

static void uses(writer *w, ability which)
{
    w->out->uses |= ABILITY_BIT(which);
}

/* Decide whether the reply is to be held to the answers. What is only offered is taken where the
 * server is known to do it; a reply without reasoning may also be held to a choice. */
static void hold(writer *w)
{
    const rdv_request *r = w->request;
    bool schema = ability_get(w->abilities, ABILITY_SCHEMA) == RDV_CAN;
    bool choice = ability_get(w->abilities, ABILITY_CHOICE) == RDV_CAN && !r->reasoned;
    bool asked = r->n_answers && w->out->form == WIRE_CHAT;
    w->holds = asked && (!r->offered || schema || choice);
    w->bare = w->holds && (r->bare || (r->offered && !schema));
}

static int refuse(rdv_error *err, const char *what)
{
    (void)rdv_fail(err, RDV_NONE, "%s", what);
    return RDV_NONE;
}

static writer begin_writing(const rdv_request *request, rdv_str name,
                            const rdv_abilities *abilities, rdv_arena *arena, wire *out)
{
    writer w = {
        .request = request, .abilities = abilities, .arena = arena, .name = name, .out = out};
    *out = (wire){0};
    rdv_buf_init(&w.body, arena, 0);
    rdv_buf_init(&w.notes, arena, 0);
    return w;
}

/* ---- members of the body --------------------------------------------------------------------- */

static void begin(writer *w, wire_form form, const char *path)
{
    w->out->form = form;
    w->out->path = path;
    rdv_buf_lit(&w->body, "{\"model\":");
    rdv_json_text(&w->body, w->name);
}

static void add_text(writer *w, const char *name, rdv_str text)
{
    rdv_json_put_text(&w->body, name, text);
}

static void add_number(writer *w, const char *name, double number)
{
    rdv_json_put_number(&w->body, name, number);
}

static void add_flag(writer *w, const char *name, bool flag)
{
    rdv_json_put_flag(&w->body, name, flag);
}

/* The protocol's names of roles. */
static const char *role_name(rdv_role role)
{
    return role == RDV_SYSTEM ? "system" : role == RDV_USER ? "user" : "assistant";
}

static void add_messages(writer *w, const turns *t)
{
    rdv_json_open(&w->body, "messages", '[');
    for (size_t i = 0; i < t->n; i++) {
        rdv_buf_add(&w->body, i ? RDV_STR(",{") : RDV_STR("{"));
        add_text(w, "role", rdv_str_of(role_name(t->items[i].role)));
        rdv_str text = t->items[i].text;
        add_text(w, "content", text.p ? text : RDV_STR(""));
        rdv_buf_add_char(&w->body, '}');
    }
    rdv_buf_add_char(&w->body, ']');
}

/* Add a setting that the server may refuse. NaN: left to the server. */
static void add_setting(writer *w, ability which, const char *name, double value)
{
    if (isnan(value))
        return;
    if (cannot(w, which)) {
        note_add(&w->notes, rdv_str_of(name));
        rdv_buf_lit(&w->notes, " left out");
        return;
    }
    uses(w, which);
    add_number(w, name, value);
}

/* Whether the reply is sampled from the model's whole distribution, as in the papers, which state a
 * temperature and nothing else. */
static bool draws_from_all(const writer *w)
{
    const rdv_sampling *s = &w->request->sampling;
    return s->temperature > 0 && isnan(s->top_p);
}

/* A server with its own defaults would truncate the distribution if no value were sent. */
static double top_p(const writer *w)
{
    bool own_defaults = ability_get(w->abilities, ABILITY_TOP_K) != RDV_CAN_UNKNOWN;
    return own_defaults && draws_from_all(w) ? 1 : w->request->sampling.top_p;
}

static void add_top_k(writer *w)
{
    if (ability_get(w->abilities, ABILITY_TOP_K) != RDV_CAN || !draws_from_all(w))
        return;
    uses(w, ABILITY_TOP_K);
    add_number(w, "top_k", -1);
    add_number(w, "min_p", 0);
}

/* "A","B" or, in a grammar, \"A\" | \"B\": in both, a text is written as in JSON. */
static void add_answers(const rdv_request *r, rdv_buf *b, rdv_str between)
{
    for (size_t i = 0; i < r->n_answers; i++) {
        rdv_buf_add(b, i ? between : RDV_STR(""));
        rdv_json_text(b, r->answers[i]);
    }
}

/* Add llama.cpp's member and vLLM's: each ignores the other's. */
static void add_choice(writer *w)
{
    rdv_buf grammar;
    if (cannot(w, ABILITY_CHOICE)) {
        note_lit(&w->notes, "not held to the answers");
        return;
    }
    uses(w, ABILITY_CHOICE);
    rdv_buf_init(&grammar, w->arena, 0);
    rdv_buf_lit(&grammar, "root ::= ");
    add_answers(w->request, &grammar, RDV_STR(" | "));
    add_text(w, "grammar", rdv_buf_str(&grammar));
    w->body.failed |= !rdv_buf_ok(&grammar);
    rdv_buf_lit(&w->body, ",\"structured_outputs\":{\"choice\":[");
    add_answers(w->request, &w->body, RDV_STR(","));
    rdv_buf_lit(&w->body, "]}");
}

/* {"reasoning":TEXT,"answer":ONE OF THESE}, or without "reasoning". */
static void add_schema(writer *w)
{
    const rdv_request *r = w->request;
    if (cannot(w, ABILITY_SCHEMA)) {
        note_lit(&w->notes, "response_format left out");
        return;
    }
    uses(w, ABILITY_SCHEMA);
    rdv_buf_lit(&w->body,
                ",\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":"
                "\"reply\",\"strict\":true,\"schema\":{\"type\":\"object\",\"properties\":{");
    if (r->reasoned)
        rdv_buf_lit(&w->body, "\"reasoning\":{\"type\":\"string\"},");
    rdv_buf_lit(&w->body, "\"answer\":{\"type\":\"string\",\"enum\":[");
    add_answers(r, &w->body, RDV_STR(","));
    rdv_buf_add(&w->body, r->reasoned ? RDV_STR("]}},\"required\":[\"reasoning\",\"answer\"]")
                                      : RDV_STR("]}},\"required\":[\"answer\"]"));
    rdv_buf_lit(&w->body, ",\"additionalProperties\":false}}}");
}

static void add_limit(writer *w, const char *name, size_t tokens)
{
    w->out->limit = tokens;
    add_number(w, name, (double)tokens);
}

static void add_max_tokens(writer *w)
{
    bool schema = w->holds && !w->bare;
    uint32_t max = schema ? request_most_tokens(w->request) : w->request->sampling.max_tokens;
    w->out->unlimited = max == 0;
    if (max == 0)
        return;
    if (w->out->form != WIRE_CHAT) {
        add_limit(w, "max_tokens", max);
    } else if (cannot(w, ABILITY_MAX_TOKENS)) {
        note_lit(&w->notes, "max_completion_tokens for max_tokens");
        add_limit(w, "max_completion_tokens", max);
    } else {
        uses(w, ABILITY_MAX_TOKENS);
        add_limit(w, "max_tokens", max);
    }
}

static void add_stops(writer *w)
{
    const rdv_sampling *s = &w->request->sampling;
    if (s->n_stop == 0)
        return;
    if (cannot(w, ABILITY_STOP)) {
        note_lit(&w->notes, "stop left out and applied to the reply");
        return;
    }
    uses(w, ABILITY_STOP);
    rdv_json_name(&w->body, RDV_STR("stop"));
    rdv_json_texts(&w->body, s->stop, s->n_stop < MAX_STOPS ? s->n_stop : MAX_STOPS);
}

static void add_logprobs(writer *w)
{
    const rdv_sampling *s = &w->request->sampling;
    if (!s->logprobs)
        return;
    if (cannot(w, ABILITY_LOGPROBS)) {
        note_lit(&w->notes, "logprobs left out");
        return;
    }
    uses(w, ABILITY_LOGPROBS);
    if (w->out->form == WIRE_COMPLETIONS) {
        add_number(w, "logprobs", s->top_logprobs);
        return;
    }
    add_flag(w, "logprobs", true);
    if (s->top_logprobs)
        add_number(w, "top_logprobs", s->top_logprobs);
}

static int finish(writer *w, rdv_error *err)
{
    rdv_buf_add_char(&w->body, '}');
    w->out->body = rdv_buf_str(&w->body);
    w->out->adapted = note_list(&w->notes);
    if (!rdv_buf_ok(&w->body) || !rdv_buf_ok(&w->notes))
        return rdv_no_memory(err);
    return RDV_OK;
}

static int finish_sampled(writer *w, rdv_error *err)
{
    hold(w);
    add_max_tokens(w);
    add_setting(w, ABILITY_TEMPERATURE, "temperature", w->request->sampling.temperature);
    add_setting(w, ABILITY_TOP_P, "top_p", top_p(w));
    add_top_k(w);
    add_stops(w);
    add_logprobs(w);
    if (w->holds)
        (w->bare ? add_choice : add_schema)(w);
    return finish(w, err);
}

/* ---- conversations and continuations --------------------------------------------------------- */

static int shape(writer *w, size_t n, turns *t, rdv_error *err)
{
    if (turns_shape(w->request->messages, n, w->abilities, w->arena, t, &w->notes) != RDV_OK)
        return rdv_no_memory(err);
    w->out->uses |= t->uses;
    return RDV_OK;
}

/* A base model has no turns: everything is one text to be continued. */
static int write_flat(writer *w, const turns *t, rdv_str last, rdv_error *err)
{
    if (cannot(w, ABILITY_COMPLETIONS))
        return refuse(err, "the server has neither chat nor completions");
    rdv_str prompt = turns_join(t, last, w->arena);
    if (!prompt.p)
        return rdv_no_memory(err);
    if (t->n)
        note_lit(&w->notes, "turns joined into one text");
    begin(w, WIRE_COMPLETIONS, "/completions");
    uses(w, ABILITY_COMPLETIONS);
    add_text(w, "prompt", prompt);
    return finish_sampled(w, err);
}

static int write_turns(writer *w, const turns *t, rdv_error *err)
{
    begin(w, WIRE_CHAT, "/chat/completions");
    uses(w, ABILITY_CHAT);
    add_messages(w, t);
    return finish_sampled(w, err);
}

static int write_chat(writer *w, rdv_error *err)
{
    turns t;
    int rc = shape(w, w->request->n_messages, &t, err);
    if (rc != RDV_OK)
        return rc;
    return cannot(w, ABILITY_CHAT) ? write_flat(w, &t, RDV_STR(""), err) : write_turns(w, &t, err);
}

/* Leave the assistant's turn open, as vLLM, SGLang and others expect. llama.cpp continues any last
 * turn of the assistant, and does not know the two flags. */
static int write_prefix(writer *w, turns *t, rdv_str partial, rdv_error *err)
{
    rdv_can known = ability_get(w->abilities, ABILITY_PREFIX);
    t->items[t->n++] = (rdv_message){RDV_ASSISTANT, partial};
    w->out->continues = partial;
    w->out->gives_back =
        known == RDV_CAN_UNKNOWN ? known : ability_get(w->abilities, ABILITY_PREFIX_BACK);
    begin(w, WIRE_CHAT, "/chat/completions");
    w->out->uses |= ABILITY_BIT(ABILITY_CHAT) | ABILITY_BIT(ABILITY_PREFIX);
    add_messages(w, t);
    add_flag(w, "add_generation_prompt", false);
    add_flag(w, "continue_final_message", true);
    return finish_sampled(w, err);
}

static int write_asking_to_continue(writer *w, turns *t, rdv_str partial, rdv_error *err)
{
    if (turns_say(t, RDV_STR(CONTINUE), w->arena) != RDV_OK ||
        turns_say(t, partial, w->arena) != RDV_OK)
        return rdv_no_memory(err);
    note_lit(&w->notes, "asked in a user's turn to continue");
    w->out->continues = partial;
    w->out->gives_back = RDV_CANNOT;
    return write_turns(w, t, err);
}

static int write_continue(writer *w, rdv_error *err)
{
    rdv_str partial;
    turns t;
    size_t n = turns_before(w->request, &partial);
    int rc = shape(w, n, &t, err);
    if (rc != RDV_OK)
        return rc;
    bool flat = n == 0 && !cannot(w, ABILITY_COMPLETIONS);
    if (flat || cannot(w, ABILITY_CHAT))
        return write_flat(w, &t, partial, err);
    if (n && !cannot(w, ABILITY_PREFIX))
        return write_prefix(w, &t, partial, err);
    return write_asking_to_continue(w, &t, partial, err);
}

/* ---- the log-probabilities of a text --------------------------------------------------------- */

static uint32_t at_least_one(uint32_t n)
{
    return n ? n : 1;
}

static int write_echo(writer *w, rdv_str prompt, rdv_error *err)
{
    begin(w, WIRE_ECHO, "/completions");
    w->out->uses |= ABILITY_BIT(ABILITY_COMPLETIONS) | ABILITY_BIT(ABILITY_ECHO);
    add_text(w, "prompt", prompt);
    add_flag(w, "echo", true);
    add_number(w, "logprobs", at_least_one(w->request->sampling.top_logprobs));
    if (cannot(w, ABILITY_NO_TOKENS)) {
        add_limit(w, "max_tokens", 1);
    } else {
        uses(w, ABILITY_NO_TOKENS);
        add_limit(w, "max_tokens", 0);
    }
    return finish(w, err);
}

static int write_score_text(writer *w, rdv_str prompt, rdv_error *err)
{
    begin(w, WIRE_SCORE_TEXT, "/completions");
    w->out->uses |= ABILITY_BIT(ABILITY_COMPLETIONS) | ABILITY_BIT(ABILITY_PROMPT_LOGPROBS);
    add_text(w, "prompt", prompt);
    add_number(w, "prompt_logprobs", at_least_one(w->request->sampling.top_logprobs));
    add_limit(w, "max_tokens", 1);
    return finish(w, err);
}

static int write_score_chat(writer *w, turns *t, rdv_str text, rdv_error *err)
{
    t->items[t->n++] = (rdv_message){RDV_ASSISTANT, text};
    begin(w, WIRE_SCORE_CHAT, "/chat/completions");
    w->out->uses |= ABILITY_BIT(ABILITY_CHAT) | ABILITY_BIT(ABILITY_PROMPT_LOGPROBS);
    add_messages(w, t);
    add_flag(w, "add_generation_prompt", false);
    add_flag(w, "continue_final_message", true);
    add_number(w, "prompt_logprobs", at_least_one(w->request->sampling.top_logprobs));
    add_limit(w, "max_tokens", 1);
    return finish(w, err);
}

/* Request the tokens of a text, for a grammar that forces them (wire_write_grammar()). The
 * conversation before it is not included. */
static int write_tokenize(writer *w, const turns *t, rdv_str text, rdv_error *err)
{
    bool flat = t->n == 0 || cannot(w, ABILITY_CHAT);
    rdv_str whole = flat ? turns_join(t, text, w->arena) : text;
    if (!whole.p)
        return rdv_no_memory(err);
    w->out->form = WIRE_TOKENIZE;
    w->out->path = "/tokenize";
    uses(w, ABILITY_TOKEN_GRAMMAR);
    rdv_buf_lit(&w->body, "{\"content\":");
    rdv_json_text(&w->body, whole);
    add_flag(w, "add_special", flat);
    add_flag(w, "parse_special", false);
    add_flag(w, "with_pieces", true);
    return finish(w, err);
}

static int cannot_score(rdv_error *err)
{
    return refuse(err, "the server does not give the log-probabilities of a given text");
}

/* Score a text after a conversation: as the model's own turn if the server supports that, otherwise
 * as plain text. */
static int write_score(writer *w, rdv_error *err)
{
    rdv_str text;
    turns t;
    size_t n = turns_before(w->request, &text);
    int rc = shape(w, n, &t, err);
    if (rc != RDV_OK)
        return rc;
    bool flat = t.n == 0 || cannot(w, ABILITY_CHAT);
    bool forced =
        !cannot(w, ABILITY_TOKEN_GRAMMAR) && !cannot(w, flat ? ABILITY_COMPLETIONS : ABILITY_CHAT);
    if (forced && ability_get(w->abilities, ABILITY_TOKEN_GRAMMAR) == RDV_CAN)
        return write_tokenize(w, &t, text, err);
    if (n && !cannot(w, ABILITY_PROMPT_LOGPROBS) && !cannot(w, ABILITY_CHAT))
        return write_score_chat(w, &t, text, err);
    if (cannot(w, ABILITY_COMPLETIONS) ||
        (cannot(w, ABILITY_ECHO) && cannot(w, ABILITY_PROMPT_LOGPROBS)))
        return forced ? write_tokenize(w, &t, text, err) : cannot_score(err);
    rdv_str prompt = turns_join(&t, text, w->arena);
    if (!prompt.p)
        return rdv_no_memory(err);
    if (n)
        note_lit(&w->notes, "turns joined into one text");
    return cannot(w, ABILITY_ECHO) ? write_score_text(w, prompt, err) : write_echo(w, prompt, err);
}

/* The tokens before the text are sent as the prompt; those of the text are forced. */
static int write_forced_text(writer *w, const turns *t, rdv_str tokenized, rdv_str text,
                             token_grammar *g, rdv_error *err)
{
    rdv_str whole = turns_join(t, text, w->arena);
    if (!whole.p)
        return rdv_no_memory(err);
    int rc = token_grammar_make(tokenized, whole, whole.len - text.len, w->arena, g, err);
    if (rc != RDV_OK)
        return rc;
    if (t->n)
        note_lit(&w->notes, "turns joined into one text");
    begin(w, WIRE_GRAMMAR_TEXT, "/completions");
    uses(w, ABILITY_COMPLETIONS);
    rdv_json_name(&w->body, RDV_STR("prompt"));
    rdv_buf_add(&w->body, g->prompt);
    add_number(w, "logprobs", at_least_one(w->request->sampling.top_logprobs));
    return RDV_OK;
}

static int write_forced_turn(writer *w, const turns *t, rdv_str tokenized, rdv_str text,
                             token_grammar *g, rdv_error *err)
{
    int rc = token_grammar_make(tokenized, text, TOKEN_GRAMMAR_ALL, w->arena, g, err);
    if (rc != RDV_OK)
        return rc;
    begin(w, WIRE_GRAMMAR_CHAT, "/chat/completions");
    uses(w, ABILITY_CHAT);
    add_messages(w, t);
    add_flag(w, "logprobs", true);
    add_number(w, "top_logprobs", at_least_one(w->request->sampling.top_logprobs));
    return RDV_OK;
}

int wire_write_grammar(const rdv_request *request, rdv_str name, const rdv_abilities *abilities,
                       rdv_str tokenized, rdv_arena *arena, wire *out, rdv_error *err)
{
    writer w = begin_writing(request, name, abilities, arena, out);
    rdv_str text;
    turns t;
    token_grammar g;
    int rc = shape(&w, turns_before(request, &text), &t, err);
    if (rc != RDV_OK)
        return rc;
    bool flat = t.n == 0 || cannot(&w, ABILITY_CHAT);
    rc = (flat ? write_forced_text : write_forced_turn)(&w, &t, tokenized, text, &g, err);
    if (rc != RDV_OK)
        return rc;
    uses(&w, ABILITY_TOKEN_GRAMMAR);
    add_text(&w, "grammar", g.grammar);
    add_limit(&w, "max_tokens", g.n);
    add_number(&w, "temperature", 0);
    note_lit(&w.notes, "scored by a grammar of the text's tokens");
    return finish(&w, err);
}

int wire_ask_stream(wire *w, const rdv_request *request, const rdv_abilities *abilities,
                    rdv_arena *arena, rdv_error *err)
{
    bool words = w->form == WIRE_CHAT || w->form == WIRE_COMPLETIONS;
    if (!words || w->continues.p || request->sampling.logprobs ||
        ability_get(abilities, ABILITY_STREAM) == RDV_CANNOT)
        return RDV_OK;
    rdv_str open = rdv_slice(w->body, 0, w->body.len - 1);
    rdv_str body = rdv_str_printf(
        arena, "%.*s,\"stream\":true,\"stream_options\":{\"include_usage\":true}}", RDV_FMT(open));
    if (!body.p)
        return rdv_no_memory(err);
    w->body = body;
    w->streamed = true;
    w->uses |= ABILITY_BIT(ABILITY_STREAM);
    return RDV_OK;
}

int wire_ask_many(wire *w, size_t n, rdv_arena *arena, rdv_error *err)
{
    rdv_str body =
        rdv_str_printf(arena, "{\"n\":%zu,%.*s", n, RDV_FMT(rdv_slice(w->body, 1, w->body.len)));
    if (!body.p)
        return rdv_no_memory(err);
    w->body = body;
    w->n = n;
    w->limit *= n;
    w->uses |= ABILITY_BIT(ABILITY_MANY);
    return RDV_OK;
}

int wire_write(const rdv_request *request, rdv_str name, const rdv_abilities *abilities,
               rdv_arena *arena, wire *out, rdv_error *err)
{
    writer w = begin_writing(request, name, abilities, arena, out);
    switch (request->kind) {
    case RDV_REQUEST_CHAT:
        return write_chat(&w, err);
    case RDV_REQUEST_CONTINUE:
        return write_continue(&w, err);
    case RDV_REQUEST_SCORE:
        return write_score(&w, err);
    case RDV_REQUEST_REWARD:
        break;
    }
    return reward_write(request, name, arena, out, err);
}
