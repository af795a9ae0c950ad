/* SPDX-License-Identifier: Apache-2.0 */
/* Responses of OpenAI-compatible servers. */
#include "base/arena.h"
#include "base/str.h"
#include "model/failures.h"
#include "model/json_load.h"
#include "model/notes.h"
#include "model/reward.h"
#include "model/stream.h"
#include "model/tokens.h"
#include "model/wire.h"
#include "text/think.h"

#include <rederive/text.h>

#include <math.h>

#define MAX_WORD 64 /* bytes of a server's word for the end of a reply */
#define NO_FINISH RDV_STR("no " FINISH_MEMBER)

typedef struct reader {
    const wire *w;
    const rdv_request *request;
    rdv_arena *arena;
    const json_t *root, *choice;
    rdv_str text;
    tokens tokens;
    reply_says says; /* the worst so far */
    rdv_finish finish;
    rdv_str finish_word; /* the server's own word if `finish` is RDV_FINISH_OTHER */
    rdv_str elsewhere;   /* of an empty reply, where its text is; p == NULL: unknown */
    rdv_buf notes;
} reader;

static int no_memory(rdv_error *err)
{
    return rdv_no_memory(err);
}

/* ---- the parts of a response ----------------------------------------------------------------- */

/* A word of a protocol: letters, digits, '_' and '-'. */
static bool is_word(rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!rdv_is_alnum(s.p[i]) && s.p[i] != '_' && s.p[i] != '-')
            return false;
    return s.len > 0 && s.len <= MAX_WORD;
}

/* The word or the member that says that the reply failed: "content_filter", "status: failed",
 * "tool_calls". p == NULL: no memory. */
static rdv_str name_sign(const reader *r, const failure_row *row, const json_t *value)
{
    rdv_str word = parse_text(value);
    if (strcmp(row->member, FINISH_MEMBER) == 0)
        return rdv_str_copy(r->arena, word.len ? rdv_slice(word, 0, MAX_WORD) : NO_FINISH);
    if (!is_word(word))
        return rdv_str_copy(r->arena, rdv_str_of(row->member));
    return rdv_str_printf(r->arena, "%s: %.*s", row->member, RDV_FMT(word));
}

/* Mark the reply as failed, whatever its text. `word` is a constant, or in the arena. */
static void mark_failed(reader *r, rdv_str word)
{
    r->finish = RDV_FINISH_OTHER;
    r->finish_word = word;
}

/* Refuse a body with status 200 that holds an error in place of a reply. */
static int refuse_error(const reader *r, const json_t *object, const failure_row *row,
                        const json_t *value, rdv_error *err)
{
    wire_error detail;
    int rc = wire_read_error_of(object, r->arena, &detail, err);
    if (rc != RDV_OK)
        return rc;
    rdv_str words = detail.message.len ? detail.message : name_sign(r, row, value);
    return words.p
               ? rdv_fail(err, RDV_E_INPUT, "an error in place of a reply: %.*s", RDV_FMT(words))
               : no_memory(err);
}

/* Read what the members of `object` say of the reply (failures.c); the worst that is said counts.
 */
static int read_signs(reader *r, failure_place place, const json_t *object, rdv_error *err)
{
    const failure_row *row = NULL;
    const json_t *value = NULL;
    reply_says says = failures_find(place, object, &row, &value);
    if (says == SAYS_ERROR)
        return refuse_error(r, object, row, value, err);
    if (says <= r->says)
        return RDV_OK;
    r->says = says;
    if (says == SAYS_FAILED) {
        mark_failed(r, name_sign(r, row, value));
        return r->finish_word.p ? RDV_OK : no_memory(err);
    }
    r->finish = says == SAYS_WHOLE ? RDV_FINISH_STOP : RDV_FINISH_LENGTH;
    return RDV_OK;
}

