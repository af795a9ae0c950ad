/* SPDX-License-Identifier: Apache-2.0 */
/* The variants of SelfCheck that the paper compares it with (section 5.2). */
#include "method/stage.h"

#define DRY_CHECK                                                                                  \
    "The step uses the numbers that the question gives and the calculation is right. The logic "   \
    "follows from what was found before.\n"

static int keep_yes_no(const stage_view *v, rdv_str reply, rdv_arena *arena, said *out)
{
    (void)arena;
    return read_yes_no(reply, v->run->plan->options.profile, &out->verdict, &out->why);
}

static const stage global[] = {{.name = "check",
                                .prompt = "global",
                                .said_as = "check",
                                .per = STAGE_PER_CHAIN,
                                .read = stage_keep_conclusion,
                                .dry = DRY_CHECK "Correct"}};

static const stage single_stage[] = {{.name = "check",
                                      .prompt = "single-stage",
                                      .said_as = "check",
                                      .earlier = true,
                                      .read = stage_keep_conclusion,
                                      .dry = DRY_CHECK "Correct"}};

#define COLLECT                                                                                    \
    {                                                                                              \
        .name = "collect", .prompt = "selfcheck/collect", .said_as = "collected", .earlier = true, \
        .read = stage_keep_collected, .dry = "The next step directly follows from Information 0."  \
    }

static const stage error_check[] = {COLLECT,
                                    {.name = "check",
                                     .prompt = "error-check",
                                     .said_as = "check",
                                     .after = {"collect"},
                                     .read = stage_keep_conclusion,
                                     .dry = DRY_CHECK "Correct"}};

static const stage error_check_1shot[] = {COLLECT,
                                          {.name = "check",
                                           .prompt = "error-check-1shot",
                                           .said_as = "check",
                                           .after = {"collect"},
                                           .read = keep_yes_no,
                                           .dry = DRY_CHECK "So the answer is \"yes\"."}};

const method_entry method_global = {
    .method = {.name = "global",
               .summary = "ask once whether the whole solution is correct",
               .l1 = 1,
               .l0 = 0.3,
               .asks_model = true},
    .stages = {global, 1},
};

const method_entry method_single_stage = {
    .method = {.name = "single-stage",
               .summary = "ask of each step whether it is correct",
               .l1 = 1,
               .l0 = 0.3,
               .asks_model = true},
    .stages = {single_stage, 1},
};

const method_entry method_error_check = {
    .method = {.name = "error-check",
               .summary = "collect what each step needs, then ask for its errors",
               .l1 = 1,
               .l0 = 0.3,
               .asks_model = true},
    .stages = {error_check, 2},
};

const method_entry method_error_check_1shot = {
    .method = {.name = "error-check-1shot",
               .summary = "the same with a worked example",
               .l1 = 1,
               .l0 = 0.3,
               .asks_model = true},
    .stages = {error_check_1shot, 2},
};
