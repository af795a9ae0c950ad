/* SPDX-License-Identifier: Apache-2.0 */
/* Worked solutions, by people or by models, one or a few a question. */
#include "base/arena.h"
#include "base/str.h"
#include "data/format/readers.h"

#include <math.h>

/* ---- GSM8K ----------------------------------------------------------------------------------- */

bool rdv_gsm8k_kind(const rdv_members *in)
{
    return rdv_find(rdv_members_raw(in, "answer"), RDV_STR("\\n#### "), 0) != RDV_NOT_FOUND;
}

/* https://github.com/openai/grade-school-math: the worked solution is a chain without an error. */
void rdv_read_gsm8k(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "gold");
    rdv_str solution = rdv_build_text(m, "answer");
    m->chain->question.gold = rdv_build_after_mark(solution);
    m->chain->question.kind = RDV_KIND_NUMBER;
    rdv_build_worked(m, solution);
    m->chain->correct = 1;
    rdv_build_no_mistake(m);
}

static const char *const gsm8k_models[] = {"6b_finetuning", "6b_verification", "175b_finetuning",
                                           "175b_verification"};

size_t rdv_gsm8k_models_chains(rdv_chain_builder *m)
{
    return sizeof gsm8k_models / sizeof *gsm8k_models;
}

/* example_model_solutions.jsonl: solutions end in "A: 42"; is_correct is a truth value or a text.
 */
void rdv_read_gsm8k_models(rdv_chain_builder *m)
{
    const char *model = gsm8k_models[m->index];
    const json_t *solution = rdv_build_object(m, model);
    rdv_build_question(m, "question", "gold");
    rdv_build_worked(m, rdv_build_text(m, "ground_truth"));
    m->chain->question.gold = m->chain->answer;
    m->chain->question.kind = RDV_KIND_NUMBER;
    m->chain->answer = (rdv_str){0};
    rdv_build_worked(m, rdv_build_text_in(m, solution, "solution"));
    m->chain->correct = rdv_build_flag_of(json_object_get(solution, "is_correct"));
    rdv_build_keep_text(m, "generator", rdv_str_of(model));
}

/* ---- ZeroEval -------------------------------------------------------------------------------- */

size_t rdv_zeroeval_chains(rdv_chain_builder *m)
{
    return rdv_build_count(m, "output");
}

/* The solution and its answer from {"reasoning": "...", "answer": "..."}, which may stand in a code
 * fence or among other words, and is not always JSON: then the text as it is. */
static void unwrap(rdv_chain_builder *m, rdv_str output)
{
    size_t begin = rdv_find_char(output, '{', 0), end = rdv_find_last(output, RDV_STR("}"));
    const json_t *inner = NULL;
    if (begin != RDV_NOT_FOUND && end != RDV_NOT_FOUND && begin < end)
        inner = rdv_build_decoded(m, rdv_slice(output, begin, end + 1));
    if (json_is_string(json_object_get(inner, "reasoning"))) {
        output = rdv_build_text_in(m, inner, "reasoning");
        m->chain->answer = rdv_build_text_in(m, inner, "answer");
    }
    rdv_build_split(m, output, false);
}

/* https://github.com/WildEval/ZeroEval, result_dirs: the right answer is "# 18". */
void rdv_read_zeroeval(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "answer");
    rdv_question *q = &m->chain->question;
    while (rdv_starts(q->gold, RDV_STR("#")))
        q->gold = rdv_slice(q->gold, 1, q->gold.len);
    q->gold = rdv_trim(q->gold);
    unwrap(m, rdv_build_text_of(m, rdv_build_element(m, "output"), "output"));
    rdv_build_keep(m, "generator", "generator");
    rdv_build_keep(m, "id", "source_id");
}

/* ---- others ---------------------------------------------------------------------------------- */

/* The mean of all token probabilities of an answer: {"540 meters": [1.0, 0.31]}. */
static double mean_probability(const json_t *answers)
{
    double sum = 0;
    size_t n = 0;
    const char *key;
    json_t *tokens;
    json_object_foreach((json_t *)answers, key, tokens)
    {
        for (size_t i = 0; i < json_array_size(tokens); i++)
            sum += json_number_value(json_array_get(tokens, i));
        n += json_array_size(tokens);
    }
    return n ? sum / (double)n : NAN;
}

/* CoT-UQ's output_v1_w_labels: `label` says whether the answer is right. The token probabilities
 * are after sampling filters, so they become a score, not log-probabilities. */
void rdv_read_cot_uq(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "correct answer");
    m->chain->question.kind = RDV_KIND_NUMBER;
    rdv_build_split(m, rdv_build_text(m, "llm response"), false);
    m->chain->answer = rdv_build_text(m, "llm answer");
    m->chain->correct = rdv_build_flag(m, "label");
    rdv_build_keep(m, "id", "source_id");
    double *score = RDV_NEW(m->arena, double);
    if (!score) {
        rdv_build_nomem(m);
        return;
    }
    *score = mean_probability(rdv_members_get(m->in, "llm answer token probability"));
    rdv_build_score(m, RDV_STR("answer-probability"), score, 1);
}

/* https://github.com/suzgunmirac/BIG-Bench-Hard, code-davinci-002-outputs: the input is a few-shot
 * prompt whose last "Q:" is the question. */
void rdv_read_bigbench_hard_output(rdv_chain_builder *m)
{
    rdv_build_question(m, "input", "target");
    rdv_question *q = &m->chain->question;
    size_t begin = rdv_find_last(q->text, RDV_STR("\nQ: "));
    if (begin != RDV_NOT_FOUND)
        q->text = rdv_slice(q->text, begin + 4, q->text.len);
    q->text = rdv_trim(rdv_slice(q->text, 0, rdv_find(q->text, RDV_STR("\nA:"), 0)));
    rdv_build_options_of_question(m);
    q->gold = rdv_build_letter(m, q->gold);
    rdv_build_split(m, rdv_build_text(m, "prediction"), false);
}
