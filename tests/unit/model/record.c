/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"
#include "base/str.h"
#include "model/record.h"

#include <math.h>
#include <stdlib.h>

static const rdv_alternative others[] = {{{"x\0y", 3}, -0x1.fffffffffffffp-3}, {{"", 0}, -1e-300}};
static const rdv_token tokens[] = {{{"first", 5}, NAN, NULL, 0}, {{"\n\"\\", 3}, -0.1, others, 2}};
static const double rewards[] = {0.1, NAN, -3};
static const rdv_reply full = {.text = {"a\0b \xc3\xa9 <&>", 10},
                               .tokens = tokens,
                               .n_tokens = 2,
                               .rewards = rewards,
                               .n_rewards = 3,
                               .finish = RDV_FINISH_LENGTH,
                               .usage = true,
                               .prompt_tokens = 123456789012,
                               .completion_tokens = 7,
                               .adapted = {"stop left out", 13}};

static rdv_str written(const rdv_reply *r, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    record_write_reply(&b, r);
    return rdv_buf_str(&b);
}

static void test_reply__comes_back_to_the_last_bit(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply r;
    rdv_str json = written(&full, arena);
    assert_int_equal(record_read_reply(json, arena, &r, NULL), RDV_OK);
    assert_true(rdv_str_eq(r.text, full.text) && rdv_str_eq(r.adapted, full.adapted));
    assert_int_equal(r.n_tokens, 2);
    assert_true(isnan(r.tokens[0].logprob) && r.tokens[1].logprob == -0.1);
    assert_true(rdv_str_eq(r.tokens[1].other[0].text, others[0].text));
    assert_true(r.tokens[1].other[0].logprob == others[0].logprob);
    assert_true(r.tokens[1].other[1].logprob == others[1].logprob);
    assert_true(r.rewards[0] == 0.1 && isnan(r.rewards[1]) && r.rewards[2] == -3);
    assert_int_equal(r.finish, RDV_FINISH_LENGTH);
    assert_true(r.usage && r.prompt_tokens == full.prompt_tokens && r.completion_tokens == 7);
    assert_true(rdv_str_eq(written(&r, arena), json));
    rdv_arena_free(&arena);
}

/* A replay has to say of a reply that failed what the run said. */
static void test_reply__the_servers_word_is_kept(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply r, failed = {.text = RDV_STR("yes"),
                           .finish = RDV_FINISH_OTHER,
                           .finish_said = RDV_STR("content_filter")};
    assert_int_equal(record_read_reply(written(&failed, arena), arena, &r, NULL), RDV_OK);
    assert_int_equal(r.finish, RDV_FINISH_OTHER);
    assert_text(r.finish_said, "content_filter");
    rdv_arena_free(&arena);
}

static void test_reply__absent_stays_absent(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_reply plain = {.text = RDV_STR("")}, r;
    assert_int_equal(record_read_reply(written(&plain, arena), arena, &r, NULL), RDV_OK);
    assert_null(r.adapted.p);
    assert_null(r.finish_said.p);
    assert_null(r.tokens);
    assert_false(r.usage);
    assert_non_null(r.text.p);
    rdv_arena_free(&arena);
}

#define KEY                                                                                        \
    "\"rederive_journal\":3,"                                                                      \
    "\"key\":\"00000000000000000000000000000000000000000000000000000000000000fF\""

static void test_line__comes_back(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    record_line line, again;
    static const char text[] = "{ \"created_ms\": 5, \"sample_id\": \"s\", " KEY
                               ", \"request\": {\"max_tokens\": 300, \"t\": 0.5},"
                               " \"new\": [], \"response\": {\"content\": \"x\", "
                               "\"finish_reason\": \"stop\"}, \"model\": \"m\"}";
    assert_int_equal(record_read_line(rdv_str_of(text), arena, &line, NULL), RDV_OK);
    assert_int_equal(line.key[31], 0xff);
    assert_string_equal(rdv_cstring(arena, line.request), "{\"max_tokens\":300,\"t\":0.5}");
    assert_null(line.operation.p);
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    record_write_line(&b, &line);
    assert_int_equal(record_read_line(rdv_buf_str(&b), arena, &again, NULL), RDV_OK);
    assert_memory_equal(line.key, again.key, 32);
    assert_true(rdv_str_eq(line.request, again.request) &&
                rdv_str_eq(line.response, again.response));
    assert_int_equal(again.created_ms, 5);
    rdv_arena_free(&arena);
}

