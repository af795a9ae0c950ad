/* SPDX-License-Identifier: Apache-2.0 */
#include "study/trace_answer.h"

/* An option's letter without its brackets, which some records omit; any other answer unchanged. */
static rdv_str without_brackets(rdv_str answer)
{
    answer = rdv_trim(answer);
    bool letter = answer.len == 3 && answer.p[0] == '(' && answer.p[2] == ')' &&
                  answer.p[1] >= 'A' && answer.p[1] <= 'Z';
    return letter ? rdv_slice(answer, 1, 2) : answer;
}

bool trace_answer_is_right(rdv_str answer, rdv_str gold)
{
    return answer.p && rdv_str_eq(without_brackets(answer), without_brackets(gold));
}
