/* SPDX-License-Identifier: Apache-2.0 */
/* Requests from body to response, answered by a model of straw. */
#include "../test.h"
#include "model/parse.h"
#include "server/talk.h"

#include <math.h>
#include <stdlib.h>

#define MOST 8

/* What was asked, and what is cancelled. */
struct builtin_job {
    builtin_ask ask;
    void *owner;
    bool cancelled;
};

typedef struct straw {
    builtin_job jobs[MOST];
    size_t n;
    bool fails;
} straw;

static int straw_start(void *self, const builtin_ask *ask_, void *owner, builtin_job **job,
                       rdv_error *err)
{
    straw *s = self;
    if (s->fails)
        return rdv_fail(err, RDV_E_NOMEM, "no straw");
    *job = &s->jobs[s->n++];
    **job = (builtin_job){*ask_, owner, false};
    return RDV_OK;
}

static builtin_event *straw_next(void *self)
{
    (void)self;
    return NULL;
}

static void straw_cancel(void *self, builtin_job *job)
{
    (void)self;
    job->cancelled = true;
}

static const rdv_str names[] = {{"straw@1", 7}, {"straw", 5}};

static talk_house house_of(straw *s)
{
    return (talk_house){.responder = {straw_start, straw_next, straw_cancel, s},
                        .names = names,
                        .n_names = 2,
                        .most = MOST};
}

/* ---- events ---------------------------------------------------------------------------------- */

static const uint32_t ids[] = {7, 7, 8, 9, 9, 3};

static builtin_event *event_of(builtin_job *job, builtin_is is, const char *text)
{
    static rdv_alternative others[] = {{{"a", 1}, -0.5}, {{"b", 1}, -1}};
    static rdv_token tokens[] = {{{"a", 1}, -0.5, others, 2}, {{"\xc3\xa9", 2}, -2, others, 2}};
    builtin_event *e = calloc(1, sizeof *e);
    assert_non_null(e);
    *e = (builtin_event){.is = is,
                         .owner = job->owner,
                         .text = rdv_str_of(text),
                         .tokens = {tokens, 2, ids, 3},
                         .finish = RDV_FINISH_STOP,
                         .prompt_tokens = 5,
                         .cached_tokens = 1,
                         .completion_tokens = 2};
    return e;
}

static builtin_event *failure_of(builtin_job *job, int code, const char *why)
{
    builtin_event *e = event_of(job, BUILTIN_FAILED, "");
    e->fault = code;
    strncpy(e->why, why, sizeof e->why - 1);
    return e;
}

