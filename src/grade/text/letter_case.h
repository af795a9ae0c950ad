/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Texts that differ by capital and small letters alone. */
#include <rederive/base.h>

/* May two texts of the same letters mean two things by their capitals: genotypes, "aa" and "Aa",
 * names of variables, "x" and "X", symbols of units, "mW" and "MW"? Words, "no" and "No", and
 * letters that are options, "b" and "B", mean one. Linear. */
bool letter_case_tells(rdv_str a, rdv_str b, rdv_str question);
