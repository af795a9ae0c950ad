/* SPDX-License-Identifier: Apache-2.0 */
#include "study/task_name.h"

#include "base/str.h"
#include "data/members.h"
#include "task/task.h"

int task_name(const rdv_chain *chain, rdv_arena *arena, rdv_str *out)
{
    int code = rdv_chain_text(chain, RDV_STR("task"), arena, out);
    if (code == RDV_OK && out->len)
        return RDV_OK;
    if (code < 0)
        return code;
    const rdv_task *task = rdv_task_of(&chain->question);
    size_t slash = rdv_find_char(chain->id, '/', 0);
    if (task)
        *out = rdv_str_of(task->name);
    else if (chain->id.p && slash != RDV_NOT_FOUND)
        *out = rdv_slice(chain->id, 0, slash);
    else
        *out = (rdv_str){0};
    return RDV_OK;
}
