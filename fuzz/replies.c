/* SPDX-License-Identifier: Apache-2.0 */
/* Reading replies of a model, which are hostile text. Ids must be admissible, sorted and unique,
 * verdicts one of three, lines of variables slices of the reply. */
#include "reply/reply.h"

#include "base/str.h"
#include "search/chain_end.h"
#include "reply/location.h"
#include "task/task.h"

#include <stdlib.h>

static void check_ids(const size_t *ids, size_t n, size_t limit)
{
    for (size_t i = 0; i < n; i++)
        if (ids[i] >= limit || (i > 0 && ids[i] <= ids[i - 1]))
            abort();
}

static void collect(rdv_str reply, rdv_profile profile, size_t information, size_t steps,
                    rdv_arena *arena)
{
    reply_cited ids;
    int rc = reply_citations(reply, profile, information, steps, arena, &ids);
    if (rc != RDV_OK && rc != RDV_NONE)
        return;
    check_ids(ids.information, ids.n_information, information);
    check_ids(ids.steps, ids.n_steps, steps);
    if (rc == RDV_NONE && ids.n_information + ids.n_steps > 0)
        abort();
}

typedef int verdict_reader(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out,
                           reply_ground *by);

/* A reason is a part of the reply that can be shown. */
static void check_why(rdv_str reply, rdv_str why)
{
    if (why.len > 240 || why.p < reply.p || why.p + why.len > reply.p + reply.len)
        abort();
}

static void judge(verdict_reader *read, rdv_str reply, rdv_profile profile)
{
    rdv_verdict_kind is = RDV_UNKNOWN;
    reply_ground by = {0};
    int rc = read(reply, profile, &is, &by);
    bool valid = is == RDV_SUPPORT || is == RDV_UNRELATED || is == RDV_CONTRADICT;
    if (rc == RDV_OK ? !valid : rc != RDV_NONE || is != RDV_UNKNOWN || by.sentence.p)
        abort();
    if (rc == RDV_OK)
        check_why(reply, by.sentence);
}

static void list_variables(rdv_str reply, rdv_profile profile, rdv_arena *arena)
{
    rdv_str *lines;
    size_t n;
    if (reply_definitions(reply, profile, arena, &lines, &n) != RDV_OK)
        return;
    for (size_t i = 0; i < n; i++)
        if (lines[i].len == 0 || lines[i].p < reply.p ||
            lines[i].p + lines[i].len > reply.p + reply.len)
            abort();
}

/* A location is of a step that there is; an answer is a part of the step that announces it. */
static void locate(rdv_str reply, rdv_profile profile)
{
    size_t first = 77;
    reply_ground by = {0};
    int rc = reply_location(reply, profile, 7, &first, &by);
    if (rc == RDV_OK ? first >= 7 && first != RDV_NO_STEP : rc != RDV_NONE || first != 77)
        abort();
    if (rc == RDV_OK)
        check_why(reply, by.sentence);
    rdv_answer answer;
    if (chain_end_answer(profile, &(rdv_question){.text = reply}, &reply, 1, &answer) == RDV_OK &&
        (answer.text.p < reply.p || answer.text.p + answer.text.len > reply.p + reply.len))
        abort();
    (void)rdv_task_of(&(rdv_question){.text = reply});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_str reply = {(const char *)data, size};
    rdv_arena *arena = rdv_arena_new((size_t)1 << 28);
    if (!arena)
        return 0;
    for (int k = 0; k < 2; k++) {
        rdv_profile profile = k == 0 ? RDV_ROBUST : RDV_PAPER;
        collect(reply, profile, 5, 7, arena);
        collect(reply, profile, 0, 0, arena);
        judge(reply_comparison, reply, profile);
        judge(reply_correctness, reply, profile);
        judge(reply_yes_no, reply, profile);
        judge(reply_relevance, reply, profile);
        judge(reply_consistency, reply, profile);
        list_variables(reply, profile, arena);
        locate(reply, profile);
        long index = 77;
        reply_ground by = {0};
        if (reply_boxed_index(reply, profile, &index, &by) != RDV_OK && index != 77)
            abort();
    }
    rdv_arena_free(&arena);
    return 0;
}