static int find_choice(reader *r, rdv_error *err)
{
    if (!r->choice)
        r->choice = parse_numbered(json_object_get(r->root, "choices"));
    if (!json_is_object(r->choice))
        return rdv_fail(err, RDV_E_INPUT, "the reply has no choices");
    int rc = read_signs(r, PLACE_CHOICE, r->choice, err);
    if (rc == RDV_OK)
        rc = read_signs(r, PLACE_MESSAGE, json_object_get(r->choice, "message"), err);
    if (rc != RDV_OK || r->says != SAYS_NOTHING)
        return rc;
    const json_t *reason = json_object_get(r->choice, FINISH_MEMBER);
    bool unsaid = !reason || json_is_null(reason) ||
                  (json_is_string(reason) && json_string_length(reason) == 0);
    mark_failed(r, NO_FINISH);
    r->finish = unsaid ? RDV_FINISH_UNSAID : RDV_FINISH_OTHER;
    return RDV_OK;
}

/* Of an empty reply, where its text is. */
static int note_thoughts(reader *r, const json_t *message, rdv_error *err)
{
    for (size_t i = 0; i < n_thought_rows && !r->elsewhere.p; i++) {
        if (rdv_trim(parse_text(json_object_get(message, thought_rows[i].member))).len == 0)
            continue;
        r->elsewhere = rdv_str_printf(r->arena, "its text is in %s alone (%s)",
                                      thought_rows[i].member, thought_rows[i].mended_by);
        if (!r->elsewhere.p)
            return no_memory(err);
    }
    return RDV_OK;
}

static int read_content(reader *r, rdv_error *err)
{
    const json_t *message = json_object_get(r->choice, "message");
    const json_t *content = json_object_get(message, "content");
    if (!json_is_object(message))
        return rdv_fail(err, RDV_E_INPUT, "the reply's choice has no message");
    rdv_buf text;
    rdv_buf_init(&text, r->arena, 0);
    if (!parse_content(content, &text))
        mark_failed(r, RDV_STR("refusal"));
    r->text = rdv_buf_str(&text);
    if (!json_is_string(content) && !json_is_array(content))
        note_lit(&r->notes, "no content, read as an empty reply");
    if (!r->text.p)
        return no_memory(err);
    return rdv_trim(r->text).len ? RDV_OK : note_thoughts(r, message, err);
}

static int read_text(reader *r, rdv_error *err)
{
    if (r->w->form == WIRE_CHAT)
        return read_content(r, err);
    const json_t *text = json_object_get(r->choice, "text");
    if (!json_is_string(text))
        return rdv_fail(err, RDV_E_INPUT, "the reply's choice has no text");
    r->text = rdv_str_copy(r->arena, parse_text(text));
    return r->text.p ? RDV_OK : no_memory(err);
}

/* Read token counts under OpenAI's names, or Anthropic's; if one of the two is missing and the sum
 * is given, the other is computed. */
static void read_usage(const json_t *root, rdv_reply *out)
{
    const json_t *usage = json_object_get(root, "usage");
    const json_t *prompt = json_object_get(usage, "prompt_tokens");
    const json_t *completion = json_object_get(usage, "completion_tokens");
    const json_t *total = json_object_get(usage, "total_tokens");
    if (!prompt && !completion) {
        prompt = json_object_get(usage, "input_tokens");
        completion = json_object_get(usage, "output_tokens");
    }
    uint64_t all = parse_count(total);
    out->usage = json_is_number(prompt) || json_is_number(completion) || json_is_number(total);
    out->prompt_tokens = parse_count(prompt);
    out->completion_tokens = parse_count(completion);
    if (!json_is_number(prompt) && all > out->completion_tokens)
        out->prompt_tokens = all - out->completion_tokens;
    else if (!json_is_number(completion) && all > out->prompt_tokens)
        out->completion_tokens = all - out->prompt_tokens;
}

/* Some servers list alternatives that were not requested. */
static void drop_alternatives(tokens *t, size_t wanted)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->items[i].n_other > wanted)
            t->items[i].n_other = wanted;
}

static int read_reply_tokens(reader *r)
{
    const json_t *logprobs = json_object_get(r->choice, "logprobs");
    if (!r->request->sampling.logprobs)
        return RDV_OK;
    int rc = r->w->form == WIRE_CHAT ? tokens_of_chat(logprobs, r->arena, &r->tokens)
                                     : tokens_of_completion(logprobs, r->arena, &r->tokens);
    drop_alternatives(&r->tokens, r->request->sampling.top_logprobs);
    if (rc == RDV_OK && r->tokens.n == 0 && r->text.len &&
        (r->w->uses & ABILITY_BIT(ABILITY_LOGPROBS)))
        note_lit(&r->notes, "no log-probabilities came");
    return rc;
}

