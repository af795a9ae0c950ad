/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/checks.h"

#include "base/str.h"

mismatch_check *mismatch_check_named(rdv_str name)
{
    static const struct {
        const char *name;
        mismatch_check *check;
    } checks[] = {{"other base", check_other_base},
                  {"own sign", check_own_sign},
                  {"modulus of the chain", check_modulus_of_chain},
                  {"no modulus", check_no_modulus},
                  {"modulus worked out", check_modulus_worked_out},
                  {"rounded numbers", check_rounded_numbers},
                  {"amount beside", check_amount_beside},
                  {"list of things", check_list_of_things},
                  {"percents alone", check_percents_alone},
                  {"degrees and radians", check_degrees_and_radians},
                  {"no percent sign", check_no_percent_sign},
                  {"name before", check_name_before},
                  {"named result", check_named_result},
                  {"square brackets", check_square_brackets},
                  {"power of ten beside", check_power_of_ten_beside},
                  {"given anew", check_given_anew},
                  {"found false", check_found_false},
                  {"fraction before", check_fraction_before},
                  {"dash for a colon", check_dash_for_a_colon},
                  {"results beside", check_results_beside},
                  {"lost exponents", check_lost_exponents},
                  {"lost fraction lines", check_lost_fraction_lines},
                  {"other separators", check_other_separators}};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (rdv_str_eq(name, rdv_str_of(checks[i].name)))
            return checks[i].check;
    return NULL;
}
