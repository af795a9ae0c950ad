/* SPDX-License-Identifier: Apache-2.0 */
/* Records that hold several chains for one question. */
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/format/readers.h"

/* ---- sampled candidates with their steps ----------------------------------------------------- */

size_t rdv_pool_chains(rdv_chain_builder *m)
{
    return rdv_build_count(m, "candidates");
}

static void pool_steps(rdv_chain_builder *m, const json_t *steps)
{
    size_t n = json_array_size(steps);
    m->out->kind = RDV_RECORD_CHAIN;
    if (n > m->limits->steps) {
        rdv_members_fail(m->in, RDV_E_LIMIT, "%zu steps, more than %zu", n, m->limits->steps);
        return;
    }
    m->chain->steps = RDV_NEW_ARRAY(m->arena, rdv_str, n);
    if (!m->chain->steps) {
        rdv_build_nomem(m);
        return;
    }
    m->chain->n_steps = n;
    for (size_t i = 0; i < n; i++) {
        m->chain->steps[i] = rdv_build_text_in(m, json_array_get(steps, i), "text");
        if (!m->chain->steps[i].p)
            rdv_members_fail(m->in, RDV_E_INPUT, "step %zu of candidate %zu has no text", i,
                             m->index);
    }
}

/* The scores that joined files have for this candidate, each under its model's name. */
static void pool_scores(rdv_chain_builder *m, rdv_str id)
{
    const rdv_joined_score *score =
        m->joined ? rdv_joined_scores(m->joined, id, (long)m->index, m->arena) : NULL;
    for (; score; score = score->next) {
        rdv_str name = rdv_str_copy(m->arena, score->name);
        double *step = RDV_NEW_ARRAY(m->arena, double, score->n);
        if (!name.p || !step) {
            rdv_build_nomem(m);
            return;
        }
        if (score->n != m->chain->n_steps)
            rdv_members_fail(m->in, RDV_E_INPUT,
                             "candidate %zu: %zu scores of \"%.*s\" for %zu steps", m->index,
                             score->n, RDV_FMT(name), m->chain->n_steps);
        memcpy(step, score->step, score->n * sizeof *step);
        rdv_build_score(m, name, step, score->n);
    }
}

/* https://github.com/staged-benchmark-2026/StrictPRMBench, pools/bon_candidates */
void rdv_read_pool(rdv_chain_builder *m)
{
    const json_t *candidate = rdv_build_element(m, "candidates");
    const json_t *problem = json_object_get(candidate, "problem");
    rdv_question *q = &m->chain->question;
    q->id = rdv_build_text(m, "problem_id");
    q->text = rdv_build_text_in(m, problem, "question");
    q->gold = rdv_build_text_in(m, problem, "ground_truth");
    pool_steps(m, json_object_get(candidate, "steps"));
    m->chain->answer = rdv_build_text_in(m, candidate, "extracted_answer");
    m->no_answer = json_is_null(json_object_get(candidate, "extracted_answer"));
    m->chain->correct = rdv_build_flag_of(json_object_get(candidate, "is_correct"));
    pool_scores(m, q->id);
    rdv_build_keep_text(m, "generator", rdv_build_text_in(m, candidate, "model_name"));
}

/* ---- verify_cot ------------------------------------------------------------------------------ */

size_t rdv_verify_cot_chains(rdv_chain_builder *m)
{
    return rdv_build_count(m, "model_outputs");
}

/* What the recorded verifier replied to this chain, step by step, as one more member. The replies
 * are in the order of `sample_idx_need_verify`, which need not name every chain. */
static void keep_replies(rdv_chain_builder *m)
{
    const json_t *order = rdv_members_get(m->in, "sample_idx_need_verify");
    const json_t *replies = rdv_members_get(m->in, "verify_model_results");
    const json_t *verdicts = rdv_members_get(m->in, "verify_correct");
    for (size_t k = 0; k < json_array_size(replies) && k < json_array_size(order); k++) {
        long chain;
        if (!rdv_build_integer(json_array_get(order, k), &chain) || chain != (long)m->index)
            continue;
        int passed = rdv_build_flag_of(json_array_get(verdicts, k));
        rdv_build_keep_text(m, "verify_correct",
                            passed < 0 ? (rdv_str){0}
                            : passed   ? RDV_STR("yes")
                                       : RDV_STR("no"));
        rdv_build_keep_json(m, "verify_model_results", json_array_get(replies, k));
        return;
    }
}