/* ---- changes to a reply ---------------------------------------------------------------------- */

/* Keep only bytes from..to of the text. Tokens that do not spell the text cannot be cut with it and
 * are dropped, because a wrong log-probability is worse than none. */
static void keep(reader *r, size_t from, size_t to)
{
    if (tokens_spell(&r->tokens, r->text))
        tokens_slice(&r->tokens, from, to);
    else
        r->tokens = (tokens){0};
    r->text = rdv_slice(r->text, from, to);
}

/* Keep what is left of the text: a part of it, or pieces of it that were joined. */
static void keep_rest(reader *r, rdv_str rest)
{
    if (rest.p >= r->text.p && rest.p <= r->text.p + r->text.len) {
        size_t from = (size_t)(rest.p - r->text.p);
        keep(r, from, from + rest.len);
    } else {
        r->text = rest;
        r->tokens = (tokens){0};
    }
}

static int take_out_thinking(reader *r, rdv_error *err)
{
    rdv_str rest;
    if (!think_is_marked(r->text, true))
        return RDV_OK;
    int rc = think_split(r->text, true, r->arena, &rest, NULL, err);
    if (rc != RDV_OK || rdv_str_eq(rest, rdv_trim(r->text)))
        return rc;
    note_lit(&r->notes, "thinking taken out");
    if (rest.len == 0)
        r->elsewhere = RDV_STR("all of its text is thinking");
    keep_rest(r, rest);
    return RDV_OK;
}

static void take_off_end(reader *r)
{
    rdv_str rest = think_without_end(r->text);
    if (rest.len == r->text.len)
        return;
    note_lit(&r->notes, "the mark of the turn's end taken off");
    keep_rest(r, rest);
}

/* Remove the given text from the beginning of the reply. Some servers return the tokens of the
 * whole reply, others those of the added text only. */
static void take_off(reader *r, size_t n)
{
    rdv_str added = rdv_slice(r->text, n, r->text.len);
    if (tokens_spell(&r->tokens, added))
        r->text = added;
    else
        keep(r, n, r->text.len);
}

/* The length of `given` if the reply begins with it, with or without the white space at its end; 0:
 * it does not. */
static size_t repeats(rdv_str reply, rdv_str given)
{
    rdv_str trimmed = rdv_trim(given);
    if (given.len && rdv_starts(reply, given))
        return given.len;
    return trimmed.len && rdv_starts(reply, trimmed) ? trimmed.len : 0;
}

/* A server that continues a text may return it first, and a model that was asked in a user's turn
 * to continue may repeat it. A server that is known to return it, but does not, has not continued
 * it. */
static void take_off_repetition(reader *r)
{
    size_t n = repeats(r->text, r->w->continues);
    if (r->w->gives_back == RDV_CAN_UNKNOWN)
        return;
    if (n) {
        take_off(r, n);
        if (r->w->gives_back != RDV_CAN)
            note_lit(&r->notes, "the repeated text taken off");
    } else if (r->w->gives_back == RDV_CAN && rdv_trim(r->w->continues).len) {
        r->finish = RDV_FINISH_OTHER;
        r->finish_word = RDV_STR("it does not continue the given text");
    }
}

/* Cut at stop texts, as a server that supports them has done already. */
static void cut_at_stops(reader *r)
{
    const rdv_sampling *s = &r->request->sampling;
    size_t first = RDV_NOT_FOUND;
    for (size_t i = 0; i < s->n_stop; i++) {
        size_t at = s->stop[i].len ? rdv_find(r->text, s->stop[i], 0) : RDV_NOT_FOUND;
        if (at < first)
            first = at;
    }
    if (first == RDV_NOT_FOUND)
        return;
    if (r->w->uses & ABILITY_BIT(ABILITY_STOP))
        note_lit(&r->notes, "cut at a stop text that the server passed over");
    keep(r, 0, first);
    if (r->finish == RDV_FINISH_LENGTH) /* the part that was cut off was after the stop text */
        r->finish = RDV_FINISH_STOP;
}

