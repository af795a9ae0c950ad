/* SPDX-License-Identifier: Apache-2.0 */
/* Requests from body to response, answered by a model of straw. */
#include "../test.h"
#include "model/parse.h"
#include "server/completion.h"

#include <math.h>
#include <stdlib.h>

#define MOST 8

/* What was asked, and what is cancelled. */
typedef struct straw_job {
    backend_call *call;
    bool cancelled;
} straw_job;

typedef struct straw {
    backend base;
    straw_job jobs[MOST];
    size_t n;
    bool fails;
} straw;

static int straw_start(backend *b, backend_call *call, rdv_error *err)
{
    straw *s = (straw *)b;
    if (s->fails)
        return rdv_fail(err, RDV_E_NOMEM, "no straw");
    s->jobs[s->n++].call = call;
    return RDV_OK;
}

static void straw_cancel(backend *b, backend_call *call)
{
    straw *s = (straw *)b;
    for (size_t i = 0; i < s->n; i++)
        s->jobs[i].cancelled |= s->jobs[i].call == call;
}

static const rdv_str names[] = {{"straw@1", 7}, {"straw", 5}};

static completion_ctx ctx_of(straw *s)
{
    static const backend_ops ops = {.start = straw_start, .cancel = straw_cancel};
    s->base.ops = &ops;
    return (completion_ctx){.backend = &s->base, .names = names, .n_names = 2, .most = MOST};
}

/* ---- events ---------------------------------------------------------------------------------- */

static const uint32_t ids[] = {7, 7, 8, 9, 9, 3};

static backend_event event_of(const straw_job *job, backend_event_kind kind, const char *text)
{
    static rdv_alternative others[] = {{{"a", 1}, -0.5}, {{"b", 1}, -1}};
    static rdv_token tokens[] = {{{"a", 1}, -0.5, others, 2}, {{"\xc3\xa9", 2}, -2, others, 2}};
    return (backend_event){.kind = kind,
                           .call = job->call,
                           .reply = {.text = rdv_str_of(text),
                                     .tokens = tokens,
                                     .n_tokens = 2,
                                     .finish = RDV_FINISH_STOP,
                                     .usage = true,
                                     .prompt_tokens = 5,
                                     .completion_tokens = 2},
                           .scored = {tokens, 2, ids, 3},
                           .cached_tokens = 1};
}

static uint64_t seed_of(const straw_job *job)
{
    uint64_t seed = 0;
    for (size_t i = 0; i < 8; i++)
        seed = seed << 8 | job->call->request->key[i];
    return seed;
}

static completion *take(const straw_job *job, backend_event_kind kind, const char *text)
{
    backend_event event = event_of(job, kind, text);
    return completion_take(&event);
}

static void take_failure(const straw_job *job, int code, const char *why)
{
    backend_event event = event_of(job, BACKEND_FAILED, "");
    event.fault = code;
    strncpy(event.why, why, sizeof event.why - 1);
    completion_take(&event);
}

static json_t *json_of(completion *t)
{
    json_t *out;
    assert_int_equal(parse_json(completion_bytes(t), true, &out, NULL), RDV_OK);
    return out;
}

/* The value at a path such as "choices.0.text". */
static json_t *at(json_t *root, const char *path)
{
    char step[64];
    while (*path && root) {
        size_t n = strcspn(path, ".");
        memcpy(step, path, n);
        step[n] = '\0';
        root = json_is_array(root) ? json_array_get(root, (size_t)strtoul(step, NULL, 10))
                                   : json_object_get(root, step);
        path += n + (path[n] == '.');
    }
    return root;
}

static completion *begin(completion_ctx *h, completion_form form, const char *body)
{
    completion *t;
    api_error f = {0};
    if (!completion_new(h, form, rdv_str_of(body), &t, &f))
        fail_msg("%s", f.message);
    return t;
}

