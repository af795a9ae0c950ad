/* SPDX-License-Identifier: Apache-2.0 */
/* Errors reported by servers, and whether another form of the request would help. There is little
 * agreement among servers: the codes, parameter names and wordings below are those of OpenAI, vLLM,
 * llama.cpp, TGI, Ollama and the chat templates that they run. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"
#include "model/parse.h"
#include "model/wire.h"

#define MAX_MESSAGE 300 /* bytes */
#define PAGE_HEAD 1024  /* bytes in which a page says that it is HTML */

/* ---- reading --------------------------------------------------------------------------------- */

/* One line of plain text: control characters become spaces, and the end is cut off between two
 * characters. p == NULL: no memory. */
static rdv_str one_line(rdv_str s, rdv_arena *arena)
{
    rdv_buf line;
    rdv_buf_init(&line, arena, 0);
    s = rdv_trim(s);
    for (size_t i = 0, n; i < s.len && line.len < MAX_MESSAGE; i += n) {
        n = rdv_utf8_len(s, i);
        rdv_str c = rdv_slice(s, i, i + (n ? n : 1));
        bool plain = n > 1 || (n == 1 && c.p[0] >= ' ' && c.p[0] != 0x7f);
        bool space = !plain && line.len && line.p[line.len - 1] == ' ';
        if (!space)
            rdv_buf_add(&line, plain ? c : RDV_STR(" "));
        n = c.len;
    }
    return rdv_buf_str(&line);
}

static rdv_str text_of(const json_t *object, const char *name, rdv_arena *arena)
{
    return one_line(parse_text(json_object_get(object, name)), arena);
}

/* FastAPI: {"detail":[{"loc":["body","stop"],"msg":"..."}]}, or a single text. */
static void read_detail(const json_t *detail, rdv_arena *arena, wire_error *out)
{
    const json_t *first = json_array_get(detail, 0);
    const json_t *path = json_object_get(first, "loc");
    out->message =
        json_is_string(detail) ? one_line(parse_text(detail), arena) : text_of(first, "msg", arena);
    size_t n = json_array_size(path);
    if (n)
        out->param = one_line(parse_text(json_array_get(path, n - 1)), arena);
}

int wire_read_error_of(const json_t *root, rdv_arena *arena, wire_error *out, rdv_error *err)
{
    *out = (wire_error){RDV_STR(""), RDV_STR(""), RDV_STR("")};
    const json_t *error = json_object_get(root, "error");
    const json_t *detail = json_object_get(root, "detail");
    const json_t *object = json_is_object(error) ? error : root;
    if (json_is_string(error)) {
        out->message = one_line(parse_text(error), arena);
    } else if (detail && object == root) {
        read_detail(detail, arena, out);
    } else {
        out->message = text_of(object, "message", arena);
        out->param = text_of(object, "param", arena);
        out->code = text_of(object, "code", arena);
    }
    return out->message.p && out->param.p && out->code.p ? RDV_OK : rdv_no_memory(err);
}

bool wire_is_page(rdv_str body)
{
    body = rdv_trim(body);
    rdv_str head = rdv_slice(body, 0, body.len < PAGE_HEAD ? body.len : PAGE_HEAD);
    return rdv_starts(head, RDV_STR("<")) &&
           (rdv_ifind(head, RDV_STR("<html"), 0) != RDV_NOT_FOUND ||
            rdv_ifind(head, RDV_STR("<!doctype html"), 0) != RDV_NOT_FOUND);
}

int wire_read_error(rdv_str body, rdv_arena *arena, wire_error *out, rdv_error *err)
{
    json_t *root = NULL;
    *out = (wire_error){RDV_STR(""), RDV_STR(""), RDV_STR("")};
    int rc = parse_json(body, false, &root, NULL);
    if (rc == RDV_OK && json_is_object(root))
        rc = wire_read_error_of(root, arena, out, NULL);
    json_decref(root);
    if (rc == RDV_E_NOMEM)
        return rdv_no_memory(err);
    if (out->message.len == 0)
        out->message = wire_is_page(body) ? RDV_STR("a web page") : one_line(body, arena);
    return out->message.p ? RDV_OK : rdv_no_memory(err);
}

/* ---- interpretation -------------------------------------------------------------------------- */

