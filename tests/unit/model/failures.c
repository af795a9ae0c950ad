/* SPDX-License-Identifier: Apache-2.0 */
/* The table of what servers write where a reply failed: each row is found, in a whole response and
 * in a stream, beside all that says that the reply is whole. */
#include "../failure_rows.h"
#include "../test.h"
#include "model/wire.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const rdv_message question[] = {{RDV_USER, {"Is it?", 6}}};

static int read_body(rdv_str body, bool streamed, rdv_arena *arena, rdv_reply *out, rdv_error *err)
{
    const rdv_request chat = {
        .messages = question, .n_messages = 1, .sampling = {.temperature = NAN, .top_p = NAN}};
    const rdv_abilities all = {0};
    wire w;
    assert_int_equal(wire_write(&chat, RDV_STR("m"), &all, arena, &w, err), RDV_OK);
    w.streamed = streamed;
    return wire_read(&w, &chat, body, arena, out, err);
}

#define GOOD_END "\"finish_reason\":\"stop\""
#define SECOND "{\"index\":0,\"message\":{\"content\":\"no\"}," GOOD_END "}"

/* A response that is whole but for the row's member; twice: with two choices that differ. */
static rdv_str body_of(const failure_row *row, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "{\"choices\":[{\"index\":0,\"message\":{\"content\":\"yes\"");
    if (row->place == PLACE_MESSAGE) {
        rdv_buf_add_char(&b, ',');
        put_row(&b, row);
    }
    rdv_buf_lit(&b, "},");
    if (row->place == PLACE_CHOICE) {
        put_row(&b, row);
        rdv_buf_lit(&b, ",");
    }
    rdv_buf_lit(&b, "\"end\":0");
    if (!is_finish(row))
        rdv_buf_lit(&b, "," GOOD_END);
    rdv_buf_lit(&b, "}");
    if (compares_two(row))
        rdv_buf_lit(&b, "," SECOND);
    rdv_buf_lit(&b, "]");
    if (row->place == PLACE_BODY && !compares_two(row)) {
        rdv_buf_add_char(&b, ',');
        put_row(&b, row);
    }
    rdv_buf_add_char(&b, '}');
    return rdv_buf_str(&b);
}

/* The same as a stream: the member comes in the first event, and the last ones say that all is
 * well. */
static rdv_str stream_of(const failure_row *row, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"yes\"");
    if (row->place == PLACE_MESSAGE) {
        rdv_buf_add_char(&b, ',');
        put_row(&b, row);
    }
    rdv_buf_lit(&b, "}");
    if (row->place == PLACE_CHOICE) {
        rdv_buf_add_char(&b, ',');
        put_row(&b, row);
    }
    rdv_buf_lit(&b, "}");
    if (compares_two(row))
        rdv_buf_lit(&b, ",{\"index\":0,\"delta\":{\"content\":\"no\"}}");
    rdv_buf_lit(&b, "]");
    if (row->place == PLACE_BODY && !compares_two(row)) {
        rdv_buf_add_char(&b, ',');
        put_row(&b, row);
    }
    rdv_buf_lit(&b, "}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\"},"
                    "\"content_filter_results\":{\"x\":{\"filtered\":false}}," GOOD_END
                    "}],\"status\":\"completed\",\"error\":null}\n\ndata: [DONE]\n\n");
    return rdv_buf_str(&b);
}

static void check_row(const failure_row *row, bool streamed)
{
    static const rdv_finish finish_of[] = {[SAYS_WHOLE] = RDV_FINISH_STOP,
                                           [SAYS_CUT_OFF] = RDV_FINISH_LENGTH,
                                           [SAYS_FAILED] = RDV_FINISH_OTHER};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str body = streamed ? stream_of(row, arena) : body_of(row, arena);
    rdv_error err = {0};
    rdv_reply reply;
    assert_true(body.p);
    print_message("%.*s\n", RDV_FMT(body));
    int rc = read_body(body, streamed, arena, &reply, &err);
    assert_int_equal(rc, row->says == SAYS_ERROR ? RDV_E_INPUT : RDV_OK);
    if (rc == RDV_OK)
        assert_int_equal(reply.finish, finish_of[row->says]);
    if (row->says == SAYS_FAILED && !is_finish(row)) /* the reason names the member */
        assert_true(rdv_starts(reply.finish_said, rdv_str_of(row->member)));
    rdv_arena_free(&arena);
}

static void test_failures__each_row(void **state)
{
    for (size_t i = 0; i < n_failure_rows; i++) {
        assert_true(failure_rows[i].servers[0]);
        check_row(&failure_rows[i], false);
        check_row(&failure_rows[i], true);
    }
}

