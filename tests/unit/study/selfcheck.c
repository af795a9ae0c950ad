/* SPDX-License-Identifier: Apache-2.0 */
#include "items.h"

#include "study/views.h"

/* One chain by each of the checks that are there. */
typedef struct fact {
    const char *question, *answer;
    int right;
    double confidence;
    bool unchecked, skipped;
    const char *method; /* NULL: selfcheck */
    const char *raw;    /* NULL: the record says nothing else */
    rdv_verdict *verdict; /* of the chain; NULL: none */
} fact;

static int add(rdv_study *study, const fact *f, rdv_arena *scratch)
{
    rdv_check check = {.method = rdv_str_of(f->method ? f->method : "selfcheck"),
                       .confidence = f->confidence,
                       .first_error = RDV_NO_STEP,
                       .skipped = f->skipped,
                       .verdicts = f->verdict,
                       .n_verdicts = f->verdict ? 1 : 0};
    rdv_chain chain = {.question = {.id = rdv_str_of(f->question), .gold = RDV_STR("5")},
                       .answer = rdv_str_of(f->answer),
                       .correct = -1,
                       .checks = &check,
                       .n_checks = f->unchecked ? 0 : 1,
                       .raw = rdv_str_of(f->raw)};
    return rdv_study_add(study, &chain, scratch, NULL);
}

static int compute(const char *name, const fact *facts, size_t n, rdv_arena *arena,
                   rdv_study_table *out)
{
    rdv_study *study = study_of(arena, name, NULL);
    rdv_study_tables tables;
    int r = study ? RDV_OK : RDV_E_NOMEM;
    for (size_t i = 0; r == RDV_OK && i < n; i++)
        r = add(study, &facts[i], arena);
    if (r == RDV_OK)
        r = rdv_study_finish(study, &tables, NULL);
    if (r == RDV_OK)
        *out = tables.tables[0];
    return r;
}

/* Four questions of two chains: both right; one right, the check knows it; one right, the check is
 * mistaken; both wrong in different ways. */
static size_t four_questions(fact *f)
{
    static const fact all[] = {{"q0", "5", 1, 1},   {"q0", "5", 1, 0.9}, {"q1", "5", 1, 0.9},
                               {"q1", "6", 0, 0.5}, {"q2", "5", 1, 0.2}, {"q2", "6", 0, 0.3},
                               {"q3", "6", 0, 0.4}, {"q3", "7", 0, 0.1}};
    memcpy(f, all, sizeof all);
    return 8;
}

static void test_table1__by_hand(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    fact f[8];
    rdv_study_table t;
    assert_int_equal(compute("selfcheck:table1", f, four_questions(f), arena, &t), RDV_OK);
    assert_int_equal(t.series->n_rows, 1);
    assert_int_equal(t.n_rows, 1);
    assert_near(value_of(&t, 0, "n_chains"), 2, 0);
    assert_near(value_of(&t, 0, "correct.none"), 0.25, 0);
    assert_near(value_of(&t, 0, "correct.some"), 0.5, 0);
    assert_near(value_of(&t, 0, "correct.all"), 0.25, 0);
    assert_near(value_of(&t, 0, "accuracy.majority"), 0.5, 0);
    assert_near(value_of(&t, 0, "accuracy.weighted"), 0.5, 0);
    const rdv_estimate *gain = &cell_of(&t, 0, "gain.weighted")->is; /* 0, .5, -.5, 0 */
    assert_near(gain->value, 0, 0);
    assert_near(gain->se, sqrt(0.5 / 3 / 4), 1e-15);
    assert_int_equal(gain->n, 4);
    assert_near(value_of(t.series, 0, "n_questions"), 4, 0);
    assert_near(value_of(t.series, 0, "n_chains"), 8, 0);
    rdv_arena_free(&arena);
}

/* A chain that was not checked, or skipped, takes its whole question out of the votes; of the
 * verification only the chain goes. */