static json_t *json_of(talk *t)
{
    json_t *out;
    assert_int_equal(parse_json(talk_bytes(t), true, &out, NULL), RDV_OK);
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

static talk *begin(talk_house *h, ask_form form, const char *body)
{
    talk *t;
    fault f = {0};
    if (!talk_new(h, form, rdv_str_of(body), &t, &f))
        fail_msg("%s", f.message);
    return t;
}

#define CHAT "{\"model\":\"straw\",\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]"

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_chat__a_whole_response(void **state)
{
    straw s = {0};
    talk_house h = house_of(&s);
    talk *t = begin(&h, ASK_CHAT, CHAT ",\"logprobs\":true,\"top_logprobs\":1,\"n\":2,\"seed\":4}");
    assert_int_equal(s.n, 2);
    assert_int_equal(h.asked, 2);
    assert_true(s.jobs[0].ask.seed == 4 && s.jobs[1].ask.seed != 4);
    assert_true(s.jobs[0].ask.generate && !s.jobs[0].ask.score && !s.jobs[0].ask.text.p);
    assert_ptr_equal(talk_take(event_of(&s.jobs[1], BUILTIN_REPLY, "second")), t);
    assert_false(talk_is_ready(t));
    talk_take(event_of(&s.jobs[0], BUILTIN_REPLY, "first"));
    assert_true(talk_is_ready(t) && talk_is_over(t) && !talk_streams(t));
    assert_int_equal(talk_status(t), 200);
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
    talk_free(&t);
}

static void test_chat__unseeded_requests_differ(void **state)
{
    straw s = {0};
    talk_house h = house_of(&s);
    talk *first = begin(&h, ASK_CHAT, CHAT "}"), *second = begin(&h, ASK_CHAT, CHAT "}");
    assert_true(s.jobs[0].ask.seed != s.jobs[1].ask.seed);
    talk_free(&first);
    talk_free(&second);
    assert_true(s.jobs[0].cancelled && s.jobs[1].cancelled);
    assert_int_equal(h.asked, 0);
}

static void test_text__echo_with_the_prompts_tokens(void **state)
{
    straw s = {0};
    talk_house h = house_of(&s);
    talk *t = begin(&h, ASK_TEXT, "{\"prompt\":\"a\xc3\xa9\",\"echo\":true,\"logprobs\":2}");
    assert_true(s.jobs[0].ask.score && !s.jobs[0].ask.score_all);
    builtin_event *e = event_of(&s.jobs[0], BUILTIN_REPLY, "a\xc3\xa9");
    e->scored = e->tokens;
    talk_take(e);
    json_t *r = json_of(t);
    assert_text(parse_text(at(r, "choices.0.text")), "a\xc3\xa9"
                                                     "a\xc3\xa9");
    assert_int_equal(json_array_size(at(r, "choices.0.logprobs.tokens")), 4);
    assert_int_equal(parse_count(at(r, "choices.0.logprobs.text_offset.3")), 3);
    assert_int_equal(json_object_size(at(r, "choices.0.logprobs.top_logprobs.0")), 2);
    assert_int_equal(json_object_size(at(r, "choices.0.logprobs.top_logprobs.1")), 3);
    json_decref(r);
    talk_free(&t);
}

static void test_chat__prompt_logprobs_by_number(void **state)
{
    straw s = {0};
    talk_house h = house_of(&s);
    talk *t = begin(&h, ASK_CHAT, CHAT ",\"prompt_logprobs\":2,\"max_tokens\":1}");
    assert_true(s.jobs[0].ask.score_all);
    assert_int_equal(s.jobs[0].ask.sampling.top_logprobs, 2);
    builtin_event *e = event_of(&s.jobs[0], BUILTIN_REPLY, "x");
    rdv_token scored[] = {{{"", 0}, NAN, NULL, 0}, e->tokens.items[1]};
    e->scored = (builtin_tokens){scored, 2, ids, 3};
    talk_take(e);
    json_t *r = json_of(t);
    assert_true(json_is_null(at(r, "prompt_logprobs.0")));
    /* Token 9 is its own first alternative. */
    assert_int_equal(json_object_size(at(r, "prompt_logprobs.1")), 2);
    assert_text(parse_text(at(r, "prompt_logprobs.1.9.decoded_token")), "\xc3\xa9");
    assert_int_equal(parse_count(at(r, "prompt_logprobs.1.9.rank")), 1);
    json_decref(r);
    talk_free(&t);
}

static void test_chat__continues_the_last_turn(void **state)
{
    straw s = {0};
    talk_house h = house_of(&s);
    talk *t = begin(&h, ASK_CHAT,
                    "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\","
                    "\"content\":\"The\"}],\"continue_final_message\":true,"
                    "\"add_generation_prompt\":false}");
    assert_int_equal(s.jobs[0].ask.n_messages, 1);
    assert_text(s.jobs[0].ask.text, "The");
    talk_free(&t);
}

static void test_stream__pieces_usage_and_end(void **state)
{
    straw s = {0};
    talk_house h = house_of(&s);
    talk *t =
        begin(&h, ASK_CHAT, CHAT ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
    assert_true(s.jobs[0].ask.stream);
    assert_false(talk_is_ready(t));
    talk_take(event_of(&s.jobs[0], BUILTIN_PIECE, "one"));
    assert_true(talk_is_ready(t) && talk_streams(t) && !talk_is_over(t));
    rdv_str bytes = talk_bytes(t);
    assert_true(rdv_starts(bytes, RDV_STR("data: {")));
    assert_true(rdv_find(bytes, RDV_STR("\"role\":\"assistant\""), 0) != RDV_NOT_FOUND);
    assert_true(rdv_find(bytes, RDV_STR("\"content\":\"one\""), 0) != RDV_NOT_FOUND);
    talk_sent(t, 10);
    assert_int_equal(talk_bytes(t).len, bytes.len - 10);
    talk_sent(t, bytes.len - 10);
    assert_int_equal(talk_bytes(t).len, 0);
    talk_take(event_of(&s.jobs[0], BUILTIN_REPLY, "one"));
    assert_true(talk_is_over(t));
    bytes = talk_bytes(t);
    assert_true(rdv_find(bytes, RDV_STR("\"finish_reason\":\"stop\""), 0) != RDV_NOT_FOUND);
    assert_true(rdv_find(bytes, RDV_STR("\"choices\":[],\"usage\":{"), 0) != RDV_NOT_FOUND);
    assert_true(rdv_ends(bytes, RDV_STR("data: [DONE]\n\n")));
    talk_free(&t);
}

static void test_failure__is_a_status_before_the_first_piece(void **state)
{
    straw s = {0};
    talk_house h = house_of(&s);
    talk *t = begin(&h, ASK_CHAT, CHAT ",\"stream\":true,\"n\":2}");
    talk_take(failure_of(&s.jobs[0], RDV_E_LIMIT, "too long"));
    assert_true(talk_is_ready(t) && talk_is_over(t) && !talk_streams(t));
    assert_true(s.jobs[1].cancelled);
    assert_int_equal(talk_status(t), 400);
    json_t *r = json_of(t);
    assert_text(parse_text(at(r, "error.message")), "too long");
    assert_text(parse_text(at(r, "error.param")), "messages");
    assert_text(parse_text(at(r, "error.code")), "context_length_exceeded");
    assert_text(parse_text(at(r, "error.type")), "invalid_request_error");
    json_decref(r);
    talk_free(&t);
}

static void test_failure__is_an_event_after_it(void **state)
{
    straw s = {0};
    talk_house h = house_of(&s);
    talk *t = begin(&h, ASK_TEXT, "{\"prompt\":\"a\",\"stream\":true}");
    talk_take(event_of(&s.jobs[0], BUILTIN_PIECE, "one"));
    talk_take(failure_of(&s.jobs[0], RDV_E_NOMEM, "no memory"));
    assert_true(talk_is_over(t));
    assert_int_equal(talk_status(t), 200);
    assert_true(rdv_find(talk_bytes(t), RDV_STR("data: {\"error\":{"), 0) != RDV_NOT_FOUND);
    assert_false(rdv_ends(talk_bytes(t), RDV_STR("[DONE]\n\n")));
    talk_free(&t);
}

static void test_refused__model_and_crowd(void **state)
{
    straw s = {0};
    talk_house h = house_of(&s);
    talk *t;
    fault f = {0};
    assert_false(talk_new(&h, ASK_TEXT, RDV_STR("{\"prompt\":\"a\",\"model\":\"gpt\"}"), &t, &f));
    assert_int_equal(f.status, 404);
    assert_string_equal(f.code, "model_not_found");
    assert_false(talk_new(&h, ASK_TEXT, RDV_STR("{\"prompt\":\"a\",\"n\":9}"), &t, &f));
    assert_int_equal(f.status, 429);
    s.fails = true;
    assert_false(talk_new(&h, ASK_TEXT, RDV_STR("{\"prompt\":\"a\"}"), &t, &f));
    assert_int_equal(f.status, 500);
    assert_int_equal(h.asked, 0);
}

static void test_cut__cancels_and_says_so(void **state)
{
    straw s = {0};
    talk_house h = house_of(&s);
    talk *t = begin(&h, ASK_CHAT, CHAT "}");
    fault f;
    fault_set(&f, 503, NULL, "The server is ending.");
    talk_cut(t, &f);
    assert_true(s.jobs[0].cancelled && talk_is_over(t));
    assert_int_equal(talk_status(t), 503);
    talk_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chat__a_whole_response),
        cmocka_unit_test(test_chat__unseeded_requests_differ),
        cmocka_unit_test(test_text__echo_with_the_prompts_tokens),
        cmocka_unit_test(test_chat__prompt_logprobs_by_number),
        cmocka_unit_test(test_chat__continues_the_last_turn),
        cmocka_unit_test(test_stream__pieces_usage_and_end),
        cmocka_unit_test(test_failure__is_a_status_before_the_first_piece),
        cmocka_unit_test(test_failure__is_an_event_after_it),
        cmocka_unit_test(test_refused__model_and_crowd),
        cmocka_unit_test(test_cut__cancels_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
