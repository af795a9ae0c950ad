/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the key "check" of an explanation names (docs/rules.md): what no formula of the sides says.
 */
#include "explain/mismatch.h"

typedef bool mismatch_check(const mismatch *m);

/* The check of that name; NULL: there is none. */
mismatch_check *mismatch_check_named(rdv_str name);

mismatch_check check_other_base, check_own_sign, check_modulus_of_chain, /* other_arithmetic.c */
    check_no_modulus, check_modulus_worked_out;
mismatch_check check_rounded_numbers;                      /* estimate.c */
mismatch_check check_amount_beside;                        /* reference_amount.c */
mismatch_check check_list_of_things, check_percents_alone, /* counted_things.c */
    check_degrees_and_radians, check_square_brackets, check_no_percent_sign, check_named_result,
    check_name_before;
mismatch_check check_power_of_ten_beside, check_given_anew,
    check_found_false; /* beside_equality.c */
mismatch_check check_fraction_before, check_dash_for_a_colon, check_results_beside; /* regroup.c */
mismatch_check check_lost_exponents, check_lost_fraction_lines; /* typesetting.c */
mismatch_check check_other_separators;                          /* separators.c */