/* The answer of a reply in the requested schema, and its reasoning; false: it is not in that form,
 * or names a member twice. */
static bool read_schema(const reader *r, const json_t *root, rdv_str *reasoning, rdv_str *answer)
{
    *answer = parse_text(json_object_get(root, "answer"));
    *reasoning = parse_text(json_object_get(root, "reasoning"));
    for (size_t i = 0; i < r->request->n_answers && answer->p; i++)
        if (rdv_str_eq(*answer, r->request->answers[i]))
            return true;
    return false;
}

/* Convert a reply in the requested schema to text: its reasoning, then its answer on a separate
 * line, as every reader of conclusions expects. Free text is unchanged, and read like any other;
 * JSON of another form is no reply. */
static int take_out_of_schema(reader *r, rdv_error *err)
{
    json_error_t why;
    rdv_str text = rdv_trim(r->text), reasoning, answer;
    bool no_memory_left;
    if (!(r->w->uses & ABILITY_BIT(ABILITY_SCHEMA)))
        return RDV_OK;
    json_t *root = json_load(
        text, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
        &why, &no_memory_left);
    if (read_schema(r, root, &reasoning, &answer)) {
        rdv_buf b;
        rdv_buf_init(&b, r->arena, 0);
        rdv_buf_add(&b, rdv_trim(reasoning));
        rdv_buf_add(&b, reasoning.len ? RDV_STR("\n") : RDV_STR(""));
        rdv_buf_add(&b, answer);
        r->text = rdv_buf_str(&b);
        r->tokens = (tokens){0};
        note_lit(&r->notes, "taken out of the JSON that was asked for");
    } else {
        note_lit(&r->notes, "not in the form that was asked for");
        bool json = rdv_starts(text, RDV_STR("{")) || rdv_starts(text, RDV_STR("["));
        if (json && r->finish != RDV_FINISH_LENGTH)
            mark_failed(r, RDV_STR("its JSON is not of the form that was asked for"));
    }
    json_decref(root);
    return no_memory_left || !r->text.p ? no_memory(err) : RDV_OK;
}

/* ---- the whole reply ------------------------------------------------------------------------- */

static int read_sampled(reader *r, rdv_error *err)
{
    int rc = read_text(r, err);
    if (rc != RDV_OK)
        return rc;
    if (read_reply_tokens(r) != RDV_OK)
        return no_memory(err);
    rc = take_out_thinking(r, err);
    if (rc != RDV_OK)
        return rc;
    take_off_end(r);
    take_off_repetition(r);
    cut_at_stops(r);
    if (r->request->offered && (r->w->uses & ABILITY_BIT(ABILITY_CHOICE)))
        note_lit(&r->notes, "held to one of the answers");
    return take_out_of_schema(r, err);
}

/* The text that is to be scored. */
static rdv_str scored(const rdv_request *request)
{
    if (request->text.p)
        return request->text;
    size_t n = request->n_messages;
    return n ? request->messages[n - 1].text : RDV_STR("");
}

/* vLLM puts the list beside the choices for a conversation, and into the choice for a
 * completion. */
static int read_prompt_tokens(reader *r)
{
    const json_t *list = json_object_get(r->root, "prompt_logprobs");
    if (!list)
        list = json_object_get(r->choice, "prompt_logprobs");
    return tokens_of_prompt(list, r->arena, &r->tokens);
}

/* Read tokens that a grammar forced. For a text they begin after its first token, which has no
 * log-probability. */
static int read_forced_tokens(reader *r)
{
    const json_t *logprobs = json_object_get(r->choice, "logprobs");
    int rc = r->w->form == WIRE_GRAMMAR_TEXT ? tokens_add_unknown(r->arena, &r->tokens) : RDV_OK;
    size_t before = r->tokens.n;
    if (rc == RDV_OK)
        rc = tokens_of_chat(logprobs, r->arena, &r->tokens);
    if (rc == RDV_OK && r->tokens.n == before)
        rc = tokens_of_completion(logprobs, r->arena, &r->tokens);
    if (r->tokens.n == before)
        r->tokens.n = 0; /* the first alone is no score */
    return rc;
}

