/* SPDX-License-Identifier: Apache-2.0 */
#include "model/record.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "model/parse.h"

#include <math.h>
#include <nettle/sha2.h>

/* ---- writing --------------------------------------------------------------------------------- */

static void add_text(rdv_buf *b, const char *name, rdv_str text)
{
    if (text.p)
        rdv_json_put_text(b, name, text);
}

static void add_number(rdv_buf *b, const char *name, double number)
{
    if (!isnan(number))
        rdv_json_put_number(b, name, number);
}

static void add_texts(rdv_buf *b, const char *name, const rdv_str *texts, size_t n)
{
    if (n == 0)
        return;
    rdv_json_name(b, rdv_str_of(name));
    rdv_json_texts(b, texts, n);
}

static void add_messages(rdv_buf *b, const rdv_request *r)
{
    if (r->n_messages == 0)
        return;
    rdv_json_open(b, "messages", '[');
    for (size_t i = 0; i < r->n_messages; i++) {
        rdv_buf_add(b, i ? RDV_STR(",{") : RDV_STR("{"));
        add_text(b, "role", rdv_str_of(rdv_role_name(r->messages[i].role)));
        add_text(b, "content", r->messages[i].text);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, ']');
}

void record_write_request(rdv_buf *b, const rdv_request *request)
{
    const rdv_sampling *s = &request->sampling;
    rdv_buf_add_char(b, '{');
    add_messages(b, request);
    add_text(b, "prompt", request->text);
    add_texts(b, "steps", request->steps, request->n_steps);
    if (request->n_steps)
        add_text(b, "prm_layout", rdv_str_of(rdv_prm_form_name(request->prm)));
    add_number(b, "temperature", s->temperature);
    add_number(b, "top_p", s->top_p);
    add_number(b, "max_tokens", s->max_tokens ? s->max_tokens : NAN);
    add_texts(b, "stop", s->stop, s->n_stop);
    add_number(b, "top_logprobs", s->logprobs ? s->top_logprobs : NAN);
    rdv_buf_add_char(b, '}');
}

/* ["text",logprob] or ["text",logprob,["other",logprob,...]] */
static void add_token(rdv_buf *b, const rdv_token *t)
{
    rdv_buf_add_char(b, '[');
    rdv_json_text(b, t->text);
    rdv_buf_add_char(b, ',');
    rdv_json_number(b, t->logprob);
    for (size_t i = 0; i < t->n_other; i++) {
        rdv_buf_add(b, i ? RDV_STR(",") : RDV_STR(",["));
        rdv_json_text(b, t->other[i].text);
        rdv_buf_add_char(b, ',');
        rdv_json_number(b, t->other[i].logprob);
    }
    rdv_buf_add(b, t->n_other ? RDV_STR("]]") : RDV_STR("]"));
}

static void add_tokens(rdv_buf *b, const rdv_reply *reply)
{
    if (reply->n_tokens == 0)
        return;
    rdv_json_open(b, "logprobs", '[');
    for (size_t i = 0; i < reply->n_tokens; i++) {
        rdv_json_item(b);
        add_token(b, &reply->tokens[i]);
    }
    rdv_buf_add_char(b, ']');
}

static const char *const finish_names[] = {[RDV_FINISH_STOP] = "stop",
                                           [RDV_FINISH_LENGTH] = "length",
                                           [RDV_FINISH_OTHER] = "other",
                                           [RDV_FINISH_UNSAID] = "unsaid"};

void record_write_reply(rdv_buf *b, const rdv_reply *reply)
{
    rdv_buf_add_char(b, '{');
    add_text(b, "content", reply->text.p ? reply->text : RDV_STR(""));
    add_text(b, "finish_reason", rdv_str_of(finish_names[reply->finish]));
    add_text(b, "native_finish_reason", reply->finish_said);
    add_tokens(b, reply);
    if (reply->n_rewards) {
        rdv_json_name(b, RDV_STR("rewards"));
        rdv_json_numbers(b, reply->rewards, reply->n_rewards);
    }
    if (reply->usage) {
        add_number(b, "prompt_tokens", (double)reply->prompt_tokens);
        add_number(b, "completion_tokens", (double)reply->completion_tokens);
    }
    add_text(b, "adaptations", reply->adapted);
    rdv_buf_add_char(b, '}');
}

/* ---- reading --------------------------------------------------------------------------------- */

static int bad(rdv_error *err, const char *what)
{
    return rdv_fail(err, RDV_E_INPUT, "%s", what);
}

static int no_memory(rdv_error *err)
{
    return rdv_no_memory(err);
}

/* The text of member `name`; an absent text stays absent. */
static int read_text(const json_t *object, const char *name, rdv_arena *arena, rdv_str *out)
{
    rdv_str text = parse_text(json_object_get(object, name));
    *out = text.p ? rdv_str_copy(arena, text) : text;
    return text.p && !out->p ? RDV_E_NOMEM : RDV_OK;
}

