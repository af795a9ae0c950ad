/* SPDX-License-Identifier: Apache-2.0 */
/* Agreement between annotators, against worked examples that were published. */
#include "near.h"

#include "score/agree.h"

#define MISSING NAN
#define THREE_DIGITS 0.0005

/* Rows of observers, as papers print them, become rows of units. */
static rdv_ratings transposed(const double *rows, size_t observers, size_t units, double *out)
{
    for (size_t u = 0; u < units; u++)
        for (size_t o = 0; o < observers; o++)
            out[u * observers + o] = rows[o * units + u];
    return (rdv_ratings){.value = out, .n_units = units, .n_raters = observers};
}

static double measured(const rdv_ratings *ratings, rdv_agreement_kind is)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_estimate e;
    assert_int_equal(rdv_agreement(ratings, is, 10, 0, arena, &e, NULL), RDV_OK);
    rdv_arena_free(&arena);
    return e.value;
}

/* Krippendorff (2011), section A: binary data, two observers, nothing missing. */
static void test_alpha__binary(void **state)
{
    (void)state;
    static const double rows[] = {0, 1, 0, 0, 0, 0, 0, 0, 1, 0, /**/ 1, 1, 1, 0, 0, 1, 0, 0, 0, 0};
    double value[20];
    rdv_ratings r = transposed(rows, 2, 10, value);
    assert_near(measured(&r, RDV_ALPHA_NOMINAL), 0.095, THREE_DIGITS);
    assert_near(measured(&r, RDV_AGREE), 0.6, 1e-12);
}

/* Section B: nominal data a to e, two observers, nothing missing. */
static void test_alpha__nominal(void **state)
{
    (void)state;
    static const double rows[] = {1, 1, 2, 2, 4, 3, 3, 3, 5, 4, 4, 1, /**/
                                  2, 1, 2, 2, 2, 3, 3, 3, 5, 4, 4, 4};
    double value[24];
    rdv_ratings r = transposed(rows, 2, 12, value);
    assert_near(measured(&r, RDV_ALPHA_NOMINAL), 0.692, THREE_DIGITS);
}

/* Section C: four observers, twelve units, some missing; the same data for each level. */
static void test_alpha__missing(void **state)
{
    (void)state;
    static const double rows[] = {1,       2, 3, 3, 2, 1, 4, 1, 2, MISSING, MISSING, MISSING, /**/
                                  1,       2, 3, 3, 2, 2, 4, 1, 2, 5,       MISSING, 3,       /**/
                                  MISSING, 3, 3, 3, 2, 3, 4, 2, 2, 5,       1,       MISSING, /**/
                                  1,       2, 3, 3, 2, 4, 4, 1, 2, 5,       1,       MISSING};
    double value[48];
    rdv_ratings r = transposed(rows, 4, 12, value);
    assert_near(measured(&r, RDV_ALPHA_NOMINAL), 0.743, THREE_DIGITS);
    assert_near(measured(&r, RDV_ALPHA_ORDINAL), 0.815, THREE_DIGITS);
    assert_near(measured(&r, RDV_ALPHA_INTERVAL), 0.849, THREE_DIGITS);
    assert_nan(measured(&r, RDV_KAPPA)); /* the units have two to four ratings */
}

/* Krippendorff, "Computing Krippendorff's Alpha", the example of three coders and fifteen units
 * (also Wikipedia's, "A computational example"). */
static void test_alpha__three_coders(void **state)
{
    (void)state;
#define O MISSING
    static const double rows[] = {O, O, O, O, O, 3, 4, 1, 2, 1, 1, 3, 3, O, 3, /**/
                                  1, O, 2, 1, 3, 3, 4, 3, O, O, O, O, O, O, O, /**/
                                  O, O, 2, 1, 3, 4, 4, O, 2, 1, 1, 3, 3, O, 4};
#undef O
    double value[45];
    rdv_ratings r = transposed(rows, 3, 15, value);
    assert_near(measured(&r, RDV_ALPHA_NOMINAL), 0.691, THREE_DIGITS);
    assert_near(measured(&r, RDV_ALPHA_ORDINAL), 0.807, THREE_DIGITS);
    assert_near(measured(&r, RDV_ALPHA_INTERVAL), 0.811, THREE_DIGITS);
}

/* Order matters and distance does not: any rising names for the categories give the same ordinal
 * alpha, and any names at all the same nominal one. */