/* A refusal concerns an ability if it names this parameter, or contains all of these words. */
static const struct complaint {
    ability about;
    const char *param; /* NULL: only the words are compared */
    const char *words[2];
} complaints[] = {
    {ABILITY_MAX_TOKENS, NULL, {"max_completion_tokens", NULL}},
    {ABILITY_MAX_TOKENS, "max_tokens", {"unsupported", NULL}},
    {ABILITY_MAX_TOKENS, "max_tokens", {"not supported", NULL}},
    {ABILITY_NO_TOKENS, NULL, {"max_tokens", NULL}},
    {ABILITY_PREFIX, NULL, {"continue_final_message", NULL}},
    {ABILITY_PREFIX, NULL, {"add_generation_prompt", NULL}},
    {ABILITY_PREFIX, NULL, {"prefill", NULL}},
    {ABILITY_PREFIX, NULL, {"last", "role"}},
    {ABILITY_PREFIX, NULL, {"last message", NULL}},
    {ABILITY_PREFIX, NULL, {"final message", NULL}},
    {ABILITY_PROMPT_LOGPROBS, NULL, {"prompt_logprobs", NULL}},
    {ABILITY_PROMPT_LOGPROBS, NULL, {"continue_final_message", NULL}},
    {ABILITY_PROMPT_LOGPROBS, NULL, {"last message", NULL}},
    {ABILITY_TOKEN_GRAMMAR, NULL, {"grammar", NULL}},
    {ABILITY_ECHO, NULL, {"echo", NULL}},
    {ABILITY_ECHO, NULL, {"logprobs", NULL}},
    {ABILITY_LOGPROBS, NULL, {"logprobs", NULL}},
    {ABILITY_TEMPERATURE, NULL, {"temperature", NULL}},
    {ABILITY_TOP_P, NULL, {"top_p", NULL}},
    {ABILITY_CHOICE, NULL, {"structured_outputs", NULL}},
    {ABILITY_CHOICE, NULL, {"grammar", NULL}},
    {ABILITY_SCHEMA, NULL, {"response_format", NULL}},
    {ABILITY_SCHEMA, NULL, {"schema", NULL}},
    {ABILITY_STREAM, NULL, {"stream", NULL}},
    {ABILITY_TOP_K, NULL, {"top_k", NULL}},
    {ABILITY_TOP_K, NULL, {"min_p", NULL}},
    {ABILITY_STOP, "stop", {NULL, NULL}},
    {ABILITY_STOP, NULL, {"'stop'", NULL}},
    {ABILITY_STOP, NULL, {"stop", "support"}},
    {ABILITY_FREE_TURNS, NULL, {"alternat", NULL}},
    {ABILITY_SYSTEM, NULL, {"system", "role"}},
    {ABILITY_SYSTEM, NULL, {"system", "support"}},
    {ABILITY_SYSTEM, NULL, {"developer instruction", NULL}},
    {ABILITY_CHAT, NULL, {"not a chat model", NULL}},
    {ABILITY_CHAT, NULL, {"chat template", NULL}},
    {ABILITY_COMPLETIONS, NULL, {"v1/chat/completions", NULL}},
    {ABILITY_COMPLETIONS, NULL, {"a chat model", NULL}},
};

static bool says(const wire_error *error, const char *word)
{
    return rdv_ifind(error->message, rdv_str_of(word), 0) != RDV_NOT_FOUND ||
           rdv_str_eq(error->param, rdv_str_of(word));
}

static bool complains(const struct complaint *c, const wire_error *error)
{
    if (c->param && !rdv_str_eq(error->param, rdv_str_of(c->param)))
        return false;
    for (size_t i = 0; i < 2; i++)
        if (c->words[i] && !says(error, c->words[i]))
            return false;
    return true;
}

static bool about_model(const wire_error *error)
{
    return rdv_ifind(error->code, RDV_STR("model"), 0) != RDV_NOT_FOUND ||
           rdv_ifind(error->message, RDV_STR("model"), 0) != RDV_NOT_FOUND;
}

/* Handle a path that the server does not have. */
static bool refused_path(const wire *w, int status, const wire_error *error,
                         rdv_abilities *abilities)
{
    bool missing = status == 405 || status == 501 || (status == 404 && !about_model(error));
    if (w->form == WIRE_TOKENIZE) { /* other servers have such a path with a different body */
        abilities->token_grammar = RDV_CANNOT;
        return true;
    }
    if (!missing || !(w->uses & ABILITY_BIT(ABILITY_COMPLETIONS)))
        return false;
    abilities->completions = RDV_CANNOT;
    return true;
}

bool wire_refused(const wire *w, int status, const wire_error *error, rdv_abilities *abilities)
{
    /* some servers report faults in a template as 500 */
    if (status != 400 && status != 404 && status != 405 && status != 422 && status != 500 &&
        status != 501)
        return false;
    for (size_t i = 0; i < sizeof complaints / sizeof *complaints; i++) {
        const struct complaint *c = &complaints[i];
        if ((w->uses & ABILITY_BIT(c->about)) && complains(c, error)) {
            ability_set(abilities, c->about, RDV_CANNOT);
            return true;
        }
    }
    return refused_path(w, status, error, abilities);
}

void wire_lacks(const wire *w, rdv_abilities *abilities)
{
    static const ability scored_by[] = {[WIRE_ECHO] = ABILITY_ECHO,
                                        [WIRE_SCORE_CHAT] = ABILITY_PROMPT_LOGPROBS,
                                        [WIRE_SCORE_TEXT] = ABILITY_PROMPT_LOGPROBS,
                                        [WIRE_TOKENIZE] = ABILITY_TOKEN_GRAMMAR,
                                        [WIRE_GRAMMAR_CHAT] = ABILITY_TOKEN_GRAMMAR,
                                        [WIRE_GRAMMAR_TEXT] = ABILITY_TOKEN_GRAMMAR};
    ability_set(abilities, scored_by[w->form], RDV_CANNOT);
}
