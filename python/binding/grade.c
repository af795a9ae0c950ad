/* SPDX-License-Identifier: Apache-2.0 */
#include "binding/binding.h"

#include "judge/graded_pair.h"

#include "base/buf.h"
#include "base/str.h"

#include <stdlib.h>

struct binding_grader {
    rdv_arena *arena;
    binding_grade grade;
};

binding_grader *binding_grader_new(void)
{
    binding_grader *grader = calloc(1, sizeof *grader);
    if (grader && !(grader->arena = rdv_arena_new(0))) {
        free(grader);
        return NULL;
    }
    return grader;
}

void binding_grader_free(binding_grader *grader)
{
    if (!grader)
        return;
    rdv_arena_free(&grader->arena);
    free(grader);
}

static bool join_texts(const struct graded_pair *graded, rdv_arena *arena, rdv_str *out)
{
    const rdv_comparison *compared = &graded->compared;
    const rdv_str texts[] = {compared->reason,    graded->answer,    graded->gold,
                             compared->answer_as, compared->gold_as, rdv_str_of(graded->found)};
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add_char(&b, (char)('0' + (int)compared->is));
    rdv_buf_add_char(&b, '\0');
    rdv_buf_add(&b, rdv_str_of(compared->why));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        rdv_buf_add_char(&b, '\0');
        if (!texts[i].p)
            continue;
        rdv_buf_add_char(&b, '+');
        size_t begin = b.len;
        rdv_buf_add(&b, texts[i]);
        for (size_t at = begin; rdv_buf_ok(&b) && at < b.len; at++)
            if (b.p[at] == '\0')
                b.p[at] = ' ';
    }
    *out = rdv_buf_str(&b);
    return rdv_buf_ok(&b);
}

const binding_grade *binding_grade_pair(binding_grader *grader, const char *answer, size_t length,
                                        bool reply, const rdv_str *golds, size_t n_golds,
                                        const rdv_answer_form *form, const rdv_compare_options *how)
{
    binding_grade *out = &grader->grade;
    const rdv_str text = {answer, length};
    rdv_record record = {
        .kind = RDV_RECORD_PAIR, .pair = {.golds = golds, .n_golds = n_golds}, .format = "pair"};
    struct pair_grading grading = {.kind = form ? form->kind : RDV_KIND_AUTO};
    struct graded_pair graded;
    binding_thread_begin();
    rdv_arena_reset(grader->arena);
    grading.how.size = sizeof grading.how;
    if (how)
        grading.how = *how;
    *(reply ? &record.pair.text : &record.pair.answer) = text;
    record.chain.correct = -1;
    record.chain.answer = record.pair.answer;
    record.chain.question.gold = golds[0];
    if (form) {
        record.chain.question.options = (rdv_str *)form->options;
        record.chain.question.n_options = form->n_options;
    }
    out->error.code = RDV_OK;
    out->code = pair_grade(&record, &grading, grader->arena, &graded, &out->error);
    if (out->code != RDV_OK)
        return out;
    if (!join_texts(&graded, grader->arena, &out->texts))
        out->code = rdv_fail(&out->error, RDV_E_NOMEM, "out of memory");
    return out;
}

const binding_grade *binding_grade_plain(binding_grader *grader, const char *answer, size_t length,
                                         bool reply, const char *gold, size_t gold_length)
{
    const rdv_str one = {gold, gold_length};
    return binding_grade_pair(grader, answer, length, reply, &one, 1, NULL, NULL);
}