/* https://github.com/lz1oceani/verify_cot, results/: final_answer is the right answer. */
void rdv_read_verify_cot(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "final_answer");
    const json_t *choices = rdv_members_get(m->in, "choices");
    if (choices && !json_is_null(choices))
        rdv_build_options(m, choices, "choices");
    rdv_build_natural_program(
        m, rdv_build_text_of(m, rdv_build_element(m, "model_outputs"), "model_outputs"));
    const json_t *answer = rdv_build_element(m, "pred_answers");
    m->chain->answer = rdv_build_text_of(m, answer, "pred_answers");
    m->no_answer = true;
    m->chain->correct = rdv_build_flag_of(rdv_build_element(m, "per_sample_correct"));
    keep_replies(m);
}

/* ---- Tree of Thoughts ------------------------------------------------------------------------ */

size_t rdv_tree_of_thoughts_chains(rdv_chain_builder *m)
{
    return rdv_build_count(m, "ys");
}

/* The logs hold the four numbers alone. */
#define GAME_OF_24 "Use each of these numbers once, with + - * / and brackets, to obtain 24: "

/* The puzzle: said by the search's own steps, else by the joined table, whose ranks count from 1.
 */
static void puzzle(rdv_chain_builder *m, long idx)
{
    rdv_question *q = &m->chain->question;
    q->id = rdv_str_printf(m->arena, "game24/%ld", idx);
    rdv_str rank = rdv_str_printf(m->arena, "%ld", idx + 1);
    if (!q->id.p || !rank.p) {
        rdv_build_nomem(m);
        return;
    }
    const json_t *steps = rdv_members_get(m->in, "steps");
    const rdv_joined_question *joined = m->joined ? rdv_joined_question_of(m->joined, rank) : NULL;
    if (steps)
        q->text = rdv_build_text_in(m, json_array_get(steps, 0), "x");
    else if (joined)
        q->text = rdv_str_copy(m->arena, joined->text);
    if (q->text.p)
        rdv_build_asked(m, GAME_OF_24);
    q->kind = RDV_KIND_TEXT;
}

/* The value that the search gave to this state when it was last looked at, as a score of the whole
 * chain. */
static void state_value(rdv_chain_builder *m, const char *y)
{
    const json_t *steps = rdv_members_get(m->in, "steps");
    const json_t *last = json_array_get(steps, json_array_size(steps) - 1);
    const json_t *states = json_object_get(last, "new_ys"),
                 *values = json_object_get(last, "values");
    for (size_t i = 0; i < json_array_size(states); i++) {
        const json_t *value = json_array_get(values, i);
        rdv_str state = rdv_str_of(json_string_value(json_array_get(states, i)));
        if (!json_is_number(value) || !rdv_str_eq(state, rdv_str_of(y)))
            continue;
        double *score = RDV_NEW(m->arena, double);
        if (!score) {
            rdv_build_nomem(m);
            return;
        }
        *score = json_number_value(value);
        rdv_build_score(m, RDV_STR("value"), score, 1);
        return;
    }
}

/* https://github.com/princeton-nlp/tree-of-thought-llm, logs/game24: a step is a line. */
void rdv_read_tree_of_thoughts(rdv_chain_builder *m)
{
    long idx;
    if (rdv_build_integer(rdv_members_get(m->in, "idx"), &idx))
        puzzle(m, idx);
    const json_t *y = rdv_build_element(m, "ys");
    rdv_build_split(m, rdv_build_text_of(m, y, "ys"), true);
    rdv_chain *chain = m->chain;
    if (chain->n_steps && rdv_str_eq(chain->steps[0], RDV_STR("Steps:"))) {
        chain->steps++;
        chain->n_steps--;
    }
    rdv_str last = chain->n_steps ? chain->steps[chain->n_steps - 1] : (rdv_str){0};
    if (rdv_starts(last, RDV_STR("Answer:")))
        chain->answer = rdv_trim(rdv_slice(last, 7, last.len));
    if (rdv_str_eq(chain->answer, RDV_STR("None")))
        chain->answer = (rdv_str){0};
    m->no_answer = true;
    const json_t *right = json_object_get(rdv_build_element(m, "infos"), "r");
    chain->correct = rdv_build_flag_of(right ? right : rdv_build_element(m, "accs"));
    if (json_is_string(y))
        state_value(m, json_string_value(y));
}

