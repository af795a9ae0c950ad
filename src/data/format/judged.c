/* SPDX-License-Identifier: Apache-2.0 */
/* Chains that people judged as a whole, or calculation by calculation. */
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/format/readers.h"

#include <rederive/text.h>

/* A sound chain has no error; of an unsound one it is not known where. The judgement itself
 * stands under "sound". */
static void sound(rdv_chain_builder *m, int is)
{
    if (is == 1)
        rdv_build_no_mistake(m);
    rdv_build_keep_text(m, "sound", is < 0 ? (rdv_str){0} : is ? RDV_STR("yes") : RDV_STR("no"));
}

/* https://github.com/maitrix-org/llm-reasoners, AutoRace/data/eval_model. Some questions begin with
 * "Q:", and `answer` is the chain's. */
void rdv_read_autorace(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "gold");
    rdv_question *q = &m->chain->question;
    if (rdv_starts(q->text, RDV_STR("Q:")))
        q->text = rdv_trim(rdv_slice(q->text, 2, q->text.len));
    rdv_build_split(m, rdv_build_text(m, "reasoning_chain"), false);
    m->chain->answer = rdv_build_text(m, "answer");
    sound(m, rdv_build_flag(m, "human_label"));
}

/* https://github.com/GAIR-NLP/factool, datasets/math: a step is one calculation of the response, so
 * that each has its label. */
void rdv_read_factool(rdv_chain_builder *m)
{
    rdv_build_question(m, "prompt", "gold");
    m->chain->question.kind = RDV_KIND_NUMBER;
    const json_t *claims = rdv_build_list(m, "claims");
    size_t n = json_array_size(claims);
    m->out->kind = RDV_RECORD_CHAIN;
    m->chain->steps = RDV_NEW_ARRAY(m->arena, rdv_str, n);
    int8_t *is = RDV_NEW_ARRAY(m->arena, int8_t, n);
    if (!m->chain->steps || !is || n > m->limits->steps) {
        rdv_members_fail(m->in, is ? RDV_E_LIMIT : RDV_E_NOMEM, "too many claims");
        return;
    }
    m->chain->n_steps = n;
    rdv_build_no_mistake(m);
    for (size_t i = 0; i < n; i++) {
        const json_t *item = json_array_get(claims, i), *claim = json_object_get(item, "claim");
        rdv_buf step;
        rdv_buf_init(&step, m->arena, 0);
        rdv_buf_add(&step, rdv_build_text_in(m, claim, "math_calculation"));
        rdv_buf_lit(&step, " = ");
        rdv_buf_add(&step, rdv_build_text_in(m, claim, "calculated_answer"));
        m->chain->steps[i] = rdv_buf_str(&step);
        if (!m->chain->steps[i].p)
            rdv_build_nomem(m);
        is[i] = (int8_t)rdv_build_flag_of(json_object_get(item, "label"));
        if (is[i] == 0 && m->chain->label.kind != RDV_LABEL_AT)
            rdv_build_label(m, (long)i, 0);
    }
    rdv_build_judged(m, is);
    m->chain->answer = rdv_build_text(m, "answer");
    rdv_build_keep(m, "response", "response");
}

/* ---- Natural Program ------------------------------------------------------------------------- */

static void write_ids(rdv_buf *b, const size_t *ids, size_t n)
{
    rdv_buf_add_char(b, '[');
    for (size_t i = 0; i < n; i++)
        rdv_buf_printf(b, "%s%zu", i ? "," : "", ids[i]);
    rdv_buf_add_char(b, ']');
}

/* "premises": the ids that each step names, as the chain counts ("#5" is 5), and "statement_ids":
 * its own. */
static void keep_premises(rdv_chain_builder *m, const rdv_steps *steps)
{
    rdv_json_open(&m->extra, "premises", '[');
    for (size_t i = 0; i < steps->n; i++) {
        rdv_json_item(&m->extra);
        write_ids(&m->extra, steps->headings[i].premises, steps->headings[i].n_premises);
    }
    rdv_buf_lit(&m->extra, "],\"statement_ids\":[");
    for (size_t i = 0; i < steps->n; i++) {
        rdv_json_item(&m->extra);
        if (steps->headings[i].number == RDV_NO_NUMBER)
            rdv_buf_lit(&m->extra, "null");
        else
            rdv_buf_printf(&m->extra, "%zu", steps->headings[i].number);
    }
    rdv_buf_add_char(&m->extra, ']');
}

/* Chains in this style first write down what the question says ("#1. ..."), then reason ("#6. (by
 * #1 #2) Step 1: ..."). The steps are those with premises; what comes before is kept aside. */
static void only_reasoning(rdv_chain_builder *m, rdv_steps *steps)
{
    size_t first = 0;
    while (first < steps->n && steps->headings[first].n_premises == 0)
        first++;
    if (first == steps->n)
        return;
    rdv_json_name(&m->extra, RDV_STR("statements"));
    for (size_t i = 0; i < first; i++) {
        rdv_buf_add_char(&m->extra, i ? ',' : '[');
        rdv_json_text(&m->extra, steps->text[i]);
    }
    rdv_buf_add(&m->extra, first ? RDV_STR("]") : RDV_STR("[]"));
    steps->text += first;
    steps->headings += first;
    steps->n -= first;
}

void rdv_build_natural_program(rdv_chain_builder *m, rdv_str solution)
{
    m->out->kind = RDV_RECORD_CHAIN;
    if (m->in->fault != RDV_OK)
        return;
    rdv_steps steps;
    rdv_error err = {0};
    int rc = rdv_split_steps(solution, NULL, m->arena, &steps, &err);
    if (rc != RDV_OK) {
        rdv_members_fail(m->in, rc, "%s", err.msg);
        return;
    }
    if (steps.by == RDV_HEADING_HASH) {
        only_reasoning(m, &steps);
        keep_premises(m, &steps);
    }
    m->chain->steps = steps.text;
    m->chain->n_steps = steps.n;
}

/* https://github.com/lz1oceani/verify_cot, data/human_annotation: final_answer is the right answer,
 * `correct` says whether the chain's is it, `flag` whether its reasoning is valid. */
void rdv_read_verify_cot_human(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "final_answer");
    const json_t *choices = rdv_members_get(m->in, "choices");
    if (choices && !json_is_null(choices))
        rdv_build_options(m, choices, "choices");
    rdv_build_natural_program(m, rdv_build_text(m, "answer"));
    m->chain->correct = rdv_build_flag(m, "correct");
    sound(m, rdv_build_flag(m, "flag"));
    rdv_build_keep(m, "verify_correct", "verify_correct");
}