#define CHAT "{\"model\":\"straw\",\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]"

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_chat__a_whole_response(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t = begin(&h, COMPLETION_CHAT,
                          CHAT ",\"logprobs\":true,\"top_logprobs\":1,\"n\":2,\"seed\":4}");
    assert_int_equal(s.n, 2);
    assert_int_equal(h.asked, 2);
    assert_true(seed_of(&s.jobs[0]) == 4 && seed_of(&s.jobs[1]) != 4);
    assert_int_equal(s.jobs[0].call->request->kind, RDV_REQUEST_CHAT);
    assert_int_equal(s.jobs[0].call->extras, 0);
    assert_ptr_equal(take(&s.jobs[1], BACKEND_REPLY, "second"), t);
    assert_false(completion_is_ready(t));
    take(&s.jobs[0], BACKEND_REPLY, "first");
    assert_true(completion_is_ready(t) && completion_is_over(t) && !completion_streams(t));
    assert_int_equal(completion_status(t), 200);
    assert_int_equal(h.asked, 0);
    json_t *r = json_of(t);
    assert_text(parse_text(at(r, "object")), "chat.completion");
    assert_text(parse_text(at(r, "model")), "straw");
    assert_text(parse_text(at(r, "choices.0.message.content")), "first");
    assert_text(parse_text(at(r, "choices.1.message.content")), "second");
    assert_text(parse_text(at(r, "choices.0.finish_reason")), "stop");
    assert_text(parse_text(at(r, "choices.0.logprobs.content.1.token")), "\xc3\xa9");
    assert_int_equal(parse_count(at(r, "choices.0.logprobs.content.1.bytes.0")), 0xc3);
    assert_int_equal(json_array_size(at(r, "choices.0.logprobs.content.0.top_logprobs")), 1);
    assert_int_equal(parse_count(at(r, "usage.prompt_tokens")), 5);
    assert_int_equal(parse_count(at(r, "usage.completion_tokens")), 4);
    assert_int_equal(parse_count(at(r, "usage.total_tokens")), 9);
    json_decref(r);
    completion_free(&t);
}

static void test_chat__unseeded_requests_differ(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *first = begin(&h, COMPLETION_CHAT, CHAT "}"),
               *second = begin(&h, COMPLETION_CHAT, CHAT "}");
    assert_true(seed_of(&s.jobs[0]) != seed_of(&s.jobs[1]));
    completion_free(&first);
    completion_free(&second);
    assert_true(s.jobs[0].cancelled && s.jobs[1].cancelled);
    assert_int_equal(h.asked, 0);
}

static void test_text__echo_with_the_prompts_tokens(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t =
        begin(&h, COMPLETION_TEXT, "{\"prompt\":\"a\xc3\xa9\",\"echo\":true,\"logprobs\":2}");
    assert_int_equal(s.jobs[0].call->extras, BACKEND_TEXT_LOGPROBS);
    take(&s.jobs[0], BACKEND_REPLY, "a\xc3\xa9");
    json_t *r = json_of(t);
    assert_text(parse_text(at(r, "choices.0.text")), "a\xc3\xa9"
                                                     "a\xc3\xa9");
    assert_int_equal(json_array_size(at(r, "choices.0.logprobs.tokens")), 4);
    assert_int_equal(parse_count(at(r, "choices.0.logprobs.text_offset.3")), 3);
    assert_int_equal(json_object_size(at(r, "choices.0.logprobs.top_logprobs.0")), 2);
    assert_int_equal(json_object_size(at(r, "choices.0.logprobs.top_logprobs.1")), 3);
    json_decref(r);
    completion_free(&t);
}

/* Each of several prompts is scored with the first of its own replies, and its tokens stand before
 * those of all of them. */