static void test_alpha__names_of_categories(void **state)
{
    (void)state;
    static const double value[] = {1, 2, 2, /**/ 3, 3, MISSING, /**/ 1, 1, 1, /**/ 2, 3, 1};
    static const double names[] = {0, -7, 0.5, 1e6}, shuffled[] = {0, 9, -4, 2};
    double risen[12], mixed[12];
    rdv_ratings r = {value, 4, 3, NULL}, s = {risen, 4, 3, NULL}, t = {mixed, 4, 3, NULL};
    for (size_t i = 0; i < 12; i++) {
        risen[i] = isnan(value[i]) ? NAN : names[(int)value[i]];
        mixed[i] = isnan(value[i]) ? NAN : shuffled[(int)value[i]];
    }
    assert_near(measured(&r, RDV_ALPHA_ORDINAL), measured(&s, RDV_ALPHA_ORDINAL), 1e-12);
    assert_near(measured(&r, RDV_ALPHA_NOMINAL), measured(&t, RDV_ALPHA_NOMINAL), 1e-12);
    assert_true(fabs(measured(&r, RDV_ALPHA_ORDINAL) - measured(&t, RDV_ALPHA_ORDINAL)) > 0.01);
}

static void test_alpha__extremes(void **state)
{
    (void)state;
    static const double agreed[] = {1, 1, /**/ 2, 2, /**/ 3, 3}, same[] = {1, 1, /**/ 1, 1};
    static const double lonely[] = {1, MISSING, /**/ MISSING, 2}, infinite[] = {INFINITY, 1};
    rdv_ratings all = {agreed, 3, 2, NULL}, one = {same, 2, 2, NULL}, none = {lonely, 2, 2, NULL};
    rdv_ratings bad = {infinite, 1, 2, NULL}, empty = {NULL, 0, 0, NULL};
    for (int is = 0; is <= RDV_ALPHA_INTERVAL; is++) {
        assert_near(measured(&all, (rdv_agreement_kind)is), 1, 1e-12);
        assert_nan(measured(&one, (rdv_agreement_kind)is));
        assert_nan(measured(&none, (rdv_agreement_kind)is));
        assert_nan(measured(&empty, (rdv_agreement_kind)is));
    }
    assert_near(measured(&one, RDV_AGREE), 1, 0);
    rdv_arena *arena = rdv_arena_new(0);
    rdv_estimate e;
    assert_int_equal(rdv_agreement(&bad, RDV_AGREE, 0, 0, arena, &e, NULL), RDV_E_ARGUMENT);
    /* Too many to be numbered, and more than there are addresses for. */
    rdv_ratings many = {NULL, (size_t)1 << 33, 1, NULL}, beyond = {NULL, SIZE_MAX / 2 + 1, 2, NULL};
    assert_int_equal(rdv_agreement(&many, RDV_AGREE, 0, 0, arena, &e, NULL), RDV_E_ARGUMENT);
    assert_int_equal(rdv_agreement(&beyond, RDV_AGREE, 0, 0, arena, &e, NULL), RDV_E_ARGUMENT);
    rdv_arena_free(&arena);
}

