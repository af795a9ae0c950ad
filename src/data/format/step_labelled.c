/* SPDX-License-Identifier: Apache-2.0 */
/* Training data of process reward models: steps with a label each. */
#include "base/arena.h"
#include "base/str.h"
#include "data/conversation.h"
#include "data/format/readers.h"

/* Labels of all steps, and with them the first wrong one. `whole`: the steps are the whole
 * solution, so that without a wrong one it has none. */
static void set_labels(rdv_chain_builder *m, int8_t *is, bool whole)
{
    bool all_right = whole && m->chain->n_steps > 0;
    if (m->in->fault != RDV_OK)
        return;
    rdv_build_judged(m, is);
    for (size_t i = 0; is && i < m->chain->n_steps; i++) {
        all_right &= is[i] == 1;
        if (is[i] == 0) {
            rdv_build_label(m, (long)i, 0);
            return;
        }
    }
    if (all_right)
        rdv_build_no_mistake(m);
}

/* A label for each step of the chain. NULL: out of memory. */
static int8_t *new_labels(rdv_chain_builder *m)
{
    int8_t *is = RDV_NEW_ARRAY(m->arena, int8_t, m->chain->n_steps);
    if (!is)
        rdv_build_nomem(m);
    return is;
}

/* Room for `n` steps, which are then set, and a label for each. NULL: too many, or out of memory.
 */
static int8_t *new_steps(rdv_chain_builder *m, size_t n)
{
    if (n > m->limits->steps) {
        rdv_members_fail(m->in, RDV_E_LIMIT, "%zu steps, more than %zu", n, m->limits->steps);
        return NULL;
    }
    m->chain->steps = RDV_NEW_ARRAY(m->arena, rdv_str, n);
    if (!m->chain->steps) {
        rdv_build_nomem(m);
        return NULL;
    }
    m->chain->n_steps = n;
    return new_labels(m);
}

/* ---- TRL ------------------------------------------------------------------------------------- */

/* https://huggingface.co/docs/trl/dataset_formats#stepwise-supervision: a truth value a step. */
void rdv_read_trl_stepwise(rdv_chain_builder *m)
{
    rdv_conversation x = {0};
    rdv_conversation_ask(m, rdv_members_get(m->in, "prompt"), &x);
    m->chain->question.text = x.question;
    rdv_build_gold(m);
    rdv_build_steps(m, rdv_build_list(m, "completions"), "completions");
    const json_t *labels = rdv_build_list(m, "labels");
    if (m->in->fault == RDV_OK && json_array_size(labels) != m->chain->n_steps)
        rdv_members_fail(m->in, RDV_E_INPUT, "%zu labels for %zu completions",
                         json_array_size(labels), m->chain->n_steps);
    int8_t *is = m->in->fault == RDV_OK ? new_labels(m) : NULL;
    for (size_t i = 0; is && i < m->chain->n_steps; i++)
        is[i] = (int8_t)rdv_build_flag_of(json_array_get(labels, i));
    set_labels(m, is, true);
}

/* ---- PRM800K --------------------------------------------------------------------------------- */

bool rdv_is_prm800k(const rdv_members *in)
{
    return rdv_starts(rdv_members_raw(in, "question"), RDV_STR("{")) &&
           rdv_starts(rdv_members_raw(in, "label"), RDV_STR("{"));
}

/* The completion with which the solution went on: the chosen one, else the one that a person wrote,
 * else, where labelling ended, the only one. NULL: none. */
static const json_t *taken(const json_t *step)
{
    const json_t *completions = json_object_get(step, "completions");
    const json_t *human = json_object_get(step, "human_completion");
    long chosen = 0;
    bool named = rdv_build_integer(json_object_get(step, "chosen_completion"), &chosen);
    if (!named && json_is_object(human))
        return human;
    return chosen < 0 ? NULL : json_array_get(completions, (size_t)chosen);
}

