/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stream.h"
#include "base/buf.h"
#include "base/str.h"
#include "model/events.h"
#include "model/failures.h"

/* The reply joined from its pieces so far. */
typedef struct joined {
    json_t *root, *choice; /* `choice` is not in `root` yet */
    json_t *message;       /* nor this in `choice`: what a piece said of the reply */
    reply_says says[N_FAILURE_PLACES];
    rdv_buf content, refusal, text;
    bool is_chat, has_content, is_refused, has_text;
    bool ended; /* what comes last in a stream has come */
} joined;

/* ---- events ---------------------------------------------------------------------------------- */

bool stream_is(rdv_str body)
{
    /* A line that begins with a colon is a comment: it keeps the connection open. */
    static const char *const beginnings[] = {"data:", "event:", "id:", "retry:", ":"};
    rdv_str text = rdv_trim(body);
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (rdv_starts(text, rdv_str_of(beginnings[i])))
            return true;
    return false;
}

/* ---- joining --------------------------------------------------------------------------------- */

/* Keep a member of the whole reply: the latest value counts. */
static int keep(json_t *object, const char *name, json_t *value)
{
    if (!value || json_is_null(value))
        return RDV_OK;
    return json_object_set(object, name, value) == 0 ? RDV_OK : RDV_E_NOMEM;
}

/* Keep what a piece says against the reply: later pieces do not take it back. */
static int keep_sign(joined *j, failure_place place, json_t *object, const json_t *piece)
{
    const failure_row *row;
    const json_t *value;
    reply_says says = failures_find(place, piece, &row, &value);
    if (says <= SAYS_WHOLE || says <= j->says[place])
        return RDV_OK;
    j->says[place] = says;
    size_t n = strcspn(row->member, ".");
    json_t *member = json_object_getn(piece, row->member, n);
    return json_object_setn(object, row->member, n, member) == 0 ? RDV_OK : RDV_E_NOMEM;
}

static void add_delta(joined *j, const json_t *delta)
{
    const json_t *content = json_object_get(delta, "content");
    rdv_str refusal = parse_text(json_object_get(delta, "refusal"));
    j->is_chat |= json_is_object(delta);
    j->has_content |= json_is_string(content) || json_is_array(content);
    j->is_refused |= refusal.len > 0;
    j->is_refused |= !parse_content(content, &j->content);
    rdv_buf_add(&j->refusal, refusal);
}

/* What was thought matters only in that there was something. */
static int keep_thoughts(joined *j, const json_t *delta)
{
    int rc = RDV_OK;
    for (size_t i = 0; i < n_thought_rows && rc == RDV_OK; i++) {
        json_t *thought = json_object_get(delta, thought_rows[i].member);
        if (rdv_trim(parse_text(thought)).len)
            rc = keep(j->message, thought_rows[i].member, thought);
    }
    return rc;
}

static int add_choice(joined *j, const json_t *piece)
{
    const json_t *text = json_object_get(piece, "text");
    add_delta(j, json_object_get(piece, "delta"));
    j->has_text |= json_is_string(text);
    rdv_buf_add(&j->text, parse_text(text));
    int rc = RDV_OK;
    if (j->says[PLACE_CHOICE] <= SAYS_WHOLE)
        rc = keep(j->choice, FINISH_MEMBER, json_object_get(piece, FINISH_MEMBER));
    if (rc == RDV_OK)
        rc = keep_sign(j, PLACE_CHOICE, j->choice, piece);
    if (rc == RDV_OK)
        rc = keep_sign(j, PLACE_MESSAGE, j->message, json_object_get(piece, "delta"));
    return rc == RDV_OK ? keep_thoughts(j, json_object_get(piece, "delta")) : rc;
}

static int add_event(joined *j, const json_t *event)
{
    const json_t *piece = parse_numbered(json_object_get(event, "choices"));
    int rc = keep_sign(j, PLACE_BODY, j->root, event);
    if (rc == RDV_OK)
        rc = keep(j->root, "usage", json_object_get(event, "usage"));
    return rc == RDV_OK && piece ? add_choice(j, piece) : rc;
}

static int add_events(joined *j, rdv_str body, rdv_error *err)
{
    rdv_str line;
    for (size_t at = 0; events_line(body, &at, &line);) {
        rdv_str data = rdv_trim(events_field(line, "data"));
        if (rdv_str_eq(data, RDV_STR("[DONE]"))) {
            j->ended = true;
            return RDV_OK;
        }
        if (data.len == 0)
            continue;
        json_t *event;
        int rc = parse_json(data, false, &event, err);
        if (rc != RDV_OK)
            return rc;
        rc = add_event(j, event);
        json_decref(event);
        if (rc != RDV_OK)
            return rc;
    }
    return RDV_OK;
}

static json_t *text_of(const rdv_buf *b)
{
    rdv_str s = rdv_buf_str(b);
    return s.p ? json_stringn(s.p, s.len) : NULL;
}

/* json_object_set_new() fails if the value could not be created. */
static bool put_message(joined *j)
{
    json_t *message = j->message;
    if (json_object_set(j->choice, "message", message) != 0)
        return false;
    if (j->has_content && json_object_set_new(message, "content", text_of(&j->content)) != 0)
        return false;
    if (!j->is_refused)
        return true;
    json_t *refusal = j->refusal.len ? text_of(&j->refusal) : json_true();
    return json_object_set_new(message, "refusal", refusal) == 0;
}

static bool put_choice(joined *j)
{
    if (j->has_text && json_object_set_new(j->choice, "text", text_of(&j->text)) != 0)
        return false;
    if (j->is_chat && !put_message(j))
        return false;
    bool two = json_object_get(j->root, "choices") != NULL; /* an event had two, which differ */
    json_t *choices = json_pack(two ? "[O{}]" : "[O]", j->choice);
    return json_object_set_new(j->root, "choices", choices) == 0;
}

/* A connection that is closed properly may still have cut the stream off. The finish_reason, the
 * usage and [DONE] come last, and not every server sends each of them. */
static int check_end(const joined *j, rdv_error *err)
{
    bool failed = false;
    for (size_t i = 0; i < N_FAILURE_PLACES; i++)
        failed |= j->says[i] == SAYS_ERROR;
    if (j->ended || failed || json_object_get(j->choice, FINISH_MEMBER) ||
        json_object_get(j->root, "usage"))
        return RDV_OK;
    return rdv_fail(err, RDV_E_INPUT, "the stream ended in the middle of the reply");
}

int stream_join(rdv_str body, rdv_arena *arena, json_t **out, rdv_error *err)
{
    joined j = {.root = json_object(), .choice = json_object(), .message = json_object()};
    *out = NULL;
    rdv_buf_init(&j.content, arena, 0);
    rdv_buf_init(&j.refusal, arena, 0);
    rdv_buf_init(&j.text, arena, 0);
    int rc = j.root && j.choice && j.message ? add_events(&j, body, err) : RDV_E_NOMEM;
    if (rc == RDV_OK)
        rc = check_end(&j, err);
    if (rc == RDV_OK && (j.is_chat || j.has_text) && !put_choice(&j))
        rc = RDV_E_NOMEM;
    json_decref(j.choice);
    json_decref(j.message);
    if (rc == RDV_OK) {
        *out = j.root;
        return RDV_OK;
    }
    json_decref(j.root);
    return rc == RDV_E_NOMEM ? rdv_fail(err, rc, "out of memory reading a reply") : rc;
}
