/* SPDX-License-Identifier: Apache-2.0 */
/* The public formats as they are published: counts of what is read from the recorded data, where it
 * is there (RDV_SHARED); else the test is skipped. */
#include "reading.h"

#include <unistd.h>

typedef struct counts {
    size_t records, steps, wrong, sound, right, scores;
} counts;

typedef struct expectation {
    const char *path, *join, *format;
    counts is;
} expectation;

/* clang-format off */
#define BBM "big-bench-mistake/"
#define PB "processbench/code/dataset/"
#define PRM "prmbench/mr_eval/tasks/prmtest_classified/data/"
#define SPB "strictprmbench/"
#define VC "verify_cot/"
#define TOT "tree-of-thoughts/"
#define FC "faithful-cot/"
/* Records, steps, chains with a known first wrong step, chains known to have none, chains whose
 * answer the source calls right, score lists. */
static const expectation expectations[] = {
    {BBM "dyck_languages.jsonl", NULL, "big-bench-mistake", {575, 14195, 380, 195, 283, 0}},
    {BBM "logical_deduction.jsonl", NULL, "big-bench-mistake", {177, 1435, 174, 3, 26, 0}},
    {BBM "multistep_arithmetic.jsonl", NULL, "big-bench-mistake", {177, 884, 141, 36, 27, 0}},
    {BBM "tracking_shuffled_objects.jsonl", NULL, "big-bench-mistake", {179, 967, 156, 23, 25, 0}},
    {BBM "word_sorting.jsonl", NULL, "big-bench-mistake", {193, 2297, 176, 17, 26, 0}},
    {PB "gsm8k.jsonl", NULL, "processbench", {256, 1324, 134, 122, 126, 0}},
    {PB "math.jsonl", NULL, "processbench", {564, 3761, 320, 244, 293, 0}},
    {PB "olympiadbench.jsonl", NULL, "processbench", {589, 5262, 376, 213, 295, 0}},
    {PB "omnimath.jsonl", NULL, "processbench", {613, 5112, 466, 147, 316, 0}},
    {"stepverify/dataset/dataset.jsonl.gz", NULL, "stepverify", {601, 3597, 601, 0, 0, 0}},
    {"mr-gsm8k/eval_results/gpt4-grading/Claude_eval_results.jsonl.gz", NULL, "mr-gsm8k",
     {178, 1422, 178, 0, 5, 0}},
    {"mr-ben/data/biology.jsonl.gz", NULL, "mr-ben", {672, 4834, 285, 387, 0, 0}},
    {"parc/datasets/gsm8k/gsm8k_negatives.jsonl", NULL, "parc", {32, 171, 31, 1, 0, 0}},
    {"parc/datasets/gsm8k/gsm8k_positives.jsonl", NULL, "parc", {31, 149, 1, 30, 31, 0}},
    {PRM "prm800k_test_p1_4o_circular.jsonl", NULL, "prmbench", {45, 486, 45, 0, 0, 0}},
    {PRM "prm_test_p12_multi_solutions.jsonl.gz", NULL, "prmbench", {89, 1301, 0, 89, 0, 0}},
    {"eic/data/generated_cases_GSM8K/counting_error/counting_error_100/generated_cases_clean.jsonl",
     NULL, "eic", {132, 680, 66, 66, 66, 0}},
    {"reasoneval/dataset/mr-math_invalid_errors.jsonl", NULL, "reasoneval",
     {88, 587, 48, 40, 88, 0}},
    {"reasoneval/dataset/perturbation.jsonl.gz", NULL, "reasoneval-perturbation",
     {1118, 14114, 367, 559, 0, 0}},
    {"autorace/autorace/data/eval_model/gsm8k.jsonl", NULL, "autorace", {119, 527, 0, 60, 0, 0}},
    {"factool-math/datasets/math/math.jsonl", NULL, "factool", {63, 205, 20, 43, 0, 0}},
    {VC "data/human_annotation/addsub_100.jsonl", NULL, "verify_cot-human",
     {62, 169, 0, 35, 39, 0}},
    {VC "results/chatgpt3.5/natural_program/date_np.jsonl.gz", NULL, "verify_cot",
     {2260, 6870, 0, 0, 1299, 0}},
    {SPB "pools/bon_candidates/gsm8k_full_500.jsonl.gz",
     SPB "scores/aggregation_sweep_cache/step_scores_cache/qwen_prm_gsm8k.jsonl.gz", "pool",
     {9376, 44514, 0, 0, 7896, 9376}},
    {"qwen25-math-rm/evaluation/data/eval_rm_maj_example/math_cot_100.jsonl", NULL, "qwen-math-rm",
     {488, 2457, 0, 0, 440, 488}},
    {TOT "logs/game24/gpt-4_0.7_naive_cot_sample_100_start900_end1000.jsonl",
     TOT "src/tot/data/24/24.csv", "tree-of-thoughts", {5600, 24036, 0, 0, 259, 0}},
    {"zeroeval/result_dirs/gsm/gpt-3.5-turbo-0125.jsonl.gz", NULL, "zeroeval",
     {789, 790, 0, 0, 0, 0}},
    {FC "output_dir/AQUA/test/gpt4_COT/predictions.jsonl", FC "data/AQUA/test.jsonl",
     "faithful-cot", {129, 292, 0, 0, 0, 0}},
    {"grade-school-math/grade_school_math/data/example_model_solutions.jsonl", NULL,
     "gsm8k-models", {3156, 10669, 0, 0, 1199, 0}},
    {"grade-school-math/grade_school_math/data/test.jsonl", NULL, "gsm8k",
     {789, 2895, 0, 789, 789, 0}},
    {"math/data/math_oai/test.jsonl", NULL, "math", {281, 0, 0, 0, 0, 0}},
    {"math/data/svamp/test.jsonl", NULL, "svamp", {594, 0, 0, 0, 0, 0}},
    {"mathqa/data/MathQA/challenge_test.jsonl.gz", NULL, "mathqa", {344, 0, 0, 0, 0, 0}},
    {"aqua/test.jsonl", NULL, "aqua", {132, 0, 0, 0, 0, 0}},
    {"big-bench-hard/bbh/date_understanding.jsonl", NULL, "bbh", {164, 0, 0, 0, 0, 0}},
};
/* clang-format on */

