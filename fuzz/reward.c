/* SPDX-License-Identifier: Apache-2.0 */
/* Model files of any bytes: they are refused with a line, or judge a chain and come out as they
 * went in. The input's checksum is set right first, or no change would get past it. */
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "reward/model.h"
#include "reward/reward.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const rdv_str steps[] = {{"2 + 2 = 5", 9}, {"So the answer is 5.", 19}};

static void use(const rdv_reward *model, rdv_str bytes, rdv_arena *arena)
{
    const rdv_chain chain = {
        .question = {.text = RDV_STR("What is 2 + 2?")}, .steps = (rdv_str *)steps, .n_steps = 2};
    double *wrong;
    size_t first;
    rdv_str again;
    if (rdv_reward_judge(model, &chain, arena, &wrong, &first, NULL) != RDV_OK ||
        (first != RDV_NO_STEP && first > 1) || isnan(wrong[0]) || wrong[0] < 0 || wrong[0] > 1)
        abort();
    if (model_write(model, arena, &again) != RDV_OK || again.len > 2 * bytes.len + 200)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_reward *model;
    rdv_error err = {0};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str bytes = {(const char *)data, size};
    rdv_str body = rdv_slice(bytes, 0, rdv_find_last(bytes, RDV_STR("check ")));
    rdv_str whole = rdv_str_printf(arena, "%.*scheck %016llx\n", RDV_FMT(body),
                                   (unsigned long long)model_check(body));
    const rdv_str both[] = {bytes, whole};
    for (size_t i = 0; i < 2; i++) {
        int r = rdv_reward_read(both[i], &model, &err);
        if (r < 0 && (model || !err.msg[0] || strchr(err.msg, '\n')))
            abort();
        if (r == RDV_OK)
            use(model, both[i], arena);
        rdv_reward_free(&model);
    }
    rdv_arena_free(&arena);
    return 0;
}
