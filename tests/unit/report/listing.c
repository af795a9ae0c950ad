/* SPDX-License-Identifier: Apache-2.0 */
#include "report/list/listing.h"

#include "base/arena.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

static const rdv_listing_place place = {.file = "in.jsonl", .line = 7};
static const rdv_listing_options all = {.unknown = true};

static rdv_str steps[] = {RDV_STR("One."), RDV_STR("Two.")};
static const rdv_chain two_steps = {.steps = steps, .n_steps = 2, .correct = -1};

/* What is listed of these verdicts. */
static rdv_str list(rdv_arena *arena, rdv_verdict *verdicts, size_t n, size_t first_error,
                    rdv_listed *listed)
{
    rdv_check check = {
        .method = RDV_STR("m"), .verdicts = verdicts, .n_verdicts = n, .first_error = first_error};
    rdv_str out = {0};
    rdv_rule_ids rules = {0};
    assert_int_equal(
        rdv_list_check(&place, &two_steps, &check, &all, arena, listed, &rules, &out, NULL),
        RDV_OK);
    return rdv_str_of(rdv_cstring(arena, out));
}

static void test_listing__reasons(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_listed listed;
    rdv_verdict said[] = {
        {.step = 0, .kind = RDV_CONTRADICT, .why = RDV_STR(" Too\nmuch. ")},
        {.step = 1, .kind = RDV_UNKNOWN, .why = RDV_STR("not read")},
    };
    (void)state;
    assert_string_equal(list(arena, said, 2, 0, &listed).p,
                        "in.jsonl:7:1: - step 0: Too\\x0amuch. [m]\n"
                        "in.jsonl:7:1: - step 1: undecided: not read [m]\n");
    assert_int_equal(listed.wrong, 1);
    assert_int_equal(listed.undecided, 1);
    rdv_arena_free(&arena);
}

static void test_listing__whole_chain(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_listed listed;
    rdv_verdict wrong = {.step = RDV_WHOLE_CHAIN, .kind = RDV_CONTRADICT};
    (void)state;
    assert_string_equal(list(arena, &wrong, 1, RDV_STEP_UNKNOWN, &listed).p,
                        "in.jsonl:7:1: -: judged wrong [m]\n");
    assert_int_equal(listed.wrong, 1);
    rdv_arena_free(&arena);
}

/* A chain of which nothing was checked is undecided, and never clean. */
static void test_listing__without_verdicts(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_listed listed;
    (void)state;
    assert_string_equal(list(arena, NULL, 0, RDV_NO_STEP, &listed).p,
                        "in.jsonl:7:1: -: undecided: no step was checked [m]\n");
    assert_int_equal(listed.wrong, 0);
    assert_int_equal(listed.undecided, 1);
    rdv_arena_free(&arena);
}

/* A first error by a method's own rule counts although no verdict contradicts. */
static void test_listing__first_error_of_its_own(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_listed listed;
    rdv_verdict right = {.step = 0, .kind = RDV_SUPPORT};
    (void)state;
    assert_string_equal(list(arena, &right, 1, 1, &listed).p,
                        "in.jsonl:7:1: - step 1: judged wrong [m]\n");
    assert_int_equal(listed.wrong, 1);
    rdv_arena_free(&arena);
}

static void test_listing__every_allocation_may_fail(void **state)
{
    rdv_verdict wrong = {.step = 0, .kind = RDV_CONTRADICT, .why = RDV_STR("why")};
    rdv_check check = {.method = RDV_STR("m"), .verdicts = &wrong, .n_verdicts = 1};
    int code = RDV_E_NOMEM;
    size_t n = 1;
    (void)state;
    for (; code != RDV_OK && n < 1000; n++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str out = RDV_STR("untouched");
        rdv_listed listed;
        rdv_rule_ids rules = {0};
        rdv_alloc_fail_at(n);
        code = rdv_list_check(&place, &two_steps, &check, &all, arena, &listed, &rules, &out, NULL);
        rdv_alloc_fail_at(0);
        assert_true(code == RDV_OK || rdv_str_eq(out, RDV_STR("untouched")));
        rdv_arena_free(&arena);
    }
    assert_int_equal(code, RDV_OK);
    assert_true(n > 2);
}

/* Each text that was not read, with its reason; evidence that another
 * program wrote is taken as it is. */