static void test_unchecked__is_left_out(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    fact f[8];
    rdv_study_table t;
    size_t n = four_questions(f);
    f[3].skipped = true;
    f[6].unchecked = true;
    f[7].confidence = NAN;
    assert_int_equal(compute("selfcheck:fig2", f, n, arena, &t), RDV_OK);
    assert_near(value_of(t.series, 0, "n_skipped"), 1, 0);
    assert_near(value_of(t.series, 0, "n_unchecked"), 1, 0);
    assert_near(value_of(t.series, 0, "n_null_confidence"), 1, 0);
    assert_near(value_of(t.series, 0, "n_questions_unchecked"), 2, 0);
    assert_near(value_of(t.series, 0, "n_questions"), 4, 0);
    assert_int_equal(t.n_rows, 2); /* 1 and 2 chains: nobody has 3 */
    assert_int_equal(cell_of(&t, 1, "gain.weighted")->is.n, 2);
    assert_near(value_of(&t, 1, "gain.weighted"), -0.25, 0);
    assert_int_equal(compute("selfcheck:table2", f, n, arena, &t), RDV_OK);
    assert_int_equal(cell_of(&t, 0, "balanced_accuracy")->is.n, 5);
    assert_near(value_of(&t, 0, "tpr"), 0.75, 0);
    assert_near(value_of(&t, 0, "tnr"), 1, 0); /* q2's only: .3 */
    rdv_arena_free(&arena);
}

static void test_thresholds__by_hand(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    fact f[8];
    rdv_study_table t;
    size_t n = four_questions(f);
    assert_int_equal(compute("selfcheck:v2fig4", f, n, arena, &t), RDV_OK);
    assert_int_equal(t.n_rows, 21);
    assert_near(value_of(&t, 10, "threshold"), 0.5, 0);
    assert_near(value_of(&t, 0, "precision_accepted"), 0.5, 0); /* t = 0: all are accepted */
    assert_int_equal(cell_of(&t, 0, "precision_rejected")->kind, RDV_CELL_ABSENT);
    assert_near(value_of(&t, 10, "precision_accepted"), 0.75, 0); /* 1 .9 .9, and .5 wrong */
    assert_near(value_of(&t, 10, "precision_rejected"), 0.75, 0);
    assert_int_equal(compute("selfcheck:v2fig3", f, n, arena, &t), RDV_OK);
    assert_near(value_of(&t, 10, "tpr"), 0.75, 0);
    assert_near(value_of(&t, 10, "tnr"), 0.75, 0);
    assert_near(value_of(&t, 10, "balanced_accuracy"), 0.75, 0);
    assert_int_equal(compute("selfcheck:fig3", f, n, arena, &t), RDV_OK);
    assert_near(value_of(&t, 20, "precision_accepted"), 1, 0);
    assert_int_equal(cell_of(&t, 20, "precision_accepted")->is.n, 1);
    rdv_arena_free(&arena);
}

static void test_roc__by_hand(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    fact f[8];
    rdv_study_table t;
    assert_int_equal(compute("selfcheck:fig4", f, four_questions(f), arena, &t), RDV_OK);
    /* right: 1 .9 .9 .2; wrong: .5 .3 .4 .1: of 16 pairs 3 * 4 + 1 are in order */
    assert_near(value_of(t.series, 0, "auc"), 13.0 / 16, 1e-15);
    assert_int_equal(t.n_rows, 8);
    assert_true(isinf(value_of(&t, 0, "threshold")));
    assert_near(value_of(&t, 2, "threshold"), 0.9, 0);
    assert_near(value_of(&t, 2, "tpr"), 0.75, 0);
    assert_near(value_of(&t, 2, "fpr"), 0, 0);
    assert_near(value_of(&t, 7, "fpr"), 1, 0);
    /* Right ones only have no curve. */
    assert_int_equal(compute("selfcheck:fig4", f, 2, arena, &t), RDV_OK);
    assert_int_equal(t.n_rows, 0);
    assert_int_equal(t.ends[0], 0);
    assert_nan(value_of(t.series, 0, "auc"));
    rdv_arena_free(&arena);
}