static int read_others(const json_t *list, rdv_arena *arena, rdv_token *out)
{
    size_t n = json_array_size(list) / 2;
    rdv_alternative *all = n ? RDV_NEW_ARRAY(arena, rdv_alternative, n) : NULL;
    if (n && !all)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        all[i].text = rdv_str_copy(arena, parse_text(json_array_get(list, 2 * i)));
        all[i].logprob = parse_double(json_array_get(list, 2 * i + 1));
        if (!all[i].text.p)
            return RDV_E_NOMEM;
    }
    out->other = all;
    out->n_other = n;
    return RDV_OK;
}

static int read_tokens(const json_t *list, rdv_arena *arena, rdv_reply *out)
{
    size_t n = json_array_size(list);
    rdv_token *tokens = n ? RDV_NEW_ARRAY(arena, rdv_token, n) : NULL;
    if (n && !tokens)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        const json_t *one = json_array_get(list, i);
        tokens[i].text = rdv_str_copy(arena, parse_text(json_array_get(one, 0)));
        tokens[i].logprob = parse_double(json_array_get(one, 1));
        if (!tokens[i].text.p || read_others(json_array_get(one, 2), arena, &tokens[i]) != RDV_OK)
            return RDV_E_NOMEM;
    }
    out->tokens = tokens;
    out->n_tokens = n;
    return RDV_OK;
}

static int read_rewards(const json_t *list, rdv_arena *arena, rdv_reply *out)
{
    size_t n = json_array_size(list);
    double *rewards = n ? RDV_NEW_ARRAY(arena, double, n) : NULL;
    if (n && !rewards)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        rewards[i] = parse_double(json_array_get(list, i));
    out->rewards = rewards;
    out->n_rewards = n;
    return RDV_OK;
}

static rdv_finish read_finish(const json_t *object)
{
    rdv_str name = parse_text(json_object_get(object, "finish_reason"));
    if (rdv_str_eq(name, RDV_STR("stop")))
        return RDV_FINISH_STOP;
    if (rdv_str_eq(name, RDV_STR("length")))
        return RDV_FINISH_LENGTH;
    return rdv_str_eq(name, RDV_STR("unsaid")) ? RDV_FINISH_UNSAID : RDV_FINISH_OTHER;
}

static int read_reply(const json_t *object, rdv_arena *arena, rdv_reply *out, rdv_error *err)
{
    *out = (rdv_reply){.finish = read_finish(object)};
    if (!json_is_string(json_object_get(object, "content")))
        return bad(err, "a recorded response has no content");
    const json_t *prompt = json_object_get(object, "prompt_tokens");
    out->usage = json_is_number(prompt);
    out->prompt_tokens = parse_count(prompt);
    out->completion_tokens = parse_count(json_object_get(object, "completion_tokens"));
    if (read_text(object, "content", arena, &out->text) != RDV_OK ||
        read_text(object, "adaptations", arena, &out->adapted) != RDV_OK ||
        read_text(object, "native_finish_reason", arena, &out->finish_said) != RDV_OK ||
        read_tokens(json_object_get(object, "logprobs"), arena, out) != RDV_OK ||
        read_rewards(json_object_get(object, "rewards"), arena, out) != RDV_OK)
        return no_memory(err);
    return RDV_OK;
}