static void test_listing__unread(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str texts[] = {RDV_STR("Caf\xc3\xa9: 2 * 4,50 = 9")};
    const rdv_chain chain = {.steps = texts, .n_steps = 1, .correct = -1};
    rdv_evidence *evidence = rdv_evidence_map(arena, NULL, (rdv_str){0});
    rdv_evidence *unread = rdv_evidence_list(arena, evidence, RDV_STR("not_read"));
    rdv_evidence *one = rdv_evidence_map(arena, unread, (rdv_str){0});
    rdv_evidence_text(arena, one, RDV_STR("text"), RDV_STR("2 * 4,50 = 9"));
    rdv_evidence_text(arena, one, RDV_STR("reason"), RDV_STR("decimal_comma"));
    rdv_evidence_number(arena, one, RDV_STR("start"), 7);
    rdv_evidence *odd = rdv_evidence_map(arena, unread, (rdv_str){0});
    rdv_evidence_text(arena, odd, RDV_STR("reason"), RDV_STR("a new one"));
    rdv_evidence_number(arena, odd, RDV_STR("start"), 1e9);
    rdv_evidence_text(arena, unread, (rdv_str){0}, RDV_STR("no map"));
    rdv_verdict said[] = {{.step = 0, .kind = RDV_UNKNOWN, .evidence = evidence},
                          {.step = RDV_WHOLE_CHAIN, .evidence = evidence}};
    rdv_check check = {.method = RDV_STR("m"), .verdicts = said, .n_verdicts = 2};
    rdv_rule_ids rules = {0};
    rdv_str out;
    (void)state;
    assert_int_equal(rdv_list_unread(&place, &chain, &check, &all, arena, &rules, &out, NULL),
                     RDV_OK);
    assert_string_equal(rdv_cstring(arena, out),
                        "in.jsonl:7:1: - step 0: not read (decimal comma): 2 * 4,50 = 9 [m]\n"
                        "in.jsonl:7:1: - step 0: not read:  [m]\n");
    rdv_arena_free(&arena);
}

/* A row of the rules that a reason ends with is a part of the finding's rule. */
static void test_listing__rules(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_listed listed;
    rdv_verdict said[] = {
        {.step = 0, .kind = RDV_UNKNOWN, .why = RDV_STR("they deny it [denied-that]")},
        {.step = 1, .kind = RDV_UNKNOWN, .why = RDV_STR("x [a b]")},
    };
    (void)state;
    assert_string_equal(list(arena, said, 2, RDV_NO_STEP, &listed).p,
                        "in.jsonl:7:1: - step 0: undecided: they deny it [m/denied-that]\n"
                        "in.jsonl:7:1: - step 1: undecided: x [a b] [m]\n");
    rdv_arena_free(&arena);
}

/* What separates the parts of a workflow command is escaped, and what a URI cannot hold. */
static void test_listing__forms_of_others(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_listing_place odd = {.file = "./a b,c:%\xc3\xa9.md", .line = 3};
    rdv_verdict wrong = {.step = 0, .kind = RDV_CONTRADICT, .why = RDV_STR("50%, \"all\"\n")};
    rdv_check check = {.method = RDV_STR("m"), .verdicts = &wrong, .n_verdicts = 1};
    rdv_listing_options options = {.form = RDV_LIST_GITHUB};
    rdv_rule_ids rules = {0};
    rdv_listed listed;
    rdv_str out;
    (void)state;
    assert_int_equal(
        rdv_list_check(&odd, &two_steps, &check, &options, arena, &listed, &rules, &out, NULL),
        RDV_OK);
    assert_string_equal(rdv_cstring(arena, out),
                        "::error file=./a b%2Cc%3A%25\xc3\xa9.md,line=3,col=1,title=m::- step 0: "
                        "50%25, \"all\"\n");
    options.form = RDV_LIST_SARIF;
    assert_int_equal(
        rdv_list_check(&odd, &two_steps, &check, &options, arena, &listed, &rules, &out, NULL),
        RDV_OK);
    assert_string_equal(
        rdv_cstring(arena, out),
        ",\n{\"ruleId\":\"m\",\"level\":\"error\",\"message\":{\"text\":\"- step 0: 50%, "
        "\\\"all\\\"\"},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":"
        "\"a%20b%2Cc%3A%25%C3%A9.md\"},\"region\":{\"startLine\":3,\"startColumn\":1}}}]}");
    assert_int_equal(rules.n, 1);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listing__reasons),
        cmocka_unit_test(test_listing__unread),
        cmocka_unit_test(test_listing__whole_chain),
        cmocka_unit_test(test_listing__without_verdicts),
        cmocka_unit_test(test_listing__first_error_of_its_own),
        cmocka_unit_test(test_listing__rules),
        cmocka_unit_test(test_listing__forms_of_others),
        cmocka_unit_test(test_listing__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