static void test_text__echo_of_several_prompts(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t = begin(&h, COMPLETION_TEXT,
                          "{\"prompt\":[\"x\",\"y\"],\"n\":2,\"echo\":true,\"logprobs\":1}");
    assert_int_equal(s.n, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(s.jobs[i].call->extras, i % 2 ? 0 : BACKEND_TEXT_LOGPROBS);
    for (size_t i = 0; i < 4; i++) {
        backend_event event = event_of(&s.jobs[i], BACKEND_REPLY, "a\xc3\xa9");
        if (i % 2)
            event.scored = (backend_tokens){0};
        completion_take(&event);
    }
    json_t *r = json_of(t);
    assert_text(parse_text(at(r, "choices.3.text")), "ya\xc3\xa9");
    for (size_t i = 0; i < 4; i++) {
        const json_t *choice = json_array_get(at(r, "choices"), i);
        const json_t *tokens = json_object_get(json_object_get(choice, "logprobs"), "tokens");
        assert_int_equal(json_array_size(tokens), 4);
    }
    json_decref(r);
    completion_free(&t);
}

static void test_text__echo_alone(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t = begin(&h, COMPLETION_TEXT, "{\"prompt\":\"a\",\"echo\":true}");
    assert_int_equal(s.jobs[0].call->extras, 0);
    take(&s.jobs[0], BACKEND_REPLY, "b");
    json_t *r = json_of(t);
    assert_text(parse_text(at(r, "choices.0.text")), "ab");
    assert_true(json_is_null(at(r, "choices.0.logprobs")));
    json_decref(r);
    completion_free(&t);
}

/* The first token of a prompt has no log-probability; the others at most as many alternatives as
 * were asked for, and themselves. */
static void test_text__alternatives(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t = begin(&h, COMPLETION_TEXT, "{\"prompt\":\"x\",\"echo\":true,\"logprobs\":1}");
    backend_event e = event_of(&s.jobs[0], BACKEND_REPLY, "a\xc3\xa9");
    rdv_token scored[] = {{{"x", 1}, NAN, NULL, 0}};
    e.scored = (backend_tokens){scored, 1, ids, 3};
    completion_take(&e);
    json_t *r = json_of(t);
    assert_true(json_is_null(at(r, "choices.0.logprobs.token_logprobs.0")));
    assert_true(json_is_null(at(r, "choices.0.logprobs.top_logprobs.0")));
    assert_int_equal(json_object_size(at(r, "choices.0.logprobs.top_logprobs.1")), 1);
    assert_int_equal(json_object_size(at(r, "choices.0.logprobs.top_logprobs.2")), 2);
    assert_true(at(r, "choices.0.logprobs.top_logprobs.2.\xc3\xa9"));
    json_decref(r);
    completion_free(&t);
}

static void test_text__no_alternatives(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t = begin(&h, COMPLETION_TEXT, "{\"prompt\":\"x\",\"logprobs\":0}");
    take(&s.jobs[0], BACKEND_REPLY, "a\xc3\xa9");
    json_t *r = json_of(t);
    assert_text(parse_text(at(r, "choices.0.text")), "a\xc3\xa9");
    assert_int_equal(json_array_size(at(r, "choices.0.logprobs.tokens")), 2);
    assert_true(json_is_null(at(r, "choices.0.logprobs.top_logprobs")));
    assert_int_equal(parse_count(at(r, "choices.0.logprobs.text_offset.1")), 1);
    json_decref(r);
    completion_free(&t);
}

static void test_chat__prompt_logprobs_by_number(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t = begin(&h, COMPLETION_CHAT, CHAT ",\"prompt_logprobs\":2,\"max_tokens\":1}");
    assert_int_equal(s.jobs[0].call->extras, BACKEND_PROMPT_LOGPROBS);
    assert_int_equal(s.jobs[0].call->request->sampling.top_logprobs, 2);
    backend_event e = event_of(&s.jobs[0], BACKEND_REPLY, "x");
    rdv_token scored[] = {{{"", 0}, NAN, NULL, 0}, e.reply.tokens[1]};
    e.scored = (backend_tokens){scored, 2, ids, 3};
    completion_take(&e);
    json_t *r = json_of(t);
    assert_true(json_is_null(at(r, "prompt_logprobs.0")));
    /* Token 9 is its own first alternative. */
    assert_int_equal(json_object_size(at(r, "prompt_logprobs.1")), 2);
    assert_text(parse_text(at(r, "prompt_logprobs.1.9.decoded_token")), "\xc3\xa9");
    assert_int_equal(parse_count(at(r, "prompt_logprobs.1.9.rank")), 1);
    json_decref(r);
    completion_free(&t);
}

/* The reply's alternatives may be more than the prompt's. */
static void test_chat__fewer_alternatives_of_the_prompt(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t =
        begin(&h, COMPLETION_CHAT,
              CHAT ",\"prompt_logprobs\":1,\"logprobs\":true,\"top_logprobs\":2,\"max_tokens\":2}");
    assert_int_equal(s.jobs[0].call->request->sampling.top_logprobs, 2);
    backend_event e = event_of(&s.jobs[0], BACKEND_REPLY, "a\xc3\xa9");
    static uint32_t other_ids[] = {5, 7, 8, 5, 7, 8};
    e.scored.ids = other_ids;
    completion_take(&e);
    json_t *r = json_of(t);
    assert_int_equal(json_object_size(at(r, "prompt_logprobs.1")), 2);
    assert_true(at(r, "prompt_logprobs.1.5") && at(r, "prompt_logprobs.1.7"));
    assert_true(json_is_null(at(r, "prompt_logprobs.1.5.rank"))); /* it is no likely one */
    assert_int_equal(json_array_size(at(r, "choices.0.logprobs.content.0.top_logprobs")), 2);
    json_decref(r);
    completion_free(&t);
}

/* What was not replied was not used. */
static void test_count__of_the_choices_that_came(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t = begin(&h, COMPLETION_CHAT, CHAT ",\"n\":2}");
    take(&s.jobs[0], BACKEND_REPLY, "first");
    take_failure(&s.jobs[1], RDV_E_NOMEM, "no memory");
    completion_counts counts = completion_count(t);
    assert_int_equal(counts.prompt, 5);
    assert_int_equal(counts.completion, 2);
    completion_free(&t);
}

static void test_chat__continues_the_last_turn(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t =
        begin(&h, COMPLETION_CHAT,
              "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\","
              "\"content\":\"The\"}],\"continue_final_message\":true,"
              "\"add_generation_prompt\":false}");
    assert_int_equal(s.jobs[0].call->request->kind, RDV_REQUEST_CONTINUE);
    assert_text(s.jobs[0].call->request->messages[1].text, "The");
    completion_free(&t);
}

static void test_stream__pieces_usage_and_end(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t = begin(&h, COMPLETION_CHAT,
                          CHAT ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
    assert_int_equal(s.jobs[0].call->extras, BACKEND_PIECES);
    assert_false(completion_is_ready(t));
    take(&s.jobs[0], BACKEND_PIECE, "one");
    assert_true(completion_is_ready(t) && completion_streams(t) && !completion_is_over(t));
    rdv_str bytes = completion_bytes(t);
    assert_true(rdv_starts(bytes, RDV_STR("data: {")));
    assert_true(rdv_find(bytes, RDV_STR("\"role\":\"assistant\""), 0) != RDV_NOT_FOUND);
    assert_true(rdv_find(bytes, RDV_STR("\"content\":\"one\""), 0) != RDV_NOT_FOUND);
    completion_sent(t, 10);
    assert_int_equal(completion_bytes(t).len, bytes.len - 10);
    completion_sent(t, bytes.len - 10);
    assert_int_equal(completion_bytes(t).len, 0);
    take(&s.jobs[0], BACKEND_REPLY, "one");
    assert_true(completion_is_over(t));
    bytes = completion_bytes(t);
    assert_true(rdv_find(bytes, RDV_STR("\"finish_reason\":\"stop\""), 0) != RDV_NOT_FOUND);
    assert_true(rdv_find(bytes, RDV_STR("\"choices\":[],\"usage\":{"), 0) != RDV_NOT_FOUND);
    assert_true(rdv_ends(bytes, RDV_STR("data: [DONE]\n\n")));
    completion_free(&t);
}

/* The offsets of a piece's tokens go on where the piece before ended, in characters. */
static void test_stream__offsets_count_characters(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t = begin(&h, COMPLETION_TEXT, "{\"prompt\":\"x\",\"logprobs\":0,\"stream\":true}");
    take(&s.jobs[0], BACKEND_PIECE, "a\xc3\xa9");
    rdv_str bytes = completion_bytes(t);
    assert_true(rdv_find(bytes, RDV_STR("\"text_offset\":[0,1]"), 0) != RDV_NOT_FOUND);
    completion_sent(t, bytes.len);
    take(&s.jobs[0], BACKEND_PIECE, "a\xc3\xa9");
    bytes = completion_bytes(t);
    assert_true(rdv_find(bytes, RDV_STR("\"text_offset\":[2,3]"), 0) != RDV_NOT_FOUND);
    completion_free(&t);
}

/* A piece for which there is no memory is missing: the stream ends with an error, of which nothing
 * is lost, though a part of an event was sent before. */
static void test_stream__no_memory_for_a_piece(void **state)
{
    static char long_piece[1 << 20];
    memset(long_piece, 'a', sizeof long_piece - 1);
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t = begin(&h, COMPLETION_CHAT, CHAT ",\"stream\":true}");
    take(&s.jobs[0], BACKEND_PIECE, "one");
    completion_sent(t, 10);
    rdv_alloc_fail_once(1);
    take(&s.jobs[0], BACKEND_PIECE, long_piece);
    rdv_alloc_fail_at(0);
    assert_int_equal(completion_bytes(t).len, 0);
    take(&s.jobs[0], BACKEND_REPLY, "one");
    assert_true(completion_is_over(t));
    rdv_str bytes = completion_bytes(t);
    assert_true(rdv_starts(bytes, RDV_STR("\n\ndata: {\"error\"")));
    assert_true(rdv_ends(bytes, RDV_STR("}\n\n")));
    completion_free(&t);
}

static void test_failure__is_a_status_before_the_first_piece(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t = begin(&h, COMPLETION_CHAT, CHAT ",\"stream\":true,\"n\":2}");
    take_failure(&s.jobs[0], RDV_E_LIMIT, "too long");
    assert_true(completion_is_ready(t) && completion_is_over(t) && !completion_streams(t));
    assert_true(s.jobs[1].cancelled);
    assert_int_equal(completion_status(t), 400);
    json_t *r = json_of(t);
    assert_text(parse_text(at(r, "error.message")), "too long");
    assert_text(parse_text(at(r, "error.param")), "messages");
    assert_text(parse_text(at(r, "error.code")), "context_length_exceeded");
    assert_text(parse_text(at(r, "error.type")), "invalid_request_error");
    json_decref(r);
    completion_free(&t);
}

static void test_failure__is_an_event_after_it(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t = begin(&h, COMPLETION_TEXT, "{\"prompt\":\"a\",\"stream\":true}");
    take(&s.jobs[0], BACKEND_PIECE, "one");
    take_failure(&s.jobs[0], RDV_E_NOMEM, "no memory");
    assert_true(completion_is_over(t));
    assert_int_equal(completion_status(t), 200);
    assert_true(rdv_find(completion_bytes(t), RDV_STR("data: {\"error\":{"), 0) != RDV_NOT_FOUND);
    assert_false(rdv_ends(completion_bytes(t), RDV_STR("[DONE]\n\n")));
    completion_free(&t);
}

static void test_refused__model_and_crowd(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t;
    api_error f = {0};
    assert_false(completion_new(&h, COMPLETION_TEXT,
                                RDV_STR("{\"prompt\":\"a\",\"model\":\"gpt\"}"), &t, &f));
    assert_int_equal(f.status, 404);
    assert_string_equal(f.code, "model_not_found");
    assert_false(
        completion_new(&h, COMPLETION_TEXT, RDV_STR("{\"prompt\":\"a\",\"n\":9}"), &t, &f));
    assert_int_equal(f.status, 429);
    s.fails = true;
    assert_false(completion_new(&h, COMPLETION_TEXT, RDV_STR("{\"prompt\":\"a\"}"), &t, &f));
    assert_int_equal(f.status, 500);
    assert_int_equal(h.asked, 0);
}

static void test_cut__cancels_and_says_so(void **state)
{
    straw s = {0};
    completion_ctx h = ctx_of(&s);
    completion *t = begin(&h, COMPLETION_CHAT, CHAT "}");
    api_error f;
    api_error_set(&f, 503, NULL, "The server is ending.");
    completion_cut(t, &f);
    assert_true(s.jobs[0].cancelled && completion_is_over(t));
    assert_int_equal(completion_status(t), 503);
    completion_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chat__a_whole_response),
        cmocka_unit_test(test_chat__unseeded_requests_differ),
        cmocka_unit_test(test_text__echo_with_the_prompts_tokens),
        cmocka_unit_test(test_text__echo_of_several_prompts),
        cmocka_unit_test(test_text__echo_alone),
        cmocka_unit_test(test_text__alternatives),
        cmocka_unit_test(test_text__no_alternatives),
        cmocka_unit_test(test_chat__prompt_logprobs_by_number),
        cmocka_unit_test(test_chat__fewer_alternatives_of_the_prompt),
        cmocka_unit_test(test_count__of_the_choices_that_came),
        cmocka_unit_test(test_chat__continues_the_last_turn),
        cmocka_unit_test(test_stream__pieces_usage_and_end),
        cmocka_unit_test(test_stream__offsets_count_characters),
        cmocka_unit_test(test_stream__no_memory_for_a_piece),
        cmocka_unit_test(test_failure__is_a_status_before_the_first_piece),
        cmocka_unit_test(test_failure__is_an_event_after_it),
        cmocka_unit_test(test_refused__model_and_crowd),
        cmocka_unit_test(test_cut__cancels_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