/* The threshold that was fitted for the part that a chain is in decides. */
static void test_table2__thresholds_of_parts(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_study_options options = {.size = sizeof options, .fit = true, .parts = 2, .seed = 3};
    rdv_study *study = study_of(arena, "selfcheck:table2", &options);
    rdv_study_tables tables;
    fact f[8];
    size_t n = four_questions(f), accepted = 0, right = 0;
    for (size_t i = 0; i < n; i++)
        assert_int_equal(add(study, &f[i], arena), RDV_OK);
    assert_int_equal(rdv_study_finish(study, &tables, NULL), RDV_OK);
    const view *by = &((const views *)study->of)->of[0];
    assert_int_equal(by->n_fits, 2);
    for (size_t i = 0; i < by->n; i++) {
        size_t part = views_part(&study->questions[by->items[i].vote.question], 2);
        right += f[i].right;
        accepted += f[i].right && f[i].confidence >= by->fits[part].model.threshold;
    }
    assert_near(value_of(&tables.tables[0], 0, "tpr"), (double)accepted / (double)right, 1e-15);
    assert_string_equal(tables.tables[1].member, "fits");
    assert_string_equal(tables.tables[2].member, "split");
    rdv_arena_free(&arena);
}

/* Rows by check and by makers; what nobody checked is left out. */
static void test_series__by_check_and_makers(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    fact f[16];
    size_t n = four_questions(f);
    for (size_t i = 0; i < n; i++)
        f[i].raw = i % 4 < 2 ? "{\"generator\":\"g1\"}" : "{\"generator\":\"g2\"}";
    for (size_t i = 0; i < n; i++) {
        f[n + i] = f[i];
        f[n + i].method = "error-check";
        f[n + i].unchecked = i % 4 < 2;
    }
    rdv_study_table t;
    assert_int_equal(compute("selfcheck:fig6", f, 2 * n, arena, &t), RDV_OK);
    assert_int_equal(t.series->n_rows, 3);
    assert_text(cell_of(t.series, 0, "generator")->text, "g1");
    assert_text(cell_of(t.series, 1, "generator")->text, "g2");
    assert_text(cell_of(t.series, 2, "check")->text, "error-check");
    assert_text(cell_of(t.series, 2, "generator")->text, "g2");
    assert_int_equal(cell_of(t.series, 2, "checker")->kind, RDV_CELL_ABSENT);
    assert_int_equal(compute("selfcheck:fig2", f + n, n, arena, &t), RDV_NONE);
    rdv_arena_free(&arena);
}

static bool has_note(const rdv_study_table *table, const char *note)
{
    for (size_t i = 0; i < table->n_notes; i++)
        if (rdv_str_eq(table->notes[i], rdv_str_of(note)))
            return true;
    return false;
}

/* A method of one's own that finds a chain neither right nor wrong leaves it undecided. The rates
 * are of the others; how many they leave out is counted, and said. */
static void test_table2__undecided(void **state)
{
    (void)state;
    static rdv_verdict support = {.step = RDV_WHOLE_CHAIN, .kind = RDV_SUPPORT, .score = 1},
                       half = {.step = RDV_WHOLE_CHAIN, .kind = RDV_UNRELATED, .score = 0.5};
    rdv_arena *arena = rdv_arena_new(0);
    fact f[8];
    rdv_study_table t;
    size_t n = four_questions(f);
    for (size_t i = 0; i < n; i++) {
        f[i].method = "mine";
        f[i].verdict = i < 3 ? &half : &support;
        f[i].confidence = f[i].verdict->score;
    }
    assert_int_equal(compute("selfcheck:table2", f, n, arena, &t), RDV_OK);
    assert_near(value_of(t.series, 0, "n_undecided"), 3, 0);
    assert_near(value_of(&t, 0, "n"), 5, 0);
    assert_true(
        has_note(&t, "3 checked chains neither accepted nor rejected, excluded from rates"));
    rdv_arena_free(&arena);
}

/* One table of each shape. */
static bool shapes_work(rdv_arena *arena)
{
    static const char *const shapes[] = {"selfcheck:table1", "selfcheck:table2", "selfcheck:fig4"};
    fact f[8];
    rdv_study_table t;
    size_t n = four_questions(f);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (compute(shapes[i], f, n, arena, &t) != RDV_OK)
            return false;
    return true;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    assert_survives_no_memory(shapes_work(arena), rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table1__by_hand),
        cmocka_unit_test(test_unchecked__is_left_out),
        cmocka_unit_test(test_thresholds__by_hand),
        cmocka_unit_test(test_roc__by_hand),
        cmocka_unit_test(test_table2__thresholds_of_parts),
        cmocka_unit_test(test_table2__undecided),
        cmocka_unit_test(test_series__by_check_and_makers),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
