/* SPDX-License-Identifier: Apache-2.0 */
#include "graded_pair.h"
#include "grade.h"

#include "answer/key.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"

/* ---- what is graded -------------------------------------------------------------------------- */

struct subject {
    rdv_str answer, text; /* as in rdv_answer_pair */
    const rdv_str *steps; /* of a chain whose answer is read */
    size_t n_steps;
    const rdv_str *golds;
    size_t n_golds;
    rdv_answer_form form;
};

static int subject_of(const rdv_record *record, const struct pair_grading *grading,
                      struct subject *s, rdv_error *err)
{
    const rdv_chain *chain = &record->chain;
    rdv_question question = chain->question;
    if (grading->kind != RDV_KIND_AUTO)
        question.kind = grading->kind;
    *s = (struct subject){.form = rdv_answer_form_of(&question)};
    if (record->kind == RDV_RECORD_PAIR) {
        s->answer = record->pair.answer;
        s->text = record->pair.text;
        s->golds = record->pair.golds;
        s->n_golds = record->pair.n_golds;
        return RDV_OK;
    }
    int code = grade_takes(record, err);
    if (code == RDV_OK && !chain->question.gold.p)
        code = rdv_fail(err, RDV_E_INPUT, "no gold answer to grade by");
    s->answer = chain->answer;
    s->steps = chain->steps;
    s->n_steps = chain->unfinished.p ? 0 : chain->n_steps;
    s->golds = &chain->question.gold;
    s->n_golds = 1;
    return code;
}

/* ---- grading --------------------------------------------------------------------------------- */

/* Read the answer from a chain's steps, where it counts. */
static void read_steps(const struct subject *s, struct graded_pair *out)
{
    rdv_answer answer;
    bool any = rdv_answer_read_steps(s->steps, s->n_steps, &s->form, &answer) == RDV_OK;
    out->answer = any ? answer.text : (rdv_str){0};
    out->read = true;
}

static int compare(const struct subject *s, rdv_str gold, const struct pair_grading *grading,
                   rdv_arena *arena, struct graded_pair *out, rdv_error *err)
{
    bool read = s->text.p && (grading->read_text || !s->answer.p);
    rdv_text_grade grade;
    if (!read)
        return rdv_answer_compare(out->answer, gold, &s->form, &grading->how, arena, &out->compared,
                                  err);
    int code = rdv_grade_text(s->text, gold, &s->form, &grading->how, arena, &grade, err);
    if (code == RDV_OK) {
        out->answer = grade.answer;
        out->read = true;
        out->compared = grade.comparison;
    }
    return code;
}

int pair_grade(const rdv_record *record, const struct pair_grading *grading, rdv_arena *arena,
               struct graded_pair *out, rdv_error *err)
{
    struct subject s;
    struct graded_pair best = {0};
    int code = subject_of(record, grading, &s, err);
    if (code != RDV_OK)
        return code;
    best.answer = s.answer;
    if (s.steps && grading->read_text)
        read_steps(&s, &best);
    struct graded_pair one = best;
    for (size_t i = 0; i < s.n_golds && !(best.gold.p && best.compared.is == RDV_SAME); i++) {
        code = compare(&s, s.golds[i], grading, arena, &one, err);
        if (code < 0)
            return code;
        one.gold = s.golds[i];
        if (code == RDV_OK &&
            (!best.gold.p || answer_same_is_better(one.compared.is, best.compared.is)))
            best = one;
    }
    if (!best.gold.p)
        return rdv_fail(err, RDV_E_INPUT, "the gold answer is absent or cannot be read");
    *out = best;
    return RDV_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_optional(rdv_buf *b, const char *name, rdv_str text)
{
    if (text.p)
        rdv_json_put_text(b, name, text);
}

static int correctness(rdv_same is)
{
    return is == RDV_CANNOT_TELL ? -1 : is == RDV_SAME;
}

int pair_write(const rdv_record *record, const struct graded_pair *graded, rdv_arena *arena,
               rdv_str *line, rdv_error *err)
{
    const rdv_comparison *compared = &graded->compared;
    rdv_write_options options = {.size = sizeof options};
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_json_put_flag(&b, "correct", correctness(compared->is));
    rdv_json_put_text(&b, "same_as", compared->is == RDV_SAME ? graded->gold : (rdv_str){0});
    rdv_json_put_text(&b, "why", rdv_str_of(compared->why));
    put_optional(&b, "reason", compared->reason);
    if (graded->read)
        rdv_json_put_text(&b, "answer_read", graded->answer);
    put_optional(&b, "answer_as", compared->answer_as);
    put_optional(&b, "gold_as", compared->gold_as);
    options.extra = rdv_buf_str(&b);
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    return rdv_record_write(&record->chain, &options, arena, line, err);
}
