/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "score/agree.h"

static rdv_correlation correlate(const rdv_paired *pairs, size_t n)
{
    rdv_correlation c;
    rdv_arena *arena = rdv_arena_new(0);
    assert_int_equal(rdv_pearson(pairs, n, arena, &c, NULL), RDV_OK);
    rdv_arena_free(&arena);
    return c;
}

/* Anscombe (1973), the first data set: r = 0.816, and t = 4.24 of 9 degrees, p = 0.00217. */
static void test_pearson__anscombe(void **state)
{
    (void)state;
    static const double x[] = {10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
    static const double y[] = {8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
    rdv_paired pairs[11];
    for (size_t i = 0; i < 11; i++)
        pairs[i] = (rdv_paired){x[i], y[i], i};
    rdv_correlation c = correlate(pairs, 11);
    assert_near(c.is.value, 0.81642, 1e-5);
    assert_near(c.t, 4.241, 1e-3);
    assert_near(c.p, 0.00217, 1e-5);
    assert_near(c.low, 0.4243912, 1e-6); /* R's cor.test() gives 0.4243912 to 0.9506933 */
    assert_near(c.high, 0.9506933, 1e-6);
    assert_int_equal(c.is.n, 11);
    assert_int_equal(c.questions, 11);
}

/* Copying each pair to a question of several steps adds nothing that is known: the error over
 * questions stays as it was, and p as of independent pairs falls. */
static void test_pearson__questions(void **state)
{
    (void)state;
    rdv_paired once[12], copies[60];
    for (size_t i = 0; i < 12; i++) {
        once[i] = (rdv_paired){(double)i, (double)((i * 7) % 12) + (double)i / 2, i};
        for (size_t k = 0; k < 5; k++)
            copies[5 * i + k] = once[i];
    }
    rdv_correlation a = correlate(once, 12), b = correlate(copies, 60);
    assert_near(a.is.value, b.is.value, 1e-12);
    assert_near(a.is.se, b.is.se, 1e-12);
    assert_near(a.p_questions, b.p_questions, 1e-12);
    assert_true(b.p < a.p);
    assert_int_equal(b.questions, 12);
}

/* The first-order error, against leaving each question out in turn. */
static void test_pearson__jackknife(void **state)
{
    (void)state;
    enum { QUESTIONS = 40, STEPS = 3 };
    rdv_paired pairs[QUESTIONS * STEPS], without[QUESTIONS * STEPS];
    uint32_t noise = 1;
    for (size_t i = 0; i < QUESTIONS * STEPS; i++) {
        noise = noise * 1664525u + 1013904223u;
        double x = (double)(noise >> 16) / 65536;
        noise = noise * 1664525u + 1013904223u;
        pairs[i] = (rdv_paired){
            x, 0.5 * x + (double)(noise >> 16) / 65536 + (double)(i / STEPS % 4), i / STEPS};
    }
    double sum = 0, squares = 0;
    for (size_t q = 0; q < QUESTIONS; q++) {
        size_t n = 0;
        for (size_t i = 0; i < QUESTIONS * STEPS; i++)
            if (pairs[i].question != q)
                without[n++] = pairs[i];
        double r = correlate(without, n).is.value;
        sum += r;
        squares += r * r;
    }
    double jackknife = sqrt((squares - sum * sum / QUESTIONS) * (QUESTIONS - 1) / QUESTIONS);
    assert_near(correlate(pairs, QUESTIONS * STEPS).is.se / jackknife, 1, 0.05);
}

static void test_pearson__nothing_known(void **state)
{
    (void)state;
    rdv_paired flat[] = {{0.1, 1, 0}, {0.1, 2, 1}, {0.1, 3, 2}, {0.1, 5, 3}};
    rdv_paired few[] = {{1, 2, 0}, {2, 3, 1}, {NAN, 4, 2}, {3, NAN, 3}};
    rdv_paired exact[] = {{1, -2, 0}, {2, -4, 1}, {3, -6, 1}};
    rdv_paired huge[] = {{1e30, 1, 0}};
    rdv_correlation c = correlate(flat, 4);
    assert_nan(c.is.value);
    assert_nan(c.p);
    assert_int_equal(c.is.n, 4);
    assert_nan(correlate(few, 4).is.value);
    assert_int_equal(correlate(few, 4).is.n, 2);
    assert_nan(correlate(NULL, 0).is.value);
    assert_near(correlate(exact, 3).is.value, -1, 1e-15);
    rdv_arena *arena = rdv_arena_new(0);
    assert_int_equal(rdv_pearson(huge, 1, arena, &c, NULL), RDV_E_ARGUMENT);
    assert_survives_no_memory(rdv_pearson(exact, 3, arena, &c, NULL) == RDV_OK,
                              rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

/* Tables of Student's t: two-sided. */
/* Pairs without a number take no part, and an exact line leaves nothing to chance. */
static void test_pearson__of_a_line(void **state)
{
    (void)state;
    const rdv_paired pairs[] = {{1, 2, 0}, {2, 4, 1}, {NAN, 5, 1}, {3, 6, 2}, {4, 8, 3}};
    rdv_correlation c = correlate(pairs, 5);
    assert_near(c.is.value, 1, 0);
    assert_int_equal(c.is.n, 4);
    assert_int_equal(c.questions, 4);
    assert_true(isinf(c.t) && c.t > 0);
    assert_near(c.p, 0, 0);
    assert_near(c.low, 1, 0);
    assert_near(c.high, 1, 0);
    assert_nan(c.is.low);
    assert_nan(c.p_questions);
}

/* The numbers of a line are rounded, so what is left to chance is not quite 0: this is no error. */
static void test_pearson__of_a_rounded_line(void **state)
{
    (void)state;
    static const double x[] = {7.7, 1.5, 9.3, 3.5};
    rdv_paired pairs[4];
    for (size_t i = 0; i < 4; i++)
        pairs[i] = (rdv_paired){x[i], 63 * x[i] + 55.25, i};
    rdv_correlation c = correlate(pairs, 4);
    assert_near(c.is.value, 1, 0);
    assert_nan(c.is.low);
    assert_nan(c.is.high);
    assert_nan(c.p_questions);
}

/* Numbers that differ by too little for the square of it: there is no correlation, not one of a
 * division by 0. */
static void test_pearson__squares_that_vanish(void **state)
{
    (void)state;
    const rdv_paired x[] = {{0, 1, 0}, {1e-200, 2, 1}, {2e-200, 4, 2}};
    const rdv_paired y[] = {{1, 0, 0}, {2, 1e-200, 1}, {4, 2e-200, 2}};
    assert_nan(correlate(x, 3).is.value);
    assert_nan(correlate(y, 3).is.value);
    assert_nan(correlate(y, 3).p);
}

static void test_pearson__numbers_that_are_too_large(void **state)
{
    (void)state;
    const rdv_paired x[] = {{1e300, 1, 0}}, y[] = {{1, 1e300, 0}};
    rdv_correlation c;
    rdv_error err;
    rdv_arena *arena = rdv_arena_new(0);
    assert_int_equal(rdv_pearson(x, 1, arena, &c, &err), RDV_E_ARGUMENT);
    assert_int_equal(rdv_pearson(y, 1, arena, &c, &err), RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "pair 0: a number too large to correlate");
    rdv_arena_free(&arena);
}

static void test_student_p(void **state)
{
    (void)state;
    static const struct {
        double t, degrees, p, error;
    } cases[] = {
        {12.7062047, 1, 0.05, 1e-8},   {2.2281389, 10, 0.05, 1e-8},  {-2.2281389, 10, 0.05, 1e-8},
        {1.9623391, 1000, 0.05, 1e-7}, {1.9599640, 1e9, 0.05, 1e-7}, {0, 5, 1, 0},
        {INFINITY, 3, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_near(rdv_student_p(cases[i].t, cases[i].degrees), cases[i].p, cases[i].error);
    /* far out: with one degree of freedom p is 2 / pi atan(1 / t) */
    assert_near(rdv_student_p(1e12, 1) / (2e-12 / acos(-1)), 1, 1e-6);
    assert_true(rdv_student_p(40, 1000) > 0 && rdv_student_p(40, 1000) < 1e-200);
    assert_nan(rdv_student_p(NAN, 3));
    assert_nan(rdv_student_p(1, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pearson__anscombe),
        cmocka_unit_test(test_pearson__questions),
        cmocka_unit_test(test_pearson__jackknife),
        cmocka_unit_test(test_pearson__nothing_known),
        cmocka_unit_test(test_pearson__of_a_line),
        cmocka_unit_test(test_pearson__of_a_rounded_line),
        cmocka_unit_test(test_pearson__squares_that_vanish),
        cmocka_unit_test(test_pearson__numbers_that_are_too_large),
        cmocka_unit_test(test_student_p),
    };
    return cmocka_run_group_tests_name("pearson", tests, NULL, NULL);
}
