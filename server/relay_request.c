/* SPDX-License-Identifier: Apache-2.0 */
#include "server/relay_request.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "server/convert/json_view.h"
#include "server/json_edit.h"

#include <stdio.h>

#define MOST_QUESTION ((size_t)64 * 1024)
#define MOST_REPLIES ((uint64_t)1 << 20) /* more are taken for that */
#define MOST_TOKENS ((uint64_t)1 << 40)

/* ---- the model ------------------------------------------------------------------------------- */

size_t relay_request_model(const serve_options *o, rdv_str name, bool *checked)
{
    *checked = rdv_starts(name, RDV_STR(RELAY_CHECK));
    if (*checked)
        name = rdv_slice(name, sizeof RELAY_CHECK - 1, name.len);
    for (size_t i = 0; i < o->n_models; i++)
        if (rdv_str_eq(o->models[i].name, name))
            return i;
    return SIZE_MAX;
}

static bool choose_model(const serve_options *o, const json_t *name, relay_request *out,
                         api_error *e)
{
    bool checked = false;
    out->asked = parse_text(name);
    if (name && !json_is_null(name) && !json_is_string(name))
        return api_error_set(e, 400, "model", "'model' must be a text.");
    if (out->asked.p)
        out->model = relay_request_model(o, out->asked, &checked);
    else if (!o->models[0].n || o->n_models == 1) /* the built-in model needs no name */
        out->model = 0;
    else
        return api_error_set(e, 400, "model", "'model' is missing; '%.*s' is one.",
                             RDV_FMT(o->models[0].name));
    out->judged = checked;
    if (out->model != SIZE_MAX)
        return true;
    api_error_set(e, 404, "model", "The model '%.*s' does not exist here; '%.*s' does.",
                  (int)(out->asked.len < 64 ? out->asked.len : 64), out->asked.p,
                  (int)(o->models[0].name.len < 64 ? o->models[0].name.len : 64),
                  o->models[0].name.p);
    e->code = "model_not_found";
    return false;
}

/* ---- the rule -------------------------------------------------------------------------------- */

/* The model that the rule names, or the one that replies. */
static bool choose_checker(const serve_options *o, relay_request *out, api_error *e)
{
    bool checked;
    judge_asking *asking = &out->rule.asking;
    out->checker = out->model;
    if (!out->judged || !judge_rule_asks(&out->rule))
        return true;
    if (asking->checker[0])
        out->checker = relay_request_model(o, rdv_str_of(asking->checker), &checked);
    if (out->checker == SIZE_MAX) /* the rule was read before the built-in model was */
        return api_error_set(e, 500, NULL, "The model that checks, '%s', is not served.",
                             asking->checker);
    rdv_str name = o->models[out->checker].name;
    snprintf(asking->checker, sizeof asking->checker, "%.*s", RDV_FMT(name));
    return true;
}

static bool choose_rule(const serve_options *o, const judge_rule *rule, const json_t *asked,
                        relay_request *out, api_error *e)
{
    rdv_error err;
    out->judged |= asked || rule->judges_plain;
    int rc = judge_rule_tighten(rule, asked, &out->rule, &err);
    if (rc == RDV_OK)
        return choose_checker(o, out, e);
    return api_error_set(e, 400, "rederive", "The member 'rederive' cannot be used: %s.", err.msg);
}

/* What would give the client text of which nothing is seen here. */
static bool refuse_unseen(rdv_members *m, const relay_request *r, api_error *e)
{
    if (!r->judged || !json_is_true(rdv_members_get(m, "background")))
        return true;
    return api_error_set(e, 400, "background",
                         "'background' cannot be used with a reply that is judged: the reply would "
                         "not pass through this server.");
}

/* ---- the question ---------------------------------------------------------------------------- */

/* A content is a text, or parts with texts. */
static void add_content(rdv_buf *b, const json_t *content)
{
    rdv_buf_add(b, parse_text(content));
    for (size_t i = 0; i < json_array_size(content); i++) {
        rdv_str text = parse_text(json_object_get(json_array_get(content, i), "text"));
        if (text.len && b->len)
            rdv_buf_lit(b, "\n");
        rdv_buf_add(b, text);
    }
}

static bool is_of_user(const json_t *turn)
{
    return rdv_str_eq(parse_text(json_object_get(turn, "role")), RDV_STR("user"));
}

/* The last turn of the user; what is no list of turns is the question itself. */
static rdv_str question_of(const json_t *turns, rdv_arena *arena)
{
    rdv_buf b;
    size_t i = json_array_size(turns);
    rdv_buf_init(&b, arena, MOST_QUESTION);
    while (i > 0 && !is_of_user(json_array_get(turns, i - 1)))
        i--;
    add_content(&b, json_is_array(turns)
                        ? json_object_get(json_array_get(turns, i ? i - 1 : 0), "content")
                        : turns);
    return b.len ? rdv_buf_str(&b) : (rdv_str){0}; /* one that is too long is none */
}

/* ---- the request ----------------------------------------------------------------------------- */

static bool refuse_body(int rc, const char *why, api_error *e)
{
    if (rc == RDV_E_NOMEM)
        return api_error_set(e, 500, NULL, "Out of memory.");
    return api_error_set(e, 400, NULL, "The body could not be read: %s.", why);
}

static const char *turns_member(reply_protocol p)
{
    return p == REPLY_TEXT ? "prompt" : p == REPLY_RESPONSES ? "input" : "messages";
}

