/* SPDX-License-Identifier: Apache-2.0 */
/* SelfCheck (section 3.1 and appendix A of the paper): what does the step do, what does it follow
 * from, do it again from only that, compare. Four calls a step and one for the variables. */
#include "method/stage.h"

#include "base/arena.h"

static int keep_variables(const stage_view *v, rdv_str reply, rdv_arena *arena, said *out)
{
    int r = read_variables(reply, v->run->plan->options.profile, arena, &out->lines, &out->n_lines);
    if (r != RDV_OK)
        return r;
    out->first_named = RDV_NEW_ARRAY(arena, size_t, out->n_lines);
    for (size_t i = 0; out->first_named && i < out->n_lines; i++)
        out->first_named[i] = stage_first_named(v->run, out->lines[i]);
    return out->first_named ? RDV_OK : RDV_E_NOMEM;
}

static int keep_comparison(const stage_view *v, rdv_str reply, rdv_arena *arena, said *out)
{
    (void)arena;
    return read_comparison(reply, v->run->plan->options.profile, &out->verdict, &out->why);
}

static const stage stages[] = {
    {.name = "variables",
     .prompt = "selfcheck/variables",
     .said_as = "variables",
     .per = STAGE_PER_CHAIN,
     .optional = true,
     .read = keep_variables,
     .dry = "Yes. There are variables in the solution.\n1. x is defined as the number of items."},
    {.name = "target",
     .prompt = "selfcheck/target",
     .said_as = "target",
     .read = stage_keep_text,
     .dry = "The step adds the two amounts that were found before to get the total amount."},
    {.name = "collect",
     .prompt = "selfcheck/collect",
     .said_as = "collected",
     .earlier = true,
     .read = stage_keep_collected,
     .dry = "The next step directly follows from Information 0."},
    {.name = "regenerate",
     .prompt = "selfcheck/regenerate",
     .said_as = "regenerated",
     .after = {"variables", "target", "collect"},
     .read = stage_keep_text,
     .dry = "To get the total amount, we add both amounts. The first amount is 12 and the second "
            "amount is 30. Adding them gives 12 + 30 = 42. So the total amount is 42."},
    {.name = "compare",
     .prompt = "selfcheck/compare",
     .said_as = "comparison",
     .after = {"regenerate"},
     .read = keep_comparison,
     .dry = "Both solutions add the two amounts and get the same total. There is no difference in "
            "the numbers.\nTherefore, Solution 1 supports the conclusion in Solution 2."},
};

const method_entry method_selfcheck = {
    .method = {.name = "selfcheck",
               .summary = "re-derive each step from what it needs, and compare (SelfCheck)",
               .l1 = 1,
               .l0 = 0.3,
               .asks_model = true},
    .stages = {stages, sizeof stages / sizeof *stages},
};
