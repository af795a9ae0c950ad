/* SPDX-License-Identifier: Apache-2.0 */
#include "data/carry.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/write.h"

/* What the program writes of a chain, or what is true of another solution only. */
static bool is_known(rdv_str name)
{
    static const char *const names[] = {
        RDV_VERSION_MEMBER, "id",       "question_id", "question",  "options",
        "answer_type",      "gold",     "reasoning",   "generator", "checker",
        "profile",          "accepted", "acceptance",  "partial",   "repair",
        "repairs",          "error"};
    return rdv_is_check_member(name) || rdv_tells_of_steps(name) ||
           rdv_named(name, names, sizeof names / sizeof *names) >= 0;
}

void rdv_carry_unknown(const rdv_members *members, rdv_buf *b)
{
    for (size_t i = 0; i < members->n; i++) {
        if (is_known(members->items[i].name))
            continue;
        rdv_json_name(b, members->items[i].name);
        rdv_buf_add(b, members->items[i].raw);
    }
}

int rdv_carry_members(rdv_str raw, rdv_arena *arena, rdv_buf *b, rdv_error *err)
{
    static const rdv_limits limits = {SIZE_MAX, RDV_MAX_DEPTH, SIZE_MAX, SIZE_MAX};
    rdv_members members;
    size_t at;
    if (!raw.p)
        return RDV_OK;
    int code = rdv_members_read(&members, raw, &limits, arena, &at, err);
    if (code != RDV_OK)
        return code == RDV_E_NOMEM ? code : rdv_wrap(err, RDV_E_INPUT, "the question's record");
    rdv_carry_unknown(&members, b);
    return rdv_buf_ok(b) ? RDV_OK : rdv_no_memory(err);
}
