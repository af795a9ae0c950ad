/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of questions with their right answers. */
#include "base/arena.h"
#include "base/str.h"
#include "data/format/readers.h"

#include <rederive/answer.h>

/* https://github.com/hendrycks/math, also with `answer` (MATH-500): else the solution's last box.
 */
void rdv_read_math(rdv_chain_builder *m)
{
    rdv_build_question(m, "problem", "answer");
    rdv_question *q = &m->chain->question;
    q->kind = RDV_KIND_LATEX;
    q->id = rdv_build_text(m, "unique_id");
    rdv_answer_form form = {.kind = RDV_KIND_LATEX};
    rdv_answer boxed;
    rdv_str solution = rdv_build_text(m, "solution");
    if (!q->gold.p && solution.p && rdv_answer_read(solution, &form, &boxed) == RDV_OK)
        q->gold = boxed.text;
    rdv_build_keep(m, "subject", "subject");
    rdv_build_keep(m, "type", "subject");
    rdv_build_keep(m, "level", "level");
}

/* https://math-qa.github.io: options are one text. */
void rdv_read_mathqa(rdv_chain_builder *m)
{
    rdv_build_question(m, "Problem", "correct");
    rdv_question *q = &m->chain->question;
    q->kind = RDV_KIND_OPTION;
    rdv_build_options_in(m, rdv_build_text(m, "options"));
    q->gold = rdv_build_letter(m, q->gold);
    rdv_build_keep(m, "category", "subject");
}

/* https://github.com/google-deepmind/AQuA */
void rdv_read_aqua(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "correct");
    m->chain->question.kind = RDV_KIND_OPTION;
    rdv_build_options(m, rdv_build_list(m, "options"), "options");
}

/* https://github.com/arkilpatel/SVAMP: what is said and what is asked are apart. */
void rdv_read_svamp(rdv_chain_builder *m)
{
    rdv_build_question(m, "Question", "Answer");
    rdv_question *q = &m->chain->question;
    rdv_str body = rdv_trim(rdv_build_text(m, "Body"));
    const char *stop = body.len && strchr(".!?", body.p[body.len - 1]) ? "" : ".";
    q->text = rdv_str_printf(m->arena, "%.*s%s %.*s", RDV_FMT(body), stop, RDV_FMT(q->text));
    if (!q->text.p)
        rdv_build_nomem(m);
    q->kind = RDV_KIND_NUMBER;
    m->chain->id = rdv_build_text(m, "ID");
    rdv_build_keep(m, "Type", "subject");
}

void rdv_read_addsub(rdv_chain_builder *m)
{
    rdv_build_question(m, "sQuestion", "gold");
    const json_t *solutions = rdv_build_list(m, "lSolutions");
    m->chain->question.gold = rdv_build_text_of(m, json_array_get(solutions, 0), "lSolutions");
    m->chain->question.kind = RDV_KIND_NUMBER;
}

/* https://www.tau-nlp.org/commonsenseqa: {"stem", "choices": [{"label", "text"}]}; flattened copies
 * have a text and {"label": [...], "text": [...]}. */
void rdv_read_commonsense_qa(rdv_chain_builder *m)
{
    const json_t *question = rdv_members_get(m->in, "question");
    rdv_question *q = &m->chain->question;
    bool nested = json_is_object(question);
    q->text = nested ? rdv_build_text_in(m, question, "stem") : rdv_build_text(m, "question");
    const json_t *choices =
        nested ? json_object_get(question, "choices") : rdv_members_get(m->in, "choices");
    const json_t *texts = json_is_object(choices) ? json_object_get(choices, "text") : choices;
    size_t n = json_array_size(texts);
    q->options = RDV_NEW_ARRAY(m->arena, rdv_str, n);
    if (!q->options) {
        rdv_build_nomem(m);
        return;
    }
    q->n_options = n;
    for (size_t i = 0; i < n; i++) {
        const json_t *choice = json_array_get(texts, i);
        q->options[i] = json_is_object(choice) ? rdv_build_text_in(m, choice, "text")
                                               : rdv_build_text_of(m, choice, "choices");
        if (!q->options[i].p)
            rdv_members_fail(m->in, RDV_E_INPUT, "choice %zu has no text", i);
    }
    q->kind = RDV_KIND_OPTION;
    q->gold = rdv_build_text(m, "answerKey");
    m->chain->id = rdv_build_text(m, "id");
}

