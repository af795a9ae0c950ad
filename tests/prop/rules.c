/* SPDX-License-Identifier: Apache-2.0 */
/* A rule that a user adds may excuse, never support: whatever rows are drawn, no step becomes
 * support that was not, no calculation right that was not, and only wrong ones change. The steps
 * are those of the golden files of calculations. */
#include <rederive/method.h>

#include "../unit/test.h"
#include "base/buf.h"
#include "base/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MOST 4000
#define BYTES_MOST ((size_t)4 << 20)
#define SETS SHARE(24)
#define IN_CHAIN 5 /* steps */

static const char *const files[] = {"calculation_contexts.txt", "calculation_equations.txt",
                                    "calculation_words.txt", "calculations.txt"};
/* What the drawn cues are made of; texts of the steps have these words. */
static const char *const words[] = {"is",       "that",
                                    "the",      "it",
                                    "not",      "of",
                                    "a",        "we",
                                    "so",       "then",
                                    "if",       "and",
                                    "he",       "she",
                                    "has",      "pens",
                                    "what",     "=",
                                    ",",        ".",
                                    ":",        "say*",
                                    "wr*",      "was",
                                    "@is",      "so|thus|hence",
                                    "each|per", "wrong",
                                    "said",     "equals",
                                    "true",     "this",
                                    "i"};
static const char *const fillers[] = {"...", "<word>", "(a)", "(!@is)", "#", "!x", "<name>", "*ed"};
static const char *const effects[] = {"denied", "supposed", "quoted", "reported", "replaced",
                                      "logic",  "tried",    "asked",  "retracted"};
static const char *const places[] = {"before clause", "before frame",  "before sentence",
                                     "around next",   "behind clause", "behind sentence",
                                     "behind next",   "behind step"};

#define DRAWN(rng, table) ((table)[rdv_rng_below((rng), sizeof(table) / sizeof *(table))])

static rdv_str steps[STEPS_MOST];
static size_t n_steps;

static void read_steps(const char *name, rdv_arena *arena)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/golden/%s", getenv("RDV_SOURCE"), name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be read", path);
    char *bytes = rdv_alloc(arena, BYTES_MOST);
    rdv_str line, rest = {bytes, fread(bytes, 1, BYTES_MOST, file)};
    fclose(file);
    while (rdv_next_line(&rest, &line) && n_steps < STEPS_MOST)
        if (rdv_starts(line, RDV_STR("> ")))
            steps[n_steps++] = rdv_slice(line, 2, line.len);
}

/* A row with a few cues. */
static void put_row(rdv_rng *rng, size_t k, rdv_buf *b)
{
    bool holds = rdv_rng_below(rng, 2);
    rdv_buf_printf(b, "## drawn-%zu\neffect: %s\nfires: x\n", k, DRAWN(rng, effects));
    if (!holds)
        rdv_buf_printf(b, "where: %s\n", DRAWN(rng, places));
    for (size_t n = 1 + rdv_rng_below(rng, 3); n > 0; n--) {
        size_t fill = rdv_rng_below(rng, 3), claim = rdv_rng_below(rng, 2);
        rdv_buf_printf(b, "cue: %s%s", holds && claim ? "_ " : "", DRAWN(rng, words));
        if (fill)
            rdv_buf_printf(b, " %s %s", DRAWN(rng, fillers), DRAWN(rng, words));
        rdv_buf_printf(b, "%s\n", holds && !claim ? " _" : "");
    }
}

static rdv_rules *draw(rdv_rng *rng, rdv_arena *arena)
{
    rdv_error err = {0};
    rdv_buf b;
    rdv_rules *rules = rdv_rules_new(arena);
    rdv_buf_init(&b, arena, 0);
    for (size_t k = 0, n = 1 + rdv_rng_below(rng, 8); k < n; k++)
        put_row(rng, k, &b);
    if (rdv_rules_add(rules, RDV_STR("drawn.rules"), rdv_buf_str(&b), &err) != RDV_OK)
        fail_msg("%s\n%.*s", err.msg, RDV_FMT(rdv_buf_str(&b)));
    return rules;
}

