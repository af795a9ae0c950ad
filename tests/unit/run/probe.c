/* SPDX-License-Identifier: Apache-2.0 */
/* What is found out about a server that is probed, on a scripted network. */
#include "../test.h"
#include "run/run.h"
#include "scripted.h"

#include <stdio.h>
#include <stdlib.h>

#define LOGPROBS "\"logprobs\":{\"content\":[{\"token\":\"OK\",\"logprob\":-0.5}]}"

typedef struct world {
    network network;
    const char *software;   /* the owner of the models that are listed */
    const char *refuses;    /* a request with this in it is refused, */
    const char *because;    /* with this as its parameter */
    const char *continued;  /* the reply to an assistant's turn */
    const char *held;       /* the reply where the form is prescribed */
    const response *script; /* of the first calls, n_script of them */
    size_t n_script;
    bool no_chat, plain; /* plain: without log-probabilities, streams and several choices */
    char body[600], notices[400];
    rdv_run_options options;
    rdv_endpoint endpoint;
    rdv_probe found;
    rdv_arena *arena;
} world;

static bool has(const http_exchange *x, const char *part)
{
    return rdv_find(x->body, rdv_str_of(part), 0) != RDV_NOT_FOUND;
}

static response say(world *w, const char *text, const char *more)
{
    snprintf(w->body, sizeof w->body,
             "{\"choices\":[{\"index\":0,\"message\":{\"content\":\"%s\"},%s%s\"finish_reason\":"
             "\"stop\"}]}",
             text, more, *more ? "," : "");
    return (response){.body = w->body};
}

static response refuse(world *w)
{
    snprintf(w->body, sizeof w->body,
             "{\"error\":{\"message\":\"Unsupported parameter: '%s'\",\"param\":\"%s\",\"code\":"
             "\"unsupported_parameter\"}}",
             w->because, w->because);
    return (response){.status = 400, .body = w->body};
}

static response respond(void *of, size_t call, const http_exchange *x)
{
    world *w = of;
    bool chat = rdv_ends(rdv_str_of(x->url), RDV_STR("/chat/completions"));
    if (call < w->n_script)
        return w->script[call];
    if (!chat || w->no_chat)
        return (response){.status = 404, .body = "{\"error\":{\"message\":\"Not Found\"}}"};
    if (w->refuses && has(x, w->refuses))
        return refuse(w);
    if (has(x, "\"assistant\""))
        return say(w, w->continued, "");
    if (has(x, "Reykjavik"))
        return say(w, w->held, "");
    if (has(x, "\"stream\":true") && !w->plain)
        return (response){.body = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"OK\"},"
                                  "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"};
    if (has(x, "\"n\":2") && !w->plain)
        return (response){.body =
                              "{\"choices\":[{\"index\":0,\"message\":{\"content\":\"OK\"},"
                              "\"finish_reason\":\"stop\"},{\"index\":1,\"message\":{\"content\":"
                              "\"OK\"},\"finish_reason\":\"stop\"}]}"};
    return say(w, "OK", w->plain ? "" : LOGPROBS);
}

static response about(void *of, const http_exchange *x)
{
    world *w = of;
    if (rdv_ends(rdv_str_of(x->url), RDV_STR("/props")))
        return (response){.body = "{\"total_slots\":4,\"chat_template\":\"\"}"};
    snprintf(w->body, sizeof w->body,
             "{\"data\":[{\"id\":\"m\",\"owned_by\":\"%s\"},{\"id\":\"n\"}]}", w->software);
    return (response){.body = w->body};
}

static void take_notice(void *of, const char *line)
{
    world *w = of;
    size_t at = strlen(w->notices);
    snprintf(w->notices + at, sizeof w->notices - at, "%s\n", line);
}

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    *state = w;
    if (!w)
        return -1;
    w->arena = rdv_arena_new(0);
    w->network = (network){.respond = respond, .about = about, .of = w};
    w->software = "somebody";
    w->continued = "0, 11, 12";
    w->held = "Reykjavik";
    w->endpoint.api_key = RDV_STR("sk-0123456789abcdef");
    rdv_run_options_default(&w->options, sizeof w->options);
    w->options.notice = take_notice;
    w->options.payload = w;
    return rdv_model_parse(RDV_STR("http://one:1/v1#m"), w->arena, &w->endpoint.spec, NULL);
}

static int tear_down(void **state)
{
    world *w = *state;
    rdv_arena_free(&w->arena);
    free(w);
    return 0;
}

static int probe(world *w, rdv_error *err)
{
    network_use(&w->network);
    return rdv_run_probe(&w->endpoint, &w->options, w->arena, &w->found, err);
}

