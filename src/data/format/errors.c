/* SPDX-License-Identifier: Apache-2.0 */
/* Data sets in which errors have kinds: kept as "error_type", so that figures can be split by it.
 */
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/format/readers.h"

/* ---- PARC ------------------------------------------------------------------------------------ */

/* The errors of one step of PARC: has_error, and [{"error_type", ...}]. */
static const json_t *parc_step(rdv_chain_builder *m, size_t i)
{
    const json_t *steps = json_object_get(
        json_object_get(rdv_members_get(m->in, "error_annotation"), "error_annotations"),
        "step_level");
    return json_array_get(steps, i);
}

static const json_t *kind_of(const json_t *step)
{
    return json_object_get(json_array_get(json_object_get(step, "errors"), 0), "error_type");
}

/* Every step's judgement, the label, and "error_type" of the first wrong one. */
static void parc_errors(rdv_chain_builder *m)
{
    size_t n = m->chain->n_steps;
    int8_t *is = RDV_NEW_ARRAY(m->arena, int8_t, n);
    rdv_build_judged(m, is);
    if (!is)
        return;
    rdv_build_no_mistake(m);
    for (size_t i = 0; i < n; i++) {
        int wrong = rdv_build_flag_of(json_object_get(parc_step(m, i), "has_error"));
        is[i] = (int8_t)(wrong < 0 ? -1 : !wrong);
        if (wrong != 1 || m->chain->label.kind == RDV_LABEL_AT)
            continue;
        rdv_build_label(m, (long)i, 0);
        rdv_build_keep_text(m, "error_type",
                            rdv_build_text_of(m, kind_of(parc_step(m, i)), "error_type"));
    }
}

/* "error_types": of every step, null where it is right. */
static void parc_kinds(rdv_chain_builder *m)
{
    rdv_json_open(&m->extra, "error_types", '[');
    for (size_t i = 0; i < m->chain->n_steps; i++) {
        const json_t *kind = kind_of(parc_step(m, i));
        rdv_json_item(&m->extra);
        rdv_json_text(&m->extra, rdv_string_of(kind));
    }
    rdv_buf_add_char(&m->extra, ']');
}

/* "premises": for every step the steps it follows from, from 0; -1 is the question. */
static void parc_premises(rdv_chain_builder *m)
{
    const json_t *steps = json_object_get(rdv_members_get(m->in, "premise_annotation"), "steps");
    rdv_json_open(&m->extra, "premises", '[');
    for (size_t i = 0; i < m->chain->n_steps; i++) {
        const json_t *premises = json_object_get(json_array_get(steps, i + 1), "premises");
        rdv_buf_add(&m->extra, i ? RDV_STR(",[") : RDV_STR("["));
        bool first = true;
        for (size_t k = 0; k < json_array_size(premises); k++) {
            long number;
            if (!rdv_build_integer(json_array_get(json_array_get(premises, k), 0), &number))
                continue;
            rdv_buf_printf(&m->extra, "%s%ld", first ? "" : ",", number - 1);
            first = false;
        }
        rdv_buf_add_char(&m->extra, ']');
    }
    rdv_buf_add_char(&m->extra, ']');
}

/* https://github.com/SagnikMukherjee/PARC: step_number from 1; 0 is the question. */
void rdv_read_parc(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "ground_truth_answer");
    rdv_build_steps(m, rdv_build_list(m, "steps"), "steps");
    m->chain->answer = rdv_build_text(m, "model_answer");
    m->chain->correct = rdv_build_flag(m, "is_correct");
    parc_errors(m);
    parc_kinds(m);
    parc_premises(m);
}

/* ---- PRMBench -------------------------------------------------------------------------------- */

/* https://github.com/ssmisya/PRMBench: the modified process, its error_steps from 1. Some of them
 * are past the last step; where all are, the label stays unknown. */
