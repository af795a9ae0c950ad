/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/request.h"
#include "../test.h"

#include <math.h>
#include <stdio.h>

static rdv_message hello = {RDV_USER, {"hello", 5}};

static rdv_request simple(void)
{
    return (rdv_request){.kind = RDV_REQUEST_CHAT,
                         .model = RDV_STR("m"),
                         .messages = &hello,
                         .n_messages = 1,
                         .sampling = {.temperature = 1, .top_p = NAN, .max_tokens = 10},
                         .sample = RDV_STR("chain 0")};
}

static bool same_key(rdv_request a, rdv_request b)
{
    request_key(&a);
    request_key(&b);
    return memcmp(a.key, b.key, sizeof a.key) == 0;
}

static void test_key__is_a_function_of_what_is_asked(void **state)
{
    (void)state;
    rdv_request a = simple(), b = simple();
    b.id = 7;
    b.stage = RDV_STR("elsewhere");
    b.sampling.top_p = -NAN; /* any NaN is "not said" */
    assert_true(same_key(a, b));
}

static void test_key__changes_with_each_part(void **state)
{
    (void)state;
    static const rdv_str stop = {"\n", 1};
    static const rdv_message other = {RDV_USER, {"hello!", 6}}, system = {RDV_SYSTEM, {"hello", 5}};
    static const rdv_str steps[] = {{"a", 1}, {"b", 1}};
    rdv_request changed[12];
    for (size_t i = 0; i < 12; i++)
        changed[i] = simple();
    changed[0].kind = RDV_REQUEST_CONTINUE;
    changed[1].model = RDV_STR("n");
    changed[2].messages = &other;
    changed[3].messages = &system;
    changed[4].text = RDV_STR("");
    changed[5].sampling.temperature = 0;
    changed[6].sampling.max_tokens = 11;
    changed[7].sampling.stop = &stop;
    changed[7].sampling.n_stop = 1;
    changed[8].sampling.logprobs = true;
    changed[9].sample = RDV_STR("chain 1");
    changed[10].steps = steps;
    changed[10].n_steps = 2;
    changed[11].steps = steps;
    changed[11].n_steps = 1;
    for (size_t i = 0; i < 12; i++) {
        assert_false(same_key(simple(), changed[i]));
        for (size_t k = 0; k < i; k++)
            assert_false(same_key(changed[k], changed[i]));
    }
}

/* Every message counts, not only the first. */
static void test_key__changes_with_a_later_message(void **state)
{
    (void)state;
    rdv_message one[] = {{RDV_USER, {"a", 1}}, {RDV_ASSISTANT, {"b", 1}}, {RDV_USER, {"c", 1}}};
    for (size_t i = 0; i < 3; i++) {
        rdv_message other[] = {one[0], one[1], one[2]};
        rdv_request x = simple(), y = simple();
        x.messages = one;
        y.messages = other;
        x.n_messages = y.n_messages = 3;
        assert_true(same_key(x, y));
        other[i].text = RDV_STR("d");
        assert_false(same_key(x, y));
    }
}

/* Records, journals and summaries hold these names. */
static void test_names(void **state)
{
    (void)state;
    static const struct {
        rdv_failure failure;
        const char *name;
    } failures[] = {{RDV_FAIL_REFUSED, "refused"},       {RDV_FAIL_UNREACHABLE, "unreachable"},
                    {RDV_FAIL_UNREADABLE, "unreadable"}, {RDV_FAIL_TIMEOUT, "timed out"},
                    {RDV_FAIL_BUDGET, "over budget"},    {RDV_FAIL_UNAVAILABLE, "unavailable"},
                    {RDV_FAIL_CANCELLED, "cancelled"},   {RDV_FAIL_MISSING, "missing"}};
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        assert_string_equal(rdv_failure_name(failures[i].failure), failures[i].name);
}

/* The parts are told apart by their lengths: "ab" + "c" is not "a" + "bc". */
static void test_key__does_not_run_parts_together(void **state)
{
    (void)state;
    rdv_message ab[] = {{RDV_USER, {"ab", 2}}, {RDV_USER, {"c", 1}}};
    rdv_message bc[] = {{RDV_USER, {"a", 1}}, {RDV_USER, {"bc", 2}}};
    rdv_request x = simple(), y = simple();
    x.messages = ab;
    y.messages = bc;
    x.n_messages = y.n_messages = 2;
    assert_false(same_key(x, y));
}

/* Journals outlive programs: the key of a known request must not change by accident. */
static void test_key__is_the_same_for_ever(void **state)
{
    (void)state;
    rdv_request a = simple();
    request_key(&a);
    char hex[2 * sizeof a.key + 1];
    for (size_t i = 0; i < sizeof a.key; i++)
        snprintf(hex + 2 * i, 3, "%02x", a.key[i]);
    assert_string_equal(hex, "316896c0c4d01b70383c9d395d29b3a0bbb95ad8502dbcc5dfb1110dd821cf98");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_key__is_a_function_of_what_is_asked),
        cmocka_unit_test(test_key__changes_with_each_part),
        cmocka_unit_test(test_key__changes_with_a_later_message),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_key__does_not_run_parts_together),
        cmocka_unit_test(test_key__is_the_same_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