/* ---- calculations ---------------------------------------------------------------------------- */

static size_t excused;

static void compare(rdv_str step, const rdv_calc *plain, const rdv_calc *ruled)
{
    bool same = plain->kind == ruled->kind && plain->begin == ruled->begin;
    bool is_excused = plain->kind == RDV_CALC_WRONG && ruled->kind == RDV_CALC_UNDECIDED &&
                      plain->begin == ruled->begin && ruled->excused && ruled->note.p &&
                      rdv_starts(ruled->rule, RDV_STR("drawn-"));
    if (!same && !is_excused)
        fail_msg("\"%.*s\": %s at %zu became %s at %zu", RDV_FMT(step), rdv_calc_name(plain->kind),
                 plain->begin, rdv_calc_name(ruled->kind), ruled->begin);
    assert_true(same ? !ruled->excused : true);
    excused += is_excused;
}

static void follow(const rdv_chain *chain, const rdv_rules *rules, rdv_arena *arena)
{
    rdv_calculator *plain = rdv_calculator_new(arena, (rdv_str){0});
    rdv_calculator *ruled = rdv_calculator_new(arena, (rdv_str){0});
    rdv_calculator_set_rules(ruled, rules);
    for (size_t i = 0; i < chain->n_steps; i++) {
        rdv_calc *a, *b;
        size_t n_a, n_b;
        assert_int_equal(rdv_calculator_step(plain, chain->steps[i], &a, &n_a, NULL), RDV_OK);
        assert_int_equal(rdv_calculator_step(ruled, chain->steps[i], &b, &n_b, NULL), RDV_OK);
        assert_int_equal(n_a, n_b);
        for (size_t k = 0; k < n_a; k++)
            compare(chain->steps[i], &a[k], &b[k]);
    }
    rdv_calculator_free(&plain);
    rdv_calculator_free(&ruled);
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static void check(const char *name, const rdv_chain *chain, const rdv_rules *rules,
                  rdv_arena *arena)
{
    rdv_check_options options;
    rdv_check plain, ruled;
    const rdv_method *method = rdv_method_named(rdv_str_of(name));
    rdv_check_options_default(&options, sizeof options);
    options.math = RDV_MATH_NATIVE;
    assert_int_equal(rdv_check_chain(method, chain, &options, arena, &plain, NULL), RDV_OK);
    options.rules = rules;
    assert_int_equal(rdv_check_chain(method, chain, &options, arena, &ruled, NULL), RDV_OK);
    for (size_t i = 0; i < plain.n_verdicts; i++) {
        rdv_verdict_kind was = plain.verdicts[i].kind, is = ruled.verdicts[i].kind;
        if (was != is && (is == RDV_SUPPORT || is == RDV_CONTRADICT))
            fail_msg("%s, \"%.*s\": %s became %s", name, RDV_FMT(chain->steps[i]),
                     rdv_verdict_name(was), rdv_verdict_name(is));
    }
}

static void test_excuse_only(void **state)
{
    rdv_rng rng;
    rdv_arena *kept = rdv_arena_new(0);
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        read_steps(files[i], kept);
    rdv_rng_seed(&rng, 40);
    for (size_t s = 0; s < SETS; s++) {
        rdv_arena *arena = rdv_arena_new(0);
        const rdv_rules *rules = draw(&rng, arena);
        for (size_t i = s % IN_CHAIN; i + IN_CHAIN <= n_steps; i += IN_CHAIN) {
            const rdv_chain chain = {.question.text = RDV_STR("?"),
                                     .steps = steps + i,
                                     .n_steps = IN_CHAIN,
                                     .correct = -1};
            follow(&chain, rules, arena);
            if (i % 4 == 0) {
                check("calculations", &chain, rules, arena);
                check("values", &chain, rules, arena);
                check("math", &chain, rules, arena);
            }
        }
        rdv_arena_free(&arena);
    }
    print_message("%zu steps, %d sets of rules: %zu calculations were excused\n", n_steps, SETS,
                  excused);
    rdv_arena_free(&kept);
    assert_true(n_steps > 1000 && excused > SHARE(300));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_excuse_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