/* Fleiss (1971), table 1 as it is usually reprinted: 10 subjects, 14 raters, 5 categories. */
static void test_kappa(void **state)
{
    (void)state;
    static const int counts[10][5] = {
        {0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
        {7, 7, 0, 0, 0},  {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7}};
    double value[140];
    size_t n = 0;
    for (size_t u = 0; u < 10; u++)
        for (int k = 0; k < 5; k++)
            for (int i = 0; i < counts[u][k]; i++)
                value[n++] = k;
    rdv_ratings r = {value, 10, 14, NULL};
    assert_near(measured(&r, RDV_KAPPA), 0.210, THREE_DIGITS);
    assert_near(measured(&r, RDV_AGREE), 0.378, THREE_DIGITS);
}

/* Cohen's kappa of 20 yes, 5 and 10 apart, 15 no: 0.4. */
static void test_agreement_between(void **state)
{
    (void)state;
    static const struct {
        double a, b;
        int n;
    } cells[] = {{1, 1, 20}, {1, 0, 5}, {0, 1, 10}, {0, 0, 15}};
    double value[53 * 3];
    size_t n = 0;
    for (size_t c = 0; c < 4; c++)
        for (int i = 0; i < cells[c].n; i++, n++) {
            value[3 * n] = cells[c].a;
            value[3 * n + 1] = MISSING;
            value[3 * n + 2] = cells[c].b;
        }
    for (; n < 53; n++) {
        value[3 * n] = 1;
        value[3 * n + 1] = value[3 * n + 2] = MISSING;
    }
    rdv_ratings r = {value, 53, 3, NULL};
    rdv_pair_agreement pair;
    rdv_arena *arena = rdv_arena_new(0);
    assert_int_equal(rdv_agreement_between(&r, 0, 2, arena, &pair, NULL), RDV_OK);
    assert_near(pair.agreement.value, 0.7, 1e-12);
    assert_near(pair.kappa.value, 0.4, 1e-12);
    assert_near(pair.kappa.se, sqrt(0.7 * 0.3 / 50) / 0.5, 1e-12);
    assert_int_equal(pair.kappa.n, 50);
    assert_int_equal(rdv_agreement_between(&r, 0, 1, arena, &pair, NULL), RDV_OK);
    assert_int_equal(pair.agreement.n, 0);
    assert_nan(pair.agreement.value);
    rdv_arena_free(&arena);
}

/* ---- what chance leaves open ----------------------------------------------------------------- */

static rdv_estimate estimate_of(const rdv_ratings *r, rdv_agreement_kind is, size_t resamples,
                                uint64_t seed)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_estimate e;
    assert_int_equal(rdv_agreement(r, is, resamples, seed, arena, &e, NULL), RDV_OK);
    rdv_arena_free(&arena);
    return e;
}

static rdv_estimate estimate(const rdv_ratings *r, uint64_t seed)
{
    return estimate_of(r, RDV_ALPHA_NOMINAL, 500, seed);
}

/* The units of one cluster move together: alike ones tell less than as many alone. */
static void test_agreement__clusters(void **state)
{
    (void)state;
    double value[400];
    uint32_t cluster[200];
    for (size_t u = 0; u < 200; u++) {
        size_t question = u / 10;
        value[2 * u] = question % 2;
        value[2 * u + 1] = question % 5 == 0 ? 1 - value[2 * u] : value[2 * u];
        cluster[u] = 1000 + question;
    }
    rdv_ratings alone = {value, 200, 2, NULL}, together = {value, 200, 2, cluster};
    rdv_estimate a = estimate(&alone, 1), b = estimate(&together, 1), again = estimate(&alone, 1);
    assert_near(a.value, b.value, 0);
    assert_int_equal(a.n, 200);
    assert_true(b.se > 2 * a.se);
    assert_true(a.low < a.value && a.value < a.high);
    assert_near(a.se, again.se, 0);
    assert_true(a.se != estimate(&alone, 2).se);
}

/* Of 3 units that differ, 1 draw of 9 has a single category, and so no kappa; it is left out. */
static void test_agreement__draws_without_a_value(void **state)
{
    (void)state;
    static const double value[] = {1, 1, /**/ 2, 2, /**/ 3, 3};
    rdv_ratings r = {value, 3, 2, NULL};
    rdv_estimate e = estimate_of(&r, RDV_KAPPA, 500, 1);
    assert_near(e.value, 1, 1e-12);
    assert_near(e.se, 0, 1e-12);
    assert_near(e.low, 1, 1e-12);
    e = estimate_of(&r, RDV_AGREE, 1, 1);
    assert_near(e.value, 1, 0);
    assert_nan(e.se); /* of a single draw */
    assert_nan(e.low);
}

/* ---- labels ---------------------------------------------------------------------------------- */

static void test_first_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *is; /* y, n, or ? */
        size_t n_steps;
        rdv_label expected;
    } cases[] = {{"yyn??", 5, {RDV_LABEL_AT, 2}},    {"yyy", 3, {RDV_LABEL_NO_MISTAKE, 0}},
                 {"y?n", 3, {RDV_LABEL_UNKNOWN, 0}}, {"yy?", 3, {RDV_LABEL_UNKNOWN, 0}},
                 {"n", 4, {RDV_LABEL_AT, 0}},        {"yy", 3, {RDV_LABEL_UNKNOWN, 0}},
                 {"", 0, {RDV_LABEL_UNKNOWN, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int8_t is[8];
        rdv_step_labels by = {.is = is, .n = strlen(cases[i].is)};
        for (size_t k = 0; k < by.n; k++)
            is[k] = cases[i].is[k] == 'y' ? 1 : cases[i].is[k] == 'n' ? 0 : -1;
        rdv_label label = rdv_first_wrong(&by, cases[i].n_steps);
        assert_int_equal(label.kind, cases[i].expected.kind);
        assert_int_equal(label.step, cases[i].expected.step);
    }
}

/* -1: no mistake; -2: unknown. */
static rdv_majority majority(const int *votes, size_t n, rdv_tie_kind ties)
{
    rdv_label labels[8];
    rdv_majority out;
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < n; i++)
        labels[i] = votes[i] >= 0    ? (rdv_label){RDV_LABEL_AT, (size_t)votes[i]}
                    : votes[i] == -1 ? (rdv_label){RDV_LABEL_NO_MISTAKE, 0}
                                     : (rdv_label){RDV_LABEL_UNKNOWN, 0};
    assert_int_equal(rdv_majority_label(labels, n, ties, arena, &out, NULL), RDV_OK);
    rdv_arena_free(&arena);
    return out;
}

