/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing answers: tests/golden/answers-same.txt. */
#include <rederive/answer.h>

#include "../test.h"
#include "../text/golden.h"
#include "../answer/form.h"

typedef enum relation { SAME, DIFFERENT, RIGHT, NO_KEY, RELATIONS } relation;

static const char *const signs[RELATIONS] = {" == ", " != ", " =~ ", " -- "};

/* One line of the golden file taken apart. */
typedef struct claim {
    rdv_answer_form form;
    rdv_str a, b;
    relation relation;
} claim;

static claim read_claim(rdv_str line, rdv_arena *arena)
{
    claim c = {0};
    size_t colon = rdv_find(line, RDV_STR(": "), 0), open = rdv_find_char(line, '[', 0);
    if (colon == RDV_NOT_FOUND)
        fail_msg("no kind: %.*s", RDV_FMT(line));
    bool options = open < colon;
    c.form = form_of(rdv_slice(line, 0, options ? open : colon),
                     options ? rdv_slice(line, open + 1, colon - 1) : (rdv_str){0}, arena);
    rdv_str rest = rdv_slice(line, colon + 1, line.len);
    for (relation r = SAME; r < RELATIONS; r++) {
        size_t at = rdv_find(rest, rdv_str_of(signs[r]), 0);
        if (at == RDV_NOT_FOUND)
            continue;
        c.relation = r;
        c.a = rdv_trim(rdv_slice(rest, 0, at));
        c.b = rdv_trim(rdv_slice(rest, at + 4, rest.len));
        return c;
    }
    fail_msg("no sign: %.*s", RDV_FMT(line));
    return c;
}

static bool is_right(const claim *c, rdv_str answer, rdv_str gold, rdv_arena *arena)
{
    bool right = false;
    rdv_error err = {0};
    if (rdv_answer_right(answer, gold, &c->form, arena, &right, &err) < 0)
        fail_msg("%s", err.msg);
    return right;
}

static void check_line(rdv_str line, rdv_arena *arena)
{
    claim c = read_claim(line, arena);
    rdv_str a = {0}, b = {0};
    int rc = rdv_answer_key(c.a, &c.form, arena, &a, NULL);
    if (rc != (c.relation == NO_KEY ? RDV_NONE : RDV_OK))
        fail_msg("%.*s: key is \"%.*s\" (%d)", RDV_FMT(line), RDV_FMT(a), rc);
    if (c.relation == NO_KEY)
        return;
    assert_int_equal(rdv_answer_key(c.b, &c.form, arena, &b, NULL), RDV_OK);
    if (rdv_str_eq(a, b) != (c.relation == SAME))
        fail_msg("%.*s: keys are \"%.*s\" and \"%.*s\"", RDV_FMT(line), RDV_FMT(a), RDV_FMT(b));
    if (is_right(&c, c.a, c.b, arena) != (c.relation != DIFFERENT))
        fail_msg("%.*s: compared with gold", RDV_FMT(line));
    if (c.relation == SAME && !is_right(&c, c.b, c.a, arena))
        fail_msg("%.*s: compared with gold the other way", RDV_FMT(line));
}

static void test_answer_key__golden(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str rest = golden_text("answers-same.txt", arena), line;
    size_t n = 0;
    while (rdv_next_line(&rest, &line)) {
        if (line.len == 0 || line.p[0] == '#')
            continue;
        check_line(line, arena);
        n++;
    }
    assert_true(n > 100);
    rdv_arena_free(&arena);
}

static void test_answer_right__absent(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_answer_form form = {.kind = RDV_KIND_NUMBER};
    bool right = true;
    assert_int_equal(rdv_answer_right((rdv_str){0}, RDV_STR("5"), &form, arena, &right, NULL),
                     RDV_OK);
    assert_false(right);
    assert_int_equal(rdv_answer_right(RDV_STR("5"), (rdv_str){0}, &form, arena, &right, NULL),
                     RDV_NONE);
    rdv_arena_free(&arena);
}