static const char *const limit_names[] = {"max_completion_tokens", "max_output_tokens",
                                          "max_tokens"};
#define N_LIMIT_NAMES (sizeof limit_names / sizeof *limit_names)

static uint64_t limit_of(rdv_members *m)
{
    for (size_t i = 0; i < N_LIMIT_NAMES; i++)
        if (parse_count(rdv_members_get(m, limit_names[i])))
            return parse_count(rdv_members_get(m, limit_names[i]));
    return 0;
}

/* How many replies: to each prompt `n`, or `best_of` of which `n` are given. A list of numbers is
 * one prompt, in tokens. */
static uint64_t replies_of(rdv_members *m)
{
    rdv_str prompt = rdv_members_raw(m, "prompt");
    const json_t *prompts = rdv_starts(prompt, RDV_STR("[")) ? rdv_members_get(m, "prompt") : NULL;
    uint64_t n = parse_count(rdv_members_get(m, "n"));
    uint64_t best = parse_count(rdv_members_get(m, "best_of"));
    bool several = json_is_array(prompts) && !json_is_number(json_array_get(prompts, 0));
    uint64_t each = n > best ? n : best, of = several ? json_array_size(prompts) : 1;
    each = each ? each : 1;
    each = each < MOST_REPLIES ? each : MOST_REPLIES;
    return each * (of ? of : 1);
}

/* A server may read any of the limits, where several are stated. */
static void read_most(rdv_members *m, relay_request *out)
{
    uint64_t most = 0;
    for (size_t i = 0; i < N_LIMIT_NAMES; i++) {
        uint64_t one = parse_count(rdv_members_get(m, limit_names[i]));
        most = one > most ? one : most;
    }
    out->limited = most > 0;
    most = !most ? RELAY_REPLY_TOKENS : most < MOST_TOKENS ? most : MOST_TOKENS;
    out->most = most * replies_of(m);
}

static bool has(const rdv_members *m, const char *name)
{
    rdv_str value = rdv_members_raw(m, name);
    return value.p && !json_view_is_nothing(value);
}

static bool is_text(rdv_str format)
{
    return !format.p || json_view_is(json_view_member(format, "type"), "text");
}

/* What a text that is continued could not keep to. */
static bool is_shaped(const rdv_members *m)
{
    static const char *const names[] = {"tools",   "functions",   "output_config",
                                        "suffix",  "echo",        "guided_json",
                                        "grammar", "json_schema", "structured_outputs"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (has(m, names[i]))
            return true;
    return !is_text(rdv_members_raw(m, "response_format")) ||
           !is_text(json_view_member(rdv_members_raw(m, "text"), "format"));
}

static bool shows_usage(const rdv_members *m)
{
    rdv_str options = rdv_members_raw(m, "stream_options");
    return rdv_str_eq(json_view_member(options, "include_usage"), RDV_STR("true"));
}

/* A judged request's last question. */
static bool read_question(const rdv_members *m, rdv_arena *arena, relay_request *out, api_error *e)
{
    json_t *turns = NULL;
    rdv_error err;
    rdv_str raw = rdv_members_raw(m, turns_member(out->protocol));
    int rc = raw.p ? parse_json(raw, false, &turns, &err) : RDV_OK;
    if (rc == RDV_OK)
        out->question = question_of(turns, arena);
    json_decref(turns);
    return rc == RDV_OK || refuse_body(rc, err.msg, e);
}

/* Only the members that decide something here are decoded: the others are the model's server's. */
static bool read_members(const serve_options *o, const judge_rule *rule, rdv_members *m,
                         rdv_arena *arena, relay_request *out, api_error *e)
{
    if (!choose_model(o, rdv_members_get(m, "model"), out, e) ||
        !choose_rule(o, rule, rdv_members_get(m, "rederive"), out, e) || !refuse_unseen(m, out, e))
        return false;
    out->limit = limit_of(m);
    out->shaped = is_shaped(m);
    out->shows_usage = shows_usage(m);
    read_most(m, out);
    if (out->judged && !read_question(m, arena, out, e))
        return false;
    if (!out->asked.p)
        return true;
    out->asked = rdv_str_copy(arena, out->asked);
    return out->asked.p || refuse_body(RDV_E_NOMEM, "", e);
}

/* A name that stands twice is refused, since others may read another of the two. A member that
 * cannot be decoded is no member that is absent. */
bool relay_request_read(const serve_options *o, const judge_rule *rule, reply_protocol protocol,
                        rdv_str body, rdv_arena *arena, relay_request *out, api_error *e)
{
    rdv_members m;
    rdv_error err;
    *out = (relay_request){.protocol = protocol};
    int rc = json_edit_cut(body, arena, &m, &err);
    bool ok = rc == RDV_OK ? read_members(o, rule, &m, arena, out, e) : refuse_body(rc, err.msg, e);
    if (m.fault != RDV_OK)
        ok = refuse_body(m.fault, m.reason, e);
    rdv_members_free(&m);
    return ok;
}

bool relay_request_body(rdv_str body, rdv_str name, rdv_arena *arena, rdv_str *out, api_error *e)
{
    rdv_buf quoted;
    rdv_error err;
    rdv_buf_init(&quoted, arena, 0);
    rdv_json_text(&quoted, name);
    int rc = rdv_buf_ok(&quoted)
                 ? json_edit_swap(body, "rederive", "model", rdv_buf_str(&quoted), arena, out, &err)
                 : RDV_E_NOMEM;
    return rc == RDV_OK || api_error_set(e, 500, NULL, "Out of memory.");
}