/* https://allenai.org/data/strategyqa: the answer is a truth value. */
void rdv_read_strategyqa(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "gold");
    int yes = rdv_build_flag(m, "answer");
    rdv_question *q = &m->chain->question;
    q->kind = RDV_KIND_YESNO;
    q->gold = yes < 0 ? (rdv_str){0} : yes ? RDV_STR("yes") : RDV_STR("no");
    m->chain->id = rdv_build_text(m, "qid");
}

static bool is_yes_or_no(rdv_str text)
{
    return rdv_str_ieq(text, RDV_STR("yes")) || rdv_str_ieq(text, RDV_STR("no"));
}

/* StrategyQA within BIG-bench: its two options are not letters to choose from, but the answers. */
static void as_yes_or_no(rdv_question *q)
{
    if (q->n_options != 2 || !is_yes_or_no(q->options[0]) || !is_yes_or_no(q->options[1]) ||
        rdv_str_ieq(q->options[0], q->options[1]))
        return;
    if (q->gold.p)
        q->gold = q->options[q->gold.p[0] - 'A'];
    q->kind = RDV_KIND_YESNO;
    q->n_options = 0;
}

/* BIG-bench's task.json: the options and what each scores. */
void rdv_read_bigbench(rdv_chain_builder *m)
{
    rdv_build_question(m, "input", "gold");
    json_t *scores = rdv_build_object(m, "target_scores");
    rdv_question *q = &m->chain->question;
    q->options = RDV_NEW_ARRAY(m->arena, rdv_str, json_object_size(scores));
    if (!q->options) {
        rdv_build_nomem(m);
        return;
    }
    const char *key;
    json_t *value;
    json_object_foreach(scores, key, value)
    {
        q->options[q->n_options] = rdv_str_copy(m->arena, rdv_str_of(key));
        if (!q->options[q->n_options].p)
            rdv_build_nomem(m);
        if (json_number_value(value) > 0 && !q->gold.p && q->n_options < 26)
            q->gold = rdv_str_printf(m->arena, "%c", (char)('A' + q->n_options));
        q->n_options++;
    }
    q->kind = RDV_KIND_OPTION;
    as_yes_or_no(q);
}

/* BIG-Bench Hard: options are part of the text. */
void rdv_read_input_target(rdv_chain_builder *m)
{
    rdv_build_bigbench_question(m);
    rdv_question *q = &m->chain->question;
    rdv_build_options_of_question(m);
    q->gold = rdv_build_letter(m, q->gold);
}

/* {"question", "answer"}: coin flip, last letters, CommonsenseQA 2, and many more. */
void rdv_read_question_answer(rdv_chain_builder *m)
{
    rdv_build_question(m, "question", "answer");
    rdv_question *q = &m->chain->question;
    q->gold = rdv_build_after_mark(q->gold);
    if (rdv_starts(q->text, RDV_STR("Q: ")))
        q->text = rdv_slice(q->text, 3, q->text.len);
    if (rdv_ends(q->text, RDV_STR("\nA:")))
        q->text = rdv_trim_end(rdv_slice(q->text, 0, q->text.len - 3));
    if (json_is_array(rdv_members_get(m->in, "options")))
        rdv_build_options(m, rdv_build_list(m, "options"), "options");
    if (rdv_starts(q->text, RDV_STR("Take the last letters")))
        q->kind = RDV_KIND_TEXT;
    m->chain->id = rdv_build_text(m, "id");
}
