/* SPDX-License-Identifier: Apache-2.0 */
/* A whole report, written into memory; and every way of running out of memory while it is. */
#include "report/html.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static rdv_str steps[] = {{"2 + 2 = 5", 9}, {"So 5.", 5}};

static rdv_chain chain_with_error(rdv_arena *arena, const char *id)
{
    rdv_evidence *top = rdv_evidence_map(arena, NULL, (rdv_str){0});
    rdv_evidence *list = rdv_evidence_list(arena, top, RDV_STR("calculations"));
    rdv_evidence *one = rdv_evidence_map(arena, list, (rdv_str){0});
    rdv_verdict *verdicts = RDV_NEW_ARRAY(arena, rdv_verdict, 2);
    rdv_check *check = RDV_NEW(arena, rdv_check);
    assert_non_null(check);
    rdv_evidence_text(arena, one, RDV_STR("text"), steps[0]);
    rdv_evidence_text(arena, one, RDV_STR("outcome"), RDV_STR("wrong"));
    rdv_evidence_number(arena, one, RDV_STR("start"), 0);
    rdv_evidence_number(arena, one, RDV_STR("end"), 9);
    rdv_evidence_text(arena, one, RDV_STR("value"), RDV_STR("4"));
    verdicts[0] = (rdv_verdict){.kind = RDV_CONTRADICT, .score = 0, .evidence = top};
    verdicts[1] = (rdv_verdict){.step = 1, .kind = RDV_UNKNOWN, .score = NAN};
    *check = (rdv_check){.method = RDV_STR("calculations"),
                         .verdicts = verdicts,
                         .n_verdicts = 2,
                         .confidence = 0.4,
                         .n_unknown = 1};
    return (rdv_chain){
        .id = rdv_str_of(id),
        .question = {.id = RDV_STR("q"), .text = RDV_STR("What is 2 + 2?"), .gold = RDV_STR("4")},
        .steps = steps,
        .n_steps = 2,
        .answer = RDV_STR("5"),
        .correct = -1,
        .checks = check,
        .n_checks = 1};
}

/* A chain is not graded again: its grade is that of whoever adds it. */
static const rdv_grade *given;

static int to_buffer(void *payload, rdv_str bytes, rdv_error *err)
{
    rdv_buf_add(payload, bytes);
    return RDV_OK;
}

/* Add two chains, a vote and a failure, and write. */
static int make_report(rdv_html *html, rdv_chain chains[2], rdv_arena *scratch, rdv_buf *page,
                       rdv_error *err)
{
    rdv_answer_count answer = {RDV_STR("5"), 2, 2};
    rdv_exchange exchange = {.stage = RDV_STR("m/ask"), .asked = RDV_STR("is it <right>?")};
    rdv_result result = {.question_id = RDV_STR("q"),
                         .answer = RDV_STR("5"),
                         .answers = &answer,
                         .n_answers = 1,
                         .chains = 2,
                         .chains_used = 2};
    rdv_html_run run = {.name = "check", .title = RDV_STR("t"), .cost = NAN};
    rdv_html_sink sink = {page, to_buffer};
    int code = RDV_OK;
    for (size_t i = 0; i < 2 && code == RDV_OK; i++)
        code = rdv_html_add_chain(html,
                                  &(rdv_html_chain){.chain = &chains[i],
                                                    .grade = given,
                                                    .dataset = RDV_STR("d"),
                                                    .weight = 1,
                                                    .exchanges = &exchange,
                                                    .n_exchanges = 1},
                                  scratch, err);
    if (code == RDV_OK)
        code = rdv_html_add_result(html, &result, scratch, err);
    if (code == RDV_OK)
        code = rdv_html_add_failure(html, RDV_STR("f:1: <broken>"), true, scratch, err);
    return code == RDV_OK ? rdv_html_write(html, &run, &sink, err) : code;
}

/* Make the report with the `fail`-th allocation failing; 0: none. The page is in `arena`. */
static int try_report(size_t fail, size_t plain_max, rdv_arena *arena, rdv_str *out)
{
    rdv_error err = {0};
    rdv_html *html = NULL;
    rdv_buf page;
    rdv_html_options options = {.plain_max = plain_max, .spill = tmpfile()};
    rdv_arena *scratch = rdv_arena_new(0);
    rdv_chain chains[] = {chain_with_error(arena, "a"), chain_with_error(arena, "a")};
    assert_non_null(options.spill);
    rdv_buf_init(&page, arena, 0);
    rdv_alloc_fail_at(fail);
    int code = rdv_html_new(&options, &html, &err);
    if (code == RDV_OK)
        code = make_report(html, chains, scratch, &page, &err);
    rdv_alloc_fail_at(0);
    if (code != RDV_OK)
        assert_true(rdv_starts(rdv_str_of(err.msg), RDV_STR("out of memory")));
    rdv_html_free(&html);
    rdv_arena_free(&scratch);
    fclose(options.spill);
    *out = rdv_buf_str(&page);
    return code == RDV_OK && !out->p ? RDV_E_NOMEM : code;
}

static bool has(rdv_str page, const char *what)
{
    return rdv_find(page, rdv_str_of(what), 0) != RDV_NOT_FOUND;
}

static void test_a_report(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str page;
    assert_int_equal(try_report(0, 0, arena, &page), RDV_OK);
    assert_true(has(page, "<mark>2 + 2 = 5</mark>"));
    assert_true(has(page, "should be <ins>4</ins>"));
    assert_true(has(page, "id=\"a\"") && has(page, "id=\"a~~2\"") && has(page, "id=\"a~~2:1\""));
    assert_true(has(page, "is it &lt;right&gt;?"));
    assert_true(has(page, "f:1: &lt;broken&gt;"));
    assert_true(has(page, "<b>2</b> solutions"));
    assert_true(rdv_ends(page, RDV_STR("</html>\n")));
    rdv_arena_free(&arena);
}

static void test_a_given_grade(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_grade grade = {.key = RDV_STR("7"), .shown = RDV_STR("seven"), .correct = 1};
    rdv_str page;
    assert_int_equal(try_report(0, 0, arena, &page), RDV_OK);
    assert_true(has(page, "answer <b>5</b>, gold <b>4</b>") && has(page, "<b>0</b> of 2 right"));
    given = &grade;
    assert_int_equal(try_report(0, 0, arena, &page), RDV_OK);
    given = NULL;
    assert_true(has(page, "answer <b>seven</b> ") && has(page, "<b>2</b> of 2 right"));
    rdv_arena_free(&arena);
}

static void test_a_packed_report(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str page;
    assert_int_equal(try_report(0, 1, arena, &page), RDV_OK);
    assert_false(has(page, "<mark>"));
    assert_true(has(page, "\"flags\":["));
    assert_true(has(page, "\"anchors\":[\"a\",\"a~~2\",\"failed-record\"]"));
    rdv_arena_free(&arena);
}

static void test_out_of_memory(void **state)
{
    for (size_t plain_max = 0; plain_max < 2; plain_max++) {
        int code = RDV_E_NOMEM;
        for (size_t fail = 1; code != RDV_OK; fail++) {
            rdv_arena *arena = rdv_arena_new(0);
            rdv_str page;
            code = try_report(fail, plain_max, arena, &page);
            if (code != RDV_OK)
                assert_int_equal(code, RDV_E_NOMEM);
            rdv_arena_free(&arena);
            assert_true(fail < 100000);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_report),
        cmocka_unit_test(test_a_given_grade),
        cmocka_unit_test(test_a_packed_report),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