static void test_line__bad_ones(void **state)
{
    static const char *const bad[] = {
        "",
        "3",
        "[]",
        "{}",
        "not JSON",
        "{" KEY "}",
        "{" KEY ",\"response\":{}}",
        "{" KEY ",\"response\":3}",
        "{\"rederive_journal\":3,\"key\":\"12\",\"response\":{\"content\":\"x\"}}",
        "{\"rederive_journal\":3,\"key\":\"zz\",\"response\":{\"content\":\"x\"}}",
        "{" KEY ",\"response\":{\"content\":7}}"};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        record_line line;
        rdv_error err = {0};
        assert_int_equal(record_read_line(rdv_str_of(bad[i]), arena, &line, &err), RDV_E_INPUT);
        assert_true(err.msg[0]);
    }
    rdv_arena_free(&arena);
}

/* Each line but for its version could be read. */
static void test_line__of_another_version(void **state)
{
    static const char *const bad[] = {
        "{\"key\":\"00\",\"response\":{\"content\":\"x\"}}",
        "{\"rederive_journal\":4,\"key\":\"00\",\"response\":{\"content\":\"x\"}}",
        "{\"rederive_journal\":\"3\",\"key\":\"00\",\"response\":{\"content\":\"x\"}}"};
    static const char *const why[] = {"missing", "another", "another"};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        record_line line;
        rdv_error err = {0};
        assert_int_equal(record_read_line(rdv_str_of(bad[i]), arena, &line, &err), RDV_E_INPUT);
        assert_non_null(strstr(err.msg, "of a journal of version 3"));
        assert_non_null(strstr(err.msg, why[i]));
    }
    rdv_arena_free(&arena);
}

/* A line as it is written, and what `jq -c 'del(.sha256)'` makes of it, can be read; no other. */
static void test_line__with_its_checksum(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    record_line line;
    rdv_error err = {0};
    rdv_buf b;
    static const char text[] =
        "{" KEY ",\"response\":{\"content\":\"it does not support\"},\"created_ms\":5}";
    assert_int_equal(record_read_line(rdv_str_of(text), arena, &line, NULL), RDV_OK);
    rdv_buf_init(&b, arena, 0);
    record_write_line(&b, &line);
    char *written = strndup(b.p, b.len), *sum = strstr(written, ",\"sha256\":\"");
    assert_non_null(sum);
    assert_int_equal(strlen(sum), strlen(",\"sha256\":\"\"}\n") + 64);
    for (size_t i = 0; i < b.len - 1; i++) {
        char was = written[i];
        written[i] = (char)(was == 'a' ? 'b' : 'a');
        int rc = record_read_line((rdv_str){written, b.len}, arena, &line, &err);
        bool sum_is_gone = written + i > sum + 1 && written + i < sum + 8;
        if (rc != (sum_is_gone ? RDV_OK : RDV_E_INPUT))
            fail_msg("changed byte %zu: %d", i, rc);
        written[i] = was;
    }
    memcpy(sum, "}", 2);
    assert_int_equal(record_read_line(rdv_str_of(written), arena, &line, &err), RDV_OK);
    free(written);
    rdv_arena_free(&arena);
}

static void test_reply__memory_runs_out(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str json = written(&full, arena);
    rdv_reply r;
    assert_survives_no_memory(record_read_reply(json, arena, &r, NULL) == RDV_OK, (void)0);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reply__comes_back_to_the_last_bit),
        cmocka_unit_test(test_reply__the_servers_word_is_kept),
        cmocka_unit_test(test_reply__absent_stays_absent),
        cmocka_unit_test(test_line__comes_back),
        cmocka_unit_test(test_line__bad_ones),
        cmocka_unit_test(test_line__of_another_version),
        cmocka_unit_test(test_line__with_its_checksum),
        cmocka_unit_test(test_reply__memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