/* ---- solutions as texts ---------------------------------------------------------------------- */

size_t rdv_math_rm_chains(rdv_chain_builder *m)
{
    return rdv_build_count(m, "code");
}

/* https://github.com/QwenLM/Qwen2.5-Math, evaluation/data/eval_rm_maj_example */
void rdv_read_math_rm(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "gt");
    m->chain->question.kind = RDV_KIND_LATEX;
    rdv_build_split(m, rdv_build_text_of(m, rdv_build_element(m, "code"), "code"), false);
    m->chain->answer = rdv_build_text_of(m, rdv_build_element(m, "pred"), "pred");
    m->chain->correct = rdv_build_flag_of(rdv_build_element(m, "score"));
    size_t n;
    double *reward = rdv_build_numbers(m, rdv_build_element(m, "pred_score"), "pred_score", &n);
    if (reward && n >= 1)
        rdv_build_score(m, RDV_STR("reward"), reward, 1);
}

size_t rdv_mot_cascade_chains(rdv_chain_builder *m)
{
    return rdv_build_count(m, "generated");
}

/* The right answer is a text, a number, or the member of an object whose value is 1. */
static rdv_str cascade_gold(rdv_chain_builder *m)
{
    json_t *answer = rdv_members_get(m->in, "answer");
    if (!json_is_object(answer))
        return rdv_build_text(m, "answer");
    const char *key;
    json_t *value;
    rdv_str gold = {0};
    json_object_foreach(answer, key, value)
    {
        if (rdv_build_flag_of(value) != 1)
            continue;
        gold = rdv_str_copy(m->arena, rdv_str_of(key));
        if (!gold.p)
            rdv_build_nomem(m);
    }
    return gold;
}

/* https://github.com/MurongYue/LLM_MoT_cascade */
void rdv_read_mot_cascade(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "gold");
    m->chain->question.gold = cascade_gold(m);
    rdv_build_split(m, rdv_build_text_of(m, rdv_build_element(m, "generated"), "generated"), false);
    m->chain->answer = rdv_build_text_of(m, rdv_build_element(m, "results"), "results");
    m->no_answer = true;
}

size_t rdv_esc_chains(rdv_chain_builder *m)
{
    return rdv_build_count(m, "generated_answer");
}

/* https://github.com/Yiwei98/ESC */
void rdv_read_esc(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "answer");
    m->chain->question.kind = RDV_KIND_TEXT;
    rdv_str text =
        rdv_build_text_of(m, rdv_build_element(m, "generated_answer"), "generated_answer");
    rdv_build_split(m, text, false);
}

size_t rdv_faithful_cot_chains(rdv_chain_builder *m)
{
    return rdv_build_count(m, "completions");
}

/* https://github.com/veronica320/Faithful-COT, output_dir: the question is joined by its id. Of
 * several completions `answer` is what they agreed on, not the answer of each. */
void rdv_read_faithful_cot(rdv_chain_builder *m)
{
    rdv_question *q = &m->chain->question;
    q->id = rdv_build_text(m, "id");
    const rdv_joined_question *joined = m->joined ? rdv_joined_question_of(m->joined, q->id) : NULL;
    if (joined) {
        q->text = rdv_str_copy(m->arena, joined->text);
        q->gold = rdv_str_copy(m->arena, rdv_build_after_mark(joined->gold));
        q->options = joined->options;
        q->n_options = joined->n_options;
    }
    rdv_build_split(m, rdv_build_text_of(m, rdv_build_element(m, "completions"), "completions"),
                    false);
    if (rdv_build_count(m, "completions") != 1)
        return;
    m->chain->answer = rdv_build_text(m, "answer");
    if (rdv_str_eq(m->chain->answer, RDV_STR("[invalid]"))) /* its own reader found none */
        m->chain->answer = (rdv_str){0};
}
