/* SPDX-License-Identifier: Apache-2.0 */
/* The right answer beside a question, whatever the source calls it. */
#include "base/str.h"
#include "data/chain_builder.h"

/* A text or a number, or a list of one of them. */
static bool take(rdv_chain_builder *m, const json_t *value)
{
    if (json_is_array(value) && json_array_size(value) == 1)
        value = json_array_get(value, 0);
    if (!json_is_string(value) && !json_is_number(value))
        return false;
    m->chain->question.gold = rdv_build_after_mark(rdv_build_text_of(m, value, "gold"));
    return true;
}

void rdv_build_gold(rdv_chain_builder *m)
{
    /* `answer` comes last: beside another of these it is often the model's own. */
    static const char *const names[] = {"gold",
                                        "ground_truth",
                                        "gold_answer",
                                        "target",
                                        "reference_answer",
                                        "expected_answer",
                                        "expected",
                                        "correct_answer",
                                        "expected_output",
                                        "ideal",
                                        "gold_solution",
                                        "reference_solution",
                                        "reference",
                                        "answer"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        rdv_str raw = rdv_members_raw(m->in, names[i]);
        if (raw.len && (rdv_is_digit(raw.p[0]) || raw.p[0] == '-')) {
            m->chain->question.gold = rdv_build_text(m, names[i]); /* as it is written */
            return;
        }
        if (raw.len && (raw.p[0] == '"' || raw.p[0] == '[') &&
            take(m, rdv_members_get(m->in, names[i])))
            return;
    }
    take(m, json_object_get(rdv_members_get(m->in, "reward_model"), "ground_truth"));
}
