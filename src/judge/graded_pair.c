/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/graded_pair.h"
#include "judge/usable.h"

#include "grade/chain/chain_answer.h"
#include "grade/key.h"
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
    rdv_question question; /* with the kind that counts */
    rdv_answer_form form;
};

static int subject_of(const rdv_record *record, const struct pair_grading *grading,
                      struct subject *s, rdv_error *err)
{
    const rdv_chain *chain = &record->chain;
    rdv_question question = chain->question;
    if (grading->kind != RDV_KIND_AUTO)
        question.kind = grading->kind;
    *s = (struct subject){.question = question, .form = rdv_answer_form_of(&question)};
    if (record->kind == RDV_RECORD_PAIR) {
        s->answer = record->pair.answer;
        s->text = record->pair.text;
        s->golds = record->pair.golds;
        s->n_golds = record->pair.n_golds;
        return RDV_OK;
    }
    int code = usable_answered(record, err);
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

/* The steps of a chain are a reply where the answer is read from them, or was, though none was
 * found: then grade says of a chain what it says of the reply that it came from. */
static int take_reply(const rdv_chain *chain, bool read, struct subject *s, rdv_arena *arena,
                      rdv_error *err)
{
    rdv_answer_form form = rdv_answer_form_of(&chain->question);
    bool is_read = read || (!chain->answer.p && chain->answer_sought);
    int code = is_read ? RDV_OK : chain_answer_is_read(chain, &form, arena, &is_read, err);
    if (code == RDV_OK && is_read)
        code = chain_answer_reply(chain, arena, &s->text, err);
    if (code == RDV_OK && is_read)
        s->answer = (rdv_str){0};
    return code;
}

static int compare(const struct subject *s, rdv_str gold, const struct pair_grading *grading,
                   rdv_arena *arena, struct graded_pair *out, rdv_error *err)
{
    bool read = s->text.p && (grading->read_text || !s->answer.p);
    rdv_text_grade grade;
    rdv_compare_options how = grading->how;
    how.question = rdv_trim(s->question.text).len > 1 ? s->question.text : (rdv_str){0};
    if (!read)
        return rdv_answer_compare(out->answer, gold, &s->form, &how, arena, &out->compared, err);
    int code = rdv_grade_text(s->text, gold, &s->form, &how, arena, &grade, err);
    if (code == RDV_OK) {
        out->answer = grade.answer;
        out->read = true;
        out->found = grade.answer.p ? rdv_answer_found_name(rdv_answer_found_of(grade.by)) : NULL;
        out->compared = grade.comparison;
    }
    return code;
}

/* ---- members of JSON --------------------------------------------------------------------------
 */

/* The last step that holds an object, else the last one. */
static rdv_str step_with_object(const struct subject *s)
{
    for (size_t i = s->n_steps; i-- > 0;)
        if (rdv_find_char(s->steps[i], '{', 0) != RDV_NOT_FOUND)
            return s->steps[i];
    return s->n_steps ? s->steps[s->n_steps - 1] : (rdv_str){0};
}

/* The answer is a member of the one that is given, or of the reply. RDV_NONE: it has none, and
 * *out says so. */
static int take_answer_member(struct subject *s, const struct pair_grading *grading,
                              rdv_arena *arena, struct graded_pair *out, rdv_error *err)
{
    bool reply = grading->read_text || !s->answer.p;
    rdv_str from = !reply ? s->answer : s->text.p ? s->text : step_with_object(s);
    rdv_str value = {0}, reason = {0};
    int code = answer_member_take(&grading->answer_member, from, arena, &value, &reason, err);
    out->read = true;
    s->answer = out->answer = value;
    s->text = (rdv_str){0};
    s->steps = NULL;
    out->gold = s->golds[0];
    out->compared = (rdv_comparison){.is = RDV_DIFFERENT, .why = "unread", .reason = reason};
    return code;
}

static int take_gold_members(struct subject *s, const struct pair_grading *grading,
                             rdv_arena *arena, rdv_error *err)
{
    rdv_str *golds = RDV_NEW_ARRAY(arena, rdv_str, s->n_golds), reason;
    for (size_t i = 0; golds && i < s->n_golds; i++) {
        int code =
            answer_member_take(&grading->gold_member, s->golds[i], arena, &golds[i], &reason, err);
        if (code == RDV_NONE)
            return rdv_fail(err, RDV_E_INPUT, "the gold answer: %.*s", RDV_FMT(reason));
        if (code != RDV_OK)
            return code;
    }
    s->golds = golds;
    return golds ? RDV_OK : rdv_no_memory(err);
}

static int take_members(struct subject *s, const struct pair_grading *grading, rdv_arena *arena,
                        struct graded_pair *out, rdv_error *err)
{
    int code = grading->gold_member.text ? take_gold_members(s, grading, arena, err) : RDV_OK;
    if (code == RDV_OK && grading->gold_member.text) {
        s->question.gold = s->golds[0];
        s->question.n_golds = 0; /* those are whole texts */
        s->form = rdv_answer_form_of(&s->question);
    }
    if (code == RDV_OK && grading->answer_member.text)
        code = take_answer_member(s, grading, arena, out, err);
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
    code = take_members(&s, grading, arena, &best, err);
    if (code != RDV_OK) {
        *out = best;
        return code == RDV_NONE ? RDV_OK : code;
    }
    best.gold = (rdv_str){0};
    if (s.steps)
        code = take_reply(&record->chain, grading->read_text, &s, arena, err);
    if (code != RDV_OK)
        return code;
    best.answer = s.answer;
    struct graded_pair one = best;
    for (size_t i = 0; i < s.n_golds && !(best.gold.p && best.compared.is == RDV_SAME); i++) {
        code = compare(&s, s.golds[i], grading, arena, &one, err);
        if (code < 0)
            return code;
        one.gold = s.golds[i];
        if (code == RDV_OK &&
            (!best.gold.p || grade_same_is_better(one.compared.is, best.compared.is)))
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
    int before = record->chain.correct;
    rdv_write_options options = {.size = sizeof options};
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_json_put_flag(&b, "correct", correctness(compared->is));
    if (before >= 0 && before != correctness(compared->is))
        rdv_json_put_flag(&b, "correct_before", before);
    rdv_json_put_text(&b, "same_as", compared->is == RDV_SAME ? graded->gold : (rdv_str){0});
    rdv_json_put_text(&b, "why", rdv_str_of(compared->why));
    put_optional(&b, "reason", compared->reason);
    if (graded->read)
        rdv_json_put_text(&b, "answer_read", graded->answer);
    if (graded->found)
        rdv_json_put_text(&b, "answer_found", rdv_str_of(graded->found));
    put_optional(&b, "answer_as", compared->answer_as);
    put_optional(&b, "gold_as", compared->gold_as);
    options.extra = rdv_buf_str(&b);
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    return rdv_record_write(&record->chain, &options, arena, line, err);
}
