/* SPDX-License-Identifier: Apache-2.0 */
#include "method/own_calculations.h"

#include "base/arena.h"
#include "base/str.h"
#include "decide/claim.h"
#include "method/chain_calculator.h"
#include "reply/words.h"
#include "text/think.h"

/* The first that is wrong; NULL: none is. */
static const rdv_calc *first_wrong(const rdv_calc *calcs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (calcs[i].kind == RDV_CALC_WRONG && !calcs[i].excused)
            return &calcs[i];
    return NULL;
}

static int decide(rdv_calculator *calculator, rdv_str text, rdv_arena *arena, rdv_str *why,
                  rdv_error *err)
{
    rdv_calc *calcs;
    size_t n;
    int code = rdv_calculator_try(calculator, text, &calcs, &n, err);
    if (code == RDV_E_LIMIT)
        *err = (rdv_error){0};
    if (code != RDV_OK)
        return code == RDV_E_LIMIT ? RDV_OK : code;
    const rdv_calc *wrong = first_wrong(calcs, n);
    if (!wrong)
        return RDV_OK;
    rdv_str shown = words_shortened(rdv_slice(text, wrong->begin, wrong->end));
    *why = rdv_str_printf(arena, "the reply endorses, and its own calculation is wrong: %.*s",
                          RDV_FMT(shown));
    return why->p ? RDV_NONE : rdv_no_memory(err);
}

int own_calculations_hold(const step_result *r, rdv_arena *arena, rdv_str *why, rdv_error *err)
{
    const rdv_check_options *options = r->run->plan->options.check;
    rdv_str text = rdv_slice(think_spoken(r->text), 0, WORDS_LIST_BYTES);
    rdv_arena *scratch = rdv_arena_new(0);
    rdv_calculator *calculator =
        scratch ? chain_calculator_new(r->run->chain, options, scratch) : NULL;
    int code = calculator ? RDV_OK : rdv_no_memory(err);
    if (code == RDV_OK) {
        rdv_calculator_set_limit(calculator, (uint64_t)options->step_ms * 1000000);
        code = decide(calculator, text, arena, why, err);
    }
    rdv_calculator_free(&calculator);
    rdv_arena_free(&scratch);
    return code;
}