static void count(const rdv_record *record, counts *n)
{
    const rdv_chain *chain = &record->chain;
    n->records++;
    n->steps += chain->n_steps;
    n->wrong += chain->label.kind == RDV_LABEL_AT;
    n->sound += chain->label.kind == RDV_LABEL_NO_MISTAKE;
    n->right += chain->correct == 1;
    n->scores += chain->n_scores;
    assert_true(chain->label.kind != RDV_LABEL_AT || chain->label.step < chain->n_steps);
    assert_non_null(chain->id.p);
    assert_non_null(chain->question.id.p);
    assert_true(chain->question.n_options != 1);
    assert_true(chain->question.kind != RDV_KIND_OPTION || chain->question.gold.p);
}

static void check(const char *shared, const expectation *e)
{
    char path[1024], join[1024];
    snprintf(path, sizeof path, "%s/%s", shared, e->path);
    snprintf(join, sizeof join, "%s/%s", shared, e->join ? e->join : "");
    const char *const joins[] = {join};
    rdv_read_options options = {.size = sizeof options, .join = joins, .n_join = e->join != NULL};
    rdv_reader *reader;
    rdv_error err = {0};
    if (rdv_reader_open(path, &options, &reader, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    rdv_arena *arena = rdv_arena_new(0);
    rdv_record record;
    counts n = {0};
    int rc;
    while ((rc = rdv_reader_next(reader, arena, &record, &err)) == RDV_OK) {
        assert_string_equal(record.format, e->format);
        count(&record, &n);
        rdv_arena_reset(arena);
    }
    if (rc != RDV_NONE)
        fail_msg("%s", err.msg);
    if (memcmp(&n, &e->is, sizeof n) != 0)
        fail_msg("%s: %zu records, %zu steps, %zu wrong, %zu sound, %zu right, %zu scores", e->path,
                 n.records, n.steps, n.wrong, n.sound, n.right, n.scores);
    rdv_arena_free(&arena);
    rdv_reader_close(&reader);
}

static void test_recorded__counts(void **state)
{
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++)
        check(*state, &expectations[i]);
}

int main(void)
{
    const char *shared = getenv("RDV_SHARED");
    if (!shared || access(shared, R_OK) != 0) {
        printf("the recorded data is not there (RDV_SHARED); skipped\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_recorded__counts, (void *)(uintptr_t)shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
