/* SPDX-License-Identifier: Apache-2.0 */
/* Data sets of chains whose first wrong step is known. */
#include "base/arena.h"
#include "base/str.h"
#include "data/format/readers.h"

/* "(A)" is an option, digits are a number; all else (sorted words, brackets) is compared as text.
 */
static rdv_kind kind_of_target(rdv_str target)
{
    bool digits = target.len > 0;
    for (size_t i = 0; i < target.len; i++)
        digits &= rdv_is_digit(target.p[i]) || (i == 0 && target.len > 1 && target.p[i] == '-');
    bool letter = target.len == 3 && target.p[0] == '(' && rdv_is_alpha(target.p[1]);
    return digits ? RDV_KIND_NUMBER : letter ? RDV_KIND_OPTION : RDV_KIND_TEXT;
}

static void read_trace(rdv_chain_builder *m)
{
    rdv_build_bigbench_question(m);
    m->chain->question.kind = kind_of_target(m->chain->question.gold);
    rdv_build_steps(m, rdv_build_list(m, "steps"), "steps");
    m->chain->answer = rdv_build_text(m, "answer");
    m->no_answer = rdv_members_have(m->in, "answer");
    if (m->chain->answer.p)
        m->chain->correct =
            rdv_str_eq(rdv_trim(m->chain->answer), rdv_trim(m->chain->question.gold));
}

/* A trace before it was annotated. The paper publishes traces only with "mistake_index"; those that
 * a program in the paper's manner generates have none yet. */
void rdv_read_bigbench_trace(rdv_chain_builder *m)
{
    read_trace(m);
}

/* https://github.com/WHGTyen/BIG-Bench-Mistake: mistake_index from 0, null for none. */
void rdv_read_bigbench_mistake(rdv_chain_builder *m)
{
    read_trace(m);
    m->no_answer = true;
    if (!rdv_members_have(m->in, "dataset"))
        rdv_build_keep_text(m, "dataset", RDV_STR("big-bench-mistake"));
    const json_t *index = rdv_members_get(m->in, "mistake_index");
    long step;
    if (json_is_null(index))
        rdv_build_no_mistake(m);
    else if (rdv_build_integer(index, &step))
        rdv_build_label(m, step, 0);
}

/* https://github.com/QwenLM/ProcessBench: label from 0, -1 for none. */
void rdv_read_processbench(rdv_chain_builder *m)
{
    rdv_build_question(m, "problem", "gold");
    rdv_build_steps(m, rdv_build_list(m, "steps"), "steps");
    m->chain->id = rdv_build_text(m, "id");
    m->chain->correct = rdv_build_flag(m, "final_answer_correct");
    long step;
    if (!rdv_build_integer(rdv_members_get(m->in, "label"), &step))
        rdv_members_fail(m->in, RDV_E_INPUT, "\"label\" must be a step's index or -1");
    else if (step < 0)
        rdv_build_no_mistake(m);
    else
        rdv_build_label(m, step, 0);
    rdv_build_keep(m, "generator", "generator");
}

/* https://github.com/eth-lre/verify-then-generate: incorrect_index from 0; every chain has one. */
void rdv_read_stepverify(rdv_chain_builder *m)
{
    rdv_build_question(m, "problem", "gold");
    rdv_build_steps(m, rdv_build_list(m, "student_incorrect_solution"),
                    "student_incorrect_solution");
    m->chain->question.gold = rdv_build_after_mark(rdv_build_text(m, "reference_solution"));
    m->chain->correct = 0;
    long step;
    if (rdv_build_integer(rdv_members_get(m->in, "incorrect_index"), &step))
        rdv_build_label(m, step, 0);
    rdv_build_keep(m, "error_category", "error_type");
    rdv_build_keep(m, "error_description", "error_reason");
}

/* Correctness in words, and the first wrong step from 1. */
static void label_by_words(rdv_chain_builder *m, const char *correctness, const char *first)
{
    long step;
    if (rdv_build_flag(m, correctness) == 1)
        rdv_build_no_mistake(m);
    else if (rdv_build_integer(rdv_members_get(m->in, first), &step))
        rdv_build_label(m, step, 1);
}