static void test_probe__of_a_server_that_takes_all(void **state)
{
    world *w = *state;
    assert_int_equal(probe(w, NULL), RDV_OK);
    const rdv_abilities *a = &w->found.abilities;
    assert_int_equal(w->found.n_models, 2);
    assert_text(w->found.models[1], "n");
    assert_int_equal(w->found.software, RDV_SOFTWARE_UNKNOWN);
    assert_int_equal(w->found.slots, 0); /* only llama.cpp's are asked for */
    assert_false(w->found.no_template);
    assert_null(w->found.why.p);
    const rdv_can can[] = {a->chat,   a->temperature, a->top_p,    a->stop,
                           a->system, a->free_turns,  a->logprobs, a->prefix,
                           a->schema, a->choice,      a->many,     a->stream};
    for (size_t i = 0; i < sizeof can / sizeof *can; i++)
        assert_int_equal(can[i], RDV_CAN);
    const rdv_can cannot[] = {a->prefix_back, a->completions, a->echo, a->token_grammar};
    for (size_t i = 0; i < sizeof cannot / sizeof *cannot; i++)
        assert_int_equal(cannot[i], RDV_CANNOT);
}

static void test_probe__of_a_plain_server(void **state)
{
    world *w = *state;
    w->plain = true;
    w->held = "OK";
    w->continued = "Sure: 1, 2, 3";
    assert_int_equal(probe(w, NULL), RDV_OK);
    const rdv_abilities *a = &w->found.abilities;
    assert_int_equal(a->chat, RDV_CAN);
    assert_int_equal(a->temperature, RDV_CAN);
    const rdv_can cannot[] = {a->logprobs, a->prefix, a->schema, a->choice, a->many, a->stream};
    for (size_t i = 0; i < sizeof cannot / sizeof *cannot; i++)
        assert_int_equal(cannot[i], RDV_CANNOT);
}

static void test_probe__a_turn_that_is_given_back(void **state)
{
    world *w = *state;
    w->continued = "Counting on, as you wish: 3, 4, 5, 6, 7, 8, 9, 10, 11";
    assert_int_equal(probe(w, NULL), RDV_OK);
    assert_int_equal(w->found.abilities.prefix, RDV_CAN);
    assert_int_equal(w->found.abilities.prefix_back, RDV_CAN);
}

/* Each member that is refused is missing, and no other. */
static void test_probe__what_is_refused(void **state)
{
    static const struct {
        const char *part, *name;
        size_t at; /* of the ability */
    } cases[] = {
        {"\"temperature\":", "temperature", offsetof(rdv_abilities, temperature)},
        {"\"top_p\":", "top_p", offsetof(rdv_abilities, top_p)},
        {"\"stop\":", "stop", offsetof(rdv_abilities, stop)},
        {"\"logprobs\":", "logprobs", offsetof(rdv_abilities, logprobs)},
    };
    world *w = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        w->network = (network){.respond = respond, .about = about, .of = w};
        w->refuses = cases[i].part;
        w->because = cases[i].name;
        assert_int_equal(probe(w, NULL), RDV_OK);
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            rdv_can can;
            memcpy(&can, (const char *)&w->found.abilities + cases[k].at, sizeof can);
            assert_int_equal(can, k == i ? RDV_CANNOT : RDV_CAN);
        }
        assert_int_equal(w->found.abilities.chat, RDV_CAN);
    }
}

static void test_probe__without_a_chat(void **state)
{
    world *w = *state;
    w->no_chat = true;
    assert_int_equal(probe(w, NULL), RDV_OK);
    assert_int_equal(w->found.abilities.chat, RDV_CANNOT);
    assert_int_equal(w->found.abilities.completions, RDV_CANNOT);
    assert_text(w->found.why, "HTTP 404: Not Found");
    assert_true(w->network.n_calls < 10); /* nothing else is asked of a chat */
}

static void test_probe__of_llama_cpp(void **state)
{
    world *w = *state;
    w->software = "llamacpp";
    assert_int_equal(probe(w, NULL), RDV_OK);
    assert_int_equal(w->found.software, RDV_SOFTWARE_LLAMA_CPP);
    assert_int_equal(w->found.slots, 4);
    assert_true(w->found.no_template);
    assert_int_equal(w->found.abilities.top_k, RDV_CAN);
}

