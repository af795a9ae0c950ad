/* SPDX-License-Identifier: Apache-2.0 */
/* A reply that comes as a stream of events is read as the same reply that comes at once. */
#include "../test.h"
#include "base/arena.h"
#include "base/str.h"
#include "model/wire.h"

#include <math.h>

#define PIECE(choice) "data: {\"choices\":[{\"index\":0," choice "}]}\n\n"
#define SAYS(text) PIECE("\"delta\":{\"content\":\"" text "\"},\"finish_reason\":null")
#define ENDS(word) PIECE("\"delta\":{},\"finish_reason\":\"" word "\"")
#define USAGE "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2}}\n\n"
#define DONE "data: [DONE]\n\n"

static const rdv_message question[] = {{RDV_USER, {"Is it?", 6}}};
static const rdv_abilities nothing_known;

/* Asks for a stream, and reads `body` as the response. */
static int read_streamed(rdv_str body, bool chat, rdv_arena *arena, rdv_reply *out, rdv_error *err)
{
    rdv_request request = {.messages = question, .n_messages = 1};
    request.sampling.temperature = request.sampling.top_p = NAN;
    if (!chat)
        request = (rdv_request){
            .kind = RDV_REQUEST_CONTINUE, .text = RDV_STR("1 2"), .sampling = request.sampling};
    wire w;
    assert_int_equal(wire_write(&request, RDV_STR("m"), &nothing_known, arena, &w, err), RDV_OK);
    w.continues = (rdv_str){0};
    assert_int_equal(wire_ask_stream(&w, &request, &nothing_known, arena, err), RDV_OK);
    assert_true(w.streamed);
    return wire_read(&w, &request, body, arena, out, err);
}

static const struct stream {
    const char *body, *text;
    rdv_finish finish;
    const char *said;
} streams[] = {
    {SAYS("y") SAYS("es") ENDS("stop") USAGE DONE, "yes", RDV_FINISH_STOP, NULL},
    {": keep-alive\r\n\r\nevent: x\r\n" SAYS("yes") ENDS("stop") USAGE, "yes", RDV_FINISH_STOP,
     NULL},
    {SAYS("yes") ENDS("length") USAGE DONE, "yes", RDV_FINISH_LENGTH, NULL},
    {SAYS("yes") ENDS("content_filter") USAGE DONE, "yes", RDV_FINISH_OTHER, "content_filter"},
    /* the connection ended before the reply did */
    {SAYS("yes") USAGE, "yes", RDV_FINISH_UNSAID, "no finish_reason"},
    {SAYS("yes") USAGE DONE ENDS("stop"), "yes", RDV_FINISH_UNSAID, "no finish_reason"},
    /* of several choices the one of index 0 */
    {SAYS("yes") "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"no\"}}]}\n\n" ENDS(
         "stop") USAGE,
     "yes", RDV_FINISH_STOP, NULL},
    /* what was thought is no part of the reply */
    {PIECE("\"delta\":{\"reasoning_content\":\"no\"}") SAYS("yes") ENDS("stop") USAGE, "yes",
     RDV_FINISH_STOP, NULL},
    {PIECE("\"delta\":{\"content\":[{\"type\":\"thinking\",\"text\":\"no\"}]}")
         PIECE("\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"yes\"}]}") ENDS("stop") USAGE,
     "yes", RDV_FINISH_STOP, NULL},
    {PIECE("\"delta\":{\"refusal\":\"I can\"}") PIECE("\"delta\":{\"refusal\":\"not.\"}")
         SAYS("yes") ENDS("stop") USAGE,
     "yes", RDV_FINISH_OTHER, "refusal"},
    {PIECE("\"delta\":{\"content\":[{\"type\":\"refusal\"}]}") SAYS("yes") ENDS("stop") USAGE,
     "yes", RDV_FINISH_OTHER, "refusal"},
    /* a server that knows nothing of streams */
    {"{\"choices\":[{\"message\":{\"content\":\"yes\"},\"finish_reason\":\"stop\"}],"
     "\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2}}",
     "yes", RDV_FINISH_STOP, NULL},
};

static void test_stream__reads_as_the_whole_reply(void **state)
{
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        const struct stream *s = &streams[i];
        rdv_arena *arena = rdv_arena_new(0);
        rdv_reply reply;
        print_message("%s\n", s->body);
        assert_int_equal(read_streamed(rdv_str_of(s->body), true, arena, &reply, NULL), RDV_OK);
        assert_true(rdv_str_eq(reply.text, rdv_str_of(s->text)));
        assert_int_equal(reply.finish, s->finish);
        if (s->said)
            assert_true(rdv_str_eq(reply.finish_said, rdv_str_of(s->said)));
        assert_true(reply.usage);
        assert_int_equal(reply.prompt_tokens, 7);
        assert_int_equal(reply.completion_tokens, 2);
        rdv_arena_free(&arena);
    }
}