/* https://github.com/dvlab-research/Mr-Ben. The solutions to programming tasks are one text, and
 * their first wrong step is a line of it, quoted: the label stays unknown there. */
void rdv_read_mr_ben(rdv_chain_builder *m)
{
    rdv_build_question(m, "Question", "Ground_Truth_Answer_Modified");
    rdv_question *q = &m->chain->question;
    q->id = rdv_build_text(m, "Question_UUID");
    if (!q->gold.p)
        q->gold = rdv_build_text(m, "Ground_Truth_Answer");
    if (q->gold.len == 0)
        q->gold = (rdv_str){0};
    rdv_build_options_in(m, rdv_build_text(m, "Options"));
    const char *solution = "Model_Solution_Steps", *correctness = "Model_Solution_Correctness";
    if (json_is_string(rdv_members_get(m->in, solution))) {
        rdv_build_split(m, rdv_build_text(m, solution), true);
        if (rdv_build_flag(m, correctness) == 1)
            rdv_build_no_mistake(m);
    } else {
        rdv_build_steps(m, rdv_build_list(m, solution), solution);
        label_by_words(m, correctness, "Model_Solution_First_Error_Step");
    }
    rdv_build_keep(m, "Subject", "subject");
    rdv_build_keep(m, "Sampled_Model", "generator");
    rdv_build_keep(m, "Model_Solution_Error_Reason", "error_reason");
    rdv_build_keep(m, "Model_Solution_Rectified_First_Error_Step", "rectified_step");
}

/* https://github.com/dvlab-research/MR-GSM8K */
void rdv_read_mr_gsm8k(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "ground_truth_answer");
    m->chain->id = rdv_build_text(m, "uuid");
    m->chain->question.kind = RDV_KIND_NUMBER;
    rdv_build_steps(m, rdv_build_list(m, "model_output_steps"), "model_output_steps");
    m->chain->correct = rdv_build_flag(m, "model_output_answer_correctness");
    label_by_words(m, "model_output_solution_correctness",
                   "model_output_solution_first_error_step");
    rdv_build_keep(m, "question_type", "question_type");
    rdv_build_keep(m, "model_output_solution_first_error_reason", "error_reason");
}

/* A step that is a list of sentences, as one text. */
static rdv_str joined_sentences(rdv_chain_builder *m, const json_t *step)
{
    rdv_buf b;
    rdv_buf_init(&b, m->arena, 0);
    for (size_t i = 0; i < json_array_size(step); i++) {
        const json_t *sentence = json_array_get(step, i);
        if (i)
            rdv_buf_add_char(&b, ' ');
        rdv_buf_add(&b, rdv_string_of(sentence));
    }
    if (!rdv_buf_ok(&b))
        rdv_build_nomem(m);
    return rdv_buf_str(&b);
}

/* https://github.com/GAIR-NLP/ReasonEval, dataset/mr-math_*: steps are lists of sentences. The
 * chains of the "redundant" part carry a rating a step (1 needed, 0 not) and no label. */
void rdv_read_reasoneval(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "ground_truth_answer");
    const json_t *steps = rdv_build_list(m, "model_output_step_format");
    size_t n = json_array_size(steps);
    m->out->kind = RDV_RECORD_CHAIN;
    m->chain->steps = RDV_NEW_ARRAY(m->arena, rdv_str, n);
    if (!m->chain->steps || n > m->limits->steps) {
        rdv_members_fail(m->in, m->chain->steps ? RDV_E_LIMIT : RDV_E_NOMEM, "too many steps");
        return;
    }
    m->chain->n_steps = n;
    for (size_t i = 0; i < n; i++)
        m->chain->steps[i] = joined_sentences(m, json_array_get(steps, i));
    m->chain->question.kind = RDV_KIND_LATEX;
    m->chain->correct = rdv_build_flag(m, "model_output_answer_correctness");
    label_by_words(m, "model_output_solution_correctness",
                   "model_output_solution_first_error_step");
    rdv_build_keep(m, "generator", "generator");
    rdv_build_keep(m, "rating", "rating");
}