void rdv_read_prmbench(rdv_chain_builder *m)
{
    rdv_build_question(m, "modified_question", "ground_truth");
    rdv_build_steps(m, rdv_build_list(m, "modified_process"), "modified_process");
    const json_t *wrong = rdv_build_list(m, "error_steps");
    size_t n = m->chain->n_steps;
    int8_t *is = RDV_NEW_ARRAY(m->arena, int8_t, n);
    rdv_build_judged(m, is);
    if (!is)
        return;
    memset(is, 1, n);
    if (json_array_size(wrong) == 0)
        rdv_build_no_mistake(m);
    for (size_t k = 0; k < json_array_size(wrong); k++) {
        long step;
        if (!rdv_build_integer(json_array_get(wrong, k), &step) || step < 1 || (size_t)step > n)
            continue;
        is[step - 1] = 0;
        if (m->chain->label.kind == RDV_LABEL_UNKNOWN || m->chain->label.step > (size_t)step - 1)
            rdv_build_label(m, step, 1);
    }
    rdv_build_keep(m, "idx", "source_id");
    rdv_build_keep(m, "classification", "error_type");
    rdv_build_keep(m, "reason", "error_reason");
}

/* ---- EIC ------------------------------------------------------------------------------------- */

size_t rdv_eic_chains(rdv_chain_builder *m)
{
    return 2;
}

/* A number, a text, or a list of them: "80, 82, 84". */
static rdv_str eic_answer(rdv_chain_builder *m, const char *name)
{
    const json_t *value = rdv_members_get(m->in, name);
    if (!json_is_array(value))
        return rdv_build_text(m, name);
    rdv_buf b;
    rdv_buf_init(&b, m->arena, 0);
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (i)
            rdv_buf_lit(&b, ", ");
        rdv_buf_add(&b, rdv_build_text_of(m, json_array_get(value, i), name));
    }
    if (!rdv_buf_ok(&b))
        rdv_build_nomem(m);
    return rdv_buf_str(&b);
}

/* https://github.com/LittleCirc1e/EIC: chain 0 is the original solution, chain 1 the one with an
 * error put in. Steps are lines, "#### 42" among them; wrong_step from 1. */
void rdv_read_eic(rdv_chain_builder *m)
{
    bool original = m->index == 0;
    rdv_build_question(m, "question", "gold");
    m->chain->question.gold = eic_answer(m, "original_answer");
    rdv_build_split(m, rdv_build_text(m, original ? "original_solution" : "transformed_solution"),
                    true);
    m->chain->answer = eic_answer(m, original ? "original_answer" : "transformed_answer");
    rdv_build_keep_text(m, "variant", original ? RDV_STR("original") : RDV_STR("transformed"));
    if (original) {
        m->chain->correct = 1;
        rdv_build_no_mistake(m);
        rdv_build_keep(m, "wrong_type", "pair_error_type");
        return;
    }
    long step;
    if (rdv_build_integer(rdv_members_get(m->in, "wrong_step"), &step))
        rdv_build_label(m, step, 1);
    rdv_build_keep(m, "wrong_type", "error_type");
    rdv_build_keep(m, "explanation", "error_reason");
}

/* ---- ReasonEval's perturbations -------------------------------------------------------------- */

size_t rdv_perturbation_chains(rdv_chain_builder *m)
{
    return 2;
}

/* Is `tags` of this kind of perturbation the index of the first step that is changed? */
static bool tags_are_steps(const json_t *kind)
{
    static const char *const names[] = {"random number", "random operation", "remove step",
                                        "swap steps"};
    return rdv_named(rdv_str_of(json_string_value(kind)), names, sizeof names / sizeof *names) >= 0;
}

/* https://github.com/GAIR-NLP/ReasonEval, dataset/perturbation: chain 0 is the reference, chain 1
 * the perturbed one; `tags` from 0, a list where several steps are concerned. */
void rdv_read_perturbation(rdv_chain_builder *m)
{
    const char *steps = m->index == 0 ? "reference_steps" : "hypothesis_steps";
    rdv_build_question(m, "question", "ground_truth_answer");
    m->chain->question.kind = RDV_KIND_LATEX;
    rdv_build_steps(m, rdv_build_list(m, steps), steps);
    if (m->index == 0) {
        rdv_build_no_mistake(m);
        rdv_build_keep_text(m, "variant", RDV_STR("original"));
        return;
    }
    rdv_build_keep_text(m, "variant", RDV_STR("transformed"));
    const json_t *tags = rdv_members_get(m->in, "tags");
    long step;
    if (tags_are_steps(rdv_members_get(m->in, "error_type")) &&
        rdv_build_integer(json_is_array(tags) ? json_array_get(tags, 0) : tags, &step))
        rdv_build_label(m, step, 0);
    rdv_build_keep(m, "error_type", "error_type");
    rdv_build_keep(m, "tags", "tags");
}
