/* SPDX-License-Identifier: Apache-2.0 */
/* The grammar of replies: its file has no faults, and each row describes its examples. */
#include "reply/grammar.h"
#include "reply/reply.h"
#include "reply/sentence.h"
#include "reply/window.h"

#include "../arena.h"
#include "../test.h"

#include "base/arena.h"
#include "base/str.h"
#include "language/embedded_rules.h"

#include <string.h>
#include <time.h>

static int add(rdv_arena *arena, rdv_str text, rdv_error *err)
{
    reply_grammar *g = grammar_new(arena);
    assert_non_null(g);
    return grammar_add(g, RDV_STR("my.rules"), text, err);
}

static void test_grammar__built_in(void **state)
{
    rdv_error err = {0};
    if (add(*state, rules_embedded_text("replies.rules"), &err) != RDV_OK)
        fail_msg("%s", err.msg);
    assert_non_null(grammar_built_in());
}

/* The sentence of the example that the row has to describe is its last. */
static const grammar_row *row_of(rdv_str example, unsigned readers)
{
    reply_window w;
    sentence s;
    unsigned reader = readers & (0u - readers);
    char text[300];
    assert_true(example.len < sizeof text);
    memcpy(text, example.p, example.len);
    rdv_str copy = {text, example.len};
    size_t box = rdv_find(copy, RDV_STR("\\boxed{"), 0);
    if (box != RDV_NOT_FOUND) {
        size_t end = rdv_find_char(copy, '}', box);
        memset(text + box, ' ', end + 1 - box);
        memcpy(text + box, SENTENCE_BOX, 3);
    }
    window_of_tail(&w, copy);
    assert_true(w.n > 0);
    sentence_read(w.sentences[w.n - 1], (grammar_reader)reader, &s);
    return s.row;
}

static void test_grammar__rows_describe_their_examples(void **state)
{
    const reply_grammar *g = grammar_built_in();
    size_t bad = 0, n = 0;
    (void)state;
    for (size_t i = 0; i < g->n; i++) {
        const grammar_row *row = &g->rows[i];
        for (size_t k = 0; row->read_by && k < row->n_fires + row->n_silent; k++) {
            bool fires = k < row->n_fires;
            rdv_str text = fires ? row->fires[k] : row->silent[k - row->n_fires];
            const grammar_row *is = row_of(text, row->read_by);
            n++;
            if ((is == row) != fires) {
                print_error("%.*s: %s %.*s\n", RDV_FMT(row->id),
                            fires ? "does not describe" : "describes", RDV_FMT(text));
                bad++;
            }
        }
    }
    assert_int_equal(bad, 0);
    assert_true(n > 20);
}

static void test_grammar__faults(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"## a\nphrase: <b>\n", "my.rules:2: a: there is no phrase <b> above"},
        {"## a\nphrase: <a>\n", "my.rules:2: a: there is no phrase <a> above"},
        {"## a\nphrase: (b\n", "my.rules:2: a: a bracket is not closed, or empty"},
        {"## a\nphrase: b)\n", "my.rules:2: a: a pattern is empty, or has a \")\" too many"},
        {"## a\nphrase: ((((((((((b))))))))))\n", "my.rules:2: a: brackets are at most 8 deep"},
        {"## a\nsays: yes\nsentence: b\n",
         "my.rules:1: a: a sentence has readers and says something, a phrase has neither"},
        {"## a\nreader: location\nsays: support\nsentence: b\n",
         "my.rules:1: a: it has no example"},
        {"## a\nsays: perhaps\n", "my.rules:2: a: nothing says \"perhaps\""},
        {"## a\nreader: nobody\n", "my.rules:2: a: there is no reader \"nobody\""},
        {"## a\nphrase: b\n\n## a\nphrase: c\n", "my.rules:4: a stands twice"},
        {"## a\n", "my.rules:1: a: it has no pattern"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_error err = {0};
        assert_int_equal(add(*state, rdv_str_of(cases[i].text), &err), RDV_E_INPUT);
        assert_string_equal(err.msg, cases[i].says);
    }
}

/* A reply that begins many sentences of the grammar and ends none. */
static void test_grammar__time_is_bounded(void **state)
{
    static const char piece[] = "so therefore because it is clear that both solution 1 supports ";
    rdv_arena *arena = *state;
    size_t len = 4096;
    char *text = rdv_alloc(arena, len);
    for (size_t i = 0; i < len; i++)
        text[i] = piece[i % (sizeof piece - 1)];
    for (size_t i = 300; i < len; i += 300)
        text[i] = '\n';
    rdv_verdict_kind is;
    reply_ground by;
    clock_t begin = clock();
    assert_int_equal(reply_comparison((rdv_str){text, len}, RDV_ROBUST, &is, &by), RDV_NONE);
    assert_true(clock() - begin < 10 * CLOCKS_PER_SEC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_grammar__built_in, arena_set_up, arena_tear_down),
        cmocka_unit_test(test_grammar__rows_describe_their_examples),
        cmocka_unit_test_setup_teardown(test_grammar__faults, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_grammar__time_is_bounded, arena_set_up,
                                        arena_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
