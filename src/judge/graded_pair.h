/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* One pair of grade: an answer or a reply, its gold answers, what their comparison said, and the
 * line that is written about it. */
#include "judge/answer_member.h"

#include <rederive/answer.h>
#include <rederive/data.h>

/* How all pairs of a run are graded; never changes while they are. */
struct pair_grading {
    rdv_kind kind; /* RDV_KIND_AUTO: as the record says, or by its gold answer */
    rdv_compare_options how;
    rdv_member_path answer_member,
        gold_member; /* of answers that are JSON; .text NULL: all of it */
    bool read_text;  /* the answer is read from the reply, where there is one */
};

struct graded_pair {
    rdv_str answer;          /* as given or read; p == NULL: absent */
    bool read;               /* it was read from a reply */
    const char *found;       /* how it was found there: rdv_answer_found_name(); NULL: it was not */
    rdv_str gold;            /* the gold answer that it is the same as, else the first */
    rdv_comparison compared; /* with that gold answer */
};

/* Grade the pair or chain of `record`: right where it is the same as one of its gold answers, not
 * known where it may be the same as one. RDV_OK; RDV_E_INPUT: the record has nothing to grade;
 * RDV_E_NOMEM; RDV_E_ARGUMENT: an option of the comparison. Texts are the record's, in `arena`, or
 * static. */
int pair_grade(const rdv_record *record, const struct pair_grading *grading, rdv_arena *arena,
               struct graded_pair *out, rdv_error *err);
/* The record with what was found, as a line of JSON in `arena`. RDV_E_NOMEM, RDV_E_INPUT. */
int pair_write(const rdv_record *record, const struct graded_pair *graded, rdv_arena *arena,
               rdv_str *line, rdv_error *err);