static const char *const no_replies[] = {
    "data: {\"error\":{\"message\":\"busy\"}}\n\n",
    SAYS("yes") ENDS("stop") "data: {\"error\":{\"message\":\"busy\"}}\n\n",
    SAYS("yes") PIECE("\"error\":{\"message\":\"busy\"}") ENDS("stop"),
    SAYS("yes") "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" and",
    USAGE DONE,
    "data: 1\n\n",
    ": nothing\n\n",
    "event: ping\n\n",
    "",
    "\n\n",
};

static void test_stream__refuses_what_is_no_reply(void **state)
{
    for (size_t i = 0; i < sizeof no_replies / sizeof *no_replies; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_reply reply;
        rdv_error err = {0};
        print_message("%s\n", no_replies[i]);
        assert_int_equal(read_streamed(rdv_str_of(no_replies[i]), true, arena, &reply, &err),
                         RDV_E_INPUT);
        assert_true(err.msg[0] != '\0');
        rdv_arena_free(&arena);
    }
}

/* Cut at any byte, a stream has no whole reply until its finish_reason is there. */
static void test_stream__is_not_whole_before_its_end(void **state)
{
    static const char whole[] = SAYS("y") SAYS("es") ENDS("stop") USAGE DONE;
    size_t begin_of_end = sizeof SAYS("y") SAYS("es") - 1;
    size_t end = begin_of_end + sizeof ENDS("stop") - 1 - 2; /* both line ends may lack */
    for (size_t n = 0; n < sizeof whole - 1; n++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_reply reply;
        int rc = read_streamed((rdv_str){whole, n}, true, arena, &reply, NULL);
        bool is_whole = rc == RDV_OK && reply.finish == RDV_FINISH_STOP;
        if (is_whole)
            assert_text(reply.text, "yes");
        assert_true(!is_whole || n >= end);
        assert_true(n >= end || rc == RDV_E_INPUT); /* so that it is asked for again */
        rdv_arena_free(&arena);
    }
}

static void test_stream__of_a_text(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply reply;
    static const char body[] = PIECE("\"text\":\" 3\"") PIECE("\"text\":\" 4\"")
        PIECE("\"text\":\"\",\"finish_reason\":\"length\"") USAGE DONE;
    assert_int_equal(read_streamed(rdv_str_of(body), false, arena, &reply, NULL), RDV_OK);
    assert_text(reply.text, " 3 4");
    assert_int_equal(reply.finish, RDV_FINISH_LENGTH);
    rdv_arena_free(&arena);
}

/* Not what is scored or continued, and nothing that rests on log-probabilities. */
static void test_stream__is_asked_for_words_alone(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_message open[] = {question[0], {RDV_ASSISTANT, {"It", 2}}};
    rdv_request likely = {.messages = question, .n_messages = 1, .sampling.logprobs = true};
    rdv_request score = {.kind = RDV_REQUEST_SCORE, .text = RDV_STR("1 2")};
    rdv_request more = {.kind = RDV_REQUEST_CONTINUE, .messages = open, .n_messages = 2};
    rdv_request chat = {.messages = question, .n_messages = 1};
    const rdv_request *requests[] = {&likely, &score, &more};
    wire w;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(wire_write(requests[i], RDV_STR("m"), &nothing_known, arena, &w, NULL),
                         RDV_OK);
        assert_int_equal(wire_ask_stream(&w, requests[i], &nothing_known, arena, NULL), RDV_OK);
        assert_false(w.streamed);
    }
    rdv_abilities none = {.stream = RDV_CANNOT};
    assert_int_equal(wire_write(&chat, RDV_STR("m"), &none, arena, &w, NULL), RDV_OK);
    assert_int_equal(wire_ask_stream(&w, &chat, &none, arena, NULL), RDV_OK);
    assert_false(w.streamed);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream__reads_as_the_whole_reply),
        cmocka_unit_test(test_stream__refuses_what_is_no_reply),
        cmocka_unit_test(test_stream__is_not_whole_before_its_end),
        cmocka_unit_test(test_stream__of_a_text),
        cmocka_unit_test(test_stream__is_asked_for_words_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