static int read_scored_tokens(reader *r)
{
    switch (r->w->form) {
    case WIRE_ECHO:
        return tokens_of_completion(json_object_get(r->choice, "logprobs"), r->arena, &r->tokens);
    case WIRE_GRAMMAR_CHAT:
    case WIRE_GRAMMAR_TEXT:
        return read_forced_tokens(r);
    default:
        return read_prompt_tokens(r);
    }
}

static int read_score(reader *r, rdv_error *err)
{
    if (read_scored_tokens(r) != RDV_OK)
        return no_memory(err);
    if (r->tokens.n == 0) {
        (void)rdv_fail(err, RDV_NONE, "no log-probabilities of the given text came");
        return RDV_NONE;
    }
    r->text = rdv_str_copy(r->arena, scored(r->request));
    if (r->finish == RDV_FINISH_LENGTH) /* only the text was requested, not its continuation */
        r->finish = RDV_FINISH_STOP;
    if (!r->text.p)
        return no_memory(err);
    if (!tokens_keep_tail(&r->tokens, r->text)) /* an echo must contain the text */
        return rdv_fail(err, RDV_NONE, "the tokens that came do not spell the given text");
    return RDV_OK;
}

/* Changes of the request, then of the reply. */
static int adapted(const reader *r, rdv_str *out)
{
    rdv_buf all;
    rdv_buf_init(&all, r->arena, 0);
    if (r->w->adapted.p)
        note_add(&all, r->w->adapted);
    rdv_str read = note_list(&r->notes);
    if (read.p)
        note_add(&all, read);
    *out = note_list(&all);
    return rdv_buf_ok(&r->notes) && rdv_buf_ok(&all) ? RDV_OK : RDV_E_NOMEM;
}

static int read_root(reader *r, rdv_reply *out, rdv_error *err)
{
    bool sampled = r->w->form == WIRE_CHAT || r->w->form == WIRE_COMPLETIONS;
    read_usage(r->root, out);
    int rc = read_signs(r, PLACE_BODY, r->root, err);
    if (rc == RDV_OK && (r->w->form == WIRE_PAIRS || r->w->form == WIRE_VALUES)) {
        rc = reward_read(r->w, r->request, r->root, r->arena, out, err);
        if (rc == RDV_OK && r->says != SAYS_NOTHING) {
            out->finish = r->finish;
            out->finish_said = r->finish_word;
        }
        return rc;
    }
    if (rc == RDV_OK)
        rc = find_choice(r, err);
    if (rc == RDV_OK)
        rc = sampled ? read_sampled(r, err) : read_score(r, err);
    if (rc != RDV_OK)
        return rc;
    out->text = r->text;
    out->tokens = r->tokens.n ? r->tokens.items : NULL;
    out->n_tokens = r->tokens.n;
    out->finish = r->finish;
    out->finish_said = r->finish_word.p || rdv_trim(r->text).len ? r->finish_word : r->elsewhere;
    return adapted(r, &out->adapted) == RDV_OK ? RDV_OK : no_memory(err);
}

/* ---- several choices ------------------------------------------------------------------------- */

/* *out NULL: it is no reply, err says why. */
static int read_choice(const reader *like, size_t i, size_t n, rdv_reply **out, rdv_error *err)
{
    reader r = *like;
    r.choice = json_array_get(json_object_get(r.root, "choices"), i);
    rdv_reply *reply = RDV_NEW(r.arena, rdv_reply);
    *out = NULL;
    if (!reply)
        return no_memory(err);
    *reply = (rdv_reply){0};
    rdv_buf_init(&r.notes, r.arena, 0);
    rdv_buf_printf(&r.notes, "choice %zu of %zu of one call", i + 1, n);
    int rc = read_root(&r, reply, err);
    if (rc == RDV_OK)
        *out = reply;
    return rc == RDV_E_INPUT ? RDV_OK : rc;
}

/* The parts of a whole that has the weight `all`, up to the weight `to`. */
static uint64_t part(uint64_t whole, size_t to, size_t all)
{
    return to == all ? whole : (uint64_t)((double)whole * ((double)to / (double)all));
}

