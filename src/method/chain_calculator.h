/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The calculator of a chain, which reads numbers as the chain writes them. */
#include <rederive/math.h>
#include <rederive/method.h>

/* The sign before the decimals of the chain: that of the options, or what its question and steps
 * have. */
rdv_decimal chain_decimal(const rdv_chain *chain, rdv_decimal wanted);
/* rdv_calculator_new() with that sign and the rules of the options. NULL: out of memory. */
rdv_calculator *chain_calculator_new(const rdv_chain *chain, const rdv_check_options *options,
                                     rdv_arena *arena);