/* A form whose kind is not decided is of options where there are any, else of mathematics. */
static void test_answer_key__undecided_kind(void **state)
{
    static const rdv_str colours[] = {{"red", 3}, {"blue", 4}};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_answer_form options = {.n_options = 2, .options = colours}, open = {0};
    rdv_str key;
    rdv_answer got;
    assert_int_equal(rdv_answer_key(RDV_STR("blue"), &options, arena, &key, NULL), RDV_OK);
    assert_text(key, "B");
    assert_int_equal(rdv_answer_key(RDV_STR("2/4"), &open, arena, &key, NULL), RDV_OK);
    assert_text(key, "1/2");
    assert_int_equal(rdv_answer_read(RDV_STR("So it is (b)."), &options, &got), RDV_OK);
    assert_text(got.text, "b");
    rdv_arena_free(&arena);
}

/* Another way to write the right answer has the key of the first, wherever it stands. */
static void test_answer_key__of_golds(void **state)
{
    const rdv_str golds[] = {RDV_STR("01/05/2021"), RDV_STR("tomorrow"), RDV_STR("01/06/2021")};
    rdv_answer_form form = {.kind = RDV_KIND_DATE, .golds = golds, .n_golds = 3};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str first, key;
    assert_int_equal(rdv_answer_key(golds[0], &form, arena, &first, NULL), RDV_OK);
    assert_int_equal(rdv_answer_key(golds[2], &form, arena, &key, NULL), RDV_OK);
    assert_true(rdv_str_eq(key, first));
    assert_int_equal(rdv_answer_key(RDV_STR("01/07/2021"), &form, arena, &key, NULL), RDV_OK);
    assert_false(rdv_str_eq(key, first));
    rdv_arena_free(&arena);
}

/* An option without a value is none that an answer has, however long its blanks. */
static void test_answer_key__blank_options(void **state)
{
    static char blanks[5000];
    memset(blanks, ' ', sizeof blanks);
    const rdv_str options[] = {
        {blanks, sizeof blanks}, RDV_STR(""), RDV_STR(" , "), RDV_STR("5.0")};
    rdv_answer_form form = {.kind = RDV_KIND_OPTION, .options = options, .n_options = 4};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str key = {0};
    assert_int_equal(rdv_answer_key(RDV_STR("5"), &form, arena, &key, NULL), RDV_OK);
    assert_text(key, "D");
    rdv_arena_free(&arena);
}

/* A dash alone states nothing; its first two bytes alone are no dash. */
static void test_answer_key__cut_dash(void **state)
{
    const rdv_str dash = RDV_STR("\xe2\x80\x94");
    rdv_answer_form form = {.kind = RDV_KIND_LATEX};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str key = {0};
    assert_int_equal(rdv_answer_key(dash, &form, arena, &key, NULL), RDV_NONE);
    assert_int_equal(rdv_answer_key(rdv_slice(dash, 0, 2), &form, arena, &key, NULL), RDV_OK);
    assert_text(key, "\xe2\x80");
    rdv_arena_free(&arena);
}

static void test_answer_key__out_of_memory(void **state)
{
    static const char *const answers[] = {"\\{1, \\frac{1}{2}, \\pm 3\\}", "x \\ge 2_8",
                                          "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}",
                                          "(2,3] \\cup \\text{even}"};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_answer_form form = {.kind = RDV_KIND_LATEX};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        rdv_str key = {0};
        assert_survives_no_memory(
            rdv_answer_key(rdv_str_of(answers[i]), &form, arena, &key, NULL) == RDV_OK,
            assert_null(key.p));
    }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answer_key__golden),
        cmocka_unit_test(test_answer_right__absent),
        cmocka_unit_test(test_answer_key__undecided_kind),
        cmocka_unit_test(test_answer_key__of_golds),
        cmocka_unit_test(test_answer_key__blank_options),
        cmocka_unit_test(test_answer_key__cut_dash),
        cmocka_unit_test(test_answer_key__out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