/* What looks like a row and is none. */
static void test_failures__what_says_nothing(void **state)
{
    static const char *const whole[] = {
        "\"error\":null",
        "\"error\":false",
        "\"error\":\"\"",
        "\"status\":\"completed\"",
        "\"status\":200",
        "\"success\":true",
        "\"object\":\"chat.completion\"",
        "\"base_resp\":{\"status_code\":0}",
        "\"incomplete_details\":null",
        "\"prompt_filter_results\":[{\"content_filter_results\":{\"hate\":{\"filtered\":false}}}]",
        "\"output_sensitive\":false"};
    static const char *const choices[] = {
        "\"native_finish_reason\":null",
        "\"native_finish_reason\":\"STOP\"",
        "\"stop_reason\":\"\\n\\n\"",
        "\"stop_reason\":128009",
        "\"content_filter_results\":{\"hate\":{\"filtered\":false,\"severity\":\"safe\"}}",
        "\"content_filter_results\":{}"};
    static const char *const messages[] = {"\"tool_calls\":[]", "\"tool_calls\":null",
                                           "\"refusal\":null",  "\"role\":\"assistant\"",
                                           "\"role\":null",     "\"function_call\":null"};
    const struct {
        const char *const *members;
        size_t n;
        const char *before, *behind;
    } places[] = {
        {whole, sizeof whole / sizeof *whole,
         "{\"choices\":[{\"message\":{\"content\":\"yes\"}," GOOD_END "}],", "}"},
        {choices, sizeof choices / sizeof *choices,
         "{\"choices\":[{\"message\":{\"content\":\"yes\"}," GOOD_END ",", "}]}"},
        {messages, sizeof messages / sizeof *messages, "{\"choices\":[{" GOOD_END ",\"message\":{",
         ",\"content\":\"yes\"}}]}"},
    };
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        for (size_t i = 0; i < places[p].n; i++) {
            rdv_arena *arena = rdv_arena_new(0);
            rdv_reply reply;
            rdv_str body = rdv_str_printf(arena, "%s%s%s", places[p].before, places[p].members[i],
                                          places[p].behind);
            print_message("%.*s\n", RDV_FMT(body));
            assert_int_equal(read_body(body, false, arena, &reply, NULL), RDV_OK);
            assert_int_equal(reply.finish, RDV_FINISH_STOP);
            rdv_arena_free(&arena);
        }
    }
}

static void test_failures__two_choices(void **state)
{
#define CHOICE(index, text) "{" index "\"message\":{\"content\":\"" text "\"}," GOOD_END "}"
#define BOTH(a, b) "{\"choices\":[" a "," b "]}"
    static const struct {
        const char *body;
        rdv_finish finish;
    } cases[] = {
        {BOTH(CHOICE("\"index\":0,", "yes"), CHOICE("\"index\":0,", "no")), RDV_FINISH_OTHER},
        {BOTH(CHOICE("\"index\":0,", "yes"), CHOICE("\"index\":0,", "yes")), RDV_FINISH_STOP},
        {BOTH(CHOICE("\"index\":0,", "yes"), CHOICE("\"index\":1,", "no")), RDV_FINISH_STOP},
        {BOTH(CHOICE("\"index\":1,", "no"), CHOICE("\"index\":0,", "yes")), RDV_FINISH_STOP},
        {BOTH(CHOICE("", "yes"), CHOICE("", "no")), RDV_FINISH_OTHER},
        {BOTH(CHOICE("", "yes"), CHOICE("", "yes")), RDV_FINISH_STOP},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_reply reply;
        print_message("%s\n", cases[i].body);
        assert_int_equal(read_body(rdv_str_of(cases[i].body), false, arena, &reply, NULL), RDV_OK);
        assert_int_equal(reply.finish, cases[i].finish);
        rdv_arena_free(&arena);
    }
}

/* Where the text of an empty reply is, and what mends it. */
static void test_failures__a_text_elsewhere(void **state)
{
    static const struct {
        const char *message, *said;
    } cases[] = {
        {"\"content\":null,\"reasoning_content\":\"It is.\"", "reasoning_content"},
        {"\"content\":\"\",\"reasoning_content\":\"It is.\"", "--reasoning-parser"},
        {"\"content\":\" \",\"reasoning_content\":\"It is.\"", "--reasoning-format"},
        {"\"reasoning\":\"It is.\"", "reasoning alone"},
        {"\"content\":\"<think>It is.</think>\"", "all of its text is thinking"},
        {"\"content\":\"\",\"reasoning_content\":\"\"", NULL},
        {"\"content\":\"yes\",\"reasoning_content\":\"It is.\"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_reply reply;
        rdv_str body = rdv_str_printf(arena, "{\"choices\":[{\"message\":{%s}," GOOD_END "}]}",
                                      cases[i].message);
        print_message("%.*s\n", RDV_FMT(body));
        assert_int_equal(read_body(body, false, arena, &reply, NULL), RDV_OK);
        assert_int_equal(reply.finish, RDV_FINISH_STOP);
        if (cases[i].said)
            assert_true(rdv_find(reply.finish_said, rdv_str_of(cases[i].said), 0) != RDV_NOT_FOUND);
        else
            assert_null(reply.finish_said.p);
        rdv_arena_free(&arena);
    }
}

/* The page for users has every member of the table. */
static void test_failures__are_documented(void **state)
{
    const char *source = getenv("RDV_SOURCE");
    char path[4096], *page = NULL;
    size_t len = 0;
    assert_non_null(source);
    snprintf(path, sizeof path, "%s/docs/servers.md", source);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_true(getdelim(&page, &len, 0, f) > 0);
    fclose(f);
    for (size_t i = 0; i < n_failure_rows; i++) {
        char quoted[128];
        snprintf(quoted, sizeof quoted, "`%s`", failure_rows[i].member);
        if (!strstr(page, quoted))
            fail_msg("docs/servers.md lacks %s", quoted);
    }
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failures__each_row),
        cmocka_unit_test(test_failures__what_says_nothing),
        cmocka_unit_test(test_failures__two_choices),
        cmocka_unit_test(test_failures__a_text_elsewhere),
        cmocka_unit_test(test_failures__are_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