int record_read_reply(rdv_str json, rdv_arena *arena, rdv_reply *out, rdv_error *err)
{
    json_t *root;
    int rc = parse_json(json, false, &root, err);
    if (rc != RDV_OK)
        return rdv_wrap(err, rc, "a recorded reply");
    rc = read_reply(root, arena, out, err);
    json_decref(root);
    return rc;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void add_raw(rdv_buf *b, const char *name, rdv_str json)
{
    if (!json.p)
        return;
    rdv_json_name(b, rdv_str_of(name));
    rdv_buf_add(b, json);
}

void record_write_key(rdv_buf *b, const unsigned char key[32])
{
    for (size_t i = 0; i < 32; i++)
        rdv_buf_printf(b, "%02x", key[i]);
}

static void add_hex(rdv_buf *b, const unsigned char bytes[32])
{
    record_write_key(b, bytes);
    rdv_buf_add_char(b, '"');
}

static void sum_of(rdv_str bytes, unsigned char sum[32])
{
    struct sha256_ctx h;
    sha256_init(&h);
    sha256_update(&h, bytes.len, (const uint8_t *)bytes.p);
    sha256_digest(&h, SHA256_DIGEST_SIZE, sum);
}

#define SUM ",\"sha256\":\"" /* the checksum covers everything before this */
#define SUM_LEN (sizeof SUM - 1 + 64 + sizeof "\"}" - 1)

/* Append the checksum of everything before it in the line. */
static void add_sum(rdv_buf *b, size_t from)
{
    unsigned char sum[32];
    if (!rdv_buf_ok(b))
        return;
    sum_of(rdv_slice(rdv_buf_str(b), from, b->len), sum);
    rdv_buf_lit(b, SUM);
    add_hex(b, sum);
}

#define VERSION_MEMBER "rederive_journal"

void record_write_line(rdv_buf *b, const record_line *line)
{
    size_t from = b->len;
    rdv_buf_printf(b, "{\"" VERSION_MEMBER "\":%d,\"key\":\"", RECORD_JOURNAL_VERSION);
    add_hex(b, line->key);
    add_text(b, "operation", line->operation);
    add_text(b, "stage", line->stage);
    add_text(b, "model", line->model);
    add_text(b, "sample_id", line->sample_id);
    add_raw(b, "request", line->request);
    add_raw(b, "response", line->response);
    add_number(b, "created_ms", (double)line->created_ms);
    add_sum(b, from);
    rdv_buf_lit(b, "}\n");
}

static int hex_value(char c)
{
    if (rdv_is_digit(c))
        return c - '0';
    c = rdv_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool record_read_key(rdv_str hex, unsigned char key[32])
{
    if (hex.len != 64)
        return false;
    for (size_t i = 0; i < 32; i++) {
        int high = hex_value(hex.p[2 * i]), low = hex_value(hex.p[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        key[i] = (unsigned char)(high * 16 + low);
    }
    return true;
}

/* Write the reply in our own format: spaces, unknown members and the order of members are not
 * kept. */
static int rewrite_reply(const json_t *object, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    rdv_reply reply;
    int rc = read_reply(object, arena, &reply, err);
    if (rc != RDV_OK)
        return rc;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    record_write_reply(&b, &reply);
    *out = rdv_buf_str(&b);
    return out->p ? RDV_OK : no_memory(err);
}

/* A request is stored for people, as jansson writes it. */
static int rewrite_request(const json_t *object, rdv_arena *arena, rdv_str *out)
{
    *out = (rdv_str){0};
    if (!json_is_object(object))
        return RDV_OK;
    char *text = json_dumps(object, JSON_COMPACT);
    if (!text)
        return RDV_E_NOMEM;
    *out = rdv_str_copy(arena, rdv_str_of(text));
    free(text);
    return out->p ? RDV_OK : RDV_E_NOMEM;
}

/* A checksum is the last member of its line and covers every byte before it. */
static bool matches_sum(rdv_str line, rdv_str sum)
{
    unsigned char given[32], is[32];
    if (line.len < SUM_LEN || !record_read_key(sum, given))
        return false;
    size_t end = line.len - SUM_LEN;
    sum_of(rdv_slice(line, 0, end), is);
    return rdv_starts(rdv_slice(line, end, line.len), RDV_STR(SUM)) &&
           memcmp(is, given, sizeof is) == 0;
}

static int check_sum(const json_t *root, rdv_str line, rdv_error *err)
{
    const json_t *sum = json_object_get(root, "sha256");
    if (!sum || matches_sum(rdv_trim(line), parse_text(sum)))
        return RDV_OK;
    return bad(err, "the line does not match its checksum: it is damaged, or was changed (one "
                    "without \"sha256\" is taken as it is)");
}

/* A line without a version is from a journal before version 3, or not from a journal. */
static int check_version(const json_t *root, rdv_error *err)
{
    const json_t *version = json_object_get(root, VERSION_MEMBER);
    if (json_is_integer(version) && json_integer_value(version) == RECORD_JOURNAL_VERSION)
        return RDV_OK;
    return rdv_fail(err, RDV_E_INPUT,
                    "not a line of a journal of version %d (\"" VERSION_MEMBER "\" is %s); "
                    "docs/journal.md tells what to do with lines of other versions",
                    RECORD_JOURNAL_VERSION, version ? "another" : "missing");
}

static int read_line(const json_t *root, rdv_arena *arena, record_line *out, rdv_error *err)
{
    const json_t *response = json_object_get(root, "response");
    if (!record_read_key(parse_text(json_object_get(root, "key")), out->key))
        return bad(err, "no key of 64 hexadecimal digits");
    if (!json_is_object(response))
        return bad(err, "no response");
    int rc = rewrite_reply(response, arena, &out->response, err);
    if (rc != RDV_OK)
        return rc;
    out->created_ms = parse_count(json_object_get(root, "created_ms"));
    if (rewrite_request(json_object_get(root, "request"), arena, &out->request) != RDV_OK ||
        read_text(root, "operation", arena, &out->operation) != RDV_OK ||
        read_text(root, "stage", arena, &out->stage) != RDV_OK ||
        read_text(root, "model", arena, &out->model) != RDV_OK ||
        read_text(root, "sample_id", arena, &out->sample_id) != RDV_OK)
        return no_memory(err);
    return RDV_OK;
}

int record_read_line(rdv_str text, rdv_arena *arena, record_line *out, rdv_error *err)
{
    json_t *root;
    *out = (record_line){0};
    int rc = parse_json(text, true, &root, err);
    if (rc != RDV_OK)
        return rc;
    rc = json_is_object(root) ? check_version(root, err) : bad(err, "not an object");
    rc = rc == RDV_OK ? check_sum(root, text, err) : rc;
    rc = rc == RDV_OK ? read_line(root, arena, out, err) : rc;
    json_decref(root);
    return rc;
}