static void test_majority_label(void **state)
{
    (void)state;
    static const struct {
        int votes[5];
        size_t n;
        int expected[3]; /* by the rule for ties: unknown, first, last */
        size_t known, won;
        bool tied;
    } cases[] = {
        {{3, 3, 4}, 3, {3, 3, 3}, 3, 2, false},   {{-1, -1, 4}, 3, {-1, -1, -1}, 3, 2, false},
        {{2, 3, 4}, 3, {-2, 2, 4}, 3, 1, true},   {{2, -1, -1, 2, 7}, 5, {-2, 2, -1}, 5, 2, true},
        {{5, -2, -2}, 3, {5, 5, 5}, 1, 1, false}, {{-2, -2}, 2, {-2, -2, -2}, 0, 0, false},
        {{0}, 0, {-2, -2, -2}, 0, 0, false},      {{1, 0, 1, 0, 4}, 5, {-2, 0, 1}, 5, 2, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int ties = 0; ties < 3; ties++) {
            rdv_majority m = majority(cases[i].votes, cases[i].n, (rdv_tie_kind)ties);
            int found = m.label.kind == RDV_LABEL_AT           ? (int)m.label.step
                        : m.label.kind == RDV_LABEL_NO_MISTAKE ? -1
                                                               : -2;
            assert_int_equal(found, cases[i].expected[ties]);
            assert_int_equal(m.votes, cases[i].known);
            assert_int_equal(m.won, cases[i].won);
            assert_int_equal(m.tied, cases[i].tied);
        }
    }
    rdv_tie_kind tie;
    assert_int_equal(rdv_tie_named(RDV_STR("last"), &tie), RDV_OK);
    assert_int_equal(tie, RDV_TIE_LAST);
    assert_int_equal(rdv_tie_named(RDV_STR("none"), &tie), RDV_NONE);
}

static void test_agreement__no_memory(void **state)
{
    (void)state;
    static const double value[] = {1, 2, /**/ 3, 3, /**/ 1, 1};
    rdv_ratings r = {value, 3, 2, NULL};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_estimate e = {.n = 77};
    rdv_pair_agreement pair;
    rdv_majority m;
    rdv_label label = {RDV_LABEL_AT, 1};
    assert_survives_no_memory(rdv_agreement(&r, RDV_ALPHA_ORDINAL, 5, 0, arena, &e, NULL) == RDV_OK,
                              assert_int_equal(e.n, 77);
                              rdv_arena_reset(arena));
    assert_survives_no_memory(rdv_agreement_between(&r, 0, 1, arena, &pair, NULL) == RDV_OK,
                              rdv_arena_reset(arena));
    assert_survives_no_memory(rdv_majority_label(&label, 1, RDV_TIE_FIRST, arena, &m, NULL) ==
                                  RDV_OK,
                              rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alpha__binary),
        cmocka_unit_test(test_alpha__nominal),
        cmocka_unit_test(test_alpha__missing),
        cmocka_unit_test(test_alpha__three_coders),
        cmocka_unit_test(test_alpha__names_of_categories),
        cmocka_unit_test(test_alpha__extremes),
        cmocka_unit_test(test_kappa),
        cmocka_unit_test(test_agreement_between),
        cmocka_unit_test(test_agreement__clusters),
        cmocka_unit_test(test_agreement__draws_without_a_value),
        cmocka_unit_test(test_first_wrong),
        cmocka_unit_test(test_majority_label),
        cmocka_unit_test(test_agreement__no_memory),
    };
    return cmocka_run_group_tests_name("agree", tests, NULL, NULL);
}
