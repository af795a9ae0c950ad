/* SPDX-License-Identifier: Apache-2.0 */
#include "method/chain_calculator.h"

rdv_decimal chain_decimal(const rdv_chain *chain, rdv_decimal wanted)
{
    return wanted != RDV_DECIMAL_FOUND
               ? wanted
               : rdv_decimal_found(chain->question.text, chain->steps, chain->n_steps);
}

rdv_calculator *chain_calculator_new(const rdv_chain *chain, const rdv_check_options *options,
                                     rdv_arena *arena)
{
    rdv_calculator *calculator = rdv_calculator_new(arena, chain->question.text);
    rdv_decimal sign = chain_decimal(chain, options->decimal);
    if (calculator && rdv_calculator_set_decimal(calculator, sign) < 0)
        rdv_calculator_free(&calculator);
    if (calculator)
        rdv_calculator_set_rules(calculator, options->rules);
    return calculator;
}