/* Ratings are 1, 0 (neither right nor wrong) and -1; null: not rated. */
static int8_t rated(const json_t *completion)
{
    long rating;
    if (!rdv_build_integer(json_object_get(completion, "rating"), &rating))
        return -1;
    return rating > 0 ? 1 : rating < 0 ? 0 : -1;
}

/* https://github.com/openai/prm800k. Labelling ends at the first wrong step, so the steps after it
 * are not in the record. */
void rdv_read_prm800k(rdv_chain_builder *m)
{
    const json_t *question = rdv_build_object(m, "question");
    const json_t *label = rdv_build_object(m, "label");
    const json_t *steps = json_object_get(label, "steps");
    size_t n = json_array_size(steps);
    m->out->kind = RDV_RECORD_CHAIN;
    m->chain->question.text = rdv_build_text_in(m, question, "problem");
    m->chain->question.gold = rdv_build_text_in(m, question, "ground_truth_answer");
    m->chain->question.kind = RDV_KIND_LATEX;
    int8_t *is = new_steps(m, n);
    if (!is)
        return;
    for (size_t i = 0; i < n; i++) {
        const json_t *completion = taken(json_array_get(steps, i));
        rdv_str text = rdv_build_text_in(m, completion, "text");
        if (!text.p)
            rdv_members_fail(m->in, RDV_E_INPUT, "step %zu has no completion with a text", i);
        m->chain->steps[i] = text;
        is[i] = rated(completion);
    }
    rdv_str ended = rdv_build_text_in(m, label, "finish_reason");
    bool whole = rdv_str_eq(ended, RDV_STR("solution"));
    if (!whole) {
        m->chain->unfinished = RDV_STR("the labelling ended before the solution did");
        m->no_answer = true;
    }
    set_labels(m, is, whole);
    rdv_build_keep_text(m, "finish_reason", ended);
}

/* ---- Math-Shepherd --------------------------------------------------------------------------- */

#define STEP_TAG "\xd0\xba\xd0\xb8" /* "ки", which ends each step */

/* The tag may be escaped, as Python's json and pandas write it. */
bool rdv_is_math_shepherd(const rdv_members *in)
{
    rdv_str input = rdv_members_raw(in, "input");
    return rdv_find(input, RDV_STR(STEP_TAG), 0) != RDV_NOT_FOUND ||
           rdv_ifind(input, RDV_STR("\\u043a\\u0438"), 0) != RDV_NOT_FOUND;
}

/* https://huggingface.co/datasets/peiyi9979/Math-Shepherd: `input` is the question and "Step 1: ...
 * ки" for each step; `label` is the same text with + or - in place of each tag. */
void rdv_read_math_shepherd(rdv_chain_builder *m)
{
    rdv_str input = rdv_build_text(m, "input"), label = rdv_build_text(m, "label");
    size_t first = rdv_find(input, RDV_STR("Step 1:"), 0), tag, n = 0;
    if (first == RDV_NOT_FOUND) {
        rdv_members_fail(m->in, RDV_E_INPUT, "\"input\" has no \"Step 1:\"");
        return;
    }
    m->out->kind = RDV_RECORD_CHAIN;
    m->chain->question.text = rdv_trim(rdv_slice(input, 0, first));
    for (size_t at = first; (tag = rdv_find(input, RDV_STR(STEP_TAG), at)) != RDV_NOT_FOUND; n++)
        at = tag + sizeof STEP_TAG - 1;
    int8_t *is = new_steps(m, n);
    if (!is)
        return;
    size_t at = first, marked = first; /* where the same place is in `label` */
    for (size_t i = 0; i < n; i++) {
        tag = rdv_find(input, RDV_STR(STEP_TAG), at);
        m->chain->steps[i] = rdv_trim(rdv_slice(input, at, tag));
        marked += tag - at;
        char mark = marked < label.len ? label.p[marked] : '\0';
        is[i] = (int8_t)(mark == '+' ? 1 : mark == '-' ? 0 : -1);
        marked++;
        at = tag + sizeof STEP_TAG - 1;
    }
    set_labels(m, is, true);
    rdv_build_keep(m, "task", "subject");
}