/* The tokens of all choices, of which the first has `bytes` of `all` bytes and the tokens
 * `counted`.
 */
static uint64_t estimated(const wire *w, uint64_t counted, size_t bytes, size_t all)
{
    double sum = ceil((double)counted * (double)all / (double)bytes);
    return sum < (double)w->limit ? (uint64_t)sum : w->limit;
}

/* Servers count the tokens of all choices together, and those of the prompt once. */
static void share_usage(const wire *w, rdv_reply **choices, size_t n, rdv_reply *sum)
{
    size_t bytes = 0, replies = 0, to = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        bytes += choices[i] ? choices[i]->text.len + 1 : 0;
        replies += choices[i] != NULL;
    }
    if (w->counts_first && choices[0])
        sum->completion_tokens =
            estimated(w, sum->completion_tokens, choices[0]->text.len + 1, bytes);
    for (size_t i = 0; i < n; i++) {
        rdv_reply *r = choices[i];
        if (!r)
            continue;
        size_t from = to;
        to += r->text.len + 1;
        r->completion_tokens =
            part(sum->completion_tokens, to, bytes) - part(sum->completion_tokens, from, bytes);
        r->prompt_tokens =
            part(sum->prompt_tokens, at + 1, replies) - part(sum->prompt_tokens, at, replies);
        at++;
    }
}

static int read_choices(const reader *r, size_t n, rdv_reply **choices, rdv_error *err)
{
    bool any = false;
    int rc = RDV_OK;
    for (size_t i = 0; i < n && rc == RDV_OK; i++) {
        rc = read_choice(r, i, n, &choices[i], err);
        any |= choices[i] != NULL;
    }
    return rc == RDV_OK && !any ? RDV_E_INPUT : rc;
}

int wire_read_many(const wire *w, const rdv_request *request, rdv_str body, rdv_arena *arena,
                   rdv_reply *sum, rdv_reply ***choices, size_t *n, rdv_error *err)
{
    json_t *root;
    *sum = (rdv_reply){0};
    int rc = parse_json(body, false, &root, err);
    if (rc != RDV_OK)
        return rc;
    const reader r = {.w = w, .request = request, .arena = arena, .root = root};
    size_t came = json_array_size(json_object_get(root, "choices"));
    *n = came == 0 ? 1 : came < w->n ? came : w->n;
    *choices = RDV_NEW_ARRAY(arena, rdv_reply *, *n);
    read_usage(root, sum);
    rc = *choices ? read_choices(&r, *n, *choices, err) : no_memory(err);
    if (rc == RDV_OK)
        share_usage(w, *choices, *n, sum);
    json_decref(root);
    return rc;
}

int wire_read_parsed(const wire *w, const rdv_request *request, const json_t *body,
                     rdv_arena *arena, rdv_reply *out, rdv_error *err)
{
    reader r = {.w = w, .request = request, .arena = arena, .root = body};
    *out = (rdv_reply){0};
    rdv_buf_init(&r.notes, arena, 0);
    return read_root(&r, out, err);
}

int wire_read(const wire *w, const rdv_request *request, rdv_str body, rdv_arena *arena,
              rdv_reply *out, rdv_error *err)
{
    json_t *root;
    *out = (rdv_reply){0};
    int rc = w->streamed && stream_is(body) ? stream_join(body, arena, &root, err)
                                            : parse_json(body, false, &root, err);
    if (rc != RDV_OK)
        return rc;
    rc = wire_read_parsed(w, request, root, arena, out, err);
    json_decref(root);
    return rc;
}

/* ---- other responses ------------------------------------------------------------------------- */

bool wire_is_whole(long status)
{
    return status == 200 || status == 201 || status == 203;
}

void wire_read_usage(rdv_str body, rdv_arena *arena, rdv_reply *out)
{
    json_t *root;
    *out = (rdv_reply){0};
    int rc = stream_is(body) ? stream_join(body, arena, &root, NULL)
                             : parse_json(body, false, &root, NULL);
    if (rc != RDV_OK)
        return;
    read_usage(root, out);
    json_decref(root);
}