static void test_probe__software_says_what_it_takes(void **state)
{
    static const struct {
        const char *owner;
        rdv_software is;
        rdv_can top_k;
    } cases[] = {{"vllm", RDV_SOFTWARE_VLLM, RDV_CAN},
                 {"sglang", RDV_SOFTWARE_SGLANG, RDV_CAN},
                 {"library", RDV_SOFTWARE_OLLAMA, RDV_CANNOT},
                 {"rederive", RDV_SOFTWARE_REDERIVE, RDV_CAN_UNKNOWN}};
    world *w = *state;
    w->continued = "Sure: 1, 2, 3"; /* our own server's model is too small to go on */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        w->network = (network){.respond = respond, .about = about, .of = w};
        w->software = cases[i].owner;
        assert_int_equal(probe(w, NULL), RDV_OK);
        assert_int_equal(w->found.software, cases[i].is);
        assert_int_equal(w->found.abilities.top_k, cases[i].top_k);
        assert_int_equal(w->found.abilities.prefix,
                         cases[i].is == RDV_SOFTWARE_REDERIVE ? RDV_CAN : RDV_CANNOT);
    }
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void test_probe__tries_again_as_often_as_allowed(void **state)
{
    static const response busy[] = {{.status = 503}, {.status = 429}, {.end = HTTP_BROKEN}};
    world *w = *state;
    w->options.retries = 3;
    w->script = busy;
    w->n_script = 3;
    assert_int_equal(probe(w, NULL), RDV_OK);
    assert_int_equal(w->found.abilities.chat, RDV_CAN);
    w->options.retries = 2; /* one too few: the chat counts as refused */
    w->network = (network){.respond = respond, .about = about, .of = w};
    rdv_error err = {0};
    assert_int_equal(probe(w, &err), RDV_E_IO);
    assert_string_equal(err.msg, "http://one:1: no connection");
    assert_int_equal(w->network.n_calls, 3);
}

static void test_probe__waits_as_long_as_it_is_asked_to(void **state)
{
    static const response busy[] = {{.status = 429, .retry_after = "600"}};
    world *w = *state;
    w->script = busy;
    w->n_script = 1;
    assert_int_equal(probe(w, NULL), RDV_OK);
    assert_in_range(w->network.at[1], 600000, 601000);
    assert_string_equal(w->notices, "http://one:1 asks to be left alone for 10 min (HTTP 429); "
                                    "Ctrl-C ends the wait\n");
}

static void test_probe__wrong_key(void **state)
{
    static const response wrong[] = {
        {.status = 401, .body = "{\"error\":{\"message\":\"not sk-0123456789abcdef\"}}"}};
    world *w = *state;
    rdv_error err = {0};
    w->script = wrong;
    w->n_script = 1;
    assert_int_equal(probe(w, &err), RDV_E_IO);
    assert_string_equal(err.msg,
                        "http://one:1 refuses the API key: HTTP 401: not *******************");
    assert_int_equal(w->network.n_calls, 1);
    w->endpoint.api_key = (rdv_str){0};
    w->network = (network){.respond = respond, .about = about, .of = w};
    assert_int_equal(probe(w, &err), RDV_E_IO);
    assert_string_equal(err.msg,
                        "http://one:1 wants an API key: HTTP 401: not sk-0123456789abcdef");
}

/* With 403 a server refuses the key, though it has listed its models; after a reply to a chat it
 * refuses the request alone. */
/* The text of a fault may quote what was sent. */
static void test_probe__hides_the_key(void **state)
{
    world *w = *state;
    static const response lost[] = {
        {.end = HTTP_UNREACHABLE, .body = "refused for sk-0123456789abcdef"}};
    rdv_error err = {0};
    w->script = lost;
    w->n_script = 1;
    w->options.retries = 0;
    assert_int_equal(probe(w, &err), RDV_E_IO);
    assert_string_equal(err.msg, "http://one:1: refused for *******************");
    assert_null(strstr(w->notices, "sk-0123"));
}

static void test_probe__forbidden_key(void **state)
{
    static const response forbidden[] = {
        {.status = 403, .body = "{\"error\":{\"message\":\"no\"}}"}};
    world *w = *state;
    rdv_error err = {0};
    w->script = forbidden;
    w->n_script = 1;
    assert_int_equal(probe(w, &err), RDV_E_IO);
    assert_string_equal(err.msg, "http://one:1 refuses the API key: HTTP 403: no");
    const response then[] = {{.text = "OK"}, forbidden[0]};
    w->network = (network){.respond = respond, .about = about, .of = w};
    w->script = then;
    w->n_script = 2;
    assert_int_equal(probe(w, &err), RDV_OK);
    assert_int_equal(w->found.abilities.chat, RDV_CAN);
}

static void test_probe__no_server(void **state)
{
    world *w = *state;
    w->endpoint.spec.url = (rdv_str){0};
    rdv_error err = {0};
    assert_int_equal(probe(w, &err), RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "only a server can be probed");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_probe__of_a_server_that_takes_all),
        TEST(test_probe__of_a_plain_server),
        TEST(test_probe__a_turn_that_is_given_back),
        TEST(test_probe__what_is_refused),
        TEST(test_probe__without_a_chat),
        TEST(test_probe__of_llama_cpp),
        TEST(test_probe__software_says_what_it_takes),
        TEST(test_probe__tries_again_as_often_as_allowed),
        TEST(test_probe__waits_as_long_as_it_is_asked_to),
        TEST(test_probe__wrong_key),
        TEST(test_probe__hides_the_key),
        TEST(test_probe__forbidden_key),
        TEST(test_probe__no_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
