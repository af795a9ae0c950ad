/* SPDX-License-Identifier: Apache-2.0 */
/* Reading replies of a model, which are hostile text. Ids must be admissible, sorted and unique,
 * verdicts one of three, lines of variables slices of the reply. */
#include "method/read.h"

#include "base/str.h"

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
    read_ids ids;
    int rc = read_collected(reply, profile, information, steps, arena, &ids);
    if (rc != RDV_OK && rc != RDV_NONE)
        return;
    check_ids(ids.information, ids.n_information, information);
    check_ids(ids.steps, ids.n_steps, steps);
    if (rc == RDV_NONE && ids.n_information + ids.n_steps > 0)
        abort();
}

static void check_verdict(int rc, rdv_verdict_is verdict)
{
    bool valid = verdict == RDV_SUPPORT || verdict == RDV_UNRELATED || verdict == RDV_CONTRADICT;
    if (rc == RDV_OK ? !valid : rc != RDV_NONE || verdict != RDV_UNKNOWN)
        abort();
}

static void judge(rdv_str reply, rdv_profile profile)
{
    rdv_verdict_is comparison = RDV_UNKNOWN, conclusion = RDV_UNKNOWN, yes_no = RDV_UNKNOWN;
    check_verdict(read_comparison(reply, profile, &comparison), comparison);
    check_verdict(read_conclusion(reply, profile, &conclusion), conclusion);
    check_verdict(read_yes_no(reply, profile, &yes_no), yes_no);
}

static void list_variables(rdv_str reply, rdv_profile profile, rdv_arena *arena)
{
    rdv_str *lines;
    size_t n;
    if (read_variables(reply, profile, arena, &lines, &n) != RDV_OK)
        return;
    for (size_t i = 0; i < n; i++)
        if (lines[i].len == 0 || lines[i].p < reply.p ||
            lines[i].p + lines[i].len > reply.p + reply.len)
            abort();
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
        judge(reply, profile);
        list_variables(reply, profile, arena);
    }
    rdv_arena_free(&arena);
    return 0;
}
